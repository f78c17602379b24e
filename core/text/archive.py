"""A zip of a model, opened as a hostile upload: every claim of its headers is checked, and nothing is unpacked by name.

Sizes in a zip are claims, names are paths, and two entries may share bytes (Fifield, "A better zip bomb", WOOT 2019),
so the list of entries is bounded before it is read, and unpacking stops at the first byte that was not declared.
"""

import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from core.errors import ModelError

MAXIMUM_MEMBERS = 1_000
MAXIMUM_MEMBER_BYTES = 512 * 2**20
MAXIMUM_UNPACKED = 640 * 2**20
_MAXIMUM_DIRECTORY = 2**20
_MAXIMUM_RATIO = 200
_RATIO_MATTERS_FROM = 4 * 2**20
_LONGEST_NAME = 512
_CHUNK = 2**18

_END = struct.Struct("<4s4H2LH")
_LOCAL = struct.Struct("<4s5H3L2H")
_ZIP64_LOCATOR = 20
_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
_PATCH = 0x0020
_SIZES_FOLLOW = 0x0008
_UTF8 = 0x0800
_SIZES_ELSEWHERE = 0xFFFFFFFF

_ZIP_AGAIN = "Zip the model's folder again with an ordinary program, without password or splitting."


@dataclass(frozen=True)
class Member:
    """One file in an archive.

    Attributes:
        size: Its declared length, unpacked, in bytes.
        start: Where its packed bytes begin in the archive.
        packed: How many they are.
        deflated: Whether they are compressed.
        crc: Declared CRC-32 of the unpacked bytes.
    """

    size: int
    start: int
    packed: int
    deflated: bool
    crc: int


