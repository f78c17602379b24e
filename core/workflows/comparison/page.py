"""A comparison as a page, and its tables."""

from collections.abc import Iterable

from core.base.tables import NOT_GIVEN, Fact, Table
from core.claims import Claim
from core.inference.estimate import Verdict
from core.language.phrases import count, p_value, percent, whole
from core.language.told import say
from core.report.html import ReportFigure
from core.report.page import Page, PageSection
from core.report.settings_table import setting_sections
from core.workflows.comparison import tests
from core.workflows.comparison.figures.apart import APART
from core.workflows.comparison.figures.tradeoff import TRADE_OFF
from core.workflows.comparison.rates import differences, rate_claims, rates
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.comparison.tests import Tested, claim_of, test_names, tested
from core.workflows.comparison.wording import headline, sentence, verdict_text


def page_of(plan: ComparisonPlan, result: ComparisonResult) -> Page:
    """The models beside each other, under the plan's error rate."""
    found = tested(plan, result)
    charts = {"apart": APART, "tradeoff": TRADE_OFF}
    figures = tuple(
        ReportFigure("comparison", name, chart, chart.draw(plan, result))
        for name, chart in charts.items()
        if chart.applies(plan, result)
    )
    of_tests = tuple(ReportFigure("comparison", name, chart, drawing) for name, chart, drawing in tests.drawings(found))
    return Page(
        title=say(
            "{models} on {title}",
            models=count(len(result.names), "model"),
            title=plan.data.title,
        ),
        question=say("Which of {models} differ, and in what?", models=count(len(result.names), "model")),
        about=say(
            "{models} audited on the same rows, and compared with {baseline}.",
            models=count(len(result.names), "model"),
            baseline=result.names[result.baseline],
        ),
        headline=headline(plan, result),
        sentence=sentence(plan, result),
        verdict=Verdict.INSUFFICIENT,
        caveats=result.caveats,
        sections=(
            PageSection(say("The tests"), of_tests, tuple(tests_tables(plan, result, found))),
            PageSection(say("How right, and how fair"), figures, rates_tables(plan, result)),
            PageSection(say("How it was made"), facts=facts(result)),
        ),
        settings=setting_sections(plan.models[result.baseline].study.plans[0]),
        versions=tuple(Fact(name, version) for name, version in result.versions),
        source=say(
            "Differences are of the same people, so that what is hard for all models cancels out (McNemar 1947)."
        ),
        steps=(
            say("Choose a model by what matters here, and not by one number."),
            say("Audit the chosen model on rows that nobody has used yet: the best of many may look fair by chance."),
        ),
    )


def facts(result: ComparisonResult) -> tuple[Fact, ...]:
    """What the numbers rest on."""
    return (
        Fact(say("Rows compared"), result.data.rows),
        Fact(say("Rows in the table"), result.data.read),
        Fact(say("Baseline"), result.names[result.baseline]),
        Fact(say("Seed"), str(result.seed)),
    )


def tests_tables(plan: ComparisonPlan, result: ComparisonResult, found: tuple[Tested, ...]) -> Iterable[Table]:
    """Every model's verdict and the number each of its tests tells first; then how these differ from the baseline's."""
    columns: dict[str, list[str]] = {
        say("Model"): [one.name for one in found],
        say("Verdict"): [verdict_text(one, len(found)) for one in found],
    }
    for test in test_names(found):
        columns[test] = [_cell(one, test) for one in found]
    caption = say(
        "Every test of every model. A model is cleared only at an error rate of {alpha} divided by the number of "
        "models, since the best of several may look fair by chance.",
        alpha=percent(found[0].alone.alphas[0]),
    )
    yield Table.of_columns(caption, columns)
    apart = tests.differences(found, result.baseline, plan.alpha)
    if not apart:
        return
    yield Table.of_columns(
        say(
            "Differences of the tests' estimates from {baseline}. Intervals hold together, whatever the estimates have "
            "to do with each other; they are wider than those of the same people compared.",
            baseline=result.names[result.baseline],
        ),
        {
            say("Test"): [test for test, _ in apart],
            say("Model"): [claim.who for _, claim in apart],
            say("Of what"): [claim.unit.axis(claim.what) for _, claim in apart],
            say("Model's value"): [claim.unit.number(claim.here) for _, claim in apart],
            say("Baseline's value"): [claim.unit.number(claim.there) for _, claim in apart],
            say("Difference"): [claim.unit.number(claim.estimate) for _, claim in apart],
            say("{confidence} interval", confidence=percent(1 - plan.alpha)): [
                claim.unit.interval(claim.low, claim.high) for _, claim in apart
            ],
            say("Shown to differ"): [
                say("yes") if claim.low > 0 or claim.high < 0 else say("no") for _, claim in apart
            ],
        },
    )


def _cell(model: Tested, test: str) -> str:
    claim = claim_of(model, test)
    if claim is None or not claim.defined:
        return NOT_GIVEN
    return say(
        "{value} (tolerance {tolerance})",
        value=claim.unit.text(claim.estimate, beside=claim.tolerance),
        tolerance=claim.unit.plain_tolerance(claim.tolerance),
    )


def rates_tables(plan: ComparisonPlan, result: ComparisonResult) -> tuple[Table, ...]:
    """Every rate of every model, and how it differs from the baseline's; none where nothing can be compared."""
    return (_rates_table(plan, result), _differences_table(plan, result)) if rates(result) else ()


def _rates_table(plan: ComparisonPlan, result: ComparisonResult) -> Table:
    """Every rate of every model with its interval."""
    columns: dict[str, list[str]] = {"": []}
    for name in result.names:
        columns[name] = []
    for rate, claims in rate_claims(result, plan.alpha):
        columns[""].append(rate.unit.axis(rate.title))
        for claim in claims:
            columns[claim.who].append(f"{claim.unit.number(claim.estimate)} ({_interval(claim)})")
    caption = say(
        "Each model by itself, on the same {rows}; in brackets {confidence} intervals, each by itself.",
        rows=result.data.rows,
        confidence=percent(1 - plan.alpha),
    )
    return Table.of_columns(caption, columns)


def _differences_table(plan: ComparisonPlan, result: ComparisonResult) -> Table:
    """Every difference from the baseline, on the same people."""
    found = differences(result, plan.alpha)
    return Table.of_columns(
        say(
            "Each model less {baseline}, person by person. p-values, of “no difference”, are adjusted for all {n} "
            "(Holm); intervals are each by itself.",
            baseline=result.names[result.baseline],
            n=whole(len(found)),
        ),
        {
            say("Of what"): [claim.unit.axis(rate.title) for rate, claim in found],
            say("Model"): [claim.who for _, claim in found],
            say("Difference"): [claim.unit.number(claim.estimate) for _, claim in found],
            say("{confidence} interval", confidence=percent(1 - plan.alpha)): [_interval(claim) for _, claim in found],
            say("Adjusted p-value (Holm)"): [p_value(claim.p_value, alpha=plan.alpha) for _, claim in found],
        },
    )


def _interval(claim: Claim) -> str:
    return claim.unit.interval(*claim.ends)
