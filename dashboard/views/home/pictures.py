"""Small drawings of the examples: what is decided, and how two similar people of different groups fare."""

from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.text import as_html

if TYPE_CHECKING:
    from core.workflows.examples import Picture

_DRAWING = Path(__file__).parents[3] / "assets" / "pictures.svg"
_TREATED = {
    "differently": ("yes", "no"),
    "alike": ("yes", "yes"),
    "further apart": ("low", "high"),
    "unclear": ("open", "open"),
}
"""What one of the two gets, and what the other, by the names of the drawing's parts."""


def drawn(picture: "Picture", alt: str) -> str:
    """A drawing as HTML, on a light page or a dark one.

    Args:
        picture: What it shows.
        alt: The same in words, for those who do not see it.
    """
    first, second = _TREATED[picture.treated]
    drawing = _whole().format(topic=picture.topic, first=first, second=second)
    address = f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"
    return f'<img class="ev-picture" alt="{as_html(alt)}" src="{address}">'  # verbatim


@cache
def _whole() -> str:
    """The drawing with all its parts, of which few are shown."""
    return _DRAWING.read_text(encoding="utf-8")
