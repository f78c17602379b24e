"""How long a comparison will take, and whether it can be run at all, tried before it is run."""

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from core.base.apart import processors
from core.base.files import FileStore
from core.base.progress import OnProgress, Progress, ignore_progress, part_of
from core.language.told import say
from core.workflows.mitigation.bench import bench_of
from core.workflows.mitigation.settings import Method, MitigationPlan

_ROUNDS = 2
"""Epochs that are timed, or iterations of reductions, once one round has loaded every library."""


_FEW_DUMMIES = 99
"""Of the try that loads the libraries of the test."""
_PROCESS = 320 * 2**20
"""Bytes of another process before it reads anything: its libraries."""


@dataclass(frozen=True)
class MitigationPilot:
    """What a try shows.

    Attributes:
        groups: Groups of the protected attribute, length g.
        rows: People in the parts training, held out and test, everybody and each group, shape (3, 1 + g), int.
        once: Seconds for what is done once: reading, and fitting and trying the baseline.
        each: Seconds for a fairer model of each method together, fitted and tried; for reductions at most so many.
        kept: Bytes of a tried model's answers and losses, which stay until the run has ended.
    """

    groups: tuple[str, ...]
    rows: np.ndarray
    once: float
    each: float
    kept: int

    def seconds(self, strengths: int, splits: int = 1) -> float:
        """Seconds for a baseline and every method at so many strengths, on an idle machine like this one.

        Splits after the first are tried side by side.
        """
        rounds = 1 + math.ceil((splits - 1) / processors())
        return rounds * (self.once + strengths * self.each)

    def memory(self, held: int, models: int, splits: int = 1) -> int:
        """Bytes of a baseline and so many models, from those that the try held; each process has its own.

        Args:
            held: Bytes of what is read, prepared, fitted and tried once.
            models: Fairer models.
            splits: Random splits; those after the first are tried side by side.
        """
        one = held + 2 * models * self.kept
        at_once = min(splits - 1, processors())
        return one + (at_once * (_PROCESS + one) if at_once > 1 else 0)


def pilot(plan: MitigationPlan, files: FileStore, on_progress: OnProgress = ignore_progress) -> MitigationPilot:
    """Fit and try the baseline, and train a fairer one of each method for two epochs (or iterations) only.

    Raises:
        EvenhandError: The table or a setting is wrong, the rows do not suffice, or a training diverged at once.
    """
    from core.workflows.mitigation.baseline import fit_baseline
    from core.workflows.mitigation.fitting import fit
    from core.workflows.mitigation.networks import Training

    clock = time.perf_counter
    on_progress(Progress(0.0, say("Reading the table")))
    start = clock()
    bench = bench_of(plan, files)
    metric, rows = bench.metric(plan), bench.rows[0]
    baseline = fit_baseline(rows, plan.base, plan.seed, part_of(on_progress, 0.1, 0.4), say("Fitting the baseline"))
    fitted = clock()
    training = Training(rows, baseline, plan.strengths[0], plan.base, plan.seed, part_of(on_progress, 0.4, 0.5))
    training = replace(training, metric=metric)
    fitting = 0.0
    for method in plan.methods:
        for rounds in (1, _ROUNDS):
            before = clock()
            fit(shortened(method, rounds), training)
        fitting += (clock() - before) * _rounds_of(method) / _ROUNDS
    few = plan.model_copy(update={"dummies": _FEW_DUMMIES})
    bench.tried(baseline, math.nan, few, files, part_of(on_progress, 0.5, 0.7))
    trying = clock()
    shown = bench.tried(baseline, math.nan, plan, files, part_of(on_progress, 0.7, 1.0))
    tried = clock() - trying
    return MitigationPilot(
        bench.attribute.groups,
        bench.counts,
        fitted - start + tried,
        fitting + len(plan.methods) * tried,
        shown.answers.nbytes + shown.each.nbytes,
    )


def shortened(method: Method, rounds: int) -> Method:
    """The same method with so many epochs, or iterations."""
    name = _rounds_in(method)
    return method.model_copy(update={name: rounds}) if name else method


def _rounds_of(method: Method) -> int:
    name = _rounds_in(method)
    return int(getattr(method, name)) if name else _ROUNDS


def _rounds_in(method: Method) -> str:
    """The setting that says how long a method takes; empty for one that goes no rounds."""
    return next((name for name in ("epochs", "steps", "iterations") if name in type(method).model_fields), "")
