"""A zip of a model as a hostile upload: each trick is really played, and nothing goes beyond the limits."""

import io
import os
import stat
import struct
import subprocess
import sys
import warnings
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import archive as module
from core.archive import Archive, open_archive
from core.base.errors import ModelError
from core.models import zipped
from core.models.zipped import open_folder

BIG = 2**30


def packed(entries: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return stream.getvalue()


def opened(tmp_path: Path, content: bytes) -> Archive:
    path = tmp_path / "upload"
    path.write_bytes(content)
    return open_folder(path, "model.zip")


def first_file(tmp_path: Path, content: bytes) -> bytes:
    found = opened(tmp_path, content)
    return found.read(found.names[0], BIG)


def refused(tmp_path: Path, content: bytes) -> ModelError:
    with pytest.raises(ModelError) as caught:
        first_file(tmp_path, content)
    assert caught.value.advice
    assert "model.zip" in caught.value.where
    return caught.value


GOOD = {"config.json": b"{}" * 50, "model.safetensors": bytes(range(256)) * 5000, "empty.txt": b""}


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("folder", ["", "my model/", "modèle/"])
def test_a_good_archive_gives_back_its_bytes(compression: int, folder: str, tmp_path: Path) -> None:
    found = opened(tmp_path, packed({f"{folder}{name}": content for name, content in GOOD.items()}, compression))
    assert found.names == tuple(GOOD)
    for name, content in GOOD.items():
        assert found.read(name, BIG) == content
        found.unpack(name, tmp_path / name, BIG)
        assert (tmp_path / name).read_bytes() == content


def test_random_contents_of_all_lengths_come_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    contents = {
        f"f{n}": rng.integers(0, int(rng.integers(1, 257)), n, dtype=np.uint8).tobytes()
        for n in (0, 1, 2, module._CHUNK - 1, module._CHUNK, module._CHUNK + 1, 3 * module._CHUNK, 1_000_003)
    }
    found = opened(tmp_path, packed(contents))
    assert {name: found.read(name, BIG) for name in found.names} == contents


def test_folders_below_the_first_are_kept_and_what_macos_adds_is_not(tmp_path: Path) -> None:
    found = opened(
        tmp_path,
        packed(
            {"m/": b"", "m/config.json": b"{}", "m/onnx/a": b"1", "__MACOSX/m/._config.json": b"x", "m/.DS_Store": b""}
        ),
    )
    assert found.names == ("config.json", "onnx/a")


def test_archives_streamed_by_other_programs_are_read(tmp_path: Path) -> None:
    class Pipe(io.RawIOBase):
        """Cannot seek, so that sizes follow the bytes."""

        def __init__(self) -> None:
            self.content = b""

        def writable(self) -> bool:
            return True

        def write(self, piece: Any) -> int:
            self.content += bytes(piece)
            return len(piece)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("config.json", b"{}" * 9)
        with archive.open("large", "w", force_zip64=True) as stream:
            stream.write(b"12345")
    found = opened(tmp_path, pipe.content)
    assert (found.read("config.json", 18), found.read("large", 5)) == (b"{}" * 9, b"12345")


def test_names_with_backslashes_as_old_windows_programs_write_them(tmp_path: Path) -> None:
    content = packed({"m/config.json": b"{}", "m/sub/x": b"1"}).replace(b"m/config.json", b"m\\config.json")
    assert opened(tmp_path, content).names == ("config.json", "sub/x")
    climbing = packed({"a": b"", "aa/aa/x": b"1"}).replace(b"aa/aa/x", b"..\\..\\x")
    assert "points outside" in refused(tmp_path, climbing).what


def test_a_file_may_not_be_larger_than_the_reader_allows(tmp_path: Path) -> None:
    found = opened(tmp_path, packed({"config.json": b"1234"}))
    assert found.read("config.json", 4) == b"1234"
    with pytest.raises(ModelError, match="at most 3"):
        found.read("config.json", 3)
    with pytest.raises(ModelError, match="holds no file 'x'"):
        found.read("x", 3)


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "a/../../x",
        "/etc/passwd",
        "C:/x",
        "c:x",
        "//server/x",
        "a//b",
        "./x",
        "..",
        "a/./b",
        "/",
        "\\\\server\\x",
    ],
)
def test_names_that_point_outside_are_refused(name: str, tmp_path: Path) -> None:
    assert "points outside it" in refused(tmp_path, packed({"config.json": b"{}", name: b"1"})).what
    assert sorted(os.listdir(tmp_path)) == ["upload"]


