"""The whole comparison, in one place: rows are parted, models fitted, and all of them tried on the same rows."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from core.base.errors import most_serious_first
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress, consecutive_parts, ignore_progress, part_of
from core.data.dataset import Dataset
from core.language.told import localized, say
from core.result import DataSummary
from core.run import library_versions
from core.workflows.mitigation.bench import prepare
from core.workflows.mitigation.findings import findings
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.settings import MitigationPlan

if TYPE_CHECKING:
    from core.workflows.mitigation.networks import Fitted
    from core.workflows.mitigation.reductions import Lottery


def compare(plan: MitigationPlan, files: FileStore, on_progress: OnProgress | None = None) -> MitigationResult:
    """Fit the baseline and one for each strength, and try all of them on rows they were not fitted to.

    Args:
        plan: What to fit, and to which rows.
        files: Where uploads lie; the fitted models are put there.
        on_progress: Called while models are fitted and tried; may raise ``CancelledError``.

    Raises:
        EvenhandError: The table or a setting is wrong, the rows do not suffice, or a training diverged.
    """
    started = time.perf_counter()
    report = on_progress or ignore_progress
    report(Progress(0.0, say("Reading the table")))
    dataset = Dataset.build(plan.data.load(files), plan.roles).reading(plan.roles.features)
    bench = prepare(plan, dataset)
    strengths = (math.nan, *sorted(plan.strengths))
    ends = consecutive_parts(part_of(report, 0.02, 1.0), [1] * len(strengths))
    fits: list[TriedModel] = []
    baseline: Fitted | None = None
    for strength, part in zip(strengths, ends, strict=True):
        model = _fitted(plan, bench.rows[0], baseline, strength, part_of(part, 0.0, 0.7))
        fits.append(bench.tried(model, strength, plan, files, part_of(part, 0.7, 1.0)))
        baseline = baseline or model  # type: ignore[assignment]
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


def _fitted(
    plan: MitigationPlan, rows: PreparedRows, baseline: Fitted | None, strength: float, on_progress: OnProgress
) -> Fitted | Lottery:
    from core.workflows.mitigation.baseline import fit_baseline
    from core.workflows.mitigation.fitting import fit
    from core.workflows.mitigation.networks import Training

    if baseline is None:
        return fit_baseline(rows, plan.base, plan.seed, on_progress, say("Fitting the baseline"))
    what = say("Fitting the model with λ = {strength}", strength=localized(f"{strength:g}"))
    return fit(plan.method, Training(rows, baseline, strength, plan.base, plan.seed, on_progress, what))
