"""What follows from a transport test under decision settings: the audit value, how sure it is, and who is moved."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from core.audits.transport import KIND
from core.audits.transport.decision import Loss, TransportDecision
from core.audits.transport.loss_units import LOSS_UNITS
from core.audits.transport.maps import Moves, among_equals, group_flows, moves
from core.audits.transport.result import Cells, LossPart, TransportDetail, TransportResult
from core.audits.transport.settings import DifferOnlyIn, OwnCost, Transport
from core.audits.transport.unseen import EVERYBODY_SEEN, ForEverybody, Unseen, kinds_of, unseen_of, within_kinds
from core.base.errors import SettingsError
from core.inference.estimate import Estimate
from core.inference.p_values import rank_at
from core.inference.resampled import Checked, CrossFitted, ResampledEstimate
from core.inference.transport.doubts import doubts
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope, ValueCurve
from core.inference.transport.methods import Method, estimate_value
from core.inference.transport.rises import by_rise
from core.inference.transport.solution import Certificate, Solution
from core.inference.transport.split_check import Split, split_check
from core.language.phrases import upper_first
from core.language.told import retold, say, say_as
from core.one_estimate import OneEstimateFinding

DECIDES = 0.9
"""A column decides the answers where two people of one of its kinds are decided on differently a tenth as often as any
two people, or more rarely."""
OUTSIDE = 10
"""Draws beyond an end of an interval, where the draws of the settings do not reach it."""
MOST_DRAWN = 3_000_000
"""Draws times cells up to which more draws take less than a second."""
MOST_BREAKPOINTS = 200
"""Budgets in the record's curve; of more, evenly spaced ones are kept, the first and the last among them."""


@dataclass(frozen=True)
class StrataCounts:
    """The strata in numbers: counts and shares of the table itself, of which nothing is estimated.

    Attributes:
        cells: K.
        people: Audited people.
        alone: Share of them who are the only one of their stratum.
        comparable: Share who may be compared with people of another protected group.
        mixed: Share in cells whose members have different losses.
    """

    cells: int
    people: int
    alone: float
    comparable: float
    mixed: float


@dataclass(frozen=True)
class GroupFlow:
    """How many people of one protected group are compared with those of another, by the plan; no estimate."""

    origin: str
    target: str
    people: float


def resampling(detail: TransportDetail, part: LossPart) -> tuple[Draws, Envelope]:
    """Draws and envelope from which the uncertainty follows: of fewer cells where people are asked about."""
    sample, envelope = part.sample, part.envelope
    if detail.asked is not None and detail.constrained is None and not len(envelope.source):
        sample, envelope = by_rise(sample, envelope)
    return Draws(sample, detail.draws, detail.seed), envelope


def _draws_needed(detail: TransportDetail, cells: int, alpha: float) -> int:
    """The draws of the settings; more where these do not reach the ends of an interval, and more are quickly drawn.

    That is so where many tests or models share an error rate.
    """
    if rank_at(alpha / 2, detail.draws) > 0 or detail.constrained is not None:
        return detail.draws
    needed = math.ceil(OUTSIDE / (alpha / 2))
    return needed if needed * cells <= MOST_DRAWN else detail.draws


def estimate(
    detail: TransportDetail,
    part: LossPart,
    resampled: tuple[Draws, Envelope],
    budget: float,
    method: Method,
    *,
    check: Callable[[tuple[Split, ...], float], CrossFitted] = split_check,
) -> Estimate | ResampledEstimate | Checked:
    """The audit value at a budget with its interval, bounds and p-value; ``resampled`` as of :func:`resampling`."""
    draws, envelope = resampled
    if detail.constrained is not None:
        return detail.constrained.estimate(detail.parts.index(part), envelope, draws, budget, method)
    found = estimate_value(method, envelope, draws, budget)
    return Checked(found, check(part.splits, budget)) if part.splits else found


