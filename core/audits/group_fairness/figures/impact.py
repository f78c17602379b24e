"""How often each group is chosen, over the group that is chosen most often."""

import math

from core.audits.group_fairness.figures import families as groups_families
from core.audits.group_fairness.table import GroupTable, Impact
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_groups import SCREENING, compared, measure_name, remark, too_small
from core.figures import theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Line, Row
from core.language.told import localized, say

_TO = 1.1
"""Where the axis ends, unless a group is chosen more often than the highest it is compared with."""
_FARTHEST = 2.0


def applies(finding: GroupFairnessFinding) -> bool:
    """Whether answers can be favourable, or are numbers that can be high."""
    return finding.result.detail.numbers or finding.result.detail.favourable >= 0


def draw(finding: GroupFairnessFinding) -> Drawing:
    """A row for each group beside the screening ratio; single attributes first, then every two of them."""
    tables = finding.group_tables
    highs = [float(h) for table in tables for h in _of(table).high if math.isfinite(h)]
    top = min(_FARTHEST, max([_TO, *(1.05 * high for high in highs)]))
    lines = [
        Line(1.0, ""),
        Line(
            SCREENING,
            say("{screening}: four-fifths, a screening ratio", screening=localized(f"{SCREENING:g}")),
            "dash",
            theme.ORANGE,
        ),
    ]
    name = _of(tables[0]).of
    return groups_families.draw(
        tables,
        lambda table, g: _rows(table, g, top),
        _told,
        lines,
        say("impact ratio of selection rates") if name == "selection rate" else say("impact ratio of scoring rates"),
        what=say(
            "Impact ratios: {rate} of each group over the highest one, with intervals that hold together; "
            "{screening} is a screening ratio.",
            rate=measure_name(name),
            screening=localized(f"{SCREENING:g}"),
        ),
        span=(-0.02, top),
    )


def _of(table: GroupTable) -> Impact:
    return table.impacts[0]


def _rows(table: GroupTable, g: int, top: float) -> list[Row]:
    impact, family = _of(table), table.family
    if not family.judged[g]:
        return []
    value, low, high = (float(one[g]) for one in (impact.values, impact.low, impact.high))
    symbol = "circle" if g == impact.highest else "diamond-open" if family.below_two_percent[g] else "diamond"
    return [
        Row.named(
            f"<b>{groups_families.shown(table, g)}</b>",
            _told(table, g),
            value=min(value, top),
            low=low,
            high=min(high, top),
            colour=theme.GREY if g == impact.highest else theme.BLUE,
            symbol=symbol,
        )
    ]


def _told(table: GroupTable, g: int) -> str:
    impact, family = _of(table), table.family
    if not family.judged[g]:
        return too_small(int(family.rows[g]))
    said = remark(family, impact, g)
    if math.isnan(impact.values[g]):
        return said
    return f"{compared(impact, g)}{', ' if said else ''}{said}"
