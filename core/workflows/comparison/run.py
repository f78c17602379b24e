"""The comparison, in one place: every model is audited, then all of them are asked about the rows they share."""

import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd

from core.audits import KINDS
from core.base.device import accelerated
from core.base.errors import AuditError, Caveat, EvenhandError, most_serious_first
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress, consecutive_parts, ignore_progress, part_of
from core.base.thresholds import FEWEST_ROWS
from core.base.versions import library_versions
from core.data.dataset import Dataset
from core.finding import room_of
from core.language.phrases import quoted, whole
from core.language.told import say
from core.plan import AuditPlan
from core.records.pieces import none_failed, run_plans
from core.result import AuditResult, DataSummary
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan

RunTests = Callable[[Sequence[AuditPlan], FileStore, OnProgress], Iterable[AuditResult | EvenhandError]]


@accelerated
def run(
    plan: ComparisonPlan, files: FileStore, on_progress: OnProgress | None = None, run_tests: RunTests = run_plans
) -> ComparisonResult:
    """Audit every model, and keep what each answers about the rows that all of them can answer.

    Args:
        plan: The models and their tests.
        files: Where uploads lie.
        on_progress: Called between tests and blocks of rows; may raise ``CancelledError``.
        run_tests: Runs tests, or finds what they found before; gives results, or the errors that they ended in.

    Raises:
        EvenhandError: A model cannot be audited, or the models have too few rows in common.
    """
    started = time.perf_counter()
    report = on_progress or ignore_progress
    audits = _audits(plan, files, part_of(report, 0.0, 0.9), run_tests)
    report(Progress(0.9, say("Asking all models about the same rows")))
    table = plan.data.load(files)
    asked = [_asked(one.study.plans[0], table, files) for one in plan.models]
    shared = set.intersection(*(set(dataset.frame.index) for dataset, *_ in asked))
    rows = [np.flatnonzero(dataset.frame.index.isin(shared)) for dataset, *_ in asked]
    first = asked[0][0].take(rows[0])
    if first.people < FEWEST_ROWS:
        raise AuditError(
            say("All models together can answer about {rows} rows only.", rows=whole(first.people)),
            advice=say("Fill the gaps in the columns they read, or compare fewer models."),
        )
    classes = asked[0][1]
    for model, (_, other, _) in zip(plan.models, asked, strict=True):
        _require_same(plan.models[0].name, classes, model.name, other)
    groups = [first.groups(attribute) for attribute in first.roles.protected]
    report(Progress(1.0, say("Done")))
    return ComparisonResult(
        names=tuple(one.name for one in plan.models),
        audits=audits,
        baseline=plan.place_of_baseline,
        classes=classes,
        favourable=classes.index(first.roles.favourable) if first.roles.favourable in classes else -1,
        answers=np.stack([_in_order(one[2][kept], one[1], classes) for one, kept in zip(asked, rows, strict=True)]),
        outcome=_outcome(first, classes),
        groups=tuple(names for _, names in groups),
        memberships=np.array([codes for codes, _ in groups], dtype=np.int64).reshape(len(groups), len(first)),
        clusters=np.empty(0, dtype=np.int64) if first.clusters is None else first.clusters,
        times=np.empty(0, dtype=np.int64) if first.times is None else first.times,
        data=DataSummary.of(asked[0][0], first.people, first.clusters),
        caveats=most_serious_first(_about_rows(plan, [one[0].people for one in asked], first.people)),
        seed=plan.models[0].study.plans[0].seed,
        seconds=time.perf_counter() - started,
        versions=library_versions(),
    )


def _audits(
    plan: ComparisonPlan, files: FileStore, on_progress: OnProgress, run_tests: RunTests
) -> tuple[tuple[AuditResult, ...], ...]:
    """Every model's tests: the baseline's first, by which the others are measured where they ask for the same."""
    tests = [one.study.plans for one in plan.models]
    baseline = tests[plan.place_of_baseline]
    first, rest = consecutive_parts(on_progress, [len(baseline), sum(map(len, tests)) - len(baseline)])
    found = none_failed(run_tests(baseline, files, first))

    def alike(test: AuditPlan) -> AuditPlan:
        for one, result in zip(baseline, found, strict=True):
            if test.audit == one.audit and _told_alike(test) == _told_alike(one):
                return test.model_copy(update={"audit": room_of(KINDS[test.audit.kind]).filled(result)})
        return test

    others = [alike(test) for own in tests if own is not baseline for test in own]
    left = iter(none_failed(run_tests(others, files, rest)))
    return tuple(found if own is baseline else tuple(next(left) for _ in own) for own in tests)


def _told_alike(plan: AuditPlan) -> tuple[str, ...]:
    return (*plan.roles.features, "", *plan.roles.protected)


def _asked(plan: AuditPlan, table: pd.DataFrame, files: FileStore) -> tuple[Dataset, tuple[str, ...], np.ndarray]:
    """The rows a model can answer, its classes, and what it decides about them or the number it predicts.

    A row that stands for many people stays one, unless rows belong together.
    """
    dataset = plan.model.dataset(table, plan.roles)
    dataset = dataset.written_out() if plan.roles.belongs_to else dataset
    model = plan.model.load(files, dataset)
    data = model.encode(dataset)
    if not model.classes:
        return dataset, (), model.predict(data)
    return dataset, model.classes, model.predict_proba(data).argmax(axis=1).astype(np.float64)


def _require_same(first: str, classes: tuple[str, ...], name: str, others: tuple[str, ...]) -> None:
    """Check that two models answer with the same outcomes.

    Raises:
        AuditError: They do not.
    """
    if set(others) != set(classes):
        raise AuditError(
            say("{name} answers with other outcomes than {first}.", name=quoted(name), first=quoted(first)),
            advice=say("Compare models that predict the same outcomes."),
        )


def _in_order(answers: np.ndarray, own: tuple[str, ...], classes: tuple[str, ...]) -> np.ndarray:
    """Indices into a model's own classes as indices into ``classes``; numbers stay."""
    if not classes:
        return answers
    return np.array([classes.index(one) for one in own], dtype=np.float64)[answers.astype(np.int64)]


def _outcome(rows: Dataset, classes: tuple[str, ...]) -> np.ndarray:
    if not rows.roles.outcome:
        return np.full(len(rows), np.nan)
    if not classes:
        return rows.numbers
    codes = rows.label_codes(classes).astype(np.float64)
    return np.where(codes < 0, np.nan, codes)


def _about_rows(plan: ComparisonPlan, answered: list[int], shared: int) -> list[Caveat]:
    """That some rows are not compared, since not every model can answer about them."""
    left = {one.name: rows - shared for one, rows in zip(plan.models, answered, strict=True) if rows > shared}
    if not left:
        return []
    told = ", ".join(f"{quoted(name)} {whole(rows)}" for name, rows in left.items())
    return [
        Caveat(
            "warning",
            say("Rows about which not every model can answer are not compared: {told}.", told=told),
            say("Fill the gaps in the columns the models read, or read the differences as about the other rows."),
        )
    ]
