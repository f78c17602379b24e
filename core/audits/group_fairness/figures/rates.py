"""How often, or how far, the model errs in each group."""

from __future__ import annotations

from core.audits.group_fairness.figures import families as groups_families
from core.audits.group_fairness.result import GroupFairnessDetail
from core.audits.group_fairness.table import GroupTable, Name
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_groups import measure_name, measured, too_small
from core.figures import theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row
from core.language.phrases import listed, upper_first
from core.language.told import say

_STYLES = ((theme.BLUE, "diamond"), (theme.ORANGE, "circle-open"))


def draw(finding: GroupFairnessFinding) -> Drawing:
    """Two rows for each group: rates of favourable decisions given the outcome, accuracies, or errors of numbers."""
    names, scale, title = _shown(finding.result.detail)
    named = upper_first(listed([*map(measure_name, names)]))
    return groups_families.draw(
        finding.group_tables,
        lambda table, g: _rows(table, g, names, scale),
        lambda table, g: _told(table, g, names, scale),
        [Line(0.0, "")],
        title,
        what=say("{measures} of each group, each with its own interval.", measures=named),
        span=(-2.0, 102.0) if scale == 100 else None,
    )


def _shown(detail: GroupFairnessDetail) -> tuple[tuple[Name, Name], float, str]:
    """The two measures, what they are multiplied by, and the axis."""
    if detail.numbers:
        return ("RMSE", "mean error"), 1.0, say("error, in units of the outcome (0: none)")
    if detail.favourable >= 0:
        return ("true-positive rate", "false-positive rate"), 100.0, say("decided favourably, in %")
    return ("accuracy", "balanced accuracy"), 100.0, say("decided rightly, in %")


def _rows(table: GroupTable, g: int, names: tuple[Name, ...], scale: float) -> list[Row]:
    found = []
    for name, (colour, symbol) in zip(names, _STYLES, strict=True):
        measure = table.measure(name)
        if measure is None or not table.family.judged[g]:
            continue
        value, low, high = (scale * float(one[g]) for one in (measure.values, measure.low, measure.high))
        group, told = f"<b>{groups_families.shown(table, g)}</b>", measured(measure, g, shares=scale != 1)
        ends = {"value": value, "low": low, "high": high}
        said, more = f"{_short(name)} {told}", f"{measure_name(name)} {told}"
        found.append(Row.named(group, said, more, **ends, colour=colour, symbol=symbol))
    return found


def _short(name: Name) -> str:
    """A measure's name on a narrow page."""
    if name == "true-positive rate":
        return say("true positives")
    return say("false positives") if name == "false-positive rate" else measure_name(name)


def _told(table: GroupTable, g: int, names: tuple[Name, ...], scale: float) -> str:
    if not table.family.judged[g]:
        return too_small(int(table.family.rows[g]))
    found = [measure for measure in map(table.measure, names) if measure is not None]
    return ", ".join(f"{measure_name(measure.name)} {measured(measure, g, shares=scale != 1)}" for measure in found)
