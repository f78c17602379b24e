"""In what the possible people found differ, column by column and group by group, in the table's own units."""

import numpy as np

from core.audits.gradient_flow.changes import Changes
from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.base.tables import Table
from core.base.thresholds import FEWEST_ROWS
from core.data.encoder import Column, categories_of
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, number, percent
from core.language.told import localized, say

MOST_GROUPS = 12
"""Groups drawn at most, the largest first; the figure says how many it leaves out."""


def draw(finding: GradientFlowFinding) -> Drawing:
    """A row per column that differs, at most twelve, the one that does most often on top, and a column per group.

    Deeper is more often. Groups below 30 people keep their column without numbers, so that no single person shows
    through.
    """
    found, columns = _changes(finding), finding.result.model.encoder.columns
    groups = _groups(finding)
    every, shown = found.order, _largest_groups(finding)
    rows = ([c for c in every if found.changed[0, c]] or every)[: theme.MOST_ROWS]
    share = np.where(found.rows[shown, None] < FEWEST_ROWS, np.nan, found.share[shown])[:, rows].T
    names = [theme.beside(columns[c].name) for c in rows]
    figure = theme.blank(110 + theme.row_height(names, 42) * len(rows))
    marks.tiles(
        figure,
        share,
        rows=names,
        heads=_heads([groups[g] for g in shown]),
        told=[[_hover(found, columns[c], c, groups[g], g) for g in shown] for c in rows],
        texts=[["<br>".join(_cell(found, columns[c], c, g)) for g in shown] for c in rows],
        ticklabeloverflow="allow",
    )
    there = int((found.rows[1:] > 0).sum())
    left_out = [
        say("the {shown} largest of {groups} groups", shown=len(shown) - 1, groups=there)
        if len(shown) - 1 < there
        else "",
        say("the {shown} columns of {all} that differ most often", shown=len(rows), all=len(every))
        if len(rows) < len(every)
        else "",
    ]
    if any(left_out):
        marks.note(figure, "; ".join(filter(None, left_out)), below=True)
    told = "; ".join(f"{columns[c].name} {', '.join(_cell(found, columns[c], c, 0))}" for c in rows[:3])
    return Drawing(
        figure,
        say(
            "Heatmap of how often {columns} differ in the person found, in {groups}; most for everyone: {told}.",
            columns=count(len(columns), "column"),
            groups=count(there, "group"),
            told=told,
        ),
    )


def table(finding: GradientFlowFinding) -> Table:
    """The same of every column."""
    found, columns = _changes(finding), finding.result.model.encoder.columns
    groups, shown = _groups(finding), _largest_groups(finding)
    names = [say("everyone"), *(f"{attribute} = {group}" for attribute, group in groups[1:])]
    return Table.of_columns(
        say("What differs in the person found, in every column ({n})", n=len(columns)),
        {
            say("Column"): [columns[c].name for c in found.order],
            **{names[g]: [", ".join(_cell(found, columns[c], c, g)) for c in found.order] for g in shown},
        },
    )


def _changes(finding: GradientFlowFinding) -> Changes:
    if finding.detail.changes is None:
        raise ValueError("no possible people were looked for")
    return finding.detail.changes


def _groups(finding: GradientFlowFinding) -> list[tuple[str, str]]:
    """Attribute and group of each; ("", "") stands for everyone."""
    return [("", ""), *finding.detail.cells.all_groups()]


def _heads(groups: list[tuple[str, str]]) -> list[str]:
    """Group names; with their attributes where a name alone would say too little (``1``) or the same twice."""
    names = [group for _, group in groups]
    alone = len(set(names)) == len(names) and min(map(len, names[1:])) > 2
    told = [group if alone else f"{attribute} = {group}" for attribute, group in groups[1:]]
    return [say("everyone"), *(theme.two_lines(text, 20) for text in told)]


def _largest_groups(finding: GradientFlowFinding) -> list[int]:
    """Everyone, then the largest groups of whom there are some, in their own order."""
    detail = finding.detail
    people = np.array([detail.rows_of(detail.cells.members(*name)) for name in detail.cells.all_groups()])
    largest = 1 + np.argsort(-people, kind="stable")[:MOST_GROUPS]
    return [0, *(g for g in sorted(largest.tolist()) if _changes(finding).rows[g])]


def _cell(found: Changes, column: Column, c: int, g: int) -> tuple[str, ...]:
    """How often the column differs, and of a number by how much, with its sign where nearly all go one way."""
    if found.rows[g] < FEWEST_ROWS:
        return ("–",)
    share = float(found.share[g, c])
    often = percent(round(share, 2 if share >= 0.1 else 3))
    if categories_of(column) or not found.changed[g, c]:
        return (often,)
    by = short(float(found.by[g, c]))
    return often, by if by == "0" else f"{_SIGNS[int(found.way[g, c])]}{by}"


_SIGNS = {1: "+", 0: "", -1: "-"}


def _hover(found: Changes, column: Column, c: int, group: tuple[str, str], g: int) -> str:
    who = theme.literal(" = ".join(group)) if group[0] else say("everyone")
    head = f"<b>{theme.literal(column.name)}</b>, {who} ({count(int(found.rows[g]), 'person', 'people')})<br>"
    if found.rows[g] < FEWEST_ROWS:
        return head + say("too few to show without showing single persons")
    if not found.changed[g, c]:
        return head + say("the same in every person found")
    often = say("another value in {share}", share=percent(round(float(found.share[g, c]), 4)))
    if categories := categories_of(column):
        toward = theme.literal(categories[found.toward[g, c]])
        return head + say("{often}, most often {toward}", often=often, toward=toward)
    by = number(float(found.by[g, c]))
    return (
        head
        + {
            1: say("{often}, {by} more on average, nearly always more", often=often, by=by),
            -1: say("{often}, {by} less on average, nearly always less", often=often, by=by),
            0: say("{often}, {by} apart on average, more or less", often=often, by=by),
        }[int(found.way[g, c])]
    )


def short(value: float) -> str:
    """A number in at most five characters or so: ``-3.2``, ``412``, ``-1.3k``, ``2.1M``."""
    size = abs(value)
    for limit, divisor, unit in ((1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if size >= limit:
            return localized(f"{value / divisor:.1f}{unit}")
    decimals = 0 if size >= 100 else 1 if size >= 1 else 2
    return localized(f"{value:.{decimals}f}") if size >= 0.005 else "0"
