"""The tests of all models beside each other: verdicts, the claims that lead, and by how much they differ.

Where a test estimates a mean over rows (``each_row`` of its finding), models are compared row by row:
what is hard for both cancels out, and equal answers differ by 0 with a p-value of 1. What other tests estimate is no
mean over rows: there two models differ where one's bounds lie wholly beyond the other's, each at a quarter of the error
rate, whatever the bounds have to do with each other (Bonferroni). That asks for more, and gives no p-value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from core.base.errors import Caveat
from core.caveats.assumptions import IS_A_DECISION
from core.claims import Claim
from core.contracts.decision import DecisionSettings
from core.data.labels import compared_with
from core.figures.chart import Chart, Drawing
from core.finding import AbstractFinding
from core.inference.estimate import Interval, Verdict
from core.inference.paired import EachRow, PairedDifference, WeightedSets
from core.inference.several import holm
from core.language.phrases import listed
from core.language.told import say
from core.language.units import POINTS
from core.report.multiple_tests import Together
from core.report.others import sides
from core.result import AuditResult
from core.study import Study
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan


@dataclass(frozen=True)
class Tested:
    """One model's tests, judged together.

    Attributes:
        name: What people call the model.
        alone: The tests as of an audit of this model alone.
        verdict: A violation as such an audit finds it. No violation is found only where it also is at the error rate
            divided by the number of models: whoever picks one of many by a comparison has tried them all.
        answers: What it answers about the rows that all models are asked about, shape (n,).
    """

    name: str
    alone: Together
    verdict: Verdict
    answers: np.ndarray = field(default_factory=lambda: np.empty(0))


def tested(plan: ComparisonPlan, result: ComparisonResult) -> tuple[Tested, ...]:
    """Every model with its tests, in the plan's order."""
    return tuple(
        Tested(model.name, alone, _verdict(alone, _at(model.study, len(plan.models)), audits), answers)
        for model, audits, answers in zip(plan.models, result.audits, result.answers, strict=True)
        for alone in (Together.of(model.study, audits),)
    )


def _at(study: Study, models: int) -> Study:
    """The study at the error rate divided by the number of models."""
    return study.under(tuple(_with_alpha(one.decision, one.decision.alpha / models) for one in study.plans))


def _with_alpha(decision: DecisionSettings, alpha: float) -> DecisionSettings:
    return decision.model_copy(update={"alpha": alpha})


def _verdict(alone: Together, chosen: Study, audits: tuple[AuditResult, ...]) -> Verdict:
    if alone.verdict is not Verdict.NO_VIOLATION or Together.of(chosen, audits).verdict is Verdict.NO_VIOLATION:
        return alone.verdict
    return Verdict.INSUFFICIENT


def test_names(found: tuple[Tested, ...]) -> tuple[str, ...]:
    """What people call the tests that any model has, in order."""
    return tuple(dict.fromkeys(name for one in found for name in one.alone.names))


def finding_of(model: Tested, test: str) -> AbstractFinding[Any, Any] | None:
    """What a test of this name found; None where the model has none."""
    return dict(zip(model.alone.names, model.alone.findings, strict=True)).get(test)


def claims_of(model: Tested, test: str, baseline: Tested) -> tuple[Claim, ...]:
    """The claim to tell first of a test, then that which the baseline's tells first; those with a value, each once."""
    finding, reference = finding_of(model, test), finding_of(baseline, test)
    if finding is None:
        return ()
    told = {None if one is None or one.deciding is None else _key(one.deciding) for one in (finding, reference)}
    claims = [one for one in finding.claims if _key(one) in told and one.defined]
    return tuple(sorted(claims, key=lambda one: one is not finding.deciding))


def drawings(found: tuple[Tested, ...]) -> Iterator[tuple[str, Chart[...], Drawing]]:
    """Charts of a test that show all models which have it with the same settings: name, chart and drawing."""
    for test in test_names(found):
        findings = {one.name: finding for one in found for finding in [finding_of(one, test)] if finding is not None}
        first = next(iter(findings.values()))
        alike = {name: one for name, one in findings.items() if _asked_alike(one, first)}
        if len(alike) < 2:
            continue
        for name, chart in first.room.of_several.items():
            if chart.applies(alike):
                yield f"{first.kind.name} {name}", chart, chart.draw(alike)


