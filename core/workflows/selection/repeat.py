"""Repeat a selection from its record: find its files, run it, write what came out, and say whether it is the same."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from core.files import FileStore
from core.plan import AuditPlan
from core.progress import OnProgress
from core.records.codec import save_result
from core.records.plan_record import PlanRecord
from core.records.record import Difference, differences, files_of
from core.records.repeat import gather, record_bytes, unwritable
from core.workflows.selection.page import render
from core.workflows.selection.record import RECORD, numbers_json, to_json
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.run import run_selection
from core.workflows.selection.settings import SelectionPlan


@dataclass(frozen=True)
class RepeatedSelection:
    """What repeating a record gave.

    Attributes:
        record: What was repeated.
        result: What came out.
        files: The chosen model and the rows of its audit, by the names under which the audit knows them.
        differences: Numbers that differ from the record's; None for a bare plan, which has none.
    """

    record: PlanRecord[SelectionPlan]
    result: SelectionResult
    files: tuple[tuple[str, bytes], ...]
    differences: tuple[Difference, ...] | None


def read_file(path: Path) -> PlanRecord[SelectionPlan]:
    """The record or bare plan in a file.

    Raises:
        RecordError: There is no such file, or it holds something else.
    """
    return RECORD.read(record_bytes(path))


def repeat(
    record: PlanRecord[SelectionPlan], beside: Path, given: tuple[Path, ...], on_progress: OnProgress | None = None
) -> RepeatedSelection:
    """Run the record's plan and compare the numbers with those it holds.

    Args:
        record: As it was read.
        beside: Folder in which the plan's files may lie.
        given: Files the user named.
        on_progress: Called between candidates.

    Raises:
        EvenhandError: A file is missing or has another content, or the selection cannot run.
    """
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        gather(files_of(record.plan), given, beside, files)
        result = run_selection(record.plan, files, on_progress)
        kept = () if result.audit is None else _contents(result.audit, files)
    found = None if record.numbers is None else differences(record.numbers, numbers_json(record.plan, result))
    return RepeatedSelection(record, result, kept, found)


def write(repeated: RepeatedSelection, out: Path) -> tuple[str, ...]:
    """Write record, page and result into ``out``, and where a model was chosen, it and the plan of its audit.

    Returns:
        The names of what was written.

    Raises:
        RecordError: The folder cannot be written.
    """
    plan, result = repeated.record.plan, repeated.result
    texts = {"selection.json": to_json(plan, result), "selection.html": render(plan, result)}
    if result.audit is not None:
        texts["audit.json"] = result.audit.model_dump_json(indent=1) + "\n"
    try:
        out.mkdir(parents=True, exist_ok=True)
        save_result(result, out / "result")
        for name, text in texts.items():
            (out / name).write_text(text, encoding="utf-8")
        for name, content in repeated.files:
            (out / name).write_bytes(content)
    except OSError as error:
        raise unwritable(out, error) from error
    return (*texts, *(name for name, _ in repeated.files), "result")


def _contents(audit: AuditPlan, files: FileStore) -> tuple[tuple[str, bytes], ...]:
    return tuple((Path(ref.name).name, files.path(ref).read_bytes()) for ref in files_of(audit))