class AbstractTransportFinding(OneEstimateFinding[TransportResult, TransportDecision]):
    """The values behind the verdict; what takes long is remembered by the result."""

    kind = KIND
    exact_error = 0.0
    recorded = (
        "loss", *OneEstimateFinding.recorded, "budget", "budget_matters", "price", "certificate", "cells", "flows",
        "sentences", "budgets", "values",
    )  # fmt: skip

    @property
    def detail(self) -> TransportDetail:
        """What the test found."""
        return self.result.detail

    @property
    def loss(self) -> Loss:
        """The loss read."""
        return self.decision.loss

    @cached_property
    def part(self) -> LossPart:
        """The decision's loss over the cells.

        Raises:
            SettingsError: The model's answers do not allow this loss.
        """
        for part in self.detail.parts:
            if part.loss == self.loss:
                return part
        raise SettingsError(
            say(
                "There is no {loss} loss here: {why}",
                loss=LOSS_UNITS[self.loss].called,
                why=retold(dict(self.detail.unavailable)[self.loss]),
            ),
            where=say_as("where a setting stands", "loss"),
            advice=say("Read the {loss} loss.", loss=LOSS_UNITS[self.detail.parts[0].loss].called),
        )

    @property
    def budget(self) -> float:
        """The decision's budget, or the proposed one."""
        return self.detail.proposed_budget if self.decision.budget is None else self.decision.budget

    @property
    def budget_matters(self) -> bool:
        """Whether another budget could change the value; not where there is none."""
        return not self.undefined and self.part.budget_matters

    @property
    def what(self) -> str:
        """See the base class."""
        return upper_first(LOSS_UNITS[self.loss].rise)

    @cached_property
    def inference(self) -> ForEverybody:
        """The audit value with bounds that speak for everybody, people the table does not show among them."""
        moved = any(limit.at_least > 0 for limit in self.result.audit.limits)
        unseen = EVERYBODY_SEEN if self.seen.undefined else self.unseen
        return ForEverybody(self.seen, unseen, -math.inf if moved else 0.0)

    @cached_property
    def seen(self) -> Estimate | ResampledEstimate | Checked:
        """The audit value (eq. 3.1) of the people who were looked at, with its interval (eq. 4.1 with its sign
        corrected) by the decision's method.
        """
        why = dict(self.detail.unavailable).get(self.loss)
        if why is not None:
            return Estimate(float("nan"), float("nan"), int(self.detail.cells.people.sum()), retold(why))
        method = self.decision.method
        return self.once(
            ("estimate", self.loss, self.budget, method, self._resampling[0].draws),
            lambda: estimate(self.detail, self.part, self._resampling, self.budget, method, check=self._check),
        )

    def _check(self, splits: tuple[Split, ...], budget: float) -> CrossFitted:
        """The same by whichever method the rest is read."""
        return self.once(("split_check", self.loss, budget), lambda: split_check(splits, budget))

    @property
    def on_the_same_people(self) -> float:
        """The rise by moves measured on the very people by whose losses they were chosen; NaN when undefined.

        Where losses differ within cells it is too high in the mean, and larger than the estimate.
        """
        found = self.seen
        return found.estimate.value if isinstance(found, Checked) else found.value

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why the decision's way to the interval may not hold here, most serious first.

        With limits, what speaks against the value without them: how few people carry it, above all.

        Raises:
            SettingsError: The model's answers do not allow this loss.
        """
        method = self.decision.method if self.detail.constrained is None else "directional derivative"  # verbatim
        draws, envelope = self._resampling
        found = self.once(
            ("doubts", self.loss, self.budget, method), lambda: doubts(method, envelope, draws, self.budget)
        )
        return tuple(map(retold, found.sentences))

    @cached_property
    def solution(self) -> Solution:
        """The maximising plan with its dual variables and certificate.

        Raises:
            SettingsError: The model's answers do not allow this loss.
            AuditError: No plan meets all limits at this budget.
        """
        part, budget, constrained = self.part, self.budget, self.detail.constrained

        def solved() -> Solution:
            if constrained is None:
                return part.envelope.solution(part.sample.masses, budget)
            best = constrained.solve(self.detail.parts.index(part), part.sample.masses, budget)
            potentials = part.envelope.losses + best.worth
            return Solution(best.value, best.plan, best.price, potentials, best.certificate)

        return self.once(("solution", self.loss, budget), solved)

    @cached_property
    def curve(self) -> ValueCurve:
        """The audit value at every budget: exact, or with limits at evenly spaced budgets, straight between them.

        Raises:
            SettingsError: The model's answers do not allow this loss.
            AuditError: No plan meets all limits, whatever the budget.
        """
        part, constrained = self.part, self.detail.constrained

        def followed() -> ValueCurve:
            masses = part.sample.masses
            if constrained is None:
                return part.envelope.curve(masses)
            return constrained.curve(self.detail.parts.index(part), masses, part.envelope.total_cost(masses))

        return self.once(("curve", self.loss), followed)

    @cached_property
    def unseen(self) -> Unseen:
        """What the bounds do not see.

        Raises:
            SettingsError: The model's answers do not allow this loss.
        """
        price = None if self.detail.constrained else self.solution.price
        return unseen_of(self.detail, self.part, price, self.differ_in)

    @property
    def differ_in(self) -> tuple[str, ...] | None:
        """The columns in which people may differ at no cost; None where costs say who is compared."""
        similarity = self.result.audit.similarity
        if not isinstance(similarity, DifferOnlyIn):
            return None
        return similarity.columns or self.detail.cells.protected

    @property
    def agree_in(self) -> tuple[str, ...]:
        """The columns in which people who are compared agree."""
        return tuple(one.name for one in self.detail.cells.columns if one.name not in (self.differ_in or ()))

    @property
    def left_out(self) -> tuple[str, ...]:
        """The columns in which people may differ who count as similar, though they are not protected."""
        if self.differ_in is None or self.detail.asked is not None:
            return ()
        return self.result.features_beside(one.name for one in self.detail.cells.columns)

    @property
    def conditional(self) -> bool:
        """Whether the verdict holds on average among people who agree in the declared columns, and no further.

        That is so where people who agree in them are treated in different ways, unless all that could lie behind it
        fits within the tolerance too.
        """
        if self.undefined or self.detail.asked is not None or self.part.mixed == 0:
            return False
        half, differ_in = self.decision.alpha / 2, self.differ_in
        hidden = math.inf if differ_in is None else within_kinds(self.detail, self.part, differ_in, half)
        return self.inference.upper_bound(half) + hidden > self.decision.delta

    @cached_property
    def decided_by(self) -> str:
        """The column by whose kinds alone people are told apart as the answers tell them apart; "" for none.

        Whoever agrees in it is treated alike by construction, and everybody compared agrees in it.
        """
        if self.differ_in is None or self.detail.asked is not None:
            return ""
        cells = self.detail.cells
        shares = {name: _explained(cells, name) for name in self.agree_in if name not in cells.protected}
        best = max(shares, key=lambda name: shares[name], default="")
        return best if best and shares[best] >= DECIDES else ""

    @property
    def told_apart(self) -> bool:
        """Whether any column but the protected ones tells people apart who are compared, or costs do."""
        cells = self.detail.cells
        free = [name for name in cells.frame.columns if name not in cells.protected]
        if self.detail.asked is not None or isinstance(self.result.audit.similarity, OwnCost):
            return True
        return any(cells.frame[name].nunique() > 1 for name in free)

    @cached_property
    def moves(self) -> Moves:
        """Who is moved, in people: the mean of all best ways where people may differ in some columns at no cost.

        There nobody who is judged as badly counts more than another. With limits or at a cost it is one of the best
        ways.

        Raises:
            SettingsError: The model's answers do not allow this loss.
        """
        cells, losses, kind = self.detail.cells, self.part.sample.losses, self._free_to_move
        found = moves(cells, losses, self.solution)
        if kind is None:
            return found
        counted = self.detail.asked is None and bool(cells.people.all())
        return among_equals(found, losses, kind, cells.people if counted else np.ones(len(cells)))

    @property
    def one_of_several(self) -> bool:
        """Whether ``moves`` is one of the best ways, of which there may be others."""
        return self._free_to_move is None

    @property
    def _free_to_move(self) -> np.ndarray | None:
        """Kind of each cell, within which people are moved at no cost, shape (K,), int; None where more decides."""
        cells, asked, free = self.detail.cells, self.detail.asked, self.differ_in
        if free is None or self.detail.constrained is not None or self.result.audit.forbidden:
            return None
        if asked is None:
            return kinds_of(cells, free)
        if any((one.edges or one.merged) and one.name in asked.read for one in cells.columns):
            return None
        groups = int(np.prod([cells.frame[name].nunique() for name in (*asked.read, *asked.unread)]))
        return np.arange(len(cells)) // groups

    @cached_property
    def group_flows(self) -> np.ndarray:
        """People moved from each group to each group by true label; shape (L, G, G)."""
        return group_flows(self.detail.cells, self.moves)

    @property
    def price(self) -> float:
        """Rise of the value per unit of budget just above this one (the dual ν)."""
        return float("nan") if self.undefined else self.solution.price

    @property
    def certificate(self) -> float:
        """Largest violation of the optimality conditions by the plan and its duals."""
        return float("nan") if self.undefined else _largest(self.solution.certificate)

    @cached_property
    def cells(self) -> StrataCounts:
        """The strata in numbers."""
        detail = self.detail
        return StrataCounts(
            cells=len(detail.cells),
            people=int(detail.cells.people.sum()),
            alone=detail.alone,
            comparable=detail.comparable_share,
            mixed=float("nan") if self.undefined else self.part.mixed,
        )

    @cached_property
    def flows(self) -> tuple[GroupFlow, ...]:
        """People moved between protected groups, largest first."""
        if self.undefined:
            return ()
        groups, matrix = self.detail.cells.groups, self.group_flows.sum(axis=0)
        origin, target = np.nonzero(matrix > 0)
        order = np.lexsort((target, origin, -matrix[origin, target]))
        return tuple(
            GroupFlow(groups[i], groups[j], float(matrix[i, j]))
            for i, j in zip(origin[order], target[order], strict=True)
        )

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets at which the slope of the value changes."""
        return tuple(self._kept.budgets.tolist())

    @property
    def values(self) -> tuple[float, ...]:
        """The value at each of them."""
        return tuple(self._kept.values.tolist())

    @property
    def _kept(self) -> ValueCurve:
        if self.undefined:
            return ValueCurve(np.zeros(0), np.zeros(0))
        curve = self.curve
        kept = np.unique(np.linspace(0, len(curve.budgets) - 1, min(len(curve.budgets), MOST_BREAKPOINTS)).astype(int))
        return ValueCurve(curve.budgets[kept], curve.values[kept])

    @property
    def _resampling(self) -> tuple[Draws, Envelope]:
        draws, envelope = self.once(("resampling", self.loss), lambda: resampling(self.detail, self.part))
        needed = _draws_needed(self.detail, len(draws.sample.masses), self.decision.alpha)
        if needed == draws.draws:
            return draws, envelope
        more = self.once(("resampling", self.loss, needed), lambda: Draws(draws.sample, needed, draws.seed))
        return more, envelope


def filled(result: TransportResult) -> Transport:
    """The settings with the columns that told people apart, proposed or not."""
    return result.audit.model_copy(update={"columns": result.detail.cells.columns})


def _explained(cells: Cells, column: str) -> float:
    """By how much rarer two people of one kind of a column are decided on differently than any two people; 1 for never.

    Kinds of few people explain nothing by chance, as the share among pairs is not biased (Gini 1912).
    """
    people = cells.people.astype(np.float64)
    chosen = np.where(people > 0, people * cells.favourable, 0.0)
    kind = pd.factorize(cells.frame[column])[0]
    each, favoured = np.bincount(kind, people), np.bincount(kind, chosen)
    pairs = each > 1
    among_all = _apart(people.sum(), chosen.sum())
    if among_all == 0 or not pairs.any():
        return 0.0
    return 1.0 - float(np.average(_apart(each[pairs], favoured[pairs]), weights=each[pairs]) / among_all)


def _apart(people: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """How often two of these people are decided on differently."""
    return np.asarray(2.0 * chosen * (people - chosen) / (people * (people - 1.0)))


def _largest(certificate: Certificate) -> float:
    return max(certificate.primal, certificate.dual, certificate.complementarity)
