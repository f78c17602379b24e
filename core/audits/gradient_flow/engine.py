"""One gradient-flow audit from a model, rows and a metric to its detail."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from core.audits.gradient_flow import histogram
from core.audits.gradient_flow.attack import Flow, search
from core.audits.gradient_flow.beyond import CellTotals, search_beyond
from core.audits.gradient_flow.cells import cells_of
from core.audits.gradient_flow.fields import PROCESSOR, AbstractField, AutogradField, CostField
from core.audits.gradient_flow.pairing import Searched, pairs_of, possible_people
from core.audits.gradient_flow.people import evenly_spaced
from core.audits.gradient_flow.perceptron import PerceptronField, linear_layers
from core.audits.gradient_flow.repeating import Trial, repeated, trials
from core.audits.gradient_flow.result import (
    AGREEMENT,
    LOST_GROUND_LIMIT,
    GradientFlowDetail,
    Relearned,
    StepHalving,
)
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.stability import check_steps, recorded_steps, step_sizes, taken_under
from core.audits.gradient_flow.streaming import one_thread, search_rows
from core.audits.gradient_flow.tally import SearchedRows, Totals
from core.base.arrays import arrays_from_text, arrays_to_text
from core.base.device import device_for
from core.base.errors import Caveat
from core.base.parts import in_parts
from core.base.progress import OnProgress, Progress, consecutive_parts
from core.contracts.audit import Given
from core.contracts.metric import FittedMetric, principal_angles
from core.contracts.model import AbstractModel
from core.data.encoded import EncodedDataset
from core.inference.estimate import Estimate
from core.inference.moments import mean_from_sums
from core.language.phrases import percent, whole
from core.language.told import say

CHECKED_ROWS = 2000
RELEARNED_ROWS = 1000
"""Rows on which relearned metrics are compared: their differences are paired, and need fewer than the estimate."""
COARSE_STEPS = 25
HALVING_ALPHA = 0.05
MOST_HALVINGS = 4
SEARCHING = say("Searching for similar people who are misjudged more")
CHECKING = say("Checking the step size")
LEARNING_AGAIN = say("Learning the metric again")


@dataclass(frozen=True)
class SearchBench:
    """What every search of one audit shares.

    Attributes:
        audit: The settings.
        module: The model.
        sizes: Size of every step, shape (T,).
        recorded: Stopping times to record, ending with T.
        times: Steps taken for each that the settings ask for.
    """

    audit: GradientFlow
    module: torch.nn.Module
    sizes: np.ndarray
    recorded: np.ndarray
    times: int = 1

    @classmethod
    def of(cls, audit: GradientFlow, module: torch.nn.Module) -> SearchBench:
        """The searches of this audit."""
        return cls(audit, module, step_sizes(audit), recorded_steps(audit.steps))

    def halved(self) -> SearchBench:
        """The same flow time in twice as many steps."""
        return replace(self, sizes=np.repeat(self.sizes / 2, 2), recorded=2 * self.recorded, times=2 * self.times)

    def coarse(self) -> SearchBench:
        """The same flow in few exponential steps of second order, where that takes fewer gradients.

        A step ends at every recorded time, and none is longer than a 25th of the whole, or less where the steps were
        halved. Metrics searched this way are compared with each other, so that what the steps leave out cancels.
        """
        ends = np.cumsum(self.sizes)[self.recorded - 1]
        lengths = np.diff(ends, prepend=0.0)
        pieces = np.ceil(lengths / (ends[-1] / (COARSE_STEPS * self.times)) - 1e-9).astype(np.int64)
        if 2 * pieces.sum() >= self.gradients:
            return self
        audit = self.audit.model_copy(update={"integrator": "etd2rk"})
        return replace(self, audit=audit, sizes=np.repeat(lengths / pieces, pieces), recorded=np.cumsum(pieces))

    @property
    def gradients(self) -> int:
        """Gradients that a search takes of each row."""
        return len(self.sizes) * (2 if self.audit.integrator == "etd2rk" else 1)

    def decay(self, metric: FittedMetric) -> np.ndarray:
        """2 λ σ of each eigencoordinate, shape (d,)."""
        return 2.0 * self.audit.regularisation * metric.eigen[0]

    def flow(self, metric: FittedMetric) -> Flow:
        """The search under this metric."""
        decay = self.decay(metric) if metric.quadratic else np.zeros(len(metric.columns))
        return Flow(decay, self.sizes, self.audit.integrator, self.recorded)

    def field(self, metric: FittedMetric, rows: int = 0) -> AbstractField:
        """The model's gradient under this metric, where so many rows are best searched."""
        weights = sum(one.numel() for one in self.module.parameters())
        exact = self.audit.precision == "float64"
        device = device_for(2.0 * weights * self.gradients * rows, exact=exact) if metric.quadratic else PROCESSOR
        return field_for(self.module, metric, self.audit, device)

    def search(
        self, rows: SearchedRows, metric: FittedMetric, on_progress: OnProgress, phase: str = SEARCHING
    ) -> Totals:
        """Search these rows under this metric.

        Raises:
            SettingsError: The steps are unstable under this metric, or do not go with it.
            AuditError: The search diverged.
        """
        check_steps(self.audit, metric)
        field, floor = self.field(metric, len(rows.y)), self.audit.loss_floor
        return search_rows(field, self.flow(metric), rows, floor=floor, on_progress=on_progress, phase=phase)

    def states(self, rows: SearchedRows, metric: FittedMetric) -> np.ndarray:
        """Where the search of a few rows is at every recorded stopping time, encoded, shape (m, n, d)."""
        field, found = self.field(metric), list[torch.Tensor]()
        search(field, rows.x, rows.y, self.flow(metric), states=found)
        return np.stack([rows.x + torch.mm(field.vectors, z.double()).numpy().T for z in found])

    def ratios(self, rows: SearchedRows, metric: FittedMetric, on_progress: OnProgress, phase: str) -> np.ndarray:
        """Loss ratios of these rows at the last stopping time, shape (n,)."""
        last = replace(self, recorded=self.recorded[-1:])
        return last.search(rows, metric, on_progress, phase).ratio

    def checked(
        self, rows: SearchedRows, metric: FittedMetric, on_progress: OnProgress
    ) -> tuple[SearchBench, StepHalving]:
        """The search with steps that are short enough, and what half as long ones find on these rows.

        Steps of second order are halved until both agree, four times at most; others are taken as asked for.
        """
        most = 2**MOST_HALVINGS if self.audit.integrator == "etd2rk" else 1
        first, *phases = consecutive_parts(on_progress, [2**power for power in range(most.bit_length() + 1)])
        bench, found = self, self.ratios(rows, metric, first, CHECKING)
        for phase in phases:
            halved = bench.halved().ratios(rows, metric, phase, CHECKING)
            check = StepHalving(
                rows=len(halved),
                lower_bound=estimate_of(found).lower_bound(HALVING_ALPHA),
                lower_bound_halved=estimate_of(halved).lower_bound(HALVING_ALPHA),
                apart=float(np.abs(found - halved).sum() / halved.sum()),
                times=bench.times,
            )
            if check.apart <= AGREEMENT or bench.times == most:
                break
            bench, found = bench.halved(), halved
        return bench, check