def _asked_alike(one: AbstractFinding[Any, Any], other: AbstractFinding[Any, Any]) -> bool:
    if type(one.decision) is not type(other.decision):
        return False
    return bool(one.room.filled(one.result) == other.room.filled(other.result))


def asked_otherwise(found: tuple[Tested, ...], baseline: int, test: str) -> tuple[str, ...]:
    """Models whose test does not measure people as the baseline's does, so that no number stands beside its own."""
    reference = finding_of(found[baseline], test)
    if reference is None:
        return ()
    findings = ((model.name, finding_of(model, test)) for model in found)
    return tuple(name for name, one in findings if one is not None and not _asked_alike(one, reference))


def caveats(found: tuple[Tested, ...], baseline: int, alpha: float) -> Iterator[Caveat]:
    """That outcomes are decisions where they are, which tests measure people of some models otherwise than of the
    baseline, and which differences nothing bounds in some direction.
    """
    if any(IS_A_DECISION in finding.spoken for one in found for finding in one.alone.findings):
        yield IS_A_DECISION
    for test in test_names(found):
        if others := asked_otherwise(found, baseline, test):
            yield Caveat(
                "warning",
                say(
                    "{test}: {models} and {baseline} are measured with other settings or other kinds of people. Their "
                    "numbers cannot be compared and do not stand side by side.",
                    test=test,
                    models=listed(others),
                    baseline=found[baseline].name,
                ),
                say("Set the columns that tell people apart, and give every model the same settings."),
            )
    apart = differences(found, baseline, alpha)
    unknown = [(test, claim.who) for test, claim in apart if any(_unbounded_ends(claim))]
    for test in dict.fromkeys(test for test, _ in unknown):
        finding = finding_of(found[baseline], test)
        alike = finding is not None and finding.similar_people
        yield Caveat(
            "warning",
            say(
                "{test}: nothing bounds by how much {models} and {baseline} differ, in one direction or both; the "
                "bounds of each model alone are too wide where so many differences are judged.",
                test=test,
                models=listed([who for of, who in unknown if of == test]),
                baseline=found[baseline].name,
            ),
            say("Bring more people, or count more people as similar, by wider limits or fewer columns.")
            if alike
            else say("Bring more people, or compare fewer models."),
        )


def beside(found: tuple[Tested, ...], baseline: int, test: str) -> tuple[Claim, ...]:
    """What a test estimates of every model beside the claim to tell first; each is about a model."""
    return tuple(
        replace(one, who=model.name, what=f"{one.what}, {one.who}" if one.who and len(about) > 1 else one.what)
        for model in found
        if model.name not in asked_otherwise(found, baseline, test)
        if (finding := finding_of(model, test)) is not None
        for parts in (finding.parts.get(next(iter(finding.room.charts)), ()),)
        for one in parts
        for about in ({other.who for other in parts},)
    )


def differences(found: tuple[Tested, ...], baseline: int, alpha: float) -> tuple[tuple[str, Claim], ...]:
    """By how much the leading claims of every other model differ from the baseline's, by test.

    Bounds of all these differences hold together. p-values, of "no difference", are adjusted for all of them (Holm) and
    are those of rows compared; NaN for other differences, which count in the adjustment as not shown. Which claim leads
    is seen in the same rows, so that every claim that could have led is counted in both.
    """
    pairs = list(_pairs(found, baseline))
    looked_at = {(test, model.name): len(one.finding.claims) for test, model, one, _ in pairs}
    count = sum(looked_at.values())
    told = [
        _difference(model, found[baseline], one, other, alpha / count, same=_same_answers(model, found[baseline]))
        for _, model, one, other in pairs
    ]
    others = np.ones(max(count - len(told), 0))
    adjusted = holm(np.array([*(1.0 if math.isnan(one.p_value) else one.p_value for one in told), *others]))
    return tuple(
        (test, one if math.isnan(one.p_value) else replace(one, p_value=float(p)))
        for (test, *_), one, p in zip(pairs, told, adjusted[: len(told)], strict=True)
    )


