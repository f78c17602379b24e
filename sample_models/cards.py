"""A card beside every sample model: what it is, how it was trained, and what the audit of it found.

``python -m sample_models.cards`` measures them all again, for when a test has changed and the models have not.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.audits import AuditDecision
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.gradient_flow import verdict as gradient_flow
from core.audits.transport import verdict as transport
from core.base.files import FileStore
from core.base.settings import Settings
from core.inference.estimate import Verdict
from core.inference.evidence import Estimated
from core.language.phrases import p_value
from core.plan import AuditPlan
from core.result import AuditResult
from core.run import find, run_plan

FOLDER = Path(__file__).resolve().parent


class Finding(Settings):
    """What an audit of a sample model found on the test rows; bounds are one-sided at the decision's error rate."""

    rows: int
    balanced_accuracy: float
    lower_bound: float
    upper_bound: float
    verdict: str


class GradientFlowFinding(Finding):
    """What the gradient-flow test found."""

    loss_ratio: float
    error_ratio_lower_bound: float


class TransportFinding(Finding):
    """What the transport test found."""

    audit_value: float


class EqualizedOddsFinding(Settings):
    """What the fair-dummies test found.

    Attributes:
        rows: Rows the model was asked about.
        error: Root mean squared error of the predicted numbers.
        spread: That of always answering the outcome's mean.
        p_value: Of "no group differs by more than δ", adjusted for the number of protected attributes.
        verdict: The verdict.
    """

    rows: int
    error: float
    spread: float
    p_value: float
    verdict: str


AnyFinding = GradientFlowFinding | TransportFinding | EqualizedOddsFinding


class Card(Settings):
    """Everything a reader needs to judge a sample model, or to train and audit it again.

    Attributes:
        file: Name of the model's file.
        title: Kind of network and table.
        purpose: What it predicts, one sentence.
        method: How it was trained, one sentence.
        training_rows: Rows it was trained on; none of them is audited.
        training: Hyperparameters and seed.
        plan: The audit behind ``finding``: table, split, model file by SHA-256, metric, settings, tolerance.
        finding: Its numbers.
        limits: What the model must not be used for.
    """

    file: str
    title: str
    purpose: str
    method: str
    training_rows: int
    training: dict[str, Any]
    plan: AuditPlan
    finding: AnyFinding
    limits: str


def card_path(model: Path) -> Path:
    """Where the card of a model file lies."""
    return model.with_name(model.name + ".card.json")


def read_card(path: Path) -> Card:
    """The card in a file."""
    return Card.model_validate_json(path.read_text(encoding="utf-8"))


