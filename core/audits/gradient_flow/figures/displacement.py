"""Where the search moved people, column by column and group by group, in the table's own units."""

import numpy as np

from core.audits.gradient_flow.displacement import Displacement, displacement
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.base.tables import Table
from core.base.thresholds import FEWEST_ROWS
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, number, percent
from core.language.told import localized, say

MOST_GROUPS = 12
"""Groups drawn at most, the largest first; the figure says how many it leaves out."""


def draw(finding: GradientFlowFinding) -> Drawing:
    """A row per column, the most moved on top and at most twelve, a column per group; the text gives the units.

    Deeper is further. Groups below 30 people keep their column without numbers, so that no single person shows through.
    """
    moved = displacement(finding.result)
    every, shown = moved.order, _largest_groups(moved)
    rows = every[: theme.MOST_ROWS]
    size = np.where(moved.people[shown] < FEWEST_ROWS, np.nan, moved.size[rows][:, shown])
    names = [theme.beside(moved.columns[f]) for f in rows]
    figure = theme.blank(110 + theme.row_height(names, 26) * len(rows))
    marks.tiles(
        figure,
        size,
        rows=names,
        heads=_heads([moved.groups[i] for i in shown]),
        told=[[_hover(moved, f, g) for g in shown] for f in rows],
        texts=[[_cell(moved, f, g) for g in shown] for f in rows],
        ticklabeloverflow="allow",
    )
    left_out = [
        say("the {shown} largest of {groups} groups", shown=len(shown) - 1, groups=len(moved.groups) - 1)
        if len(shown) < len(moved.groups)
        else "",
        say("the {shown} columns of {all} that moved most", shown=len(rows), all=len(every))
        if len(rows) < len(every)
        else "",
    ]
    if any(left_out):
        marks.note(figure, "; ".join(filter(None, left_out)), below=True)
    told = "; ".join(f"{moved.columns[f]} {_cell(moved, f, 0)}" for f in rows[:3])
    return Drawing(
        figure,
        say(
            "Heatmap of how far the search moved {columns} in {groups}; most for everyone: {told}.",
            columns=count(len(moved.columns), "column"),
            groups=count(len(moved.groups) - 1, "group"),
            told=told,
        ),
    )


def table(finding: GradientFlowFinding) -> Table:
    """The same of every column."""
    moved = displacement(finding.result)
    rows, shown = moved.order, _largest_groups(moved)
    names = [say("everyone"), *(f"{attribute} = {group}" for attribute, group in moved.groups[1:])]
    return Table.of_columns(
        say("What the search changed in every column ({n})", n=len(rows)),
        {
            say("Column"): [moved.columns[f] for f in rows],
            **{names[g]: [_cell(moved, f, g) for f in rows] for g in shown},
        },
    )


def _heads(groups: list[tuple[str, str]]) -> list[str]:
    """Group names; with their attributes where a name alone would say too little (``1``) or the same twice."""
    names = [group for _, group in groups]
    alone = len(set(names)) == len(names) and min(map(len, names[1:])) > 2
    told = [group if alone else f"{attribute} = {group}" for attribute, group in groups[1:]]
    return [say("everyone"), *(theme.two_lines(text, 20) for text in told)]


def _largest_groups(moved: Displacement) -> list[int]:
    """Everyone, then the largest groups in their own order."""
    largest = 1 + np.argsort(-moved.people[1:], kind="stable")[:MOST_GROUPS]
    return [0, *sorted(largest.tolist())]


def _cell(moved: Displacement, f: int, g: int) -> str:
    if moved.people[g] < FEWEST_ROWS:
        return "–"
    if np.isnan(moved.signed[f, g]):
        share = min(float(moved.size[f, g]), 1.0)
        return percent(round(share, 2 if share >= 0.1 else 3))
    text = short(float(moved.signed[f, g]))
    return text if text == "0" or text.startswith("-") else f"+{text}"


def _hover(moved: Displacement, f: int, g: int) -> str:
    attribute, group = moved.groups[g]
    who = theme.literal(f"{attribute} = {group}") if attribute else say("everyone")
    head = f"<b>{theme.literal(moved.columns[f])}</b>, {who} ({count(int(moved.people[g]), 'person', 'people')})<br>"
    if moved.people[g] < FEWEST_ROWS:
        return head + say("too few to show without showing single persons")
    size = float(moved.size[f, g])
    if np.isnan(moved.signed[f, g]):
        toward = theme.literal(moved.toward[f][g])
        if size >= 1:
            return head + say("all the way to another category, most to {toward}", toward=toward)
        return head + say(
            "{size} of the way to another category, most to {toward}", size=percent(round(size, 4)), toward=toward
        )
    change = float(moved.signed[f, g])
    return head + say(
        "{change} on average, {size} standard deviations either way",
        change=f"+{number(change)}" if change > 0 else number(change),
        size=number(size),
    )


def short(value: float) -> str:
    """A number in at most five characters or so: ``-3.2``, ``412``, ``-1.3k``, ``2.1M``."""
    size = abs(value)
    for limit, divisor, unit in ((1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if size >= limit:
            return localized(f"{value / divisor:.1f}{unit}")
    decimals = 0 if size >= 100 else 1 if size >= 1 else 2
    return localized(f"{value:.{decimals}f}") if size >= 0.005 else "0"
