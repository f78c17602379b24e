"""The difference that a sample finds four times in five, as it is told before rows are drawn."""

import re

import numpy as np
import pandas as pd
import pytest

from core.api.sampled import told_of_power
from core.data.dataset import Dataset
from core.data.roles import Roles


def looked_at(*, number: bool = False) -> Dataset:
    """5,000 rows, of which a tenth are of the smallest group."""
    rng = np.random.default_rng(1)
    sex, area = rng.choice(["f", "m"], 5_000, p=[0.1, 0.9]), rng.choice([*"wx"], 5_000)
    paid, said = (np.where(rng.random(5_000) < p, "yes", "no") for p in (0.5, 0.5))
    frame = pd.DataFrame({"sex": sex, "area": area, "paid": rng.normal(0, 4, 5_000) if number else paid, "said": said})
    if number:
        return Dataset.build(
            frame, Roles(outcome="paid", outcome_type="number", protected=("sex",), features=("area",))
        )
    return Dataset.build(
        frame, Roles(outcome="paid", favourable="yes", protected=("sex", "area"), predictions=("said",))
    )


def told(rows: Dataset, n: int, of_all: int) -> list[float]:
    sentence = told_of_power(rows, n, of_all)
    assert "smallest group of 'sex'" in sentence
    return [
        float(one.replace(",", ""))
        for one in re.findall(r"of about ([\d.,]+)(?: percentage points)? (?:is|with)", sentence)
    ]


@pytest.mark.parametrize("number", [False, True])
def test_a_difference_as_large_as_is_told_is_found_four_times_in_five(number: bool) -> None:
    """Samples of groups that differ by it, tested one-sided with the spread that each sample has."""
    n, repeats, rng = 2_000, 20_000, np.random.default_rng(2)
    with_sample, with_all = told(looked_at(number=number), n, 100 * n)
    assert with_sample == pytest.approx(10 * with_all, rel=0.03)
    few, many = round(0.1 * n), round(0.9 * n)
    if number:
        apart = rng.normal(with_sample, 4 * (1 / few + 1 / many) ** 0.5, repeats)
        error = np.full(repeats, 4 * (1 / few + 1 / many) ** 0.5)
    else:
        apart_by = with_sample / 200
        first, other = (
            rng.binomial(few, 0.5 + apart_by, repeats) / few,
            rng.binomial(many, 0.5 - apart_by, repeats) / many,
        )
        apart, error = first - other, (first * (1 - first) / few + other * (1 - other) / many) ** 0.5
    assert (apart / error > 1.645).mean() == pytest.approx(0.8, abs=0.03)


def test_where_a_group_has_hardly_anybody_it_is_said_that_nothing_is_known() -> None:
    rows = looked_at()
    women = np.flatnonzero(rows.frame["sex"] == "f")
    some = rows.take(np.r_[women[:1], np.flatnonzero(rows.frame["sex"] == "m")[:60]])
    roles = rows.roles.model_copy(update={"protected": ("sex",)})
    assert "is not known" in told_of_power(Dataset.build(some.frame, roles), 10, 60)
