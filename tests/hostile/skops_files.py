"""skops files with one thing changed: a value, a shape, a type, a node of a tree, an attribute."""

import copy
import io
import json
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.lib import recfunctions as rfn

VALUES: tuple[Any, ...] = (
    *(np.nan, np.inf, -np.inf, 0, -1, 1, 2, 1000, 2**31, 2**62, -(2**31), 1e308, -1e-308, 0.5),
    *(None, True, "", "passthrough", "zero", "no", "x" * 5000, "multinomial", [], {}),
)
"""What is put in place of a value."""

_OTHER_NUMBERS = ("f4", "f8", "i8", "u1", "U3", "?", "c16", ">f8", "f2")
_OTHER_TEXTS = ("U1", "U9", "S4", ">U4")


class SkopsFile:
    """The parts of a skops file, to be changed and written again.

    Attributes:
        schema: The content of ``schema.json``.
        arrays: The arrays by the name of their file.
    """

    def __init__(self, content: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            self.schema = json.loads(archive.read("schema.json"))
            self.arrays = {
                name: np.load(io.BytesIO(archive.read(name))) for name in archive.namelist() if name.endswith(".npy")
            }

    def copy(self) -> "SkopsFile":
        """A file that can be changed apart from this one."""
        return copy.deepcopy(self)

    def content(self) -> bytes:
        """The bytes of the file."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr("schema.json", json.dumps(self.schema))
            for name, array in self.arrays.items():
                buffer = io.BytesIO()
                np.save(buffer, array, allow_pickle=False)
                archive.writestr(name, buffer.getvalue())
        return stream.getvalue()

    def nodes(self) -> Iterator[dict[str, Any]]:
        """Every node of the schema."""
        waiting = [self.schema]
        while waiting:
            node = waiting.pop()
            if isinstance(node, dict):
                if "__loader__" in node:
                    yield node
                waiting.extend(node.values())
            elif isinstance(node, list):
                waiting.extend(node)

    def of(self, kind: str) -> dict[str, Any]:
        """Attributes of the first object whose type is called ``kind``, as nodes by name."""
        node = next(node for node in self.nodes() if node["__class__"] == kind and "content" in node)
        attributes: dict[str, Any] = node["content"]["content"]
        return attributes

    def array(self, kind: str, attribute: str) -> str:
        """The file's name of an array that is an attribute of the first ``kind``."""
        name: str = self.of(kind)[attribute]["file"]
        return name


def plain(value: Any) -> dict[str, Any]:
    """A single value as a node."""
    return {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "content": json.dumps(value)}


def mutated(original: SkopsFile, rng: np.random.Generator) -> SkopsFile:
    """The file with one to three things changed at random."""
    file = original.copy()
    for _ in range(rng.choice([1, 1, 2, 3])):
        if file.arrays and rng.random() < 0.5:
            name = str(rng.choice(sorted(file.arrays)))
            file.arrays[name] = _changed_array(file.arrays[name], rng)
        else:
            _change_schema(file, rng)
    return file


def _changed_array(array: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    if array.dtype.names and rng.random() < 0.8:
        return _changed_records(array, rng)
    if array.size and rng.random() < 0.4:
        return _with_a_value(array, rng)
    rows = np.atleast_1d(array)
    kinds = _OTHER_NUMBERS if array.dtype.kind in "biuf" else _OTHER_TEXTS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cast = rows if array.dtype.names else rows.astype(str(rng.choice(kinds)))
    others = (
        np.resize(array, rng.integers(0, 6, rng.integers(0, 4))),
        np.concatenate([rows, rows[: rng.integers(0, len(rows) + 1)]]),
        rows[: rng.integers(0, len(rows) + 1)],
        rows[rng.permutation(len(rows))],
        np.repeat(rows, rng.choice([2, 50]), axis=-1),
        cast,
        array.T,
        array[np.newaxis],
    )
    return np.array(others[rng.integers(0, len(others))])


def _with_a_value(array: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    flat = array.ravel().copy()
    value = VALUES[rng.integers(0, len(VALUES))]
    with np.errstate(all="ignore"):
        try:
            flat[rng.integers(0, flat.size)] = value
        except (ValueError, TypeError, OverflowError):
            flat = np.frombuffer(rng.bytes(flat.nbytes), flat.dtype).copy() if flat.dtype.kind in "iuf" else flat[::-1]
    return flat.reshape(array.shape)


def _changed_records(array: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Nodes of a tree with values changed, swapped, or of another layout."""
    array = array.copy()
    name = str(rng.choice(array.dtype.names))
    change = rng.integers(0, 5)
    if change == 0 and len(array) > 1:
        first, second = rng.choice(len(array), 2, replace=False)
        array[[first, second]] = array[[second, first]]
    elif change == 1:
        array[name] = rng.permutation(array[name])
    elif change == 2:
        return rfn.drop_fields(array, name, usemask=False)
    else:
        array[name] = _with_a_value(array[name].copy(), rng)
    return array


def _change_schema(file: SkopsFile, rng: np.random.Generator) -> None:
    nodes = list(file.nodes())
    node = nodes[rng.integers(0, len(nodes))]
    content = node.get("content")
    change = rng.integers(0, 8)
    if isinstance(content, dict) and content and change < 6:
        _change_attributes(content, nodes, rng)
    elif isinstance(content, list) and change < 6:
        _change_items(content, nodes, rng)
    elif node["__loader__"] == "JsonNode" and change < 6:
        node["content"] = json.dumps(VALUES[rng.integers(0, len(VALUES))])
    elif change == 6:
        other = nodes[rng.integers(0, len(nodes))]
        node["__class__"], node["__module__"] = other["__class__"], other["__module__"]
    else:
        other = copy.deepcopy(nodes[rng.integers(0, len(nodes))])
        node.clear()
        node.update(other)


def _change_attributes(content: dict[str, Any], nodes: list[dict[str, Any]], rng: np.random.Generator) -> None:
    name = str(rng.choice(sorted(content)))
    change = rng.integers(0, 4)
    if change == 0:
        content[name] = plain(VALUES[rng.integers(0, len(VALUES))])
    elif change == 1:
        content[name] = copy.deepcopy(nodes[rng.integers(0, len(nodes))])
    elif change == 2:
        del content[name]
    else:
        other = str(rng.choice(sorted(content)))
        content[name], content[other] = content[other], content[name]


def _change_items(content: list[Any], nodes: list[dict[str, Any]], rng: np.random.Generator) -> None:
    change = rng.integers(0, 5)
    if change == 0:
        content.append(copy.deepcopy(nodes[rng.integers(0, len(nodes))]))
    elif change == 1 and content:
        content *= int(rng.choice([2, 40]))
    elif change == 2 and content:
        del content[rng.integers(0, len(content))]
    elif change == 3:
        content.reverse()
    elif content:
        content[rng.integers(0, len(content))] = plain(VALUES[rng.integers(0, len(VALUES))])
