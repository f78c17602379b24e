"""Results of comparisons made by hand: 100 people in two groups of 60 and 40."""

import math

import numpy as np
import pandas as pd

from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.result import DataSummary
from core.sources.simulated.two_slopes import TwoSlopes
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.settings import MitigationPlan

NUMBERS = TwoSlopes(rows=200, seed=1)


def plan_of(**changes: object) -> MitigationPlan:
    """A plan about simulated people."""
    return MitigationPlan.model_validate({"data": NUMBERS, "roles": NUMBERS.roles(pd.DataFrame()), **changes})


def fit_of(
    strength: float, losses: np.ndarray, p: float, groups: int = 2, *, numbers: bool = False, method: str = ""
) -> TriedModel:
    """A model with these losses of the people of the test part, the groups taking turns as 3 to 2.

    Outcomes take turns too, or are zero where they are numbers.
    """
    each = np.asarray(losses, dtype=np.float64)
    given = (np.arange(len(each)) % 2) ^ (each > 0.5)
    first = np.arange(len(each)) % 5 < 3
    means = np.array([each.mean(), each[first].mean(), *[each[~first].mean()] * (groups - 1)])
    return TriedModel(
        strength=strength,
        losses=np.tile(means, (3, 1)),
        each=each,
        p_value=p,
        p_error=0.001,
        gap=EqualizedOddsGap(0.2, 0.0, 0.4, 0, 0, (0, 1), 0.5, *[np.empty((0, 2), dtype=np.int64)] * 2),
        constant=False,
        coverage=np.full(groups, 0.9),
        sizes=np.array([1.2, *[math.inf] * (groups - 1)]),
        model=None,
        why_not="It was made by hand.",
        answers=np.sqrt(each)[:, None] if numbers else np.eye(2)[given],
        method="" if math.isnan(strength) else method,
    )


def result_of(
    made: list[tuple[float, np.ndarray, float]], *, numbers: bool = False, groups: int = 2, methods: int = 1
) -> MitigationResult:
    """A result from strengths, losses and p-values, the baseline first; the others by turns of each method."""
    called = ("", "projection", "reweighing")[min(methods - 1, 1) :][:methods]
    people = len(made[0][1])
    each = [60, *[40] * (groups - 1)]
    return MitigationResult(
        data=DataSummary("d" * 64, 500, 0, (), 100, "passed", "" if numbers else "yes", ("sex",)),
        attribute="sex",
        groups=tuple(f"group {g}" for g in range(groups)),
        classes=() if numbers else ("no", "yes"),
        rows=np.array([[300, *each], [100, *each], [100, *each]]),
        spread=3.0 if numbers else math.nan,
        fits=tuple(
            fit_of(
                *one,
                groups=groups,
                numbers=numbers,
                method=called[max(place - 1, 0) * methods // max(len(made) - 1, 1)],
            )
            for place, one in enumerate(made)
        ),
        exact=not numbers,
        favourable=-1 if numbers else 1,
        outcome=np.zeros(people) if numbers else (np.arange(people) % 2).astype(np.float64),
        codes=(np.arange(people) % 5 >= 3).astype(np.int64),
        caveats=(),
        seed=0,
        seconds=1.0,
        versions=(),
    )