@pytest.mark.parametrize("name", ["a\x00b", "a\nb", "a\u202eb", "x" * 600])
def test_names_that_cannot_be_shown_are_refused(name: str, tmp_path: Path) -> None:
    filler = "y" * len(name.encode())
    content = packed({"config.json": b"{}", filler: b"1"})
    content = content.replace(filler.encode(), name.encode())
    if not name.isascii():
        content = content.replace(struct.pack("<HH", 20, 0), struct.pack("<HH", 20, 0x800))
    assert "cannot be shown" in refused(tmp_path, content).what


@pytest.mark.parametrize(
    ("first", "second"), [("a", "a"), ("Config.json", "config.json"), ("é", "e\u0301"), ("a/b", "a\\b")]
)
def test_two_entries_of_one_name_are_refused(first: str, second: str, tmp_path: Path) -> None:
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(first, b"1")
        archive.writestr(second, b"2")
    assert "same name" in refused(tmp_path, stream.getvalue()).what


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_links_and_devices_are_refused(kind: int, tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        entry = zipfile.ZipInfo("model.safetensors")
        entry.create_system, entry.external_attr = 3, (kind | 0o777) << 16
        archive.writestr(entry, b"/etc/passwd")
    assert "link or a device" in refused(tmp_path, stream.getvalue()).what


def test_a_link_that_zip_itself_stored_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "model.safetensors").symlink_to("/etc/passwd")
    code = (
        "import os, sys, zipfile\n"
        "entry = zipfile.ZipInfo('model.safetensors'); path = sys.argv[1]\n"
        "entry.external_attr = os.lstat(path).st_mode << 16\n"
        "zipfile.ZipFile(sys.argv[2], 'w').writestr(entry, os.readlink(path))\n"
    )
    link, target = tmp_path / "folder" / "model.safetensors", tmp_path / "out.zip"
    subprocess.run([sys.executable, "-c", code, str(link), str(target)], check=True)
    assert "link or a device" in refused(tmp_path, target.read_bytes()).what


@pytest.mark.parametrize("bit", [0x0001, 0x0040, 0x2000, 0x0020])
def test_encrypted_entries_are_refused(bit: int, tmp_path: Path) -> None:
    content = bytearray(packed({"config.json": b"{}"}))
    central = content.find(b"PK\x01\x02")
    content[6:8] = content[central + 8 : central + 10] = struct.pack("<H", bit)
    assert "encrypted" in refused(tmp_path, bytes(content)).what


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_compression_is_refused(method: int, tmp_path: Path) -> None:
    assert "unusual way" in refused(tmp_path, packed({"config.json": b"{}" * 99}, method)).what


def test_a_bomb_is_refused_before_a_byte_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = packed({"config.json": b"{}", "model.safetensors": bytes(50 * 2**20)})
    assert len(bomb) < 100_000
    monkeypatch.setattr(zlib, "decompressobj", None)
    assert "bombs do" in refused(tmp_path, bomb).what


def test_too_much_in_all_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipped, "LIMITS", replace(zipped.LIMITS, unpacked=2500))
    assert opened(tmp_path, packed({f"f{i}": bytes(1000) for i in range(2)})).names == ("f0", "f1")
    assert "unpacks to too much" in refused(tmp_path, packed({f"f{i}": bytes(1000) for i in range(3)})).what
    monkeypatch.setattr(zipped, "LIMITS", replace(zipped.LIMITS, entry_bytes=999))
    assert "unpacks to too much" in refused(tmp_path, packed({"f": bytes(1000)})).what


def lying(content: bytes, size: int, *, local: bool = True, crc: int | None = None) -> bytes:
    """The first entry declares another unpacked size than it has."""
    changed = bytearray(content)
    central = changed.find(b"PK\x01\x02")
    changed[central + 24 : central + 28] = struct.pack("<I", size)
    if local:
        changed[22:26] = struct.pack("<I", size)
    if crc is not None:
        changed[14:18] = changed[central + 16 : central + 20] = struct.pack("<I", crc)
    return bytes(changed)