def write_card(card: Card, path: Path) -> None:
    """Write a card as indented JSON."""
    path.write_text(json.dumps(card.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def measure(plan: AuditPlan, files: FileStore) -> AnyFinding:
    """Run the audit and read it as the plan says."""
    return summarise(run_plan(plan, files), plan.decision)


def summarise(result: AuditResult, decision: AuditDecision) -> AnyFinding:
    """The numbers a card shows."""
    detail = result.detail
    finding = find(result, decision)
    if isinstance(finding, transport.TransportFinding):
        found = _bounds(result, finding.inference, decision.alpha, finding.verdict)
        return TransportFinding(**found, audit_value=finding.estimate)
    if isinstance(finding, gradient_flow.GradientFlowFinding):
        loss, errors = (one.inference for one in finding.both)
        found = _bounds(result, loss, decision.alpha, finding.verdict)
        return GradientFlowFinding(
            **found, loss_ratio=loss.value, error_ratio_lower_bound=errors.lower_bound(decision.alpha)
        )
    if isinstance(detail, EqualizedOddsDetail) and isinstance(decision, EqualizedOddsDecision):
        finding = find(result, decision)
        return EqualizedOddsFinding(
            rows=result.data.rows_audited,
            error=result.model.error,
            spread=result.model.spread,
            p_value=finding.p_value,
            verdict=finding.verdict.value,
        )
    raise TypeError(f"a {decision.kind} reading of another test's result")


def _bounds(result: AuditResult, estimate: Estimated, alpha: float, verdict: Verdict) -> dict[str, Any]:
    return {
        "rows": result.data.rows_audited,
        "balanced_accuracy": result.model.balanced_accuracy,
        "lower_bound": estimate.lower_bound(alpha),
        "upper_bound": estimate.upper_bound(alpha),
        "verdict": verdict.value,
    }


def main() -> None:
    """Write every card with what its audit finds now, and the README."""
    with TemporaryDirectory() as folder:
        files, cards = FileStore(Path(folder)), []
        for path in sorted(FOLDER.glob("*.card.json")):
            card = read_card(path)
            files.put((FOLDER / card.file).read_bytes(), card.file)
            cards.append(card.model_copy(update={"finding": measure(card.plan, files)}))
            write_card(cards[-1], path)
        (FOLDER / "README.md").write_text(overview(cards), encoding="utf-8")


def overview(cards: list[Card]) -> str:
    """The README of the folder: one line per model."""
    moved, transported, numbers = [], [], []
    for card in sorted(cards, key=lambda card: card.file):
        found = card.finding
        if isinstance(found, EqualizedOddsFinding):
            line = f"| `{card.file}` | {card.title} | {found.rows:,} | {found.error:.2f} | {found.spread:.2f} "
            numbers.append(line + f"| {p_value(found.p_value)} | {found.verdict} |")
            continue
        line = f"| `{card.file}` | {card.title} | {found.rows:,} | {found.balanced_accuracy:.3f} "
        if isinstance(found, TransportFinding):
            line += f"| {found.audit_value:.3f} | {found.lower_bound:.3f} | {found.verdict} |"
            transported.append(line)
        else:
            line += f"| {found.loss_ratio:.3f} | {found.lower_bound:.3f} | {found.error_ratio_lower_bound:.3f} "
            moved.append(line + f"| {found.verdict} |")
    return _README.format(moved="\n".join(moved), transported="\n".join(transported), numbers="\n".join(numbers))


_README = """# Sample models

Small models to try Evenhand with. `python sample_models/train.py all` trains them again (minutes on two cores) and
writes this table and a card beside each file (`*.card.json`: data, split, hyperparameters, the audit's plan, limits).

The text classifiers (`bios_*.zip`) have a script of their own, `python sample_models/texts.py`, and a table of their
own, [TEXTS.md](TEXTS.md): what each tells, its accuracy among women and men, and how far exchanged words move it.

Audited on the test part of the table, which no model saw, with the settings of the gradient-flow paper and the metric
learned on the audited rows: λ = 50, 500 steps of .01 (COMPAS: λ = 100, 200 steps of .005), α = 0.05, δ = 1.25.
T_n is the one-sided lower confidence bound; above δ it is a violation.

| file | model | rows | balanced accuracy | mean loss ratio | T_n | T_n of the error-rate ratio | verdict |
|---|---|---|---|---|---|---|---|
{moved}

Audited with the transport test (FaiTH), also on the test part and as in section 5.1 of its paper: people who differ
only in sex and race count as the same, 0-1 loss, α = 0.05, δ = 0.0365. A lower bound above δ is a violation.

| file | model | rows | balanced accuracy | rise of the error rate | lower bound | verdict |
|---|---|---|---|---|---|---|
{transported}

Models that answer with a number, audited with the equalized odds test on rows no model saw: do people with the same
outcome get the same answers in every group? α = 0.05, 9,999 fair dummies; δ is 0.1 standard deviations of the outcome.
The error is the root mean squared one, beside that of always answering the mean; p-values are of "groups differ by no
more than δ", adjusted for the number of protected attributes.

| file | model | rows | error | error of the mean | p-value | verdict |
|---|---|---|---|---|---|---|
{numbers}

The table of hiring decisions is invented, and its decisions are biased on purpose. None of these models may decide
about people.
"""


if __name__ == "__main__":
    main()
