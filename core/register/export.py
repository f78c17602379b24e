"""The register as a CSV file that no spreadsheet obeys."""

import time
from collections.abc import Iterable

from core.base.tables import as_csv as written
from core.language.reader import SOURCE, speaking
from core.language.told import retold
from core.register.entry import Entry
from core.report.statement import DECISIONS

COLUMNS = (
    *("made", "system", "version", "model", "table", "tests", "verdict", "headline", "status", "signed", "auditor"),
    *("reviewer", "decision", "notes", "workflow", "id", "repeats", "sha256_of_record", "sha256_of_report"),
)


def as_csv(entries: Iterable[Entry]) -> bytes:
    """One line an entry, in English like the register."""
    with speaking(SOURCE):
        return written([COLUMNS, *map(_cells, entries)])


def _cells(entry: Entry) -> tuple[str, ...]:
    summary, stated = entry.summary, entry.statement
    return (
        *(_moment(entry.made), entry.system, stated.version, summary.model, summary.table),
        *(summary.tests, summary.verdict, summary.headline, entry.status.value, _moment(entry.signed)),
        *(stated.auditor, stated.reviewer, retold(DECISIONS[stated.decision]), entry.notes, entry.workflow, entry.id),
        *(entry.after, entry.documents.get("record", ""), entry.documents.get("report", "")),
    )


def _moment(seconds: float) -> str:
    """``2026-11-23 11:40``, in UTC; empty for none."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds)) if seconds else ""
