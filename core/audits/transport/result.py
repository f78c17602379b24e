"""What a transport test keeps: the cells, and for each loss the sums and envelopes from which every answer follows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.audits.transport import verdicts
from core.audits.transport.decision import Loss, TransportDecision
from core.audits.transport.limited import Constrained
from core.audits.transport.rises import by_rise
from core.audits.transport.settings import CellColumn, Transport
from core.errors import Notice, SettingsError
from core.inference.estimate import Estimate, Verdict
from core.inference.resampled import Answers, Checked
from core.inference.transport.doubts import doubts
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope, ValueCurve
from core.inference.transport.estimates import estimate_value
from core.inference.transport.sample import CellSample
from core.inference.transport.solution import Solution
from core.inference.transport.split_check import split_check
from core.metric import FittedMetric
from core.remembering import Remembering
from core.result import AuditResult


@dataclass(frozen=True)
class Asked:
    """The protected attributes that were changed when the model was asked for the same people in every group.

    Attributes:
        read: Those the model reads.
        unread: Those it does not read: changing them cannot change an answer.
    """

    read: tuple[str, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True)
class Cells:
    """The kinds of people: K combinations of the columns' values and the true outcome.

    Attributes:
        columns: The columns that tell people apart, as they were binned, protected attributes among them.
        frame: Value or bin of each column in each cell as people read it; K rows, columns named as above, in order.
        label: True outcome of each cell as an index into ``labels``; shape (K,), int.
        labels: The outcomes as text.
        group: Protected group of each cell, a combination of the protected attributes' values; shape (K,), int.
        groups: The combinations as people read them ("Black, Female").
        protected: Names of the protected attributes.
        people: Audited people in each cell; shape (K,), int.
        favourable: Share of each cell's people to whom the model gives the favourable outcome; shape (K,); for cells
            without people what the model answers, NaN where nobody asked it.
    """

    columns: tuple[CellColumn, ...]
    frame: pd.DataFrame
    label: np.ndarray
    labels: tuple[str, ...]
    group: np.ndarray
    groups: tuple[str, ...]
    protected: tuple[str, ...]
    people: np.ndarray
    favourable: np.ndarray

    def __len__(self) -> int:
        return len(self.label)

    @property
    def alone(self) -> float:
        """Share of the people who are the only one of their kind."""
        return float((self.people == 1).sum() / self.people.sum())


@dataclass(frozen=True)
class LossPart:
    """One loss over the cells.

    Attributes:
        loss: Which.
        sample: People and their losses, summed per cell.
        envelope: The best moves out of every cell, from which the audit value follows for any people and budget.
        halves: Where losses differ within cells, the same with the losses of one half of the people each; empty
            where they do not.
    """

    loss: Loss
    sample: CellSample
    envelope: Envelope
    halves: tuple[Envelope, ...]

    @property
    def mixed(self) -> float:
        """Share of the people in cells where losses differ, so that the cell's loss is an estimate."""
        return float(self.sample.people[self.sample.variances > 0].sum() / self.sample.n)


