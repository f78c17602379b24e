"""Repeat a record: find its files, run its plan, write what came out, and say whether it is the same."""

import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal

from core.base.device import as_recorded
from core.base.errors import DataError, RecordError
from core.base.files import FileRef, FileStore, FolderRef, files_of
from core.base.progress import OnProgress
from core.base.settings import Settings
from core.language.phrases import whole
from core.language.told import say, say_as
from core.models.endpoint.asking import answers_beside
from core.records.codec import save_result
from core.records.document import Difference, differences
from core.records.workflow import P, R, Record
from core.report.pdf import to_pdf
from core.report.skeleton import skeleton
from core.report.statement import Statement
from core.sources.folder.listing import SUFFIXES, list_folder

RECORD_NAME, PAGE_NAME = "record.json", "report.html"
SLIDES_NAME, POWERPOINT_NAME, PDF_NAME = "slides.html", "slides.pptx", "report.pdf"
RECORD_LIMIT = 64 * 2**20
"""Records are small; a larger file is something else."""


@dataclass(frozen=True)
class Repeat(Generic[P, R]):
    """What repeating a record gave.

    Attributes:
        record: What was repeated.
        plan: What was run: the record's plan, perhaps under other decision settings.
        result: What came out.
        products: Files that came out besides, by name; the answers of models behind addresses among them.
        differences: Numbers and sentences that differ from the record's under its own decision settings; None for a
            bare plan, which has none.
        other_versions: Libraries whose version differs from the record's: name, recorded, present.
    """

    record: Record[P, R]
    plan: P
    result: R
    products: dict[str, bytes]
    differences: tuple[Difference, ...] | None
    other_versions: tuple[tuple[str, str, str], ...]


def record_bytes(path: Path) -> bytes:
    """What a file that should be a record holds.

    Raises:
        RecordError: There is no such file, it cannot be read, or it is too large for a record.
    """
    try:
        if path.stat().st_size > RECORD_LIMIT:
            raise RecordError(
                say("This file is too large for a record."),
                where=str(path),
                advice=say("Choose the record, a .json file."),
            )
        return path.read_bytes()
    except OSError as error:
        raise RecordError(
            say("The record cannot be read."),
            where=f"{path}: {error.strerror}",
            advice=say("Check the path and its permissions."),
        ) from error


def repeat(
    record: Record[P, R],
    beside: Path,
    given: tuple[Path, ...] = (),
    *,
    plan: P | None = None,
    on_progress: OnProgress | None = None,
) -> Repeat[P, R]:
    """Run a record's plan, and compare the numbers with those it holds.

    A record made on the processor is repeated there, unless an accelerator was asked for.

    Args:
        record: As it was read.
        beside: Folder in which its files may lie.
        given: Files the user named.
        plan: The record's plan under other decision settings; None for its own.
        on_progress: Called while the plan is run.

    Raises:
        EvenhandError: A file is missing or has another content, or the plan cannot be run.
    """
    workflow, run = record.workflow, record.plan if plan is None else plan
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        files = FileStore(Path(folder))
        gather(files_of(run), given, beside, files)
        answers = answers_beside(run, beside, Path(folder) / "answers")
        with as_recorded(record.versions):
            result = workflow.run(run, files, on_progress)
        products = workflow.products(run, result, files) | {name: kept.written() for name, kept in answers.items()}
    found = None
    if record.numbers is not None:
        found = differences(record.numbers, workflow.numbers(record.plan, result), older=bool(record.since))
    present = dict(workflow.versions(result))
    other = tuple(
        (name, version, present.get(name, "none"))
        for name, version in record.versions.items()
        if present.get(name) != version
    )
    return Repeat(record, run, result, products, found, other)


def write(
    repeated: Repeat[P, R], out: Path, *, slides: bool = False, pdf: Literal["", "whole", "short"] = ""
) -> tuple[str, ...]:
    """Write record, page, results, products and, if asked for, slides into the folder ``out``; older ones are replaced.

    Args:
        repeated: What was run.
        out: The folder.
        slides: Whether slides are written.
        pdf: Whether the page is printed too: whole, or short, without its appendix; not if empty.

    Returns:
        The names of what was written.

    Raises:
        RecordError: The folder cannot be written.
    """
    workflow, plan, result = repeated.record.workflow, repeated.plan, repeated.result
    parts = workflow.parts(result)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, part in parts.items():
            save_result(part, out / name)
        for name, content in repeated.products.items():
            _replace(out / name, content)
        stated = repeated.record.statement
        _replace(out / RECORD_NAME, workflow.to_json(plan, result, stated).encode())
        page = workflow.page(plan, result, stated)
        _replace(out / PAGE_NAME, page.encode())
        shown = _slides(repeated) if slides else {}
        if pdf:
            paper = skeleton((stated or Statement()).standard).paper
            shown[PDF_NAME] = to_pdf(page, paper, appendix=pdf == "whole")
        for name, content in shown.items():
            _replace(out / name, content)
    except OSError as error:
        raise unwritable(out, error) from error
    return (RECORD_NAME, PAGE_NAME, *shown, *repeated.products, *parts)


