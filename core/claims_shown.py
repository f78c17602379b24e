"""Claims as people read them: the table of statistics, and the chart of one claim."""

from __future__ import annotations

from collections.abc import Sequence

from core.base.tables import NOT_GIVEN, Table
from core.claims import Claim
from core.inference.estimate import Verdict
from core.language.phrases import lower_first, p_value, percent, whole
from core.language.told import localized, retold, say, say_as

_CHOSEN = 6
"""Characters of a tolerance that somebody chose; one that has more was chosen in another unit."""


def in_a_line(claim: Claim) -> str:
    """Who, in what, by how much, and what is tolerated, amid a sentence."""
    exactly = claim.unit.plain_tolerance(claim.tolerance)
    known = {
        "what": lower_first(claim.what),
        "value": claim.unit.text(claim.estimate, beside=claim.tolerance),
        "tolerance": exactly if len(exactly) <= _CHOSEN else claim.unit.number(claim.tolerance),
    }
    if claim.against:
        return say(
            "{who} and {against} differ by {value}, where {tolerance} is tolerated ({what})",
            who=claim.who,
            against=claim.against,
            **known,
        )
    if claim.who:
        return say("{what} {value} for {who}, where {tolerance} is tolerated", who=claim.who, **known)
    return say("{what} {value}, where {tolerance} is tolerated", **known)


def statistics(
    claim: Claim, claims: Sequence[Claim], verdict: Verdict, *, alpha: float, tolerance: str, rows: str
) -> Table:
    """Verdict, estimate, interval, bounds, p-value and number of rows of one claim.

    Args:
        claim: The claim that decides.
        claims: All claims of the result, which hold together.
        verdict: The verdict.
        alpha: The error rate.
        tolerance: The tolerance with its unit.
        rows: What its people are ("People").
    """
    confidence = percent(1 - alpha)
    value, interval, lower, upper = (say("not defined"),) * 4 if not claim.defined else _numbers(claim)
    lines = [
        (say("Verdict"), verdict.words),
        (claim.unit.axis(claim.what), value),
        (say("{confidence} interval, two-sided", confidence=confidence), interval),
        (say("Lower bound, {confidence}, one-sided", confidence=confidence), lower),
        (say("Upper bound, {confidence}, one-sided", confidence=confidence), upper),
        (say("p-value"), p_value(claim.p_value, alpha=alpha)),
        (f"{retold(rows)} n", whole(claim.people)),
    ]
    return Table(
        say(
            "{test} at tolerance δ = {delta} and error rate α = {alpha}",
            test=_subject(claim, claims),
            delta=tolerance,
            alpha=localized(f"{alpha:g}"),
        ),
        ("", say_as("a value", "Found")),
        tuple(lines),
    )


def each(claims: Sequence[Claim], *, alpha: float, rows: str) -> Table:
    """One row a claim, in their order: whom it is about, estimate, interval, p-value and number of rows.

    Args:
        claims: All claims of a result, which hold together.
        alpha: The error rate.
        rows: What their people are ("People").
    """
    alike = len({one.what for one in claims}) == 1
    lines = []
    for one in claims:
        value, interval, *_ = (say("not defined"),) * 2 if not one.defined else _numbers(one)
        name = one.who or say("Everybody")
        lines.append(
            (
                name if alike else f"{name}: {one.unit.axis(one.what)}",
                value,
                interval,
                p_value(one.p_value, alpha=alpha),
                whole(one.people),
            )
        )
    return Table(
        say("All that was looked at. Intervals and p-values hold together."),
        (
            claims[0].unit.axis(claims[0].what) if alike else "",
            say_as("a value", "Found"),
            say("{confidence} interval, two-sided", confidence=percent(1 - alpha)),
            say("p-value"),
            f"{retold(rows)} n",
        ),
        tuple(lines),
    )


def _subject(claim: Claim, claims: Sequence[Claim]) -> str:
    """Whose numbers these are."""
    if not claim.who:
        return say("The test")
    if len(claims) == 1:
        return say("The test of {attribute}", attribute=claim.who)
    return say(
        "The test of {attribute}, the one of {several} attributes that decides (adjusted)",
        attribute=claim.who,
        several=len(claims),
    )


def _numbers(claim: Claim) -> tuple[str, str, str, str]:
    unit, ends = claim.unit, claim.interval
    decimals = None if ends is None else unit.precision(ends.low, ends.high)
    low, high = (unit.number(one, decimals, beside=claim.tolerance) for one in (claim.low, claim.high))
    interval = NOT_GIVEN if ends is None else unit.interval(ends.low, ends.high)
    return unit.number(claim.estimate, decimals), interval, low, high
