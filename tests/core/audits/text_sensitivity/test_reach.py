"""No group is cleared that the list of words misses: shares exchanged, AUC of the words, and the verdict."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from core.audits.text_sensitivity.reach import (
    LEAST_EXCHANGED,
    LEAST_TOLD,
    GroupReach,
    left_by,
    reach_of,
    sides_of,
)
from core.base.grouping import Grouping
from core.inference.auc import auc_limits
from core.inference.estimate import Verdict
from core.text.shipped_lists import LISTS, together
from core.text.swaps import exchange
from core.text.word_lists import WordList
from tests.core.audits.text_sensitivity.test_sensitivity_verdicts import SWAPS, moved, said, with_swaps
from tests.findings import found

RACE_NAMES = "First names by race and ethnicity (United States)"
RACE_TERMS = "Race: terms"
NONE = np.zeros((400, 0))


def reach(texts: list[str], groups: list[str], words: WordList) -> tuple[GroupReach, ...]:
    kinds = tuple(sorted(set(groups)))
    codes = np.array([kinds.index(one) for one in groups])
    exchanged = np.array([exchange(text, words).text != text for text in texts])
    return reach_of(
        [Grouping("group", kinds, codes)], sides_of(texts, words), exchanged, sides_of(texts, left_by(words))
    )


def test_words_without_counterparts_reach_nobody() -> None:
    found = reach(["She works.", "He rests."] * 40, ["woman", "man"] * 40, WordList(others=("she", "he")))
    assert [(one.told, one.exchanged, one.reached) for one in found] == [(0.5, 0, False)] * 2


@pytest.mark.parametrize(
    ("templates", "lists"),
    [
        ({"Black": "Lakisha said she works as nurse {}.", "white": "Emily said she works as nurse {}."}, (RACE_NAMES,)),
        ({"Black": "A Black woman in street {}.", "white": "A white man in street {}."}, (RACE_TERMS,)),
        ({"man": "He rests in {}.", "they": "They rest in {}.", "woman": "She rests in {}."}, ("She, he and they",)),
    ],
)
def test_groups_that_gendered_words_miss_are_not_cleared_and_a_list_that_names_them_is(
    templates: dict[str, str], lists: tuple[str, ...]
) -> None:
    rows = [(text.format(i), group) for i in range(100) for group, text in templates.items()]
    texts, groups = [text for text, _ in rows], [group for _, group in rows]
    detail = with_swaps(moved(len(rows), 0.01), groups=np.arange(len(rows)) % 2)

    def verdict(words: WordList) -> Verdict:
        kinds = tuple(sorted(set(groups)))
        member = replace(
            detail.memberships[0], name="group", groups=kinds, codes=np.array([kinds.index(one) for one in groups])
        )
        changed = replace(detail, memberships=(member,), reach=reach(texts, groups, words))
        missed = [one.group for one in changed.reach if not one.reached]
        for group in missed:
            assert f"does not speak for group {group}: " in said(changed, SWAPS)
        return found(changed, SWAPS).verdict

    assert verdict(WordList()) is Verdict.INSUFFICIENT
    assert verdict(together(lists)) is Verdict.NO_VIOLATION


def test_a_list_that_was_never_looked_at_clears_nobody() -> None:
    detail = with_swaps(moved(400, 0.01), groups=np.arange(400) % 2)
    assert found(detail, SWAPS).verdict is Verdict.NO_VIOLATION
    assert found(replace(detail, reach=()), SWAPS).verdict is Verdict.INSUFFICIENT


@pytest.mark.parametrize(
    ("changes", "reached"),
    [
        ({}, True),
        ({"low": LEAST_TOLD}, False),
        ({"low": LEAST_TOLD + 1e-9}, True),
        ({"exchanged": 49}, False),
        ({"exchanged": 50}, True),
        ({"low": float("nan")}, False),
        ({"left": LEAST_TOLD}, True),
        ({"left": LEAST_TOLD + 1e-9}, False),
    ],
)
def test_a_group_is_reached_at_half_of_its_texts_and_above_the_mark(changes: dict[str, float], reached: bool) -> None:
    assert LEAST_EXCHANGED == 0.5
    assert LEAST_TOLD == 0.75
    assert replace(GroupReach("a", "b", 100, 80, 0.9, 0.8, 1.0), **changes).reached is reached


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=4, max_size=40))
def test_the_auc_is_that_of_the_roc_curve(rows: list[tuple[int, int]]) -> None:
    own, score = np.array(rows).T
    if 0 < own.sum() < len(own):
        (_, told) = reach_of(
            [Grouping("a", ("no", "yes"), own)], score[:, None].astype(float), own == 1, NONE[: len(own)]
        )
        assert told.told == pytest.approx(roc_auc_score(own, score))


def test_the_interval_is_newcombes_and_counts_what_belongs_together_once() -> None:
    for auc, m, n in ((1.0, 10, 10), (0.8, 40, 25), (0.5, 100, 100)):
        low, high = auc_limits(auc, m, n, 0.025)
        for end in {low, high} - {0.0, 1.0}:
            z = 1.959963984540054
            spread = end * (1 - end) * (1 + ((m + n) / 2 - 1) * ((1 - end) / (2 - end) + end / (1 + end))) / (m * n)
            assert (auc - end) ** 2 == pytest.approx(z**2 * spread, rel=1e-4)
    sides, own = np.repeat([[1.0], [-1.0]], 200, axis=0), np.repeat([1, 0], 200)
    (alone,) = reach_of([Grouping("a", ("no", "yes"), own)], sides, own == 1, NONE)[1:]
    (copies,) = reach_of([Grouping("a", ("no", "yes"), own)], sides, own == 1, NONE, np.repeat(np.arange(20), 20))[1:]
    assert alone.low > 0.95
    assert copies.low == pytest.approx(auc_limits(1.0, 10, 10, 0.025)[0])


def test_the_interval_covers_and_words_that_tell_nothing_pass_in_no_run() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(300):
        own = np.arange(80) < 40
        score = np.where(own, rng.normal(1.0, 1, 80), rng.normal(0.0, 1, 80))
        (_, one) = reach_of([Grouping("a", ("no", "yes"), own.astype(int))], score[:, None], own, NONE[:80])
        covered += one.low <= 0.7602 <= one.high
        (_, none) = reach_of([Grouping("a", ("no", "yes"), own.astype(int))], rng.normal(size=(80, 4)), own, NONE[:80])
        assert not none.reached
    assert covered >= 300 * 0.93


def test_every_shipped_list_goes_to_another_word_of_its_row_and_back_where_it_has_two() -> None:
    for name, words in LISTS.items():
        for word, others in words.counterparts.items():
            text = word.capitalize() if word in words.capitalised or word == "miss" else word
            now = exchange(f"{text} Smith", words).text.split()[0]
            assert now.lower() in others, (name, word)
            back = words.counterparts.get(now.lower(), ())
            if len(others) == 1 and back == (word,):
                assert exchange(f"{now} Smith", words).text.split()[0].lower() == word
