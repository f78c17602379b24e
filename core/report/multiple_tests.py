"""Several tests read together: their numbers, Holm's adjustment across them, and one verdict for the audit."""

import math
from dataclasses import dataclass
from typing import Any

from core.claims import leading
from core.claims_shown import in_a_line
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.judge import together
from core.language.phrases import count, listed, lower_first, p_value, percent
from core.language.told import say, say_count
from core.result import AuditResult
from core.run import find
from core.study import Study, adjusted


@dataclass(frozen=True)
class Together:
    """The tests of one study under their decision settings; every tuple has one entry a test.

    Attributes:
        names: What people call each test.
        findings: What it found.
        adjusted: Holm's adjusted p-values; NaN for a test that gives none.
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
    def _judged(self) -> tuple[tuple[Verdict, ...], Verdict]:
        return together([one.verdict for one in self.findings], self.adjusted, self.alphas)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Each test's verdict; a violation that Holm's adjustment does not confirm is insufficient evidence."""
        return self._judged[0]

    @property
    def verdict(self) -> Verdict:
        """A violation by any test is one; no violation takes every test."""
        return self._judged[1]

    @property
    def adjusted_tests(self) -> int:
        """How many p-values are adjusted for each other: a test that gives none is not counted."""
        return sum(not math.isnan(p) for p in self.adjusted)

    @property
    def deciding(self) -> tuple[AbstractFinding[Any, Any], ...]:
        """The findings that decide the verdict."""
        pairs = zip(self.findings, self.verdicts, strict=True)
        return tuple(one for one, verdict in pairs if verdict is self.verdict is one.verdict)

    @property
    def named(self) -> str:
        """Who is shown to be treated worse than tolerated, by the tests that decide the verdict; empty if nobody is."""
        return next((one.named for one in self.deciding if one.named), "")

    @property
    def headline(self) -> str:
        """The verdict of the audit in a few words."""
        if len(self.findings) == 1:
            alone: str = self.findings[0].headline
            return alone
        if self.verdict is Verdict.NO_VIOLATION:
            told = say("No violation found by any of the {tests} tests", tests=len(self.findings))
            left_open = listed([one.reservations for one in self.findings if one.reservations])
            return f"{told}; {left_open}" if left_open else told
        if self.verdict is Verdict.INSUFFICIENT:
            if self.named:
                return say("Insufficient evidence, but {named} fares worse", named=self.named)
            nothing = say("Insufficient evidence")
            return next((one.headline for one in self.deciding if one.claims and one.headline != nothing), nothing)
        return self._accusation

    @property
    def _accusation(self) -> str:
        """A violation in a few words: the claim that decides, or who is named, or how many tests found one."""
        found, tests = self.verdicts.count(Verdict.VIOLATION), len(self.findings)
        if claimed := next((one for one in self.deciding if one.claims and one.named), None):
            told: str = claimed.headline
            return say("{told} ({found} of {tests} tests)", told=told, found=found, tests=tests)
        if not self.named:
            told = say("Violation found by {found} of {tests} tests", found=found, tests=tests)
            first = [leading(claim for claim in one.claims if claim.beyond) for one in self.deciding]
            claims = sorted(filter(None, first), key=lambda claim: not claim.against)
            return say("{told}: {claim}", told=told, claim=in_a_line(claims[0])) if claims else told
        named = self.named
        if found > 1:
            by = next(name for name, one in zip(self.names, self.findings, strict=True) if one.named == named)
            named = f"{named} ({lower_first(by)})"
        return say("Violation found by {found} of {tests} tests, for {named}", found=found, tests=tests, named=named)

    @property
    def sentence(self) -> str:
        """The rest of the verdict, one plain sentence or two."""
        if len(self.findings) == 1:
            return self.findings[0].explanation
        reasons = [{caveat.what: caveat for caveat in one.unclaimed} for one in self.findings]
        if shared := [what for what in reasons[0] if all(what in other for other in reasons)]:
            return shared[0]
        told = "; ".join(
            f"{name}: {verdict.words}, {self._told(p)}"
            for name, verdict, p in zip(self.names, self.verdicts, self.adjusted, strict=True)
        )
        if self.adjusted_tests < 2:
            return f"{told}."
        lost = sum(
            one.verdict is Verdict.VIOLATION is not verdict
            for one, verdict in zip(self.findings, self.verdicts, strict=True)
        )
        if lost:
            told = say_count(
                "{told}. One of them would be a violation alone, but with {tests} chance has as many occasions, "
                "so that more is asked of each",
                "{told}. {n} of them would be a violation alone, but with {tests} chance has as many occasions, "
                "so that more is asked of each",
                lost,
                told=told,
                tests=count(self.adjusted_tests, "test"),
            )
        return say(
            "{told}. The p-values, each of “within the tolerance”, are adjusted for {tests} (Holm), "
            "so that the chance of any false alarm stays at {alpha}.",
            told=told,
            tests=count(self.adjusted_tests, "test"),
            alpha=percent(max(self.alphas)),
        )

    def _told(self, p: float) -> str:
        """A test's p-value, if it has one."""
        if math.isnan(p):
            return say("without a p-value")
        return (
            say("adjusted p-value {p}", p=p_value(p)) if self.adjusted_tests > 1 else say("p-value {p}", p=p_value(p))
        )
