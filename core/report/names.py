"""What a system is called where nobody named it, and files: ``credit-model_equalized-odds_2026-11-23_report.html``."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.study import Study

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
    def of(cls, subject: str, work: str, day: datetime.date) -> FileNames:
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


def system_of(stated: str, study: Study, model: str) -> str:
    """What people call what was audited: as they state it, else the table of answers, else the model.

    Args:
        stated: The system as it is stated; may be empty.
        study: What was run.
        model: Name of the model, which of answers in a table is no more than their column.
    """
    plan = study.plans[0]
    return stated.strip() or (_ENDING.sub("", plan.data.title) if plan.model.answers_in_the_table else model)


def file_stem(subject: str, work: str, day: datetime.date) -> str:
    """System or model, test or workflow, and date; letters and digits of every language, safe on every disk."""
    return "_".join((file_part(_ENDING.sub("", subject)) or "model", file_part(work) or "audit", day.isoformat()))


def file_part(text: str) -> str:
    """Letters and digits of a text with hyphens between them; empty where it has none."""
    return re.sub(r"[\W_]+", "-", text).strip("-").lower()[:LONGEST].strip("-")
