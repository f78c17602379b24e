"""The whole comparison, in one place: fairer models are fitted and tried on one split of the rows, or on several."""

import time
from dataclasses import replace

from core.base.files import FileStore
from core.base.progress import OnProgress, Progress, ignore_progress, part_of
from core.language.told import say
from core.workflows.mitigation.one_split import one_split
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.mitigation.splits import over_splits


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