@dataclass(frozen=True)
class TransportDetail(Remembering):
    """What one transport test found; K cells.

    Every question takes decision settings, and its answer is kept, so that asking again costs nothing.

    Attributes:
        cells: The kinds of people.
        parts: One for each loss the model's answers allow, 0-1 first.
        unavailable: The other losses, each with the reason.
        proposed_budget: Budget of decision settings that sets none; see
        :func:`core.audits.transport.budget.proposed_budget`.
        comparable: Whether people of each cell may be compared with people of another protected group; (K,), bool.
        coarse: Whether the model reads more than the cells tell apart, so that people of one cell may differ.
        asked: Set where the model was asked for the same people in every group and cells tell apart all it reads:
            everybody is compared with themselves, so that it does not matter how many share their kind. None elsewhere.
        constrained: The linear programs, if the auditor set limits; None without limits.
        draws: Bootstrap draws.
        seed: Seed of every bootstrap draw.
    """

    cells: Cells
    parts: tuple[LossPart, ...]
    unavailable: tuple[tuple[Loss, str], ...]
    proposed_budget: float
    comparable: np.ndarray
    coarse: bool
    asked: Asked | None
    constrained: Constrained | None
    draws: int
    seed: int

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses that can be read."""
        return tuple(part.loss for part in self.parts)

    @property
    def comparable_share(self) -> float:
        """Share of the people who may be compared with people of another protected group."""
        return float(self.cells.people[self.comparable].sum() / self.cells.people.sum())

    @property
    def alone(self) -> float:
        """Share of the people who are the only one of their kind; 0 where they are compared with themselves."""
        return 0.0 if self.asked is not None else self.cells.alone

    @property
    def by_distance(self) -> bool:
        """Whether some people may be compared with others at a cost: some cost lies between 0 and infinity."""
        return self.proposed_budget > 0

    def part(self, decision: TransportDecision) -> LossPart:
        """The decision's loss over the cells.

        Raises:
            SettingsError: The model's answers do not allow this loss.
        """
        for part in self.parts:
            if part.loss == decision.loss:
                return part
        raise SettingsError(
            f"There is no {decision.loss} loss here: {dict(self.unavailable)[decision.loss]}",
            where="loss",
            advice=f"Read the {self.parts[0].loss} loss.",
        )

    def budget(self, decision: TransportDecision) -> float:
        """The decision's budget, or the proposed one."""
        return self.proposed_budget if decision.budget is None else decision.budget

    def budget_matters(self, decision: TransportDecision) -> bool:
        """Whether a larger or smaller budget could change the value: not where every useful move is free."""
        part = self.part(decision)
        return part.envelope.total_cost(part.sample.masses) > 0

    def estimate(self, decision: TransportDecision) -> Answers:
        """The audit value with its interval, bounds and p-value by the decision's method."""
        why = dict(self.unavailable).get(decision.loss)
        if why is not None:
            return Estimate(float("nan"), float("nan"), int(self.cells.people.sum()), why)

        def found() -> Answers:
            part = self.part(decision)
            draws = self._draws(part)
            if self.constrained is not None:
                place = self.parts.index(part)
                return self.constrained.estimate(place, part.envelope, draws, self.budget(decision), decision.method)
            estimate = estimate_value(decision.method, self._moves(part), draws, self.budget(decision))
            if not part.halves:
                return estimate
            first, second = part.halves
            return Checked(estimate, split_check((first, second), part.sample, self.budget(decision)))

        return self._once(("estimate", decision.loss, self.budget(decision), decision.method), found)

    def doubts(self, decision: TransportDecision) -> tuple[str, ...]:
        """Why the decision's way to the interval may not hold here, most serious first; see its own module.

        With limits, what speaks against the value without them: how few people carry it, above all.

        Raises:
            SettingsError: The model's answers do not allow this loss.
        """
        part, budget = self.part(decision), self.budget(decision)
        method = decision.method if self.constrained is None else "directional derivative"
        return self._once(
            ("doubts", decision.loss, budget, method),
            lambda: doubts(method, self._moves(part), self._draws(part), budget).sentences,
        )

    def solution(self, decision: TransportDecision) -> Solution:
        """The maximising plan with its duals and certificate.

        Raises:
            SettingsError: The model's answers do not allow this loss.
            AuditError: No plan meets all limits at this budget.
        """
        part, budget = self.part(decision), self.budget(decision)

        def found() -> Solution:
            if self.constrained is None:
                return part.envelope.solution(part.sample.masses, budget)
            best = self.constrained.solve(self.parts.index(part), part.sample.masses, budget)
            potentials = part.envelope.losses + best.worth
            return Solution(best.value, best.plan, best.price, best.price, potentials, best.certificate)

        return self._once(("solution", decision.loss, budget), found)

    def curve(self, decision: TransportDecision) -> ValueCurve:
        """The audit value at every budget: exact, or with limits at evenly spaced budgets, straight between them.

        Raises:
            SettingsError: The model's answers do not allow this loss.
            AuditError: No plan meets all limits, whatever the budget.
        """
        part = self.part(decision)

        def found() -> ValueCurve:
            masses = part.sample.masses
            if self.constrained is None:
                return part.envelope.curve(masses)
            return self.constrained.curve(self.parts.index(part), masses, part.envelope.total_cost(masses))

        return self._once(("curve", decision.loss), found)

    def p_value(self, decision: TransportDecision) -> float:
        """One-sided p-value of "the audit value is at most delta"; NaN when undefined."""
        return self.estimate(decision).p_value(decision.delta)

    def verdict(self, decision: TransportDecision) -> Verdict:
        """Violation, no violation, or insufficient evidence; :meth:`reasons` says what lies behind it."""
        return verdicts.verdict(self, decision)

    def reasons(self, decision: TransportDecision) -> tuple[Notice, ...]:
        """What speaks against taking the verdict at its word under this decision settings, most serious first."""
        return verdicts.reasons(self, decision)

    def _draws(self, part: LossPart) -> Draws:
        return self._once(("draws", part.loss), lambda: Draws(self._uncertain(part)[0], self.draws, self.seed))

    def _moves(self, part: LossPart) -> Envelope:
        return self._uncertain(part)[1]

    def _uncertain(self, part: LossPart) -> tuple[CellSample, Envelope]:
        """Sample and envelope from which the uncertainty follows: fewer cells where people are asked about."""
        if self.asked is None or self.constrained is not None or len(part.envelope.source):
            return part.sample, part.envelope
        return self._once(("rises", part.loss), lambda: by_rise(part.sample, part.envelope))


TransportResult = AuditResult[Transport, TransportDetail, FittedMetric | None]
"""A result of this test."""
