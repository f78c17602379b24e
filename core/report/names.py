"""What files of a result are called: ``credit-model_equalized-odds_2026-11-23_report.html``."""

import datetime
import re
from dataclasses import dataclass

LONGEST = 48
"""Letters of each part of a name."""
_ENDING = re.compile(r"\.[A-Za-z]\w{0,11}$")
"""What a model's file ends in; the version in "Screening 3.2" is none."""


@dataclass(frozen=True)
class FileNames:
    """What the files of one result are called, in the dashboard, in the report and in the record's command.

    Attributes:
        stem: How each begins.
    """

    stem: str

    @classmethod
    def of(cls, subject: str, work: str, day: datetime.date) -> "FileNames":
        """Names after a system or a model's file, a test or workflow, and a date."""
        return cls(file_stem(subject, work, day))

    @property
    def report(self) -> str:
        """The report as HTML."""
        return f"{self.stem}_report.html"

    @property
    def pdf(self) -> str:
        """The report as PDF."""
        return f"{self.stem}_report.pdf"

    @property
    def slides(self) -> str:
        """The slides as HTML."""
        return f"{self.stem}_slides.html"

    @property
    def powerpoint(self) -> str:
        """The slides as PowerPoint."""
        return f"{self.stem}_slides.pptx"

    @property
    def record(self) -> str:
        """The record."""
        return f"{self.stem}_record.json"


def file_stem(subject: str, work: str, day: datetime.date) -> str:
    """System or model, test or workflow, and date; letters and digits of every language, safe on every disk."""
    return "_".join((file_part(_ENDING.sub("", subject)) or "model", file_part(work) or "audit", day.isoformat()))


def file_part(text: str) -> str:
    """Letters and digits of a text with hyphens between them; empty where it has none."""
    return re.sub(r"[\W_]+", "-", text).strip("-").lower()[:LONGEST].strip("-")
