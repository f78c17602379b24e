"""The whole selection, in one place: rows are parted, candidates made and measured, one is chosen and audited."""

import time

import numpy as np

from core.audits.transport.verdict import TransportFinding
from core.base.device import accelerated
from core.base.errors import Caveat, EvenhandError, located, most_serious_first
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress, ignore_progress, part_of
from core.base.versions import library_versions
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.language.told import say
from core.models import ModelSource
from core.models.formats.safetensors.source import TorchMLP
from core.plan import AuditPlan
from core.run import run_plan
from core.workflows.rows import as_table
from core.workflows.selection.bench import Contender, SelectionBench
from core.workflows.selection.choice import choose
from core.workflows.selection.findings import findings
from core.workflows.selection.parts import PartedRows, part
from core.workflows.selection.path import FittedPath, fit_path, write_model
from core.workflows.selection.question import asked_of, other_questions
from core.workflows.selection.result import SelectionResult, transport_result
from core.workflows.selection.settings import OwnModels, SelectionPlan


@accelerated
def run_selection(plan: SelectionPlan, files: FileStore, on_progress: OnProgress | None = None) -> SelectionResult:
    """Choose a model as the plan says, and audit the choice on rows that had no part in it.

    Args:
        plan: What to choose from, and by which rule.
        files: Where uploads lie; the fitted models and the rows of the audit are put there.
        on_progress: Called between candidates; may raise ``CancelledError``.

    Raises:
        EvenhandError: The table, a model or a setting is wrong, or the rows do not suffice.
    """
    started = time.perf_counter()
    report = on_progress or ignore_progress
    report(Progress(0.0, say("Reading the table")))
    dataset = rows_of(plan, Dataset.build(plan.data.load(files), plan.roles).written_out(), files)
    parts = part(dataset, plan, np.random.default_rng(plan.seed))
    path, contenders = contenders_of(plan, dataset, parts, files, part_of(report, 0.02, 0.3))
    test = plan.audit
    if path is not None:
        test = asked_of(test, contenders[-1].source.load(files, dataset), dataset)
    bench = SelectionBench(dataset, parts.validation, test, plan.seed, files)
    ends = np.linspace(0.3, 0.9, len(contenders) + 1)
    first = bench.measure(contenders[0], part_of(report, ends[0], ends[1]))
    data, budget = first.result.data, TransportFinding(first.result, plan.decision).budget
    decision = plan.decision.model_copy(update={"budget": budget})
    asked, kept = [(first.source, first.test)], [first.candidate(decision)]
    for contender, start, end in zip(contenders[1:], ends[1:-1], ends[2:], strict=True):
        other = bench.measure(contender, part_of(report, start, end))
        asked.append((other.source, other.test))
        kept.append(other.candidate(decision))
    candidates = tuple(kept)
    choice = choose(candidates, plan.rule, decision)
    audit = audited = None
    otherwise: tuple[Caveat, ...] = ()
    if choice.chosen is not None:
        source, test = asked[choice.chosen]
        audit = AuditPlan(
            data=as_table(parts.audit, files, "audit-rows.parquet"),
            roles=dataset.roles,
            model=source,
            audit=test,
            seed=plan.seed,
            decision=decision,
        )
        report(Progress(0.9, say("Auditing the chosen model on rows of its own")))
        audited = transport_result(run_plan(audit, files, refuse=False))
        otherwise = tuple(other_questions(test, plan.audit, audit.model.load(files, dataset), dataset))
        report(Progress(1.0, say("Done")))
    found = findings(plan, decision=decision, dataset=dataset, path=path, candidates=candidates, choice=choice)
    return SelectionResult(
        data=data,
        rows=parts.sizes,
        budget=budget,
        candidates=candidates,
        path=path,
        chosen=choice.chosen,
        audit=audit,
        audited=audited,
        caveats=most_serious_first((*found, *otherwise)),
        seed=plan.seed,
        seconds=time.perf_counter() - started,
        versions=library_versions(),
    )


def strength_name(strength: float) -> str:
    """What a model of the path is called."""
    return f"1/λ = {strength:.3g}"


def named_models(models: tuple[ModelSource, ...]) -> tuple[tuple[str, ModelSource], ...]:
    """Each model with what people call it, numbered where two have the same."""
    names = [model.title for model in models]
    return tuple(
        (f"{name} ({names[:place].count(name) + 1})" if names.count(name) > 1 else name, model)
        for place, (name, model) in enumerate(zip(names, models, strict=True))
    )


def contenders_of(
    plan: SelectionPlan, dataset: Dataset, parts: PartedRows, files: FileStore, on_progress: OnProgress
) -> tuple[FittedPath | None, tuple[Contender, ...]]:
    """The candidates, and the path where they are fitted."""
    if isinstance(plan.candidates, OwnModels) or parts.training is None:
        models = named_models(plan.candidates.models if isinstance(plan.candidates, OwnModels) else ())
        return None, tuple(Contender(name, source) for name, source in models)
    path = fit_path(parts.training, dataset, plan.candidates, plan.seed, on_progress)
    contenders = []
    for i, (strength, converged) in enumerate(zip(path.strengths, path.converged, strict=True)):
        file = files.put(write_model(path, i), f"logistic-{strength:.3g}.safetensors")
        source = TorchMLP(file=file, trained_on="other rows")
        contenders.append(
            Contender(strength_name(strength), source, "" if converged else say("Its fit did not converge."))
        )
    return path, tuple(contenders)


def rows_of(plan: SelectionPlan, dataset: Dataset, files: FileStore) -> Dataset:
    """The rows without a gap in what any candidate or the test reads: all candidates are compared on the same.

    Raises:
        EvenhandError: A model cannot be read, or the rows are too few.
    """
    features = plan.roles.features
    if not isinstance(plan.candidates, OwnModels):
        return dataset.reading((*features, *(column.name for column in plan.audit.columns)))
    models = _read_all(named_models(plan.candidates.models), dataset, files)
    return dataset.reading(name for model in models for name in plan.audit.reads(model, plan.roles))


def _read_all(
    models: tuple[tuple[str, ModelSource], ...], dataset: Dataset, files: FileStore
) -> tuple[AbstractModel, ...]:
    """Every model, read before the first is measured, so that all that cannot be used are named at once.

    Raises:
        EvenhandError: The first model's that cannot be read, with the names of the others.
    """
    found: dict[str, EvenhandError] = {}
    read = []
    for name, source in models:
        try:
            with located(of=name):
                read.append(source.load(files, dataset))
        except EvenhandError as error:
            found[name] = error
    if found:
        first, others = next(iter(found.values())), [*found][1:]
        more = say("{others} cannot be used either.", others=", ".join(others)) if others else ""
        raise type(first)(first.what, where=first.where, advice=f"{first.advice} {more}".strip()) from first
    return tuple(read)
