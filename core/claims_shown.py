"""Claims as people read them: the table of statistics, one table and one chart of any list of claims."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from core.base.tables import NOT_GIVEN, Table
from core.claims import Claim
from core.claims_told import bounds_text, tolerance_number
from core.data.labels import compared_with
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Axis, Line, Row
from core.inference.estimate import Interval, Verdict
from core.language.phrases import count, listed, lower_first, p_value, percent, whole
from core.language.told import localized, retold, say, say_as, say_count

_IS = " = "
_MOST_NAMED = 6
"""People too few to be drawn that are named; of more the number is told."""


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
    caption = at_tolerance(_subject(claim, claims), tolerance, alpha)
    lines = lines_of(claim, verdict, alpha=alpha, rows=rows)
    return Table(caption, ("", say_as("a value", "Found")), tuple(lines.items()))


def at_tolerance(test: str, tolerance: str, alpha: float) -> str:
    """The caption of a table of statistics."""
    return say(
        "{test} at tolerance δ = {delta} and a risk of a wrong verdict of α = {alpha}",
        test=retold(test),
        delta=tolerance,
        alpha=localized(f"{alpha:g}"),
    )


def lines_of(claim: Claim, verdict: Verdict, *, alpha: float, rows: str, estimate: str = "") -> dict[str, str]:
    """Verdict, estimate, interval, bounds, p-value and number of rows of a claim, by what they are called.

    Args:
        claim: The claim.
        verdict: The verdict that follows.
        alpha: The error rate.
        rows: What its people are ("People").
        estimate: What the estimate is called; what the claim calls it if empty.
    """
    confidence = percent(1 - alpha)
    value, interval, lower, upper = (say("not defined"),) * 4 if not claim.defined else _numbers(claim)
    return {
        say("Verdict"): verdict.words,
        retold(estimate) or claim.unit.axis(quantity(claim)): value,
        say("{confidence} interval, two-sided", confidence=confidence): interval,
        say("Lower bound, {confidence}, one-sided", confidence=confidence): lower,
        say("Upper bound, {confidence}, one-sided", confidence=confidence): upper,
        say("p-value"): p_value(claim.p_value, alpha=alpha),
        f"{retold(rows)} n": whole(claim.people),
    }


def quantity(claim: Claim) -> str:
    """What a claim's number is: of those it is about, or by how much they differ from those they are compared with."""
    if not claim.against:
        return claim.what
    what = lower_first(claim.what)
    return say("Ratio of {what}", what=what) if claim.scale == "ratio" else say("Difference in {what}", what=what)


def state(claim: Claim) -> str:
    """What is said of a claim."""
    if not claim.judged:
        return retold(claim.why) if claim.why else say("insufficient evidence")
    if claim.better:
        return say("fares better")
    if claim.within and claim.found_better:
        return say("seems to fare better")
    return {
        Verdict.VIOLATION: say("beyond the tolerance"),
        Verdict.NO_VIOLATION: say("within the tolerance"),
        Verdict.INSUFFICIENT: say("not settled"),
    }[claim.verdict]


