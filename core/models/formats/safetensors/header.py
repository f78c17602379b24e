"""The header of a safetensors file, checked before a single tensor is built from it."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.base.errors import ModelError
from core.language.told import localized, say
from core.text.strict_json import no_doubles

MAXIMUM_BYTES = 2 * 1024 * 1024 * 1024
_MAXIMUM_HEADER = 4 * 1024 * 1024
_MAXIMUM_TENSORS = 1024
_MOST_DIMENSIONS = 8
_ITEM_SIZES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2}


@dataclass(frozen=True)
class TensorInfo:
    """One tensor as the header declares it.

    Attributes:
        dtype: ``F64``, ``F32``, ``F16`` or ``BF16``; ``I64`` for whole numbers.
        shape: Its dimensions.
        start: First byte within the data part of the file.
        end: One past its last byte.
    """

    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True)
class Header:
    """Tensors in the order of the file, and the free metadata."""

    tensors: dict[str, TensorInfo]
    metadata: dict[str, str]


def read_header(path: Path, name: str, *, counters: bool = False) -> Header:
    """Read and check the header: lengths, offsets, types and sizes must describe exactly the bytes that follow.

    Args:
        path: The file.
        name: How errors name it.
        counters: Whether tensors of whole numbers (``I64``) may lie beside the weights.

    Raises:
        ModelError: The file is too large, truncated, no safetensors file, or its header lies.
    """
    size = path.stat().st_size
    if size > MAXIMUM_BYTES:
        raise _refused(
            name,
            say(
                "The file has {size} MB; at most {most} MB of weights are read.",
                size=localized(f"{size / 2**20:.0f}"),
                most=MAXIMUM_BYTES >> 20,
            ),
        )
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if size < 10 or length > min(_MAXIMUM_HEADER, size - 8):
            raise _refused(
                name, say("This is no safetensors file, or it is cut off: its header is longer than the file.")
            )
        raw = stream.read(length)
    try:
        header = json.loads(raw, object_pairs_hook=no_doubles)
    except (ValueError, RecursionError) as error:
        raise _refused(name, say("The header of the safetensors file is damaged: it is no JSON.")) from error
    if not isinstance(header, dict):
        raise _refused(name, say("The header of the safetensors file does not list tensors."))
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise _refused(name, say("The metadata of the safetensors file is not text."))
    if not 0 < len(header) <= _MAXIMUM_TENSORS:
        raise _refused(
            name,
            say(
                "The file declares {tensors} tensors; 1 to {most} are read.",
                tensors=len(header),
                most=_MAXIMUM_TENSORS,
            ),
        )
    sizes = _ITEM_SIZES | {"I64": 8} if counters else _ITEM_SIZES
    tensors = {key: _tensor(key, entry, name, sizes) for key, entry in header.items()}
    position = 0
    for key, tensor in sorted(tensors.items(), key=lambda item: (item[1].start, item[1].end)):
        if tensor.start != position:
            raise _refused(name, say("The header's offsets overlap or leave gaps."), key)
        position = tensor.end
    if position != size - 8 - length:
        raise _refused(
            name,
            say(
                "The header declares {declared} bytes of weights and the file holds {held}.",
                declared=position,
                held=size - 8 - length,
            ),
        )
    return Header(tensors, metadata)


def _tensor(key: str, entry: Any, name: str, sizes: dict[str, int]) -> TensorInfo:
    try:
        dtype, shape, (start, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
    except (TypeError, KeyError, ValueError) as error:
        raise _refused(name, say("A tensor is declared without type, shape or offsets."), key) from error
    if not isinstance(dtype, str) or dtype not in sizes:
        raise _refused(
            name,
            say("A tensor has type {dtype}; weights are floating-point numbers.", dtype=f"{dtype!r:.40}"),
            key,
        )
    counts = (*shape[:_MOST_DIMENSIONS], start, end)
    if len(shape) > _MOST_DIMENSIONS or not all(type(one) is int and 0 <= one <= MAXIMUM_BYTES for one in counts):
        raise _refused(name, say("A tensor's shape or offsets are not plain counts."), key)
    if end - start != math.prod(shape) * sizes[dtype]:
        raise _refused(
            name,
            say(
                "A tensor of shape {shape} is declared with {size} bytes, which do not fit.",
                shape=shape,
                size=end - start,
            ),
            key,
        )
    return TensorInfo(dtype, shape, start, end)


def _refused(name: str, what: str, tensor: str = "") -> ModelError:
    return ModelError(
        what,
        where=say("{name}, tensor {tensor}", name=name, tensor=f"{tensor!r:.80}") if tensor else name,
        advice=say("Save the weights again: safetensors.torch.save_file(module.state_dict(), 'model.safetensors')."),
    )
