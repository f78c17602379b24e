"""Results on disk: one JSON tree and one archive of arrays, decoded by type hints, never by code in the file.

A saved result is a folder with ``result.json`` (format, version, checksums and the tree of fields) and
``arrays.npz`` (every array, uncompressed, no pickle). Equal results give equal bytes.

It is our own because cattrs and Arrow would save few of these lines: cattrs converts what it reads ("1" becomes 1)
unless each scalar type gets a strict hook, as here, and Arrow has no columns of mixed cells and no pandas index.
Checksums, exact floats, unions by name and frames would be hooks in either.
"""

import dataclasses
import functools
import hashlib
import io
import json
import os
import secrets
import shutil
import types
import zipfile
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from itertools import repeat
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np
import pandas as pd
from pydantic import BaseModel, TypeAdapter

from core.audits import KINDS
from core.base.arrays import read_array, write_array
from core.base.errors import RecordError
from core.contracts.metric import FittedMetric
from core.finding import room_of
from core.language import told
from core.language.reader import SOURCE, speaking
from core.language.told import say
from core.records.codec_frames import (
    Arrays,
    decode_frame,
    decode_number,
    encode_frame,
    encode_number,
)
from core.result import AuditResult

R = TypeVar("R")

FORMAT = "evenhand-result"
VERSION = 17
"""3: the test's settings and detail stand without the names of their types.

4: who was left out, by group; several splits of the transport and of equalized odds; how far columns of a pair moved.

5: a learned metric carries its own error, in every group; directions are free by evidence and not by explained share.

6: sentences are kept as what was said with which parts, so that they are read in any language.

7: a metric that was learned again keeps what is found without what it learned, from which its upper bounds follow.

8: and how far its directions turned on average, from which both of its bounds follow where it learned several.

9: groups are compared with groups, within columns, and a test keeps the rows that gaps in the columns it reads leave.

10: columns and values have labels, rows may stand for several people, and a model's preprocessing is kept.

11: what was noticed says what it forbids.

12: what was noticed is called a caveat; the worst pairs are possible people; a fairer model knows how similar people
fare with it.

13: searches are repeated under other weights, several people may judge texts, a group may be known by a guess; a fairer
model keeps its method and its answers.

14: a row of models compared may stand for several people.

15: the gradient-flow test keeps how much more possible people are misjudged.

16: of a model it is kept how it answers each group.

17: the gradient-flow test keeps in what possible people differ, and no longer how far its search moved.
"""

TREE, ARRAYS = "result.json", "arrays.npz"
"""The files of a saved result."""
_MOMENT = (1980, 1, 1, 0, 0, 0)
_HEADER = 30
"""Bytes of what stands before a member's name in an archive."""


def save_result(result: Any, folder: Path) -> None:
    """Write ``result`` as the folder ``folder``, all of it or nothing; an older result there is replaced.

    Args:
        result: An ``AuditResult``, or another dataclass of arrays, settings and plain values.
        folder: Where it goes.

    Raises:
        RecordError: ``folder`` holds something else than a result.
        TypeError: A field's type has no encoding (a mistake in the program).
    """
    if folder.exists() and not (folder.is_dir() and ((folder / TREE).exists() or not any(folder.iterdir()))):
        raise RecordError(
            say("This folder holds something else than a saved result."),
            where=str(folder),
            advice=say("Choose another folder."),
        )
    keep_saved(to_bytes(result), folder)


def to_bytes(result: Any) -> dict[str, bytes]:
    """The files of a saved result, by name.

    Raises:
        TypeError: A field's type has no encoding (a mistake in the program).
    """
    arrays = Arrays()
    tree = encode(result, _type_of(result), arrays)
    packed = _pack(arrays)
    head = {"format": FORMAT, "version": VERSION, "tree_sha256": _digest(tree), "arrays_sha256": _sha256(packed)}
    return {ARRAYS: packed, TREE: json.dumps({**head, "tree": tree}, allow_nan=False, indent=1).encode()}