@dataclass(frozen=True)
class Archive:
    """The files of a zip whose list of entries was checked; their bytes are checked as they are read.

    Attributes:
        path: Where the zip lies.
        name: What people call it.
        members: The files by their path within it, without a folder that holds all of them.
    """

    path: Path
    name: str
    members: Mapping[str, Member]

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
            ModelError: There is no such file, it is larger than ``limit``, or it is not what the archive declares.
        """
        return b"".join(self._unpacked(member, limit))

    def unpack(self, member: str, target: Path, limit: int) -> None:
        """Write one file to ``target``, which is a place of the caller's own, never one that the archive names.

        Raises:
            ModelError: As :meth:`read`.
        """
        with target.open("xb") as stream:
            for piece in self._unpacked(member, limit):
                stream.write(piece)

    def _unpacked(self, member: str, limit: int) -> Iterator[bytes]:
        if member not in self.members:
            raise ModelError(
                f"The archive holds no file {member!r}.", where=self.name, advice="Add it and zip the folder again."
            )
        entry, where = self.members[member], f"{self.name}, {member}"
        if entry.size > limit:
            raise ModelError(
                f"The file has {entry.size:,} bytes; at most {limit:,} are read.",
                where=where,
                advice="Bring a smaller model.",
            )
        crc = count = 0
        with self.path.open("rb") as stream:
            stream.seek(entry.start)
            for piece in _inflated(stream, entry, where) if entry.deflated else _stored(stream, entry.packed):
                count += len(piece)
                if count > entry.size:
                    raise _lies(where, f"A file declares {entry.size:,} bytes and unpacks to more.")
                crc = zlib.crc32(piece, crc)
                yield piece
        if count != entry.size or crc != entry.crc:
            raise _lies(where, "A file in the archive is damaged: its length or checksum is not the declared one.")


def open_archive(path: Path, name: str) -> Archive:
    """Check the list of a zip's entries; no file in it is unpacked.

    A folder that holds everything else is taken off the names; what macOS adds (``__MACOSX``, ``.DS_Store``) is left
    out.

    Raises:
        ModelError: It is no zip, is damaged, split, encrypted or of the zip64 kind; has too many or too large entries,
            or ones that are compressed in an unusual way, overlap, are links, have the same name or point outside.
    """
    size = path.stat().st_size
    try:
        with path.open("rb") as stream:
            directory, count = _find_directory(stream, size, name)
            with zipfile.ZipFile(stream) as archive:
                entries = archive.infolist()
            if len(entries) != count:
                raise _lies(name, f"The archive declares {count:,} entries and lists {len(entries):,}.")
            members = _checked(stream, entries, directory, name)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error) as error:
        raise ModelError("The archive is damaged or cut off.", where=name, advice=_ZIP_AGAIN) from error
    return Archive(path, name, MappingProxyType(_without_folder(members)))


def _find_directory(stream: BinaryIO, size: int, name: str) -> tuple[int, int]:
    """Where the list of entries begins and how many it has, once its length and count are known to be bounded."""
    if stream.read(4) != b"PK\x03\x04" or size < _END.size:
        raise ModelError(
            "This is no zip archive.", where=name, advice="Zip the model's folder, and upload the .zip file."
        )
    stream.seek(max(0, size - _END.size - _ZIP64_LOCATOR))
    zip64 = stream.read(4) == b"PK\x06\x07"
    stream.seek(size - _END.size)
    mark, disk, first_disk, here, count, length, start, comment = _END.unpack(stream.read(_END.size))
    if mark != b"PK\x05\x06" or comment:
        raise _lies(name, "The archive is cut off, or something was appended to it.")
    if disk or first_disk or here != count or count == 0xFFFF or _SIZES_ELSEWHERE in (length, start) or zip64:
        raise _lies(name, "The archive is split, or of the kind for more than 4 GB (zip64), which is not read.")
    if count > MAXIMUM_MEMBERS or length > _MAXIMUM_DIRECTORY:
        raise ModelError(
            f"The archive lists {count:,} entries in {length:,} bytes; at most {MAXIMUM_MEMBERS:,} entries in "
            f"{_MAXIMUM_DIRECTORY:,} bytes are read.",
            where=name,
            advice="Zip only the model's own files.",
        )
    if start + length != size - _END.size:
        raise _lies(name, "The list of entries is not where the archive says.")
    return start, count


def _checked(stream: BinaryIO, entries: list[zipfile.ZipInfo], directory: int, name: str) -> dict[str, Member]:
    members: dict[str, Member] = {}
    seen: set[str] = set()
    end = total = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        where = f"{name}, entry {entry.orig_filename[:80]!r}"
        parts = _parts(entry, where)
        _check_kind(entry, where)
        start = _data_start(stream, entry, where)
        if entry.header_offset < end or start + entry.compress_size > directory:
            raise _lies(where, "Entries of the archive overlap, which lets a small file unpack to a huge one.")
        end = start + entry.compress_size
        total += entry.file_size
        _check_size(entry, total, where)
        same = unicodedata.normalize("NFC", "/".join(parts)).casefold()
        if same in seen:
            raise _lies(where, "Two entries of the archive have the same name.")
        seen.add(same)
        if not (entry.is_dir() or parts[0] == "__MACOSX" or parts[-1] == ".DS_Store"):
            deflated = entry.compress_type == zipfile.ZIP_DEFLATED
            members["/".join(parts)] = Member(entry.file_size, start, entry.compress_size, deflated, entry.CRC)
    if not members:
        raise ModelError("The archive holds no file.", where=name, advice="Zip the model's folder again.")
    return members


def _parts(entry: zipfile.ZipInfo, where: str) -> tuple[str, ...]:
    """The parts of an entry's path; a backslash separates too, as in archives made on Windows."""
    name = entry.orig_filename.replace("\\", "/")
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise _lies(where, "An entry's name is too long, or holds characters that cannot be shown.")
    parts = tuple(part for part in name.removesuffix("/").split("/"))
    if name.startswith("/") or ":" in parts[0] or any(part in ("", ".", "..") for part in parts):
        raise ModelError(
            "An entry of the archive points outside it: its name is an absolute path or climbs out of its folder.",
            where=where,
            advice=_ZIP_AGAIN,
        )
    return parts


