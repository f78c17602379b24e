"""Repeat a comparison from its record: find its files, run it, write what came out, and say whether it is the same."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from core.files import FileStore
from core.progress import OnProgress
from core.records.codec import save_result
from core.records.plan_record import PlanRecord
from core.records.record import Difference, differences, files_of
from core.records.repeat import gather, record_bytes, unwritable
from core.workflows.mitigation.compare import compare
from core.workflows.mitigation.record import RECORD, numbers_json, to_json
from core.workflows.mitigation.result import FairerResult
from core.workflows.mitigation.settings import FairerPlan


@dataclass(frozen=True)
class RepeatedFairer:
    """What repeating a record gave.

    Attributes:
        record: What was repeated.
        result: What came out.
        models: The fitted models, by the names of their files.
        differences: Numbers that differ from the record's; None for a bare plan, which has none.
    """

    record: PlanRecord[FairerPlan]
    result: FairerResult
    models: tuple[tuple[str, bytes], ...]
    differences: tuple[Difference, ...] | None


def read_file(path: Path) -> PlanRecord[FairerPlan]:
    """The record or bare plan in a file.

    Raises:
        RecordError: There is no such file, or it holds something else.
    """
    return RECORD.read(record_bytes(path))


def repeat(
    record: PlanRecord[FairerPlan], beside: Path, given: tuple[Path, ...], on_progress: OnProgress | None = None
) -> RepeatedFairer:
    """Run the record's plan and compare the numbers with those it holds.

    Args:
        record: As it was read.
        beside: Folder in which the plan's files may lie.
        given: Files the user named.
        on_progress: Called while models are fitted.

    Raises:
        EvenhandError: A file is missing or has another content, or the comparison cannot run.
    """
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        gather(files_of(record.plan), given, beside, files)
        result = compare(record.plan, files, on_progress)
        models = tuple((fit.model.name, files.path(fit.model).read_bytes()) for fit in result.fits if fit.model)
    found = None if record.numbers is None else differences(record.numbers, numbers_json(record.plan, result))
    return RepeatedFairer(record, result, models, found)


def write(repeated: RepeatedFairer, out: Path) -> tuple[str, ...]:
    """Write record, result and models into ``out``; no row of a person is among them.

    Returns:
        The names of what was written.

    Raises:
        RecordError: The folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        save_result(repeated.result, out / "result")
        (out / "fairer.json").write_text(to_json(repeated.record.plan, repeated.result), encoding="utf-8")
        for name, content in repeated.models:
            (out / name).write_bytes(content)
    except OSError as error:
        raise unwritable(out, error) from error
    return ("fairer.json", *(name for name, _ in repeated.models), "result")
