"""One chart of a finding with its heading, its caption and words for those who cannot see it."""

import re
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.figures.theme import literal as literal_in_chart
from core.figures.theme import readable
from core.finding import AbstractFinding
from core.language.phrases import shortened
from core.language.told import say
from dashboard.drawings import plotly_options, put
from dashboard.fields import symbols
from dashboard.messages import guarded
from dashboard.text import literal

_FORMAT = "chart_format"
_ABOVE = 28
"""Pixels above a chart for the button that saves it, which lies over whatever stands there."""
_TITLE = {
    "x": 0.01,
    "xanchor": "left",
    "y": 1,
    "yref": "container",
    "yanchor": "top",
    "pad": {"t": 8},
    "font": {"size": 12},
}
"""Where a saved chart's title stands, in the room above it; the page, which has a heading, hides it."""
_LONGEST_MODEL = 61
_SYMBOL = re.compile(r" [α-ω](?=[ ,]|$)")


def show_chart(
    finding: AbstractFinding[Any, Any],
    name: str,
    *,
    on_select: Callable[[str], None] | None = None,
    to: str = "",
    folded: bool = False,
) -> bool:
    """Draw the chart ``name`` where it applies; say nothing where it does not.

    Args:
        finding: What was found.
        name: Its name in the room's table.
        on_select: Told of clicks; None for a chart in which nothing can be clicked.
        to: What the selection belongs to; another one forgets it.
        folded: Whether it is folded away under its title, as what comes after the first chart of a tab.

    Returns:
        Whether it applied.
    """
    chart = finding.charts.get(name)
    if chart is None:
        return False
    drawing = finding.drawing(name)
    key, figure = f"chart_{name}{to}", _drawn(drawing.figure)
    figure["layout"]["title"] = {"text": literal_in_chart(saved_title(finding, chart.title)), **_TITLE}
    if not folded:
        st.header(chart.title, anchor=False)
    with st.expander(chart.title) if folded else st.container():
        st.caption(chart.caption)
        put(
            figure,
            drawing,
            key,
            _saved_as(f"{finding.kind.name}_{name}".replace(" ", "-"), int(figure["layout"]["height"])),
            on_select="ignore" if on_select is None else guarded()(lambda: on_select(key)),
            selection_mode="points",
        )
        if drawing.left_out:
            st.caption(literal(drawing.left_out))
    return True


def choose_format() -> None:
    """How the button in a chart's corner saves it."""
    with st.popover(say("Save charts"), icon=":material/photo_camera:"):
        st.caption(say("Every chart has a camera in its upper right corner, which saves it as a file of this format."))
        st.segmented_control(say("Format"), ("PNG", "SVG"), default="PNG", key=_FORMAT, required=True)


def saved_title(finding: AbstractFinding[Any, Any], chart: str) -> str:
    """What a saved chart says above itself: what it shows, of which test, model and rows, and what made it."""
    return say(
        "{chart} · {test}, {model}, {rows} · Evenhand {version}",
        chart=chart,
        test=finding.title,
        model=shortened(finding.result.model.name, _LONGEST_MODEL),
        rows=finding.result.data.rows,
        version=version("evenhand"),
    )


def _saved_as(name: str, height: int) -> dict[str, Any]:
    """Plotly's options for a chart that can be saved under a name, 1,000 pixels wide."""
    kind = str(st.session_state.get(_FORMAT) or "PNG").lower()
    file = {"format": kind, "filename": name, "width": 1000, "height": height, "scale": 2 if kind == "png" else 1}
    shown = {"displayModeBar": True, "displaylogo": False, "modeBarButtons": [["toImage"]]}
    return {**plotly_options(), **shown, "toImageButtonOptions": file}


def _drawn(figure: go.Figure) -> dict[str, Any]:
    """The figure with room above it, its axes named without the paper's symbols unless they are to be shown."""
    drawn = readable(figure)
    layout = drawn["layout"]
    layout["height"] = layout.get("height", 400) + _ABOVE
    layout["margin"] = {**layout.get("margin", {}), "t": layout.get("margin", {}).get("t", 0) + _ABOVE}
    if not symbols():
        titles = (axis["title"] for name, axis in layout.items() if name.startswith(("xaxis", "yaxis")))
        for title in filter(lambda one: one.get("text"), titles):
            title["text"] = _SYMBOL.sub("", title["text"])
    return drawn
