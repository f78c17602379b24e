"""Which texts are one text for statistics."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.text.copies import same_texts
from core.text.swaps import exchange
from core.text.word_lists import GENDER, Pair, WordList
from core.text.words import spans


def test_copies_and_counterparts_are_one_text_and_other_words_are_not() -> None:
    texts = ["She sings.", "he  sings.", "He dances.", "SHE SINGS.", "She sings", "", "They sing."]
    assert same_texts(texts, GENDER).tolist() == [0, 0, 1, 0, 2, 3, 4]


def test_words_with_several_counterparts_are_of_one_kind() -> None:
    assert len(set(same_texts(["met her", "met him", "met his", "met hers"], GENDER))) == 1
    assert len(set(same_texts(["a man", "a woman", "a father"], GENDER))) == 2


def test_another_list_sees_other_counterparts() -> None:
    places = WordList(name="Places", pairs=(Pair(word="Leeds", counterpart="Porto"),))
    texts = ["He is from Leeds", "He is from Porto", "She is from Leeds"]
    assert same_texts(texts, places).tolist() == [0, 0, 1]


@given(st.lists(st.sampled_from(["she", "his", "mother", "Mr", "sings", ",", "aunt's"]), min_size=1, max_size=8))
def test_a_text_is_the_same_as_its_counterpart(words: list[str]) -> None:
    text = " ".join(words)
    other = exchange(text, GENDER).text
    assert len(spans(other)) == len(spans(text))
    assert len(set(same_texts([text, other, text], GENDER))) == 1


def test_no_texts_have_no_numbers() -> None:
    assert same_texts([], GENDER).dtype == np.int64
