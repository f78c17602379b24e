"""The whole flow, in one place: a model, a dataset and an audit go in, a result comes out."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Self

import numpy as np
import pandas as pd

from core.audits import KINDS, AuditDecision, AuditSettings
from core.base.device import accelerated
from core.base.errors import AuditError, ModelError, most_serious_first
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress, ignore_progress, part_of
from core.base.versions import library_versions
from core.caveats.cautions import cautions
from core.contracts.audit import Given
from core.contracts.metric import FittedMetric
from core.contracts.model import AbstractModel
from core.contracts.source import AbstractRemaining
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.labels import labelled
from core.data.roles import GoodEnd
from core.data.table_caveats import caveats_of
from core.finding import AbstractFinding, room_of
from core.language.reader import language
from core.language.told import retold, say
from core.metrics.extent import fitted_for_a_test
from core.models import ModelSource
from core.models.answered import AnsweredGroups
from core.models.direction import Direction, direction_of
from core.models.inspection import ROWS_SHOWN, count_answers
from core.models.number_fit import compare_numbers
from core.models.proof import Proof, compared_columns, prove, prove_by_rows, require
from core.models.proof import caveats as about_proofs
from core.passed import Passed
from core.plan import AuditPlan
from core.result import AuditResult, DataSummary, ModelSummary
from core.sources.upload.uploaded import UploadedTable, about_marks

_READINGS_KEPT = 4
_DECLARE = say(
    "If a column holds answers of another system, say so, in a plan by {field}.",
    field='"other_system"',
)


@dataclass(frozen=True)
class Streams:
    """The random streams of one seed, which know nothing of each other.

    Attributes:
        split: Chooses the rows that teach the metric.
        metric: Teaches it.
        audit: Every random choice of the test.
        pilot: Every random choice of what is tried and shown before the run.
    """

    split: np.random.Generator
    metric: np.random.Generator
    audit: np.random.Generator
    pilot: np.random.Generator

    @classmethod
    def of(cls, seed: int) -> Self:
        """The streams at their beginning."""
        split, metric, audit = np.random.default_rng(seed).spawn(3)
        return cls(split, metric, audit, np.random.default_rng(seed))


@accelerated
def run_audit(
    model: AbstractModel,
    dataset: Dataset,
    audit: AuditSettings,
    *,
    seed: int,
    on_progress: OnProgress | None = None,
    files: FileStore | None = None,
    refuse: bool = False,
    compare: Sequence[str] = (),
    known: pd.DataFrame | None = None,
    remaining: AbstractRemaining | None = None,
    metric: FittedMetric | None = None,
) -> AuditResult:
    """Audit ``model`` on ``dataset``: encode, learn who is similar if the audit asks for it, test, keep what is found.

    Args:
        model: A loaded model.
        dataset: Checked rows with their roles; rows are left out for gaps in what the test reads only.
        audit: The test and its settings.
        seed: Seed of every random choice; the same inputs and seed give the same result.
        on_progress: Called between blocks of rows; may raise ``CancelledError``.
        files: Where uploads lie that ``audit`` names; this machine's own if None.
        refuse: Whether answers that go against the outcomes are refused, before the test unless it gives them on its
            way; else nothing is claimed.
        compare: Columns of the table that hold the model's own answers, which it has to give again.
        known: Rows with known answers, which it has to give likewise (:func:`core.models.proof.prove_by_rows`).
        remaining: Rows of the same table beyond those of ``dataset``, for a test that adds up blocks of rows.
        metric: The fair metric of this very audit, where it is known already; else it is learned.

    Raises:
        EvenhandError: The inputs do not fit each other, the settings are unstable, nothing reportable came out, or
            the answers are refused or differ from known ones.
    """
    started = time.perf_counter()
    report = on_progress or ignore_progress
    streams = Streams.of(seed)

    if reason := audit.needs_rows(dataset) or audit.is_compatible(model, dataset):
        raise AuditError(reason, advice=say("Mend this, or choose another test."))
    if remaining is not None and not audit.adds_up:
        raise AuditError(say("This test needs all rows in memory."), advice=say("Audit rows drawn at random instead."))
    report(Progress(0.0, say("Preparing the rows")))
    rows = audit.rows(model, dataset)
    later = audit.answers_on_its_way
    learning, everybody = None, model.unanswered(rows) if later else model.encode(rows)
    model.prepare(everybody, part_of(report, 0.0, 0.02))

    def asked() -> tuple[np.ndarray, tuple[Proof, ...], Direction | None]:
        answers = model.checked_answers(everybody)
        proofs = prove(model, everybody, answers, compare)
        proofs += () if known is None else prove_by_rows(model, known, dataset)
        require(proofs, model, retold(_DECLARE))
        direction = direction_of(model, everybody, answers)
        if refuse and direction is not None and direction.against:
            raise _against(direction, model)
        return answers, proofs, direction

    audited, said = everybody, None if later else asked()
    if audit.fair_metric is not None:
        learning, audited = audit.fair_metric.split(audited, streams.split)
        report(Progress(0.02, say("Learning who counts as similar")))
        metric = metric or fitted_for_a_test(audit.fair_metric, learning, streams.metric)
    audited = audit.select(audited)
    given = Given(model, audited, streams.audit, metric, part_of(report, 0.05, 1.0), learning, files)
    passed = None if remaining is None else Passed(model, rows, remaining, metric)
    given = replace(given, beyond=passed)
    detail, caveats = room_of(KINDS[audit.kind]).run(audit, given)
    if said is None:
        everybody = model.encode(rows)
        audited, said = audit.select(everybody), asked()
    answers, proofs, direction = said
    summary = _summarise_model(model, audited, answers if audited is everybody else None)
    if passed is not None:
        rows, summary = passed.all_rows(), passed.all_answers(summary, answers)
    summary = replace(summary, direction=direction, proofs=proofs)
    if not model.answers_only_here:
        rows_shown = tuple(int(row) + 1 for row in everybody.dataset.frame.index[:ROWS_SHOWN])
        summary = replace(summary, rows_shown=rows_shown, answers_shown=answers[:ROWS_SHOWN])
    concluded = model.conclude()
    fit = tuple(cautions(summary, audited, metric, dataset.written_out(some=True)))
    learned = () if metric is None else metric.caveats
    return AuditResult(
        audit=audit,
        data=DataSummary.of(rows, audit.rows_of(detail, audited), audited.clusters),
        model=summary,
        metric=metric,
        detail=detail,
        caveats=most_serious_first(
            caveats_of(rows) + model.caveats + concluded + learned + fit + tuple(about_proofs(proofs)) + caveats
        ),
        seed=seed,
        seconds=time.perf_counter() - started,
        versions=library_versions(),
    )


class Tables:
    """Reads the tables of plans: that of several tests in a row of the same table, roles and model once.

    Args:
        files: Where uploads lie.
    """

    def __init__(self, files: FileStore) -> None:
        self._files = files
        self._last: tuple[AuditPlan, Dataset] | None = None

    def has(self, plan: AuditPlan) -> bool:
        """Whether the plan's table was the last one that was read."""
        return self._last is not None and all(
            getattr(self._last[0], name) == getattr(plan, name) for name in ("data", "roles", "model")
        )

    def of(self, plan: AuditPlan, on_progress: OnProgress) -> Dataset:
        """The table with its roles, as the plan's model reads it.

        Raises:
            EvenhandError: It is missing or refused.
        """
        if self._last is None or not self.has(plan):
            self._last = None
            self._last = plan, plan.model.dataset(plan.data.read_slowly(self._files, on_progress), plan.roles)
        return self._last[1]


