"""Before a transport test: how long it will take, what memory it needs, and how many people a verdict needs."""

import time
from dataclasses import dataclass, replace
from math import ceil
from statistics import NormalDist
from typing import Literal

import numpy as np

from core.audits.transport.cell_caveats import nobody_told_apart
from core.audits.transport.decision import TransportDecision
from core.audits.transport.engine import run
from core.audits.transport.preview import preview, propose
from core.audits.transport.proposal import proposed_space
from core.audits.transport.result import LossPart, TransportDetail
from core.audits.transport.settings import ByMetric, DifferOnlyIn, OwnCost, Transport
from core.audits.transport.values import estimate, resampling
from core.base.thresholds import FEWEST_ROWS
from core.contracts.audit import Given
from core.contracts.model import AbstractModel
from core.data.clusters import some_of
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.inference.power import PilotOfOneMean
from core.inference.resampled import Checked
from core.inference.transport.draws import BLOCK_NUMBERS
from core.inference.transport.memory import memory_needed
from core.language.told import say

PILOT_PEOPLE = 4_000
_LEVEL = 0.05
_COSTS: dict[str, Literal["classes", "points", "matrix"]] = {
    "differ_only_in": "classes",
    "by_metric": "points",
    "own_cost": "matrix",
}


@dataclass(frozen=True)
class TransportPilot(PilotOfOneMean):
    """What a test of some random people says about the whole test.

    Attributes:
        people: People tried.
        audited: People of the whole test.
        seconds: Estimated time of the whole test; the learning of a metric is not in it.
        memory: Estimated memory of the whole test in bytes, a generous guess.
        spread: Standard deviation of one person's contribution to the audit value (papers/faith.md, theorem 3.4); NaN
            where the decision's loss cannot be had from the model's answers.
        mixed: Share of the people in cells where not everybody has the same loss. There a violation has to be confirmed
            by the other half of the people, so that ``spread`` alone promises too much.
        hides: The feature that would best tell these people apart; "" for none.
    """

    people: int
    audited: int
    seconds: float
    memory: int
    spread: float
    mixed: float
    hides: str


def for_table(audit: Transport, model: AbstractModel, dataset: Dataset) -> Transport:
    """The settings with which the test begins: with the same people in every group where the model can be asked."""
    space = proposed_space(model.encoder.features, dataset.roles, not model.answers_only_here)
    return audit.model_copy(update={"space": space})


def against(audit: Transport, model: AbstractModel, dataset: Dataset) -> str:
    """Why the test is not proposed: no columns leave people somebody to be compared with. Empty where some do."""
    if audit.columns or not isinstance(audit.similarity, DifferOnlyIn):
        return ""
    if audit.asks_for_everybody(dataset.roles.protected):
        return ""
    proposal = propose(dataset)
    if any(one.name not in dataset.roles.protected for one in proposal):
        return ""
    if set(dataset.roles.features) <= set(dataset.roles.protected):
        return nobody_told_apart()
    return say(
        "No columns and bins leave enough people to compare with. Four people in five should have somebody of every "
        "group of {fewest} or more, alike and with the same recorded outcome.",
        fewest=FEWEST_ROWS,
    )


def pilot(audit: Transport, given: Given[AbstractModel, EncodedDataset], decision: TransportDecision) -> TransportPilot:
    """Test some random people; all of them where limits are set, which a part of the people might not meet.

    Columns that are to be proposed are proposed from all people, as the whole test will.

    Args:
        audit: The settings.
        given: The model, the people to audit, and who is similar if the settings name a metric.
        decision: The loss and the budget.

    Raises:
        SettingsError: The settings do not fit the people.
        AuditError: Nobody can be compared, there are too many cells, or the limits cannot be met.
    """
    model, data = given.model, given.data
    limited = bool(audit.limits or audit.label_budgets)
    whole = limited or isinstance(audit.similarity, OwnCost)
    chosen = np.arange(len(data)) if whole else np.sort(some_of(len(data), PILOT_PEOPLE, given.rng, data.clusters))
    if not audit.columns:
        answers = model.predict_proba(data)[:, model.classes.index(data.dataset.roles.favourable)]
        audit = audit.model_copy(update={"columns": propose(data.dataset, answers)})
    cells = preview(data.dataset, audit.columns, audit.space).size
    started = time.perf_counter()
    detail, _ = run(audit, replace(given, data=data.take(chosen)))
    by_pairs = not limited and isinstance(audit.similarity, ByMetric)
    larger = len(data) / len(chosen)
    if detail.asked is not None:
        cells = ceil(len(detail.cells) * larger)
    growth = max(larger, (cells / len(detail.cells)) ** (2 if by_pairs else 1))
    drawn = 0 if detail.asked is not None and not limited else cells
    at_once = min(audit.draws, max(1, BLOCK_NUMBERS // max(1, drawn)))
    part = next((part for part in detail.parts if part.loss == decision.loss), None)
    spread = float("nan") if part is None else _spread(detail, part, decision.budget)
    return TransportPilot(
        people=len(chosen),
        audited=len(data),
        seconds=(time.perf_counter() - started) * growth,
        memory=memory_needed(cells, cost=_COSTS[audit.similarity.kind], draws=at_once if drawn else 0, program=limited),
        spread=spread,
        mixed=float("nan") if part is None else part.mixed,
        hides=detail.hides,
    )


def _spread(detail: TransportDetail, part: LossPart, budget: float | None) -> float:
    """Standard deviation of one person's contribution, from its upper bound.

    Raises:
        AuditError: The limits cannot be met.
    """
    spent = detail.proposed_budget if budget is None else budget
    if detail.constrained is not None:
        detail.constrained.solve(detail.parts.index(part), part.sample.masses, spent)
    found = estimate(detail, part, resampling(detail, part), spent, "closed form")  # verbatim
    found = found.estimate if isinstance(found, Checked) else found
    return float((found.upper_bound(_LEVEL) - found.value) / NormalDist().inv_cdf(1 - _LEVEL) * found.n**0.5)
