"""Two models on the same texts: how the difference of their measures is spread, and its mean."""

from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.decision import measure_name
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.base.thresholds import FEWEST_ROWS
from core.figures import marks, theme
from core.figures.chart import Drawing
from core.language.phrases import count, interval, number, percent, precision
from core.language.told import say
from core.language.units import Unit

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
                        "{low} to {high}: {texts}",
                        low=number(float(low)),
                        high=number(float(low) + width),
                        texts=count(int(texts), "text"),
                    )
                    for low, texts in zip(found.edges[:-1][part], found.texts[part], strict=True)
                ]
            ),
        )
    value, low, high = _mean(finding, unit)
    told = _told(finding, unit)
    y, said = 1.12 * tallest, say("end of the mean's interval: {value}", value="%{x:.4g}")
    marks.interval(figure, say("interval of the mean"), (low, high), y, said, line={"color": theme.BLUE, "width": 4})
    marks.point(figure, say("mean"), (value, y), say("mean: {value}", value="%{x:.4g}"))
    figure.add_vline(x=0, line={"color": theme.GREY, "width": 2, "dash": "dot"})
    marks.note(figure, "<br>".join([_share(found), *told]), align="left")
    title = [f"{unit.axis(measure)},", say("audited less second model")]
    if found.beyond:
        title.append(say("({texts} beyond the ends, in the outermost bars)", texts=count(found.beyond, "text")))
    figure.update_xaxes(title=theme.in_lines("<br>".join(title), theme.LONGEST_TITLE), nticks=7, **theme.SMALL_TICKS)
    figure.update_yaxes(title=say("texts"), range=(0, 1.3 * tallest), nticks=6)
    figure.update_layout(margin={"t": 70})
    return Drawing(
        figure,
        say(
            "{measure}, audited less second model, over {texts}: {found}.",
            measure=measure_name(measure, finding.decision),
            texts=count(found.n, "text"),
            found="; ".join([_share(found), *told]),
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


def _told(finding: TextSensitivityFinding, unit: Unit) -> list[str]:
    value, low, high = _mean(finding, unit)
    mean = say("mean {value} ({interval})", value=number(value, precision(low, high)), interval=interval(low, high))
    told = [f"{mean} {unit.name}".rstrip()]
    ratio = finding.estimates.ratio(finding.decision.measure)
    if not finding.decision.signed and not ratio.undefined:
        ends = ratio.two_sided(finding.decision.alpha)
        told.append(
            say(
                "ratio of the means {value} ({interval})",
                value=number(ratio.value),
                interval=interval(ends.low, ends.high),
            )
        )
    return told
