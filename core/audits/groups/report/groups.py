"""The groups of a fair-dummies test as tables: the law's rates and ratios, errors, and how far groups lie apart."""

from __future__ import annotations

import numpy as np

from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.groups.of_detail import tables_of
from core.audits.groups.table import GroupTable, Measure, Name
from core.audits.groups.wording_groups import (
    INSUFFICIENT,
    SCREENING,
    apart,
    compared,
    family_name,
    group_name,
    measured,
    remark,
)
from core.phrases import count, percent
from core.report.tables import Table

MOST_CLASSES = 8
"""Classes with a column of their own, those decided most often."""
_NOT_GIVEN = "–"
_RATES: tuple[Name, ...] = ("selection rate", "scoring rate")
_ERRORS: tuple[Name, ...] = (
    "true-positive rate",
    "false-positive rate",
    "accuracy",
    "balanced accuracy",
    "mean prediction",
    "mean outcome",
    "mean error",
    "RMSE",
    "mean absolute error",
)


def tables(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> dict[str, Table]:
    """Tables by the name of the figure they stand below; two have none.

    "groups impact" where answers can be favourable or are numbers; "groups rates"; "groups differences"; and "groups
    classes" where there are more than two.
    """
    found, shares = tables_of(detail, decision), not detail.numbers
    told = {"groups impact": _impact(found, decision)} if found[0].impacts else {}
    told["groups rates"] = _rates(found, decision, shares=shares)
    told["groups differences"] = _differences(found, decision, shares=shares)
    if len(detail.classes) > 2:
        told["groups classes"] = _classes(found, detail, decision)
    return told


def _impact(found: tuple[GroupTable, ...], decision: EqualizedOddsDecision) -> Table:
    rates = [name for name in _RATES if found[0].impact(name) is not None]
    header = ["Group", "People", "Share of all"]
    for name in rates:
        header += [name.capitalize(), f"Impact ratio of {name}s"]
    rows = []
    for table in found:
        family = table.family
        for g in range(len(family.groups)):
            row = [_named(table, g), f"{family.rows[g]:,}", percent(round(float(family.shares[g]), 3))]
            remarks = []
            for name in rates:
                measure, impact = table.measure(name), table.impact(name)
                if measure is None or impact is None:
                    continue
                ratio = _NOT_GIVEN if np.isnan(impact.values[g]) else compared(impact, g)
                row += [_cell(table, measure, g, shares=True), ratio]
                remarks.append(remark(family, impact, g))
            rows.append((*row, _joined(rates, remarks)))
    header.append("Remark")
    about = {
        "selection rate": "Selection rate: share of favourable decisions.",
        "scoring rate": "Scoring rate: share of answers above the median of all.",
    }
    caption = (
        f"Rates and impact ratios. {' '.join(about[name] for name in rates)} Impact ratio: a group's rate over the "
        f"highest one's (New York City Local Law 144); {SCREENING:g} is a screening ratio. {_confidence(decision)} "
        f"intervals: of a rate by itself, of all ratios of a column together.{_left_out(found)}"
    )
    return Table(caption, tuple(header), tuple(rows))


def _rates(found: tuple[GroupTable, ...], decision: EqualizedOddsDecision, *, shares: bool) -> Table:
    names = [name for name in _ERRORS if found[0].measure(name) is not None]
    rows = []
    for table in found:
        measures = [measure for measure in map(table.measure, names) if measure is not None]
        for g in range(len(table.family.groups)):
            told = (_cell(table, measure, g, shares=shares) for measure in measures)
            rows.append((_named(table, g), f"{table.family.rows[g]:,}", *told))
    error = " Mean error: prediction less outcome." if "mean error" in names else ""
    if error and shares:
        error = f" Mean prediction: of the probability of the favourable class.{error}"
    caption = f"Rates and errors. {_confidence(decision)} intervals, each by itself.{error}{_left_out(found)}"
    header = ("Group", "People", *(f"{name[0].upper()}{name[1:]}" for name in names))
    return Table(caption, header, tuple(rows))


def _differences(found: tuple[GroupTable, ...], decision: EqualizedOddsDecision, *, shares: bool) -> Table:
    rows = []
    for table in found:
        for one in table.differences:
            between = (
                f"{group_name(table.family, one.highest)} – {group_name(table.family, one.lowest)}"
                if one.highest >= 0
                else _NOT_GIVEN
            )
            title = f"{one.name[0].upper()}{one.name[1:]} difference"
            rows.append((f"{family_name(table.family)}: {title}", apart(one, shares=shares), between))
    caption = (
        "How far groups lie apart. The largest difference between two groups with at least 30 people, as fairlearn "
        f"defines it (largest less smallest); points are percentage points. The {_confidence(decision)} intervals of "
        "one measure hold together for all attributes, whichever groups truly differ most."
    )
    return Table(caption, ("Difference", "Value and interval", "Largest – smallest"), tuple(rows))


def _classes(found: tuple[GroupTable, ...], detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> Table:
    often = np.bincount(detail.decisions, minlength=len(detail.classes))
    kept = [int(k) for k in np.argsort(-often, kind="stable")[:MOST_CLASSES]]
    rows = []
    for table in found:
        measures = [one for one in table.measures if one.of]
        for g in range(len(table.family.groups)):
            told = (_cell(table, measures[k], g, shares=True) for k in kept)
            rows.append((_named(table, g), f"{table.family.rows[g]:,}", *told))
    left_out = len(detail.classes) - len(kept)
    caption = f"Share decided for each class. {_confidence(decision)} intervals, each by itself."
    if left_out:
        caption += f" {count(left_out, 'class', 'classes')} decided less often left out."
    return Table(caption, ("Group", "People", *(f"Decided: {detail.classes[k]}" for k in kept)), tuple(rows))


def _cell(table: GroupTable, measure: Measure, g: int, *, shares: bool) -> str:
    if not table.family.judged[g]:
        return INSUFFICIENT
    return measured(measure, g, shares=shares)


def _joined(rates: list[Name], remarks: list[str]) -> str:
    if len(set(remarks)) == 1:
        return remarks[0]
    return "; ".join(f"{name}: {said}" for name, said in zip(rates, remarks, strict=True) if said)


def _named(table: GroupTable, g: int) -> str:
    return f"{family_name(table.family)}: {group_name(table.family, g)}"


def _confidence(decision: EqualizedOddsDecision) -> str:
    return percent(1 - decision.alpha)


def _left_out(found: tuple[GroupTable, ...]) -> str:
    unknown = {
        family_name(one.family): one.family.left_out + int(one.family.rows[one.family.unknown].sum())
        for one in found
        if len(one.family.attributes) == 1
    }
    said = [f"{count(people, 'person', 'people')} by {name}" for name, people in unknown.items() if people]
    return f" Not known, and so not compared: {', '.join(said)}." if said else ""
