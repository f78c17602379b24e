"""What the baseline and a fairer model answer each group, among people with the same outcome (papers/fair-dummies.md,
Fig. 1); never a person's own answer.
"""

from collections.abc import Iterator

import numpy as np

from core.audits.equalized_odds.figures import panels
from core.audits.equalized_odds.figures.panels import GroupPanel
from core.base.thresholds import FEWEST_ROWS
from core.figures import interval_rows, theme
from core.figures.chart import Chart, Drawing
from core.figures.interval_rows import Axis, Row
from core.language.phrases import count, number, share_text
from core.language.told import say
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.wording import name

MOST_GROUPS = 3
"""Groups that are drawn, the largest ones."""
_QUANTILES = (0.05, 0.25, 0.75, 0.95)
_COLOURS = (theme.GREY, theme.BLUE)


def applies(result: MitigationResult, fit: TriedModel) -> bool:
    """Whether a group has enough people with the same outcome that their answers are nobody's in particular."""
    return not fit.is_baseline and any(True for _ in _cells(result))


def draw(result: MitigationResult, fit: TriedModel) -> Drawing:
    """The answers of the test part by group, the baseline's before the fairer model's.

    Args:
        result: What was found.
        fit: One of its fairer models.
    """
    return _rows(result, fit) if result.classes else _panels(result, fit)


def _cells(result: MitigationResult) -> Iterator[tuple[int, int, np.ndarray]]:
    """Outcome (a class or a bin of the number), group, and whose they are, of at least 30 people."""
    people = result.rows[2, 1:]
    groups = sorted(np.argsort(-people, kind="stable")[:MOST_GROUPS].tolist())
    for outcome in range(len(result.classes) or 1 + int(_bins(result).max())):
        mine = (result.outcome if result.classes else _bins(result)) == outcome
        for group in groups:
            inside = mine & (result.codes == group)
            if inside.sum() >= FEWEST_ROWS:
                yield outcome, group, inside


def _bins(result: MitigationResult) -> np.ndarray:
    """Bin of each person's number, shape (t,): ten at most, and so many that a bin holds 30 of the smallest group."""
    people = np.sort(result.rows[2, 1:])[::-1][:MOST_GROUPS]
    bins = int(np.clip(people[people >= FEWEST_ROWS].min(initial=len(result.outcome)) // (2 * FEWEST_ROWS), 1, 10))
    cuts = np.unique(np.quantile(result.outcome, np.arange(1, bins) / bins))
    return np.asarray(np.searchsorted(cuts, result.outcome))


def _answers(result: MitigationResult, fit: TriedModel) -> np.ndarray:
    """Probability of the favourable class, or the number, of each person of the test part, shape (t,)."""
    return fit.answers[-len(result.outcome) :, result.favourable if result.classes else 0]


def _rows(result: MitigationResult, fit: TriedModel) -> Drawing:
    rows: list[Row] = []
    models = ((0, result.fits[0]), (1, fit))
    for outcome, group, inside in _cells(result):
        head = say("{group}, outcome {outcome}", group=result.groups[group], outcome=result.classes[outcome])
        for place, model in models:
            given = 100 * _answers(result, model)[inside]
            first, low, high, last = np.quantile(given, _QUANTILES)
            said = f"{name(model)}: {share_text(float(given.mean()) / 100, 1)}"
            words = f"<b>{theme.literal(head, 50)}</b><br>{theme.literal(said)}" if not place else theme.literal(said)
            rows.append(
                Row(
                    words, f"{theme.literal(head)}<br>{theme.literal(said)}", value=float(given.mean()),
                    box=(float(first), float(low), float(high), float(last)), alt=f"{head}, {said}",
                    colour=_COLOURS[place], who=f"{head}, {name(model)}",
                )
            )  # fmt: skip
    chosen = result.classes[result.favourable]
    return interval_rows.draw(
        rows[: 2 * theme.MOST_ROWS],
        Axis(say("probability of {outcome}, %", outcome=theme.literal(chosen, 24)), span=(-2.0, 102.0)),
        what=say("Mean probability of {outcome} by group and outcome:", outcome=chosen),
    )


def _panels(result: MitigationResult, fit: TriedModel) -> Drawing:
    drawn, told = [], []
    cells = list(_cells(result))
    for group in dict.fromkeys(group for _, group, _ in cells):
        for model in (result.fits[0], fit):
            mine = [
                (result.outcome[inside], _answers(result, model)[inside]) for _, one, inside in cells if one == group
            ]
            x = np.array([np.median(outcome) for outcome, _ in mine])
            low, y, high = np.array([np.quantile(given, (0.25, 0.5, 0.75)) for _, given in mine]).T
            head = f"{result.attribute} = {result.groups[group]}, {name(model)}"
            points = tuple(
                say("outcome {outcome}: answer {answer}", outcome=number(float(one)), answer=number(float(other)))
                for one, other in zip(x, y, strict=True)
            )
            drawn.append(GroupPanel(theme.literal(head, 60), x, y, low, high, points))
            told.append(f"{head}: {points[0]}, {points[-1]}")
    x = np.sort(np.concatenate([panel.x for panel in drawn]))
    figure = panels.draw(
        drawn,
        x_title=say("outcome"),
        y_title=say("median answer"),
        line=(x, x),
        line_told=say("the answer is the outcome"),
    )
    what = say(
        "Median answers among {people} by the outcome, the lowest and the highest bin.",
        people=count(len(result.outcome), "person", "people"),
    )
    return Drawing(figure, f"{what} {'; '.join(told)}.")


ANSWERS = Chart(
    say("Answers before and after"),
    say(
        "What each group is answered among people with the same outcome, by the baseline and by the fairer model. Bars "
        "hold the middle half of the people. Groups of fewer than 30 people with the same outcome are not drawn."
    ),
    draw,
    applies,
)
