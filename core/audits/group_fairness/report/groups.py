"""Groups as tables: the law's rates and ratios, errors, and how far groups lie apart."""

from collections.abc import Sequence
from typing import get_args

import numpy as np

from core.audits.group_fairness.metrics import rows_with
from core.audits.group_fairness.table import GroupMeasure, GroupTable, Name
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_groups import compared, insufficient, measure_name, measured, remark
from core.base.tables import NOT_GIVEN, Table
from core.claims import Claim
from core.claims_shown import each
from core.group_answers import SCREENING, GroupAnswers
from core.language.phrases import count, p_value, percent, share_to_one_decimal, upper_first, whole
from core.language.told import localized, say, say_count

MOST_CLASSES = 8
"""Classes with a column of their own, those decided most often."""
_SELECTION: Name = "selection rate"
_RATES: tuple[Name, ...] = (_SELECTION, "scoring rate")
_ERRORS: tuple[Name, ...] = tuple(name for name in get_args(Name) if name not in _RATES)


def tables(finding: GroupFairnessFinding) -> dict[str, Table]:
    """Tables by the name of the figure they stand below; two have none.

    "groups impact" where answers can be favourable; "groups rates" where outcomes are known; "groups
    differences"; and "groups classes" where there are more than two.
    """
    detail, found = finding.result.detail, finding.group_tables
    told = {"groups impact": _impact(finding)} if found[0].impacts else {}  # verbatim
    if detail.has_outcomes:
        answers = GroupAnswers.of(finding.result)
        names = {upper_first(measure_name(name, answers)) for name in _ERRORS}
        rates = [one for one in finding.parts["groups rates"] if one.what in names]  # verbatim
        told["groups rates"] = _listed(finding, rates, _rates(found, finding.decision.alpha))  # verbatim
    told["groups differences"] = _differences(finding)  # verbatim
    if len(detail.classes) > 2:
        told["groups classes"] = _classes(finding)  # verbatim
    return told


def _listed(finding: GroupFairnessFinding, claims: Sequence[Claim], caption: str) -> Table:
    return each(claims, alpha=finding.decision.alpha, rows=say("People"), caption=caption)


def impact_tables(finding: GroupFairnessFinding) -> tuple[Table, ...]:
    """A table for each attribute and for each two, as the city's rule asks (6 RCNY § 5-301 (b), (c)); no intervals."""
    return tuple(_law_table(finding, table) for table in finding.group_tables if table.impacts)


def _law_table(finding: GroupFairnessFinding, table: GroupTable) -> Table:
    """Number, rate and impact ratio of each category; of a category too small to be judged the counted rate."""
    detail, family = finding.result.detail, table.family
    selected = rows_with(detail.decisions == detail.favourable, family)
    columns: dict[str, list[str]] = {
        say("Category"): [family.group(g) for g in range(len(family.groups))],
        say("People"): [whole(int(rows)) for rows in family.rows],
    }
    remarks: list[list[str]] = [[] for _ in family.groups]
    for impact in table.impacts:
        measure = table.measure(impact.of)
        if measure is None:
            continue
        rates = np.array(measure.values, dtype=np.float64)
        if impact.of == _SELECTION:
            columns[say("Selected")] = [whole(int(people)) for people in selected]
            rates = np.where(np.isnan(rates), selected / family.rows, rates)
        columns[upper_first(measure_name(impact.of))] = [
            NOT_GIVEN if np.isnan(rate) else share_to_one_decimal(rate) for rate in rates
        ]
        of = say("Impact ratio") if len(table.impacts) == 1 else _ratio_name(impact.of)
        columns[of] = [NOT_GIVEN if np.isnan(value) else localized(f"{value:.2f}") for value in impact.values]
        for g, said in enumerate(remarks):
            said.append(remark(family, impact, g))
    columns[say("Remark")] = [_joined([impact.of for impact in table.impacts], said) for said in remarks]
    unknown = family.left_out + int(family.rows[family.unknown].sum())
    caption = say("Rates and impact ratios by {attribute}.", attribute=family.name)
    if detail.numbers:
        caption = f"{caption} {_scoring_rate(finding)}"
    if unknown:
        caption = f"{caption} {_not_known(count(unknown, 'person', 'people'))}"
    return Table.of_columns(caption, columns)


def _not_known(people: str) -> str:
    return say("Not known, and so not compared: {people}.", people=people)


def _ratio_name(of: Name) -> str:
    """A column of impact ratios, where there are two."""
    return say("Impact ratio of selection rates") if of == _SELECTION else say("Impact ratio of scoring rates")


