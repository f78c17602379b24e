"""How fairer models do over random splits of the rows: the same plan with another seed each, several at once."""

import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.base.apart import work_apart
from core.base.errors import Caveat, EvenhandError, most_serious_first
from core.base.files import FileStore, files_of
from core.base.progress import OnProgress, Progress, ignore_progress, part_of
from core.language.told import say
from core.workflows.comparison.rates import rates
from core.workflows.mitigation.beside import beside
from core.workflows.mitigation.evidence import violates
from core.workflows.mitigation.one_split import one_split
from core.workflows.mitigation.result import MitigationResult, Splits
from core.workflows.mitigation.settings import MitigationPlan

MEASURES = (
    *("error", "balanced accuracy", "AOD", "EOD", "SPD", "p-value", "rejected", "gap"),
    *("loss ratio", "similar_rejected"),
)
"""Of each model and split: its error; balanced accuracy; the largest average odds, equal opportunity and statistical
parity difference of a group from the largest, with its sign; the test's p-value and whether it rejects; the largest
gap; how much worse similar people fare, and whether the gradient-flow test rejects."""
_MOST_SEED = 2**32


def over_splits(
    plan: MitigationPlan, result: MitigationResult, files: FileStore, on_progress: OnProgress
) -> MitigationResult:
    """The result of the first split with what every model shows over all of them.

    Split k is what the same plan with a single split finds with the seed that is larger by k.

    Args:
        plan: What was run, with more than one split.
        result: What its first split found.
        files: Where uploads lie.
        on_progress: Told how far the other splits are; may raise to stop.
    """
    seeds = [(plan.seed + k) % _MOST_SEED for k in range(1, plan.splits)]
    each = [plan.model_copy(update={"seed": seed, "splits": 1}).model_dump(mode="json") for seed in seeds]
    asked = {"files": str(files.root.absolute()), "needs": [one.sha256 for one in files_of(plan)]}
    found = work_apart(__name__, [{**asked, "plan": one} for one in each], on_progress)
    failed = tuple(f"{one.what} {one.where}".strip() for one in found if isinstance(one, EvenhandError))
    values = [measured(plan, result), *(np.array(one, dtype=np.float64) for one in found if isinstance(one, list))]
    splits = Splits(MEASURES, np.stack(values), failed)
    return replace(result, splits=splits, caveats=most_serious_first((*result.caveats, *_about(splits, plan))))


def work(asked: Any, on_progress: OnProgress) -> list[list[float]]:
    """What every model shows on one split, for :func:`core.base.apart.work_apart`; models are not kept.

    Raises:
        EvenhandError: The rows do not suffice, or a training diverged.
    """
    plan = MitigationPlan.model_validate(asked["plan"])
    with tempfile.TemporaryDirectory() as folder:
        found = one_split(plan, FileStore(Path(asked["files"])), FileStore(Path(folder)), on_progress)
        values: list[list[float]] = measured(plan, found).tolist()
    return values


def measured(plan: MitigationPlan, result: MitigationResult) -> np.ndarray:
    """Every one of :data:`MEASURES` of every model of the plan, shape (models, measures); NaN where not known."""
    of_model = {(fit.method, fit.strength): fit for fit in result.fits[1:]}
    fits = (result.fits[0], *(of_model.get((method.kind, strength)) for method, strength in plan.models))
    found = np.full((len(fits), len(MEASURES)), np.nan)
    places = {place: row for row, fit in enumerate(fits) for place, one in enumerate(result.fits) if one is fit}
    for rate in rates(beside(result)):
        if rate.key in MEASURES:
            column = found[:, MEASURES.index(rate.key)]
            for place, row in places.items():
                if not abs(column[row]) >= abs(rate.values[place]):
                    column[row] = rate.values[place]
    for row, fit in enumerate(fits):
        if fit is None:
            continue
        own: dict[str, float] = {
            "error": result.errors(fit)[2, 0],
            "p-value": fit.p_value,
            "rejected": violates(fit, plan.alpha),
            "gap": fit.gap.value,
        }
        if fit.similar is not None and fit.similar.defined:
            own |= {"loss ratio": fit.similar.estimate, "similar_rejected": fit.similar.beyond}
        for name, value in own.items():
            found[row, MEASURES.index(name)] = value
    return found


def _about(splits: Splits, plan: MitigationPlan) -> Iterable[Caveat]:
    if splits.failed:
        yield Caveat(
            "warning",
            say(
                "{failed} of {splits} random splits could not be tried and are not among the means. The first: {why}",
                failed=len(splits.failed),
                splits=plan.splits,
                why=splits.failed[0],
            ),
            say("Bring more rows, or give the parts other shares of them."),
        )
    yield Caveat(
        "info",
        say(
            "Random splits share rows: their standard deviation says how much a result changes with the split, not how "
            "sure the mean is."
        ),
    )


def compare(plan: MitigationPlan, files: FileStore, on_progress: OnProgress | None = None) -> MitigationResult:
    """Fit the baseline and every method's models, and try all of them on rows they were not fitted to.

    Args:
        plan: What to fit, and to which rows.
        files: Where uploads lie; the fitted models are put there.
        on_progress: Called while models are fitted and tried; may raise ``CancelledError``.

    Raises:
        EvenhandError: The table or a setting is wrong, the rows do not suffice, or no fairer model could be fitted.
    """
    started, report = time.perf_counter(), on_progress or ignore_progress
    first = 1 / plan.splits
    result = one_split(plan, files, files, part_of(report, 0.0, first))
    if plan.splits > 1:
        result = over_splits(plan, result, files, part_of(report, first, 1.0))
    report(Progress(1.0, say("Done")))
    return replace(result, seconds=time.perf_counter() - started)
