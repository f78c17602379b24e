"""What a list of words finds in a table, counted by hand."""

import numpy as np
import pandas as pd
import pytest

from core.audits.text_sensitivity.preview import counterpart, look_at_words, with_edit
from core.audits.text_sensitivity.settings import Edit
from core.base.errors import SettingsError
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.text.word_lists import Pair, WordList
from tests.builders_transport import make_people

WORDS = WordList(pairs=(Pair(word="she", counterpart="he"), Pair(word="aunt", counterpart="uncle")), others=("ma",))


def texts(*first: str, rows: int = 30) -> Dataset:
    filled = [*first, *(f"Nothing of it in number {i}." for i in range(rows - len(first)))]
    return Dataset.build(pd.DataFrame({"text": filled}), Roles(text="text"))


def test_each_text_counts_once_for_a_word_and_a_word_without_counterpart_exchanges_nothing() -> None:
    seen = look_at_words(texts("She said she knew.", "Her aunt, she says.", "My ma."), WORDS, np.random.default_rng(0))
    assert (seen.texts, seen.listed_texts, seen.exchanged_texts) == (30, 3, 2)
    assert dict(zip(seen.words, seen.counts.tolist(), strict=True)) == {
        "she": 2, "aunt": 1, "ma": 1, "he": 0, "uncle": 0,
    }  # fmt: skip
    assert seen.words[0] == "she"
    assert seen.records.tolist() == [1, 2]
    assert seen.shown == ("She said she knew.", "Her aunt, she says.")


def test_texts_without_a_listed_word_are_counted_and_none_is_shown() -> None:
    seen = look_at_words(texts(), WORDS, np.random.default_rng(0))
    assert (seen.listed_texts, seen.exchanged_texts, seen.shown) == (0, 0, ())
    assert seen.counts.sum() == 0


def test_records_are_those_of_the_file_where_rows_were_left_out() -> None:
    frame = pd.DataFrame({"text": [None, "She said.", *("no" for _ in range(30))]})
    seen = look_at_words(Dataset.build(frame, Roles(text="text")), WORDS, np.random.default_rng(0))
    assert seen.records.tolist() == [2]


def test_a_table_without_texts_is_refused_in_words() -> None:
    with pytest.raises(SettingsError, match="no text column"):
        look_at_words(Dataset.build(*make_people(60)), WORDS, np.random.default_rng(0))


def test_an_edit_replaces_the_counterpart_and_is_gone_when_it_says_nothing_new() -> None:
    edits = with_edit((), 7, "Uncle says.", "He says.")
    assert edits == (Edit(record=7, text="Uncle says."),)
    assert counterpart(edits, 7, "She says.", WORDS) == "Uncle says."
    assert counterpart(edits, 8, "She says.", WORDS) == "He says."
    assert with_edit(edits, 7, "He says.", "He says.") == ()
    assert [edit.record for edit in with_edit(edits, 2, "x", "y")] == [2, 7]
