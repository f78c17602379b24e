"""A comparison as a workflow: every choice and every number, on record."""

from collections.abc import Mapping
from typing import Any, ClassVar

from typing_extensions import override

from core.base.files import FileStore
from core.base.progress import OnProgress
from core.claims import Claim
from core.inference.estimate import Verdict
from core.language.told import say
from core.records.audits import AUDITS, numbers_json
from core.records.codec import encode_for_people
from core.records.workflow import AbstractWorkflow
from core.report.page import Page
from core.workflows.comparison import tests
from core.workflows.comparison.overview import overview
from core.workflows.comparison.page import page_of, rates_tables, tests_tables
from core.workflows.comparison.rates import differences, rate_claims
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.run import run
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.comparison.tests import tested
from core.workflows.comparison.wording import headline, sentence, verdict_of_all


class ModelComparison(AbstractWorkflow[ComparisonPlan, ComparisonResult]):
    """Models beside each other on the same rows."""

    key = "comparison"
    name = say("a comparison")
    plan = ComparisonPlan
    format = "evenhand-comparison"
    history: ClassVar[Mapping[int, str]] = {
        1: say("Records of models compared on the same rows."),
        2: say("Tests as in version 10 of an audit's records."),
        3: say("Tests as in version 11 of an audit's records."),
        4: say("Tests as in version 12 of an audit's records."),
        5: say("Tests as in version 13 of an audit's records."),
    }

    @override
    def upgraded_plan(self, plan: dict[str, Any]) -> dict[str, Any]:
        models = plan.get("models")
        return {**plan, "models": [_upgraded(model) for model in models]} if isinstance(models, list) else plan

    @override
    def run(self, plan: ComparisonPlan, files: FileStore, on_progress: OnProgress | None = None) -> ComparisonResult:
        return run(plan, files, on_progress)

    @override
    def numbers(self, plan: ComparisonPlan, result: ComparisonResult) -> dict[str, Any]:
        found = tested(plan, result)
        return {
            "models": {
                one.name: {
                    "verdict": one.verdict.value,
                    "verdict_alone": one.alone.verdict.value,
                    "tests": [numbers_json(audit, test) for audit, test in zip(audits, model.study.plans, strict=True)],
                }
                for one, model, audits in zip(found, plan.models, result.audits, strict=True)
            },
            "rates": [_claim(rate.key, claim) for rate, claims in rate_claims(result, plan.alpha) for claim in claims],
            "differences": [_claim(rate.key, claim) for rate, claim in differences(result, plan.alpha)],
            "differences_of_tests": [
                _claim(test, claim) for test, claim in tests.differences(found, result.baseline, plan.alpha)
            ],
        }

    @override
    def page_of(self, plan: ComparisonPlan, result: ComparisonResult) -> Page:
        return page_of(plan, result)

    @override
    def told(self, plan: ComparisonPlan, result: ComparisonResult) -> tuple[str, str]:
        return headline(plan, result), sentence(plan, result)

    @override
    def lines(self, plan: ComparisonPlan, result: ComparisonResult) -> list[str]:
        found = tested(plan, result)
        tables = (overview(plan, result), *tests_tables(plan, result, found), *rates_tables(plan, result))
        told = [line for table in tables for line in (table.caption, *table.lines)]
        said = (f"{headline(plan, result)}.", sentence(plan, result))
        return [*said, *told, *(one.line for one in result.caveats)]

    @override
    def verdict(self, plan: ComparisonPlan, result: ComparisonResult) -> Verdict:
        return verdict_of_all(tested(plan, result))

    @override
    def judged(self, plan: ComparisonPlan, result: ComparisonResult) -> tuple[str, ...]:
        found = tested(plan, result)
        return tuple(one.name for one in found if one.verdict is verdict_of_all(found))


COMPARISON = ModelComparison()


def _upgraded(model: Any) -> Any:
    match model:
        case {"study": dict(study)}:
            return {**model, "study": AUDITS.upgraded_plan(study)}
    return model


def _claim(key: str, claim: Claim) -> dict[str, Any]:
    return {"key": key, **encode_for_people(claim, Claim)}