def run(
    audit: GradientFlow, given: Given[AbstractModel, EncodedDataset]
) -> tuple[GradientFlowDetail, tuple[Caveat, ...]]:
    """Check the step size, search rows beyond memory, learn the metric again and turn it where asked, search every row.

    Raises:
        SettingsError: The steps are unstable under the metric.
        AuditError: The search diverged, or a loss of zero leaves a ratio without a value.
    """
    model, data, rng = given.model, given.data, given.rng
    metric, on_progress, learning = given.fitted, given.on_progress, given.learning
    plain = taken_under(audit, metric)
    caveats = check_steps(plain, metric)
    if plain != audit:
        told = say("The metric is no quadratic form, so the search took plain steps (Euler).")
        caveats, audit = (*caveats, Caveat("info", told)), plain
    asked_for = SearchBench.of(audit, model.module())
    cells, cell = cells_of(data.dataset, binned=given.beyond is None)
    record = data.dataset.frame.index.to_numpy(dtype=np.int32)
    rows = SearchedRows(data.x, data.y, record, cell, len(cells.count), data.clusters)
    some = rows.take(evenly_spaced(len(data), CHECKED_ROWS))
    compared = evenly_spaced(len(data), min(CHECKED_ROWS, max(200, len(data) // 10)))
    asked = trials(audit, metric, learning, rng)
    learns = audit.metric.learns_from_rows and learning is not None
    resamples = audit.metric_resamples if learns else 0
    few = rows.take(evenly_spaced(len(data), RELEARNED_ROWS))
    again = len(few.y) * asked_for.coarse().gradients / asked_for.gradients
    beyond = 0 if given.beyond is None else given.beyond.number
    searched = [len(data), *[len(some.y)] * len(asked)]
    work = [3 * len(compared), beyond, resamples * again, *searched, *[again] * (resamples + 2 * learns)]
    phases = iter(consecutive_parts(on_progress, work))

    bench, halving = asked_for.checked(rows.take(compared), metric, next(phases))
    coarse = bench.coarse()
    others = search_beyond(
        given.beyond,
        lambda block, told: bench.search(block, metric, told),
        lambda: CellTotals.of_nobody(rows, cells, len(bench.recorded)),
        next(phases),
    )
    halves = audit.metric.learned_again(learning, metric, resamples, rng) if learns and learning is not None else []
    metrics = _learned_again(halves, metric, next(phases))
    shared = metric.shared_with([one for one in metrics if one is not None])
    found = CellTotals(cells, bench.search(rows, metric, next(phases)))
    place, totals = found.join(others), found.totals
    cells, rows, some, few = found.cells, *(one.placed(place, len(found.cells.count)) for one in (rows, some, few))
    tried = [(trial, _tried(bench, trial, some, next(phases))) for trial in asked]
    relearned = [
        (one, coarse.search(few, one, phase, LEARNING_AGAIN).sums)
        for one, phase in zip((metric, *metrics, shared) if learns else (), phases, strict=True)
        if one is not None
    ]

    def states(chosen: np.ndarray) -> np.ndarray:
        return bench.states(rows.take(chosen), metric)

    with one_thread():
        beside = Searched(data, metric, bench.field(metric), audit.loss_floor)
        pairs = pairs_of(beside, rows.cell, totals.ratio, states)
        people, changes = possible_people(beside, cells, rows, states) or (None, None)
    sums, recorded = totals.sums, asked_for.recorded
    detail = GradientFlowDetail(
        steps=recorded,
        flow_time=np.cumsum(asked_for.sizes)[recorded - 1],
        cells=cells,
        excess=sums["excess"],
        excess_squares=sums["excess_squares"],
        wrong_start=sums["wrong_start"],
        wrong_end=sums["wrong_end"],
        wrong_both=sums["wrong_both"],
        lost_ground=sums["lost_ground"],
        histogram=sums["histogram"],
        histogram_edges=histogram.edges(),
        rows=rows.record,
        cell=cell,
        ratios=totals.ratio,
        loss_start=totals.loss_start,
        floored_start=int(sums["floored_start"][0]),
        floored_end=int(sums["floored_end"][0]),
        halving=halving,
        pairs=pairs,
        people=people,
        changes=changes,
        gradient_evaluations=bench.gradients,
        free_directions=int((bench.decay(metric) * bench.sizes.sum() < 1.0).sum()),
        repeated=repeated(audit, tried, some),
        relearned=_relearned(few, relearned) if learns else None,
        of_texts=data.encoder.is_embedding,
        clusters=None if totals.clusters is None else totals.clusters[0],
    )
    return detail, caveats + _caveats(detail, totals, resamples + 2 * learns - len(relearned))


def _tried(bench: SearchBench, trial: Trial, rows: SearchedRows, on_progress: OnProgress) -> Totals | None:
    if trial.metric is None:
        return None
    own = replace(bench, audit=trial.audit)
    return own.search(rows, trial.metric, on_progress, say("Trying other settings"))


def field_for(
    module: torch.nn.Module, metric: FittedMetric, audit: GradientFlow, device: torch.device = PROCESSOR
) -> AbstractField:
    """The fastest way to this module's gradient, and to the penalty's where the metric is no quadratic form."""
    dtype = torch.float64 if audit.precision == "float64" else torch.float32
    if not metric.quadratic:
        return CostField(module, metric, audit.regularisation, dtype)
    kind = PerceptronField if linear_layers(module) else AutogradField
    return kind(module, metric.eigen[1], dtype, device)


def estimate_of(ratios: np.ndarray) -> Estimate:
    """S_n with its standard error from ratios, shape (n,) (eq. 3.4)."""
    excess = ratios - 1.0
    return mean_from_sums(float(excess.sum()), float(excess @ excess), len(ratios))


def _learned_again(
    halves: list[Callable[[], FittedMetric | None]], metric: FittedMetric, on_progress: OnProgress
) -> list[FittedMetric | None]:
    """The metrics that halves of the rows teach, None where they cannot, wherever they are learned."""
    found: list[FittedMetric | None] = []

    def learn(place: int, told: OnProgress) -> FittedMetric | None:
        told(Progress(0.0, LEARNING_AGAIN))
        return halves[place]()

    def write(one: FittedMetric | None) -> dict[str, str] | None:
        if one is None:
            return None
        return arrays_to_text({name: getattr(one, name) for name in ("matrix", "free")})

    def read(_: int, told: dict[str, str] | None) -> FittedMetric | None:
        if told is None:
            return None
        arrays: Any = arrays_from_text(told)
        return replace(metric, **arrays)

    in_parts(len(halves), learn, found.append, on_progress, write=write, read=read, found=metric)
    return found


def _relearned(rows: SearchedRows, found: list[tuple[FittedMetric, dict[str, np.ndarray]]]) -> Relearned:
    """What the searches found: under the audit's metric, the first, under others, and under what all free, the last."""
    (metric, own), *others = found[:-1]
    (shared, held), turned = found[-1], [_turned(metric, one) for one, _ in others]
    learned = metric.free.T @ metric.free - shared.free.T @ shared.free
    moves = learned @ own["moved_together"] @ learned
    return Relearned(
        count=np.bincount(rows.cell, minlength=rows.cells),
        wrong_start=own["wrong_start"],
        excess=np.array([sums["excess"] for _, sums in found[:-1]]),
        wrong_end=np.array([sums["wrong_end"] for _, sums in found[:-1]]),
        angles=np.array([angles.max() for angles in turned], dtype=np.float64),
        turned=np.array([_on_average(angles, metric.found) for angles in turned], dtype=np.float64),
        along=np.array([_along(moves, one) for one, _ in others], dtype=np.float64),
        held_excess=held["excess"],
        held_wrong_end=held["wrong_end"],
    )


def _turned(metric: FittedMetric, other: FittedMetric) -> np.ndarray:
    """Angles between the free directions of two metrics, in degrees; 0 where one has none."""
    if not (len(metric.free) and len(other.free)):
        return np.zeros(1)
    return principal_angles(metric.free, other.free)


def _on_average(angles: np.ndarray, directions: int) -> float:
    """The angle whose squared sine is the mean of so many learned directions'; declared ones have not turned."""
    squares = np.sin(np.radians(angles)) ** 2
    return float(np.degrees(np.arcsin(math.sqrt(min(squares.sum() / max(directions, 1), 1.0)))))


def _along(moves: np.ndarray, other: FittedMetric) -> float:
    """The angle whose squared sine is the share of squared moves, of which these are the products, that is not free."""
    all_of_them = float(np.trace(moves))
    held = all_of_them - float(np.sum(other.free @ moves * other.free))
    return float(np.degrees(np.arcsin(math.sqrt(min(max(held / all_of_them, 0.0), 1.0))))) if all_of_them > 0 else 0.0


def _caveats(detail: GradientFlowDetail, totals: Totals, failed: int) -> tuple[Caveat, ...]:
    """What happened in the search that a reader has to know."""
    n, stuck, lost = detail.rows_of(), int(totals.sums["stuck"][0]), int(detail.lost_ground[-1])
    caveats, halving = [], detail.halving
    if halving.times > 1 and halving.apart > AGREEMENT:
        caveats.append(
            Caveat(
                "warning",
                say(
                    "The search is not exact: with twice its {steps} steps, loss ratios move by {share} on average.",
                    steps=whole(halving.times * int(detail.steps[-1])),
                    share=percent(halving.apart),
                ),
                say("Ask for more and smaller steps. Until then the loss ratio is inexact by about as much."),
            )
        )
    if stuck == n:
        caveats.append(
            Caveat(
                "serious",
                say("The search could not move a single row: the model's answers do not react to small changes."),
                say("Check that the model file is the right one; a ratio of 1 here is no sign of fairness."),
            )
        )
    elif stuck > 0.01 * n:
        caveats.append(
            Caveat(
                "warning",
                say(
                    "The search could not move {stuck} of {n} rows; their ratio is 1.",
                    stuck=whole(stuck),
                    n=whole(n),
                ),
            )
        )
    if lost > LOST_GROUND_LIMIT * n:
        caveats.append(
            Caveat(
                "warning",
                say(
                    "The search lost ground in {lost} of {n} rows, which an exact search never does.",
                    lost=whole(lost),
                    n=whole(n),
                ),
                say("Choose a smaller step size, or the integrator ETD2RK."),
            )
        )
    if detail.floored_start or detail.floored_end:
        caveats.append(
            Caveat(
                "info",
                say(
                    "The smallest loss replaced {before} losses before the search and {after} after it.",
                    before=whole(detail.floored_start),
                    after=whole(detail.floored_end),
                ),
            )
        )
    if failed:
        caveats.append(
            Caveat(
                "warning",
                say("{failed} halves of what the metric learns from could not teach one; left out.", failed=failed),
            )
        )
    return tuple(caveats)