def _check_kind(entry: zipfile.ZipInfo, where: str) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ModelError(
            "An entry of the archive is a link or a device, not a file.",
            where=where,
            advice="Put the file itself into the folder and zip it again (zip without -y follows links).",
        )
    if entry.flag_bits & (_ENCRYPTED | _PATCH):
        raise ModelError("The archive is encrypted.", where=where, advice=_ZIP_AGAIN)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ModelError(
            f"An entry is compressed in an unusual way (method {entry.compress_type}).",
            where=where,
            advice="Zip the folder again with the method every program knows (Deflate), or uncompressed.",
        )
    if entry.compress_type == zipfile.ZIP_STORED and entry.compress_size != entry.file_size:
        raise _lies(where, "An uncompressed entry declares two different lengths.")
    if entry.is_dir() and entry.file_size:
        raise _lies(where, "A folder of the archive holds bytes.")


def _check_size(entry: zipfile.ZipInfo, total: int, where: str) -> None:
    if entry.file_size > MAXIMUM_MEMBER_BYTES or total > MAXIMUM_UNPACKED:
        raise ModelError(
            f"The archive unpacks to too much: at most {MAXIMUM_MEMBER_BYTES >> 20} MB a file and "
            f"{MAXIMUM_UNPACKED >> 20} MB in all are read.",
            where=where,
            advice="Leave out other formats and checkpoints, or bring a smaller model.",
        )
    if entry.file_size > _RATIO_MATTERS_FROM and entry.file_size > _MAXIMUM_RATIO * entry.compress_size:
        raise _lies(where, f"An entry unpacks to more than {_MAXIMUM_RATIO} times its size, as zip bombs do.")


def _data_start(stream: BinaryIO, entry: zipfile.ZipInfo, where: str) -> int:
    """Where an entry's bytes begin, by its own header, which must say the same as the list of entries."""
    stream.seek(entry.header_offset)
    mark, _, flags, method, _, _, crc, packed, size, name_length, extra_length = _LOCAL.unpack(stream.read(_LOCAL.size))
    raw = stream.read(name_length)
    listed = entry.orig_filename.encode("utf-8" if entry.flag_bits & _UTF8 else "cp437")
    sizes = (crc, packed, size) == (entry.CRC, entry.compress_size, entry.file_size)
    sizes = sizes or bool(flags & _SIZES_FOLLOW) or _SIZES_ELSEWHERE in (packed, size)
    kind = (flags ^ entry.flag_bits) & (_ENCRYPTED | _PATCH | _SIZES_FOLLOW | _UTF8) or method != entry.compress_type
    if mark != b"PK\x03\x04" or raw != listed or kind or not sizes:
        raise _lies(where, "An entry's own header says something else than the archive's list of entries.")
    return int(entry.header_offset + _LOCAL.size + name_length + extra_length)


def _without_folder(members: dict[str, Member]) -> dict[str, Member]:
    folders = {name.split("/", 1)[0] if "/" in name else "" for name in members}
    if len(folders) > 1 or "" in folders:
        return members
    return {name.split("/", 1)[1]: member for name, member in members.items()}


def _stored(stream: BinaryIO, length: int) -> Iterator[bytes]:
    while length and (piece := stream.read(min(length, _CHUNK))):
        length -= len(piece)
        yield piece


def _inflated(stream: BinaryIO, entry: Member, where: str) -> Iterator[bytes]:
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
        raise _lies(where, "A file in the archive is damaged: it cannot be unpacked.") from error
    if not inflater.eof or waiting:
        raise _lies(where, "A file in the archive is damaged: its packed bytes end too early or too late.")


def _lies(where: str, what: str) -> ModelError:
    return ModelError(what, where=where, advice=_ZIP_AGAIN)
