"""A skops file as plain data: what its schema describes is read, and nothing that it names is imported or built.

A skops archive is ``schema.json``, a tree of nodes that each say how a Python object would be made, and one ``.npy``
file an array. Here the tree becomes dicts, lists, numbers, text and arrays; an object becomes a :class:`Node`, the name
of its type and its attributes, which :mod:`core.models.formats.skops.rebuild` takes as claims to be checked.
"""

import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.archive import Archive, Limits, open_archive
from core.errors import ModelError
from core.language.told import say
from core.models.formats.skops.trusted import INSTEAD

MAXIMUM_BYTES = 256 * 1024 * 1024
_MAXIMUM_SCHEMA = 128 * 1024 * 1024
_MAXIMUM_NODES = 2_000_000
_MAXIMUM_DEPTH = 60
_ENTRY = re.compile(r"^(schema\.json|[\w-]+\.npy)$")
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}

ADVICE = say(
    "Save a plain scikit-learn estimator, or a Pipeline of plain steps, with skops.io.dump; for "
    "anything else put the model's answers into a column of the table."
)

LIMITS = Limits(
    error=ModelError,
    again=ADVICE,
    smaller=ADVICE,
    entries=100_000,
    directory=16 * 2**20,
    unpacked=2**30,
    entry_bytes=2**30,
    ratio=100,
    zip64=True,
    damaged=say("The skops file is damaged or cut off."),
)


@dataclass(frozen=True)
class Node:
    """An object as the file describes it.

    Attributes:
        type: Module and name of its type, as the file gives them.
        attributes: Its attributes: plain data, arrays, and further nodes; all as the file claims them.
    """

    type: str
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Name of its type without the module."""
        return self.type.rpartition(".")[2]


@dataclass(frozen=True)
class Name:
    """A function or a type that the file names; nothing is imported for it."""

    path: str


@dataclass(frozen=True)
class Document:
    """What a skops file holds.

    Attributes:
        content: The saved object.
        versions: Versions of scikit-learn that its parts were saved with.
    """

    content: Any
    versions: frozenset[str]


def read_document(path: Path, name: str, types: frozenset[str], functions: frozenset[str]) -> Document:
    """Read a skops file.

    Args:
        path: The archive.
        name: What people call it.
        types: Every type that a file may name.
        functions: Every function that a file may name.

    Raises:
        ModelError: The archive is too large or damaged, names another type or function, or is nested too deeply.
    """
    size = path.stat().st_size
    if size > MAXIMUM_BYTES:
        raise _refused(
            name,
            say(
                "The file has {size} MB; at most {most} MB are read.",
                size=size >> 20,
                most=MAXIMUM_BYTES >> 20,
            ),
        )
    archive = open_archive(path, name, LIMITS)
    if strange := next((entry for entry in archive.names if not _ENTRY.match(entry)), ""):
        raise _refused(name, say("The archive holds a file that skops does not write: {file}.", file=repr(strange)))
    try:
        schema = json.loads(archive.read("schema.json", _MAXIMUM_SCHEMA))
        _check_names(schema, name, types, functions)
        reader = _Reader(archive)
        return Document(reader.read(schema, 0), frozenset(reader.versions))
    except ModelError:
        raise
    except Exception as error:
        what = say("The skops file is damaged or cut off ({error}).", error=type(error).__name__)
        raise _refused(name, what) from error


def _check_names(schema: Any, name: str, types: frozenset[str], functions: frozenset[str]) -> None:
    """Refuse the file if any of its nodes, read or not, names what is not on the list."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            loader = node.get("__loader__")
            if loader is not None:
                listed = functions if loader == "FunctionNode" else types
                if loader not in _READERS or _path(node) not in listed:
                    what = say(
                        "The file wants to build {type} ({loader}), which is not on the fixed list.",
                        type=_path(node),
                        loader=loader,
                    )
                    raise ModelError(what, where=name, advice=INSTEAD.get(_path(node), ADVICE))
            waiting.extend(node.values())


def _path(node: dict[str, Any]) -> str:
    return f"{node.get('__module__')}.{node.get('__class__')}"


