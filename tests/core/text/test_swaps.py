"""Words and their counterparts: what is exchanged, where it stands, and what a list refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import SettingsError
from core.text.shipped_lists import LISTS
from core.text.swaps import exchange, listed
from core.text.word_lists import GENDER, Pair, WordList
from core.text.words import spans, word_of_each

SHIPPED = WordList()


def words_of(text: str) -> list[str]:
    return [text[start:end] for start, end in spans(text)]


def test_words_end_at_apostrophes_and_hyphens_so_that_listed_words_are_found_inside() -> None:
    assert words_of("She's his ex-wife, isn't she? 😀 été") == [
        *("She", "'s", "his", "ex", "-", "wife", ",", "isn", "'t", "she", "?", "😀", "été")
    ]
    assert words_of(" \n\t ") == []


@given(st.text(max_size=60))
def test_words_cover_everything_but_blanks_in_order(text: str) -> None:
    found = spans(text)
    assert (found[:, 0] < found[:, 1]).all()
    assert (found[1:, 0] >= found[:-1, 1]).all()
    inside = np.zeros(len(text), dtype=bool)
    for start, end in found:
        inside[start:end] = True
    assert all(character.isspace() for character, covered in zip(text, inside, strict=True) if not covered)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She said her work met HER.", "He said his work met HIM."),
        ("Her most popular track is hers.", "His most popular track is his."),
        ("He gave her the book that is his.", "She gave him the book that is hers."),
        ("His ex-wife, herself an ACTRESS", "Her ex-husband, himself an ACTOR"),
        ("Mr. Smith and Mrs. Jones", "Ms. Smith and Mr. Jones"),
        ("his dad", "her mom"),
        ("Mandy manages the shelter", "Mandy manages the shelter"),
        ("", ""),
    ],
)
def test_counterparts_keep_case_and_grammar(text: str, expected: str) -> None:
    assert exchange(text, SHIPPED).text == expected


def test_what_the_guess_gets_wrong_is_known() -> None:
    assert exchange("It made her laugh.", SHIPPED).text == "It made his laugh."


@given(st.lists(st.sampled_from(["she", "Father", "WIFE", "he", "works", "herself", "sons", ",", "boy"]), max_size=12))
def test_exchanging_twice_gives_the_text_back_where_counterparts_are_unique(words: list[str]) -> None:
    text = " ".join(words)
    once = exchange(text, SHIPPED)
    assert exchange(once.text, SHIPPED).text == text
    for (start, end), (begin, until) in zip(once.before, once.after, strict=True):
        assert once.text[begin:until].lower() in SHIPPED.counterparts[text[start:end].lower()]


@given(st.text(alphabet="she rHEwif ,'-s", max_size=40))
def test_nothing_but_the_exchanged_words_changes(text: str) -> None:
    changed = exchange(text, SHIPPED)
    kept_before, kept_after, i, j = [], [], 0, 0
    for (start, end), (begin, until) in zip(changed.before, changed.after, strict=True):
        kept_before.append(text[i:start])
        kept_after.append(changed.text[j:begin])
        i, j = end, until
    assert [*kept_before, text[i:]] == [*kept_after, changed.text[j:]]


def test_listed_marks_words_without_a_counterpart_too() -> None:
    own = WordList(pairs=(Pair(word="Nurse", counterpart="Doctor"),), others=("Pregnant",))
    text = "A PREGNANT nurse met a doctor."
    assert [word for word, named in zip(words_of(text), listed(text, spans(text), own), strict=True) if named] == [
        *("PREGNANT", "nurse", "doctor")
    ]
    assert exchange(text, own).text == "A PREGNANT doctor met a nurse."


def test_the_shipped_list_has_no_words_with_another_common_meaning() -> None:
    assert not SHIPPED.listed & {"new", "bachelor", "ma", "host", "master", "count", "pa", "lions"}
    assert all(pair.word == pair.word.lower() for pair in GENDER.pairs)


@pytest.mark.parametrize("word", ["", "two words", "ex-wife", "she's", "x" * 61, " she"])
def test_what_is_no_single_word_is_refused(word: str) -> None:
    with pytest.raises(SettingsError, match="not a single word"):
        Pair(word=word, counterpart="other")
    with pytest.raises(SettingsError, match="not a single word"):
        WordList(others=(word,))


def test_a_word_is_not_its_own_counterpart() -> None:
    with pytest.raises(SettingsError, match="own counterpart"):
        Pair(word="She", counterpart="she")


def test_tokens_belong_to_the_word_their_first_visible_character_stands_in() -> None:
    words = spans("She's  here")
    start, end = np.array([0, 3, 4, 5, 6, 0]), np.array([3, 4, 5, 8, 11, 0])
    assert word_of_each(start, end, words).tolist() == [0, 1, 1, 2, 2, -1]
    assert word_of_each(start[:1], end[:1], spans("")).tolist() == [-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_she_ and *She*", "_he_ and *He*"),
        ("sheʼs here", "heʼs here"),
        ("she‘s here", "he‘s here"),
        ("ｓｈｅ rests", "he rests"),
        ("s\u00adhe rests", "he rests"),
        ("Miss Smith will miss the queen and a hostess.", "Mr Smith will miss the king and a host."),
        ("a host of words", "a host of words"),
    ],
)
def test_words_are_found_however_they_are_written(text: str, expected: str) -> None:
    assert exchange(text, SHIPPED).text == expected


def test_accents_of_their_own_belong_to_their_word() -> None:
    words = WordList(pairs=(Pair(word="tía", counterpart="tío"),))
    assert exchange("la ti\u0301a", words).text == "la tío"


def test_hidden_characters_and_marks_without_end_are_read_in_no_time() -> None:
    text = "a" + "\u0301" * 200_000 + "\u00ad" * 200_000
    assert len(spans(text)) == 200_001


def test_names_count_with_a_capital_letter_only_and_go_to_each_other_group() -> None:
    words = LISTS["First names by race and ethnicity (United States)"]
    assert exchange("ebony and jade", words).text == "ebony and jade"
    seen = {exchange(f"Ebony {i}", words).text.split()[0] for i in range(60)}
    assert seen == {"Kristen", "Xin", "Rocio"}
