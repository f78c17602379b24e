"""From which protected group to which people are moved, one matrix for each true label."""

import numpy as np

from core.audits.transport import maps
from core.audits.transport.figures.panels import FEW_HEADS, HeatmapPanel, footnote, group_name, heads, stack
from core.audits.transport.flow_wording import people_text
from core.audits.transport.result import TransportResult
from core.audits.transport.verdict import TransportFinding
from core.claims_told import happened
from core.data.labels import condition
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, whole
from core.language.told import say

MOST_LABELS = 2
MOST_GROUPS = 12
"""Matrices, and rows and columns of each, at most, those with most people moved; the figure says what it leaves out."""


def draw(finding: TransportFinding) -> Drawing:
    """People moved from a group (rows) to a group (columns), by true label; no tile where nobody is moved.

    With more than a few groups those that nobody leaves have no row, and those that nobody joins no column.
    """
    result, cells, flows = finding.result, finding.detail.cells, finding.group_flows
    if not flows.any():
        told = say("Matrix of who has similar people judged worse, by group: nobody has.")
        return Drawing(marks.only_words(say("nobody has similar people judged worse"), 90), told)
    through = flows.sum(axis=(0, 1)) + flows.sum(axis=(0, 2))
    occurring = np.flatnonzero(np.bincount(cells.group, minlength=len(cells.groups)))
    order = occurring[np.argsort(-through[occurring], kind="stable")]
    groups = order[:MOST_GROUPS].tolist()
    labels = _labels(flows)
    moved = flows[labels][:, groups][:, :, groups].sum(axis=0)
    few = len(groups) <= FEW_HEADS
    rows = [g for g, some in zip(groups, moved.sum(axis=1) > 0, strict=True) if some or few]
    columns = [g for g, some in zip(groups, moved.sum(axis=0) > 0, strict=True) if some or few]
    panels = [_panel(result, flows[label], label, rows, columns) for label in labels]
    figure = stack(panels, theme.SCALE, (0.0, float(flows.max())))
    left_out, not_drawn = len(order) - len(groups), int(flows.any(axis=(1, 2)).sum()) - len(labels)
    left = [
        count(left_out, "more group with fewer of them", "more groups with fewer of them") if left_out else "",
        count(not_drawn, "more outcome with fewer of them", "more outcomes with fewer of them") if not_drawn else "",
    ]
    if any(left):
        footnote(figure, "; ".join(filter(None, left)))
    return Drawing(figure, _words(result, flows))


def _words(result: TransportResult, flows: np.ndarray) -> str:
    """The five largest flows."""
    cells = result.detail.cells
    order = np.argsort(-flows.ravel(), kind="stable")[:5]
    told = []
    for place in order:
        label, origin, target = map(int, np.unravel_index(int(place), flows.shape))
        if flows[label, origin, target] > 0:
            told.append(
                say(
                    "{people} with {origin} beside {target} ({where})",
                    people=people_text(float(flows[label, origin, target])),
                    origin=maps.group_told(cells, origin),
                    target=maps.group_told(cells, target),
                    where=happened(cells.labels[label]),
                )
            )
    total = people_text(float(flows.sum()))
    return say(
        "Matrix of who has similar people judged worse, by group, {total} people in all; most: {largest}.",
        total=total,
        largest="; ".join(told),
    )


def _labels(flows: np.ndarray) -> list[int]:
    """The labels with most people moved, in their own order."""
    moved = flows.sum(axis=(1, 2))
    return sorted(int(label) for label in np.argsort(-moved, kind="stable")[:MOST_LABELS] if moved[label] > 0)


def _panel(result: TransportResult, flows: np.ndarray, label: int, rows: list[int], columns: list[int]) -> HeatmapPanel:
    cells = result.detail.cells
    shown = flows[np.ix_(rows, columns)]
    values = np.where(shown > 0, shown, np.nan)
    outcome = condition(result.data.outcome, cells.labels[label])
    moved = say(
        "{people} people (rows) with similar people judged worse (columns)", people=people_text(float(flows.sum()))
    )
    return HeatmapPanel(
        title=f"<b>{theme.literal(outcome, theme.LONGEST_LINE)}</b><br>{moved}",
        rows=tuple(theme.beside(group_name(cells, g)) for g in rows),
        heads=heads(cells, columns),
        values=values,
        texts=[["" if np.isnan(value) else people_text(value) for value in line] for line in values.tolist()],
        hover=[[_hover(result, flows, label, i, j) for j in columns] for i in rows],
        marks=np.array([[(label, i, j) for j in columns] for i in rows], dtype=np.int64),
    )


def _hover(result: TransportResult, flows: np.ndarray, label: int, origin: int, target: int) -> str:
    cells = result.detail.cells
    members = (cells.group == origin) & (cells.label == label)
    leave, arrive = (theme.literal(maps.group_told(cells, group)) for group in (origin, target))
    return say(
        "<b>{people}</b> of {all} people with {origin}<br>have similar people judged worse<br>with {target}"
        "<br>{outcome}",
        people=people_text(float(flows[origin, target])),
        all=whole(int(cells.people[members].sum())),
        origin=leave,
        target=arrive,
        outcome=theme.literal(condition(result.data.outcome, cells.labels[label])),
    )
