"""Letters in one form (Unicode normalisation), in a time that grows with the text alone."""

import re
import unicodedata
from typing import Literal

_RUN = re.compile(r"[^\w\s\x00-\x7f]{64}")
"""More accents than a letter has: putting them in order takes the square of their number (Unicode UAX #15, 13)."""


def in_one_form(text: str, form: Literal["NFC", "NFKC"]) -> str:
    """The text with equal letters written equally; one with 64 accents or signs in a row as it is."""
    return text if text.isascii() or _RUN.search(text) else unicodedata.normalize(form, text)