class _Reader:
    """Turns nodes of the schema into plain data, with a count of them and each array read once."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.versions: set[str] = set()
        self._arrays: dict[str, np.ndarray] = {}
        self._nodes = 0

    def read(self, node: dict[str, Any], depth: int) -> Any:
        self._nodes += 1
        if depth > _MAXIMUM_DEPTH or self._nodes > _MAXIMUM_NODES:
            raise _refused(self.archive.name, say("The file is nested too deeply, or describes too many objects."))
        return _READERS[node["__loader__"]](self, node, depth + 1)

    def value(self, node: dict[str, Any], depth: int) -> Any:
        value = json.loads(node["content"])
        if isinstance(value, dict | list):
            raise _refused(self.archive.name, say("The file holds a list or a table where a single value belongs."))
        return value

    def items(self, node: dict[str, Any], depth: int) -> list[Any]:
        return [self.read(item, depth) for item in node["content"]]

    def dictionary(self, node: dict[str, Any], depth: int) -> dict[Any, Any]:
        keys = [
            _KEYS[key.path](text)
            for key, text in zip(self.read(node["key_types"], depth), node["content"], strict=True)
        ]
        return dict(zip(keys, (self.read(value, depth) for value in node["content"].values()), strict=True))

    def object(self, node: dict[str, Any], depth: int) -> Node:
        content = node.get("content")
        attributes = self.read(content, depth) if content else {}
        if not isinstance(attributes, dict):
            attributes = {}
        version = attributes.get("_sklearn_version")
        if isinstance(version, str):
            self.versions.add(version)
        return Node(_path(node), attributes)

    def range(self, node: dict[str, Any], depth: int) -> slice:
        ends = [node["content"][end] for end in ("start", "stop", "step")]
        if not all(end is None or isinstance(end, int | str) for end in ends):
            raise _refused(self.archive.name, say("The file holds a range of columns that is none."))
        return slice(*ends)

    def array(self, node: dict[str, Any], depth: int) -> Any:
        if node["type"] == "json":
            return self._objects(self.items(node, depth), self.read(node["shape"], depth))
        array = self._stored(node["file"])
        return array if node["__class__"] == "ndarray" else array[()]

    def _objects(self, items: list[Any], shape: tuple[int, ...]) -> np.ndarray:
        rows = items if len(shape) == 2 else [items]
        width = shape[-1] if len(shape) in (1, 2) else -1
        if (len(shape) == 2 and len(rows) != shape[0]) or any(
            not isinstance(row, list) or len(row) != width for row in rows
        ):
            raise _refused(
                self.archive.name, say("An array of the file does not have the shape that the file gives it.")
            )
        array = np.empty((len(rows), width), dtype=object)
        for index, row in enumerate(rows):
            for column, item in enumerate(row):
                array[index, column] = item
        return array.reshape(shape)

    def _stored(self, entry: str) -> np.ndarray:
        """One ``.npy`` file, if its header describes exactly the bytes that follow, without Python objects."""
        if entry not in self._arrays:
            content = self.archive.read(entry, LIMITS.entry_bytes)
            stream = io.BytesIO(content)
            shape, fortran, dtype = _HEADERS[np.lib.format.read_magic(stream)](stream)
            declared = stream.tell() + dtype.itemsize * int(np.prod(shape, dtype=object))
            if not _is_plain(dtype) or min(shape, default=0) < 0 or declared != len(content):
                raise _refused(
                    self.archive.name, say("The array {file} is not what its header says.", file=repr(entry))
                )
            array = np.frombuffer(content, dtype, offset=stream.tell()) if np.prod(shape) else np.empty(shape, dtype)
            self._arrays[entry] = array.reshape(shape, order="F" if fortran else "C").copy(order="K")
        return self._arrays[entry]


def _is_plain(dtype: np.dtype[Any]) -> bool:
    """Whether an array holds only numbers, truth values or text, or records of them, in this machine's byte order."""
    if dtype.names is not None:
        return all(_is_plain(dtype[name]) and dtype[name].names is None for name in dtype.names)
    return dtype.kind in "biufU" and dtype.isnative and dtype.itemsize > 0 and dtype.shape == ()


_KEYS: dict[str, Callable[[str], Any]] = {
    "builtins.str": str,
    "builtins.bool": lambda text: text == "true",
    "builtins.int": int,
    "builtins.float": float,
    "numpy.str_": str,
    **dict.fromkeys(("numpy.int32", "numpy.int64", "numpy.uint8", "numpy.uint32", "numpy.uint64"), int),
    **dict.fromkeys(("numpy.float32", "numpy.float64"), float),
    **dict.fromkeys(("numpy.bool", "numpy.bool_"), lambda text: text == "true"),
}

_READERS: dict[str, Callable[[_Reader, dict[str, Any], int], Any]] = {
    "DictNode": _Reader.dictionary,
    "DTypeNode": lambda reader, node, depth: reader.read(node["content"], depth).dtype,
    "FunctionNode": lambda reader, node, depth: Name(_path(node)),
    "JsonNode": _Reader.value,
    "ListNode": _Reader.items,
    "LossNode": lambda reader, node, depth: Node(_path(node)),
    "NdArrayNode": _Reader.array,
    "ObjectNode": _Reader.object,
    "RandomGeneratorNode": lambda reader, node, depth: Node(_path(node)),
    "RandomStateNode": lambda reader, node, depth: Node(_path(node)),
    "SliceNode": _Reader.range,
    "TreeNode": _Reader.object,
    "TupleNode": lambda reader, node, depth: tuple(reader.items(node, depth)),
    "TypeNode": lambda reader, node, depth: Name(_path(node)),
}
"""How each kind of node is read; a file with another kind is refused."""


def _refused(name: str, what: str) -> ModelError:
    return ModelError(what, where=name, advice=ADVICE)
