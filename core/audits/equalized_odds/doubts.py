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
                f"{test.attribute!r} could not be tested: among the {test.left_out:,} rows to test, people with "
                f"{'the same ' + detail.shared if detail.shared else 'an answer'} are all of one group.",
                "Bring rows of other groups with the same outcomes, or leave the attribute out.",
            )


def unsound(detail: EqualizedOddsDetail) -> Iterator[Notice]:
    """Tests whose p-value proves nothing."""
    for test in detail.tests:
        if test.calibration is not None and test.calibration.p_value < CONTRADICTED:
            yield Notice(
                "serious",
                f"One assumption of this test fails for {test.attribute!r}: at some outcomes the groups are not as "
                "frequent as was estimated. Do not use its p-value.",
                "Bring more rows, or cut the outcome into classes, for which the test is exact.",
            )
        if 0 < test.tested < FEWEST_ROWS:
            yield Notice(
                "serious",
                f"Only {count(test.tested, 'row')} could be tested for {test.attribute!r}.",
                "Bring more rows.",
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
            f"A few outcomes lie so far from the others that the spread is {number(detail.spread)}, "
            f"{number(detail.spread / middle)} times that of the middle half: the tolerance, a share of it, is wide.",
            "Check the largest and smallest outcomes, leave out what is no real value, or set a smaller tolerance.",
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
            *([f"parts of the {detail.shared}"] if not detail.strata.exact else []),
            *([f"bins of {one.name!r}"] if one.continuous else []),
        ]
        if coarse:
            yield Notice(
                "serious",
                f"Whole {' and '.join(coarse)} differ by no more than is tolerated; within them people could differ "
                "by more.",
                "Cut it into the classes or groups that matter, so that they are compared with each other.",
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
                f"{_combinations(len(cells), one.name, detail.shared)} fewer than 30 people, too few to clear: "
                f"{one.name} = {one.groups[group]}{f' with {detail.stratum(stratum)}' if detail.shared else ''}"
                f"{' is the first' if len(cells) > 1 else ''}.",
                "Merge small groups, or bring more rows.",
            )


def _unclear(attribute: Attribute, effects: MeanEffects, level: Level, shared: str) -> Iterator[Notice]:
    if effects.unclear:
        first, second = (attribute.groups[group] for group in effects.unclear[0])
        others = f" ({count(len(effects.unclear), 'pair')} of groups)" if len(effects.unclear) > 1 else ""
        alike = f" with a similar {shared}" if shared else ""
        yield Notice(
            level,
            f"Groups of {attribute.name!r} have too few people{alike} to be cleared: {first} and {second}{others}.",
            "Merge small groups, or bring more rows.",
        )


def _combinations(cells: int, attribute: str, shared: str) -> str:
    if shared:
        return f"{cells} {'combination' if cells == 1 else 'combinations'} of {attribute!r} and {shared} {_have(cells)}"
    return f"{cells} {'group' if cells == 1 else 'groups'} of {attribute!r} {_have(cells)}"


def _have(cells: int) -> str:
    return "has" if cells == 1 else "have"


def left_out(detail: EqualizedOddsDetail) -> Iterator[Notice]:
    """Rows that could not be compared."""
    for test in detail.tests:
        if test.single_strata and not test.untested:
            yield Notice(
                "warning",
                f"{count(test.left_out, 'row was', 'rows were')} not tested for {test.attribute!r}: everybody with "
                f"their outcome is of "
                f"one group ({count(test.single_strata, 'outcome')}).",
                "Merge outcomes, or bring rows of other groups with them.",
            )
        if test.tiny_strata:
            yield Notice(
                "info",
                f"{count(test.tiny_strata, 'outcome')} with very few people of several groups hardly matter"
                f"{'s' if test.tiny_strata == 1 else ''} for "
                f"{test.attribute!r}.",
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
                f"The p-value of {attribute.name!r} is so close to the error rate that another seed may decide "
                "otherwise.",
                "Bring more rows.",
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
            f"No violation can be shown at an error rate of {percent(alpha)}: with so many draws and "
            f"{count(judged, 'protected attribute')} no p-value is smaller than {p_value(smallest)}.",
            f"Choose an error rate of at least {p_value(smallest)}, or test fewer attributes.",
        )
