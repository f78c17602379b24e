"""Who is moved to whom, in words."""

from __future__ import annotations

import numpy as np

from core.audits.transport import maps
from core.audits.transport.decision import Loss
from core.audits.transport.flows import Flow, largest_flows
from core.audits.transport.loss_units import LOSS_UNITS
from core.audits.transport.result import Cells, TransportResult
from core.audits.transport.verdict import TransportFinding
from core.language.told import say
from core.phrases import count, listed, number, percent, precision

_CLEARLY = 0.5
"""From this change of the share with the favourable outcome on, a decision is said to be in favour or against."""


def flow_sentences(finding: TransportFinding, most: int = 3) -> tuple[str, ...]:
    """A plain sentence for each of the largest flows between groups; empty where nobody is moved."""
    if finding.undefined:
        return ()
    cells, outcome, exact = finding.detail.cells, finding.result.data.outcome, _told_apart_exactly(finding.result)
    return tuple(
        flow_sentence(cells, flow, finding.loss, outcome=outcome, exact=exact)
        for flow in largest_flows(cells, finding.part.sample.losses, finding.moves, most)
    )


def flow_sentence(cells: Cells, flow: Flow, loss: Loss, *, outcome: str, exact: bool) -> str:
    """One flow in plain words: who, how they are judged, and how the similar people are judged they are moved to.

    Args:
        cells: The cells.
        flow: The flow.
        loss: The loss it raises.
        outcome: Name of the outcome column.
        exact: Whether people of one cell are alike in all the model reads, so that "they would" may be said.
    """
    who = say(
        "{people} ({cells}) whose true outcome is {outcome} = {labels}",
        people=about(flow.people),
        cells=_who(cells, flow),
        outcome=outcome,
        labels=cells.labels[flow.label],
    )
    similar = say("the similar people {cells}", cells=_whom(cells, flow))
    if loss != "0-1":
        name, decimals = LOSS_UNITS[loss].single, precision(flow.loss_before, flow.loss_after)
        before, after = number(flow.loss_before, decimals), number(flow.loss_after, decimals)
        return say(
            "{who}: their {name} is {before} on average; it is {after} for {similar}.{flow}",
            who=who,
            name=name,
            before=before,
            after=after,
            similar=similar,
            flow=_most_of_them(flow),
        )
    are = "is" if flow.people == 1 else "are"
    if exact and flow.loss_after == 1 and flow.origin != flow.target and not flow.changed:
        differing = " and ".join(f"{name} = {value}" for name, value in _differing(cells, flow))
        twins = say(
            "with {differing} they would be judged {loss_after}",
            differing=differing,
            loss_after=_judged(flow.loss_after),
        )
    else:
        twins = say("{similar} are judged {loss_after}", similar=similar, loss_after=_judged(flow.loss_after))
    return say(
        "{who} {are} judged {loss_before}; {twins}{flow}.{flow2}",
        who=who,
        are=are,
        loss_before=_judged(flow.loss_before),
        twins=twins,
        flow=_in_favour(flow),
        flow2=_most_of_them(flow),
    )


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
    return (
        say("about {people}", people=count(round(people), "person", "people"))
        if people >= 1
        else say("less than one person")
    )


def _who(cells: Cells, flow: Flow) -> str:
    """Group and shared values: ``race = Black, sex = Male; age = 45 and over``."""
    parts = [maps.group_told(cells, flow.origin)]
    everybody = tuple((one.column, one.value) for one in flow.shared if one.people == flow.people)
    if everybody:
        parts.append(_named(everybody))
    return "; ".join(parts)


def _most_of_them(flow: Flow) -> str:
    """Values that most of them share, as a sentence of its own; empty where all share all that is told."""
    some = [one for one in flow.shared if one.people < flow.people]
    if not some:
        return ""
    told = ", ".join(
        say("{people} with {column} = {value}", people=people_text(one.people), column=one.column, value=one.value)
        for one in some
    )
    return say(" Among them are {told}.", told=told)


def _whom(cells: Cells, flow: Flow) -> str:
    """Who the similar people are: ``with race = White and sex = Female``."""
    told = [f"{name} = {value}" for name, value in _differing(cells, flow)]
    told[:1] = [say("with {it}", it=one) for one in told[:1]]
    if flow.origin == flow.target:
        told = [say("of the same group")]
    elif not told:
        told = [say("of the group {groups}", groups=cells.groups[flow.target])]
    if flow.changed:
        told.append(say("who differ in {listed}", listed=listed([_changed(flow, *one) for one in flow.changed])))
    return " and ".join(told)


def _changed(flow: Flow, column: str, people: float) -> str:
    """A column in which they differ from the similar people, with how many of them do where some do not."""
    return (
        column
        if people == flow.people
        else say(
            "{column} ({people} of {people2})",
            column=column,
            people=people_text(people),
            people2=people_text(flow.people),
        )
    )


def _differing(cells: Cells, flow: Flow) -> list[tuple[str, str]]:
    """The target group's values of the protected attributes in which it differs."""
    own = maps.group_values(cells, flow.origin)
    return [pair for pair, mine in zip(maps.group_values(cells, flow.target), own, strict=True) if pair != mine]


def _named(values: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values)


def _judged(wrong: float) -> str:
    """How people are judged of whom a share ``wrong`` is judged wrongly."""
    if wrong in (0.0, 1.0):
        return "wrongly" if wrong else "rightly"
    return say("wrongly in {wrong} of cases", wrong=percent(min(max(round(wrong, 3), 0.001), 0.999)))


def _in_favour(flow: Flow) -> str:
    """Whether those they are judged like are decided in their favour or against them, where that is clear."""
    change = flow.favourable_after - flow.favourable_before
    if not np.isfinite(change) or abs(change) < _CLEARLY:
        return ""
    return say(", in their favour") if change > 0 else say(", against them")


def _told_apart_exactly(result: TransportResult) -> bool:
    """Whether people of one cell are alike in all the model reads."""
    if result.detail.asked is not None:
        return True
    unbinned = {column.name for column in result.detail.cells.columns if not column.edges and not column.merged}
    return set(result.model.encoder.features) <= unbinned
