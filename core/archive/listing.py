"""An archive's list of entries, checked before any of them is unpacked."""

import stat
import struct
import unicodedata
import zipfile
from dataclasses import dataclass
from typing import BinaryIO

from core.archive.limits import Limits
from core.language.phrases import whole
from core.language.told import localized, say

_RATIO_MATTERS_FROM = 4 * 2**20
_LONGEST_NAME = 512

_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64 = struct.Struct("<4sLQL")
_LOCAL = struct.Struct("<4s5H3L2H")
_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
_PATCH = 0x0020
_SIZES_FOLLOW = 0x0008
_UTF8 = 0x0800
_SIZES_ELSEWHERE = 0xFFFFFFFF


@dataclass(frozen=True)
class ArchiveMember:
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


def list_members(stream: BinaryIO, size: int, name: str, limits: Limits) -> dict[str, ArchiveMember]:
    """The files of the zip of ``size`` bytes in ``stream`` by their path, in the order of their bytes.

    Raises:
        EvenhandError: As :func:`core.archive.open_archive`.
    """
    directory, count = _find_directory(stream, size, name, limits)
    with zipfile.ZipFile(stream) as archive:
        entries = archive.infolist()
    if len(entries) != count:
        raise limits.contradiction(
            name,
            say(
                "The archive declares {count} entries and lists {entries}.",
                count=whole(count),
                entries=whole(len(entries)),
            ),
        )
    return _checked(stream, entries, directory, name, limits)


def _find_directory(stream: BinaryIO, size: int, name: str, limits: Limits) -> tuple[int, int]:
    """Where the list of entries begins and how many it has, once its length and count are known to be bounded."""
    if stream.read(4) != b"PK\x03\x04" or size < _END.size:
        raise limits.contradiction(name, say("This is no zip archive."))
    stop = size - _END.size
    stream.seek(max(0, stop - _LOCATOR64.size))
    locator = stream.read(_LOCATOR64.size)
    zip64 = locator.startswith(b"PK\x06\x07")
    stream.seek(stop)
    mark, disk, first_disk, here, count, length, start, comment = _END.unpack(stream.read(_END.size))
    if mark != b"PK\x05\x06" or comment:
        raise limits.contradiction(name, say("The archive is cut off, or something was appended to it."))
    if zip64 and limits.zip64:
        stop = _LOCATOR64.unpack(locator)[2]
        stream.seek(stop)
        mark, _, _, _, disk, first_disk, here, count, length, start = _END64.unpack(stream.read(_END64.size))
        if mark != b"PK\x06\x06" or stop + _END64.size + _LOCATOR64.size + _END.size != size:
            raise limits.contradiction(name, say("The end of the list of entries is not where the archive says."))
    elif count == 0xFFFF or _SIZES_ELSEWHERE in (length, start) or zip64:
        raise limits.contradiction(
            name, say("The archive is of the kind for more than 4 GB (zip64), which is not read.")
        )
    if disk or first_disk or here != count:
        raise limits.contradiction(name, say("The archive is split into several files, which are not read."))
    if count > limits.entries or length > limits.directory:
        what = say(
            "The archive lists {count} entries in {length} bytes; at most {entries} entries in {directory} "
            "bytes are read.",
            count=whole(count),
            length=whole(length),
            entries=whole(limits.entries),
            directory=whole(limits.directory),
        )
        raise limits.refusal(name, what, limits.smaller)
    if start + length != stop:
        raise limits.contradiction(name, say("The list of entries is not where the archive says."))
    return start, count


def _checked(
    stream: BinaryIO, entries: list[zipfile.ZipInfo], directory: int, name: str, limits: Limits
) -> dict[str, ArchiveMember]:
    members: dict[str, ArchiveMember] = {}
    seen: set[str] = set()
    end = total = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        where = say("{archive}, entry {entry}", archive=name, entry=repr(entry.orig_filename[:80]))
        parts = _parts(entry, where, limits)
        _check_kind(entry, where, limits)
        start = _data_start(stream, entry, where, limits)
        if entry.header_offset < end or start + entry.compress_size > directory:
            raise limits.contradiction(
                where, say("Entries of the archive overlap, so that a small file unpacks to a huge one.")
            )
        end = start + entry.compress_size
        total += entry.file_size
        _check_size(entry, total, where, limits)
        same = unicodedata.normalize("NFC", "/".join(parts)).casefold()
        if same in seen:
            raise limits.contradiction(where, say("Two entries of the archive have the same name."))
        seen.add(same)
        if not entry.is_dir():
            deflated = entry.compress_type == zipfile.ZIP_DEFLATED
            members["/".join(parts)] = ArchiveMember(entry.file_size, start, entry.compress_size, deflated, entry.CRC)
    if not members:
        raise limits.refusal(name, say("The archive holds no file."))
    return members