def each(claims: Sequence[Claim], *, alpha: float, rows: str, caption: str = "") -> Table:
    """One row a claim, in their order: about whom, estimate, interval, p-value, number of rows, and what is said.

    A column that would hold nothing is left out. What is said follows from the bounds, so it stands only where there is
    no p-value that says it. Claims of several quantities stand side by side.

    Args:
        claims: Claims whose intervals are of the same confidence.
        alpha: The error rate.
        rows: What their people are ("People").
        caption: What they are.
    """
    caption = caption or say("All that was looked at. Intervals and p-values of one quantity hold together.")
    alike, compared = len({(one.what, one.unit) for one in claims}) == 1, any(one.against for one in claims)
    if not alike and not compared:
        return side_by_side(claims, alpha=alpha, rows=rows, caption=caption)
    sure, bounds = percent(1 - alpha), any(one.interval is None and _ends(one) for one in claims)
    columns = {
        claims[0].unit.axis(claims[0].what) if alike else say("Who"): list(map(_who, claims)),
        say("Compared with"): [one.against for one in claims],
        say("Compared in"): ["" if alike else one.what for one in claims],
        say("Their value"): [_side(one, one.here) for one in claims],
        say("Value of the others"): [_side(one, one.there) for one in claims],
        say_as("a value", "Found"): list(map(_found, claims)),
        say("One-sided {confidence} bounds", confidence=sure)
        if bounds
        else say("{confidence} interval, two-sided", confidence=sure): list(map(_interval, claims)),
        say("p-value"): [_p_value(one, alpha) for one in claims],
        f"{retold(rows)} n": [whole(one.people) if one.people else "" for one in claims],
    }
    if all(math.isnan(one.p_value) for one in claims) and any(math.isfinite(one.tolerance) for one in claims):
        columns[say("What is said")] = [state(one) for one in claims]
    return _filled(caption, columns)


def _found(claim: Claim) -> str:
    return _numbers(claim)[0] if claim.defined else ""


def _side(claim: Claim, value: float) -> str:
    """The quantity on one side of a comparison; nothing where only the difference is known."""
    return claim.unit.number(value) if math.isfinite(value) else ""


def side_by_side(
    claims: Sequence[Claim], *, alpha: float, rows: str, caption: str, across: Literal["what", "who"] = "what"
) -> Table:
    """A row for whom claims are about and a column a quantity, or the other way round: estimate, interval, p-value.

    Args:
        claims: Claims whose intervals are of the same confidence.
        alpha: The error rate.
        rows: What their people are ("People").
        caption: What they are.
        across: What has a column each.
    """
    quantities = {one.what: one.unit for one in reversed(claims)}
    alike = {what: {one.unit for one in claims if one.what == what} == {unit} for what, unit in quantities.items()}

    def named(one: Claim, way: str) -> str:
        return pair(one) if way == "who" else one.unit.axis(one.what) if alike[one.what] else one.what

    other = "who" if across == "what" else "what"
    heads, lines = (list(dict.fromkeys(named(one, way) for one in claims)) for way in (across, other))
    found = {(named(one, across), named(one, other)): one for one in claims}
    people = [max(one.people for (_, line), one in found.items() if line == name) for name in lines]
    columns = {"": lines, f"{retold(rows)} n": [whole(n) if n else "" for n in people]}
    for head in heads:
        own = [found.get((head, line)) for line in lines]
        columns[head] = ["" if one is None else _value(one, alpha, named=not alike[one.what]) for one in own]
    told = say("In brackets: {confidence} intervals.", confidence=percent(1 - alpha))
    return _filled(f"{caption.rstrip('.')}. {told}", columns)


def _filled(caption: str, columns: dict[str, list[str]]) -> Table:
    """The columns that hold something, and the first."""
    kept = {head: cells for place, (head, cells) in enumerate(columns.items()) if any(cells) or not place}
    return Table.of_columns(caption, {head: [cell or NOT_GIVEN for cell in cells] for head, cells in kept.items()})


def _p_value(claim: Claim, alpha: float) -> str:
    """The p-value; of a claim that is not judged why, where that is told."""
    if math.isnan(claim.p_value):
        return ""
    return p_value(claim.p_value, alpha=alpha) if _is_tested(claim) else state(claim)


def _is_tested(claim: Claim) -> bool:
    """Whether its p-value counts: of a claim that is not judged, unless it is told why."""
    return claim.judged or not claim.why


def _value(claim: Claim, alpha: float, *, named: bool) -> str:
    """Estimate, interval and p-value in one cell, or why there are none; ``named`` says whether with the unit."""
    told, interval = _p_value(claim, alpha), _interval(claim)
    chance = say("p-value {p}", p=told) if told and _is_tested(claim) else told if told != interval else ""
    if not claim.defined or not (claim.judged or _ends(claim)):
        return f"{interval} ({chance})" if chance else interval
    value = claim.unit.text(claim.estimate) if named else _numbers(claim)[0]
    more = "; ".join(filter(None, (interval, chance)))
    return f"{value} ({more})" if more else value


