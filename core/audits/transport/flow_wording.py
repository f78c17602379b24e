"""Who has similar people judged worse, in words."""

import numpy as np

from core.audits.transport import maps
from core.audits.transport.decision import Loss
from core.audits.transport.flows import FEW, GroupMove, Shared, largest_flows
from core.audits.transport.loss_units import LOSS_UNITS
from core.audits.transport.result import Cells, TransportResult
from core.audits.transport.values import AbstractTransportFinding
from core.data.labels import Alone, as_said, condition, conditions, whom
from core.language.phrases import any_of, count, listed, number, percent, precision, whole
from core.language.told import localized, say, say_count, told

_CLEARLY = 0.5
"""From this change of the share with the favourable outcome on, a decision is said to be in favour or against."""
_MOSTLY = 0.5
"""Above this share of those judged like people of one group, that group is named."""
_HEAVY = 0.2
"""From this share of the people moved on, it is said that they are judged like one person of the table alone."""


def flow_sentences(finding: AbstractTransportFinding, most: int = 3, *, brief: bool = False) -> tuple[str, ...]:
    """What is to be said of the groups most of whom have similar people judged worse; empty where nobody has.

    Args:
        finding: The finding.
        most: How many groups.
        brief: Whether what most people of a group share is left out, and columns in which they have several values.
    """
    if finding.undefined:
        return ()
    cells, outcome, exact = finding.detail.cells, finding.result.data.outcome, _told_apart_exactly(finding.result)
    return tuple(
        flow_sentence(cells, flow, finding.loss, outcome=outcome, exact=exact, brief=brief)
        for flow in largest_flows(cells, finding.part.sample.losses, finding.moves, most, 1 if brief else FEW)
    )


def flow_sentence(cells: Cells, flow: GroupMove, loss: Loss, *, outcome: str, exact: bool, brief: bool = False) -> str:
    """One group in plain words: who, which similar people fare worse, and how the model judges both.

    Args:
        cells: The cells.
        flow: Who of it is moved.
        loss: The loss that rises.
        outcome: Name of the outcome column.
        exact: Whether people of one cell are alike in all the model reads, so that "they would" may be said.
        brief: As for :func:`flow_sentences`.
    """
    classes = [as_said(condition(outcome, name)) for name in cells.labels]
    own = classes.pop(flow.label)
    known = {
        "people": _so_many(flow),
        "outcome": own,
        "they_are": _who(cells, flow),
        "other": classes[0] if len(classes) == 1 else say("another outcome"),
        "in_favour": "" if brief else _in_favour(flow),
        "among_them": f"{'' if brief else _most_of_them(cells, flow)}{_merged(cells, flow)}",
    }
    turned = loss == "0-1" and (flow.loss_before, flow.loss_after) == (0, 1)
    if exact and turned and flow.origin not in flow.targets and not flow.changed and (others := _others(cells, flow)):
        return say_count(
            "{people} ({they_are}) is rightly predicted {outcome}. Among {others} that person would be predicted "
            "{other}{in_favour}.{among_them}",
            "{people} ({they_are}) are rightly predicted {outcome}. Among {others} they would be predicted "
            "{other}{in_favour}.{among_them}",
            _told_as(flow),
            others=others,
            **known | {"people": about(flow.people)},
        )
    known |= {
        "similar": _similar(cells, flow, brief=brief),
        "worse": say("misjudged no more") if flow.rise <= 0 else say("misjudged more"),
        "some": _whole_people(flow.people),
    }
    if loss != "0-1":
        decimals = precision(flow.loss_before, flow.loss_after)
        return say_count(
            "{people} with outcome {outcome} ({they_are}) has similar people {worse}. Of the similar {similar}, the "
            "{loss} is {after} on average; of that person, {before}.{among_them}",
            "{people} with outcome {outcome} ({they_are}) have similar people {worse}. Of the similar {similar}, the "
            "{loss} is {after} on average; of the {some}, {before}.{among_them}",
            _told_as(flow),
            loss=LOSS_UNITS[loss].single,
            before=number(flow.loss_before, decimals),
            after=number(flow.loss_after, decimals),
            **known,
        )
    return say_count(
        "{people} with outcome {outcome} ({they_are}) has similar people {worse}. Of the similar {similar}, {after} "
        "are predicted {other}{in_favour}; of such people as this one, {before}.{among_them}",
        "{people} with outcome {outcome} ({they_are}) have similar people {worse}. Of the similar {similar}, {after} "
        "are predicted {other}{in_favour}; of the {some}, {before}.{among_them}",
        _told_as(flow),
        before=_wrong(flow.loss_before),
        after=_wrong(flow.loss_after),
        **known,
    )


def _told_as(flow: GroupMove) -> int:
    """Whether one person is spoken of, or several."""
    return 1 if flow.people <= 1 else 2


@told
def people_text(people: float, *, signed: bool = False) -> str:
    """A number of people: whole where it is, and from ten on; else one decimal. Signed: ``+3``, ``−1.5``, ``0``."""
    size = abs(people)
    text = "< 0.1" if 0 < size < 0.05 else f"{size:,.0f}" if size >= 10 else f"{size:,.1f}".removesuffix(".0")
    if not signed or text == "0":
        return localized(text)
    if text.startswith("<"):
        return "≈ 0"
    return localized(f"{'+' if people > 0 else '−'}{text}")


