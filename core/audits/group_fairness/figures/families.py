"""Rows of groups under the names of their attributes; as many as can be read."""

from collections.abc import Callable

from core.audits.group_fairness.table import GroupTable
from core.audits.group_fairness.wording_groups import too_small
from core.figures import interval_rows, theme
from core.figures.chart import Drawing
from core.figures.interval_rows import LONGEST_LINE, Line, Row
from core.language.told import say_count

MOST_ROWS = 12
"""Rows of estimates in one figure; groups of single attributes come first, and the table has all."""
MOST_SMALL = 3
"""Groups of a family that are too small and named."""


def draw(
    tables: tuple[GroupTable, ...],
    estimates: Callable[[GroupTable, int], list[Row]],
    words: Callable[[GroupTable, int], str],
    lines: list[Line],
    title: str,
    *,
    what: str,
    span: tuple[float, float] | None = None,
) -> Drawing:
    """Family by family; groups that are too small say so, and groups beyond ``MOST_ROWS`` are counted.

    Args:
        tables: The families.
        estimates: Rows of a group, by its table and index; none where it has no estimate.
        words: A group in words, whether it is drawn or not.
        lines: Vertical lines.
        title: Of the axis.
        what: What the rows are, as a sentence.
        span: Its range; everything drawn if None.
    """
    drawn: list[Row] = []
    there, left_out = 0, 0
    for table in tables:
        found, small, beyond = [], [], 0
        for g in range(len(table.family.groups)):
            each = estimates(table, g)
            if not each:
                small.append(Row(f"<b>{shown(table, g)}</b> {too_small(int(table.family.rows[g]))}"))
            elif there + len(each) > MOST_ROWS:
                beyond += 1
            else:
                there += len(each)
                found += each
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
    told = " ".join(
        "; ".join(f"{table.family.named(g)}: {words(table, g)}" for g in range(len(table.family.groups))) + "."
        for table in tables
    )
    return Drawing(interval_rows.figure_of(drawn, lines, title, span), f"{what} {told}")


def shown(table: GroupTable, g: int) -> str:
    """A group's name, safe for plotly and short enough for a telephone."""
    return theme.literal(table.family.group(g), LONGEST_LINE)
