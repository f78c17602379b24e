"""Zip archives as hostile uploads: every claim of their headers is checked, and nothing is unpacked by name.

Sizes in a zip are claims, names are paths, and two entries may share bytes (Fifield, "A better zip bomb", WOOT 2019),
so the list of entries is bounded before it is read, and unpacking stops at the first byte that was not declared. Our
own rather than zipfile alone, which bounds nothing. Each format says in its :class:`Limits` how much it needs.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from core.archive.limits import Limits
from core.archive.listing import ArchiveMember, list_members
from core.language.phrases import whole
from core.language.told import say

__all__ = ["Archive", "ArchiveMember", "Limits", "entry_names", "open_archive"]

_CHUNK = 2**18


@dataclass(frozen=True)
class Archive:
    """The files of a zip whose list of entries was checked; their bytes are checked as they are read.

    Attributes:
        path: Where the zip lies.
        name: What people call it.
        limits: What it may hold.
        members: The files by their path within it.
    """

    path: Path
    name: str
    limits: Limits
    members: Mapping[str, ArchiveMember]

    @property
    def names(self) -> tuple[str, ...]:
        """Paths of the files, in the order of the archive."""
        return tuple(self.members)

    def read(self, member: str, limit: int) -> bytes:
        """The bytes of one file.

        Args:
            member: Its path, as in :attr:`names`.
            limit: Most bytes it may have.

        Raises:
            EvenhandError: There is no such file, it is larger than ``limit``, or it is not what the archive declares.
        """
        return b"".join(self.pieces(member, limit))

    def unpack(self, member: str, target: Path, limit: int) -> None:
        """Write one file to ``target``, which is a place of the caller's own, never one that the archive names.

        Raises:
            EvenhandError: As :meth:`read`.
        """
        with target.open("xb") as stream:
            for piece in self.pieces(member, limit):
                stream.write(piece)

    def pieces(self, member: str, limit: int) -> Iterator[bytes]:
        """The bytes of one file in pieces of at least 256 KB, but for the last; none holds a byte more than declared.

        Raises:
            EvenhandError: As :meth:`read`.
        """
        held = bytearray()
        for piece in self._unpacked(member, limit):
            held += piece
            if len(held) >= _CHUNK:
                yield bytes(held)
                held.clear()
        if held:
            yield bytes(held)

    def _unpacked(self, member: str, limit: int) -> Iterator[bytes]:
        if member not in self.members:
            raise self.limits.refusal(self.name, say("The archive holds no file {member}.", member=repr(member)))
        entry, where = self.members[member], f"{self.name}, {member}"
        if entry.size > limit:
            what = say(
                "The file has {size} bytes; at most {limit} are read.",
                size=whole(entry.size),
                limit=whole(limit),
            )
            raise self.limits.refusal(where, what, self.limits.smaller)
        crc = count = 0
        with self.path.open("rb") as stream:
            stream.seek(entry.start)
            for piece in self._inflated(stream, entry, where) if entry.deflated else _stored(stream, entry.packed):
                count += len(piece)
                if count > entry.size:
                    what = say("A file declares {size} bytes and unpacks to more.", size=whole(entry.size))
                    raise self.limits.contradiction(where, what)
                crc = zlib.crc32(piece, crc)
                yield piece
        if count != entry.size or crc != entry.crc:
            what = say("A file in the archive is damaged: its length or checksum is not the declared one.")
            raise self.limits.contradiction(where, what)

    def _inflated(self, stream: BinaryIO, entry: ArchiveMember, where: str) -> Iterator[bytes]:
        """Unpacked pieces of at most a chunk each, so that no more is ever held than was declared."""
        inflater, waiting = zlib.decompressobj(-zlib.MAX_WBITS), b""
        try:
            for packed in _stored(stream, entry.packed):
                waiting = packed
                while waiting and not inflater.eof:
                    yield inflater.decompress(waiting, _CHUNK)
                    waiting = inflater.unconsumed_tail or inflater.unused_data
                if waiting:
                    break
            while not inflater.eof and (piece := inflater.decompress(b"", _CHUNK)):
                yield piece
        except zlib.error as error:
            what = say("A file in the archive is damaged: it cannot be unpacked.")
            raise self.limits.contradiction(where, what) from error
        if not inflater.eof or waiting:
            what = say("A file in the archive is damaged: its packed bytes end too early or too late.")
            raise self.limits.contradiction(where, what)


def open_archive(path: Path, name: str, limits: Limits) -> Archive:
    """Check the list of a zip's entries; no file in it is unpacked.

    Raises:
        EvenhandError: It is no zip, is damaged, split, encrypted or of a kind that is not read; has too many or too
            large entries, or ones that are compressed in an unusual way, overlap, are links, have the same name or
            point outside.
    """
    size = path.stat().st_size
    try:
        with path.open("rb") as stream:
            members = list_members(stream, size, name, limits)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error) as error:
        raise limits.refusal(name, limits.damaged or say("The archive is damaged or cut off.")) from error
    if (total := sum(member.size for member in members.values())) > limits.ratio * size:
        what = say(
            "The archive unpacks to {total} times its size, as archives made to fill a disk do.", total=total // size
        )
        raise limits.refusal(name, what)
    return Archive(path, name, limits, MappingProxyType(members))


def entry_names(path: Path) -> list[str]:
    """Names in an archive's list of entries, unchecked: enough to say what it is, not to open anything in it.

    Raises:
        zipfile.BadZipFile, OSError, ValueError, NotImplementedError: There is no readable list.
    """
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def _stored(stream: BinaryIO, length: int) -> Iterator[bytes]:
    while length and (piece := stream.read(min(length, _CHUNK))):
        length -= len(piece)
        yield piece
