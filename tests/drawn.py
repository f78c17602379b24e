"""What tests of charts look up in a figure."""

from typing import Any

import plotly.graph_objects as go


def trace(figure: go.Figure, name: str) -> Any:
    """The points, lines or bars of this name."""
    return next(found for found in figure.data if found.name == name)


def words(figure: go.Figure) -> list[str]:
    """What is written in the plot."""
    return [annotation.text for annotation in figure.layout.annotations]
