"""The audit value under an auditor's own limits: how many may be moved out of a group, a budget for each outcome.

The value is a linear program, solved again for every budget that is asked for. The duals of its solution at any masses
f stay feasible at all others, so each solution gives a line in f, the dual objective, that is never below the value and
touches it where it was solved. Solved at the sample and at a few resamples of m people, the lowest of these lines is
the value with its kinks, as far as they matter, and thousands of resamples cost a matrix product. The error of the
value is then found as without limits (:mod:`core.inference.transport.local`): a mean over people at the sample's own
line, plus a part at most 0 where another line is lower.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from core.base.errors import AuditError
from core.inference.estimate import Estimate
from core.inference.resampled import Checked, CrossFitted, ResampledEstimate
from core.inference.transport.constraints import Constraints
from core.inference.transport.draws import Draws
from core.inference.transport.envelope import Envelope, ValueCurve
from core.inference.transport.local import Local, moved, pooled_variances
from core.inference.transport.methods import Method, default_size
from core.inference.transport.prices import Prices, closeness
from core.inference.transport.program import ConstrainedSolution, Program
from core.inference.transport.sample import CellSample

SOLVED_RESAMPLES = 20
LARGEST_RESAMPLED = 20_000
"""With more moves than this only the sample's own line is used: every resample is a program of its own."""
LIMITED_SPLITS = 10
"""Each is two programs more at every budget."""
CURVE_BUDGETS = 21


@dataclass(frozen=True)
class Lines:
    """Lines in the masses that are never below the value, the sample's own first; L lines.

    Attributes:
        start: Their values at f = 0, shape (L,).
        slope: Their slopes, shape (L, K).
    """

    start: np.ndarray
    slope: np.ndarray

    def at(self, masses: np.ndarray) -> np.ndarray:
        """Every line at ``masses`` (..., K); shape (..., L)."""
        values: np.ndarray = self.start + masses @ self.slope.T
        return values


@dataclass(frozen=True)
class LimitedSplit:
    """One split of the people into two halves.

    Attributes:
        sample: People and losses, in two halves.
        first: Program with the losses of the first half, in which cells without people of that half are left alone.
        second: The same of the second half.
    """

    sample: CellSample
    first: Program
    second: Program


@dataclass(frozen=True)
class Constrained:
    """Linear programs for the limits.

    Attributes:
        limits: What the auditor asks.
        programs: The program of each loss, in the order of the detail's parts.
        splits: For losses that differ within cells, random splits of the people; empty for the others.
    """

    limits: Constraints
    programs: tuple[Program, ...]
    splits: tuple[tuple[LimitedSplit, ...], ...]

    def solve(self, place: int, masses: np.ndarray, budget: float) -> ConstrainedSolution:
        """The best plan for the loss at ``place``.

        Raises:
            AuditError: No plan meets all limits at this budget.
        """
        return self.programs[place].solve(masses, budget, self.limits)

    def estimate(
        self, place: int, envelope: Envelope, draws: Draws, budget: float, method: Method
    ) -> Estimate | ResampledEstimate | Checked:
        """The value with its resampled error, confirmed by the halves where losses differ within cells.

        Where no plan meets all limits the estimate is undefined, and says which limit is at fault. Methods other than
        the directional derivative give the m-out-of-n bootstrap.
        """
        sample = draws.sample
        try:
            solution = self.solve(place, sample.masses, budget)
            lines = self._lines(place, solution, draws, budget)
            found = _resampled(method, solution, lines, envelope, draws)
            if not self.splits[place]:
                return found
            return Checked(found, CrossFitted(tuple(self._confirmed(one, budget) for one in self.splits[place])))
        except AuditError as error:
            return Estimate(float("nan"), float("nan"), sample.n, str(error))

    def curve(self, place: int, masses: np.ndarray, end: float) -> ValueCurve:
        """The value at evenly spaced budgets from the first at which the limits can be met to ``end``.

        Raises:
            AuditError: They cannot be met at ``end``.
        """
        budgets, values = [end], [self.solve(place, masses, end).value]
        for budget in np.linspace(0.0, end, CURVE_BUDGETS)[-2::-1] if end > 0 else ():
            try:
                values.append(self.solve(place, masses, float(budget)).value)
            except AuditError:
                break
            budgets.append(float(budget))
        return ValueCurve(np.array(budgets[::-1]), np.array(values[::-1]))

    def _lines(self, place: int, solution: ConstrainedSolution, draws: Draws, budget: float) -> Lines:
        """The lines of the sample and of a few resamples; resamples that cannot meet the limits are left out."""
        found = [(draws.sample.masses, solution)]
        some = next(draws.masses(default_size(draws.independent)))[:SOLVED_RESAMPLES]
        for masses in some if len(self.programs[place].source) <= LARGEST_RESAMPLED else ():
            try:
                found.append((masses, self.solve(place, masses, budget)))
            except AuditError:
                continue
        start = [one.value - float(masses @ one.worth) for masses, one in found]
        return Lines(np.array(start), np.array([one.worth for _, one in found]))

    def _confirmed(self, split: LimitedSplit, budget: float) -> Estimate:
        """Plans chosen by the losses of one half, their gain measured by those of the other, both ways.

        The two gains are correlated where the plans are chance, so the standard error is the mean of the two.
        """
        values, errors, sample = [], [], split.sample
        for chosen, measured in ((split.first, 1), (split.second, 0)):
            solution = chosen.solve(sample.masses, budget, self.limits)
            plan, count = solution.plan, sample.count[measured]
            losses = sample.total[measured] / np.maximum(count, 1)
            losses = np.where(sample.people > 0, losses, sample.asked)
            known = ((count > 0) | (sample.people == 0))[plan.target] & (count > 0)[plan.source]
            values.append(float(plan.mass[known] @ (losses[plan.target] - losses[plan.source])[known]))
            errors.append(_standard_error(sample, solution, measured))
        return Estimate(float(np.mean(values)), float(np.mean(errors)), sample.n)