def unbounded(difference: Claim) -> bool:
    """Whether neither bound of a difference excludes anything: each is as far off as two shares can be, or infinite."""
    return all(_unbounded_ends(difference))


def _unbounded_ends(difference: Claim) -> tuple[bool, bool]:
    widest = 1.0 if difference.unit == POINTS else math.inf
    return difference.low <= -widest, difference.high >= widest


def differs(difference: Claim, alpha: float) -> bool:
    """Whether a difference is shown: by its p-value where it has one, else by its bounds."""
    if math.isnan(difference.p_value):
        return difference.low > 0 or difference.high < 0
    return difference.p_value <= alpha


def _same_answers(model: Tested, baseline: Tested) -> bool:
    """Whether both give everybody the same answer, as a copy does."""
    return len(model.answers) > 0 and np.array_equal(model.answers, baseline.answers)


def _pairs(found: tuple[Tested, ...], baseline: int) -> Iterator[tuple[str, Tested, _Same, _Same]]:
    for test in test_names(found):
        reference = finding_of(found[baseline], test)
        for place, model in enumerate(found):
            finding = finding_of(model, test)
            if place == baseline or finding is None or reference is None:
                continue
            if not _asked_alike(finding, reference):
                continue
            named = (finding.deciding, reference.deciding)
            for key in dict.fromkeys(_key(one) for one in named if one is not None):
                one, other = _Same(finding, key), _Same(reference, key)
                if one.found(finding.decision.alpha) and other.found(reference.decision.alpha):
                    yield test, model, one, other


def _key(claim: Claim) -> tuple[str, ...]:
    return claim.who, claim.against, claim.what, claim.of, claim.scale


@dataclass(frozen=True)
class _Same:
    """A claim of a finding that another model's finding has too."""

    finding: AbstractFinding[Any, Any]
    key: tuple[str, ...]

    def found(self, alpha: float) -> tuple[Claim, ...]:
        """It, at another error rate; none where it has no estimate."""
        return tuple(one for one in self.finding.under(alpha=alpha).claims if _key(one) == self.key and one.defined)

    @property
    def each_row(self) -> EachRow | None:
        """The numbers whose mean it is; None where it is none."""
        return self.finding.each_row(self.found(self.finding.decision.alpha)[0])


def _difference(model: Tested, baseline: Tested, one: _Same, other: _Same, alpha: float, *, same: bool) -> Claim:
    here, there = one.found(alpha / 4)[0], other.found(alpha / 4)[0]
    value = here.estimate - there.estimate
    low, high, p_value = here.low - there.high, here.high - there.low, math.nan
    if (paired := _row_by_row(one.each_row, other.each_row)) is not None:
        value, p_value = paired.value, paired.p_value
        low, high = paired.limits(alpha / 2)
    elif same and (here.estimate, here.low, here.high) == (there.estimate, there.low, there.high):
        low, high = 0.0, 0.0
    return replace(
        here,
        who=model.name,
        against=baseline.name,
        what=_about(here),
        here=here.estimate,
        there=there.estimate,
        estimate=value,
        low=low,
        high=high,
        interval=Interval(low, high, 1 - alpha),
        p_value=p_value,
        tolerance=0.0,
        decides=False,
        one_sided=False,
        of="",
    )


def _about(claim: Claim) -> str:
    """What a claim's number is of, with whom it compares, and who fares worse where it is above 0."""
    if claim.against and claim.one_sided and claim.scale == "difference":
        against = compared_with(claim.who, claim.against)
        return say(
            "{what}: how much worse for {who} than for {against}", what=claim.what, who=claim.who, against=against
        )
    return f"{claim.what}, {who}" if (who := sides(claim)) else claim.what


def _row_by_row(one: EachRow | None, other: EachRow | None) -> PairedDifference | None:
    """Two models on the same rows; None where a claim is no mean over rows, or the rows are not the same."""
    if one is None or other is None or not np.array_equal(one.rows, other.rows):
        return None
    everybody = WeightedSets(np.zeros(len(one.rows), dtype=np.int64), np.ones(1))
    return PairedDifference.of(one.values, other.values, everybody, largest=one.largest, clusters=one.clusters)
