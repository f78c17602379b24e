"""What a task answers, as JSON: dataclasses with arrays and tables, decoded by type and never by code."""

import base64
from typing import Any, TypeVar

from core.base.arrays import read_array, write_array
from core.records.codec import decode, encode
from core.records.codec_frames import Arrays

T = TypeVar("T")


def pack(value: Any, kind: Any) -> dict[str, Any]:
    """``value``, of type ``kind``, as a JSON tree with its arrays in base64."""
    arrays = Arrays()
    tree = encode(value, kind, arrays)
    return {"tree": tree, "arrays": [base64.b64encode(write_array(array)).decode() for array in arrays]}


def unpack(packed: dict[str, Any], kind: type[T]) -> T:
    """The value that :func:`pack` wrote."""
    arrays = Arrays(read_array(base64.b64decode(text)) for text in packed["arrays"])
    value: T = decode(packed["tree"], kind, arrays)
    return value
