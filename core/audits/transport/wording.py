"""The words of the transport test: its verdict, who is moved to whom, what a budget buys, and what a cell mixes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core import sentences
from core.audits.transport import maps
from core.audits.transport.decision import Loss, TransportDecision
from core.audits.transport.flows import Flow, largest_flows
from core.audits.transport.result import Cells, TransportResult
from core.audits.transport.verdict import TransportFinding
from core.inference.estimate import Verdict
from core.models.predictions import PredictionModel
from core.next_steps import more_rows
from core.phrases import count, interval_text, number, percent, precision, ratio

_CLEARLY = 0.5
"""From this change of the share with the favourable outcome on, a decision is said to be in favour or against."""

_MUCH = 0.2
"""From this share of people on a lack is worth mending."""
_FEW = 0.5
"""Below this share of people who can be compared the strata are too fine."""

_ROUNDING = 1e-12

_PROVEN = 1e-9
"""A proof that is missed by no more than this is missed by rounding only."""


@dataclass(frozen=True)
class LossUnit:
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


LOSS_UNITS: dict[Loss, LossUnit] = {
    "0-1": LossUnit("the error rate", 100.0, " percentage points", "error"),
    "log": LossUnit("the mean logarithmic loss", 1.0, "", "logarithmic loss"),
    "squared": LossUnit("the mean squared error", 1.0, "", "squared error"),
}


def headline(finding: TransportFinding) -> str:
    """The verdict in a few words, for the top of a card."""
    return sentences.headline(finding, "with this definition of similar")


def sentence(finding: TransportFinding) -> str:
    """The verdict in one plain sentence, with people, estimate, interval, bound and tolerance."""
    if finding.undefined:
        return sentences.no_number(finding)
    rest = sentences.conclusion(
        finding,
        _found(finding),
        f"the {tolerance(finding.decision)} tolerated",
        lambda value: _bound(finding, value),
        sure="it would rise by",
        beyond="more than",
        truth="the true rise",
    )
    return f"{finding.headline}: {rest}."


def flow_sentences(finding: TransportFinding, most: int = 3) -> tuple[str, ...]:
    """A plain sentence for each of the largest flows between groups; empty where nobody is moved."""
    if finding.undefined:
        return ()
    cells, outcome, exact = finding.detail.cells, finding.result.data.outcome, _told_apart_exactly(finding.result)
    return tuple(
        flow_sentence(cells, flow, finding.loss, outcome=outcome, exact=exact)
        for flow in largest_flows(cells, finding.part.sample.losses, finding.moves, most)
    )


def next_steps(finding: TransportFinding) -> tuple[str, ...]:
    """What would help, the most helpful first, a sentence or two each; empty where the verdict is clear."""
    if finding.verdict is not Verdict.INSUFFICIENT:
        return ()
    advice = tuple(notice.advice for notice in finding.reasons if notice.advice)
    if finding.undefined:
        return advice
    decision = finding.decision
    more = more_rows(finding.inference, decision.delta, decision.alpha, ("person", "people"), "the rise")
    return (*_other_strata(finding), *_ask_the_model(finding), *more) or advice


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
        name, decimals = LOSS_UNITS[loss].single, precision(flow.loss_before, flow.loss_after)
        before, after = number(flow.loss_before, decimals), number(flow.loss_after, decimals)
        return f"{who}: their {name} is {before} on average; it is {after} for {similar}.{_most_of_them(flow)}"
    are = "is" if flow.people == 1 else "are"
    if exact and flow.loss_after == 1 and flow.origin != flow.target and not flow.changed:
        differing = " and ".join(f"their {name} {value}" for name, value in _differing(cells, flow))
        twins = f"were {differing}, they would be judged {_judged(flow.loss_after)}"
    else:
        twins = f"{similar} are judged {_judged(flow.loss_after)}"
    return f"{who} {are} judged {_judged(flow.loss_before)}; {twins}{_in_favour(flow)}.{_most_of_them(flow)}"


def price_sentence(finding: TransportFinding) -> str:
    """What more budget would buy."""
    measure = LOSS_UNITS[finding.loss]
    if not finding.budget_matters:
        return "Every useful comparison is free, so the size of the budget does not count."
    budget, price, curve = finding.budget, finding.price, finding.curve
    if price <= 0:
        return f"A budget above {number(budget)} would change nothing: nobody could be moved to a worse place with it."
    step = 10.0 ** math.floor(math.log10((budget or float(curve.budgets[-1])) / 5))
    rest = float(curve.values[-1] - curve.at(np.array([budget]))[0])
    beyond = f" beyond {number(budget)}" if budget > 0 else ""
    gain = amount(min(price * step, rest), finding.loss)
    return f"A further {step:,g} of budget{beyond} raises {measure.name} by up to {gain}."


def mixed_sentence(finding: TransportFinding) -> str:
    """How many people are in cells whose members have different losses, and what that means."""
    share = finding.part.mixed
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
    measure = LOSS_UNITS[loss]
    return f"{number(measure.shown(value), decimals)}{measure.unit}"


def tolerance(decision: TransportDecision) -> str:
    """The tolerance in the unit of the loss, with the digits it was given: ``3.65``."""
    return f"{LOSS_UNITS[decision.loss].factor * decision.delta:.10g}"


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


def _found(finding: TransportFinding) -> str:
    measure, ends = LOSS_UNITS[finding.loss], finding.interval
    within = f", within a budget of {number(finding.budget)}," if finding.budget_matters else ""
    value = _bound(finding, finding.estimate)
    confidence = percent(1 - finding.decision.alpha)
    people = count(finding.n, "audited person", "audited people")
    return (
        f"if{within} people were judged like similar people on whom the model does worse, {measure.name} would rise by "
        f"{value}{measure.unit} ({confidence} interval "
        f"{interval_text(measure.shown(ends.low), measure.shown(ends.high))}, {people})"
    )


def _bound(finding: TransportFinding, value: float) -> str:
    """A value with the digits that tell it from the tolerance, and the ends of the interval from each other."""
    measure, ends = LOSS_UNITS[finding.loss], finding.interval
    return ratio(
        measure.shown(value),
        beside=measure.factor * finding.decision.delta,
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


def _other_strata(finding: TransportFinding) -> Iterator[str]:
    """Finer strata where they hide what the model goes by; coarser ones where people are alone in theirs."""
    detail, mixed = finding.detail, finding.part.mixed
    if mixed > _MUCH:
        yield (
            f"Change the kinds of people: {percent(round(mixed, 2))} of people are of a kind that the model does not "
            "treat alike. Add the columns it goes by, or limits where its answers change."
        )
    if not detail.by_distance and detail.alone > _MUCH:
        yield (
            f"Tell people apart by fewer columns or wider bins: {percent(round(detail.alone, 2))} of people are the "
            "only one of their kind."
        )
    elif detail.comparable_share < _FEW:
        yield (
            f"Tell people apart by fewer columns or wider bins: only {percent(round(detail.comparable_share, 2))} of "
            "people have somebody like them in another group."
        )


def _ask_the_model(finding: TransportFinding) -> Iterator[str]:
    """Asking the model itself, where people in the table do not settle it."""
    model = finding.result.model
    if finding.detail.asked is not None or finding.part.mixed <= _MUCH:
        return
    if model.kind == PredictionModel.kind:
        yield (
            "Ask for the model itself: with it everybody can be compared with themselves in every other group, and "
            "nothing is hidden by the kinds."
        )
    elif set(model.encoder.features) & set(finding.result.data.protected):
        yield "Compare with the same people in every group: the model can be asked about them."
    else:
        yield "Run the gradient-flow test too: it learns which columns give a person's group away."
