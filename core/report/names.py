"""What files of a result are called: ``credit-model_equalized-odds_2026-11-23_report.html``."""

import datetime
import re

LONGEST = 48
"""Letters of each part of a name."""


def file_stem(subject: str, work: str, day: datetime.date) -> str:
    """System or model, test or workflow, and date; letters and digits of every language, safe on every disk."""
    return "_".join((_plain(subject) or "model", _plain(work) or "audit", day.isoformat()))


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "-", text).strip("-").lower()[:LONGEST].strip("-")