def _resampled(
    method: Method, solution: ConstrainedSolution, lines: Lines, envelope: Envelope, draws: Draws
) -> ResampledEstimate:
    """Roots of the value: the mean's error at the sample's line, and how much lower other lines are in resamples."""
    sample = draws.sample
    masses, n = sample.masses, sample.n
    ahead = lines.at(masses) - solution.value
    error = np.sqrt([sample.spread(slope - lines.slope[0]) / n for slope in lines.slope])
    possible = np.union1d(0, np.flatnonzero(ahead <= closeness(sample.independent) * error + 1e-12))
    widest = max((int(line) for line in possible), key=lambda line: sample.spread(lines.slope[line]))
    weight = moved(sample, solution.plan.after(masses)) if sample.variances.any() else np.zeros(len(masses))
    linear = Local(
        value=solution.value,
        prices=Prices.of(envelope, sample),
        low=0,
        high=0,
        best=0,
        gains=lines.slope[0],
        widest=lines.slope[widest],
        noise=weight**2 * pooled_variances(sample),
        weight=weight,
    ).linear(draws)
    if method == "directional derivative":  # verbatim
        turns = (lines.slope - lines.slope[0])[possible]
        lower = np.concatenate([((drawn - masses) @ turns.T).min(axis=1) for drawn in draws.masses(draws.independent)])
        roots = linear.studentised + sqrt(n) * lower
    else:
        size = default_size(draws.independent)
        at = np.concatenate([lines.at(drawn) for drawn in draws.masses(size)])
        ranked = np.argsort(np.argsort(at[:, 0], kind="stable"), kind="stable")
        roots = np.sort(linear.studentised)[ranked] + draws.scale(size) * (at.min(axis=1) - at[:, 0])
    return ResampledEstimate(solution.value, n, np.sort(roots), np.sort(linear.widest))


def _standard_error(sample: CellSample, solution: ConstrainedSolution, measured: int) -> float:
    """Of a plan's gain by people of the half ``measured``, whose losses were not used to choose it."""
    masses, people = sample.masses, np.maximum(sample.count[measured], 1)
    weight = (solution.plan.after(masses) - masses) / people
    losses = float((weight**2 * people * pooled_variances(sample)).sum())
    if sample.together is not None:
        half = sample.half(measured)
        losses += float((half.scores(np.zeros(len(masses)), weight)[0] ** 2).sum())
    return sqrt(sample.spread(solution.worth) / sample.freedom + losses)
