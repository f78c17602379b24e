"""The whole comparison, in one place: rows are parted, models fitted, and all of them tried on the same rows."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.base.errors import most_serious_first
from core.base.files import FileRef, FileStore
from core.base.progress import OnProgress, Progress, consecutive_parts, ignore_progress, part_of
from core.claims import Claim
from core.contracts.metric import FittedMetric
from core.data.dataset import Dataset
from core.language.told import localized, say
from core.models.formats.safetensors.source import TorchMLP
from core.result import DataSummary
from core.run import find, library_versions, run_audit
from core.workflows.mitigation.bench import Bench, metric_of, prepare
from core.workflows.mitigation.findings import findings
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.mitigation.unseen import answers_table

if TYPE_CHECKING:
    from core.workflows.mitigation.networks import Answering, Fitted


def compare(plan: MitigationPlan, files: FileStore, on_progress: OnProgress | None = None) -> MitigationResult:
    """Fit the baseline and one for each strength, and try all of them on rows they were not fitted to.

    Args:
        plan: What to fit, and to which rows.
        files: Where uploads lie; the fitted models are put there.
        on_progress: Called while models are fitted and tried; may raise ``CancelledError``.

    Raises:
        EvenhandError: The table or a setting is wrong, the rows do not suffice, or a training diverged.
    """
    from core.workflows.mitigation.baseline import fit_baseline
    from core.workflows.mitigation.fitting import fit
    from core.workflows.mitigation.networks import Training

    started = time.perf_counter()
    report = on_progress or ignore_progress
    report(Progress(0.0, say("Reading the table")))
    dataset = Dataset.build(plan.data.load(files), plan.roles).reading(plan.roles.features)
    bench = prepare(plan, dataset)
    metric = metric_of(plan, dataset, bench)
    strengths = (math.nan, *sorted(plan.strengths))
    ends = consecutive_parts(part_of(report, 0.02, 1.0), [1] * len(strengths))
    rows, unseen = bench.rows[0], dataset.take(np.sort(np.concatenate(bench.places[1:])))
    x = np.concatenate([part.x for part in bench.rows[1:]])
    fits: list[TriedModel] = []
    baseline: Fitted | None = None
    for strength, part in zip(strengths, ends, strict=True):
        fitting = part_of(part, 0.0, 0.6)
        if baseline is None:
            baseline = fit_baseline(rows, plan.base, plan.seed, fitting, say("Fitting the baseline"))
            model: Answering = baseline
        else:
            what = say("Fitting the model with λ = {strength}", strength=localized(f"{strength:g}"))
            model = fit(plan.method, Training(rows, baseline, strength, plan.base, plan.seed, fitting, what, metric))
        tried = bench.tried(model, strength, plan, files, part_of(part, 0.6, 0.8))
        table = None if tried.model else _answers_of(model, strength, bench, unseen, files)
        found = _among_similar(plan, tried, unseen, files, part_of(part, 0.8, 1.0))
        fits.append(replace(tried, table=table, similar=found, unlike=_unlike(model, x, metric)))
    report(Progress(1.0, say("Done")))
    said = findings(plan, bench.attribute, bench.counts, tuple(fits))
    return MitigationResult(
        data=DataSummary.of(dataset, len(bench.rows[2])),
        attribute=plan.protected,
        groups=bench.attribute.groups,
        classes=bench.classes,
        rows=bench.counts,
        spread=math.nan if bench.classes else float(bench.rows[2].y.std()),
        fits=tuple(fits),
        exact=bench.exact,
        caveats=most_serious_first((*dataset.caveats, *said)),
        seed=plan.seed,
        seconds=time.perf_counter() - started,
        versions=library_versions(),
    )


def _answers_of(model: Answering, strength: float, bench: Bench, unseen: Dataset, files: FileStore) -> FileRef:
    """The rows that no model was fitted to, with the answers of a model that has no file."""
    places = np.concatenate(bench.places[1:])
    answers = model.answers(np.concatenate([part.x for part in bench.rows[1:]]))[np.argsort(places)]
    return answers_table(unseen, answers, bench.classes, files, f"answers-{strength:g}.parquet")


def _unlike(model: Answering, x: np.ndarray, metric: FittedMetric | None) -> float:
    """How much a model's answers differ between each person and the most similar one; NaN where nobody asks."""
    from core.workflows.mitigation.graph import unlike

    return math.nan if metric is None else unlike(model.answers(x), x, metric)


def _among_similar(
    plan: MitigationPlan, fit: TriedModel, rows: Dataset, files: FileStore, on_progress: OnProgress
) -> Claim | None:
    """How much worse similar people fare with a model, on rows it was not fitted to; None where nobody asks.

    The metric is learned again from some of these rows, as in an audit, so that the one the model was fitted with
    judges nobody.
    """
    if not plan.compares_similar or fit.model is None or not rows.labels:
        return None
    model = TorchMLP(file=fit.model, trained_on="other rows").load(files, rows)
    found = run_audit(model, rows, GradientFlow(metric=plan.metric), seed=plan.seed, on_progress=on_progress)
    return find(found, GradientFlowDecision(alpha=plan.alpha)).deciding
