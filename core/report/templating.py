"""What every HTML file of ours is made with: its templates, and a policy under which it runs no script but its own."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import jinja2

from core.language.phrases import whole
from core.language.reader import language
from core.language.told import say, say_as, say_count


def templates(folder: Path) -> jinja2.Environment:
    """The templates in a folder: what is put in is escaped, and a name that is not there is an error.

    They speak the reader's language with ``say``, ``say_as`` and ``say_count``.
    """
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    told = {"say": say, "say_as": say_as, "say_count": say_count, "whole": whole, "language": language}
    made.globals |= told
    return made


def css_string(text: str) -> str:
    """Text as a string of a style sheet, every character by its number, so that none ends it."""
    return '"' + "".join(f"\\{ord(character):06x}" for character in text) + '"'


def policy(scripts: Iterable[str], images: str = "") -> str:
    """A Content-Security-Policy: the page runs these scripts, known by their SHA-256, and loads nothing.

    Styles may stand in the page.

    Args:
        scripts: The scripts, letter by letter.
        images: From where images may come, for example ``data:``; none if left out.
    """
    hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    shown = f" img-src {images};" if images else ""  # verbatim
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline';{shown} base-uri 'none'; "
        "form-action 'none'"  # verbatim
    )
