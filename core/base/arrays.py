"""Arrays as bytes, in NumPy's own format, and back without trust in what the bytes claim."""

import io
import math
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import numpy as np

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_MAGIC, _LENGTHS = np.lib.format.MAGIC_LEN, {(1, 0): 2, (2, 0): 4}
"""Bytes before the length of a header, and of this length, by its version."""


def write_array(array: np.ndarray) -> bytes:
    """An array as NumPy's own format has it, without Python objects."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()


def arrays_to_text(arrays: Mapping[str, np.ndarray]) -> dict[str, str]:
    """Arrays by name as text that JSON takes."""
    return {name: b64encode(write_array(array)).decode() for name, array in arrays.items()}


def arrays_from_text(told: Mapping[str, str]) -> dict[str, np.ndarray]:
    """The arrays again.

    Raises:
        ValueError: They are none.
    """
    return {name: read_array(b64decode(content)) for name, content in told.items()}


def read_array(content: bytes) -> np.ndarray:
    """The array that :func:`write_array` wrote.

    Raises:
        ValueError: It is none, holds Python objects, or is not as long as its header says.
    """
    version = np.lib.format.read_magic(io.BytesIO(content[:_MAGIC]))
    if version not in _HEADERS:
        raise ValueError(f"{version} is no version of an array's header")
    length = _LENGTHS[version]
    begins = _MAGIC + length + int.from_bytes(content[_MAGIC : _MAGIC + length], "little")
    shape, order, dtype = _header(version, content[_MAGIC:begins])
    if dtype.hasobject or dtype.itemsize == 0 or dtype.names is not None:
        raise ValueError(f"an array of {dtype} is not read")
    if (
        any(type(side) is not int or not 0 <= side < 2**48 for side in shape)
        or math.prod(shape) * dtype.itemsize != len(content) - begins
    ):
        raise ValueError("an array is not as long as its header says")
    array: np.ndarray = np.empty(shape, dtype, order)
    array.reshape(-1, order="A").view(np.uint8)[:] = np.frombuffer(content, np.uint8)[begins:]
    return array


@lru_cache(maxsize=1024)
def _header(version: tuple[int, int], header: bytes) -> tuple[tuple[int, ...], Literal["C", "F"], np.dtype[Any]]:
    """Shape, order and type of an array, as a header says; of a result's hundreds of arrays many have the same one."""
    try:
        shape, is_fortran, dtype = _HEADERS[version](io.BytesIO(header))
    except Exception as error:
        raise ValueError("the header of an array cannot be read") from error
    return shape, "F" if is_fortran else "C", dtype
