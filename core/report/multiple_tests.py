"""Several tests read together: their numbers, Holm's adjustment across them, and one verdict for the audit."""

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from core.base.errors import Caveat, each_once, in_short, most_serious_first
from core.caveats.assumptions import IS_A_DECISION
from core.claims import Claim
from core.claims_told import in_a_line, needed, value_text
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.judge import together
from core.language.phrases import count, listed, lower_first, p_value, percent, upper_first
from core.language.told import say
from core.report.stated import differing
from core.result import AuditResult
from core.run import find
from core.study import Study, adjusted


@dataclass(frozen=True)
class TestLine:
    """One test in a line.

    Attributes:
        name: What people call it.
        measure: What its number is of; empty where there is none.
        verdict: Its verdict among all tests.
        number: Its own number, with its interval and what is tolerated.
        claim: The claim that it is the number of; None where there is none.
    """

    __test__ = False

    name: str
    measure: str
    verdict: Verdict
    number: str
    claim: Claim | None

    @classmethod
    def of(cls, name: str, finding: AbstractFinding[Any, Any], verdict: Verdict) -> "TestLine":
        """The line of a finding, as it is told, under its verdict among all tests."""
        claim = None if finding.unclaimed else finding.headlined
        number = say("no number") if claim is None else in_a_line(claim)
        if claim is not None and claim.within and verdict is Verdict.INSUFFICIENT:
            number = f"{number}; {needed(finding, claim)}"
        elif claim is not None and claim.beyond and verdict is Verdict.INSUFFICIENT:
            number = f"{number}; {say('something speaks against the numbers')}"
        told = "" if claim is None or not claim.defined else finding.room.measure(finding, claim)
        return cls(name, upper_first(told), verdict, number, claim)


