"""Lists of words that people bring: what is read, and where the slip is."""

from pathlib import Path

import pytest

from core.base.errors import DataError
from core.text.word_files import MOST_BYTES, read_words


def written(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "list"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        "she,he\nnonbinary\n",
        "# ours\nword,counterpart\nshe, he\n\nnonbinary,\n",
        "she;he\nnonbinary",
        "she\the\nnonbinary\t",
        '"she","he"\r\n"nonbinary"\r\n',
        "\ufeffshe,he\nnonbinary",
        '[["she", "he"], ["nonbinary"]]',
        ' [["she", "he"], "nonbinary"]',
    ],
)
def test_pairs_and_single_words_are_read_however_they_are_written(tmp_path: Path, content: str) -> None:
    found = read_words(written(tmp_path, content), "ours.csv")
    assert [(pair.word, pair.counterpart) for pair in found.pairs] == [("she", "he")]
    assert found.others == ("nonbinary",)
    assert found.name == "ours"


def test_utf_16_as_spreadsheets_write_it_is_read(tmp_path: Path) -> None:
    found = read_words(written(tmp_path, "tía,tío\n".encode("utf-16")), "spanish.txt")
    assert found.listed == {"tía", "tío"}


@pytest.mark.parametrize(
    ("content", "what", "where"),
    [
        ("", "holds no word", "ours.csv"),
        ("# nothing\n\n", "holds no word", "ours.csv"),
        ("she,he\naunt,uncle,cousin\n", "3 words", "ours.csv, line 2"),
        ("she,he\nex wife,ex husband\n", "'ex wife' is not a single word", "ours.csv, line 2"),
        ("she,he\n,uncle\n", "'' is not a single word", "ours.csv, line 2"),
        ("she,he\nShe,she\n", "its own counterpart", "ours.csv, line 2"),
        ('[["she", "he"], ["aunt", 3]]', "neither a word nor a pair", "ours.csv, entry 2"),
        ('[["she", "he"],\n ["aunt", ]]', "not valid JSON", "ours.csv, line 2"),
        ("[" * 100_000, "not valid JSON", "ours.csv"),
        ('{"she": "he"}', "not a list", "ours.csv"),
        ("[]", "holds no word", "ours.csv"),
        (b"PK\x03\x04\x00\x00\x00\x00", "zero bytes", "ours.csv, line 1"),
        (b"a" * (MOST_BYTES + 1), "bytes; at most", "ours.csv"),
        ("\n".join(f"w{i}" for i in range(5_001)), "at most 5,000", "ours.csv"),
    ],
)
def test_a_slip_is_said_with_its_line(tmp_path: Path, content: str | bytes, what: str, where: str) -> None:
    with pytest.raises(DataError) as refused:
        read_words(written(tmp_path, content), "ours.csv")
    assert what in refused.value.what
    assert where in refused.value.where
    assert refused.value.advice
