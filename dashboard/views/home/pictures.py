"""Small drawings of the examples: what is decided, and how two similar people of different groups fare."""

from base64 import b64encode
from typing import TYPE_CHECKING

from dashboard.text import as_html

if TYPE_CHECKING:
    from core.workflows.examples import Picture, Topic

_TOPICS: "dict[Topic, str]" = {
    "hiring": '<rect x="3" y="8" width="18" height="12" rx="2"/><path d="M8 8V5h8v3M3 13h18"/>',
    "income": '<rect x="2" y="6" width="20" height="12" rx="2"/><circle cx="12" cy="12" r="3"/>',
    "court": '<path d="M12 3v18M7 21h10M4 7h16M4 7l-3 7h6zM20 7l-3 7h6z"/>',
    "health": '<path d="M12 20s-8-5-8-11a4.4 4.4 0 0 1 8-2.7A4.4 4.4 0 0 1 20 9c0 6-8 11-8 11z"/>',
    "texts": '<rect x="5" y="2" width="14" height="20" rx="2"/><path d="M9 8h6M9 12h6M9 16h4"/>',
    "numbers": '<path d="M3 3v18h18M6 17L19 7M6 8l13 5"/>',
}
_INK = "#6B7A8F"
"""As far from white as from the page in the dark (4.3:1): Streamlit lets no drawing take the colour of the words."""
_PERSON = '<circle cx="12" cy="7" r="4"/><path d="M4 21c0-5 3.5-8 8-8s8 3 8 8z"/>'
_YES = '<path stroke="#2E9E6B" stroke-width="3.5" d="M4 13l5 5L20 6"/>'
_NO = '<path stroke="#D9534F" stroke-width="3.5" d="M5 5l14 14M19 5L5 19"/>'
_HIGH = '<rect x="8" y="2" width="8" height="20" fill="#D9534F" stroke="none"/>'
_LOW = '<rect x="8" y="12" width="8" height="10" fill="#2E9E6B" stroke="none"/>'
_OPEN = '<path d="M8 8a4 4 0 1 1 6 3.5c-1.5 1-2 1.5-2 3M12 19v.5"/>'
_TREATED = {
    "differently": (_YES, _NO),
    "alike": (_YES, _YES),
    "further apart": (_LOW, _HIGH),
    "unclear": (_OPEN, _OPEN),
}
"""What one of the two gets, and what the other."""


def drawn(picture: "Picture", alt: str) -> str:
    """A drawing as HTML, on a light page or a dark one.

    Args:
        picture: What it shows.
        alt: The same in words, for those who do not see it.
    """
    first, second = _TREATED[picture.treated]
    parts = (
        _placed(_TOPICS[picture.topic], 95, 4, 2.1),
        '<path d="M105 58L76 78M135 58l29 20" stroke-dasharray="3 4"/>',
        _placed(_PERSON, 34, 84, 2.5),
        _placed(first, 98, 104, 1.0),
        f'<g fill="{_INK}">{_placed(_PERSON, 128, 84, 2.5)}</g>',
        _placed(second, 192, 104, 1.0),
    )
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 150" width="240" height="150" fill="none" '
        f'stroke="{_INK}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">{"".join(parts)}</svg>'
    )
    address = f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"
    return f'<img class="ev-picture" alt="{as_html(alt)}" src="{address}">'  # verbatim


def _placed(glyph: str, x: int, y: int, scale: float) -> str:
    return f'<g transform="translate({x} {y}) scale({scale})">{glyph}</g>'
