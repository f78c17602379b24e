"""The work behind Tables 1, 3 and 4, and Figures 1 and 2, of papers/gradient-flow-test.md.

Imports torch when it works, not when it is imported.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.contracts.metric import FittedMetric
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.inference.moments import mean_from_sums, ratio_of_error_rates
from core.metrics import Expert
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.sources.public.adult import Adult
from core.sources.public.compas import FEATURES, Compas, black_or_white, kept_rows
from core.sources.public.split import part_of_rows
from core.sources.simulated.two_groups import TwoGroups
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import Base, Reductions
from core.workflows.papers.differences import against_privileged
from core.workflows.papers.items import Found, Given, Piece

if TYPE_CHECKING:
    from torch import nn

    from core.audits.gradient_flow.tally import SearchedRows, Totals

DELTA, ALPHA = 1.25, 0.05
METHODS = ("Baseline", "Project", "Reduction", "SenSR")
COUNTED = "Baseline, error of the metric counted"  # verbatim
"""A row of ours: the audit that the product makes by default, which learns the metric again from halves of the rows."""
ON_AUDITED_ROWS = SensitiveSubspace(learn_on="audited rows")

ADULT_AUDIT = GradientFlow(metric=ON_AUDITED_ROWS, regularisation=50.0, steps=500, step_size=0.01, integrator="euler")
COMPAS_AUDIT = GradientFlow(
    metric=ON_AUDITED_ROWS, regularisation=100.0, steps=200, step_size=0.005, integrator="euler", first_rows=1_000
)
ADULT_SPLITS = (51668, 5192, 50057, 21440, 20609, 7751, 31228, 97561, 45413, 98539)
"""Data seeds of the authors' ten repetitions, from their repository; they part the rows as the authors did."""
COMPAS_SPLITS = (51668, 5192, 50057, 21440, 20609, 7751, 31228, 97561, 2367, 767)


@cache
def recipes(table: str) -> dict[str, Any]:
    """How the networks of a table are trained: App. F.3 for two of them, SenSR as the sample models were."""
    from core.workflows.mitigation.settings import SenSR as Moves
    from core.workflows.papers.networks import BalancedTraining, RobustTraining

    sensr = RobustTraining()
    if table == "compas":
        moves = Moves(free_steps=5, free_step_size=0.2, priced_steps=5)
        sensr = RobustTraining(learning_rate=1e-3, weight_decay=0.0, moves=moves)
    return {"Baseline": BalancedTraining(), "Project": BalancedTraining(), "SenSR": sensr}


def table_unit(given: Given) -> Found:
    """One method on one split of Adult or COMPAS: what Tables 1, 3 and 4 and Figure 2 show of it."""
    from core.workflows.papers.networks import train_baseline, train_project, train_sensr

    table, method, split = str(given["table"]), str(given["method"]), int(given["split"])
    training, testing = _encoded(table, split)
    audit = ADULT_AUDIT if table == "adult" else COMPAS_AUDIT
    if method == COUNTED:
        plain = train_baseline(training.x, training.y, recipes(table)["Baseline"], split)
        return _counted(plain, testing, audit)
    metric = SensitiveSubspace().fit(training, np.random.default_rng(split))
    module: nn.Module
    if method == "Reduction":
        module = _reduction(training, 0.03 if table == "adult" else 0.16, split)
    elif method == "Baseline":
        module = train_baseline(training.x, training.y, recipes(table)[method], split)
    elif method == "Project":
        module = train_project(training.x, training.y, metric.free, recipes(table)[method], split)
    else:
        module = train_sensr(training.x, training.y, metric.free, recipes(table)[method], split)
    return {**_group_numbers(module, testing, table), **_ratios(module, testing, audit)}


def _encoded(table: str, split: int) -> tuple[EncodedDataset, EncodedDataset]:
    if table == "adult":
        source = Adult(split_seed=split)
        frames = [source.model_copy(update={"part": part}).load(FileStore()) for part in ("train", "test")]
        roles = source.roles(frames[0])
    else:
        whole = compas_rows()
        frames = [part_of_rows(whole, "train", split), part_of_rows(whole, "test", split)]
        roles = Compas().roles(whole)
    training, testing = (Dataset.build(frame, roles) for frame in frames)
    encoder, classes = Encoder.fit(training.frame, roles.features), training.labels
    return tuple(
        EncodedDataset(one, encoder, encoder.transform(one.frame), one.label_codes(classes), classes)
        for one in (training, testing)
    )  # type: ignore[return-value]


def compas_rows() -> pd.DataFrame:
    """COMPAS as the authors' code prepares it: 5,278 rows.

    App. G says "Caucasian or not-Caucasian"; their code leaves out everybody who is neither African-American nor
    Caucasian before that.
    """
    kept = black_or_white(kept_rows())
    race = kept["race"].where(kept["race"] == "Caucasian", "Not-Caucasian")
    return kept[[*FEATURES, "two_year_recid"]].assign(race=race)


