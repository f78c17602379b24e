"""A mitigation as a page, and its tables."""

import math
from collections.abc import Iterable

import numpy as np

from core.audits.group_fairness.settings import GroupFairness
from core.audits.group_fairness.wording_groups import too_small
from core.base.tables import NOT_GIVEN, Fact, Table
from core.base.thresholds import FEWEST_ROWS
from core.claims_shown import side_by_side
from core.data.labels import labelled_by
from core.inference.estimate import Verdict
from core.language.phrases import number, p_value, percent, share_text, whole
from core.language.told import say
from core.report.html import ReportFigure
from core.report.page import Page, PageSection
from core.report.settings_table import setting_sections
from core.workflows.comparison.figures.apart import APART
from core.workflows.comparison.rates import rate_claims
from core.workflows.mitigation.beside import beside
from core.workflows.mitigation.evidence import rise, told_first
from core.workflows.mitigation.figures.answers import ANSWERS
from core.workflows.mitigation.figures.models import MODELS
from core.workflows.mitigation.figures.spread import SPREAD, charted
from core.workflows.mitigation.figures.tradeoff import TRADE_OFF
from core.workflows.mitigation.result import PARTS, MitigationResult, name_of_part
from core.workflows.mitigation.settings import MitigationPlan
from core.workflows.mitigation.wording import (
    error_text,
    headline,
    known,
    name,
    names,
    rise_text,
    sentence,
    title_of,
    told_over_splits,
    unlike_text,
    what_is_fitted,
)


def page_of(plan: MitigationPlan, result: MitigationResult) -> Page:
    """What fairness costs, under the plan's own error rate."""
    settings = setting_sections(plan)
    plan, result = labelled_by((plan, result), plan.roles)
    figures = tuple(
        ReportFigure("mitigation", f"tradeoff-{method}", TRADE_OFF, TRADE_OFF.draw(one, plan.alpha))  # verbatim
        for method, one in ((method, result.only(method)) for method in first_told(plan, result))
    )
    citation = (
        "Romano, Bates and Candès, “Achieving equalized odds by resampling sensitive attributes”, "
        "NeurIPS 2020"  # verbatim
    )
    return Page(
        title=say("What a fairer model costs for {title}", title=plan.data.title),
        question=say("What would a fairer model cost?"),
        about=say(
            "{fits} models fitted and compared by Evenhand; groups of {attribute}.",
            fits=len(result.fits),
            attribute=result.attribute,
        ),
        headline=headline(plan, result),
        sentence=sentence(plan, result),
        verdict=Verdict.INSUFFICIENT,
        caveats=result.caveats,
        sections=(
            PageSection(say("Cost"), figures, (fits_table(plan, result),)),
            PageSection(
                say("How right, and how fair"),
                (*beside_figures(plan, result), *_answers(plan, result)),
                (rates_table(plan, result),),
            ),
            *_splits(plan, result),
            PageSection(say("Prediction sets"), tables=(sets_table(result),)),
            PageSection(say("How it was made"), facts=facts(result)),
        ),
        settings=settings,
        versions=tuple(Fact(name, version) for name, version in result.versions),
        source=say("{citation}, describes the test and the fair dummies.", citation=citation),
        steps=(
            say("Decide what fairer answers may cost."),
            say("Then audit the model that you choose on rows that no model has seen."),
        ),
        qualifies=(what_is_fitted(plan),),
    )


def first_told(plan: MitigationPlan, result: MitigationResult) -> list[str]:
    """The methods, that of the model which is told first first."""
    told = told_first(plan, result).method
    return sorted(result.methods, key=lambda method: method != told)


def facts(result: MitigationResult) -> tuple[Fact, ...]:
    """What the numbers rest on."""
    data = result.data
    return (
        Fact(
            say("Rows"),
            say("{read} read, {left_out} left out", read=whole(data.rows_read), left_out=whole(data.rows_left_out)),
        ),
        Fact(say("Parts"), ", ".join(_in_part(*each) for each in zip(PARTS, result.rows[:, 0], strict=True))),
        Fact(
            say("Cells filled"),
            ", ".join(f"{name}: {whole(cells)}" for name, cells in data.cells_imputed) or say("none"),
        ),
        Fact(
            say("Test"),
            say("groups permuted among people with the same outcome, which is exact")
            if result.exact
            else say("groups drawn by densities of the outcome"),
        ),
        Fact(say("Seed"), str(result.seed)),
    )


def _in_part(name: str, rows: int) -> str:
    return f"{whole(int(rows))} {name_of_part(name)}"


