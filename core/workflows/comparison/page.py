"""A comparison as a page, and its tables."""

import math
from collections.abc import Iterable, Sequence

from core.base.tables import NOT_GIVEN, Fact, Table
from core.claims import Claim
from core.claims_shown import side_by_side
from core.inference.estimate import Verdict
from core.language.phrases import count, p_value, percent, whole
from core.language.told import say
from core.report.html import ReportFigure
from core.report.others import sides
from core.report.page import Page, PageSection
from core.report.settings_table import setting_sections
from core.workflows.comparison import tests
from core.workflows.comparison.figures.apart import APART
from core.workflows.comparison.figures.tradeoff import TRADE_OFF
from core.workflows.comparison.overview import overview, verdict_text
from core.workflows.comparison.rates import largest_first, rate_claims, rates, sized
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.comparison.tests import Tested, claims_of, test_names, tested
from core.workflows.comparison.wording import advised, better_in, headline, sentence


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
        question=say(
            "Which of {models} is within its tolerance, and what does it cost?",
            models=count(len(result.names), "model"),
        ),
        about=say(
            "{models} of the same table, compared with {baseline}.",
            models=count(len(result.names), "model"),
            baseline=result.names[result.baseline],
        ),
        headline=headline(plan, result),
        sentence=sentence(plan, result),
        verdict=Verdict.INSUFFICIENT,
        table=overview(plan, result),
        caveats=(*tests.caveats(found, result.baseline, plan.alpha), *result.caveats),
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
            *advised(plan, result),
            *better_in(plan, result),
            say("People decide which of these matters more here, and write down why."),
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
        otherwise = tests.asked_otherwise(found, result.baseline, test)
        columns[test] = [
            say("measured otherwise")
            if one.name in otherwise
            else "; ".join(map(_told, claims_of(one, test, found[result.baseline]))) or NOT_GIVEN
            for one in found
        ]
    caption = say(
        "Every test of every model. A model is cleared only with a risk of {alpha} of being wrong, divided by the "
        "number of models, since the best of several may look fair by chance. A dash: the model's audit had no such "
        "test.",
        alpha=percent(found[0].alone.alphas[0]),
    )
    yield Table.of_columns(caption, columns)
    for test in test_names(found):
        if told := tests.beside(found, result.baseline, test):
            caption = say("{test}: what else it estimates of every model, with its own risk of being wrong", test=test)
            yield side_by_side(told, alpha=found[0].alone.alphas[0], rows=say("Rows"), caption=caption)
    apart = tests.differences(found, result.baseline, plan.alpha)
    if not apart:
        return
    yield Table.of_columns(
        say(
            "Differences of the tests' estimates from {baseline}. They are of what the model's or the baseline's audit "
            "tells first; intervals hold together. Where a p-value stands, the "
            "same rows are compared one by one, and it is adjusted for all (Holm). Other intervals are wider, since "
            "these estimates are no means over rows.",
            baseline=result.names[result.baseline],
        ),
        {
            say("Test"): [test for test, _ in apart],
            **_models(result, [claim for _, claim in apart]),
            say("Of what"): [claim.unit.axis(claim.what) for _, claim in apart],
            **_both(
                result,
                [claim.unit.number(claim.here) for _, claim in apart],
                [claim.unit.number(claim.there) for _, claim in apart],
            ),
            **_differences([claim for _, claim in apart], plan.alpha),
            say("Shown not to be chance"): [
                say("yes") if tests.differs(claim, plan.alpha) else say("no") for _, claim in apart
            ],
        },
    )


def _told(claim: Claim) -> str:
    told = say(
        "{value} (tolerance {tolerance})",
        value=claim.unit.text(claim.estimate, beside=claim.tolerance),
        tolerance=claim.unit.plain_tolerance(claim.tolerance),
    )
    return ", ".join(filter(None, (told, sides(claim))))


def rates_tables(plan: ComparisonPlan, result: ComparisonResult) -> tuple[Table, ...]:
    """Every rate of every model, and how it differs from the baseline's; none where nothing can be compared."""
    if not rates(result):
        return ()
    rows, alpha, baseline = say("People"), plan.alpha, result.names[result.baseline]
    alone, apart = rate_claims(result, alpha), largest_first(result, alpha)
    by_itself = say(
        "Each model by itself, on the same {rows}. In brackets: {confidence} intervals, each by itself.",
        rows=result.data.rows,
        confidence=percent(1 - alpha),
    )
    beside = say(
        "Each model beside {baseline}, person by person. What is shown not to be chance stands first, the largest "
        "difference on top, in percentage points. SPD, EOD and AOD are what the field calls differences between "
        "groups: in favourable answers (statistical parity), in those where the outcome is favourable (equal "
        "opportunity), and at either outcome on average (average odds). p-values, of “no difference”, are adjusted for "
        "all {n} (Holm); intervals are each by itself.",
        baseline=baseline,
        n=whole(len(apart)),
    )
    return (
        Table.of_columns(
            beside,
            {
                say("Of what"): [rate.heading for rate, _ in apart],
                **_models(result, [claim for _, claim in apart]),
                **_both(
                    result,
                    [rate.told(claim.here) for rate, claim in apart],
                    [rate.told(claim.there) for rate, claim in apart],
                ),
                say("Which way"): [rate.towards(claim) for rate, claim in apart],
                **_differences([sized(claim) for _, claim in apart], alpha),
                f"{rows} n": [whole(claim.people) for _, claim in apart],
            },
        ),
        Table.of_columns(
            by_itself,
            {
                say("Of what"): [rate.heading for rate, _ in alone],
                f"{rows} n": [whole(claims[0].people) for _, claims in alone],
                **{
                    say("With {model}", model=name): [
                        rate.told(claims[place].estimate, *claims[place].ends) for rate, claims in alone
                    ]
                    for place, name in enumerate(result.names)
                },
            },
        ),
    )


def _models(result: ComparisonResult, claims: Sequence[Claim]) -> dict[str, list[str]]:
    """Which model each difference is of; nothing where there is but one beside the baseline."""
    return {} if len(result.others) == 1 else {say("Model"): [claim.who for claim in claims]}


def _both(result: ComparisonResult, here: list[str], there: list[str]) -> dict[str, list[str]]:
    """What is found of the models and of the baseline, under their names as far as these say whose it is."""
    baseline = say("With {model} (baseline)", model=result.names[result.baseline])
    alone = len(result.others) == 1
    model = say("With {model}", model=result.names[result.others[0]]) if alone else say("Model's value")
    return {model: here, baseline: there}


def _differences(claims: Sequence[Claim], alpha: float) -> dict[str, list[str]]:
    """Differences from the baseline with their intervals and p-values, a column each."""
    return {
        say("Difference"): [claim.unit.number(claim.estimate) for claim in claims],
        say("{confidence} interval", confidence=percent(1 - alpha)): [
            say("nothing bounds it") if tests.unbounded(claim) else claim.unit.interval(*claim.ends) for claim in claims
        ],
        say("p-value"): [
            NOT_GIVEN if math.isnan(claim.p_value) else p_value(claim.p_value, alpha=alpha) for claim in claims
        ],
    }