def _reduction(training: EncodedDataset, slack: float, seed: int) -> nn.Module:
    """Exponentiated gradient for equalized odds of sex and race together, as a mixture (App. F.3.3).

    The paper weighs classes alike; so many rows of each class are drawn here, without replacement.
    """
    from core.workflows.mitigation.baseline import fit_baseline
    from core.workflows.mitigation.networks import Fitted, Training
    from core.workflows.mitigation.reductions import fit_reductions, violation

    rng = np.random.default_rng(seed)
    each = [np.flatnonzero(training.y == label) for label in range(2)]
    least = min(map(len, each))
    picked = np.sort(np.concatenate([rng.permutation(one)[:least] for one in each]))
    protected = training.dataset.frame[["sex", "race"]].agg(" ".join, axis=1)
    codes = pd.factorize(protected, sort=True)[0].astype(np.int64)
    rows = PreparedRows(training.x[picked], training.y[picked], codes[picked], 2, int(codes.max()) + 1)
    baseline = fit_baseline(rows, Base(), seed, ignore_progress, "")
    found = violation(rows, baseline.answers(rows.x).argmax(axis=1))
    strength = max(0.0, 1.0 - slack / found) if found else 0.0
    fitted = fit_reductions(Reductions(answers="mixture"), Training(rows, baseline, strength, Base(), seed))
    if not isinstance(fitted, Fitted):
        raise TypeError("A mixture has one answer.")
    return fitted.module


def _group_numbers(module: nn.Module, testing: EncodedDataset, table: str) -> Found:
    import torch

    parameter = next(module.parameters())
    with torch.no_grad():
        decided = module(torch.from_numpy(testing.x).to(parameter.dtype)).argmax(dim=1).numpy() == 1
    frame, outcome = testing.dataset.frame, testing.y == 1
    privileged = {"sex": "Male", "race": "White"} if table == "adult" else {"sex": "Male", "race": "Not-Caucasian"}
    by = {
        name: against_privileged(outcome, decided, (frame[name] == one).to_numpy()) for name, one in privileged.items()
    }
    return {
        "balanced accuracy": [by["sex"].balanced_accuracy],
        "AOD sex": [by["sex"].average_odds_difference],  # verbatim
        "AOD race": [by["race"].average_odds_difference],  # verbatim
    }


def searched(module: nn.Module, rows: SearchedRows, metric: FittedMetric, audit: GradientFlow) -> tuple[Totals, Any]:
    """The search of these rows, and the stopping times that it recorded."""
    from core.audits.gradient_flow.engine import SearchBench

    bench = SearchBench.of(audit, module)
    return bench.search(rows, metric, ignore_progress), bench.recorded


def rows_of(x: np.ndarray, y: np.ndarray) -> SearchedRows:
    """Rows of one cell."""
    from core.audits.gradient_flow.tally import SearchedRows

    cell = np.zeros(len(x), dtype=np.int32)
    return SearchedRows(np.asarray(x, dtype=float), np.asarray(y, dtype=np.int64), np.arange(len(x)), cell, 1)


def _ratios(module: nn.Module, testing: EncodedDataset, audit: GradientFlow) -> Found:
    """T_n and T~_n at every recorded stopping time, given exactly the metric of the test rows, as in the paper."""
    metric = SensitiveSubspace().fit(testing, np.random.default_rng(0))
    audited = audit.first_rows or len(testing)
    totals, recorded = searched(module, rows_of(testing.x[:audited], testing.y[:audited]), metric, audit)
    sums, n = totals.sums, len(totals.ratio)
    loss = [
        mean_from_sums(float(one), float(square), n).lower_bound(ALPHA)
        for one, square in zip(sums["excess"][:, 0], sums["excess_squares"][:, 0], strict=True)
    ]
    error = [
        ratio_of_error_rates(int(end), int(sums["wrong_start"][0]), int(both), n).lower_bound(ALPHA)
        for end, both in zip(sums["wrong_end"][:, 0], sums["wrong_both"][:, 0], strict=True)
    ]
    return {
        "T_n": [loss[-1]],
        "T_n rejected": [float(loss[-1] > DELTA)],
        "T~_n": [error[-1]],
        "T~_n rejected": [float(error[-1] > DELTA)],
        "steps": [float(step) for step in recorded],
        "T_n by steps": loss,  # verbatim
    }


def _counted(module: nn.Module, testing: EncodedDataset, audit: GradientFlow) -> Found:
    from core.models.module import ModuleModel
    from core.run import find, run_audit

    model = ModuleModel(module, testing.encoder, testing.classes, "baseline")
    finding = find(run_audit(model, testing.dataset, audit, seed=0), GradientFlowDecision())
    bound = math.nan if finding.deciding is None else finding.deciding.low
    return {"T_n": [bound], "T_n rejected": [float(bound > DELTA)]}


