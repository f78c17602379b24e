"""Values of a table as those that training saw."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.formats.skops.values import matched, unknown


@pytest.mark.parametrize(
    ("values", "known", "expected"),
    [
        ([1, 2, 10], ["1", "10", "2"], ["1", "2", "10"]),
        (["1", "2", "10"], [1, 2, 10], [1.0, 2.0, 10.0]),
        ([1.0, 2.0], ["1.0", "2.0"], ["1.0", "2.0"]),
        ([1, 2], ["1.0", "2.0"], ["1.0", "2.0"]),
        ([1, 2], ["1", "1.0", "2"], ["1", "2"]),
        ([True, False], ["False", "True"], ["True", "False"]),
        (["TRUE", "FALSE"], [False, True], [1.0, 0.0]),
        ([True, False], [0, 1], [1.0, 0.0]),
        (["a", "b", None], ["a", "b", None], ["a", "b", None]),
        (["a", None], ["a", np.nan], ["a", np.nan]),
        (["a", "(missing)"], ["a", np.nan], ["a", np.nan]),
        (["a", "(missing)"], ["(missing)", "a"], ["a", "(missing)"]),
        ([3, 4], ["3", "x"], ["3", "4"]),
        (["a", "z"], ["a", "b"], ["a", "z"]),
        ([1.5, np.nan], [1.5, 2.5], [1.5, np.nan]),
    ],
)
def test_a_value_becomes_the_category_that_it_means(values: list[Any], known: list[Any], expected: list[Any]) -> None:
    assert list(map(repr, matched(pd.Series(values), known).tolist())) == list(map(repr, expected))


def test_two_categories_that_mean_the_same_are_told_apart_by_how_they_are_written() -> None:
    assert matched(pd.Series(["1", "1.0"]), ["1", "1.0"]).tolist() == ["1", "1.0"]


@given(st.lists(st.one_of(st.text("ab1.", max_size=3), st.integers(-5, 5)), min_size=1, max_size=6, unique_by=str))
def test_every_category_is_its_own(known: list[Any]) -> None:
    text = [str(one) for one in known]
    assert matched(pd.Series(text, dtype=object), text).tolist() == text
    assert unknown(text, text) == []


def test_what_is_none_of_them_is_told() -> None:
    assert unknown(["1", "nurse", "pilot", "True"], ["1.0", "nurse"]) == ["pilot"]
