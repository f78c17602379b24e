"""The one picture that shows what a test found: estimates beside the tolerance, drawn without a script."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from markupsafe import Markup

from core.figures.series import Series, Spans
from core.figures.svg import draw, plot
from core.finding import AbstractFinding
from core.language.phrases import count
from core.language.told import say

MOST_ROWS = 8
"""Estimates of a picture in a report; a chart in the appendix shows all."""


@dataclass(frozen=True)
class Picture:
    """A chart as numbers and words.

    Attributes:
        title: What it shows.
        caption: How to read it.
        series: Its numbers.
        alt: What it says in words.
    """

    title: str
    caption: str
    series: Series
    alt: str

    @property
    def spans(self) -> Spans | None:
        """Its estimates; None for tiles."""
        return self.series if isinstance(self.series, Spans) else None

    @property
    def svg(self) -> Markup:
        """Its estimates drawn; nothing for tiles."""
        return draw(self.series, self.alt, MOST_ROWS) if isinstance(self.series, Spans) else Markup()

    @property
    def more(self) -> str:
        """What is left out, or has to be known; may be empty."""
        left_out = 0 if self.spans is None else plot(self.spans, MOST_ROWS).left_out
        told = say("{rows} in the appendix.", rows=count(left_out, "more row")) if left_out else ""
        return " ".join(filter(None, (self.series.more, told)))


def pictured(finding: AbstractFinding[Any, Any], about: Literal["sure", "who"]) -> Picture | None:
    """The first chart of a finding that says how sure it is, or who is affected; None where there is none."""
    for name, chart in finding.charts.items():
        if chart.slide == about and (series := finding.drawing(name).series) is not None:
            return Picture(chart.title, chart.caption, series, finding.drawing(name).alt)
    return None


def worst(picture: Picture | None) -> Picture | None:
    """Of a picture with several estimates the one of the headline, or else the one that is worst for certain."""
    if picture is None or picture.spans is None or not picture.spans.rows:
        return None
    spans = picture.spans
    return replace(picture, series=replace(spans, rows=(spans.rows[spans.most_telling(spans.rows)[0]],)))