def _impact(finding: GroupFairnessFinding) -> Table:
    detail, found, alpha = finding.result.detail, finding.group_tables, finding.decision.alpha
    rates = [name for name in _RATES if found[0].impact(name) is not None]
    header = [say("Group"), say("People"), say("Share of all")]
    for name in rates:
        chosen = [say("Selected")] if name == _SELECTION else []
        screening = localized(f"{SCREENING:g}")
        below = (
            say("Selection ratio shown to be below {screening}? (adjusted p-value)", screening=screening)
            if name == _SELECTION
            else say("Scoring ratio shown to be below {screening}? (adjusted p-value)", screening=screening)
        )
        header += [*chosen, upper_first(measure_name(name)), _ratio_name(name), below]
    rows = []
    places = [[one.of for one in found[0].impacts].index(name) for name in rates]
    chances = [finding.four_fifths(place) for place in places]
    for number, table in enumerate(found):
        family = table.family
        selected = rows_with(detail.decisions == detail.favourable, family)
        for g in range(len(family.groups)):
            row = [table.family.named(g), whole(int(family.rows[g])), share_to_one_decimal(float(family.shares[g]))]
            remarks = []
            for name, chance in zip(rates, chances, strict=True):
                measure, impact = table.measure(name), table.impact(name)
                if measure is None or impact is None:
                    continue
                ratio = NOT_GIVEN if np.isnan(impact.values[g]) else compared(impact, g)
                if name == _SELECTION:
                    row.append(whole(int(selected[g])))
                rate = _cell(table, measure, g, shares=True)
                if name == _SELECTION and not family.judged[g]:
                    rate = say(
                        "{share}, too few people for an interval",
                        share=percent(round(selected[g] / family.rows[g], 3)),
                    )
                row += [rate, ratio, _below(float(chance[number][g]), alpha)]
                remarks.append(remark(family, impact, g))
            rows.append((*row, _joined(rates, remarks)))
    header.append(say("Remark"))
    about: dict[Name, str] = {
        "selection rate": say("Selection rate: share of favourable decisions."),
        "scoring rate": _scoring_rate(finding),
    }
    caption = say(
        "Rates and impact ratios. {definitions} Impact ratio: a group's rate over the highest one's (New York City "
        "Local Law 144). {screening} is the four-fifths rule of the Uniform Guidelines (29 CFR 1607.4(D)), a reason to "
        "look closer; the city's rule has no such mark. {sure} intervals: of a rate by itself, of all ratios of a "
        "column together. Which ratios are shown to be below {screening} is also for all of them together, with a risk "
        "of {alpha} of being wrong; one that is not shown to be may still lie below.",
        definitions=" ".join(about[name] for name in rates),
        screening=localized(f"{SCREENING:g}"),
        sure=percent(1 - alpha),
        alpha=percent(alpha),
    )
    return Table(_with(caption, _left_out(found)), tuple(header), tuple(rows))


def _below(chance: float, alpha: float) -> str:
    """Whether a ratio is shown to be below the screening ratio, by the p-value of its being at least that."""
    if np.isnan(chance):
        return NOT_GIVEN
    told = p_value(chance, alpha=alpha)
    return say("shown (p {p_value})", p_value=told) if chance <= alpha else say("not shown (p {p_value})", p_value=told)


def _scoring_rate(finding: GroupFairnessFinding) -> str:
    """Which answers a scoring rate counts."""
    if finding.result.detail.numbers and finding.good_end == "low":
        return say(
            "Scoring rate: share of answers below the median of all, people of unknown groups included, since low "
            "numbers are good."
        )
    return say("Scoring rate: share of answers above the median of all, people of unknown groups included.")


def _with(*sentences: str) -> str:
    """Sentences one after the other; empty ones are none."""
    return " ".join(filter(None, sentences))


def _rates(found: tuple[GroupTable, ...], alpha: float) -> str:
    """What the rates and errors of groups are."""
    return _with(
        say("Rates and errors. {sure} intervals, each by itself.", sure=percent(1 - alpha)),
        say("Mean prediction: of the probability of the favourable class.")
        if found[0].measure("mean error") is not None and found[0].measure("RMSE") is None
        else "",
        say("Mean error: prediction less outcome.") if found[0].measure("mean error") is not None else "",
        _left_out(found),
    )


def _differences(finding: GroupFairnessFinding) -> Table:
    caption = say(
        "How far groups lie apart. The largest difference between two groups with at least 30 people, as "
        "fairlearn defines it (largest less smallest); points are percentage points. The {sure} "
        "intervals of one measure hold together for all attributes, whichever groups truly differ most.",
        sure=percent(1 - finding.decision.alpha),
    )
    return _listed(finding, finding.parts["groups differences"], caption)  # verbatim


def _classes(finding: GroupFairnessFinding) -> Table:
    detail = finding.result.detail
    often = np.bincount(detail.decisions, detail.times, len(detail.classes))
    kept = [detail.classes[int(k)] for k in np.argsort(-often, kind="stable")[:MOST_CLASSES]]
    n = len(detail.classes) - len(kept)
    caption = _with(
        say(
            "Share decided for each class. {sure} intervals, each by itself.", sure=percent(1 - finding.decision.alpha)
        ),
        say_count("{n} class decided less often left out.", "{n} classes decided less often left out.", n) if n else "",
    )
    claims = [one for one in finding.parts["groups classes"] if one.of in kept]  # verbatim
    return _listed(finding, sorted(claims, key=lambda one: kept.index(one.of)), caption)


def _cell(table: GroupTable, measure: GroupMeasure, g: int, *, shares: bool) -> str:
    if not table.family.judged[g]:
        return insufficient()
    return measured(measure, g, shares=shares)


def _joined(rates: list[Name], remarks: list[str]) -> str:
    if len(set(remarks)) == 1:
        return remarks[0]
    return "; ".join(f"{measure_name(name)}: {said}" for name, said in zip(rates, remarks, strict=True) if said)


def _left_out(found: tuple[GroupTable, ...]) -> str:
    unknown = {
        one.family.name: one.family.left_out + int(one.family.rows[one.family.unknown].sum())
        for one in found
        if len(one.family.attributes) == 1
    }
    said = [
        say("{people} by {attribute}", people=count(people, "person", "people"), attribute=name)
        for name, people in unknown.items()
        if people
    ]
    return _not_known(", ".join(said)) if said else ""
