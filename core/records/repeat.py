"""Repeat an audit from its record: find its files, run it, write what came out, and say whether it is the same."""

import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import DataError, RecordError
from core.files import FileRef, FileStore
from core.progress import OnProgress
from core.records.codec import save_result
from core.records.record import (
    VERSION,
    Difference,
    Record,
    differences,
    files_of,
    numbers_json,
    read_record,
    to_json,
)
from core.report.html import render
from core.result import AuditResult
from core.run import run_study
from core.study import Study

RECORD_LIMIT = 64 * 2**20
"""Records are small; a larger file is something else."""


@dataclass(frozen=True)
class Repeat:
    """What repeating a record gave.

    Attributes:
        study: What was run, with the decision settings it was read by.
        results: What came out, one a test.
        differences: Numbers that differ from the record's at its own decision settings; None for a bare plan, which
        has none.
        other_versions: Libraries whose version differs from the record's: name, recorded, present.
    """

    study: Study
    results: tuple[AuditResult, ...]
    differences: tuple[Difference, ...] | None
    other_versions: tuple[tuple[str, str, str], ...]


def read_record_file(path: Path) -> Record:
    """The record or bare plan in a file.

    Raises:
        RecordError: There is no such file, or it holds something else.
    """
    return read_record(record_bytes(path))


def record_bytes(path: Path) -> bytes:
    """What a file that should be a record holds.

    Raises:
        RecordError: There is no such file, it cannot be read, or it is too large for a record.
    """
    try:
        if path.stat().st_size > RECORD_LIMIT:
            raise RecordError(
                "This file is too large for a record.", where=str(path), advice="Choose the record, a .json file."
            )
        return path.read_bytes()
    except OSError as error:
        raise RecordError(
            "The record cannot be read.",
            where=f"{path}: {error.strerror}",
            advice="Check the path and its permissions.",
        ) from error


def repeat(
    record: Record, study: Study, beside: Path, given: tuple[Path, ...], on_progress: OnProgress | None = None
) -> Repeat:
    """Run ``study``, and compare the numbers under the record's own decision settings with those it holds.

    Args:
        record: As it was read.
        study: The record's study, perhaps with other decision settings.
        beside: Folder in which its files may lie.
        given: Files the user named.
        on_progress: Called between blocks of rows.

    Raises:
        EvenhandError: A file is missing or has another content, or the audit cannot run.
    """
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        gather(files_of(study), given, beside, files)
        results = run_study(study, files, on_progress)
    found = None
    if record.numbers is not None:
        pairs = zip(results, record.study.plans, strict=True)
        numbers = [numbers_json(result, plan) for result, plan in pairs]
        found = differences(list(record.numbers), numbers, older=record.version < VERSION)
    present = dict(results[0].versions)
    other = tuple(
        (name, version, present.get(name, "none"))
        for name, version in record.versions.items()
        if present.get(name) != version
    )
    return Repeat(study, results, found, other)


def write(repeated: Repeat, out: Path) -> None:
    """Write ``record.json``, ``report.html`` and a folder ``result-1``, ... for each test; older ones are replaced.

    Raises:
        RecordError: The folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        for number, result in enumerate(repeated.results, start=1):
            save_result(result, out / f"result-{number}")
        _replace(out / "record.json", to_json(repeated.study, repeated.results))
        _replace(out / "report.html", render(repeated.study, repeated.results))
    except OSError as error:
        raise unwritable(out, error) from error


def keep_files(study: Study, files: FileStore, out: Path) -> None:
    """Copy every file the study names into ``out``, under its own name, so that a record there can be repeated.

    Raises:
        RecordError: The folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        for ref in files_of(study):
            (out / Path(ref.name).name).write_bytes(files.path(ref).read_bytes())
    except OSError as error:
        raise unwritable(out, error) from error


def gather(refs: tuple[FileRef, ...], given: tuple[Path, ...], beside: Path, files: FileStore) -> None:
    """Put every file a study names into ``files``: from ``given``, from the folder ``beside``, or from the cache.

    Raises:
        DataError: A file was found nowhere, or one of ``given`` is none of them (says which fingerprint it has).
    """
    contents = {path: _read(path) for path in given}
    wanted = {ref.sha256: ref for ref in refs}
    for path, content in contents.items():
        digest = hashlib.sha256(content).hexdigest()
        if digest not in wanted:
            raise DataError(
                f"The file {path.name} is none of those the record names.",
                where=f"its SHA-256 is {digest}; expected "
                + (" or ".join(f"{ref.sha256} ({ref.name})" for ref in refs) or "no file at all"),
                advice="Give the very file that was audited, unchanged.",
            )
        files.put(content, wanted[digest].name)
    for ref in refs:
        if not (files.root / ref.sha256).exists():
            files.put(_find(ref, beside), ref.name)


def _find(ref: FileRef, beside: Path) -> bytes:
    for path in _candidates(ref, beside):
        content = _read(path)
        if hashlib.sha256(content).hexdigest() == ref.sha256:
            return content
    raise DataError(
        f"The file {ref.name} was not found.",
        where=f"SHA-256 {ref.sha256}, {ref.bytes:,} bytes; looked beside the record and in the cache",
        advice="Name it with --file PATH, or put it beside the record. It must be the very file that was audited.",
    )


def _candidates(ref: FileRef, beside: Path) -> Iterator[Path]:
    """Files of the right size: those beside the record, the one of the same name first, and the cache's."""
    cached = FileStore().root / ref.sha256
    if cached.is_file():
        yield cached
    if beside.is_dir():
        for path in sorted(beside.iterdir(), key=lambda path: (path.name != ref.name, path.name)):
            if path.is_file() and path.stat().st_size == ref.bytes:
                yield path


def unwritable(out: Path, error: OSError) -> RecordError:
    """That a folder for results cannot be written, and why."""
    return RecordError(
        "The results cannot be written.", where=f"{out}: {error.strerror}", advice="Choose another folder."
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(
            f"The file {path.name} cannot be read.", where=f"{path}: {error.strerror}", advice="Check the path."
        ) from error


def _replace(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