def test_a_file_that_unpacks_to_more_than_it_declares_stops_at_once(tmp_path: Path) -> None:
    true = bytes(300 * 2**20)
    bomb = lying(packed({"model.safetensors": true}), 1000, crc=zlib.crc32(bytes(1000)))
    found = opened(tmp_path, bomb)
    pieces = found._unpacked("model.safetensors", BIG)
    with pytest.raises(ModelError, match="declares 1,000 bytes and unpacks to more"):
        next(pieces)
    with pytest.raises(ModelError, match="unpacks to more"):
        found.unpack("model.safetensors", tmp_path / "out", BIG)
    assert (tmp_path / "out").stat().st_size == 0


def test_a_file_that_unpacks_to_less_than_it_declares_is_refused(tmp_path: Path) -> None:
    assert "declared one" in refused(tmp_path, lying(packed({"f": b"12345"}), 6)).what


def test_a_header_that_contradicts_the_list_is_refused(tmp_path: Path) -> None:
    content = packed({"f": b"12345"})
    assert "own header says something else" in refused(tmp_path, lying(content, 6, local=False)).what
    other_name = b"PK\x03\x04" + content[4:30] + b"g" + content[31:]
    assert "own header says something else" in refused(tmp_path, other_name).what
    assert "two different lengths" in refused(tmp_path, lying(packed({"f": b"1"}, zipfile.ZIP_STORED), 2)).what


def test_a_wrong_checksum_is_refused(tmp_path: Path) -> None:
    content = bytearray(packed({"f": b"12345" * 100}, zipfile.ZIP_STORED))
    content[50] ^= 1
    assert "checksum" in refused(tmp_path, bytes(content)).what


def test_bytes_hidden_behind_the_packed_ones_are_refused(tmp_path: Path) -> None:
    squeezed = zlib.compressobj(wbits=-15)
    stream = squeezed.compress(b"12345") + squeezed.flush()
    for junk in (b"x", b"x" * 2 * module._CHUNK):
        body = stream + junk
        local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 33, zlib.crc32(b"12345"), len(body), 5, 1, 0)
        central = struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 33, zlib.crc32(b"12345"), len(body), 5, 1, 0, 0, 0, 0, 0, 0
        )
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 47, 31 + len(body), 0)
        content = local + b"f" + body + central + b"f" + end
        assert zipfile.ZipFile(io.BytesIO(content)).read("f") == b"12345"
        assert "too early or too late" in refused(tmp_path, content).what


def overlapping(copies: int) -> bytes:
    """The quoted-overlap bomb: every entry's bytes are the same kernel (Fifield 2019, section 3)."""
    kernel = packed({"f0": bytes(4_000_000)})
    central, end = kernel.find(b"PK\x01\x02"), kernel.find(b"PK\x05\x06")
    entry = kernel[central:end]
    listed = entry * copies
    return (
        kernel[:central]
        + listed
        + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, copies, copies, len(listed), central, 0)
    )


def test_entries_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    assert "overlap" in refused(tmp_path, overlapping(2)).what
    good = packed({"aa": bytes(99), "bb": b"1" * 99}, zipfile.ZIP_STORED)
    second = good.rfind(b"PK\x01\x02")
    inside = good[: second + 42] + struct.pack("<I", 0) + good[second + 46 :]
    assert "own header" in refused(tmp_path, inside).what


def test_entries_that_reach_into_the_list_are_refused(tmp_path: Path) -> None:
    content = bytearray(packed({"f": b"12345"}, zipfile.ZIP_STORED))
    central = content.find(b"PK\x01\x02")
    for place in (18, 22, central + 20, central + 24):
        content[place : place + 4] = struct.pack("<I", 20)
    assert "overlap" in refused(tmp_path, bytes(content)).what


def test_too_many_entries_are_refused_before_they_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = packed({f"f{i}": b"" for i in range(zipped.LIMITS.entries + 1)})
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert "lists 1,001 entries" in refused(tmp_path, many).what


