"""What somebody wants to keep, drafts and jobs of their own, and what each of them names."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from core.base.errors import RecordError
from core.base.files import home
from core.models.endpoint.settings import endpoints_in
from core.register.projects import upload_days_of_runs
from core.register.register import Register
from dashboard.jobs.job import OWN_WORK, Job, study_of


@dataclass(frozen=True)
class Wanted:
    """A draft or a job of somebody's own.

    Attributes:
        name: The draft's or the job's.
        visitors: Who made it or asked for it.
        used: When it was last opened, seconds since 1970.
        files: Names of the uploads it names, by SHA-256.
        results: Folders of its results.
        answers: Identities of the models behind addresses that it asks, whose answers are kept.
        job: The job; None if it is a draft.
        paths: Files of the draft.
    """

    name: str
    visitors: tuple[str, ...]
    used: float
    files: dict[str, str]
    results: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()
    job: Job | None = None
    paths: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Consequences:
    """What deleting something means.

    Attributes:
        going: Names of the files that go with it.
        staying: Names of the files that stay, because something else uses them.
        audits: Other audits of the visitor that use one of its files.
        shared: Whether another visitor asked for the same, so that it stays for them.
        drafts: Other drafts of the visitor that use one of its files.
    """

    going: tuple[str, ...]
    staying: tuple[str, ...]
    audits: tuple[str, ...]
    shared: bool
    drafts: tuple[str, ...] = ()


def drafts() -> Iterator[Wanted]:
    """Drafts, each with the copy kept aside and the choices of other pages."""
    grouped: dict[tuple[Path, str], list[Path]] = {}
    for path in (home() / "drafts").rglob("*.json"):
        grouped.setdefault((path.parent, path.name[:16]), []).append(path)
    for (folder, name), paths in grouped.items():
        files: dict[str, str] = {}
        answers: set[str] = set()
        used = 0.0
        for path in paths:
            with suppress(OSError, ValueError):
                tree = from_json(path.read_bytes())
                files |= files_in(tree)
                answers |= {one.identity for one in endpoints_in(tree)}
                used = max(used, path.stat().st_mtime)
        yield Wanted(name, (folder.name,), used, files, answers=frozenset(answers), paths=tuple(paths))


def of_job(job: Job) -> Wanted:
    """A job with what it names."""
    texts = set(_texts_in(job.answer))
    if job.kind == "audit" and job.state != "done":
        with suppress(RecordError):
            texts |= {plan.result_fingerprint for plan in study_of(job).plans}
    return Wanted(
        name=job.id,
        visitors=(*job.visitors, *job.gone),
        used=max(job.used or 0, job.finished or 0, job.submitted),
        files=files_in([job.arguments, job.answer]),
        results=frozenset(texts),
        answers=frozenset(one.identity for one in endpoints_in(job.arguments)),
        job=job,
    )


def users_of(wanted: Iterable[Wanted], files: Collection[str], visitors: Collection[str]) -> Iterator[Wanted]:
    """What of these visitors' uses one of the files."""
    return (one for one in wanted if set(visitors) & set(one.visitors) and one.files.keys() & set(files))


def days_of_uploads(jobs: Collection[Job], general: float) -> dict[str, float]:
    """For how many days uploads of audits, and what previews made of them, are kept; 0 for good.

    The longest counts of what the projects of the audits say; ``general`` where an audit is in none that says so.
    """
    of_runs = upload_days_of_runs(Register())
    asked: dict[str, list[float]] = {}
    for job in jobs:
        each = [days or general for days in of_runs.get(job.id, (0,))]
        for digest in files_in(job.arguments) if job.kind in OWN_WORK else ():
            asked.setdefault(digest, []).extend(each)
    kept = {digest: _longest(each) for digest, each in asked.items()}
    for job in sorted(jobs, key=lambda one: one.submitted):
        if job.kind not in OWN_WORK and (read := files_in(job.arguments)):
            days = _longest([kept.get(digest, general) for digest in read])
            kept = dict.fromkeys(files_in(job.answer), days) | kept
    return kept


def _longest(days: list[float]) -> float:
    return max(days) if all(days) else 0


def files_in(tree: Any) -> dict[str, str]:
    """SHA-256 and name of every file reference in a JSON tree; of a folder, which is no file of ours, without name."""
    if isinstance(tree, dict):
        own = {str(tree["sha256"]): "" if "rows" in tree else str(tree.get("name", ""))} if "sha256" in tree else {}
        return own | {digest: name for value in tree.values() for digest, name in files_in(value).items()}
    if isinstance(tree, list | tuple):
        return {digest: name for value in tree for digest, name in files_in(value).items()}
    return {}


def _texts_in(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        for value in tree.values() if isinstance(tree, dict) else tree:
            yield from _texts_in(value)