def run_plan(
    plan: AuditPlan,
    files: FileStore,
    on_progress: OnProgress | None = None,
    *,
    refuse: bool = True,
    tables: Tables | None = None,
    metric: FittedMetric | None = None,
) -> AuditResult:
    """Fetch what the plan names and audit it.

    Args:
        plan: What is audited.
        files: Where uploads lie.
        on_progress: As for :func:`run_audit`.
        refuse: Whether answers that go against the outcomes are refused, unless the plan says that somebody confirmed
            their direction.
        tables: Reads the table; anew where None.
        metric: As for :func:`run_audit`.

    Raises:
        EvenhandError: As :func:`run_audit`, or a file is missing or refused.
    """
    report, tables = on_progress or ignore_progress, tables or Tables(files)
    share = 0.0 if tables.has(plan) else plan.data.share_of_run
    dataset = tables.of(plan, part_of(report, 0.0, share))
    read = dataset if plan.model.answers_in_the_table else dataset.written_out(some=True)
    model = plan.model.load(files, read)
    result = run_audit(
        model,
        dataset,
        plan.audit,
        seed=plan.seed,
        on_progress=part_of(report, share, 1.0) if share else report,
        files=files,
        compare=compared_columns(plan.model, plan.roles) if refuse else (),
        known=rows_with_known_answers(plan.model, files) if refuse else None,
        refuse=refuse and not plan.model.direction_confirmed,
        remaining=plan.data.remaining(files),
        metric=metric,
    )
    known = plan.data.about_reading(files) + plan.model.about_training(plan.roles)
    known += about_marks(plan.data, plan.data.for_categories(model.categories, dataset.brought, files))
    return replace(result, caveats=most_serious_first(result.caveats + known))


