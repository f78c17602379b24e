"""How often each group is chosen, over the group that is chosen most often."""

import math

from core.audits.group_fairness.table import GroupTable, Impact
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_groups import compared, measure_name, remark, too_small
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import Axis, Line, Row
from core.group_answers import SCREENING
from core.language.told import localized, say, say_count

MOST_SMALL = 3
"""Groups of a family that are too small and named."""

_TO = 1.1
"""Where the axis ends, unless a group is chosen more often than the highest it is compared with."""
_FARTHEST = 2.0


def applies(finding: GroupFairnessFinding) -> bool:
    """Whether answers can be favourable; numbers can where it is said which end is good."""
    return bool(finding.group_tables[0].impacts)


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
    title = say("impact ratio of selection rates") if name == "selection rate" else say("impact ratio of scoring rates")
    what = say(
        "Impact ratios: {rate} of each group over the highest one, with intervals that hold together; "
        "{screening} is a screening ratio.",
        rate=measure_name(name),
        screening=localized(f"{SCREENING:g}"),
    )
    told = " ".join(
        "; ".join(f"{table.family.named(g)}: {_told(table, g)}" for g in range(len(table.family.groups))) + "."
        for table in tables
    )
    figure = interval_rows.figure_of(_families(tables, top), Axis(title, lines, (-0.02, top)))
    return Drawing(figure, f"{what} {told}")


def _families(tables: tuple[GroupTable, ...], top: float) -> list[Row]:
    """Family by family; groups that are too small say so, and those beyond the rows of a chart are counted."""
    drawn: list[Row] = []
    there, left_out = 0, 0
    for table in tables:
        found, small, beyond = [], [], 0
        for g in range(len(table.family.groups)):
            if not table.family.judged[g]:
                small.append(Row(f"<b>{_shown(table, g)}</b> {too_small(int(table.family.rows[g]))}"))
            elif there >= theme.MOST_ROWS:
                beyond += 1
            else:
                there += 1
                found.append(_row(table, g, top))
        if len(small) > MOST_SMALL:
            small[MOST_SMALL - 1 :] = [
                Row(
                    say_count(
                        "{n} more group too small to judge",
                        "{n} more groups too small to judge",
                        len(small) - MOST_SMALL + 1,
                    )
                )
            ]
        if beyond and not found:
            left_out += len(table.family.groups)
            continue
        drawn += [Row(f"<i>{theme.literal(table.family.name, 34)}</i>"), *found, *small]
        left_out += beyond
    if left_out:
        drawn.append(Row(say_count("{n} more group in the table", "{n} more groups in the table", left_out)))
    return drawn


def _of(table: GroupTable) -> Impact:
    return table.impacts[0]


def _row(table: GroupTable, g: int, top: float) -> Row:
    impact, family = _of(table), table.family
    value, low, high = (float(one[g]) for one in (impact.values, impact.low, impact.high))
    symbol = "circle" if g == impact.highest else "diamond-open" if family.below_two_percent[g] else "diamond"
    return Row.named(
        f"<b>{_shown(table, g)}</b>",
        _told(table, g),
        value=min(value, top),
        low=low,
        high=min(high, top),
        colour=theme.GREY if g == impact.highest else theme.BLUE,
        symbol=symbol,
    )


def _shown(table: GroupTable, g: int) -> str:
    """A group's name, safe for plotly."""
    return theme.literal(table.family.group(g), theme.LONGEST_NAME)


def _told(table: GroupTable, g: int) -> str:
    impact, family = _of(table), table.family
    if not family.judged[g]:
        return too_small(int(family.rows[g]))
    said = remark(family, impact, g)
    if math.isnan(impact.values[g]):
        return said
    return f"{compared(impact, g)}{', ' if said else ''}{said}"
