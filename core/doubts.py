"""Doubts about a verdict that tests of how far answers move have in common."""

from collections.abc import Iterable, Iterator

import numpy as np

from core.decision import DecisionSettings
from core.errors import Notice
from core.inference.resampled import Checked, EstimateLike, ResampledEstimate
from core.inference.share import Share
from core.inference.tails import doubtful_tail

_ERRORS = 2.0
"""A bound this many Monte-Carlo errors from delta could have fallen on its other side."""


def close_to_delta(estimate: EstimateLike, decision: DecisionSettings, advice: str = "") -> Iterator[Notice]:
    """Other random draws could have put a bound on the other side of delta; ``advice`` says what would help."""
    if not isinstance(estimate, ResampledEstimate | Checked):
        return
    bounds = (
        (estimate.lower_bound(decision.alpha), estimate.lower_error(decision.alpha), "lower"),
        (estimate.upper_bound(decision.alpha), estimate.upper_error(decision.alpha), "upper"),
    )
    for bound, error, name in bounds:
        if error > 0 and abs(bound - decision.delta) <= _ERRORS * error:
            yield Notice(
                "warning",
                f"The {name} bound {bound:.4g} is within its Monte-Carlo error ({error:.2g}) of the tolerance: other "
                "random draws may turn the verdict.",
                advice,
            )


def few_carry_the_mean(values: np.ndarray, those: str, more: str) -> Iterator[Notice]:
    """The normal approximation is doubtful.

    Args:
        values: What the mean is of, shape (n,).
        those: What people call the rows ("people").
        more: What to bring.
    """
    if (tail := doubtful_tail(values)) is not None:
        yield Notice(
            "warning",
            f"A few {those} carry the mean: the largest 1% hold {tail.share:.0%} of the sum.",
            f"Look at these {those}, and bring {more}.",
        )


def rare_kind(bound: float, delta: float, missed: str, rows: str) -> Iterator[Notice]:
    """The bound that holds whatever the distribution (:mod:`core.inference.bounded`) lies above delta.

    Args:
        bound: That bound.
        delta: The tolerance.
        missed: How many rows may miss what kind ("400 texts may miss a rare kind").
        rows: What more is needed of.
    """
    if bound > delta:
        yield Notice(
            "serious",
            f"{missed} whose answer moves altogether: counting that, the bound is {bound:.3g}, above the tolerance.",
            f"Bring more {rows}.",
        )


def decided_otherwise(changed: Share, decision: DecisionSettings, told: str, may: str, advice: str) -> Iterator[Notice]:
    """More rows than tolerated may get another predicted outcome, whatever the mean.

    Args:
        changed: Those that get one.
        decision: Tolerance and error rate.
        told: How many do, up to the share that may.
        may: What follows that share.
        advice: What would help.
    """
    if (most := changed.upper_bound(decision.alpha)) > decision.delta:
        yield Notice("serious", f"{told} {most:.1%} {may}, more than the tolerance.", advice)


def worse_groups(groups: Iterable[str], low: np.ndarray, delta: float, among: str, everybody: str) -> Iterator[Notice]:
    """The means of groups are shown to exceed delta, the mean of all is not.

    Args:
        groups: Names of the groups.
        low: Lower ends of their simultaneous intervals; NaN for groups too small to judge.
        delta: The tolerance.
        among: Whose groups they are ("people of sex").
        everybody: All of them.
    """
    above = [name for name, end in zip(groups, low, strict=True) if end > delta]
    if above:
        yield Notice(
            "serious",
            f"Among {among} {', '.join(above[:3])} the mean exceeds the tolerance, though not over {everybody}.",
            "Look at the groups one by one.",
        )