def _slides(repeated: Repeat[P, R]) -> dict[str, bytes]:
    """The slides as HTML and as PowerPoint, by name."""
    from core.slides import powerpoint
    from core.slides.html import render

    record = repeated.record
    shown = record.workflow.slides(repeated.plan, repeated.result, record.statement)
    return {
        SLIDES_NAME: render(shown.deck, shown.tests).encode(),
        POWERPOINT_NAME: powerpoint.write(shown.deck),
    }


def keep_files(plan: Settings, files: FileStore, out: Path) -> None:
    """Copy every file a plan names into ``out``, under its own name, so that a record there can be repeated.

    A folder is not copied: a link in ``out`` leads to it.

    Raises:
        RecordError: The folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        for ref in files_of(plan):
            target = out / Path(ref.name).name
            if isinstance(ref, FolderRef):
                _point(target, files.path(ref).resolve())
            else:
                target.write_bytes(files.path(ref).read_bytes())
    except OSError as error:
        raise unwritable(out, error) from error


def gather(refs: tuple[FileRef, ...], given: tuple[Path, ...], beside: Path, files: FileStore) -> None:
    """Put every file a plan names into ``files``: from ``given``, from the folder ``beside``, or from the cache.

    Raises:
        DataError: A file was found nowhere, or one of ``given`` is none of them (says which fingerprint it has).
    """
    lying: dict[FileRef, Path] = {}
    for folder in (ref for ref in refs if isinstance(ref, FolderRef)):
        lying[folder] = _find_folder(folder, given, beside)
        files.link(lying[folder], folder)
    contents = {path: _read(path) for path in given if path.resolve() not in lying.values()}
    wanted = {ref.sha256: ref for ref in refs if ref not in lying}
    for path, content in contents.items():
        digest = hashlib.sha256(content).hexdigest()
        if digest not in wanted:
            raise DataError(
                say("The file {name} is none of those the record names.", name=path.name),
                where=_expected(digest, refs),
                advice=say("Give the very file that was audited, unchanged."),
            )
        files.put(content, wanted[digest].name)
    for ref in refs:
        if ref not in lying and not (files.root / ref.sha256).exists():
            files.put(_find(ref, beside), ref.name)


def _expected(digest: str, refs: tuple[FileRef, ...]) -> str:
    if not refs:
        return say("its SHA-256 is {digest}; expected no file at all", digest=digest)
    known = say_as("files", " or ").join(f"{ref.sha256} ({ref.name})" for ref in refs)
    return say("its SHA-256 is {digest}; expected {known}", digest=digest, known=known)


def _find(ref: FileRef, beside: Path) -> bytes:
    for path in _candidates(ref, beside):
        content = _read(path)
        if hashlib.sha256(content).hexdigest() == ref.sha256:
            return content
    raise DataError(
        say("The file {name} was not found.", name=ref.name),
        where=say(
            "SHA-256 {sha256}, {bytes} bytes; looked beside the record and in the cache",
            sha256=ref.sha256,
            bytes=whole(ref.bytes),
        ),
        advice=say("Name it with --file PATH, or put it beside the record. It must be the very file that was audited."),
    )


def _find_folder(ref: FolderRef, given: tuple[Path, ...], beside: Path) -> Path:
    """Where the folder lies that a plan names: among those given, beside the record, or where the audit linked it."""
    large = [path for path in given if path.is_dir() or path.suffix.lower() in SUFFIXES]
    for path in (*large, beside / Path(ref.name).name, beside / ref.sha256):
        with suppress(DataError):
            if path.exists() and list_folder(path).ref(ref.name) == ref:
                return path.resolve()
    raise DataError(
        say("The folder {name} was not found, or its files are not those that were audited.", name=ref.name),
        where=say(
            "{rows} rows, names, sizes and footers of its files: {sha256}", rows=whole(ref.rows), sha256=ref.sha256
        ),
        advice=say("Name it with --file PATH, or put it beside the record."),
    )


def _point(link: Path, folder: Path) -> None:
    """Have a link lead to a folder; whatever else has its name stays, and so does a system without links."""
    with suppress(OSError):
        if link.is_symlink():
            link.unlink()
        link.symlink_to(folder)


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
        say("The results cannot be written."), where=f"{out}: {error.strerror}", advice=say("Choose another folder.")
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(
            say("The file {name} cannot be read.", name=path.name),
            where=f"{path}: {error.strerror}",
            advice=say("Check the path."),
        ) from error


def _replace(path: Path, content: bytes) -> None:
    fresh = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        fresh.write_bytes(content)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