def _whole_people(people: float) -> str:
    """A number of people beside others in a sentence, where a part of a person says nothing."""
    return whole(round(people)) if people >= 1 else people_text(people)


def about(people: float) -> str:
    """A number of people in a sentence: ``31 people``, ``about 31 people``, ``1 person``, ``less than one person``."""
    if people == round(people):
        return count(int(people), "person", "people")
    return (
        say("about {people}", people=count(round(people), "person", "people"))
        if people >= 1
        else say("less than one person")
    )


def _so_many(flow: GroupMove) -> str:
    """How many are moved, and of how many such people, where these are not all: ``787 of 1,193 people``."""
    if flow.people < 1 or flow.such - flow.people < 1:
        return about(flow.people)
    return say("{some} of {all}", some=_whole_people(flow.people), all=about(flow.such))


def _who(cells: Cells, flow: GroupMove) -> str:
    """Group and what all have in common: ``race = Black, sex = Male; age = 30 to 44 or 45 and over``."""
    common = [_has(cells, one) for one in flow.shared if one.people == flow.people]
    return "; ".join((maps.group_told(cells, flow.origin), *([", ".join(common)] if common else [])))


def _has(cells: Cells, shared: Shared) -> str:
    """Whose column has one of these values."""
    values = [maps.value_told(cells, shared.column, value) for value in shared.values]
    return any_of([condition(shared.column, values[0]), *values[1:]])


def _most_of_them(cells: Cells, flow: GroupMove) -> str:
    """Values that most of them share, as a sentence of its own; empty where all share all that is told."""
    some = [one for one in flow.shared if one.people < flow.people]
    if not some:
        return ""
    they = ", ".join(
        say(
            "{people} with {value}",
            people=_whole_people(one.people),
            value=as_said(_has(cells, one)),
        )
        for one in some
    )
    return say(" Among the {some} are {they}.", some=_whole_people(flow.people), they=they)


def _similar(cells: Cells, flow: GroupMove, *, brief: bool) -> str:
    """Who the similar people are, and how many: ``people with race = White and sex = Female (9 people, …)``.

    What is said of them is a mean in which each counts as often as somebody is judged like them; not so ``brief``.
    """
    if flow.targets == (flow.origin,):
        who = say("people of the same group")
    else:
        who = _others(cells, flow) or say("people of the group {group}", group=maps.group_name(cells, flow.targets[0]))
    if flow.changed:
        columns = listed([_changed(flow, *one) for one in flow.changed])
        who = say("{who} who differ in {columns}", who=who, columns=columns)
    if not flow.alike:
        return who
    if brief and flow.loss_after in (0, 1):
        return f"{who} ({_whole_people(flow.alike)})"
    if brief:
        return say("{who} (about {people})", who=who, people=_whole_people(flow.alike))
    people = about(flow.alike)
    if flow.alike > 1 and flow.heaviest > _HEAVY:
        share = percent(flow.heaviest)
        return say(
            "{who} ({people}, weighted to match: one alone for {share} of them)", who=who, people=people, share=share
        )
    return say("{who} ({people}, weighted to match)", who=who, people=people)


def _changed(flow: GroupMove, column: str, people: float) -> str:
    """A column in which they differ from the similar people, with how many of them do where some do not."""
    some, everybody = _whole_people(people), _whole_people(flow.people)
    return column if some == everybody else say("{column} ({some} of {all})", column=column, some=some, all=everybody)


def _merged(cells: Cells, flow: GroupMove) -> str:
    """Which values of the table a value that is named holds, where some were put together, a sentence each."""
    named = {*maps.group_values(cells, flow.origin), *maps.group_values(cells, flow.targets[0])}
    named |= {(one.column, maps.value_told(cells, one.column, value)) for one in flow.shared for value in one.values}
    told = []
    for column in cells.columns:
        for into in dict.fromkeys(into for _, into in column.merged):
            name, others = maps.value_told(cells, column.name, into), maps.put_together(column, into)
            in_full = name != into and len(others) <= maps.LISTED
            if (column.name, name) in named and others and not in_full:
                told.append(
                    say(" Here {value} includes {values}.", value=condition(column.name, name), values=listed(others))
                )
    return "".join(told)


def _others(cells: Cells, flow: GroupMove) -> str:
    """The groups they are judged like: by what all of these or most of them have that they do not have themselves."""
    own, *others = (maps.group_values(cells, group) for group in (flow.origin, *flow.targets))
    share: dict[tuple[str, str], float] = {}
    for values, part in zip(others, flow.shares, strict=True):
        for pair in values:
            if pair not in own:
                share[pair] = share.get(pair, 0.0) + part
    if shared := [pair for pair in share if all(pair in other for other in others)]:
        return whom(conditions(shared))
    if len(others) == 1:
        return ""
    common = [pair for pair in others[0] if pair in share] if flow.shares[0] > _MOSTLY else []
    if not common and share and share[largest := max(share, key=share.__getitem__)] > _MOSTLY:
        common = [largest]
    if not common:
        return say("people of several groups")
    most = conditions(common)
    if isinstance(most, Alone):
        return say("people who are mostly {group}", group=most)
    return say("people mostly with {conditions}", conditions=most)


def _wrong(share: float) -> str:
    """A share that is judged wrongly: all or none only where it is."""
    return percent(share if share in (0.0, 1.0) else min(max(round(share, 3), 0.001), 0.999))


def _in_favour(flow: GroupMove) -> str:
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
