"""How many people share a kind: cells with few people carry little evidence."""

import numpy as np

from core.audits.transport.verdict import TransportFinding
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, percent, whole
from core.language.told import say, say_as

_SIZES = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 29), (30, 99), (100, 999), (1000, None))


def draw(finding: TransportFinding) -> Drawing:
    """See :func:`draw_people`."""
    return draw_people(finding.detail.cells.people)


def draw_people(held: np.ndarray) -> Drawing:
    """Share of all people by how many people their cell holds; people who are alone in theirs are hatched.

    Args:
        held: People in each cell, shape (K,), int.
    """
    people, cells = tally(held)
    shown = range(int(np.flatnonzero(cells).max()) + 1)
    total = people.sum()
    figure = theme.blank(80 + 30 * len(shown), bargap=0.3)
    marks.named_bars(
        figure,
        [people[i] / total for i in shown],
        [name(i) for i in shown],
        [
            f"{percent(round(people[i] / total, 3))}: {count(int(cells[i]), 'group')}"
            if cells[i]
            else say_as("people", "none")
            for i in shown
        ],
        [
            say("{people} people in {groups}", people=whole(int(people[i])), groups=count(int(cells[i]), "group"))
            for i in shown
        ],
        marker={"color": theme.BLUE, "pattern": {"shape": ["/" if i == 0 else "" for i in shown]}},
    )
    figure.update_xaxes(
        title=say("share of all people"), tickformat=".0%", range=(0, 1.7 * float(people.max() / total))
    )
    told = "; ".join(
        say(
            "{together}: {share} in {groups}",
            together=name(i),
            share=percent(round(people[i] / total, 3)),
            groups=count(int(cells[i]), "group"),
        )
        for i in np.flatnonzero(cells).tolist()
    )
    return Drawing(
        figure,
        say(
            "Share of {people} by how many people are alike: {shares}.",
            people=count(int(total), "person", "people"),
            shares=told,
        ),
    )


def tally(people: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """People, and cells, by size of the cell; cells without people are left out; both of shape (8,), int."""
    starts = np.array([low for low, _ in _SIZES])
    occupied = people[people > 0]
    place = np.searchsorted(starts, occupied, side="right") - 1
    sums = np.bincount(place, weights=occupied, minlength=len(starts)).astype(np.int64)
    return sums, np.bincount(place, minlength=len(starts))


def name(place: int) -> str:
    """A size of cell in words."""
    low, high = _SIZES[place]
    if low == 1:
        return say("alone")
    return (
        say("{low} people", low=low)
        if low == high
        else say("{low} or more", low=whole(low))
        if high is None
        else say("{low} to {high}", low=low, high=high)
    )