def keep_saved(contents: Mapping[str, bytes], folder: Path) -> None:
    """Write the files of a saved result, by name, as the folder ``folder``: all of them or nothing."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = folder.with_name(f".{folder.name}-{secrets.token_hex(8)}")
    fresh.mkdir()
    try:
        for name, content in contents.items():
            (fresh / name).write_bytes(content)
        _put_in_place(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def load_result(folder: Path, kind: type[R] = AuditResult) -> R:  # type: ignore[assignment]
    """Read a saved result, which is of type ``kind``.

    Raises:
        RecordError: There is none, it is damaged, it is another kind of folder, or another version wrote it.
    """
    if not (folder / TREE).is_file():
        raise RecordError(say("There is no saved result here."), where=str(folder), advice=say("Run the audit again."))
    try:
        contents = {name: (folder / name).read_bytes() for name in (TREE, ARRAYS)}
    except OSError as error:
        raise _damaged(str(folder)) from error
    return from_bytes(contents, kind, where=str(folder))


def from_bytes(contents: Mapping[str, bytes], kind: type[R] = AuditResult, where: str = "") -> R:  # type: ignore[assignment]
    """The result whose files :func:`to_bytes` gave, which is of type ``kind``.

    Raises:
        RecordError: They are damaged, no result, or another version wrote them.
    """
    tree, arrays = read_saved(contents[TREE], contents[ARRAYS], where)
    try:
        return cast(R, decode(tree, _type_in(tree, kind), arrays))
    except (ValueError, KeyError, TypeError, IndexError, RecursionError, MemoryError) as error:
        raise _damaged(where) from error


def read_saved(document: bytes, packed: bytes, where: str = "") -> tuple[Any, Arrays]:
    """The tree and the arrays of a saved result, from the bytes of its two files, before any type is looked at.

    Raises:
        RecordError: They are damaged, no result, or another version wrote them.
    """
    try:
        head = json.loads(document)
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise RecordError(say("This is not a saved result."), where=where, advice=say("Choose another folder."))
        if head.get("version") != VERSION:
            raise RecordError(
                say(
                    "Version {found} of this program's format wrote this result; version {version} is read.",
                    found=head.get("version"),
                    version=VERSION,
                ),
                where=where,
                advice=say("Run the audit again from its record."),
            )
        if _digest(head["tree"]) != head["tree_sha256"] or _sha256(packed) != head["arrays_sha256"]:
            raise ValueError("a checksum does not agree")
        return head["tree"], _unpack(packed)
    except (ValueError, KeyError, TypeError, OSError, EOFError, RuntimeError, zipfile.BadZipFile) as error:
        raise _damaged(where) from error


def _damaged(where: str) -> RecordError:
    return RecordError(
        say("The saved result is damaged."), where=where, advice=say("Delete the folder and run the audit again.")
    )


def _type_of(result: Any) -> Any:
    """The type of a result with its parameters."""
    return room_of(KINDS[result.audit.kind]).result if isinstance(result, AuditResult) else type(result)


def _type_in(tree: Any, kind: Any) -> Any:
    """The type of a saved result with its parameters."""
    return room_of(KINDS[tree["audit"]["kind"]]).result if kind is AuditResult else kind


def encode(value: Any, hint: Any, arrays: Arrays) -> Any:
    """``value`` as JSON; its arrays go into ``arrays`` and are named in the tree."""
    return _coding(hint).write(value, hint, arrays)


def encode_for_people(value: Any, hint: Any) -> Any:
    """``value``, which holds no arrays, as JSON whose sentences are English sentences; for records."""
    with speaking(SOURCE):
        return told.plain(encode(value, hint, Arrays()))


def decode(tree: Any, hint: Any, arrays: Arrays) -> Any:
    """The value of type ``hint`` that :func:`encode` wrote as ``tree``.

    Raises:
        ValueError, KeyError, TypeError, IndexError: The tree does not have the shape the hint asks for.
    """
    return _coding(hint).read(tree, hint, arrays)


@dataclasses.dataclass(frozen=True)
class _Coding:
    """How one sort of type is written to the tree and read from it: functions of (value, hint, arrays)."""

    write: Callable[[Any, Any, Arrays], Any]
    read: Callable[[Any, Any, Arrays], Any]


def _checked(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is not of type {kind.__name__}")
    return value


def _encode_union(value: Any, hint: Any, arrays: Arrays) -> Any:
    if value is None:
        return None
    kind = next(option for option in _options(hint) if isinstance(value, get_origin(option) or option))
    return {"type": _name(kind), "value": encode(value, kind, arrays)}


def _decode_union(tree: Any, hint: Any, arrays: Arrays) -> Any:
    if tree is None and type(None) in get_args(hint):
        return None
    kind = next((option for option in _options(hint) if _name(option) == tree["type"]), None)
    if kind is None:
        raise ValueError(f"{tree['type']!r} is none of {hint}")
    return decode(tree["value"], kind, arrays)


def _options(hint: Any) -> list[Any]:
    return [option for option in get_args(hint) if option is not type(None)]


def _name(kind: Any) -> str:
    named = get_origin(kind) or kind
    return named.__name__ if isinstance(named, type) else str(kind)


@functools.cache
def _fields(hint: Any) -> list[tuple[str, Any]]:
    """Fields of a dataclass with their types; parameters of a generic one are put in."""
    kind = get_origin(hint) or hint
    given = dict(zip(getattr(kind, "__parameters__", ()), get_args(hint), strict=False))
    hints = get_type_hints(kind)
    return [
        (field.name, given.get(hints[field.name], hints[field.name]))
        for field in dataclasses.fields(kind)
        if field.init
    ]


_TUPLE = _Coding(
    lambda value, hint, arrays: [coding.write(item, kind, arrays) for item, kind, coding in _paired(value, hint)],
    lambda tree, hint, arrays: tuple(coding.read(item, kind, arrays) for item, kind, coding in _paired(tree, hint)),
)
_SETTINGS = _Coding(
    lambda value, hint, arrays: value.model_dump(mode="json"),
    lambda tree, hint, arrays: hint.model_validate_json(json.dumps(tree)),
)
_ENUM = _Coding(lambda value, hint, arrays: value.name, lambda tree, hint, arrays: hint[tree])
_DATACLASS = _Coding(
    lambda value, hint, arrays: {name: encode(getattr(value, name), kind, arrays) for name, kind in _fields(hint)},
    lambda tree, hint, arrays: (get_origin(hint) or hint)(
        **{name: decode(tree[name], kind, arrays) for name, kind in _fields(hint)}
    ),
)


_AUDIT = _Coding(
    lambda value, hint, arrays: _DATACLASS.write(value, _type_of(value), arrays),
    lambda tree, hint, arrays: _DATACLASS.read(tree, _type_in(tree, hint), arrays),
)
"""The result of any kind of test, whose settings name the kind."""


def _write_own(value: Any, hint: Any, arrays: Arrays) -> Any:
    if type(value) is hint:
        return _DATACLASS.write(value, hint, arrays)
    return {"type": _name(type(value)), "value": _DATACLASS.write(value, type(value), arrays)}


def _read_own(tree: Any, hint: Any, arrays: Arrays) -> Any:
    if tree.keys() != {"type", "value"}:
        return _DATACLASS.read(tree, hint, arrays)
    kind = next((own for own in hint.__subclasses__() if _name(own) == tree["type"]), None)
    if kind is None:
        raise ValueError(f"{tree['type']!r} is no {hint}")
    return _DATACLASS.read(tree["value"], kind, arrays)


_OPEN = _Coding(_write_own, _read_own)
"""A type whose subclasses are kept under their own names: a fair metric may have a cost of its own."""
_EXACT: dict[Any, _Coding] = {
    type(None): _Coding(lambda value, hint, arrays: None, lambda tree, hint, arrays: None),
    bool: _Coding(lambda value, hint, arrays: bool(value), lambda tree, hint, arrays: _checked(tree, bool)),
    int: _Coding(lambda value, hint, arrays: int(value), lambda tree, hint, arrays: _checked(tree, int)),
    str: _Coding(lambda value, hint, arrays: told.written(value), lambda tree, hint, arrays: told.read(tree)),
    float: _Coding(
        lambda value, hint, arrays: encode_number(float(value)), lambda tree, hint, arrays: decode_number(tree)
    ),
    np.ndarray: _Coding(lambda value, hint, arrays: arrays.add(value), lambda tree, hint, arrays: arrays[tree]),
    pd.DataFrame: _Coding(
        lambda value, hint, arrays: encode_frame(value, arrays), lambda tree, hint, arrays: decode_frame(tree, arrays)
    ),
}
_BY_ORIGIN: dict[Any, _Coding] = {
    tuple: _TUPLE,
    dict: _Coding(
        lambda value, hint, arrays: {name: encode(one, get_args(hint)[1], arrays) for name, one in value.items()},
        lambda tree, hint, arrays: {name: decode(one, get_args(hint)[1], arrays) for name, one in tree.items()},
    ),
    Literal: _Coding(
        lambda value, hint, arrays: value, lambda tree, hint, arrays: TypeAdapter(hint).validate_python(tree)
    ),
    Union: _Coding(_encode_union, _decode_union),
    types.UnionType: _Coding(_encode_union, _decode_union),
}


@functools.cache
def _coding(hint: Any) -> _Coding:
    if found := _BY_ORIGIN.get(get_origin(hint)) or _EXACT.get(hint):
        return found
    for kind, coding in ((BaseModel, _SETTINGS), (Enum, _ENUM)):
        if isinstance(hint, type) and issubclass(hint, kind):
            return coding
    if hint is FittedMetric:
        return _OPEN
    if hint is AuditResult:
        return _AUDIT
    if dataclasses.is_dataclass(get_origin(hint) or hint):
        return _DATACLASS
    raise TypeError(f"No encoding for {hint!r}.")


def _paired(values: Any, hint: Any) -> Iterable[tuple[Any, Any, _Coding]]:
    """Items of a tuple with the hint and the coding of each."""
    hints = get_args(hint)
    if len(hints) == 2 and hints[1] is Ellipsis:
        return zip(values, repeat(hints[0]), repeat(_coding(hints[0])), strict=False)
    return zip(values, hints, map(_coding, hints), strict=True)


def _digest(tree: Any) -> str:
    return _sha256(json.dumps(tree, sort_keys=True, separators=(",", ":"), allow_nan=False).encode())


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _pack(arrays: Arrays) -> bytes:
    """An uncompressed npz archive without pickles and without the time of day."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for index, array in enumerate(arrays):
            archive.writestr(zipfile.ZipInfo(f"{index}.npy", _MOMENT), write_array(array))
    return stream.getvalue()


