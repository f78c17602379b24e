"""How often a comparison errs: differences of models that are alike, and models cleared after they were picked."""

import math

import numpy as np
import pandas as pd
import pytest

from core import compare
from core.inference.estimate import Verdict
from core.result import DataSummary
from core.workflows.comparison.rates import differences
from core.workflows.comparison.result import ComparisonResult

PEOPLE = DataSummary("", 0, 0, (), 0, "repaid", "yes", ("sex",))


def models_alike(rng: np.random.Generator, rows: int, models: int, turned: float) -> ComparisonResult:
    """Models that differ from the first in a few answers, and in no rate: each turns right to wrong and back alike."""
    sex, outcome = rng.integers(2, size=rows), rng.integers(2, size=rows)
    right = rng.random(rows) < 0.8
    other = rng.random((models - 1, rows)) < np.where(right, turned, 4 * turned)
    rights = np.vstack([right, right ^ other])
    return ComparisonResult(
        names=tuple(f"m{place}" for place in range(models)),
        audits=((),) * models,
        baseline=0,
        classes=("no", "yes"),
        favourable=1,
        answers=np.where(rights, outcome, 1 - outcome).astype(float),
        outcome=outcome.astype(float),
        groups=(("female", "male"),),
        memberships=sex[None],
        clusters=np.empty(0, dtype=np.int64),
        data=PEOPLE,
        caveats=(),
        seed=0,
        seconds=0.0,
        versions=(),
    )


def told_apart(repeats: int, models: int, turned: float, rows: int = 800) -> float:
    """How often any difference of any model is shown."""
    rng, wrong = np.random.default_rng(7), 0
    for _ in range(repeats):
        found = differences(models_alike(rng, rows, models, turned), 0.05)
        assert {rate.key for rate, _ in found} == {"accuracy", "balanced accuracy", "SPD", "EOD", "AOD"}
        wrong += min(claim.p_value for _, claim in found) <= 0.05
    return wrong / repeats


def test_models_that_are_nearly_the_same_are_seldom_told_apart() -> None:
    assert told_apart(20, models=4, turned=0.02) <= 0.2


@pytest.mark.long
@pytest.mark.parametrize(("models", "turned"), [(2, 0.005), (2, 0.05), (5, 0.02), (20, 0.02)])
def test_models_that_are_nearly_the_same_are_seldom_told_apart_in_the_long_run(models: int, turned: float) -> None:
    """All differences of all models together err at most as often as said, within three standard errors."""
    repeats = 600 if models < 20 else 200
    assert told_apart(repeats, models, turned) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / repeats)


def cleared(repeats: int, models: int, rows: int = 2_000, gap: float = 0.1) -> tuple[float, float]:
    """How often any of several models at the tolerance is cleared: by the comparison, and by an audit of it alone."""
    rng, found = np.random.default_rng(11), np.zeros(2)
    names = {f"m{place}": f"m{place}" for place in range(models)}
    for _ in range(repeats):
        male, repaid = rng.random((2, rows)) < [[0.5], [0.7]]
        chance = np.where(repaid, 0.85, 0.35) + gap * (male - 0.5)
        answers = np.where(rng.random((models, rows)) < chance, "yes", "no")
        people = pd.DataFrame({"sex": np.where(male, "male", "female"), "repaid": np.where(repaid, "yes", "no")})
        people = people.assign(**dict(zip(names, answers, strict=True)))
        done = compare(
            people, names, outcome="repaid", favourable="yes", protected=["sex"], tests="group_fairness",
            measure="selection rate", delta=gap, ratio=0.5, progress=False,
        )  # fmt: skip
        alone = [done[name].verdict for name in names]
        for place, verdicts in enumerate((done.verdicts.values(), alone)):
            found[place] += Verdict.NO_VIOLATION in verdicts
    return float(found[0] / repeats), float(found[1] / repeats)


@pytest.mark.long
def test_of_many_models_at_the_tolerance_hardly_any_is_cleared() -> None:
    """Each judged alone, one of ten would be cleared in every third table."""
    picked, alone = cleared(60, models=10)
    assert picked <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 60)
    assert alone >= 0.2
