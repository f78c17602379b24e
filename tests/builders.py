"""A synthetic result with the shape of a real one: deterministic, built without a model, a metric or an attack."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from core.audits.gradient_flow import histogram
from core.audits.gradient_flow.cells import GroupCells
from core.audits.gradient_flow.changes import Changes
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.result import GradientFlowDetail, Relearned, Repeated, StepHalving, WorstPairs
from core.audits.gradient_flow.settings import GradientFlow
from core.base.errors import Caveat
from core.base.files import FileRef
from core.contracts.metric import FittedMetric, Probe
from core.data.dataset import Roles
from core.data.encoder import CategoricalColumn, Encoder, NumericColumn
from core.metrics import SensitiveSubspace
from core.models import TorchMLP
from core.plan import AuditPlan
from core.result import AuditResult, DataSummary, ModelSummary
from core.sources import Hiring
from core.study import Study
from tests.made_once import made_once

HOSTILE = (
    "<b onclick=alert(1)>age</b>",
    "$x_1$ **pay** :red[no]",
    "[link](http://evil.example) `code` ~~s~~ <br>",
    "=cmd|' /C calc'!A0",
)
"""Column names that would be markup, mathematics, a link or a formula if they were not escaped."""
HOSTILE_FILE = "<img src=x onerror=alert(1)> *$m$*.safetensors"

ATTRIBUTES = ("race", "sex")
GROUPS = (("Asian", "Black", "White"), ("Female", "Male", "Not stated"))


@made_once
def make_result(
    *,
    rows: int = 360,
    excess: float = 0.6,
    undefined_error_ratio: bool = False,
    one_cell: bool = False,
    wide: bool = False,
    probes: bool = True,
    hostile: bool = False,
    seed: int = 0,
) -> AuditResult:
    """A whole result.

    Args:
        rows: Audited rows n.
        excess: About S_n - 1; 0.6 is a violation at delta = 1.25, 0.05 is none, 0.27 is neither.
        undefined_error_ratio: No row is misclassified before the search, so the error-rate ratio has no value.
        one_cell: Everybody belongs to one group of one attribute.
        wide: 39 original columns instead of 5.
        probes: Whether the metric was learned, with a probe for each attribute.
        hostile: Column names, groups and file names that are markup.
        seed: Seed of the synthetic numbers.
    """
    rng = np.random.default_rng(seed)
    encoder = make_encoder(wide=wide, hostile=hostile)
    detail = make_detail(
        rng,
        encoder,
        rows=rows,
        excess=excess,
        undefined_error_ratio=undefined_error_ratio,
        one_cell=one_cell,
        hostile=hostile,
    )
    wrong = int(detail.wrong_start.sum())
    right = rows - wrong
    return AuditResult(
        audit=make_plan(hostile=hostile).audit,
        data=DataSummary(
            fingerprint="d" * 64,
            rows_read=rows + 12,
            rows_left_out=12,
            cells_imputed=(("experience", 7),),
            rows_audited=rows,
            outcome="hired",
            favourable="yes",
            protected=detail.cells.attributes,
        ),
        model=ModelSummary(
            name=HOSTILE_FILE if hostile else "baseline.safetensors",
            kind="Neural network (safetensors)",
            fingerprint="e" * 64,
            encoder=encoder,
            classes=("no", "yes"),
            confusion=np.array([[right // 2, wrong // 3], [wrong - wrong // 3, right - right // 2]]),
        ),
        metric=make_metric(rng, encoder, detail.cells, probes),
        detail=detail if probes else replace(detail, relearned=None),
        caveats=(
            Caveat("serious", "3 rows had a loss below the floor after the search.", "Read the ratio with care."),
            Caveat(
                "warning", "The metric's probe for sex is weak (AUC 0.61).", "Add columns or choose another metric."
            ),
            Caveat("info", "12 rows were left out because of missing values."),
        ),
        seed=0,
        seconds=1.84,
        versions=(("python", "3.12.3"), ("torch", "2.13.0"), ("numpy", "2.4.6")),
    )


def make_study(**changes: Any) -> Study:
    """A study of the one plan that :func:`make_plan` makes."""
    return Study(plans=(make_plan(**changes),))


def make_plan(*, hostile: bool = False, **changes: Any) -> AuditPlan:
    """The plan that could have given :func:`make_result`; ``changes`` replace its fields."""
    names = make_encoder(wide=False, hostile=hostile).features
    plan = AuditPlan(
        data=Hiring(),
        roles=Roles(outcome="hired", favourable="yes", protected=ATTRIBUTES, features=names),
        model=TorchMLP(
            file=FileRef(name=HOSTILE_FILE if hostile else "baseline.safetensors", sha256="e" * 64, bytes=18_432)
        ),
        audit=GradientFlow(metric=SensitiveSubspace(), regularisation=50.0, steps=500, step_size=0.01),
        seed=0,
        decision=GradientFlowDecision(),
    )
    return plan.model_copy(update=changes)


def make_encoder(*, wide: bool, hostile: bool) -> Encoder:
    """Three numeric and two categorical columns; with ``wide`` 34 more numeric ones."""
    names = ("age", "pay expected", "experience", "occupation", "education")
    if hostile:
        names = (*HOSTILE, "education")
    more = tuple(NumericColumn(name=f"test score {i + 1}", mean=50.0, scale=10.0) for i in range(34 if wide else 0))
    return Encoder(
        columns=(
            NumericColumn(name=names[0], mean=39.2, scale=12.5),
            NumericColumn(name=names[1], mean=41_300.0, scale=9_200.0),
            NumericColumn(name=names[2], mean=11.4, scale=8.0),
            CategoricalColumn(name=names[3], categories=("Clerical", "Craft", "Sales", "Technical")),
            CategoricalColumn(name=names[4], categories=("Bachelor", "High school", "Master")),
            *more,
        )
    )


def make_cells(rng: np.random.Generator, rows: int, one_cell: bool, hostile: bool) -> tuple[GroupCells, np.ndarray]:
    """Cells, and the cell of each row, shape (n,)."""
    if one_cell:
        only = GroupCells(("race",), (("White",),), np.zeros((1, 1), dtype=int), np.array([rows]))
        return only, np.zeros(rows, dtype=int)
    groups = (("<script>Asian</script>", "Bl*ck $1$", ":green[White]"), GROUPS[1]) if hostile else GROUPS
    drawn = np.stack([rng.choice(3, rows, p=(0.12, 0.28, 0.6)), rng.choice(3, rows, p=(0.45, 0.52, 0.03))], axis=1)
    codes, cell, count = np.unique(drawn, axis=0, return_inverse=True, return_counts=True)
    return GroupCells(ATTRIBUTES, groups, codes, count), cell.ravel()


def make_detail(
    rng: np.random.Generator,
    encoder: Encoder,
    *,
    rows: int,
    excess: float,
    undefined_error_ratio: bool,
    one_cell: bool,
    hostile: bool,
) -> GradientFlowDetail:
    """Sums that belong together: every one is computed from the same ratios and labels, row by row."""
    cells, cell = make_cells(rng, rows, one_cell, hostile)
    steps = np.arange(20, 501, 20)
    growth = 1 - np.exp(-steps / 150)
    severity = excess * rng.lognormal(-0.3, 0.75, rows) * (1.0 + 0.5 * (cells.codes[cell, 0] == 1))
    ratios = 1 + growth[:, None] * severity
    wrong_start = np.zeros(rows, dtype=bool) if undefined_error_ratio else rng.random(rows) < 0.16
    wrong_end = wrong_start | (ratios > 1 + 2.2 * max(excess, 0.2))
    member = np.eye(len(cells.count), dtype=int)[cell]
    direction = rng.normal(0, 0.4, encoder.width)
    moved = severity[:, None] * direction * rng.uniform(0.2, 1.0, (rows, encoder.width))
    worst = np.argsort(-ratios[-1])[:12]
    numbers = np.sort(rng.choice(rows + 12, rows, replace=False))
    start = rng.lognormal(-1.2, 0.8, rows)
    turned, weights = np.arange(0.0, 91, 15), np.array([5.0, 50.0, 500.0])
    return GradientFlowDetail(
        steps=steps,
        flow_time=steps * 0.01,
        cells=cells,
        excess=(ratios - 1) @ member,
        excess_squares=(ratios - 1) ** 2 @ member,
        wrong_start=wrong_start @ member,
        wrong_end=wrong_end.astype(int) @ member,
        wrong_both=(wrong_end & wrong_start).astype(int) @ member,
        lost_ground=np.zeros(len(steps), dtype=np.int64),
        histogram=histogram.count(ratios - 1),
        histogram_edges=histogram.edges(),
        rows=numbers,
        cell=cell,
        ratios=ratios[-1],
        loss_start=start,
        floored_start=0,
        floored_end=3,
        halving=StepHalving(rows=200, lower_bound=1 + excess * 0.9, lower_bound_halved=1 + excess * 0.89),
        pairs=make_pairs(
            rng,
            encoder,
            cells,
            cell=cell[worst],
            rows=numbers[worst],
            ratios=ratios[:, worst],
            loss=start[worst],
        ),
        gradient_evaluations=500,
        free_directions=2,
        repeated=(
            make_repeated("rotations", turned, 0.0, 1 + excess * np.cos(np.radians(turned)), len(steps)),
            make_repeated("other_weights", weights, 50.0, 1 + excess * np.array([1.8, 1.0, 0.2]), len(steps)),
            make_repeated("other_penalties", weights / 50, 1.0, np.array([np.nan, 1 + excess, 1.2]), len(steps)),
        ),
        relearned=make_relearned(rng, ratios, wrong_start, wrong_end, member=member),
        changes=make_changes(encoder, cells, cell=cell, moved=np.where(ratios[-1:].T > 1.3, moved, 0.0)),
    )


def make_changes(encoder: Encoder, cells: GroupCells, *, cell: np.ndarray, moved: np.ndarray) -> Changes:
    """In what somebody found for each row differs, all of whom are averages that were moved, shape (n, d)."""
    members = [cells.members(*name)[cell] for name in cells.all_groups()]
    taken = np.stack([np.ones(len(cell), dtype=bool), *members], axis=1)
    return Changes.of(encoder.inverse(np.zeros_like(moved)), encoder.inverse(moved), taken, encoder)


def make_repeated(setting: str, at: np.ndarray, own: float, value: np.ndarray, times: int) -> Repeated:
    """The search under other values of a setting, the same at every stopping time, with a standard error of 0.03."""
    found = np.stack([value, np.full(len(at), 0.03), np.full(len(at), np.inf)], axis=1)
    every = np.repeat(found[:, None], times, axis=1)
    return Repeated(setting, at, own, 200, every, every.copy())


def make_relearned(
    rng: np.random.Generator,
    ratios: np.ndarray,
    wrong_start: np.ndarray,
    wrong_end: np.ndarray,
    *,
    member: np.ndarray,
    spread: float = 0.02,
) -> Relearned:
    """Twenty metrics whose mean ratios scatter about those of ``ratios``, shape (m, n), with relative ``spread``."""
    factor = np.r_[1, rng.normal(1, spread, 20)]
    return Relearned(
        count=member.sum(axis=0).astype(np.int64),
        wrong_start=wrong_start @ member,
        excess=factor[:, None, None] * ((ratios - 1) @ member),
        wrong_end=np.tile(wrong_end.astype(int) @ member, (21, 1, 1)),
        angles=(angles := rng.uniform(1, 5, 20)),
        turned=angles / 2,
        along=angles / 3,
        held_excess=np.zeros((len(ratios), member.shape[1])),
        held_wrong_end=np.tile(wrong_start @ member, (len(ratios), 1)),
    )


def make_pairs(
    rng: np.random.Generator,
    encoder: Encoder,
    cells: GroupCells,
    *,
    cell: np.ndarray,
    rows: np.ndarray,
    ratios: np.ndarray,
    loss: np.ndarray,
) -> WorstPairs:
    """WorstPairs in which some numbers and some categories changed and others did not; ``ratios`` has shape (m, p)."""
    m, p = ratios.shape
    before, after, real = {}, {}, {}
    decimals = np.zeros(len(encoder.columns), dtype=np.int64)
    for i, column in enumerate(encoder.columns):
        if column.kind == "numeric":
            decimals[i] = 1
            before[column.name] = np.round(column.mean + column.scale * rng.normal(size=p), 1)
            moved = column.scale * rng.normal(0, 0.5, m * p) if i % 2 == 0 else 0.0
            after[column.name] = np.round(np.tile(before[column.name], m) + moved, 1)
            real[column.name] = np.round(column.mean + column.scale * rng.normal(size=m * p), 1)
        else:
            first = rng.integers(len(column.categories), size=p)
            other = (np.tile(first, m) + rng.integers(2, size=m * p)) % len(column.categories)
            names = np.array(column.categories, dtype=object)
            before[column.name], after[column.name] = names[first], names[other]
            real[column.name] = names[rng.integers(len(column.categories), size=m * p)]
    return WorstPairs(
        rows=rows,
        before=pd.DataFrame(before),
        groups=pd.DataFrame(
            {name: np.array(cells.groups[j])[cells.codes[cell, j]] for j, name in enumerate(cells.attributes)}
        ),
        outcome=tuple(np.where(np.arange(p) % 2 == 0, "yes", "no")),
        chance=np.exp(-loss),
        decimals=decimals,
        searched=ratios * 1.2,
        after=pd.DataFrame(after),
        ratios=ratios,
        chance_after=np.exp(-loss * ratios),
        distance=rng.uniform(0, 0.02, (m, p)),
        as_similar=np.ones((m, p), dtype=bool),
        beyond=np.zeros((m, p, len(encoder.columns)), dtype=bool),
        real_rows=np.resize(rows[::-1], (m, p)),
        real=pd.DataFrame(real),
        real_chance=rng.uniform(0, 1, (m, p)),
        real_distance=rng.uniform(1, 2, (m, p)),
    )


def make_metric(rng: np.random.Generator, encoder: Encoder, cells: GroupCells, probes: bool) -> FittedMetric:
    """A metric with one free direction for each protected attribute."""
    free = np.linalg.qr(rng.normal(size=(encoder.width, len(cells.attributes))))[0].T
    metric = FittedMetric(
        name="Learned sensitive subspace",
        columns=encoder.names,
        matrix=np.eye(encoder.width) - free.T @ free,
        free=free,
        spectrum=np.array([3.1, 1.2, 0.4, 0.1]),
        probes=tuple(
            Probe(
                attribute=name,
                groups=groups,
                auc=(0.84, 0.61)[j],
                auc_low=(0.78, 0.52)[j],
                auc_high=(0.9, 0.7)[j],
                accuracy=np.linspace(0.7, 0.55, len(groups)),
                accuracy_low=np.linspace(0.66, 0.31, len(groups)),
                accuracy_high=np.linspace(0.74, 0.77, len(groups)),
                held_out=np.array([210, 180, 9])[: len(groups)],
                directions=free[j : j + 1],
            )
            for j, (name, groups) in enumerate(zip(cells.attributes, cells.groups, strict=True))
        ),
        learned_on=154,
    )
    return metric if probes else replace(metric, name="Expert", probes=(), spectrum=np.array([]), learned_on=0)
