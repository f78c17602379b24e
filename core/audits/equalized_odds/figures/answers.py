"""What people of each group are answered, by what they have in common (papers/fair-dummies.md, Fig. 1)."""

import numpy as np
import plotly.graph_objects as go

from core.audits.equalized_odds.cells import rows_of
from core.audits.equalized_odds.figures import panels
from core.audits.equalized_odds.figures.panels import GroupPanel
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.spreads import Spread, is_share, spreads, together
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_answers import given_name, given_text, middle, score_name, told
from core.data.labels import condition
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Axis, Row
from core.language.phrases import count, lower_first
from core.language.told import say, say_count

MOST_GROUPS = 8
MOST_STRATA = 6
"""Groups, and outcomes or answers, that are drawn at most: those with most people."""


def applies(finding: EqualizedOddsFinding) -> bool:
    """Whether any group has enough people that its answers are nobody's in particular."""
    return any(one.known for one in spreads(finding.result.detail, finding.place))


def draw(finding: EqualizedOddsFinding) -> Drawing:
    """Rows of groups below each stratum, or a panel a group where people are compared by a number."""
    detail, place = finding.result.detail, finding.place
    return _rows(finding, place) if detail.strata.exact else Drawing(_panels(detail, place), _of_panels(detail, place))


def _of_panels(detail: EqualizedOddsDetail, place: int) -> str:
    """The panels in words: each group's lowest, middle and highest bin."""
    one, groups = detail.attributes[place], _largest_groups(detail, place)
    found = [spread for spread in spreads(detail, place) if spread.group in groups]
    said = []
    for g in groups:
        own = [spread for spread in found if spread.group == g and spread.known]
        chosen = [own[i] for i in sorted({0, len(own) // 2, len(own) - 1})] if own else []
        said += [
            f"{one.name} = {one.groups[g]}, {given_text(detail, spread)}: {told(detail, spread)}" for spread in chosen
        ]
        said += [] if own else [say("{group}: insufficient evidence", group=condition(one.name, one.groups[g]))]
    return say(
        "{what} by {given} and group of {attribute}. {told}.",
        what=score_name(detail),
        given=given_name(detail),
        attribute=one.name,
        told="; ".join(said),
    )


def _rows(finding: EqualizedOddsFinding, place: int) -> Drawing:
    detail = finding.result.detail
    one, groups, strata = detail.attributes[place], _largest_groups(detail, place), _largest_strata(detail)
    found = {(spread.stratum, spread.group): spread for spread in spreads(detail, place)}
    drawn = []
    for stratum in strata:
        if detail.shared:
            drawn.append(Row(f"<b>{theme.literal(detail.stratum(stratum), theme.LONGEST_NAME)}</b>"))
        for g in groups:
            spread, group = found.get((stratum, g)), condition(one.name, one.groups[g])
            drawn.append(
                Row(say("{group}: nobody", group=theme.literal(group, theme.LONGEST_NAME)))
                if spread is None
                else _row(finding, spread, group)
            )
    title = _title(score_name(detail), 44, in_percent=not detail.numbers)
    title += _strata_left_out(detail, len(detail.strata.names) - len(strata))
    title += _groups_left_out(len(one.groups) - len(groups))
    what = say("{what} by group of {attribute}.", what=score_name(detail), attribute=one.name)
    return interval_rows.draw(drawn, Axis(title, span=None if detail.numbers else (-3.0, 103.0)), what=what)


def _row(finding: EqualizedOddsFinding, spread: Spread, group: str) -> Row:
    detail = finding.result.detail
    name, said = theme.literal(group, theme.LONGEST_NAME), told(detail, spread)
    who = f"{detail.stratum(spread.stratum)}, {group}" if detail.shared else group
    alt = f"{who}: {said}"
    under, called = (_heading(finding, spread.stratum), group) if detail.shared else ("", "")
    if not spread.known:
        return Row(f"{name}: {said}", alt=alt, who=who, under=under, called=called)
    scale, shares = 1.0 if detail.numbers else 100.0, is_share(detail)
    people = count(spread.people, "person", "people")
    return Row(
        words=f"{name}: {middle(detail, spread)}, {people}",
        told=f"<b>{name}</b><br>{said}",
        value=scale * spread.middle,
        low=scale * spread.low if shares else np.nan,
        high=scale * spread.high if shares else np.nan,
        alt=alt,
        box=() if shares else tuple(scale * value for value in (spread.least, spread.low, spread.high, spread.most)),
        who=who,
        under=under,
        called=called,
    )


def _heading(finding: EqualizedOddsFinding, stratum: int) -> str:
    """What the people of a stratum share, and whether its shares are of the answer that is good for them."""
    detail, good = finding.result.detail, finding.result.data.favourable
    told = detail.stratum(stratum)
    if not good or detail.given or detail.asks != "equalized odds" or not is_share(detail):
        return told
    return (
        say("{outcome}: how many get the favourable answer", outcome=told)
        if detail.strata.name(stratum) == good
        else say("{outcome}: how many get the unfavourable answer", outcome=told)
    )


def _panels(detail: EqualizedOddsDetail, place: int) -> go.Figure:
    one, groups = detail.attributes[place], _largest_groups(detail, place)
    people_of = np.bincount(one.codes, detail.times, len(one.groups))
    found = spreads(detail, place)
    across = 100.0 if detail.asks == "calibration" and not detail.numbers else 1.0
    up = 1.0 if detail.numbers else 100.0
    everybody = [spread for spread in together(detail) if spread.known]
    drawn = []
    for g in groups:
        own = [spread for spread in found if spread.group == g and spread.known]
        people = count(int(people_of[g]), "person", "people")
        drawn.append(
            GroupPanel(
                head=f"<b>{theme.literal(condition(one.name, one.groups[g]), theme.LONGEST_LINE)}</b>: "
                + (people if own else say("insufficient evidence ({people})", people=people)),
                x=across * np.array([spread.given for spread in own]),
                y=up * np.array([spread.middle for spread in own]),
                low=up * np.array([spread.low for spread in own]),
                high=up * np.array([spread.high for spread in own]),
                told=tuple(theme.literal(given_text(detail, s)) + f"<br>{told(detail, s)}" for s in own),
            )
        )
    title = _title(given_name(detail), 40, in_percent=across > 1)
    return panels.draw(
        drawn,
        x_title=title + _groups_left_out(len(one.groups) - len(groups)),
        y_title=_title(lower_first(score_name(detail)), 44, in_percent=not detail.numbers),
        line=(
            across * np.array([spread.given for spread in everybody]),
            up * np.array([spread.middle for spread in everybody]),
        ),
        line_told=say("all groups together"),
    )


def _largest_groups(detail: EqualizedOddsDetail, place: int) -> list[int]:
    one = detail.attributes[place]
    return _largest(np.bincount(one.codes, detail.times, len(one.groups)), MOST_GROUPS)


def _largest_strata(detail: EqualizedOddsDetail) -> list[int]:
    rows = rows_of(detail.strata.codes, np.zeros_like(detail.strata.codes), 1, detail.sampling)
    return _largest(np.pad(rows[:, 0], (0, len(detail.strata.names) - len(rows))), MOST_STRATA)


def _largest(people: np.ndarray, most: int) -> list[int]:
    """The indices with most people, in their own order; nobody is no entry."""
    return sorted(int(i) for i in np.argsort(-people, kind="stable")[:most] if people[i])


def _title(what: str, limit: int, *, in_percent: bool) -> str:
    """An axis' title, safe for plotly."""
    name = theme.literal(what, limit)
    return say("{what}, in %", what=name) if in_percent else name


def _strata_left_out(detail: EqualizedOddsDetail, n: int) -> str:
    if n <= 0:
        return ""
    if detail.given:
        more = say_count(
            "{n} combination with fewer people is not shown", "{n} combinations with fewer people are not shown", n
        )
    elif detail.asks == "calibration":
        more = say_count("{n} answer with fewer people is not shown", "{n} answers with fewer people are not shown", n)
    else:
        more = say_count(
            "{n} outcome with fewer people is not shown", "{n} outcomes with fewer people are not shown", n
        )
    return f"<br>{more}"


def _groups_left_out(n: int) -> str:
    if n <= 0:
        return ""
    more = say_count("{n} group with fewer people is not shown", "{n} groups with fewer people are not shown", n)
    return f"<br>{more}"
