"""Tests as pieces of work that may be done elsewhere: a plan goes there, and the bytes of its result come back."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.audits import KINDS
from core.base.apart import goes_elsewhere, work_apart
from core.base.errors import CancelledError, EvenhandError
from core.base.files import FileStore, FolderRef, files_of
from core.base.parts import PARTS, Whole, only_parts, parted
from core.base.progress import OnProgress, consecutive_parts, ignore_progress
from core.contracts.metric import FittedMetric
from core.language.told import packed
from core.plan import AuditPlan
from core.records.codec import from_bytes, to_bytes
from core.result import AuditResult
from core.run import Tables, run_plan


def run_plans(
    plans: Sequence[AuditPlan],
    files: FileStore,
    on_progress: OnProgress | None = None,
    keep: Callable[[AuditPlan, AuditResult], object] = lambda plan, result: None,
) -> Iterator[AuditResult | EvenhandError]:
    """Run tests and give what each found, in order, or the error that it ended in.

    Where pieces are done elsewhere, each test is one; else they are run here, one after the other. A model that is an
    object of this process or answers behind an address is asked from here, and a folder that is read where it lies is
    tested here, for the passes over it are pieces already. So is a test that has parts (:mod:`core.base.parts`): these
    are pieces.

    Args:
        plans: The tests.
        files: Where uploads lie.
        on_progress: Told how far all of them are; may raise ``CancelledError``.
        keep: Told what a test found as soon as it is there, in any order.
    """
    report = on_progress or ignore_progress
    sent = [place for place, plan in enumerate(plans) if goes_elsewhere() and not _stays(plan)]
    here = [place for place in range(len(plans)) if place not in sent]
    going, *parts = consecutive_parts(report, [len(sent), *(1 for _ in here)])
    found: dict[int, AuditResult | EvenhandError] = {}

    def take(piece: int, answer: Any) -> None:
        found[sent[piece]] = one = answer if isinstance(answer, EvenhandError) else from_bytes(_read(answer))
        if isinstance(one, AuditResult):
            keep(plans[sent[piece]], one)

    if sent:
        pieces = [_piece(plans[place], files) for place in sent]
        work_apart(__name__, pieces, going, 1, on_answer=take)  # what is left to a job's child opens models by its wall
    left, tables = dict(zip(here, parts, strict=True)), Tables(files)
    for place, plan in enumerate(plans):
        if place not in found:
            found[place] = one = _run(plan, files, left[place], tables)
            if isinstance(one, AuditResult):
                keep(plan, one)
        yield found.pop(place)


def none_failed(found: Iterable[AuditResult | EvenhandError]) -> tuple[AuditResult, ...]:
    """What tests found, in order.

    Raises:
        EvenhandError: One ended in it.
    """
    results = []
    for one in found:
        if isinstance(one, EvenhandError):
            raise one
        results.append(one)
    return tuple(results)


def work(asked: Any, on_progress: OnProgress) -> dict[str, str] | list[Any]:
    """The files of the result of one test, or what some of its parts found, for :func:`core.base.apart.work_apart`.

    Raises:
        EvenhandError: As :func:`core.run.run_plan`.
    """
    plan, files = AuditPlan.model_validate(asked["plan"]), FileStore(Path(asked["files"]))
    for name, where in asked["lying"].items():
        files.lead(name, files.root.absolute() / where)
    if PARTS in asked:
        metric = from_bytes(_read(asked["metric"]), FittedMetric) if asked["metric"] else None
        return only_parts(asked[PARTS], lambda told: run_plan(plan, files, told, metric=metric), on_progress)
    return _written(run_plan(plan, files, on_progress))


def _run(plan: AuditPlan, files: FileStore, on_progress: OnProgress, tables: Tables) -> AuditResult | EvenhandError:
    try:
        with parted(None if plan.model.only_here else Whole(__name__, lambda metric: _part(plan, files, metric))):
            return run_plan(plan, files, on_progress, tables=tables)
    except CancelledError:
        raise
    except EvenhandError as error:
        return error


def _stays(plan: AuditPlan) -> bool:
    folder = any(isinstance(one, FolderRef) for one in files_of(plan))
    return plan.model.only_here or folder or plan.audit.has_parts(plan.roles)


def _part(plan: AuditPlan, files: FileStore, metric: FittedMetric | None) -> dict[str, Any]:
    return {**_piece(plan, files), "metric": metric and _written(metric)}


def _piece(plan: AuditPlan, files: FileStore) -> dict[str, Any]:
    """What another process needs to run a test: a folder lies under the same path there, and what was read of it goes.

    ``lying`` says what lies among its files under another name: a path, or the fingerprint of a file.
    """
    named = files_of(plan)
    lying = {one.sha256: str(files.path(one).resolve()) for one in named if isinstance(one, FolderRef)}
    read = [name for name in plan.data.kept_as if (files.root / name).exists()]
    sent = {name: files.put((files.root / name).read_bytes(), name).sha256 for name in read}
    return {
        "plan": plan.model_dump(mode="json"),
        "files": str(files.root.absolute()),
        "lying": lying | sent,
        "needs": [*(one.sha256 for one in named if one.sha256 not in lying), *sent.values()],
        "called": packed(plan.audit.called or KINDS[plan.audit.kind].title),
    }


def _written(result: Any) -> dict[str, str]:
    return {name: b64encode(content).decode() for name, content in to_bytes(result).items()}


def _read(written: dict[str, str]) -> dict[str, bytes]:
    return {name: b64decode(content) for name, content in written.items()}
