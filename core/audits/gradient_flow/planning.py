"""Before a run: how long it will take and how many rows it needs, from a search of a few hundred rows."""

import time
from dataclasses import dataclass, replace

import numpy as np

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.stability import taken_under
from core.base.progress import ignore_progress
from core.contracts.audit import Given
from core.contracts.metric import FittedMetric
from core.contracts.model import AbstractModel
from core.data.clusters import some_of
from core.data.encoded import EncodedDataset
from core.inference.clusters import spread_of_one
from core.inference.power import PilotOfOneMean

PILOT_ROWS = 512
TRIAL_ROWS = 64
TRIAL_STEPS = 3
LONGEST_PILOT = 1.0
LEARNED_ROWS = 2000
CHECKS = 0.3
"""The step-halving check searches a tenth of the rows with the steps taken and with twice as many."""
CHECKED_FIRST = 200


@dataclass(frozen=True)
class GradientFlowPilot(PilotOfOneMean):
    """What a search of a few random rows says about the whole audit.

    Attributes:
        rows: Rows searched.
        seconds: Estimated time of the whole audit; learning the metric for the first time is not in it, learning it
            again is.
        relearning: Of these, those for learning the metric again and trying it.
        value: S_n on these rows.
        spread: Standard deviation of their ratios, V_n; more where rows that belong together have similar ratios.
        audited: Rows of the whole audit.
    """

    rows: int
    seconds: float
    relearning: float
    value: float
    spread: float
    audited: int


def pilot(
    audit: GradientFlow, given: Given[AbstractModel, EncodedDataset], decision: GradientFlowDecision
) -> GradientFlowPilot:
    """Search a few hundred random rows, fewer if the model is slow.

    Args:
        audit: The settings.
        given: A model with gradients, the rows to audit and who is similar.
        decision: Nothing depends on it.

    Raises:
        SettingsError: The steps are unstable.
        AuditError: The search diverged.
    """
    from core.audits.gradient_flow.engine import CHECKED_ROWS, RELEARNED_ROWS, SearchBench
    from core.audits.gradient_flow.repeating import searches
    from core.audits.gradient_flow.tally import SearchedRows

    data, metric, rng = given.data, given.fitted, given.rng
    audit = taken_under(audit, metric)
    bench = SearchBench.of(audit, given.model.module())
    bench = replace(bench, recorded=bench.recorded[-1:])
    order = some_of(len(data), PILOT_ROWS, rng, data.clusters)
    index = data.dataset.frame.index.to_numpy()
    rows = SearchedRows(data.x[order], data.y[order], index[order], np.zeros(len(order), dtype=np.int32), 1)

    trial = replace(bench, sizes=bench.sizes[:TRIAL_STEPS], recorded=np.array([min(TRIAL_STEPS, audit.steps)]))
    trial.search(rows.take(slice(TRIAL_ROWS)), metric, ignore_progress)
    started = time.perf_counter()
    trial.search(rows.take(slice(TRIAL_ROWS)), metric, ignore_progress)
    expected = (time.perf_counter() - started) * audit.steps / TRIAL_STEPS * len(order) / TRIAL_ROWS
    if expected > LONGEST_PILOT:
        rows = rows.take(slice(max(TRIAL_ROWS, int(len(order) * LONGEST_PILOT / expected))))

    bench = bench.checked(rows.take(slice(CHECKED_FIRST)), metric, ignore_progress)[0]
    started = time.perf_counter()
    ratios = bench.search(rows, metric, ignore_progress).ratio
    tried = len(ratios)
    each = (time.perf_counter() - started) / tried
    searched = (1 + CHECKS) * len(data) + searches(audit) * min(len(data), CHECKED_ROWS)
    relearning = 0.0
    if audit.metric.learns_from_rows and audit.metric_resamples:
        once = each * min(len(data), RELEARNED_ROWS) * bench.coarse().gradients / bench.gradients
        relearning = 2 * once + audit.metric_resamples * (once + _seconds_to_learn(data, metric, audit, rng))
    return GradientFlowPilot(
        rows=tried,
        seconds=each * searched + relearning,
        relearning=relearning,
        value=float(ratios.mean()),
        spread=spread_of_one(ratios, None if data.clusters is None else data.clusters[order[:tried]]),
        audited=len(data),
    )


def _seconds_to_learn(
    data: EncodedDataset, metric: FittedMetric, audit: GradientFlow, rng: np.random.Generator
) -> float:
    """Time to learn the metric once more, from trying it on a part of the rows to audit; 0 where they cannot teach it.

    WorstPairs of rows are not among the rows to audit, and their metric is learned in no time.
    """
    rows = data.take(np.sort(rng.permutation(len(data))[: min(metric.learned_on, LEARNED_ROWS)]))
    started = time.perf_counter()
    if audit.metric.learned_again(rows, metric, 1, rng)[0]() is None:
        return 0.0
    return (time.perf_counter() - started) * metric.learned_on / len(rows)
