"""A chart with what surrounds it: a title, a caption, words for those who cannot see it, and when it applies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import plotly.graph_objects as go

F = TypeVar("F")


@dataclass(frozen=True)
class Drawing:
    """A figure and what it says in words, both made from the same rows.

    Attributes:
        figure: The figure.
        alt: What it says, with its numbers; contains no user text but names.
    """

    figure: go.Figure
    alt: str


@dataclass(frozen=True)
class Chart(Generic[F]):
    """A chart of a finding.

    Attributes:
        title: What it shows, as a heading.
        caption: How to read it, one or two plain sentences.
        draw: The drawing; asked for only where the chart applies.
        applies: Whether the finding holds what it needs; quick.
    """

    title: str
    caption: str
    draw: Callable[[F], Drawing]
    applies: Callable[[F], bool] = lambda finding: True


@dataclass(frozen=True)
class InputChart:
    """A chart of what goes into an audit; ``draw`` and ``alt`` take the same arguments, named in the figure's file.

    Attributes:
        title: What it shows, as a heading.
        caption: How to read it.
        draw: The figure.
        alt: What it says, in words.
    """

    title: str
    caption: str
    draw: Callable[..., go.Figure]
    alt: Callable[..., str]


@dataclass(frozen=True)
class ResultChart:
    """A chart of a result under decision settings, as rooms not yet converted keep it."""

    audit: str
    title: str
    caption: str
    draw: Callable[[Any, Any], go.Figure]
    alt: Callable[[Any, Any], str]
    applies: Callable[[Any, Any], bool] = lambda result, decision: True
