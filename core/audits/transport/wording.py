"""The words of the transport test: its verdict, who is moved to whom, what a budget buys, and what a cell mixes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.audits.transport import maps
from core.audits.transport.decision import Loss, TransportDecision
from core.audits.transport.flows import Flow, largest_flows
from core.audits.transport.result import Cells, TransportResult
from core.inference.estimate import Verdict
from core.inference.resampled import Answers
from core.phrases import count, interval_text, lower_first, number, percent, precision, ratio, without_stop

_HEADLINES = {
    Verdict.VIOLATION: "Violation found",
    Verdict.NO_VIOLATION: "No violation found with this definition of similar",
    Verdict.INSUFFICIENT: "Insufficient evidence",
}

_CLEARLY = 0.5
"""From this change of the share with the favourable outcome on, a decision is said to be in favour or against."""

_ROUNDING = 1e-12

_PROVEN = 1e-9
"""A proof that is missed by no more than this is missed by rounding only."""


@dataclass(frozen=True)
class Measure:
    """How a rise of a mean loss is told.

    Attributes:
        name: What rises, with its article.
        factor: What a loss is multiplied by to be shown.
        unit: What follows the number, with the blank before it.
        single: The loss of one person.
    """

    name: str
    factor: float
    unit: str
    single: str

    def shown(self, value: float) -> float:
        """A loss as it is shown; what is left of 0 by rounding is 0."""
        return 0.0 if abs(value) < _ROUNDING else self.factor * value

    @property
    def axis(self) -> str:
        """The measure as the title of an axis."""
        return f"rise of {self.name}" + (f",{self.unit}" if self.unit else "")


MEASURES: dict[Loss, Measure] = {
    "0-1": Measure("the error rate", 100.0, " percentage points", "error"),
    "log": Measure("the mean logarithmic loss", 1.0, "", "logarithmic loss"),
    "squared": Measure("the mean squared error", 1.0, "", "squared error"),
}


def verdict_headline(result: TransportResult, decision: TransportDecision) -> str:
    """The verdict in a few words, for the top of a card."""
    return _HEADLINES[result.detail.verdict(decision)]


def verdict_sentence(result: TransportResult, decision: TransportDecision) -> str:
    """The verdict in one plain sentence, with people, estimate, interval, bound and tolerance."""
    verdict = result.detail.verdict(decision)
    estimate = result.detail.estimate(decision)
    headline = _HEADLINES[verdict]
    if estimate.undefined:
        return f"{headline}: this test gives no number, because {lower_first(without_stop(estimate.undefined))}."
    found = _found(result, decision)
    tolerated = f"the {tolerance(decision)} tolerated"
    sure = f"with {percent(1 - decision.alpha)} confidence it would rise by"
    if verdict is Verdict.VIOLATION:
        return f"{headline}: {found}; {sure} at least {_bound(estimate, decision, 'lower')}, more than {tolerated}."
    if verdict is Verdict.NO_VIOLATION:
        return f"{headline}: {found}; {sure} at most {_bound(estimate, decision, 'upper')}, within {tolerated}."
    if estimate.lower_bound(decision.alpha) <= decision.delta < estimate.upper_bound(decision.alpha):
        return (
            f"{headline}: {found}; the true rise may lie on either side of {tolerated}, so these rows neither show a "
            "violation nor exclude one."
        )
    reasons = result.detail.reasons(decision)
    why = lower_first(without_stop(reasons[0].what)) if reasons else "the numbers cannot carry a verdict"
    return f"{headline}: {found}, beside {tolerated}, but {why}."


def flow_sentences(result: TransportResult, decision: TransportDecision, most: int = 3) -> tuple[str, ...]:
    """A plain sentence for each of the largest flows between groups; empty where nobody is moved."""
    detail = result.detail
    if detail.estimate(decision).undefined:
        return ()
    cells, sample = detail.cells, detail.part(decision).sample
    found = largest_flows(cells, sample.losses, maps.moves_of(detail, decision), most)
    exact = _told_apart_exactly(result)
    return tuple(flow_sentence(cells, flow, decision.loss, outcome=result.data.outcome, exact=exact) for flow in found)


def flow_sentence(cells: Cells, flow: Flow, loss: Loss, *, outcome: str, exact: bool) -> str:
    """One flow in plain words: who, how they are judged, and how the similar people are judged they are moved to.

    Args:
        cells: The cells.
        flow: The flow.
        loss: The loss it raises.
        outcome: Name of the outcome column.
        exact: Whether people of one cell are alike in all the model reads, so that "were they" may be said.
    """
    who = f"{about(flow.people)} ({_who(cells, flow)}) whose true outcome ({outcome}) is {cells.labels[flow.label]}"
    similar = f"the similar people {_whom(cells, flow)}"
    if loss != "0-1":
        name, decimals = MEASURES[loss].single, precision(flow.loss_before, flow.loss_after)
        before, after = number(flow.loss_before, decimals), number(flow.loss_after, decimals)
        return f"{who}: their {name} is {before} on average; it is {after} for {similar}.{_most_of_them(flow)}"
    are = "is" if flow.people == 1 else "are"
    if exact and flow.loss_after == 1 and flow.origin != flow.target and not flow.changed:
        differing = " and ".join(f"their {name} {value}" for name, value in _differing(cells, flow))
        twins = f"were {differing}, they would be judged {_judged(flow.loss_after)}"
    else:
        twins = f"{similar} are judged {_judged(flow.loss_after)}"
    return f"{who} {are} judged {_judged(flow.loss_before)}; {twins}{_in_favour(flow)}.{_most_of_them(flow)}"


def price_sentence(result: TransportResult, decision: TransportDecision) -> str:
    """What more budget would buy."""
    detail, measure = result.detail, MEASURES[decision.loss]
    if not detail.budget_matters(decision):
        return "Every useful comparison is free, so the size of the budget does not count."
    budget, price = detail.budget(decision), detail.solution(decision).price_low
    if price <= 0:
        return f"A budget above {number(budget)} would change nothing: nobody could be moved to a worse place with it."
    curve = detail.curve(decision)
    step = 10.0 ** math.floor(math.log10((budget or float(curve.budgets[-1])) / 5))
    rest = float(curve.values[-1] - curve.at(np.array([budget]))[0])
    beyond = f" beyond {number(budget)}" if budget > 0 else ""
    gain = amount(min(price * step, rest), decision.loss)
    return f"A further {step:,g} of budget{beyond} raises {measure.name} by up to {gain}."


def mixed_sentence(result: TransportResult, decision: TransportDecision) -> str:
    """How many people are in cells whose members have different losses, and what that means."""
    share = result.detail.part(decision).mixed
    if share == 0:
        return "People of the same kind have the same loss, so each kind's loss is known, not estimated."
    return (
        f"{percent(round(share, 3)) if share >= 0.0005 else 'Less than 0.1%'} of people are of a mixed kind: they "
        "agree with others in the columns that tell people apart here, but the model treats them differently, because "
        "it goes by other columns too or by finer differences. The average of their kind stands for each of them. "
        "What that leaves uncertain is part of the interval, and makes it wide where many kinds are mixed."
    )


def proof_text(certificate: float) -> str:
    """What is proven of the moves, by the largest amount by which a condition of an optimum is missed."""
    if certificate <= _PROVEN:
        return "proven: no other way to move people raises the loss more"
    return f"proven but for {certificate:.1e} of the loss"


def amount(value: float, loss: Loss, decimals: int | None = None) -> str:
    """A rise of a mean loss with its unit: ``6.10 percentage points``, ``0.12``."""
    measure = MEASURES[loss]
    return f"{number(measure.shown(value), decimals)}{measure.unit}"


def tolerance(decision: TransportDecision) -> str:
    """The tolerance in the unit of the loss, with the digits it was given: ``3.65``."""
    return f"{MEASURES[decision.loss].factor * decision.delta:.10g}"


def people_text(people: float, *, signed: bool = False) -> str:
    """A number of people: whole where it is, else one decimal; with ``signed`` ``+3``, ``−1.5``, ``0``."""
    size = abs(people)
    text = "< 0.1" if 0 < size < 0.05 else f"{size:,.1f}".removesuffix(".0")
    if not signed or text == "0":
        return text
    if text.startswith("<"):
        return "≈ 0"
    return f"{'+' if people > 0 else '−'}{text}"


def about(people: float) -> str:
    """A number of people in a sentence: ``31 people``, ``about 31 people``, ``1 person``, ``less than one person``."""
    if people == round(people):
        return count(int(people), "person", "people")
    return f"about {count(round(people), 'person', 'people')}" if people >= 1 else "less than one person"


def _found(result: TransportResult, decision: TransportDecision) -> str:
    detail, measure = result.detail, MEASURES[decision.loss]
    estimate = detail.estimate(decision)
    within = f", within a budget of {number(detail.budget(decision))}," if detail.budget_matters(decision) else ""
    ends = estimate.two_sided(decision.alpha)
    low, high = measure.shown(ends.low), measure.shown(ends.high)
    value = ratio(measure.shown(estimate.value), beside=measure.factor * decision.delta, decimals=precision(low, high))
    people = count(estimate.n, "audited person", "audited people")
    return (
        f"if{within} people were judged like similar people on whom the model does worse, {measure.name} would rise by "
        f"{value}{measure.unit} ({percent(1 - decision.alpha)} interval {interval_text(low, high)}, {people})"
    )


def _bound(estimate: Answers, decision: TransportDecision, side: str) -> str:
    measure = MEASURES[decision.loss]
    ends = estimate.two_sided(decision.alpha)
    bound = estimate.lower_bound(decision.alpha) if side == "lower" else estimate.upper_bound(decision.alpha)
    return ratio(
        measure.shown(bound),
        beside=measure.factor * decision.delta,
        decimals=precision(measure.shown(ends.low), measure.shown(ends.high)),
    )


def _who(cells: Cells, flow: Flow) -> str:
    """Group and shared values: ``race Black, sex Male; age 45 and over``."""
    parts = [_named(maps.group_values(cells, flow.origin)) or cells.groups[flow.origin]]
    everybody = tuple((one.column, one.value) for one in flow.shared if one.people == flow.people)
    if everybody:
        parts.append(_named(everybody))
    return "; ".join(parts)


def _most_of_them(flow: Flow) -> str:
    """Values that most of them share, as a sentence of its own; empty where all share all that is told."""
    some = [one for one in flow.shared if one.people < flow.people]
    if not some:
        return ""
    told = ", ".join(f"{people_text(one.people)} with {one.column} {one.value}" for one in some)
    return f" Among them are {told}."


def _whom(cells: Cells, flow: Flow) -> str:
    """Who the similar people are: ``whose race is White and whose sex is Female``."""
    told = [f"whose {name} is {value}" for name, value in _differing(cells, flow)]
    if flow.origin == flow.target:
        told = ["of the same group"]
    elif not told:
        told = [f"of the group {cells.groups[flow.target]}"]
    if flow.changed:
        told.append(f"who may differ in {', '.join(flow.changed)}")
    return " and ".join(told)


def _differing(cells: Cells, flow: Flow) -> list[tuple[str, str]]:
    """The target group's values of the protected attributes in which it differs."""
    own = maps.group_values(cells, flow.origin)
    return [pair for pair, mine in zip(maps.group_values(cells, flow.target), own, strict=True) if pair != mine]


def _named(values: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values)


def _judged(wrong: float) -> str:
    """How people are judged of whom a share ``wrong`` is judged wrongly."""
    if wrong in (0.0, 1.0):
        return "wrongly" if wrong else "rightly"
    return f"wrongly in {percent(min(max(round(wrong, 3), 0.001), 0.999))} of cases"


def _in_favour(flow: Flow) -> str:
    """Whether those they are judged like are decided in their favour or against them, where that is clear."""
    change = flow.favourable_after - flow.favourable_before
    if not np.isfinite(change) or abs(change) < _CLEARLY:
        return ""
    return ", in their favour" if change > 0 else ", against them"


def _told_apart_exactly(result: TransportResult) -> bool:
    """Whether people of one cell are alike in all the model reads."""
    if result.detail.asked is not None:
        return True
    unbinned = {column.name for column in result.detail.cells.columns if not column.edges and not column.merged}
    return set(result.model.encoder.features) <= unbinned
