"""What a task answers, as JSON: dataclasses with arrays and tables, decoded by type and never by code."""

import base64
import io
from typing import Any, TypeVar

import numpy as np

from core.records.codec import decode, encode
from core.records.codec_frames import Arrays

T = TypeVar("T")


def pack(value: Any, kind: Any) -> dict[str, Any]:
    """``value``, of type ``kind``, as a JSON tree with its arrays in base64."""
    arrays = Arrays()
    tree = encode(value, kind, arrays)
    return {"tree": tree, "arrays": [base64.b64encode(_bytes_of(array)).decode() for array in arrays]}


def unpack(packed: dict[str, Any], kind: type[T]) -> T:
    """The value that :func:`pack` wrote."""
    arrays = Arrays(
        np.lib.format.read_array(io.BytesIO(base64.b64decode(text)), allow_pickle=False) for text in packed["arrays"]
    )
    value: T = decode(packed["tree"], kind, arrays)
    return value


def _bytes_of(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()
