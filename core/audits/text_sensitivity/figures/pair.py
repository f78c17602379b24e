"""Two models on the same texts: how the difference of their measures is spread, and its mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.units import SMALL_TICKS, unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import measure_name
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.told import say
from core.phrases import count, interval, number, percent, precision
from core.thresholds import FEWEST_ROWS
from core.units import Unit

BINS = 36


@dataclass(frozen=True)
class Differences:
    """Audited less second model on the texts to which the measure applies in both, in the unit shown.

    Attributes:
        edges: Of the bins, 0 among them, shape (b + 1,).
        texts: Texts in each bin; those beyond the ends are in the outermost, shape (b,), int.
        more: Texts in which the audited model's measure is larger.
        same: Texts with equal measures.
        n: All of them.
        beyond: Texts beyond the ends, counted in the outermost bins.
    """

    edges: np.ndarray
    texts: np.ndarray
    more: int
    same: int
    n: int
    beyond: int


def differences(finding: TextSensitivityFinding) -> Differences:
    """Bins of equal width that hold all but the farthest percent of texts, and one edge at 0."""
    apart = unit_of(finding.decision.measure).factor * _apart(finding)
    low, high = (float(end) for end in np.quantile(apart, (0.005, 0.995)))
    low, high = min(low, 0.0), max(high, 0.0)
    width = (high - low) / BINS or 1.0
    edges = width * np.arange(np.floor(low / width + 1e-9), np.ceil(high / width - 1e-9) + 1)
    if len(edges) < 2:
        edges = np.array([-width, 0.0, width])
    inside = np.clip(apart, edges[0], edges[-1])
    place = np.clip(np.searchsorted(edges, inside, side="right") - 1, 0, len(edges) - 2)
    return Differences(
        edges=edges,
        texts=np.bincount(place, minlength=len(edges) - 1),
        more=int((apart > 0).sum()),
        same=int((apart == 0).sum()),
        n=len(apart),
        beyond=int(((apart < edges[0]) | (apart > edges[-1])).sum()),
    )


def applies(finding: TextSensitivityFinding) -> bool:
    """Whether there is a second model and the measure applies to enough texts in both."""
    return len(_apart(finding)) >= FEWEST_ROWS


def _apart(finding: TextSensitivityFinding) -> np.ndarray:
    """Audited less second model's measure, of the texts to which it applies in both; empty without a second model."""
    audited, second = finding.detail.audited, finding.detail.reference
    if second is None:
        return np.empty(0)
    measure, signed = finding.decision.measure, finding.decision.signed
    both = audited.values(measure, signed=signed) - second.values(measure, signed=signed)
    return np.asarray(both[np.isfinite(both)])


def draw(finding: TextSensitivityFinding) -> Drawing:
    """Texts by the difference, hatched where the audited model leans more; the mean with its interval above them."""
    measure = finding.decision.measure
    found, unit = differences(finding), unit_of(measure)
    width = float(found.edges[1] - found.edges[0])
    centre = (found.edges[:-1] + found.edges[1:]) / 2
    tallest = float(found.texts.max())
    figure = theme.blank(390, bargap=0.04)
    for more, name, colour, pattern in (
        (False, say("second model leans as much or more"), theme.GREY, ""),
        (True, say("audited model leans more"), theme.ORANGE, "/"),
    ):
        part = (centre > 0) == more
        figure.add_bar(
            name=name,
            x=centre[part],
            y=found.texts[part],
            width=width,
            marker={"color": colour, "pattern": {"shape": pattern}},
            **marks.hover(
                [
                    say(
                        "{low} to {low2}: {texts}",
                        low=number(float(low)),
                        low2=number(float(low) + width),
                        texts=count(int(texts), "text"),
                    )
                    for low, texts in zip(found.edges[:-1][part], found.texts[part], strict=True)
                ]
            ),
        )
    value, low, high = _mean(finding, unit)
    told = _told(finding, unit)
    y, said = 1.12 * tallest, say("end of the mean's interval: %{x:.4g}")
    marks.interval(figure, say("interval of the mean"), (low, high), y, said, colour=theme.BLUE, size=12)
    marks.point(figure, "mean", value, y, "mean: %{x:.4g}")
    figure.add_vline(x=0, line={"color": theme.GREY, "width": 2, "dash": "dot"})
    marks.note(figure, f"{_share(found)}<br>{told.replace('; ', '<br>')}", align="left")
    beyond = (
        say("<br>({beyond} beyond the ends, in the outermost bars)", beyond=count(found.beyond, "text"))
        if found.beyond
        else ""
    )
    figure.update_xaxes(
        title=say("{measure},<br>audited less second model{beyond}", measure=unit.axis(measure), beyond=beyond),
        nticks=7,
        **SMALL_TICKS,
    )
    figure.update_yaxes(title="texts", range=(0, 1.3 * tallest), nticks=6)
    figure.update_layout(margin={"t": 70})
    return Drawing(
        figure,
        say(
            "{measure}, audited less second model, over {n}: {found}; {told}.",
            measure=measure_name(measure, finding.decision),
            n=count(found.n, "text"),
            found=_share(found),
            told=told,
        ),
    )


def _mean(finding: TextSensitivityFinding, unit: Unit) -> tuple[float, float, float]:
    """The mean difference and the ends of its interval, in the unit shown."""
    mean = finding.estimates.difference(finding.decision.measure, signed=finding.decision.signed)
    ends = mean.two_sided(finding.decision.alpha)
    return unit.factor * mean.value, unit.factor * ends.low, unit.factor * ends.high


def _share(found: Differences) -> str:
    more = say("larger in the audited model in {more} of texts", more=percent(round(found.more / found.n, 3)))
    return (
        say("{more}, equal in {same}", more=more, same=percent(round(found.same / found.n, 3))) if found.same else more
    )


def _told(finding: TextSensitivityFinding, unit: Unit) -> str:
    value, low, high = _mean(finding, unit)
    told = say(
        "mean {low} ({low2}){value}",
        low=number(value, precision(low, high)),
        low2=interval(low, high),
        value=f" {unit.name}" if unit.name else "",
    )
    ratio = finding.estimates.ratio(finding.decision.measure)
    if finding.decision.signed or ratio.undefined:
        return told
    ends = ratio.two_sided(finding.decision.alpha)
    return say(
        "{told}; ratio of the means {number} ({low})",
        told=told,
        number=number(ratio.value),
        low=interval(ends.low, ends.high),
    )