def units(table: str, splits: int, quick: bool) -> tuple[Piece, ...]:
    """One method on one split of a table each."""
    seeds, needs = (ADULT_SPLITS, Adult.published) if table == "adult" else (COMPAS_SPLITS, Compas.published)
    plan = [*product(seeds[:splits], METHODS), *([] if quick else [(seeds[0], COUNTED)])]
    return tuple(Piece(table_unit, {"table": table, "method": method, "split": split}, needs) for split, method in plan)


ANGLES = (0, 5, 10)
FIGURE_1_FLOW = GradientFlow(
    metric=Expert(),
    regularisation=100.0,
    steps=400,
    step_size=0.02,
    schedule="decreasing",
    integrator="euler",
    precision="float64",
)
"""App. E.3: 400 Euler steps of 0.02 t^(-2/3), λ = 100."""


@cache
def every_logistic() -> nn.Module:
    """Logistic models whose coefficients ride along as columns 2-4 of each row and never move."""
    import torch
    from torch import nn

    class EveryLogistic(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            own = x[:, 2:].detach()
            z = (x[:, :2] * own[:, :2]).sum(1) + own[:, 2]
            return torch.stack([torch.zeros_like(z), z], dim=1)

    return EveryLogistic()


def turned_metric(angle: float, columns: int) -> FittedMetric:
    """(0, 1) turned by this many degrees is held; the direction across it, and every further column, is free."""
    turn = np.radians(angle)
    held = np.zeros(columns)
    held[:2] = -np.sin(turn), np.cos(turn)
    names = tuple(f"x{i}" for i in range(columns))
    return FittedMetric("turned", names, np.outer(held, held), np.empty((0, columns)), np.empty(0))


def search_logistics(x: np.ndarray, y: np.ndarray, coefficients: np.ndarray, angle: float) -> Totals:
    """The search of App. E.1 for many logistic models at once, m (θ1, θ2, bias); rows of the first come first."""
    n = len(x)
    rows = np.hstack([np.tile(x, (len(coefficients), 1)), np.repeat(coefficients, n, axis=0)])
    found, _ = searched(
        every_logistic(), rows_of(rows, np.tile(y, len(coefficients))), turned_metric(angle, 5), FIGURE_1_FLOW
    )
    return found


def best_bias(scores: np.ndarray, y: np.ndarray) -> float:
    """The intercept that minimises the logistic loss beside these scores, shape (n,) (App. E.2), by Newton's steps."""
    bias = 0.0
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(scores + bias, -500, 500)))
        slope, curve = float((p - y).sum()), float((p * (1 - p)).sum())
        step = slope / max(curve, 1e-9)
        bias -= float(np.clip(step, -2.0, 2.0))
        if abs(step) < 1e-10:
            break
    return bias


def figure_1_unit(given: Given) -> Found:
    """T_n on a grid of coefficients for one angle of the metric, on a population of our own (eq. E.1)."""
    angle, points, people = float(given["angle"]), int(given["points"]), int(given["people"])
    table = TwoGroups(rows=people, seed=int(given["seed"])).load(FileStore())
    x, y = table[["x1", "x2"]].to_numpy(dtype=np.float64), table["y"].to_numpy()
    grid = np.linspace(-4, 4, points)
    cells = np.array([(a, b, best_bias(x @ np.array([a, b]), y)) for a in grid for b in grid])
    ratios = search_logistics(x, y, cells, angle).ratio.reshape(len(cells), len(x))
    bound = ratios.mean(axis=1) - 1.6449 * ratios.std(axis=1, ddof=1) / math.sqrt(len(x))
    square = bound.reshape(points, points)
    crossing = [crossings(grid, square[:, j]) for j in range(points)]
    return {
        "permitted": [crossing[points // 2]],
        "permitted by second": crossing,  # verbatim
        "at zero": [float(square[points // 2].max())],  # verbatim
        "grid": [float(one) for one in grid],
        "at second zero": [float(one) for one in square[:, points // 2]],  # verbatim
    }


def crossings(grid: np.ndarray, values: np.ndarray) -> float:
    """The |θ1| at which T_n crosses the tolerance, on average of both sides, by straight lines between points."""
    ends = []
    for side in (1, -1):
        walk = [(abs(a), v) for a, v in zip(grid[::side], values[::side], strict=True) if side * a >= -1e-12]
        for (a, low), (b, high) in pairwise(walk):
            if low <= DELTA < high:
                ends.append(a + (b - a) * (DELTA - low) / (high - low))
                break
    return float(np.mean(ends)) if ends else float("nan")


def figure_1_units(splits: int, quick: bool) -> tuple[Piece, ...]:
    """One angle each."""
    size = {"points": 9, "people": 40} if quick else {"points": 21, "people": 400}
    return tuple(Piece(figure_1_unit, {"figure": 1, "angle": angle, "seed": 0, **size}) for angle in ANGLES)
