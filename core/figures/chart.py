"""A figure with what surrounds it: a title, words for those who cannot see it, and when it has something to show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go


@dataclass(frozen=True)
class ResultChart:
    """A figure of a result as somebody reads it.

    The functions take the audit's own result and reading.

    Attributes:
        audit: The kind of audit it belongs to, as in :data:`core.audits.AUDITS`.
        title: What it shows, as a heading.
        caption: How to read it, one or two plain sentences.
        draw: The figure.
        alt: What it says, in words, with its numbers; contains no user text but names.
        applies: Whether the result holds what it needs under this reading.
    """

    audit: str
    title: str
    caption: str
    draw: Callable[[Any, Any], go.Figure]
    alt: Callable[[Any, Any], str]
    applies: Callable[[Any, Any], bool] = lambda result, reading: True


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