def _parts(entry: zipfile.ZipInfo, where: str, limits: Limits) -> tuple[str, ...]:
    """The parts of an entry's path; a backslash separates too, as in archives made on Windows."""
    name = entry.orig_filename.replace("\\", "/")
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise limits.contradiction(where, say("An entry's name is too long, or holds characters that cannot be shown."))
    parts = tuple(part for part in name.removesuffix("/").split("/"))
    if name.startswith("/") or ":" in parts[0] or any(part in ("", ".", "..") for part in parts):
        what = say(
            "An entry of the archive points outside it: its name is an absolute path or climbs out of its folder."
        )
        raise limits.refusal(where, what)
    return parts


def _check_kind(entry: zipfile.ZipInfo, where: str, limits: Limits) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        advice = say("Put the file itself into the folder and zip it again (zip without -y follows links).")
        raise limits.refusal(where, say("An entry of the archive is a link or a device, not a file."), advice)
    if entry.flag_bits & (_ENCRYPTED | _PATCH):
        raise limits.refusal(where, say("The archive is encrypted."))
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        advice = say("Zip the files again with the method every program knows (Deflate), or uncompressed.")
        raise limits.refusal(
            where,
            say("An entry is compressed in an unusual way (method {method}).", method=entry.compress_type),
            advice,
        )
    if entry.compress_type == zipfile.ZIP_STORED and entry.compress_size != entry.file_size:
        raise limits.contradiction(where, say("An uncompressed entry declares two different lengths."))
    if entry.is_dir() and entry.file_size:
        raise limits.contradiction(where, say("A folder of the archive holds bytes."))


def _check_size(entry: zipfile.ZipInfo, total: int, where: str, limits: Limits) -> None:
    if entry.file_size > limits.entry_bytes or total > limits.unpacked:
        what = say(
            "The archive unpacks to too much: at most {entry_bytes} MB a file and {unpacked} MB in all are read.",
            entry_bytes=limits.entry_bytes >> 20,
            unpacked=limits.unpacked >> 20,
        )
        raise limits.refusal(where, what, limits.smaller)
    if entry.file_size > max(_RATIO_MATTERS_FROM, limits.entry_ratio * entry.compress_size):
        what = say(
            "An entry unpacks to more than {entry_ratio} times its size, as zip bombs do.",
            entry_ratio=localized(f"{limits.entry_ratio:g}"),
        )
        raise limits.refusal(where, what)


def _data_start(stream: BinaryIO, entry: zipfile.ZipInfo, where: str, limits: Limits) -> int:
    """Where an entry's bytes begin, by its own header, which must say the same as the list of entries."""
    stream.seek(entry.header_offset)
    mark, _, flags, method, _, _, crc, packed, size, name_length, extra_length = _LOCAL.unpack(stream.read(_LOCAL.size))
    raw = stream.read(name_length)
    listed = entry.orig_filename.encode("utf-8" if entry.flag_bits & _UTF8 else "cp437")
    sizes = (crc, packed, size) == (entry.CRC, entry.compress_size, entry.file_size)
    sizes = sizes or bool(flags & _SIZES_FOLLOW) or _SIZES_ELSEWHERE in (packed, size)
    kind = (flags ^ entry.flag_bits) & (_ENCRYPTED | _PATCH | _SIZES_FOLLOW | _UTF8) or method != entry.compress_type
    if mark != b"PK\x03\x04" or raw != listed or kind or not sizes:
        raise limits.contradiction(
            where, say("An entry's own header says something else than the archive's list of entries.")
        )
    return int(entry.header_offset + _LOCAL.size + name_length + extra_length)
