"""A chart with what surrounds it: a title, a caption, words for those who cannot see it, and when it applies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, ParamSpec

import plotly.graph_objects as go

from core.figures.series import Series
from core.language.told import Retelling

P = ParamSpec("P")


@dataclass(frozen=True)
class Drawing:
    """A figure and what it says in words, both made from the same rows.

    Attributes:
        figure: The figure.
        alt: What it says, with its numbers; contains no user text but names.
        series: The same as numbers and plain words; None where no other program draws it.
        left_out: Who or what is not drawn and why, a sentence or two to stand below it; may be empty.
    """

    figure: go.Figure
    alt: str
    series: Series | None = None
    left_out: str = ""


@dataclass(frozen=True)
class Chart(Retelling, Generic[P]):
    """A chart of a finding, or of what else is drawn: ``draw`` says what it takes.

    Attributes:
        title: What it shows, as a heading.
        caption: How to read it, one or two plain sentences.
        draw: The drawing; asked for only where the chart applies.
        applies: Whether what it takes holds what it needs; quick.
        slide: The slide it stands on: "sure" (how sure the verdict is) or "who" (who is affected); of several that
            apply the first. Its drawing has a series.
    """

    title: str
    caption: str
    draw: Callable[P, Drawing]
    applies: Callable[P, bool] = lambda *given, **named: True
    slide: Literal["", "sure", "who"] = ""
