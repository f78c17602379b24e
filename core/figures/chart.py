"""A figure with what surrounds it: a title, words for those who cannot see it, and when it has something to show."""

from collections.abc import Callable
from dataclasses import dataclass

import plotly.graph_objects as go

from core.reading import Reading
from core.result import AuditResult


@dataclass(frozen=True)
class ResultChart:
    """A figure of a result as somebody reads it.

    Attributes:
        title: What it shows, as a heading.
        caption: How to read it, one or two plain sentences.
        draw: The figure.
        alt: What it says, in words, with its numbers; contains no user text but names.
        applies: Whether the result holds what it needs.
    """

    title: str
    caption: str
    draw: Callable[[AuditResult, Reading], go.Figure]
    alt: Callable[[AuditResult, Reading], str]
    applies: Callable[[AuditResult], bool] = lambda _: True


@dataclass(frozen=True)
class InputChart:
    """A figure of what goes into an audit; ``draw`` and ``alt`` take the same arguments, named in the figure's file.

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
