"""One split of the rows, in one place: they are parted, models fitted, and all of them tried on the same rows."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.base.device import accelerated
from core.base.errors import CancelledError, Caveat, EvenhandError, most_serious_first
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress, consecutive_parts, part_of
from core.base.versions import library_versions
from core.claims import Claim
from core.data.dataset import Dataset
from core.data.table_caveats import caveats_of
from core.language.told import say
from core.models.formats.safetensors.source import TorchMLP
from core.result import DataSummary
from core.run import find, run_audit
from core.workflows.mitigation.bench import Bench, bench_of
from core.workflows.mitigation.findings import findings
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.settings import MitigationPlan, name_of_model
from core.workflows.mitigation.unseen import answers_table

if TYPE_CHECKING:
    from core.workflows.mitigation.networks import Answering
    from core.workflows.mitigation.thresholds import GroupThresholds


@accelerated
def one_split(plan: MitigationPlan, files: FileStore, made: FileStore, on_progress: OnProgress) -> MitigationResult:
    """Fit the baseline and every method's models, and try all of them on rows they were not fitted to.

    Args:
        plan: What to fit, and to which rows.
        files: Where uploads lie.
        made: Where the fitted models are put.
        on_progress: Called while models are fitted and tried; may raise ``CancelledError``.

    Raises:
        EvenhandError: The table or a setting is wrong, the rows do not suffice, or no fairer model could be fitted.
    """
    started = time.perf_counter()
    on_progress(Progress(0.0, say("Reading the table")))
    bench = bench_of(plan, files)
    fits, failed = _tried_models(plan, bench, made, part_of(on_progress, 0.02, 1.0))
    classes = bench.classes
    return MitigationResult(
        data=DataSummary.of(bench.dataset, len(bench.rows[2])),
        attribute=plan.protected,
        groups=bench.attribute.groups,
        classes=classes,
        rows=bench.counts,
        spread=math.nan if classes else float(bench.rows[2].y.std()),
        fits=fits,
        exact=bench.exact,
        favourable=classes.index(plan.roles.favourable) if plan.roles.favourable in classes else -1,
        outcome=bench.rows[2].y.astype(np.float64),
        codes=bench.rows[2].codes,
        caveats=most_serious_first(
            (*caveats_of(bench.dataset), *failed, *findings(plan, bench.attribute, bench.counts, fits))
        ),
        seed=plan.seed,
        seconds=time.perf_counter() - started,
        versions=library_versions(),
    )


def _tried_models(
    plan: MitigationPlan, bench: Bench, files: FileStore, on_progress: OnProgress
) -> tuple[tuple[TriedModel, ...], tuple[Caveat, ...]]:
    """Fit and try the baseline and every fairer model.

    Returns:
        The models, the baseline first, and what is said of those that could not be fitted.

    Raises:
        EvenhandError: None of the fairer models can be fitted (says why the first cannot).
    """
    from core.workflows.mitigation.baseline import fit_baseline
    from core.workflows.mitigation.fitting import fit
    from core.workflows.mitigation.graph import unlike
    from core.workflows.mitigation.networks import Training

    metric, rows, unseen = bench.metric(plan), bench.rows[0], bench.unseen_table
    first, *others = consecutive_parts(on_progress, [1] * (1 + len(plan.models)))

    def tried(model: Answering | GroupThresholds, method: str, strength: float, report: OnProgress) -> TriedModel:
        one = bench.tried(model, strength, plan, files, part_of(report, 0.6, 0.8), method=method)
        name = f"answers-{method.replace(' ', '-')}-{strength:g}.parquet"
        table = None if one.model else answers_table(unseen, one.answers[bench.order], bench.classes, files, name)
        found = _among_similar(plan, one, unseen, files, part_of(report, 0.8, 1.0))
        apart = math.nan if metric is None else unlike(one.answers, bench.unseen.x, metric)
        return replace(one, table=table, similar=found, unlike=apart)

    baseline = fit_baseline(rows, plan.base, plan.seed, part_of(first, 0.0, 0.6), say("Fitting the baseline"))
    fits = [tried(baseline, "", math.nan, first)]
    failed: list[tuple[str, EvenhandError]] = []
    for (method, strength), report in zip(plan.models, others, strict=True):
        what = say("Fitting {model}", model=name_of_model(method.kind, strength))
        training = Training(rows, baseline, strength, plan.base, plan.seed, part_of(report, 0.0, 0.6), what, metric)
        try:
            fits.append(tried(fit(method, training), method.kind, strength, report))
        except CancelledError:
            raise
        except EvenhandError as error:
            failed.append((name_of_model(method.kind, strength), error))
    if len(fits) == 1:
        raise failed[0][1]
    said = (
        Caveat("serious", say("{model}: {what}", model=model, what=error.what), error.advice) for model, error in failed
    )
    return tuple(fits), tuple(said)


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