def draw(
    claims: Sequence[Claim],
    *,
    what: str,
    rows: tuple[str, str] = ("person", "people"),
    level: tuple[float, str] = (0.0, ""),
    axis: str = "",
    too_few: Sequence[str] = (),
) -> Drawing:
    """A row a claim: about whom, estimate with its interval, number of rows, and what is said, beside the tolerance.

    Of more than twelve claims the worst are drawn. Where a p-value says what is shown, markers do not.

    Args:
        claims: One or more claims of one quantity.
        what: What they are, a sentence.
        rows: What one of their people is called, and several.
        level: Where a dotted line stands, nobody being treated otherwise, and what is written at it.
        axis: What the axis is called, without its unit; what the claims measure if empty.
        too_few: Who is not drawn, or not everywhere, since too few people are known.
    """
    first, shown = claims[0], worst(claims)
    unit, tolerance = first.unit, first.tolerance
    said = math.isfinite(tolerance) and all(math.isnan(one.p_value) for one in claims)
    lines = [Line(unit.factor * level[0], level[1])]
    closing = []
    if math.isfinite(tolerance):
        lines.append(Line.tolerance(unit.shown(tolerance), tolerance_number(first)))
        told = f"{tolerance_number(first)} {unit.name}".rstrip()
        closing.append(say("The tolerance is {tolerance}.", tolerance=told))
        if not first.one_sided and any(one.interval and one.interval.low < 0 for one in claims):
            lines.append(Line(-unit.shown(tolerance), "", "dash", theme.ORANGE))
    left_out = []
    if more := len(claims) - len(shown):
        left_out.append(say_count("{n} more is in the table.", "{n} more are in the table.", more))
    if too_few:
        names = listed(too_few, _MOST_NAMED)
        left_out.append(say("Too few people to be drawn everywhere: {names}.", names=names))
    alike = len({one.what for one in claims}) == 1
    drawn = [row_of(one, rows, said=said, detail="" if alike else one.what) for one in shown]
    called = retold(axis) or (first.what if alike else say("difference"))
    along = Axis(unit.axis(lower_first(called)), lines)
    return interval_rows.draw(drawn, along, what=what, closing=" ".join(closing), left_out=" ".join(left_out))


