"""How a measure of every model varies over random splits of the rows (papers/fair-dummies.md, Fig. 2 and 4)."""

import numpy as np

from core.figures import interval_rows, theme
from core.figures.chart import Chart, Drawing
from core.figures.interval_rows import Axis, Line, Row
from core.language.phrases import count, percent
from core.language.told import say, say_count
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.mitigation.wording import known, names, title_of, told_over_splits

_CHARTED = ("error", "p-value", "loss ratio")
_REJECTED = {"p-value": "rejected", "loss ratio": "similar_rejected"}


def charted(result: MitigationResult) -> tuple[str, ...]:
    """The measures that have a chart: those that are known."""
    splits = known(result)
    return tuple(one for one in _CHARTED if np.isfinite(splits.values[:, :, splits.measures.index(one)]).any())


def draw(plan: MitigationPlan, result: MitigationResult, measure: str) -> Drawing:
    """The median of each model over the splits, the middle half as a thick bar and nine in ten as a thin one.

    Args:
        plan: What was run.
        result: What it found, over several splits.
        measure: One of :func:`charted`.
    """
    splits, title = known(result), title_of(measure, result)
    factor = 100.0 if measure == "error" and result.classes else 1.0
    rows = []
    for place, called in enumerate(names(plan)[: theme.MOST_ROWS]):
        values = splits.values[:, place, splits.measures.index(measure)]
        values = factor * values[np.isfinite(values)]
        if not len(values):
            continue
        first, low, middle, high, last = np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95])
        said = told_over_splits(measure, result, values / factor)
        if measure in _REJECTED:
            often = splits.values[:, place, splits.measures.index(_REJECTED[measure])]
            rejected = told_over_splits("rejected", result, often)
            said = say("{value}, rejected in {rejected}", value=said, rejected=rejected)
        rows.append(
            Row(
                f"<b>{theme.literal(called, 40)}</b>",
                f"{theme.literal(called)}<br>{said}",
                value=float(middle),
                box=(float(first), float(low), float(high), float(last)),
                alt=f"{called}: {said}",
                colour=theme.GREY if not place else theme.BLUE,
                who=called,
            )
        )
    lines = [Line(plan.alpha, say("risk of a wrong verdict {alpha}", alpha=percent(plan.alpha)), "dash", theme.ORANGE)]
    left_out = 1 + len(plan.models) - len(rows)
    return interval_rows.draw(
        rows,
        Axis(f"{title}, %" if factor > 1 else title, lines if measure == "p-value" else []),
        what=say(
            "{measure} over {splits}, mean ± standard deviation:",
            measure=title,
            splits=count(len(splits.values), "random split"),
        ),
        closing=say_count("{n} more is in the table.", "{n} more are in the table.", left_out) if left_out else "",
    )


SPREAD = Chart(
    say("Over random splits"),
    say(
        "Each row is one model on the same random splits of the rows. The mark is the median; the thick bar holds the "
        "middle half of the splits, the thin one nine in ten."
    ),
    draw,
)
