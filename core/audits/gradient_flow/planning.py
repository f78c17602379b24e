"""Before a run: how long it will take and how many rows it needs, from a search of a few hundred rows."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.audits.gradient_flow.cells import GroupCells
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.people import ROWS, PossiblePeople
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.stability import taken_under
from core.base.progress import ignore_progress
from core.base.thresholds import FEWEST_ROWS, POWER
from core.contracts.audit import Given
from core.contracts.metric import FittedMetric
from core.contracts.model import AbstractModel
from core.data.clusters import some_of
from core.data.encoded import EncodedDataset
from core.inference.estimate import Estimate
from core.inference.power import rows_needed

if TYPE_CHECKING:
    from core.audits.gradient_flow.engine import SearchBench

PILOT_ROWS = 512
NEAR_ROWS = 20_000
"""Rows among which possible people are made up for the pilot."""
TRIAL_ROWS = 64
TRIAL_STEPS = 3
LONGEST_PILOT = 1.0
LEARNED_ROWS = 2000
CHECKS = 0.3
"""The step-halving check searches a tenth of the rows with the steps taken and with twice as many."""
CHECKED_FIRST = 200


@dataclass(frozen=True)
class GradientFlowPilot:
    """What a search of a few random rows says about the whole audit.

    Attributes:
        rows: Rows searched.
        seconds: Estimated time of the whole audit; learning the metric for the first time is not in it, learning it
            again is.
        relearning: Of these, those for learning the metric again and trying it.
        loss: The mean loss ratio that the verdict will rest on, with the error that it will have, given the metric.
        errors: The ratio of error rates, likewise.
        audited: Rows of the whole audit.
        people: Rows near which it will look for possible people, on whom its verdict rests; 0 of texts.
    """

    rows: int
    seconds: float
    relearning: float
    loss: Estimate
    errors: Estimate
    audited: int
    people: int

    def detectable(self, decision: GradientFlowDecision) -> float:
        """The smallest true value that will be found in violation four times in five; NaN if not known."""
        return self._estimate(decision).detectable(decision.delta, decision.alpha, POWER)

    def rows_needed(self, decision: GradientFlowDecision, excess: float) -> float:
        """Rows needed to find a true value so far above the tolerance as often; infinite where more would not help.

        At least 30; NaN if not known.
        """
        found, number = self._estimate(decision), self.people or self.audited
        if found.undefined or not math.isfinite(found.standard_error):
            return math.nan
        spread = found.standard_error * number**0.5
        needed = max(FEWEST_ROWS, rows_needed(excess, spread, decision.alpha, POWER))
        return math.inf if self.people and needed > ROWS else needed

    def _estimate(self, decision: GradientFlowDecision) -> Estimate:
        return self.loss if decision.statistic == "loss ratio" else self.errors


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
    from core.audits.gradient_flow.repeating import numbers_of, searches
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
    found = bench.search(rows, metric, ignore_progress)
    tried = len(rows.y)
    each = (time.perf_counter() - started) / tried
    searched = (1 + CHECKS) * len(data) + searches(audit) * min(len(data), CHECKED_ROWS)
    relearning = 0.0
    if audit.metric.learns_from_rows and audit.metric_resamples:
        once = each * min(len(data), RELEARNED_ROWS) * bench.coarse().gradients / bench.gradients
        relearning = 2 * once + audit.metric_resamples * (once + _seconds_to_learn(data, metric, audit, rng))
    people, looked_for = _people(bench, data, metric, rng)
    if people is None:
        sums = numbers_of(found, tried)[:, -1].tolist()
        loss, errors = (Estimate(value, error, tried, degrees=degrees) for value, error, degrees in sums)
        share = tried / len(data)
    else:
        loss, errors = people.estimate("loss ratio"), people.estimate("error-rate ratio")
        share = people.number / min(len(data), ROWS)
    return GradientFlowPilot(
        rows=tried,
        seconds=each * searched + relearning + looked_for,
        relearning=relearning,
        loss=replace(loss, standard_error=loss.standard_error * share**0.5),
        errors=replace(errors, standard_error=errors.standard_error * share**0.5),
        audited=len(data),
        people=0 if people is None else min(len(data), ROWS),
    )


def _people(
    bench: SearchBench, data: EncodedDataset, metric: FittedMetric, rng: np.random.Generator
) -> tuple[PossiblePeople | None, float]:
    """Possible people near some random rows, None of texts, and the seconds that the whole audit looks for them."""
    from core.audits.gradient_flow.pairing import Searched, possible_people
    from core.audits.gradient_flow.streaming import one_thread
    from core.audits.gradient_flow.tally import SearchedRows

    near = data.take(np.sort(some_of(len(data), NEAR_ROWS, rng, data.clusters)))
    cells = GroupCells((), (), np.zeros((1, 0), dtype=np.int64), np.array([len(near)]))
    record = near.dataset.frame.index.to_numpy()
    rows = SearchedRows(near.x, near.y, record, np.zeros(len(near), dtype=np.int32), 1, near.clusters)
    beside = Searched(near, metric, bench.field(metric), bench.audit.loss_floor)

    def looked_for(most: int) -> tuple[PossiblePeople | None, float]:
        started = time.perf_counter()
        found = possible_people(beside, cells, rows, lambda some: bench.states(rows.take(some), metric), most)
        return None if found is None else found[0], time.perf_counter() - started

    with one_thread():
        found, seconds = looked_for(TRIAL_ROWS)
        if found is not None:
            most = int(min(ROWS, found.number * LONGEST_PILOT / seconds))
            if min(most, len(near)) > found.number:
                found, seconds = looked_for(most)
    return (None, 0.0) if found is None else (found, seconds * min(len(data), ROWS) / found.number)


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
