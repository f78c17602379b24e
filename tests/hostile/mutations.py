"""Genuine files, and the same files damaged at random in ways that look for trouble."""

import io
import zipfile

import numpy as np

_ODD = (
    b"\0" * 8,
    b"\xff" * 8,
    b"\x7f\xff\xff\xff",
    b"\x80\0\0\0\0\0\0\0",
    b"\xff\xff\xff\xff\x0f",
    b"[" * 5_000,
    b'{"a":' * 5_000,
    b"9" * 5_000,
    b"1e999",
    b"-1",
    b"NaN",
    b'"',
    b"\n" * 50,
    b"<!DOCTYPE a>",
    b"&#0;",
    b"\xed\xa0\x80",
    "\u202e\u2028😀".encode(),
    b"null",
    b"true",
    b"{}",
    b"[]",
)


def mutated(content: bytes, rng: np.random.Generator) -> bytes:
    """The bytes after one to four accidents; of a zip as often those of the files in it as those of the archive."""
    if content.startswith(b"PK") and rng.random() < 0.7:
        return _with_mutated_part(content, rng)
    damaged = bytearray(content)
    for _ in range(int(rng.integers(1, 5))):
        _damage(damaged, rng)
    return bytes(damaged)


def _damage(content: bytearray, rng: np.random.Generator) -> None:
    if not content:
        return
    start = int(rng.integers(len(content)))
    length = int(rng.integers(1, 1 + min(64, len(content) - start)))
    match int(rng.integers(7)):
        case 0:
            content[start] ^= 1 << int(rng.integers(8))
        case 1:
            content[start] = int(rng.integers(256))
        case 2:
            del content[start : start + length]
        case 3:
            content[start:start] = content[start : start + length] * int(rng.integers(1, 20))
        case 4:
            odd = _ODD[int(rng.integers(len(_ODD)))]
            content[start : start + int(rng.integers(0, 1 + min(len(odd), 16)))] = odd
        case 5:
            other = int(rng.integers(len(content)))
            content[start : start + length] = content[other : other + length]
        case _:
            if rng.random() < 0.2:
                del content[start:]
            else:
                _change_number(content, start)


def _change_number(content: bytearray, start: int) -> None:
    """Another figure for the first digit from ``start`` on."""
    for place in range(start, min(start + 200, len(content))):
        if 48 <= content[place] <= 57:
            content[place] = 48 + (content[place] - 47) % 10
            return


def _with_mutated_part(content: bytes, rng: np.random.Generator) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as sound, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        names = sound.namelist()
        chosen = names[int(rng.integers(len(names)))]
        for name in names:
            part = sound.read(name)
            new.writestr(name, mutated(part, rng) if name == chosen else part)
    return stream.getvalue()
