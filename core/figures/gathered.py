"""Many marks put on a figure at once."""

from typing import Any

import plotly.graph_objects as go


class Gathered:
    """Marks that wait to be put on a figure together, asked for as one asks a figure.

    Plotly checks all lines and words of a figure again for each that is added alone: a chart of a hundred rows took
    four seconds so, and takes a sixtieth of that with all of them at once.
    """

    def __init__(self) -> None:
        self._traces: list[dict[str, Any]] = []
        self._shapes: list[dict[str, Any]] = []
        self._annotations: list[dict[str, Any]] = []

    def add_scatter(self, **looks: Any) -> None:
        """Points, joined by lines or not."""
        self._traces.append({"type": "scatter", **looks})

    def add_shape(self, **looks: Any) -> None:
        """A line or an area that is no data."""
        self._shapes.append(looks)

    def add_annotation(self, **looks: Any) -> None:
        """Words."""
        self._annotations.append(looks)

    def put_on(self, figure: go.Figure) -> None:
        """Draw all of them on a figure that has no lines and words yet."""
        figure.add_traces(self._traces)
        figure.layout.shapes, figure.layout.annotations = self._shapes, self._annotations


Canvas = go.Figure | Gathered
"""What marks are put on."""
