"""A check of the outcome itself: named where features do not explain how groups differ, silent where they do."""

from typing import Literal

import numpy as np
import pandas as pd
import pytest

from core.data.dataset import Dataset, Roles
from core.data.quality.unexplained import LEVEL, unexplained

Design = Literal["explained", "curved", "interaction", "biased", "flipped"]


def table(design: Design, n: int, rng: np.random.Generator, *, numbers: bool = False) -> Dataset:
    """Women have less of a feature that counts; in two designs the outcome was recorded otherwise for them."""
    woman = rng.random(n) < 0.4
    skill, school, other = rng.standard_normal(n) - 0.8 * woman, rng.integers(0, 4, n), rng.standard_normal(n)
    score = 1.2 * skill + 0.5 * (school - 1.5)
    if design == "curved":
        score = 1.5 * np.sin(1.5 * skill) + skill**2 / 2 + 0.5 * (school == 2)
    elif design == "interaction":
        score = 1.2 * skill * other + 0.5 * (school - 1.5) * skill
    elif design == "biased":
        score = score - 1.0 * woman
    if numbers:
        outcome = 10 * score + 10 * rng.standard_normal(n)
    else:
        hired = rng.random(n) < 1 / (1 + np.exp(-score))
        if design == "flipped":
            hired ^= woman & (rng.random(n) < 0.3)
        outcome = np.where(hired, "yes", "no")
    frame = pd.DataFrame({"skill": skill, "school": school.astype(str), "other": other, "hired": outcome})
    roles = Roles(
        outcome="hired",
        outcome_type="number" if numbers else "classes",
        favourable="" if numbers else "yes",
        protected=("sex",),
        features=("skill", "school", "other"),
    )
    return Dataset.build(frame.assign(sex=np.where(woman, "Female", "Male")), roles)


def warned(design: Design, n: int, repeats: int, *, numbers: bool = False) -> int:
    rng = np.random.default_rng(1)
    return sum(bool(list(unexplained(table(design, n, rng, numbers=numbers)))) for _ in range(repeats))


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("design", ["explained", "curved", "interaction"])
def test_differences_that_features_explain_are_hardly_ever_named(design: Design, numbers: bool) -> None:
    assert warned(design, 1_000, 6, numbers=numbers) <= 1


def test_an_outcome_recorded_unfairly_is_named_with_its_size() -> None:
    assert warned("biased", 2_000, 3) == 3
    assert warned("biased", 2_000, 3, numbers=True) == 3
    (found,) = unexplained(table("biased", 4_000, np.random.default_rng(0)))
    assert "People with sex = Female have 'hired = yes' less often than others with the same features" in found.what
    (number,) = unexplained(table("biased", 4_000, np.random.default_rng(0), numbers=True))
    size = float(number.what.rsplit("about ", 1)[1].rstrip("."))
    assert size == pytest.approx(10, abs=1.5)


def with_others_protected(dataset: Dataset, **others: np.ndarray) -> Dataset:
    roles = dataset.roles.model_copy(update={"protected": (*dataset.roles.protected, *others)})
    return Dataset.build(dataset.frame.assign(**others), roles)


def test_a_warning_stays_when_more_attributes_are_protected() -> None:
    rng = np.random.default_rng(2)
    alone = table("biased", 610, np.random.default_rng(0))
    others = {f"code {place}": rng.choice(["a", "b"], len(alone)) for place in range(6)}
    (found,) = unexplained(alone)
    assert [one.what for one in unexplained(with_others_protected(alone, **others))] == [found.what]


def test_of_several_groups_the_gravest_is_told_and_the_others_are_named_after_it() -> None:
    alone = table("biased", 4_000, np.random.default_rng(0))
    woman, good = alone.frame["sex"] == "Female", alone.frame["hired"] == "yes"
    born = np.where(np.random.default_rng(1).random(len(alone)) < np.where(good, 0.4, 0.6), "abroad", "here")
    (found,) = unexplained(with_others_protected(alone, born=born, man=np.where(woman, "no", "yes")))
    gravest, _, others = found.what.partition(". Nor do the features explain the outcomes of ")
    assert gravest.startswith("People with sex = Female have 'hired = yes' less often")
    assert others == "people with man = no (18 points fewer) and people with born = here (15 points more)."


def test_exchanged_labels_of_one_group_are_named() -> None:
    assert warned("flipped", 4_000, 4) >= 3


@pytest.mark.long
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("n", [300, 1_000, 4_000])
def test_the_rate_of_false_warnings_keeps_its_level(n: int, numbers: bool) -> None:
    for design in ("explained", "curved", "interaction"):
        false = warned(design, n, 300, numbers=numbers) / 300
        print(f"\n{design}, n = {n}, {'numbers' if numbers else 'classes'}: {false:.3f}")
        assert false <= LEVEL + 2 * (LEVEL * (1 - LEVEL) / 300) ** 0.5