def rows_with_known_answers(source: ModelSource, files: FileStore) -> pd.DataFrame | None:
    """The rows with known answers that somebody brought beside a model; None where there are none.

    Raises:
        EvenhandError: The file is missing or no table.
    """
    return None if source.known_answers is None else UploadedTable(file=source.known_answers).load(files)


def find(result: AuditResult, decision: AuditDecision, good_end: GoodEnd = "not said") -> AbstractFinding[Any, Any]:
    """What a result means under decision settings: verdict, reasons, words, tables and charts, each worked out once.

    All of it says the labels of columns and values that have one. The result keeps the last few, so that a page that is
    drawn again neither judges nor draws charts anew.

    Args:
        result: What was found.
        decision: How it is judged.
        good_end: Which end of an outcome that is a number is good for people, as the roles of the table say.
    """
    read = result.once(("read",), lambda: lru_cache(_READINGS_KEPT)(partial(_read, result)))
    return read(decision, good_end, language())


def _read(result: AuditResult, decision: AuditDecision, good_end: GoodEnd, _language: str) -> AbstractFinding[Any, Any]:
    data = result.data
    labels = (data.labels, data.outcome or data.decision, data.columns)
    told = result.once(("labelled",), lambda: labelled(result, *labels)) if data.labels else result
    read: type[AbstractFinding[Any, Any]] = room_of(KINDS[result.audit.kind]).finding
    return read(told, labelled(decision, *labels), good_end)


def _against(direction: Direction, model: AbstractModel) -> ModelError:
    return ModelError(
        say("{told}. The answers go against the outcomes.", told=direction.told),
        where=model.name,
        advice=say(
            "{advice} If they are right as they are, confirm it, in a plan by {field}.",
            advice=direction.advice,
            field='"direction_confirmed": true',
        ),
    )


def _summarise_model(model: AbstractModel, data: EncodedDataset, answers: np.ndarray | None = None) -> ModelSummary:
    """How a model answers about some rows; it is asked where its answers are not given."""
    known = (model.name, model.kind, model.fingerprint, model.encoder, model.classes)
    answers = model.checked_answers(data) if answers is None else answers
    constant = bool((answers == answers[:1]).all())
    if model.classes:
        groups = AnsweredGroups.count(data, answers)
        return ModelSummary(*known, count_answers(data.y, answers, data.times), constant=constant, by_group=groups)
    fit = compare_numbers(data.dataset.numbers, answers[:, 0])
    none = np.zeros((0, 0), dtype=np.int64)
    return ModelSummary(*known, none, fit.error, fit.spread, fit.correlation, constant)