def worst(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that a chart shows, in their order: those furthest out, or the first with a number."""
    held = any(math.isfinite(one.tolerance) for one in claims)
    order = sorted(range(len(claims)), key=lambda place: (_out(claims[place], held=held), place))
    return [claims[place] for place in sorted(order[: theme.MOST_ROWS])]


def _out(claim: Claim, *, held: bool) -> float:
    """What claims are ordered by, those first that have a number, of these the furthest out where any is ``held``."""
    if not held:
        return float(not (claim.defined and claim.judged))
    return -(claim.low if claim.scale == "difference" else -claim.high) if claim.judged else math.inf


def row_of(claim: Claim, rows: tuple[str, str], *, said: bool = False, detail: str = "") -> Row:
    """A claim as a row of a chart.

    Args:
        claim: The claim.
        rows: What one of its people is called, and several.
        said: Whether it is said where it stands, in words, colour and marker.
        detail: What tells it from others of the same people.
    """
    who, unit, people = ", ".join(filter(None, (pair(claim), detail))), claim.unit, count(claim.people, *rows)
    looks: dict[str, Any] = {}
    if not claim.defined or not (claim.judged or _ends(claim)):
        told = short = f"{state(claim)} ({people})" if claim.people else state(claim)
    else:
        ends = _ends(claim)
        numbers = unit.number(claim.estimate, unit.precision(ends.low, ends.high) if ends else None)
        bounds = bounds_text(claim) if said and claim.interval is None else ""
        numbers += f" ({bounds or unit.interval(ends.low, ends.high)})" if ends else ""
        stands, counted = [state(claim)] if said else [], [people] if claim.people else []
        told, short = ", ".join((numbers, *counted, *stands)), ", ".join((numbers, *(stands or counted)))
        looks |= {"value": unit.factor * claim.estimate}
        if ends:
            looks |= {"low": unit.factor * ends.low, "high": unit.factor * ends.high}
        if said:
            looks |= {"colour": theme.VERDICT_COLOUR[claim.verdict], "symbol": theme.VERDICT_MARKER[claim.verdict]}
    if detail:
        looks |= _headed(claim)
    return Row(
        _lines(claim, detail, short),
        f"{theme.literal(who)}<br>{theme.literal(told)}",
        alt=f"{who}: {told}",
        who=who,
        **looks,
    )


def _headed(claim: Claim) -> dict[str, str]:
    """A claim's quantity as a heading, with the attribute that both sides are groups of, and its name below that."""
    sides = [one.partition(_IS) for one in (claim.who, claim.against)]
    if not (sides[0][1] and sides[0][0] == sides[1][0]):
        return {"under": claim.what, "called": pair(claim)}
    under = say("{what}, by {attribute}", what=claim.what, attribute=sides[0][0])
    return {"under": under, "called": say("{who} beside {against}", who=sides[0][2], against=sides[1][2])}


def _lines(claim: Claim, detail: str, told: str) -> str:
    """Whom a claim is about, beside whom, in what, and what is told of it, one below the other where both are long."""
    against = compared_with(claim.who, claim.against)
    beside = say("beside {against}", against=against) if against else ""
    limit = theme.LONGEST_NAME
    parts = ((_who(claim), limit), (beside, limit), (detail, 2 * limit))
    who, *more = (theme.literal(one, longest) for one, longest in parts if one)
    told = theme.literal(told)
    lines = [f"<b>{who}</b>"]
    for words in more or [told]:
        if len(lines) == 1 and theme.letters(f"{who} {words}") <= theme.LONGEST_LINE:
            lines[0] += f" {words}"
        else:
            lines.append(words)
    return "<br>".join([*lines, told] if more else lines)


def pair(claim: Claim) -> str:
    """Whom a claim is about, and whom they are compared with."""
    return say("{who} beside {against}", who=claim.who, against=claim.against) if claim.against else _who(claim)


def _who(claim: Claim) -> str:
    return claim.who or say("Everybody")


def _ends(claim: Claim) -> Interval | None:
    """The two-sided interval, or both bounds where only they are told."""
    low, high = claim.low, claim.high
    known = math.isfinite(low) or math.isfinite(high) if claim.judged else math.isfinite(low + high)
    return claim.interval or (Interval(low, high, math.nan) if known else None)


def _interval(claim: Claim) -> str:
    """Both ends, or why there are none."""
    if not claim.defined:
        return retold(claim.why) or state(claim)
    if ends := _ends(claim):
        return claim.unit.interval(ends.low, ends.high)
    return "" if claim.judged else state(claim)


def _subject(claim: Claim, claims: Sequence[Claim]) -> str:
    """Whose numbers these are."""
    if not claim.who:
        return say("The test")
    if sum(one.judged for one in claims) <= 1:
        return say("The test of {attribute}", attribute=claim.who)
    return say(
        "The test of {attribute}, the one of {several} that decides (adjusted)",
        attribute=claim.who,
        several=sum(one.judged for one in claims),
    )


def _numbers(claim: Claim) -> tuple[str, str, str, str]:
    unit, ends = claim.unit, claim.interval
    decimals = None if ends is None else unit.precision(ends.low, ends.high)
    low, high = (unit.number(one, decimals, beside=claim.tolerance) for one in (claim.low, claim.high))
    interval = NOT_GIVEN if ends is None else unit.interval(ends.low, ends.high)
    return unit.number(claim.estimate, decimals), interval, low, high
