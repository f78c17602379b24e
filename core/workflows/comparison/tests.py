"""The tests of all models beside each other: verdicts, the claims that lead, and by how much they differ.

What a test estimates need not be a mean over people, so that models are not compared person by person here: where one's
bounds lie wholly beyond the other's, each at a quarter of the error rate, the two differ whatever the bounds have to do
with each other (Bonferroni). That asks for more than a paired comparison would, and holds for every kind of test.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from core.claims import Claim, leading
from core.contracts.decision import DecisionSettings
from core.figures.chart import Chart, Drawing
from core.finding import AbstractFinding
from core.inference.estimate import Interval, Verdict
from core.report.multiple_tests import Together
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
    """

    name: str
    alone: Together
    verdict: Verdict


def tested(plan: ComparisonPlan, result: ComparisonResult) -> tuple[Tested, ...]:
    """Every model with its tests, in the plan's order."""
    return tuple(
        Tested(model.name, alone, _verdict(alone, Together.of(_at(model.study, len(plan.models)), audits)))
        for model, audits in zip(plan.models, result.audits, strict=True)
        for alone in (Together.of(model.study, audits),)
    )


def _at(study: Study, models: int) -> Study:
    """The study at the error rate divided by the number of models."""
    return study.read(tuple(_with_alpha(one.decision, one.decision.alpha / models) for one in study.plans))


def _with_alpha(decision: DecisionSettings, alpha: float) -> DecisionSettings:
    return decision.model_copy(update={"alpha": alpha})


def _verdict(alone: Together, chosen: Together) -> Verdict:
    if alone.verdict is Verdict.NO_VIOLATION:
        return chosen.verdict if chosen.verdict is Verdict.NO_VIOLATION else Verdict.INSUFFICIENT
    return alone.verdict


def test_names(found: tuple[Tested, ...]) -> tuple[str, ...]:
    """What people call the tests that any model has, in order."""
    return tuple(dict.fromkeys(name for one in found for name in one.alone.names))


def finding_of(model: Tested, test: str) -> AbstractFinding[Any, Any] | None:
    """What a test of this name found; None where the model has none."""
    return dict(zip(model.alone.names, model.alone.findings, strict=True)).get(test)


def claim_of(model: Tested, test: str) -> Claim | None:
    """The claim to tell first of a test; None where there is none."""
    finding = finding_of(model, test)
    return None if finding is None else finding.deciding


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
    return type(one.decision) is type(other.decision) and one.result.audit == other.result.audit


def differences(found: tuple[Tested, ...], baseline: int, alpha: float) -> tuple[tuple[str, Claim], ...]:
    """By how much the leading claims of every other model differ from the baseline's, by test.

    Bounds of all these differences hold together.
    """
    pairs = list(_pairs(found, baseline))
    return tuple(
        (test, _difference(model, found[baseline].name, one, other, alpha / len(pairs)))
        for test, model, one, other in pairs
    )


def _pairs(found: tuple[Tested, ...], baseline: int) -> Iterator[tuple[str, str, _Same, _Same]]:
    for test in test_names(found):
        reference = finding_of(found[baseline], test)
        for place, model in enumerate(found):
            finding = finding_of(model, test)
            if place == baseline or finding is None or reference is None:
                continue
            if not _asked_alike(finding, reference):
                continue
            named = (leading(finding.claims), leading(reference.claims))
            for key in dict.fromkeys(_key(one) for one in named if one is not None):
                one, other = _Same(finding, key), _Same(reference, key)
                if one.found(finding.decision.alpha) and other.found(reference.decision.alpha):
                    yield test, model.name, one, other


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


def _difference(model: str, baseline: str, one: _Same, other: _Same, alpha: float) -> Claim:
    here, there = one.found(alpha / 4)[0], other.found(alpha / 4)[0]
    value = here.estimate - there.estimate
    low, high = (here.low - there.high, here.high - there.low) if value else (0.0, 0.0)
    about = f"{here.what}, {here.who}" if here.who else here.what
    return replace(
        here,
        who=model,
        against=baseline,
        what=about,
        here=here.estimate,
        there=there.estimate,
        estimate=value,
        low=low,
        high=high,
        interval=Interval(low, high, 1 - alpha),
        p_value=math.nan,
        tolerance=0.0,
        decides=False,
        one_sided=False,
        of="",
    )
