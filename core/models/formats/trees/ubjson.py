"""Universal Binary JSON (ubjson.org, draft 12) as XGBoost writes it, read within bounds."""

import struct
from typing import Any

import numpy as np

from core.language.told import say
from core.models.formats.trees.booster import BrokenTreesError

_NUMBERS = {"i": ">i1", "U": ">u1", "I": ">i2", "l": ">i4", "L": ">i8", "d": ">f4", "D": ">f8"}
_DEEPEST = 32


def read_ubjson(content: bytes) -> Any:
    """The value that these bytes hold; arrays of one type of number become lists too.

    Raises:
        BrokenTreesError: They are cut off, nested too deeply, hold an unknown mark, or something follows the value.
    """
    reader = _Reader(content)
    try:
        value = reader.value(reader.mark(), 0)
    except (struct.error, UnicodeDecodeError, IndexError) as error:
        raise BrokenTreesError(say("the file is cut off or damaged")) from error
    if reader.at != len(content):
        raise BrokenTreesError(say("something follows the model"))
    return value


class _Reader:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def mark(self) -> str:
        self.at += 1
        return chr(self.content[self.at - 1])

    def value(self, mark: str, depth: int) -> Any:
        if depth > _DEEPEST:
            raise BrokenTreesError(say("the file is nested deeper than {levels} levels", levels=_DEEPEST))
        if mark in _NUMBERS:
            return self.numbers(mark, 1)[0]
        match mark:
            case "Z":
                return None
            case "T" | "F":
                return mark == "T"
            case "S":
                return self.text()
            case "{":
                return self.members(depth)
            case "[":
                return self.items(depth)
        raise BrokenTreesError(say("the file holds a mark that is unknown"))

    def numbers(self, mark: str, count: int) -> list[Any]:
        kind = np.dtype(_NUMBERS[mark])
        piece = self.taken(count * kind.itemsize)
        found: list[Any] = np.frombuffer(piece, kind).tolist()
        return found

    def taken(self, length: int) -> bytes:
        if not 0 <= length <= len(self.content) - self.at:
            raise BrokenTreesError(say("the file is cut off or damaged"))
        self.at += length
        return self.content[self.at - length : self.at]

    def length(self) -> int:
        mark = self.mark()
        if mark not in "iUIlL":
            raise BrokenTreesError(say("a length is no whole number"))
        return int(self.numbers(mark, 1)[0])

    def text(self) -> str:
        return self.taken(self.length()).decode("utf-8")

    def counted(self) -> tuple[str, int | None]:
        """The type and the number of what follows, where they are said before it."""
        kind = ""
        if self.content[self.at : self.at + 1] == b"$":
            self.at += 1
            kind = self.mark()
        if self.content[self.at : self.at + 1] == b"#":
            self.at += 1
            count = self.length()
            if not 0 <= count <= len(self.content) - self.at:
                raise BrokenTreesError(say("the file is cut off or damaged"))
            return kind, count
        if kind:
            raise BrokenTreesError(say("a type stands without a number of values"))
        return "", None

    def items(self, depth: int) -> list[Any]:
        kind, count = self.counted()
        if kind in _NUMBERS and count is not None:
            return self.numbers(kind, count)
        found: list[Any] = []
        while count is None or len(found) < count:
            mark = kind or self.mark()
            if count is None and mark == "]":
                break
            found.append(self.value(mark, depth + 1))
        return found

    def members(self, depth: int) -> dict[str, Any]:
        kind, count = self.counted()
        found: dict[str, Any] = {}
        while count is None or len(found) < count:
            if count is None and self.content[self.at : self.at + 1] == b"}":
                self.at += 1
                break
            name = self.text()
            if name in found:
                raise BrokenTreesError(say("a name occurs twice in one object"))
            found[name] = self.value(kind or self.mark(), depth + 1)
        return found