def test_a_list_longer_than_its_count_is_refused(tmp_path: Path) -> None:
    content = bytearray(packed({f"f{i}": b"" for i in range(5)}))
    content[-14:-10] = struct.pack("<HH", 2, 2)
    assert "declares 2 entries and lists 5" in refused(tmp_path, bytes(content)).what


def test_zip64_split_and_appended_archives_are_refused(tmp_path: Path) -> None:
    content = packed({"f": b"1"})
    assert "appended" in refused(tmp_path, content + b"x").what
    assert "appended" in refused(tmp_path, content[:-2] + b"\x05\x00hello").what
    assert "no zip archive" in refused(tmp_path, b"MZ" + content).what
    assert "not where" in refused(tmp_path, content[:4] + b"junk" + content[4:]).what
    split = bytearray(content)
    split[-18:-16] = b"\x01\x00"
    assert "split" in refused(tmp_path, bytes(split)).what
    end = content.find(b"PK\x05\x06")
    hidden = content[:end] + struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1) + content[end:]
    assert "zip64" in refused(tmp_path, hidden).what


def with_zip64(content: bytes) -> bytes:
    """The same archive with its end written as programs write it that always use zip64 (ECMA zip, 4.3.14)."""
    end = content.find(b"PK\x05\x06")
    count, length, start = struct.unpack("<H2L", content[end + 10 : end + 20])
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, length, start)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    return (
        content[:end]
        + record
        + locator
        + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, *[2**16 - 1] * 2, *[2**32 - 1] * 2, 0)
    )


def test_zip64_is_read_where_a_format_may_use_it(tmp_path: Path) -> None:
    content = with_zip64(packed({"f": b"1", "g": b"22"}))
    assert zipfile.ZipFile(io.BytesIO(content)).read("g") == b"22"
    assert "zip64" in refused(tmp_path, content).what
    limits = replace(zipped.LIMITS, zip64=True, entries=2)
    path = tmp_path / "upload"
    assert open_archive(path, "book.xlsx", limits).read("g", 2) == b"22"
    with pytest.raises(ModelError, match="at most 1 entries"):
        open_archive(path, "book.xlsx", replace(limits, entries=1))
    for damage in (
        content[:4] + b"junk" + content[4:],
        content[:-42] + b"x" + content[-42:],
        content[20:],
        content[:-1],
    ):
        path.write_bytes(damage)
        with pytest.raises(ModelError):
            open_archive(path, "book.xlsx", limits)


def test_a_second_list_hidden_as_zip64_in_a_comment_is_not_followed(tmp_path: Path) -> None:
    """zipfile itself follows it: the entry's comment holds a locator of another list, with another entry."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        entry = zipfile.ZipInfo("seen")
        entry.comment = b"?" * 20
        archive.writestr(entry, b"1")
    content = stream.getvalue()
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
    assert "zip64" in refused(tmp_path, content.replace(b"?" * 20, locator)).what


@pytest.mark.parametrize("content", [b"", b"PK", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"PK\x03\x04" + bytes(100)])
def test_what_is_no_zip_is_refused(content: bytes, tmp_path: Path) -> None:
    assert refused(tmp_path, content).what


def fuzz(tmp_path: Path, rounds: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    good = packed({"m/config.json": b"{}" * 20, "m/weights": rng.bytes(3000), "m/t": b"abc" * 500})
    read = 0
    for _ in range(rounds):
        broken = bytearray(good)
        for position in rng.integers(0, len(good), int(rng.integers(1, 5))):
            broken[position] ^= 1 << int(rng.integers(0, 8))
        if rng.random() < 0.2:
            broken = broken[: rng.integers(0, len(good))]
        try:
            found = opened(tmp_path, bytes(broken))
            contents = {name: found.read(name, 10_000) for name in found.names}
        except ModelError:
            continue
        assert all(len(content) <= 3000 for content in contents.values())
        read += 1
    assert 0 < read < rounds


def test_flipped_bits_are_refused_or_change_nothing_that_matters(tmp_path: Path) -> None:
    fuzz(tmp_path, 400, 1)


@pytest.mark.long
def test_many_flipped_bits(tmp_path: Path) -> None:
    fuzz(tmp_path, 50_000, 2)
