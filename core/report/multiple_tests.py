"""Several tests read together: their numbers, Holm's adjustment across them, and one verdict for the audit."""

from dataclasses import dataclass
from typing import Any

from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.phrases import count, p_value, percent
from core.result import AuditResult
from core.run import find
from core.study import Study, adjusted


@dataclass(frozen=True)
class Together:
    """The tests of one study under their decision settings; every tuple has one entry a test.

    Attributes:
        names: What people call each test.
        findings: What it found.
        adjusted: Holm's adjusted p-values; NaN for a test without one.
        alphas: The decision settings' error rates.
    """

    names: tuple[str, ...]
    findings: tuple[AbstractFinding[Any, Any], ...]
    adjusted: tuple[float, ...]
    alphas: tuple[float, ...]

    @classmethod
    def of(cls, study: Study, results: tuple[AuditResult, ...]) -> "Together":
        """Read every result as its plan says."""
        findings = tuple(find(result, plan.decision) for plan, result in zip(study.plans, results, strict=True))
        return cls(
            names=study.names,
            findings=findings,
            adjusted=adjusted(tuple(one.p_value for one in findings)),
            alphas=tuple(plan.decision.alpha for plan in study.plans),
        )

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Each test's verdict; a violation that Holm's adjustment does not confirm is insufficient evidence.

        A verdict that rests on no p-value stands as it is.
        """
        if len(self.findings) == 1:
            return (self.findings[0].verdict,)
        rows = zip(self.findings, self.adjusted, self.alphas, strict=True)
        return tuple(
            Verdict.INSUFFICIENT
            if one.has_p_value and one.verdict is Verdict.VIOLATION and not p <= alpha
            else one.verdict
            for one, p, alpha in rows
        )

    @property
    def verdict(self) -> Verdict:
        """A violation by any test is one; no violation takes every test that has a p-value, or all if none has.

        A test without a p-value looks at very many things at once and can hardly clear them all: it can show a
        violation, but its insufficient evidence does not take back what the other tests show.
        """
        if Verdict.VIOLATION in self.verdicts:
            return Verdict.VIOLATION
        pairs = list(zip(self.findings, self.verdicts, strict=True))
        decide = [verdict for one, verdict in pairs if one.has_p_value] or list(self.verdicts)
        return Verdict.NO_VIOLATION if set(decide) == {Verdict.NO_VIOLATION} else Verdict.INSUFFICIENT

    @property
    def adjusted_tests(self) -> int:
        """How many p-values are adjusted for each other: tests without one are not counted."""
        return sum(one.has_p_value for one in self.findings)

    @property
    def headline(self) -> str:
        """The verdict of the audit in a few words."""
        if len(self.findings) == 1:
            return self.findings[0].headline
        if self.verdict is Verdict.NO_VIOLATION:
            return f"No violation found by any of the {len(self.findings)} tests"
        if self.verdict is Verdict.INSUFFICIENT:
            return "Insufficient evidence"
        return f"Violation found by {self.verdicts.count(Verdict.VIOLATION)} of {len(self.findings)} tests"

    @property
    def sentence(self) -> str:
        """The rest of the verdict, one plain sentence or two."""
        if len(self.findings) == 1:
            return self.findings[0].explanation
        tests = [alpha for one, alpha in zip(self.findings, self.alphas, strict=True) if one.has_p_value]
        told = "; ".join(self._told(place, alone=len(tests) == 1) for place in range(len(self.findings)))
        if len(tests) < 2:
            return f"{told}."
        return (
            f"{told}. The p-values are adjusted for {count(len(tests), 'test')} (Holm), so that the chance of "
            f"any false alarm stays at {percent(max(tests))}."
        )

    def _told(self, place: int, *, alone: bool) -> str:
        """What a test says, with its p-value if it has one; ``alone`` says that no other one has."""
        told = f"{self.names[place]}: {self.verdicts[place].value}"
        if not self.findings[place].has_p_value:
            return f"{told}, by bounds that need no adjustment"
        return f"{told}, {'' if alone else 'adjusted '}p-value {p_value(self.adjusted[place])}"
