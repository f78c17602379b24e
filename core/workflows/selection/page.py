"""A selection as a page, and the table of its candidates."""

from core.audits.transport.decision import TransportDecision
from core.base.tables import Fact, Table
from core.data.labels import labelled_by
from core.inference.estimate import Verdict
from core.language.phrases import count, percent, whole
from core.language.told import say
from core.report.html import ReportFigure
from core.report.page import Page, PageSection
from core.report.settings_table import setting_sections
from core.workflows.selection.choice import choose, found_unfair_together, shown_together
from core.workflows.selection.figures.coefficients import COEFFICIENTS
from core.workflows.selection.figures.tradeoff import CANDIDATES
from core.workflows.selection.question import columns_text, space_text
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.settings import Rule, SelectionPlan
from core.workflows.selection.wording import bounds, decision_of, headline, sentence


def page_of(plan: SelectionPlan, result: SelectionResult) -> Page:
    """The selection under its own rule and decision settings."""
    settings = setting_sections(plan)
    plan, result = labelled_by((plan, result), plan.roles)
    decision = decision_of(plan, result)
    figures = [ReportFigure("selection", "candidates", CANDIDATES, CANDIDATES.draw(result, plan.rule, decision))]
    if result.path is not None:
        drawing = COEFFICIENTS.draw(result, result.chosen)
        figures.append(ReportFigure("selection", "coefficients", COEFFICIENTS, drawing))
    caveats = () if result.audited is None else result.audited.caveats
    citation = (
        "Xue, Yurochkin and Sun, “Auditing ML models for individual bias and unfairness”, AISTATS 2020"  # verbatim
    )
    return Page(
        title=say("Choosing a model for {title}", title=plan.data.title),
        question=say("Which of {models} is the best that may be used?", models=count(len(result.candidates), "model")),
        about=say("A model chosen under a fairness constraint by Evenhand."),
        headline=headline(plan, result),
        sentence=sentence(plan, result),
        verdict=Verdict.INSUFFICIENT if result.audited is None else result.finding(decision).verdict,
        caveats=result.caveats,
        sections=(
            PageSection(
                say("The candidates"),
                tuple(figures),
                (candidate_table(result, plan.rule, decision),),
                question_facts(plan, result),
            ),
            PageSection(say("The audit of the chosen model"), facts=audit_facts(plan, result), caveats=caveats),
        ),
        settings=settings,
        versions=tuple(Fact(name, version) for name, version in result.versions),
        source=say("{citation}, section 5.2, describes the rule.", citation=citation),
        steps=_steps(plan, result),
    )


def _steps(plan: SelectionPlan, result: SelectionResult) -> tuple[str, ...]:
    """What to do next."""
    if result.audited is None:
        return (say("Use none of these models. Bring other models, or more rows."),)
    found = result.finding(decision_of(plan, result))
    if found.verdict is Verdict.NO_VIOLATION:
        return (say("Audit the chosen model with other tests too before it is used."),)
    return found.next_steps or (say("Do not use the chosen model as it is. Bring other models, or more rows."),)


def candidate_table(result: SelectionResult, rule: Rule, decision: TransportDecision) -> Table:
    """Every candidate with its numbers on the validation rows, and what follows for all of them together."""
    choice = choose(result.candidates, rule, decision)
    fair = shown_together(result.candidates, decision.delta, decision.alpha)
    unfair = found_unfair_together(result.candidates, decision.delta, decision.alpha)
    told = [bounds(one.unfairness, decision) for one in result.candidates]
    confidence = percent(1 - decision.alpha)
    columns = {
        say("Model"): [one.name for one in result.candidates],
        say("Choice"): [
            say("chosen") if i == choice.chosen else say("may be chosen") if may else say("may not")
            for i, may in enumerate(choice.admissible)
        ],
        say("Accuracy"): [percent(round(one.accuracy, 4)) for one in result.candidates],
        say("Balanced accuracy"): [percent(round(one.balanced_accuracy, 4)) for one in result.candidates],
        say("Unfairness"): [value for value, *_ in told],
        say("At least ({confidence})", confidence=confidence): [lower for _, lower, *_ in told],
        say("{confidence} interval", confidence=confidence): [
            say("{low} to {high}", low=low, high=high) if low else "" for *_, low, high in told
        ],
        say("All together"): [
            say("not measured")
            if one.unable
            else say("unfair")
            if bad
            else say("fair")
            if good and not one.unclear
            else say("undecided")
            for one, good, bad in zip(result.candidates, fair, unfair, strict=True)
        ],
    }
    if result.path is not None:
        columns[say("Columns used")] = [f"{used}" for used in result.path.used.sum(axis=1)]
    return Table.of_columns(
        say(
            "Candidates on {rows} validation rows. “All together” says which are found unfair or shown to be "
            "fair when the risk of a wrong verdict holds for all candidates at once (Holm).",
            rows=whole(result.rows[1]),
        ),
        columns,
    )


def question_facts(plan: SelectionPlan, result: SelectionResult) -> tuple[Fact, ...]:
    """With whom people are compared for every candidate, and who counts as alike."""
    compared = Fact(say("Compared with"), space_text(plan.audit))
    if plan.audit.asks_for_everybody(plan.roles.protected):
        return (compared,)
    each = {one.columns for one in result.candidates}
    if len(each) == 1:
        return (compared, Fact(say("Alike are people who agree in"), columns_text(each.pop())))
    alike = (
        Fact(say("Alike for {model} are people who agree in", model=one.name), columns_text(one.columns))
        for one in result.candidates
    )
    return (compared, *alike)


def audit_facts(plan: SelectionPlan, result: SelectionResult) -> tuple[Fact, ...]:
    """The chosen model on the rows of the audit, and how the rows were parted."""
    training, validation, audit = result.rows
    parted = Fact(
        say("Rows"),
        say(
            "{training} for training, {validation} for validation, {audit} for the audit",
            training=whole(training),
            validation=whole(validation),
            audit=whole(audit),
        ),
    )
    if result.audited is None or result.chosen is None:
        return (parted, Fact(say("Audit"), say("No model was chosen, so the rows of the audit were not looked at.")))
    decision, model = decision_of(plan, result), result.audited.model
    found = result.finding(decision)
    value, lower, low, high = bounds(found.inference, decision)
    return (
        parted,
        Fact(say("Model"), result.candidates[result.chosen].name),
        Fact(say("Accuracy"), percent(round(model.accuracy, 4))),
        Fact(say("Balanced accuracy"), percent(round(model.balanced_accuracy, 4))),
        Fact(say("Always answering the most frequent outcome"), percent(round(model.majority_share, 4))),
        Fact(say("Unfairness"), value),
        Fact(
            say("{confidence} interval", confidence=percent(1 - decision.alpha)),
            say("{low} to {high}", low=low, high=high) if low else say("none"),
        ),
        Fact(say("Lower bound"), lower or say("none")),
        Fact(say("Verdict"), found.verdict.words),
    )
