"""A skops archive, checked against a fixed list of types before skops builds anything from it."""

from __future__ import annotations

import io
import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from core.archive import Archive, Limits, open_archive
from core.errors import ModelError, Notice
from core.models.formats.skops.trees import single_threaded, what_is_wrong_with_trees
from core.models.formats.skops.trusted import FUNCTIONS, LOADERS, NEEDS_TRUST, TYPES

MAXIMUM_BYTES = 256 * 1024 * 1024
_MAXIMUM_SCHEMA = 128 * 1024 * 1024
_ENTRY = re.compile(r"^(schema\.json|[\w-]+\.npy)$")

_ADVICE = (
    "Save a plain scikit-learn estimator, or a Pipeline of plain steps, with skops.io.dump; for anything else put the "
    "model's answers into a column of the table."
)


LIMITS = Limits(
    error=ModelError,
    again=_ADVICE,
    smaller=_ADVICE,
    entries=100_000,
    directory=16 * 2**20,
    unpacked=2**30,
    entry_bytes=2**30,
    ratio=100,
    zip64=True,
    damaged="The skops file is damaged or cut off.",
)


def load_skops(path: Path, name: str) -> tuple[Any, tuple[Notice, ...]]:
    """The estimator in a skops file, and what skops or scikit-learn warned of.

    Raises:
        ModelError: The archive is too large or damaged, or holds a type that is not on the list.
    """
    import skops.io

    _check_archive(path, name)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            estimator = skops.io.load(path, trusted=list(NEEDS_TRUST))
        if wrong := what_is_wrong_with_trees(estimator):
            raise _refused(name, wrong)
        single_threaded(estimator)
    except ModelError:
        raise
    except Exception as error:
        raise _refused(name, f"The skops file cannot be read ({type(error).__name__}).") from error
    return estimator, _version_notices([str(warning.message) for warning in caught])


def _check_archive(path: Path, name: str) -> None:
    size = path.stat().st_size
    if size > MAXIMUM_BYTES:
        raise _refused(name, f"The file has {size >> 20} MB; at most {MAXIMUM_BYTES >> 20} MB are read.")
    archive = open_archive(path, name, LIMITS)
    if strange := next((entry for entry in archive.names if not _ENTRY.match(entry)), ""):
        raise _refused(name, f"The archive holds a file that skops does not write: {strange!r}.")
    try:
        _check_types(json.loads(archive.read("schema.json", _MAXIMUM_SCHEMA)), name)
        for entry in archive.names:
            if entry.endswith(".npy"):
                _check_array(archive, entry)
    except ModelError:
        raise
    except Exception as error:
        raise _refused(name, f"{LIMITS.damaged[:-1]} ({type(error).__name__}).") from error


def _check_types(schema: Any, name: str) -> None:
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            if "__loader__" in node:
                _check_node(node, name)
            waiting.extend(node.values())


def _check_node(node: dict[str, Any], name: str) -> None:
    kind = f"{node.get('__module__')}.{node.get('__class__')}"
    listed = kind in FUNCTIONS if node["__loader__"] == "FunctionNode" else kind in TYPES
    if node["__loader__"] not in LOADERS or not listed:
        raise _refused(name, f"The file wants to build {kind} ({node['__loader__']}), which is not on the fixed list.")


def _check_array(archive: Archive, entry: str) -> None:
    """The array's header must describe exactly the bytes that follow, without Python objects."""
    size = archive.members[entry].size
    stream = io.BytesIO(next(archive.pieces(entry, size), b""))
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(stream)
    declared = stream.tell() + dtype.itemsize * int(np.prod(shape, dtype=object))
    if dtype.hasobject or declared != size:
        raise _refused(archive.name, f"The array {entry!r} is not what its header says.")


def _version_notices(messages: list[str]) -> tuple[Notice, ...]:
    if not any("version" in message for message in messages):
        return ()
    return (
        Notice(
            "warning",
            "The model was saved with another version of scikit-learn than the one that reads it here.",
            "Compare a few of the example predictions with the model's own.",
        ),
    )


def _refused(name: str, what: str) -> ModelError:
    return ModelError(what, where=name, advice=_ADVICE)