def _unpack(packed: bytes) -> Arrays:
    """The arrays of an archive in which nothing is packed, so that none is larger than the archive is."""
    arrays = Arrays()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        members = sorted(archive.infolist(), key=lambda member: int(member.filename.removesuffix(".npy")))
        if sum(member.file_size for member in members) > len(packed):
            raise ValueError("the archive holds more than it is long")
        if any(member.compress_type != zipfile.ZIP_STORED for member in members):
            raise ValueError("the archive is packed")
    arrays.extend(read_array(_content(packed, member)) for member in members)
    return arrays


def _content(packed: bytes, member: zipfile.ZipInfo) -> bytes:
    """What a member holds, which lies behind its header, its name and another field, whose lengths the header tells.

    The digest of the whole archive was compared, so that no member's is: hundreds of arrays take half the time.
    """
    ends = member.header_offset + _HEADER
    name, extra = (int.from_bytes(packed[at : at + 2], "little") for at in (ends - 4, ends - 2))
    begins = ends + name + extra
    return packed[begins : begins + member.file_size]


def _put_in_place(fresh: Path, folder: Path) -> None:
    if not folder.exists():
        os.replace(fresh, folder)
        return
    old = folder.with_name(f".{folder.name}-{secrets.token_hex(8)}")
    os.replace(folder, old)
    os.replace(fresh, folder)
    shutil.rmtree(old, ignore_errors=True)
