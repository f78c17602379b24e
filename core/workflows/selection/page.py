"""A selection as one HTML page that needs no network, and the table of its candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.audits.transport.decision import TransportDecision
from core.errors import Notice
from core.figures.theme import CONFIG
from core.inference.estimate import Verdict
from core.phrases import percent
from core.report.html import environment, figure_of, plotly_js
from core.report.settings_table import SettingSection, setting_sections
from core.report.tables import Fact, Table
from core.workflows.selection.choice import choose, found_unfair_together, shown_together
from core.workflows.selection.figures.coefficients import COEFFICIENTS
from core.workflows.selection.figures.tradeoff import CANDIDATES
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.settings import Rule, SelectionPlan
from core.workflows.selection.words import bounds, headline, read_by, sentence

COMMAND = "python -m core select selection.json --out results"

_LOOKS: dict[Verdict, Literal["violation", "no_violation", "insufficient"]] = {
    Verdict.VIOLATION: "violation",
    Verdict.NO_VIOLATION: "no_violation",
    Verdict.INSUFFICIENT: "insufficient",
}


@dataclass(frozen=True)
class SelectionPage:
    """The page's texts, in the order in which it shows them."""

    title: str
    headline: str
    sentence: str
    look: str
    notices: tuple[Notice, ...]
    candidates: Table
    audit: tuple[Fact, ...]
    audit_notices: tuple[Notice, ...]
    settings: tuple[SettingSection, ...]
    command: str
    versions: tuple[Fact, ...]


def render(plan: SelectionPlan, result: SelectionResult) -> str:
    """The selection under its own rule and reading, as a whole HTML document."""
    decision = read_by(plan, result)
    figures = [figure_of("selection", "candidates", CANDIDATES, (result, plan.rule, decision))]
    if result.path is not None:
        figures.append(figure_of("selection", "coefficients", COEFFICIENTS, (result, result.chosen)))
    verdict = Verdict.INSUFFICIENT if result.audited is None else result.audited_detail.verdict(decision)
    page = SelectionPage(
        title=f"Choosing a model for {plan.data.title}",
        headline=headline(plan, result),
        sentence=sentence(plan, result),
        look=_LOOKS[verdict],
        notices=result.notices,
        candidates=candidate_table(result, plan.rule, decision),
        audit=audit_facts(plan, result),
        audit_notices=() if result.audited is None else result.audited.notices,
        settings=setting_sections(plan),
        command=COMMAND,
        versions=tuple(Fact(name, version) for name, version in result.versions),
    )
    template = environment().get_template("selection.html")
    return template.render(page=page, figures=figures, plotly=plotly_js(), config=CONFIG)


def candidate_table(result: SelectionResult, rule: Rule, decision: TransportDecision) -> Table:
    """Every candidate with its numbers on the validation rows, and what follows for all of them together."""
    choice = choose(result.candidates, rule, decision)
    fair = shown_together(result.candidates, decision.delta, decision.alpha)
    unfair = found_unfair_together(result.candidates, decision.delta, decision.alpha)
    rows: list[tuple[str, ...]] = []
    for i, one in enumerate(result.candidates):
        value, lower, low, high = bounds(one.unfairness, decision)
        may = "chosen" if i == choice.chosen else "may be chosen" if choice.admissible[i] else "may not"
        together = "unfair" if unfair[i] else "fair" if fair[i] and not one.unclear else "undecided"
        used = "" if result.path is None else f"{int(result.path.used[i].sum())}"
        rows.append(
            (
                one.name,
                may,
                percent(round(one.accuracy, 4)),
                percent(round(one.balanced_accuracy, 4)),
                value,
                lower,
                f"{low} to {high}" if low else "",
                "not measured" if one.unable else together,
                used,
            )
        )
    confidence = percent(1 - decision.alpha)
    header: tuple[str, ...] = (
        "Model",
        "Choice",
        "Accuracy",
        "Balanced accuracy",
        "Unfairness",
        f"At least ({confidence})",
        f"{confidence} interval",
        "All together",
        "Columns used",
    )
    shown = len(header) if result.path is not None else len(header) - 1
    return Table(
        f"Candidates on {result.rows[1]:,} validation rows. “All together” says which are found unfair or shown to be "
        "fair when the error rate holds for all candidates at once (Holm).",
        header[:shown],
        tuple(row[:shown] for row in rows),
    )


def audit_facts(plan: SelectionPlan, result: SelectionResult) -> tuple[Fact, ...]:
    """The chosen model on the rows of the audit, and how the rows were parted."""
    training, validation, audit = result.rows
    parted = Fact("Rows", f"{training:,} for training, {validation:,} for validation, {audit:,} for the audit")
    if result.audited is None or result.chosen is None:
        return (parted, Fact("Audit", "No model was chosen, so the rows of the audit were not looked at."))
    decision, model = read_by(plan, result), result.audited.model
    found = result.audited_detail.estimate(decision)
    value, lower, low, high = bounds(found, decision)
    return (
        parted,
        Fact("Model", result.candidates[result.chosen].name),
        Fact("Accuracy", percent(round(model.accuracy, 4))),
        Fact("Balanced accuracy", percent(round(model.balanced_accuracy, 4))),
        Fact("Always answering the most frequent outcome", percent(round(model.majority_share, 4))),
        Fact("Unfairness", value),
        Fact(f"{percent(1 - decision.alpha)} interval", f"{low} to {high}" if low else "none"),
        Fact("Lower bound", lower or "none"),
        Fact("Verdict", result.audited_detail.verdict(decision).value),
    )