@dataclass(frozen=True)
class Together:
    """The tests of one study under their decision settings; every tuple has one entry a test.

    Attributes:
        names: What people call each test.
        findings: What it found.
        adjusted: Holm's adjusted p-values; NaN for a test that gives none.
        alphas: The decision settings' error rates.
        trial: That they are read otherwise than they were run, and what was found then; empty where they are not.
    """

    names: tuple[str, ...]
    findings: tuple[AbstractFinding[Any, Any], ...]
    adjusted: tuple[float, ...]
    alphas: tuple[float, ...]
    trial: str = ""

    @classmethod
    def of(cls, study: Study, results: tuple[AuditResult, ...]) -> "Together":
        """Read every result as its plan says."""
        pairs = zip(study.plans, results, strict=True)
        findings = tuple(find(result, plan.decision, plan.roles.good_end) for plan, result in pairs)
        return cls(
            names=study.names,
            findings=findings,
            adjusted=adjusted(tuple(one.p_value for one in findings)),
            alphas=tuple(plan.decision.alpha for plan in study.plans),
            trial=_trial(study, results),
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

    @cached_property
    def shown(self) -> tuple[AbstractFinding[Any, Any], ...]:
        """What each test found, as it is told: one that settles nothing by bounds that hold together with those of all
        others (Bonferroni), so that no sentence is surer of a number than the verdict is.

        Where Holm does not confirm a violation, these bounds do not show it either.
        """
        return tuple(
            one.under(alpha=alpha / self.adjusted_tests)
            if self.adjusted_tests > 1 and verdict is Verdict.INSUFFICIENT and not math.isnan(p)
            else one
            for one, verdict, p, alpha in zip(self.findings, self.verdicts, self.adjusted, self.alphas, strict=True)
        )

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
    def place(self) -> int:
        """Which test the headline is of: the one whose claim goes furthest towards the verdict of the audit."""
        places = [place for place, verdict in enumerate(self.verdicts) if verdict is self.verdict]
        return max(places or range(len(self.findings)), key=self._weight)

    @property
    def headline_first(self) -> list[int]:
        """The places of all tests, the one of the headline first."""
        return sorted(range(len(self.names)), key=lambda place: place != self.place)

    def _weight(self, place: int) -> tuple[bool, bool, bool, bool, bool, float]:
        """What the order of the findings follows: a claim that is shown, attributes before intersections, its size.

        A claim that knows which direction harms comes before the others; if it accuses, it also has to say of whom.
        """
        one = self.findings[place]
        claim = one.headlined
        if claim is None or not claim.defined:
            return False, False, False, False, False, -math.inf
        found = one.verdict is Verdict.VIOLATION
        shown = claim.beyond if self.verdict is Verdict.VIOLATION else claim.stands_out
        known = claim.one_sided and (bool(claim.who or one.named) or not found)
        size = claim.times_possible if self.verdict is Verdict.NO_VIOLATION else claim.times_shown
        return found, shown, claim.decides, claim.scale == "difference", known, size

    def headline_of(self, place: int) -> str:
        """What people repeat of one test under its verdict among all tests; no full stop at its end."""
        told: str = self.shown[place].headline
        return told

    @property
    def headline(self) -> str:
        """What people repeat of the audit, of the claim that decides it; no full stop at its end."""
        one, told = self.findings[self.place], self.headline_of(self.place)
        if self.verdict is Verdict.NO_VIOLATION:
            others = dict.fromkeys(other.reservations for other in self.findings if other is not one)
            more = [upper_first(words) for words in others if words and words != one.reservations]
            return ". ".join((told, *more))
        return told

    @property
    def _stands_alone(self) -> bool:
        """Whether the headline is a violation that its test shows even if no other test showed any (Bonferroni)."""
        first = self.findings[self.place]
        found = first.verdict is self.verdict is Verdict.VIOLATION
        return found and first.p_value * self.adjusted_tests <= self.alphas[self.place]

    def of_tests(self, caveat: Caveat, names: Sequence[str]) -> Caveat:
        """What speaks against some of the tests, under their names; a serious one says where the headline stands."""
        tests = listed(tuple(names))
        if caveat.level == "serious" and self.names[self.place] not in names and self._stands_alone:
            tests = say("{tests} (the headline does not depend on this)", tests=tests)
        return replace(caveat, what=f"{tests}: {caveat.what}")

    def noted(self, besides: Container[str] = ()) -> tuple[Caveat, ...]:
        """What a reader has to weigh, most serious first, each once, with its tests' names where it is not of all.

        Args:
            besides: What is said elsewhere.
        """
        of: dict[Caveat, list[str]] = {}
        for name, one in zip(self.names, self.findings, strict=True):
            for caveat in each_once((*one.reasons, *one.of_the_run)):
                if caveat.level != "info" and caveat.what not in besides:
                    of.setdefault(caveat, []).append(name)
        return most_serious_first(
            caveat if len(names) == len(self.names) else self.of_tests(caveat, names) for caveat, names in of.items()
        )

    @property
    def qualifying(self) -> Caveat | None:
        """The gravest thing that speaks against the headline and does not stand in it; None where nothing does."""
        grave = (one for one in self.findings[self.place].spoken if one.level == "serious")
        found = next((one for one in grave if not one.is_in(self.headline)), None)
        return self.of_decisions if found == IS_A_DECISION else found

    @property
    def of_decisions(self) -> Caveat:
        """That outcomes are decisions, and what favourable answers among all, which ask for none, would show."""
        known = filter(None, (one.by_favourable_answers for one in self.shown))
        return replace(IS_A_DECISION, advice=next(known, IS_A_DECISION.advice))

    @property
    def qualified(self) -> str:
        """That in one sentence, to stand wherever the headline does; may be empty."""
        return in_short(filter(None, (self.qualifying,)))

    @property
    def told(self) -> str:
        """The verdict in a word or two, and the headline; for where no colour and no icon says the verdict."""
        told = f"{upper_first(self.verdict.words)}. {self.headline}"
        return f"{told}. {self.trial.removesuffix('.')}" if self.trial else told

    @property
    def lines(self) -> tuple["TestLine", ...]:
        """One line a test."""
        return tuple(map(TestLine.of, self.names, self.shown, self.verdicts))

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
        rows = zip(self.names, self.findings, self.verdicts, strict=True)
        lost = [name for name, one, verdict in rows if one.verdict is Verdict.VIOLATION is not verdict]
        if lost:
            told = say(
                "{told}. Alone, a violation would be found by: {names}; but with {tests} chance has as many occasions, "
                "so that more is asked of each",
                told=told,
                names=", ".join(lost),
                tests=count(self.adjusted_tests, "test"),
            )
        told = say(
            "{told}. A p-value says how likely numbers this bad would be if the truth were within the tolerance; a "
            "large one does not say that it is. The p-values are adjusted for {tests} (Holm), so that the chance of "
            "any false alarm stays at {alpha}.",
            told=told,
            tests=count(self.adjusted_tests, "test"),
            alpha=percent(max(self.alphas)),
        )
        return " ".join(filter(None, (told, self.bounded_together, self._bounded_twice)))

    @property
    def bounded_together(self) -> str:
        """Why bounds of what is open hold with more confidence than the verdict; empty where nothing is open."""
        if self.shown == self.findings:
            return ""
        return say(
            "{tests} share the risk of {alpha} of being wrong: {each} each. So each bound of what is open holds with "
            "{sure} confidence, and all of them together with {together}.",
            tests=count(self.adjusted_tests, "test"),
            alpha=percent(max(self.alphas)),
            each=percent(round(own := max(self.alphas) / self.adjusted_tests, 4)),
            sure=percent(1 - own),
            together=percent(1 - max(self.alphas)),
        )

    @property
    def _bounded_twice(self) -> str:
        """Why two tests give one difference two bounds; empty where none do."""
        known = [
            (name, claim)
            for name, one in zip(self.names, self.shown, strict=True)
            if not one.unclaimed and (claim := one.headlined) is not None and claim.judged and claim.against
        ]
        for (name, one), (other_name, other) in combinations(known, 2):
            same = (one.who, one.against, one.unit) == (other.who, other.against, other.unit)
            if same and math.isclose(one.estimate, other.estimate) and _lower(one) != _lower(other):
                return say(
                    "Two tests look at the same difference of {value}: it is at least {low} by the {test} and at "
                    "least {other} by the {other_test}. Each bound holds for all comparisons of its own test.",
                    value=value_text(one),
                    low=_lower(one),
                    test=name,
                    other=_lower(other),
                    other_test=other_name,
                )
        return ""

    def _told(self, p: float) -> str:
        """A test's p-value, if it has one."""
        if math.isnan(p):
            return say("without a p-value")
        return (
            say("adjusted p-value {p}", p=p_value(p)) if self.adjusted_tests > 1 else say("p-value {p}", p=p_value(p))
        )


def _lower(claim: Claim) -> str:
    return claim.unit.number(claim.low, beside=claim.tolerance)


def _trial(study: Study, results: tuple[AuditResult, ...]) -> str:
    if not (changed := differing(study)):
        return ""
    own = Together.of(study.ran, results)
    return say(
        "A trial: read with another choice of {settings} than the audit was run with. As it was run: {verdict}. "
        "{headline}.",
        settings=changed,
        verdict=lower_first(own.verdict.words),
        headline=own.headline,
    )
