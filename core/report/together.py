"""Several tests read together: their numbers, Holm's adjustment across them, and one verdict for the audit."""

from dataclasses import dataclass

from core.inference.estimate import Verdict
from core.report.numbers import Numbers
from core.report.tellings import collect, telling_of
from core.result import AuditResult
from core.study import Study, adjusted
from core.words import count, p_value, percent


@dataclass(frozen=True)
class Together:
    """The tests of one study under its readings; every tuple has one entry a test.

    Attributes:
        names: What people call each test.
        numbers: Its numbers; their type is the audit's own.
        adjusted: Holm's adjusted p-values; NaN for a test without one.
        alphas: The readings' error rates.
    """

    names: tuple[str, ...]
    numbers: tuple[Numbers, ...]
    adjusted: tuple[float, ...]
    alphas: tuple[float, ...]

    @classmethod
    def of(cls, study: Study, results: tuple[AuditResult, ...]) -> "Together":
        """Read every result as its plan says."""
        numbers = tuple(collect(plan, result) for plan, result in zip(study.plans, results, strict=True))
        return cls(
            names=tuple(telling_of(plan).name for plan in study.plans),
            numbers=numbers,
            adjusted=adjusted(tuple(one.p_value for one in numbers)),
            alphas=tuple(plan.reading.alpha for plan in study.plans),
        )

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Each test's verdict; a violation that Holm's adjustment does not confirm is insufficient evidence."""
        if len(self.numbers) == 1:
            return (self.numbers[0].verdict,)
        rows = zip(self.numbers, self.adjusted, self.alphas, strict=True)
        return tuple(
            Verdict.INSUFFICIENT if one.verdict is Verdict.VIOLATION and not p <= alpha else one.verdict
            for one, p, alpha in rows
        )

    @property
    def verdict(self) -> Verdict:
        """A violation by any test is one; no violation takes every test."""
        found = self.verdicts
        if Verdict.VIOLATION in found:
            return Verdict.VIOLATION
        return Verdict.NO_VIOLATION if set(found) == {Verdict.NO_VIOLATION} else Verdict.INSUFFICIENT

    @property
    def headline(self) -> str:
        """The verdict of the audit in a few words."""
        if len(self.numbers) == 1:
            return self.numbers[0].headline
        if self.verdict is Verdict.NO_VIOLATION:
            return f"No violation found by any of the {len(self.numbers)} tests"
        if self.verdict is Verdict.INSUFFICIENT:
            return "Insufficient evidence"
        return f"Violation found by {self.verdicts.count(Verdict.VIOLATION)} of {len(self.numbers)} tests"

    @property
    def sentence(self) -> str:
        """The rest of the verdict, one plain sentence or two."""
        if len(self.numbers) == 1:
            rest = self.numbers[0].sentence.removeprefix(f"{self.headline}: ")
            return f"{rest[:1].upper()}{rest[1:]}"
        told = "; ".join(
            f"{name}: {verdict.value}, adjusted p-value {p_value(p)}"
            for name, verdict, p in zip(self.names, self.verdicts, self.adjusted, strict=True)
        )
        return (
            f"{told}. The p-values are adjusted for {count(len(self.numbers), 'test')} (Holm), so that the chance of "
            f"any false alarm stays at {percent(max(self.alphas))}."
        )
