"""How the letters of a text file are stored.

Our own rather than charset-normalizer: that guesses a code page from the frequency of letters, where a table with
three foreign names must always be read in the same way, and says neither why a file is refused nor in which line.
"""

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from core.base.errors import Caveat, DataError
from core.language.told import say

_CHUNK = 8 * 2**20
_TEXT_CONTROLS = frozenset(b"\t\n\r\x0b\x0c")
_BINARY_SHARE = 0.01
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_STRAY = re.compile(r"[\udc80-\udcff]")
_BY_CHANCE = 0.05
"""Letters of a Windows-1252 file that may look like UTF-8, such as a capital letter before a quotation mark."""


@dataclass(frozen=True)
class TextEncoding:
    """How to open a text file.

    Attributes:
        name: What people call it: ``utf-8``, ``utf-16``, ``cp1252`` or ``latin-1``.
        codec: Python's name for it, byte order mark included.
        caveats: What a reader has to know about the choice.
    """

    name: str
    codec: str
    caveats: tuple[Caveat, ...] = ()


def find_encoding(path: Path, chosen: str = "auto") -> TextEncoding:
    """Sniff, or check the choice, over the whole file.

    A byte order mark decides; then UTF-16 without one is recognised by its regular zero bytes; then UTF-8 is tried
    strictly; what is left is read as Windows-1252, with a warning that shows the first affected word, unless part of it
    is UTF-8.

    Raises:
        DataError: The bytes are not text in the chosen (or any) encoding, are stored in two ways, or hold zero bytes.
    """
    with path.open("rb") as stream:
        head = stream.read(2**16)
    sniffed = _by_mark(head) or _by_zero_bytes(head) or TextEncoding("utf-8", "utf-8")
    candidate = sniffed if chosen in ("auto", sniffed.name) else TextEncoding(chosen, chosen)
    if candidate.codec == "utf-16" and candidate is not sniffed:
        raise _unreadable(path, chosen, 0)
    failed_at = _first_failure(path, candidate.codec)
    if failed_at is None:
        return candidate
    if chosen != "auto" or candidate.name != "utf-8":
        raise _unreadable(path, candidate.name, failed_at)
    if _is_mixed(path):
        raise DataError(
            say(
                "Some letters of the file are stored as UTF-8 and others are not, as when tables were pasted together."
            ),
            where=say(
                "line {number} is the first that is not UTF-8, at {word}",
                number=_line_of(path, failed_at),
                word=repr(_word_at(path, failed_at)),
            ),
            advice=say("Save the table again as UTF-8, or choose an encoding and look whether every name is right."),
        )
    if (undefined_at := _first_failure(path, "cp1252")) is not None:
        raise _unreadable(path, say("utf-8 or cp1252"), undefined_at)
    word = _word_at(path, failed_at)
    return TextEncoding(
        "cp1252",
        "cp1252",
        (
            Caveat(
                "warning",
                say(
                    "The file is not UTF-8; its letters were read as Windows-1252, for example {word}.", word=repr(word)
                ),
                say("Choose another encoding if that looks wrong."),
            ),
        ),
    )


def _by_mark(head: bytes) -> TextEncoding | None:
    if head.startswith(codecs.BOM_UTF8):
        return TextEncoding("utf-8", "utf-8-sig")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return TextEncoding("utf-16", "utf-16")
    return None


def _by_zero_bytes(head: bytes) -> TextEncoding | None:
    even, odd, pairs = head[::2].count(0), head[1::2].count(0), len(head) // 2
    if odd > 0.4 * pairs and even < 0.05 * pairs:
        return TextEncoding("utf-16", "utf-16-le")
    if even > 0.4 * pairs and odd < 0.05 * pairs:
        return TextEncoding("utf-16", "utf-16-be")
    return None


def _first_failure(path: Path, codec: str) -> int | None:
    """Position in bytes of the first letter that cannot be read; None if there is none.

    Raises:
        DataError: The text holds zero bytes or is mostly control characters.
    """
    decoder = codecs.getincrementaldecoder(codec)("strict")
    done = line = 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            pending = len(decoder.getstate()[0])
            try:
                text = decoder.decode(chunk)
            except UnicodeDecodeError as error:
                return done - pending + error.start
            if (zero := text.find("\0")) >= 0:
                raise DataError(
                    say("The file holds zero bytes, which no text has."),
                    where=say("line {number}", number=line + text.count(chr(10), 0, zero) + 1),
                    advice=say("Export the table again as CSV; if the file came over a network, send it again."),
                )
            if done == 0:
                _refuse_binary(text[: 2**16])
            line += text.count("\n")
            done += len(chunk)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return done
    return None


def _refuse_binary(text: str) -> None:
    controls = sum(letter < " " and ord(letter) not in _TEXT_CONTROLS for letter in text)
    if controls > _BINARY_SHARE * len(text):
        raise DataError(
            say("The file is not text."), advice=say("Save the table as .csv, .parquet or .xlsx and bring that file.")
        )


def _unreadable(path: Path, name: str, position: int) -> DataError:
    return DataError(
        say("The letters cannot be read as {name}.", name=name),
        where=say("line {number}", number=_line_of(path, position)),
        advice=say("Choose the encoding the file was saved with, or save it again as UTF-8."),
    )


def _line_of(path: Path, position: int) -> int:
    with path.open("rb") as stream:
        return stream.read(position).count(b"\n") + 1


def _is_mixed(path: Path) -> bool:
    """Whether so many letters outside ASCII are valid UTF-8 that it cannot be by chance, though others are not."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    valid = invalid = 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            text = decoder.decode(chunk)
            stray = len(_STRAY.findall(text))
            invalid += stray
            valid += len(_FOREIGN.findall(text)) - stray
    return valid > _BY_CHANCE * (valid + invalid)


def _word_at(path: Path, position: int) -> str:
    with path.open("rb") as stream:
        stream.seek(max(0, position - 40))
        before = stream.read(min(40, position)).decode("cp1252", "replace")
        after = stream.read(40).decode("cp1252", "replace")
    cut = str.maketrans(dict.fromkeys(',;\t|"\n\r', " "))
    return (before.translate(cut).split(" ")[-1] + after.translate(cut).split(" ")[0]).strip()
