"""Every model in a line: the verdict of its own audit with its number, how often it is right, and whom it favours."""

from dataclasses import dataclass

import numpy as np

from core.base.tables import NOT_GIVEN, Table
from core.base.thresholds import FEWEST_ROWS
from core.claims_told import tolerated, value_text
from core.data.labels import compared_with, condition, labelled
from core.language.phrases import count, number, share_text, share_to_one_decimal, shortened, upper_first
from core.language.told import say
from core.report.multiple_tests import TestLine
from core.report.others import sides
from core.workflows.comparison.rates import rates
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.comparison.tests import Tested, tested

_MOST_ATTRIBUTES = 2
"""Attributes whose groups stand in the table: those that differ most."""
_DECIMALS = 2
"""Of shares of right answers, so that the difference of two that are shown is the one that is told."""


@dataclass(frozen=True, eq=False)
class FurthestApart:
    """The two groups of an attribute whose shares of favourable answers differ most with any model.

    Attributes:
        attribute: The attribute.
        groups: The group that gets them less often there, and the other one.
        shares: Their shares with each model, shape (m, 2).
    """

    attribute: str
    groups: tuple[str, str]
    shares: np.ndarray

    @property
    def heading(self) -> str:
        """Both groups."""
        who, others = (condition(self.attribute, group) for group in self.groups)
        return f"{who} / {compared_with(who, others)}"

    @property
    def least(self) -> float:
        """The smallest ratio of the two with any model."""
        return float((self.shares[:, 0] / self.shares[:, 1]).min())

    def told(self, place: int) -> str:
        """Both shares with a model, and their ratio."""
        here, there = self.shares[place]
        known = {"here": share_to_one_decimal(here), "there": share_to_one_decimal(there)}
        return say("{here} / {there} ({ratio} times)", ratio=number(float(here / there), 2), **known)


def furthest_apart(result: ComparisonResult) -> tuple[FurthestApart, ...]:
    """Of each attribute the two groups of at least 30 people that differ most; those that differ most first."""
    if result.favourable < 0:
        return ()
    chosen = (result.answers == result.favourable).astype(np.float64)
    weights = np.ones(chosen.shape[1]) if result.people_of_rows is None else result.people_of_rows
    found = []
    for attribute, names, codes in zip(result.data.protected, result.groups, result.memberships, strict=True):
        people = np.bincount(codes, weights, len(names))
        large = np.flatnonzero(people >= FEWEST_ROWS)
        added = np.array([np.bincount(codes, weights * one, len(names)) for one in chosen])
        shares = added[:, large] / people[large]
        if len(large) < 2 or not (shares.max(axis=1) > 0).all():
            continue
        model = int((shares.min(axis=1) / shares.max(axis=1)).argmin())
        pair = int(shares[model].argmin()), int(shares[model].argmax())
        if pair[0] != pair[1] and (shares[:, pair[1]] > 0).all():
            groups = names[large[pair[0]]], names[large[pair[1]]]
            found.append(FurthestApart(attribute, groups, shares[:, list(pair)]))
    most = tuple(sorted(found, key=lambda one: one.least)[:_MOST_ATTRIBUTES])
    return labelled(most, result.data.labels, result.data.outcome or result.data.decision, result.data.columns)


def line_of(one: Tested) -> TestLine:
    """The test of a model that its audit's headline is of."""
    return one.alone.lines[one.alone.place]


def overview(plan: ComparisonPlan, result: ComparisonResult) -> Table:
    """Every model in a line."""
    found = tested(plan, result)
    apart = furthest_apart(result)
    columns = {
        say("Model"): [one.name for one in found],
        say("Verdict of its own audit"): [verdict_text(one, len(found)) for one in found],
        **_numbers([line_of(one) for one in found]),
    }
    for rate in rates(result):
        if rate.key == "accuracy":
            columns[say("Right answers")] = [share_text(value, _DECIMALS) for value in rate.values]
        elif rate.key == "error":
            columns[rate.what] = [rate.unit.text(value) for value in rate.values]
    columns |= {one.heading: [one.told(place) for place in range(len(found))] for one in apart}
    return Table.of_columns(_caption(result, apart), columns)


def _numbers(lines: list[TestLine]) -> dict[str, list[str]]:
    """The number of each model; what is the same of all of them stands in the heading."""
    known = [(line.measure, line.claim) for line in lines if line.claim is not None and line.claim.defined]
    measures, limits = {measure for measure, _ in known}, {tolerated(claim) for _, claim in known}
    told = [_number(line, measured=len(measures) > 1, limited=len(limits) > 1) for line in lines]
    head = measures.pop() if len(measures) == 1 else say("Its number")
    return {say("{measure} ({tolerated})", measure=head, tolerated=limits.pop()) if len(limits) == 1 else head: told}


def _number(line: TestLine, *, measured: bool, limited: bool) -> str:
    claim = line.claim
    if claim is None or not claim.defined:
        return NOT_GIVEN
    told = ", ".join(filter(None, (value_text(claim), sides(claim))))
    told = say("{measure}: {value}", measure=line.measure, value=told) if measured else told
    return say("{value}; {tolerated}", value=told, tolerated=tolerated(claim)) if limited else told


def _caption(result: ComparisonResult, apart: tuple[FurthestApart, ...]) -> str:
    baseline = result.names[result.baseline]
    same = say("All models on the same {rows}; {baseline} is the baseline.", rows=result.data.rows, baseline=baseline)
    if not apart:
        return same
    of = result.data.outcome or result.data.decision
    answer = labelled(condition(of, result.data.favourable), result.data.labels, of, result.data.columns)
    told = say(
        "Each model in a line; on the right, how often two groups get the favourable answer ({answer}).",
        answer=shortened(answer, 60),
    )
    times = say(
        "They are the two that differ most with any model; in brackets, how many times as often the first gets it."
    )
    return f"{told} {times} {same}"


def verdict_text(one: Tested, models: int) -> str:
    """A model's verdict, and why it is not cleared where an audit of it alone would clear it."""
    if one.verdict is one.alone.verdict:
        return upper_first(one.verdict.words)
    return say(
        "{verdict}: cleared alone, but not as one picked of {models}",
        verdict=upper_first(one.verdict.words),
        models=count(models, "model"),
    )