def fits_table(plan: MitigationPlan, result: MitigationResult) -> Table:
    """Every model's errors on the test part, its test, and its largest gap."""
    confidence, people = percent(1 - plan.alpha), result.rows[2]
    errors = [result.errors(fit)[2] for fit in result.fits]
    columns: dict[str, Iterable[str]] = {
        say("Model"): map(name, result.fits),
        say("Share of wrong answers") if result.classes else "RMSE": [
            error_text(result, float(each[0])) for each in errors
        ],
        say("More than the baseline ({confidence} interval)", confidence=confidence): [
            "" if fit.is_baseline else rise_text(result, *rise(result, fit, plan.alpha), bare=True)
            for fit in result.fits
        ],
        **{
            f"{result.attribute} = {group}": [
                error_text(result, float(each[g])) if people[g] >= FEWEST_ROWS else too_small(int(people[g]))
                for each in errors
            ]
            for g, group in enumerate(result.groups, start=1)
        },
        **_similar_columns(plan, result),
        say("p-value of the test"): [p_value(fit.p_value, alpha=plan.alpha) for fit in result.fits],
        say("Largest gap (at most, {confidence})", confidence=confidence): [
            _share(fit.gap.value)
            if math.isnan(fit.gap.value)
            else say("{value} (at most {high})", value=_share(fit.gap.value), high=_share(fit.gap.high))
            for fit in result.fits
        ],
    }
    return Table.of_columns(
        say(
            "Errors on the {people} rows of the test part, by which no model was fitted or chosen. The gap is the "
            "largest difference between groups in the share of people whose answers lie above any threshold, among "
            "people with the same outcome.",
            people=whole(int(people[0])),
        ),
        columns,
    )


def _similar_columns(plan: MitigationPlan, result: MitigationResult) -> dict[str, list[str]]:
    """How similar people fare, where the method asks who they are."""
    if not plan.compares_similar:
        return {}
    claims = [fit.similar for fit in result.fits]
    columns = {say("Most similar people differ by"): [unlike_text(result, fit) for fit in result.fits]}
    if any(claims):
        columns |= {
            say("Loss ratio of similar people (at least, {confidence})", confidence=percent(1 - plan.alpha)): [
                NOT_GIVEN
                if one is None
                else say("{value} (at least {low})", value=number(one.estimate), low=number(one.low))
                for one in claims
            ],
        }
    return columns


def rates_table(plan: MitigationPlan, result: MitigationResult) -> Table:
    """How right every model is, and how differently it decides about groups, each with its interval."""
    claims = [claim for _, found in rate_claims(beside(result), plan.alpha) for claim in found]
    caption = say("Each model by itself, on the {people} rows of the test part.", people=whole(int(result.rows[2, 0])))
    return side_by_side(claims, alpha=plan.alpha, rows=say("People"), caption=caption)


def beside_figures(plan: MitigationPlan, result: MitigationResult) -> tuple[ReportFigure, ...]:
    """All models in one chart: how right and how fair, and how they differ from the baseline."""
    models, drawn = beside(result), []
    if MODELS.applies(plan, result):
        drawn.append(ReportFigure("mitigation", "models", MODELS, MODELS.draw(plan, result)))  # verbatim
    if APART.applies(plan, models):
        drawn.append(ReportFigure("mitigation", "apart", APART, APART.draw(plan, models)))  # verbatim
    return tuple(drawn)


def _answers(plan: MitigationPlan, result: MitigationResult) -> Iterable[ReportFigure]:
    """What groups are answered by the baseline and by the model that is told first."""
    fit = told_first(plan, result)
    if ANSWERS.applies(result, fit):
        yield ReportFigure("mitigation", "answers", ANSWERS, ANSWERS.draw(result, fit))


def _splits(plan: MitigationPlan, result: MitigationResult) -> Iterable[PageSection]:
    if result.splits is not None:
        figures = tuple(
            ReportFigure("mitigation", f"splits {measure}", SPREAD, SPREAD.draw(plan, result, measure))  # verbatim
            for measure in charted(result)
        )
        yield PageSection(say("Over random splits"), figures, (splits_table(plan, result),))


def splits_table(plan: MitigationPlan, result: MitigationResult) -> Table:
    """Mean and standard deviation over the splits of every measure that is known, and how often each test rejects."""
    splits = known(result)
    columns: dict[str, Iterable[str]] = {say("Model"): names(plan)}
    for place, measure in enumerate(splits.measures):
        values = splits.values[:, :, place]
        if np.isfinite(values).any():
            columns[title_of(measure, result)] = [
                told_over_splits(measure, result, values[:, model]) for model in range(values.shape[1])
            ]
    return Table.of_columns(
        say(
            "Mean ± standard deviation over {splits} random splits, all models on the same rows in each. Rejected: in "
            "how many the test finds a violation with a risk of {alpha} of being wrong.",
            splits=len(splits.values),
            alpha=percent(plan.alpha),
        ),
        columns,
    )


def sets_table(result: MitigationResult) -> Table:
    """How many outcomes the prediction sets of each group hold, and how large they are, for every model."""
    size = say("mean outcomes in the set") if result.classes else say("mean width")
    columns: dict[str, Iterable[str]] = {say("Model"): map(name, result.fits)}
    for g, group in enumerate(result.groups):
        columns[say("{group}, held", group=f"{result.attribute} = {group}")] = [
            _share(fit.coverage[g]) for fit in result.fits
        ]
        columns[f"{result.attribute} = {group}, {size}"] = [number(float(fit.sizes[g])) for fit in result.fits]
    return Table.of_columns(
        say(
            "Prediction sets calibrated in each group to hold {coverage} of its outcomes, whatever the "
            "model. Their size shows how well each group is known.",
            coverage=percent(GroupFairness().coverage),
        ),
        columns,
    )


def _share(value: float) -> str:
    return say("not known") if math.isnan(value) else share_text(value, 1)
