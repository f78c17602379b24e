"""How the change of the answer, or its slope, is spread over people."""

import numpy as np

from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.base.thresholds import FEWEST_ROWS
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, percent
from core.language.told import localized, say
from core.language.units import POINTS

_BINS = 40


def applies(finding: ColumnSensitivityFinding) -> bool:
    """Whether the measure has a value, and there are enough people."""
    values = finding.scores.values(finding.decision.measure)
    return len(values) >= FEWEST_ROWS and bool(np.isfinite(values).all())


def draw(finding: ColumnSensitivityFinding) -> Drawing:
    """Bars of people, hatched beyond the tolerance δ; δ is an edge, so that no bar lies on both sides."""
    counts, edges = _histogram(finding)
    shares = 100 * counts / counts.sum()
    figure = theme.blank(300, bargap=0.04)
    delta = 100 * finding.decision.delta
    told = [
        say(
            "{people} from {low} to {high}",
            people=count(int(n), "person", "people"),
            low=localized(f"{low:.3g}"),
            high=localized(f"{high:.3g}"),
        )
        for n, low, high in zip(counts, edges[:-1], edges[1:], strict=True)
    ]
    marks.bars(figure, edges, shares, told, hatched=edges[:-1] >= delta)
    span = theme.padded([0.0, float(edges[-1])], 0.03)
    if delta <= span[1]:
        figure.add_vline(x=delta, line={"color": theme.ORANGE, "width": 2, "dash": "dash"})
        theme.line_label(
            figure, delta, span, say("tolerance {delta}", delta=POINTS.plain_tolerance(finding.decision.delta))
        )
    figure.update_xaxes(title=POINTS.axis(say("change of the answer")), range=span, nticks=7)
    figure.update_yaxes(title=say("people, in %"), rangemode="tozero")
    return Drawing(figure, _words(finding))


def _words(finding: ColumnSensitivityFinding) -> str:
    """The figure in words."""
    values = finding.scores.values(finding.decision.measure)
    beyond = float((values > finding.decision.delta).mean())
    first, middle, third = np.quantile(values, (0.25, 0.5, 0.75))
    return say(
        "Histogram of the change of the answer for {people}: half of them lie below {middle}, the middle "
        "half from {quartiles}; {beyond} lie beyond the tolerance of {delta}.",
        people=count(len(values), "person", "people"),
        middle=POINTS.text(float(middle)),
        quartiles=POINTS.interval(float(first), float(third)),
        beyond=percent(round(beyond, 3)),
        delta=POINTS.tolerance(finding.decision.delta),
    )


def _histogram(finding: ColumnSensitivityFinding) -> tuple[np.ndarray, np.ndarray]:
    """Counts and edges in %; bars of one width, one edge at δ where δ lies among the values."""
    values, delta = 100 * finding.scores.values(finding.decision.measure), 100 * finding.decision.delta
    top = max(float(values.max()), 1e-3)
    width = top / _BINS
    if 0 < delta < top:
        width = delta / max(1, round(delta / width))
    edges = width * np.arange(int(np.ceil(top / width - 1e-9)) + 1)
    place = np.clip(np.ceil(values / width - 1e-9).astype(np.int64) - 1, 0, len(edges) - 2)
    return np.bincount(place, minlength=len(edges) - 1), edges
