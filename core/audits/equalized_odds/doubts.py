"""What speaks against taking an equalized odds verdict at its word."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np

from core.audits.equalized_odds.compared import alike, nearly_alike
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.effects import MeanEffects
from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.audits.equalized_odds.parts import FEWEST_A_PART
from core.audits.equalized_odds.result import CONTRADICTED, EqualizedOddsDetail
from core.base.errors import Caveat
from core.base.thresholds import DRAWS, FEWEST_CLUSTERS, FEWEST_ROWS
from core.data.attribute import Attribute
from core.data.labels import condition
from core.inference.evidence import Evidence
from core.language.phrases import count, listed, number, p_value, percent, quoted, whole
from core.language.told import say, say_count

Level = Literal["warning", "serious"]
STRETCHED = 3.0
"""From this ratio of the standard deviation to the spread of the middle half on, a few outcomes stretch the tolerance;
it is 1 for normal outcomes, 1.1 for waiting times and 2 for incomes that are log-normal with a deviation of 1."""
_QUARTILES = 1.349
"""Distance of the quartiles of a normal distribution, in standard deviations."""
_ERRORS = 2.0
"""A p-value this many Monte-Carlo errors from alpha could have fallen on its other side."""


def untested(detail: EqualizedOddsDetail) -> Iterator[Caveat]:
    """Attributes of which no row could be tested."""
    for test in detail.tests:
        if test.untested:
            yield Caveat(
                "serious",
                say(
                    "{attribute} could not be tested: among the {rows} rows to test, people {with_the_same} are all "
                    "of one group.",
                    attribute=quoted(test.attribute),
                    rows=whole(test.left_out),
                    with_the_same=alike(detail) or say("with an answer"),
                ),
                say("Bring rows of other groups with the same outcomes, or leave the attribute out."),
            )


def unsound(detail: EqualizedOddsDetail) -> Iterator[Caveat]:
    """Tests whose p-value proves nothing."""
    for test in detail.tests:
        if test.calibration is not None and test.calibration.p_value < CONTRADICTED:
            yield Caveat(
                "serious",
                say(
                    "One assumption of this test fails for {attribute}: at some outcomes the groups are not as "
                    "frequent as was estimated. Do not use its p-value.",
                    attribute=quoted(test.attribute),
                ),
                say("Bring more rows, or cut the outcome into classes, for which the test is exact."),
            )
        if 0 < test.tested < FEWEST_ROWS:
            yield Caveat(
                "serious",
                say(
                    "Only {rows} could be tested for {attribute}.",
                    rows=count(test.tested, "row"),
                    attribute=quoted(test.attribute),
                ),
                say("Bring more rows."),
            )


def stretched(detail: EqualizedOddsDetail) -> Iterator[Caveat]:
    """Outcomes so far from all others that a tolerance counted in spreads is far too wide for those others."""
    if not detail.numbers:
        return
    low, high = np.quantile(detail.outcome, [0.25, 0.75])
    middle = float(high - low) / _QUARTILES
    if middle > 0 and detail.spread > STRETCHED * middle:
        yield Caveat(
            "serious",
            say(
                "A few outcomes lie so far from the others that the spread is {spread}, {times} times that of the "
                "middle half: the tolerance, a share of it, is wide.",
                spread=number(detail.spread),
                times=number(detail.spread / middle),
            ),
            say(
                "Check the largest and smallest outcomes, leave out what is no real value, or set a smaller tolerance."
            ),
        )


def hidden(detail: EqualizedOddsDetail, places: Iterable[int]) -> Iterator[Caveat]:
    """Attributes that make a difference, of which a size within the tolerance may not be the largest.

    Args:
        detail: What was found.
        places: Attributes, indices, whose differences lie within the tolerance and do not explain that there is one.
    """
    for place in places:
        one = detail.attributes[place]
        coarse = [
            *([] if detail.strata.exact else [_parts(detail)]),
            *([say("bins of {name}", name=quoted(one.name))] if one.continuous else []),
        ]
        if coarse:
            yield Caveat(
                "serious",
                say(
                    "Averages over {coarse}, which stay within the tolerance, do not show what differs inside.",
                    coarse=listed(coarse),
                ),
                say(
                    "Bring {name} cut into the classes that matter, so that people within them are compared.",
                    name=quoted(one.name) if detail.strata.exact else _compared_by(detail),
                ),
            )


def _compared_by(detail: EqualizedOddsDetail) -> str:
    return say("the answers") if detail.asks == "calibration" else say("the outcome")


def _parts(detail: EqualizedOddsDetail) -> str:
    return say("parts of the answer") if detail.asks == "calibration" else say("parts of the outcome")


def small(
    detail: EqualizedOddsDetail,
    gaps: Sequence[EqualizedOddsGap],
    effects: Sequence[MeanEffects],
    level: Level,
    belongs_to: str = "",
) -> Iterator[Caveat]:
    """Groups that cannot be cleared; a violation that is shown stands beside them.

    Args:
        detail: What was found.
        gaps: The gap of each attribute.
        effects: Their differences of means, which the verdict rests on where there are any.
        level: How serious that is.
        belongs_to: What rows belong to that count together; empty where each counts for itself.
    """
    for place, one in enumerate(detail.attributes):
        if effects:
            if effects[place].unclear:
                yield Caveat(level, *_unclear(one, effects[place], nearly_alike(detail), belongs_to))
            continue
        gap = gaps[place]
        for scarce in (False, True):
            cells = gap.small[gap.scarce == scarce]
            if not len(cells):
                continue
            stratum, group = map(int, cells[0])
            first = condition(one.name, one.groups[group])
            if detail.shared:
                first = say("{group} with {stratum}", group=first, stratum=detail.stratum(stratum))
            fewest = say("30 people")
            if scarce:
                fewest = say("{fewest} different {belongs_to}", fewest=FEWEST_CLUSTERS, belongs_to=quoted(belongs_to))
            yield Caveat(
                level,
                _too_few(len(cells), one.name, detail.shared, fewest, first),
                say("Merge small groups, or bring rows of more {belongs_to}.", belongs_to=quoted(belongs_to))
                if scarce
                else say("Merge small groups, or bring more rows."),
            )


def _unclear(attribute: Attribute, effects: MeanEffects, similar: str, belongs_to: str) -> tuple[str, str]:
    """Which groups cannot be cleared, and how many people it takes."""
    pair = listed([attribute.groups[group] for group in effects.unclear[0]])
    if len(effects.unclear) > 1:
        pairs = count(len(effects.unclear), "pair of groups", "pairs of groups")
        pair = say("{groups} ({pairs_of_groups})", groups=pair, pairs_of_groups=pairs)
    name, units = quoted(attribute.name), quoted(belongs_to)
    if similar and belongs_to:
        told = say(
            "Groups of {name} have rows of too few different {belongs_to} {with_a_similar} to be cleared: {pair}.",
            name=name,
            belongs_to=units,
            with_a_similar=similar,
            pair=pair,
        )
    elif similar:
        told = say(
            "Groups of {name} have too few people {with_a_similar} to be cleared: {pair}.",
            name=name,
            with_a_similar=similar,
            pair=pair,
        )
    elif belongs_to:
        told = say(
            "Groups of {name} have rows of too few different {belongs_to} to be cleared: {pair}.",
            name=name,
            belongs_to=units,
            pair=pair,
        )
    else:
        told = say("Groups of {name} have too few people to be cleared: {pair}.", name=name, pair=pair)
    return told, _needed(similar, units if belongs_to else "")


def _needed(similar: str, belongs_to: str) -> str:
    """What it takes to clear groups, as advice."""
    if similar and belongs_to:
        return say(
            "Differences are bounded in three parts; each needs rows of at least {fewest} different {belongs_to} in "
            "both groups. Bring more, or merge small groups.",
            fewest=FEWEST_A_PART,
            belongs_to=belongs_to,
        )
    if similar:
        return say(
            "Differences are bounded in three parts; each needs at least {fewest} people of both groups. Bring more, "
            "or merge small groups.",
            fewest=FEWEST_A_PART,
        )
    if belongs_to:
        return say(
            "Each group needs rows of at least {fewest} different {belongs_to}. Bring more, or merge small groups.",
            fewest=FEWEST_ROWS,
            belongs_to=belongs_to,
        )
    return say("Each group needs at least {fewest} people. Bring more, or merge small groups.", fewest=FEWEST_ROWS)


def _too_few(cells: int, attribute: str, shared: str, fewest: str, first: str) -> str:
    """How many groups are too small, and the first of them."""
    if shared:
        return say_count(
            "{n} combination of {attribute} and {outcome} has fewer than {fewest}, too few to clear: {first}.",
            "{n} combinations of {attribute} and {outcome} have fewer than {fewest}, too few to clear: {first} is the "
            "first.",
            cells,
            attribute=quoted(attribute),
            outcome=shared,
            fewest=fewest,
            first=first,
        )
    return say_count(
        "{n} group of {attribute} has fewer than {fewest}, too few to clear: {first}.",
        "{n} groups of {attribute} have fewer than {fewest}, too few to clear: {first} is the first.",
        cells,
        attribute=quoted(attribute),
        fewest=fewest,
        first=first,
    )


def left_out(detail: EqualizedOddsDetail) -> Iterator[Caveat]:
    """Rows that could not be compared."""
    for test in detail.tests:
        if test.single_strata and not test.untested:
            yield Caveat(
                "warning",
                say_count(
                    "{n} row was not tested for {attribute}: everybody with their outcome is of one group "
                    "({outcomes}).",
                    "{n} rows were not tested for {attribute}: everybody with their outcome is of one group "
                    "({outcomes}).",
                    test.left_out,
                    attribute=quoted(test.attribute),
                    outcomes=count(test.single_strata, "outcome"),
                ),
                say("Merge outcomes, or bring rows of other groups with them."),
            )
        if test.tiny_strata:
            yield Caveat(
                "info",
                say_count(
                    "{n} outcome with very few people of several groups hardly matters for {attribute}.",
                    "{n} outcomes with very few people of several groups hardly matter for {attribute}.",
                    test.tiny_strata,
                    attribute=quoted(test.attribute),
                ),
            )


def close(
    detail: EqualizedOddsDetail, evidence: Sequence[Evidence], decision: EqualizedOddsDecision
) -> Iterator[Caveat]:
    """p-values that other draws could have put on the other side of the error rate."""
    for one, attribute in zip(evidence, detail.attributes, strict=True):
        p = one.p_value(decision.delta)
        if 0 < abs(p - decision.alpha) <= _ERRORS * math.sqrt(len(evidence) * p / DRAWS):
            yield Caveat(
                "warning",
                say(
                    "The p-value of {name} is so close to the risk taken that another seed may decide otherwise.",
                    name=quoted(attribute.name),
                ),
                say("Bring more rows."),
            )


def out_of_reach(detail: EqualizedOddsDetail, alpha: float, judged: int) -> Iterator[Caveat]:
    """An error rate so small that no number of draws made here can show a difference beyond the tolerance."""
    if detail.numbers or not detail.strata.exact:
        return
    draw = 1 / (DRAWS + 1)
    finest = [min(draw, 1 / (len(test.null) + 1)) * 2 if test.sound else draw for test in detail.tests]
    smallest = judged * max(draw, min(finest))
    if smallest > alpha:
        yield Caveat(
            "warning",
            say(
                "No violation can be shown with a risk of {alpha} of being wrong: with so many draws and {attributes} "
                "no p-value is smaller than {smallest}.",
                alpha=percent(alpha),
                attributes=count(judged, "protected attribute"),
                smallest=p_value(smallest),
            ),
            say("Take a risk of at least {smallest}, or test fewer attributes.", smallest=p_value(smallest)),
        )
