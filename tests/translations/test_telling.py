import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from core.base.errors import Caveat, DataError, most_serious_first
from core.language import told
from core.language.phrases import count, interval, listed, number, p_value, percent, points, quoted, ratio
from core.language.reader import language, speaking, spoken_later
from core.language.told import Told, localized, retold, say, say_count
from dashboard.jobs.job import Failure


@pytest.fixture(autouse=True)
def some_german(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four German messages, whatever the files say."""
    known = {
        "{rows} of {all} were left out": "{rows} von {all} fehlen",
        "{low} to {high}": "{low} bis {high}",
        "{first} and {last}": "{first} und {last}",
        "{number}%": "{number} %",
        "“{label}”": "„{label}“",
    }
    monkeypatch.setattr(
        told, "translated", lambda code, text, about=None: known.get(text, text) if code == "de" else text
    )
    rows = {"{n} row": ("{n} Zeile", "{n} Zeilen")}
    monkeypatch.setattr(
        told,
        "translated_count",
        lambda code, one, many, n: (rows.get(one, (one, many)) if code == "de" else (one, many))[n != 1],
    )


def test_what_was_said_is_said_again_with_its_parts() -> None:
    sentence = say("{rows} of {all} were left out", rows=count(1_200, "row"), all=count(1, "row"))
    assert sentence == "1,200 rows of 1 row were left out"
    with speaking("de"):
        assert retold(sentence) == "1.200 Zeilen von 1 Zeile fehlen"
        assert retold("as it is") == "as it is"
    assert language() == "en"


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (lambda: number(1234.5), "1.234"),
        (lambda: number(0.00481), "0,0048"),
        (lambda: number(math.nan), "not defined"),
        (lambda: ratio(1.2501, beside=1.25), "1,2501"),
        (lambda: interval(1.75, 1.91), "1,75 bis 1,91"),
        (lambda: percent(0.062), "6,2 %"),
        (lambda: points(0.034), "3,4"),
        (lambda: p_value(0.00001), "< 0,0001"),
        (lambda: localized("-1,204.50"), "−1.204,50"),
        (lambda: say("{low} to {high}", low=localized("0.88"), high=quoted("a b")), "0,88 bis „a b“"),
        (lambda: listed(["a", "b", count(2, "row")]), "a, b und 2 Zeilen"),
    ],
)
def test_numbers_and_lists_have_the_marks_of_their_language(english, german) -> None:
    text = english()
    assert isinstance(text, Told)
    with speaking("de"):
        assert english() == german
        assert retold(text) == german
    assert retold(german) == german


def test_what_is_written_later_is_in_the_language_that_was_spoken() -> None:
    with speaking("de"):
        later = spoken_later(lambda: say("{low} to {high}", low="1", high="2"))
    with ThreadPoolExecutor() as elsewhere:
        assert elsewhere.submit(later).result() == "1 bis 2"
    assert language() == "en"


def test_a_file_and_a_pipe_keep_what_was_said_in_no_language() -> None:
    with speaking("de"):
        sentence = say("{rows} of {all} were left out", rows=count(3, "row"), all=number(math.inf))
        assert told.read(told.written(sentence)) == sentence
        packed = told.packed(sentence)
    assert told.unpacked(packed) == "3 rows of infinite were left out"
    assert told.plain({"a": [told.written(sentence)]}) == {"a": ["3 rows of infinite were left out"]}
    assert told.written(say("{it}", it=object())).startswith("<object")


@pytest.mark.parametrize(
    "hostile",
    [
        '{"told": "eval", "of": ["1"], "with": {}}',
        '{"told": "say", "of": ["{x}"], "with": {}}',
        '{"told": "say", "of": ["{x.__class__}"], "with": {"x": 1}}',
        '{"told": "say"}',
        '{"told": ' * 9 + "}" * 9,
        '{"told": "say", "of": [], "with": {}}',
    ],
)
def test_what_a_stranger_wrote_calls_nothing_and_reads_no_attribute(hostile: str) -> None:
    assert "class '" not in told.unpacked(hostile)


def test_a_record_says_its_sentences_again_alone_and_in_a_row() -> None:
    @dataclass(frozen=True)
    class Record(told.Retelling):
        rows: str
        bins: tuple[str, ...]

    record = Record(count(2, "row"), (interval(1.75, 1.91), "a"))
    with speaking("de"):
        assert (record.rows, record.bins) == ("2 Zeilen", ("1,75 bis 1,91", "a"))
    assert record.bins == ("1.75 to 1.91", "a")


def test_braces_of_a_user_s_own_are_only_braces() -> None:
    assert say("{rows} of {all} were left out", rows="{all}", all="{rows}") == "{all} of {rows} were left out"
    assert say('{"inputs": [...]}') == '{"inputs": [...]}'


def test_caveats_and_failures_are_read_in_the_reader_s_language() -> None:
    caveat = Caveat("warning", say("{rows} of {all} were left out", rows=count(3, "row"), all="x"))
    failure = Failure.of(DataError(say("{rows} of {all} were left out", rows=count(1, "row"), all="x")))
    with speaking("de"):
        assert most_serious_first([caveat])[0].what == "3 Zeilen von x fehlen"
        assert failure.error.what == "1 Zeile von x fehlen"
    assert say_count("{n} row", "{n} rows", 2) == "2 rows"
    assert localized("1,204.5") == "1,204.5"
