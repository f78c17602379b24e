"""What the reports of one estimate have in common: the table of its statistics and its Monte-Carlo error."""

from collections.abc import Callable
from typing import Any

from core.base.tables import Fact, Table
from core.finding import OneEstimateFinding
from core.language.phrases import p_value, percent, whole
from core.language.told import localized, retold, say


def statistics_table(
    finding: OneEstimateFinding[Any, Any],
    column: str,
    name: str,
    value: str,
    interval: str,
    *,
    bound: Callable[[float], str],
    rows: str,
    test: str = say("The test"),
) -> Table:
    """Verdict, estimate, interval, bounds, p-value and number of rows.

    Args:
        finding: The finding.
        column: Heading of the numbers.
        name: What is estimated.
        value: The estimate as people read it; it is not shown where it is undefined, nor is ``interval``.
        interval: The two-sided interval.
        bound: A bound as people read it.
        rows: What n counts ("People").
        test: What the caption begins with.
    """
    alpha, undefined = finding.decision.alpha, bool(finding.undefined)
    confidence = percent(1 - alpha)
    value, interval, lower, upper = (
        (say("not defined"),) * 4
        if undefined
        else (value, interval, bound(finding.lower_bound), bound(finding.upper_bound))
    )
    lines = (
        (say("Verdict"), finding.verdict.words),
        (name, value),
        (say("{confidence} interval, two-sided", confidence=confidence), interval),
        (say("Lower bound, {confidence}, one-sided", confidence=confidence), lower),
        (say("Upper bound, {confidence}, one-sided", confidence=confidence), upper),
        (say("p-value"), p_value(finding.p_value, alpha=alpha)),
        (f"{rows} n", whole(finding.n)),
    )
    return Table(
        say(
            "{test} at tolerance δ = {delta} and error rate α = {alpha}",
            test=retold(test),
            delta=finding.tolerance,
            alpha=localized(f"{alpha:g}"),
        ),
        ("", column),
        lines,
    )


def error_fact(finding: OneEstimateFinding[Any, Any], shown: Callable[[float], str]) -> Fact:
    """How far other random draws would move the bounds."""
    lower, upper = shown(finding.lower_error), shown(finding.upper_error)
    drawn = say(
        "{lower} of the lower bound, {upper} of the upper ({draws} draws)",
        lower=lower,
        upper=upper,
        draws=whole(finding.result.detail.draws),
    )
    return Fact(say("Monte-Carlo standard error"), drawn)
