"""What speaks against taking an equalized odds verdict at its word."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.effects import MeanEffects
from core.audits.equalized_odds.evidence import Evidence
from core.audits.equalized_odds.gap import EqualizedOddsGap
from core.audits.equalized_odds.result import CONTRADICTED, EqualizedOddsDetail
from core.data.attribute import Attribute
from core.errors import Notice
from core.language.told import localized, say
from core.phrases import count, number, p_value, percent
from core.thresholds import DRAWS, FEWEST_ROWS

Level = Literal["warning", "serious"]
STRETCHED = 3.0
"""From this ratio of the standard deviation to the spread of the middle half on, a few outcomes stretch the tolerance;
it is 1 for normal outcomes, 1.1 for waiting times and 2 for incomes that are log-normal with a deviation of 1."""
_QUARTILES = 1.349
"""Distance of the quartiles of a normal distribution, in standard deviations."""
_ERRORS = 2.0
"""A p-value this many Monte-Carlo errors from alpha could have fallen on its other side."""


def untested(detail: EqualizedOddsDetail) -> Iterator[Notice]:
    """Attributes of which no row could be tested."""
    for test in detail.tests:
        if test.untested:
            yield Notice(
                "serious",
                say(
                    "{attribute} could not be tested: among the {left_out} rows to test, people with {shared} are "
                    "all of one group.",
                    attribute=repr(test.attribute),
                    left_out=localized(f"{test.left_out:,}"),
                    shared=say("the same ") + detail.shared if detail.shared else say("an answer"),
                ),
                say("Bring rows of other groups with the same outcomes, or leave the attribute out."),
            )


def unsound(detail: EqualizedOddsDetail) -> Iterator[Notice]:
    """Tests whose p-value proves nothing."""
    for test in detail.tests:
        if test.calibration is not None and test.calibration.p_value < CONTRADICTED:
            yield Notice(
                "serious",
                say(
                    "One assumption of this test fails for {attribute}: at some outcomes the groups are not as "
                    "frequent as was estimated. Do not use its p-value.",
                    attribute=repr(test.attribute),
                ),
                say("Bring more rows, or cut the outcome into classes, for which the test is exact."),
            )
        if 0 < test.tested < FEWEST_ROWS:
            yield Notice(
                "serious",
                say(
                    "Only {tested} could be tested for {attribute}.",
                    tested=count(test.tested, "row"),
                    attribute=repr(test.attribute),
                ),
                say("Bring more rows."),
            )


def stretched(detail: EqualizedOddsDetail) -> Iterator[Notice]:
    """Outcomes so far from all others that a tolerance counted in spreads is far too wide for those others."""
    if not detail.numbers:
        return
    low, high = np.quantile(detail.outcome, [0.25, 0.75])
    middle = float(high - low) / _QUARTILES
    if middle > 0 and detail.spread > STRETCHED * middle:
        yield Notice(
            "serious",
            say(
                "A few outcomes lie so far from the others that the spread is {spread}, {spread2} times that of "
                "the middle half: the tolerance, a share of it, is wide.",
                spread=number(detail.spread),
                spread2=number(detail.spread / middle),
            ),
            say(
                "Check the largest and smallest outcomes, leave out what is no real value, or set a smaller tolerance."
            ),
        )


def hidden(detail: EqualizedOddsDetail, places: Iterable[int]) -> Iterator[Notice]:
    """Attributes that make a difference, of which a size within the tolerance may not be the largest.

    Args:
        detail: What was found.
        places: Attributes, indices, whose differences lie within the tolerance and do not explain that there is one.
    """
    for place in places:
        one = detail.attributes[place]
        coarse = [
            *([say("parts of the {shared}", shared=detail.shared)] if not detail.strata.exact else []),
            *([say("bins of {name}", name=repr(one.name))] if one.continuous else []),
        ]
        if coarse:
            yield Notice(
                "serious",
                say(
                    "Whole {coarse} differ by no more than is tolerated; within them people could differ by more.",
                    coarse=" and ".join(coarse),
                ),
                say("Cut it into the classes or groups that matter, so that they are compared with each other."),
            )


def small(
    detail: EqualizedOddsDetail, gaps: Sequence[EqualizedOddsGap], effects: Sequence[MeanEffects], level: Level
) -> Iterator[Notice]:
    """Groups that cannot be cleared; a violation that is shown stands beside them.

    Args:
        detail: What was found.
        gaps: The gap of each attribute.
        effects: Their differences of means, which the verdict rests on where there are any.
        level: How serious that is.
    """
    for place, one in enumerate(detail.attributes):
        if effects:
            yield from _unclear(one, effects[place], level, detail.shared)
            continue
        cells = gaps[place].small
        if len(cells):
            stratum, group = map(int, cells[0])
            yield Notice(
                level,
                say(
                    "{cells} fewer than 30 people, too few to clear: {name} = {groups}{value}{value2}.",
                    cells=_combinations(len(cells), one.name, detail.shared),
                    name=one.name,
                    groups=one.groups[group],
                    value=say(" with {stratum}", stratum=detail.stratum(stratum)) if detail.shared else "",
                    value2=say(" is the first") if len(cells) > 1 else "",
                ),
                say("Merge small groups, or bring more rows."),
            )


def _unclear(attribute: Attribute, effects: MeanEffects, level: Level, shared: str) -> Iterator[Notice]:
    if effects.unclear:
        first, second = (attribute.groups[group] for group in effects.unclear[0])
        others = (
            say(" ({unclear} of groups)", unclear=count(len(effects.unclear), "pair"))
            if len(effects.unclear) > 1
            else ""
        )
        alike = say(" with a similar {shared}", shared=shared) if shared else ""
        yield Notice(
            level,
            say(
                "Groups of {name} have too few people{alike} to be cleared: {first} and {second}{others}.",
                name=repr(attribute.name),
                alike=alike,
                first=first,
                second=second,
                others=others,
            ),
            say("Merge small groups, or bring more rows."),
        )


def _combinations(cells: int, attribute: str, shared: str) -> str:
    if shared:
        return say(
            "{cells} {value} of {attribute} and {shared} {cells2}",
            cells=cells,
            value="combination" if cells == 1 else "combinations",
            attribute=repr(attribute),
            shared=shared,
            cells2=_have(cells),
        )
    return say(
        "{cells} {value} of {attribute} {cells2}",
        cells=cells,
        value="group" if cells == 1 else "groups",
        attribute=repr(attribute),
        cells2=_have(cells),
    )


def _have(cells: int) -> str:
    return "has" if cells == 1 else "have"


def left_out(detail: EqualizedOddsDetail) -> Iterator[Notice]:
    """Rows that could not be compared."""
    for test in detail.tests:
        if test.single_strata and not test.untested:
            yield Notice(
                "warning",
                say(
                    "{left_out} not tested for {attribute}: everybody with their outcome is of one group "
                    "({single_strata}).",
                    left_out=count(test.left_out, "row was", "rows were"),
                    attribute=repr(test.attribute),
                    single_strata=count(test.single_strata, "outcome"),
                ),
                say("Merge outcomes, or bring rows of other groups with them."),
            )
        if test.tiny_strata:
            yield Notice(
                "info",
                say(
                    "{tiny_strata} with very few people of several groups hardly matter{value} for {attribute}.",
                    tiny_strata=count(test.tiny_strata, "outcome"),
                    value="s" if test.tiny_strata == 1 else "",
                    attribute=repr(test.attribute),
                ),
            )


def close(
    detail: EqualizedOddsDetail, evidence: Sequence[Evidence], decision: EqualizedOddsDecision
) -> Iterator[Notice]:
    """p-values that other draws could have put on the other side of the error rate."""
    for one, attribute in zip(evidence, detail.attributes, strict=True):
        p = one.p_value(decision.delta)
        if 0 < abs(p - decision.alpha) <= _ERRORS * math.sqrt(len(evidence) * p / DRAWS):
            yield Notice(
                "warning",
                say(
                    "The p-value of {name} is so close to the error rate that another seed may decide otherwise.",
                    name=repr(attribute.name),
                ),
                say("Bring more rows."),
            )


def out_of_reach(detail: EqualizedOddsDetail, alpha: float, judged: int) -> Iterator[Notice]:
    """An error rate so small that no number of draws made here can show a difference beyond the tolerance."""
    if detail.numbers or not detail.strata.exact:
        return
    draw = 1 / (DRAWS + 1)
    finest = [min(draw, 1 / (len(test.null) + 1)) * 2 if test.sound else draw for test in detail.tests]
    smallest = judged * max(draw, min(finest))
    if smallest > alpha:
        yield Notice(
            "warning",
            say(
                "No violation can be shown at an error rate of {alpha}: with so many draws and {judged} no "
                "p-value is smaller than {smallest}.",
                alpha=percent(alpha),
                judged=count(judged, "protected attribute"),
                smallest=p_value(smallest),
            ),
            say("Choose an error rate of at least {smallest}, or test fewer attributes.", smallest=p_value(smallest)),
        )
