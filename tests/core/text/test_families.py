"""Texts that differ in one word are one family, and short texts are not joined into one by chance."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.families import families, frame
from core.text.word_lists import WordList

GENDER = WordList().complete
NAMES = ("Alonzo", "Betsy", "Katie", "Adam", "Jamel", "Ellen")
FEELINGS = ("angry", "sad", "happy", "furious", "anxious", "glad")


def neighbours(first: str, second: str) -> bool:
    """The oracle of an edge, by comparing two texts word by word."""
    own, other = first.split(), second.split()
    return len(own) == len(other) and len(own) > 1 and sum(a != b for a, b in zip(own, other, strict=True)) <= 1


def linked(texts: list[str]) -> list[int]:
    """The oracle of a chain: families grow until nothing joins."""
    found = list(range(len(texts)))
    for i, j in itertools.combinations(range(len(texts)), 2):
        if found[i] != found[j] and (texts[i] == texts[j] or neighbours(texts[i], texts[j])):
            found = [found[i] if one == found[j] else one for one in found]
    return found


def partition(codes: object) -> set[frozenset[int]]:
    groups: dict[int, set[int]] = {}
    for place, code in enumerate(codes):  # type: ignore[arg-type, var-annotated]
        groups.setdefault(int(code), set()).add(place)
    return {frozenset(one) for one in groups.values()}


def test_templates_with_two_slots_are_as_many_families() -> None:
    texts = [
        text
        for name, feeling in itertools.product(NAMES, FEELINGS)
        for text in (f"{name} feels {feeling}.", f"I made {name} feel {feeling}", f"The day makes {name} {feeling}!")
    ]
    found = families(texts, GENDER)
    assert found.tolist() == [0, 1, 2] * 36
    assert frame(texts[::3], GENDER) == "… feels … ."


def test_texts_that_differ_in_exchanged_words_only_are_one_family_however_many() -> None:
    texts = ["He lost his hat and his wife.", "She lost her hat and her husband.", "A dog lost a bone in a wood."]
    assert families(texts, GENDER).tolist() == [0, 0, 1]


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5).map(" ".join), max_size=25))
def test_families_never_join_more_than_chains_do_and_copies_always(texts: list[str]) -> None:
    found, chains = families(texts, GENDER), linked(texts)
    for i, j in itertools.combinations(range(len(texts)), 2):
        assert found[i] != found[j] or chains[i] == chains[j]
        assert texts[i] != texts[j] or found[i] == found[j]
    assert sorted(set(found.tolist())) == list(range(len(set(found.tolist()))))


def test_long_texts_are_joined_exactly_as_chains_are() -> None:
    rng = np.random.default_rng(0)
    frames = [" ".join(f"w{word}" for word in rng.integers(500, size=9)) for _ in range(30)]
    texts = [f"{rng.choice(frames)} end{rng.integers(4)} x{rng.integers(4)}" for _ in range(200)]
    assert partition(families(texts, GENDER)) == partition(linked(texts))


def test_the_order_of_the_texts_changes_no_family() -> None:
    rng = np.random.default_rng(1)
    texts = [f"{rng.choice(NAMES)} {rng.choice(['feels', 'is'])} {rng.choice(FEELINGS)}" for _ in range(80)]
    order = rng.permutation(len(texts))
    moved = families([texts[place] for place in order], GENDER)
    assert partition(families(texts, GENDER)) == {frozenset(order[list(one)].tolist()) for one in partition(moved)}


@pytest.mark.parametrize(("words", "vocabulary"), [(2, 2_000), (3, 2_000), (3, 300), (4, 300), (5, 100)])
def test_short_texts_of_everyday_words_do_not_become_one_family(words: int, vocabulary: int) -> None:
    """Independent texts whose words are as frequent as those of a language (Zipf): chains would join most."""
    odds = 1 / np.arange(1, vocabulary + 1)
    drawn = np.random.default_rng(0).choice(vocabulary, (2_000, words), p=odds / odds.sum())
    found = families([" ".join(f"w{word}" for word in text) for text in drawn], GENDER)
    assert np.bincount(found).max() <= 200
    assert len(np.unique(found)) >= 1_000


def test_a_chain_without_frame_or_slots_is_taken_apart_into_texts_that_share_all_words_but_one() -> None:
    chain = [["a", "b", "c"]]
    for step in range(29):
        chain.append([f"w{step}" if place == step % 3 else word for place, word in enumerate(chain[-1])])
    found = families([*map(" ".join, chain), "k b c"], GENDER)
    assert found.tolist() == [0, 0, *np.repeat(range(1, 15), 2).tolist(), 0]
    pairs = [f"w{step // 2} w{(step + 1) // 2 + 50}" for step in range(40)]
    assert families(pairs, GENDER).tolist() == [*range(40)]


def test_no_text_and_empty_texts_are_no_matter() -> None:
    assert families([], GENDER).tolist() == []
    assert families(["", "a", "b", "", "a"], GENDER).tolist() == [0, 1, 2, 0, 1]
