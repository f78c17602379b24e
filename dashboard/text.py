"""Words of a user's own inside Streamlit's Markdown and inside HTML: shown letter by letter, never obeyed."""

import html
import re

_MEANS = re.compile(r"[\\`*\[\]{}<>|~$&@:!#+]|(?<![^\W_])_|_(?![^\W_])|(?<!\w)-|-(?!\w)|^=")
_NUMBERED = re.compile(r"^(\d+)(?=[.)](?:\s|$))")
"""What may mean something in Markdown where it stands, and the number that begins a list."""
_JOINER = "\u2060"
_OBEYED = re.compile(r"(?<=[:@])(?=\S)|(?<=\S)(?=[:@])|(?<=www)(?=\.)|(?<=[-<>=~!])(?=[-<>=~])", re.IGNORECASE)
"""Between the marks that Streamlit reads after Markdown: ``:smile:``, ``me@example.com``, ``www.``, ``->``, ``>=``."""

_TURNS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of the text around them; they are named instead of obeyed."""


def literal(text: object, limit: int = 0) -> str:
    """``text`` as Markdown that shows exactly these characters on one line.

    Marks are escaped that could begin emphasis, code, links, images, lists, headings, HTML, mathematics (``$``) and
    colour directives (``:red[..]``), and no others: the escapes of a widget's label are read aloud. Streamlit replaces
    emoji and icon names, arrows and bare addresses after Markdown has removed the escapes; an invisible word joiner
    breaks those up.

    Args:
        text: Anything a user brought: a column name, a group, a category, a file name.
        limit: Cut after this many characters, with an ellipsis; 0 keeps all.
    """
    whole = " ".join(str(text).split())
    cut = whole if not limit or len(whole) <= limit else whole[: limit - 1].rstrip() + "…"
    broken = _OBEYED.sub(_JOINER, named_turns(cut))
    return _NUMBERED.sub(r"\1\\", _MEANS.sub(r"\\\g<0>", broken))


def as_html(text: str) -> str:
    """``text`` as HTML that shows exactly these characters, also inside the quotes of an attribute."""
    return html.escape(named_turns(text))


def named_turns(text: str) -> str:
    """``text`` with marks that turn its direction named; for what is read aloud, where nothing else is obeyed."""
    return _TURNS.sub(lambda mark: f"<U+{ord(mark[0]):04X}>", text)
