"""Doubts about a verdict that several tests have in common."""

from collections.abc import Iterator

import numpy as np

from core.base.errors import Caveat
from core.base.thresholds import FEWEST_ROWS
from core.contracts.decision import DecisionSettings
from core.data.labels import condition, whom
from core.inference.evidence import Drawn, Estimated
from core.inference.excess import LEVEL, GroupExcess
from core.inference.share import Share
from core.inference.tails import doubtful_tail
from core.language.phrases import listed, percent, share_text, share_to_tenths, whole
from core.language.told import say
from core.language.units import POINTS, Unit

_MOST_NAMED = 3
"""Groups that are named; of more it is said how many."""

_ERRORS = 2.0
"""A bound this many Monte-Carlo errors from delta could have fallen on its other side."""


def close_to_delta(estimate: Estimated, decision: DecisionSettings, unit: Unit, advice: str = "") -> Iterator[Caveat]:
    """Other random draws could have put a bound on the other side of delta; ``advice`` says what would help."""
    if not isinstance(estimate, Drawn):
        return
    bounds = (
        (estimate.lower_bound(decision.alpha), estimate.lower_error(decision.alpha), False),
        (estimate.upper_bound(decision.alpha), estimate.upper_error(decision.alpha), True),
    )
    for bound, error, upper in bounds:
        if error > 0 and abs(bound - decision.delta) <= _ERRORS * error:
            yield Caveat(
                "warning", _close(unit.text(bound, beside=decision.delta), unit.text(error), upper=upper), advice
            )


def _close(bound: str, error: str, *, upper: bool) -> str:
    if upper:
        return say(
            "The upper bound, {bound}, is so close to the tolerance that other random draws may turn the verdict: its "
            "Monte-Carlo error is {error}.",
            bound=bound,
            error=error,
        )
    return say(
        "The lower bound, {bound}, is so close to the tolerance that other random draws may turn the verdict: its "
        "Monte-Carlo error is {error}.",
        bound=bound,
        error=error,
    )


def out_of_reach(most: float, delta: float) -> Iterator[Caveat]:
    """A tolerance of differences of shares, ``delta``, that none can exceed where no group has a larger one."""
    if most < delta:
        yield Caveat(
            "serious",
            say(
                "No group gets the rarer answer more often than {share}, so that no difference can exceed the "
                "tolerance of {tolerance} points.",
                share=share_to_tenths(most),
                tolerance=POINTS.plain_tolerance(delta),
            ),
            say("Choose a smaller tolerance."),
        )


def few_carry_the_mean(values: np.ndarray, those: str, more: str) -> Iterator[Caveat]:
    """The normal approximation is doubtful.

    Args:
        values: What the mean is of, shape (n,).
        those: What people call the rows ("people"), one of our own words.
        more: What to bring.
    """
    if (tail := doubtful_tail(values)) is not None:
        yield Caveat(
            "warning",
            say(
                "A few {those} carry the mean: the largest 1% hold {share} of the sum.",
                those=say(those),
                share=share_text(tail.share, 0),
            ),
            say("Look at these {those}, and bring {more}.", those=say(those), more=say(more)),
        )


def decided_otherwise(changed: Share, decision: DecisionSettings, told: str, may: str, advice: str) -> Iterator[Caveat]:
    """More rows than tolerated may get another predicted outcome, whatever the mean.

    Args:
        changed: Those that get one.
        decision: Tolerance and error rate.
        told: How many do, up to the share that may.
        may: What follows that share.
        advice: What would help.
    """
    if (most := changed.upper_bound(decision.alpha)) > decision.delta:
        yield Caveat(
            "serious",
            say("{told} {most} {may}, more than the tolerance.", told=told, most=share_text(most, 1), may=may),
            advice,
        )


def worse_groups(beyond: tuple[GroupExcess, ...], delta: float, rows: str, otherwise: str) -> Iterator[Caveat]:
    """Groups are shown to be beyond the tolerance, whatever the mean of all; of few rows no number is told.

    Args:
        beyond: These groups.
        delta: The tolerance, of the mean and of the share decided otherwise.
        rows: What their rows are ("people").
        otherwise: What happens to their predicted outcome ("are decided otherwise").
    """
    for one in beyond[:_MOST_NAMED]:
        told = _treated_worse(one, delta, say(rows), otherwise)
        yield Caveat("serious", told, say("Look at the groups one by one."))


def _treated_worse(found: GroupExcess, delta: float, rows: str, otherwise: str) -> str:
    """What of a group is shown to be beyond the tolerance: the mean, the share decided otherwise, or both."""
    known = {"n": whole(found.rows), "rows": rows, "attribute": found.attribute, "group": found.group}
    who = (
        say(
            "The {n} {rows} with {attribute} = {group}, put into other groups of {moved}, are treated beyond the "
            "tolerance",
            **known,
            moved=found.moved,
        )
        if found.moved
        else say("The {n} {rows} with {attribute} = {group} are treated beyond the tolerance", **known)
    )
    if found.rows < FEWEST_ROWS:
        return f"{who}."
    share, tolerated = percent(round(found.changed.value, 3)), POINTS.plain_tolerance(delta)
    mean = say(
        "the answer changes by {mean} on average ({tolerance} are tolerated)",
        mean=POINTS.text(found.mean, beside=delta),
        tolerance=tolerated,
    )
    decided = say(
        "{share} {otherwise} ({tolerance}% are tolerated)", share=share, otherwise=otherwise, tolerance=tolerated
    )
    told = [(p, words) for p, words in ((found.p_mean, mean), (found.p_changed, decided)) if p <= LEVEL]
    return f"{who}: {listed([one for _, one in sorted(told)])}."


def beyond_clause(beyond: tuple[GroupExcess, ...]) -> str:
    """These groups in a headline; empty without any."""
    if not beyond:
        return ""
    named = [condition(one.attribute, one.group) for one in beyond]
    return say("; beyond the tolerance for {named}", named=listed(named, _MOST_NAMED))


def beyond_sentence(beyond: tuple[GroupExcess, ...]) -> str:
    """These groups as a sentence behind a headline, which has no full stop; empty without any."""
    if not beyond:
        return ""
    first = beyond[0]
    who = whom(condition(first.attribute, first.group))
    if len(beyond) == 1:
        return say(". But {who} are treated beyond the tolerance", who=who)
    return say(". But {who} and {n} more are treated beyond the tolerance", who=who, n=whole(len(beyond) - 1))
