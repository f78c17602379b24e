"""A card beside every sample model: what it is, how it was trained, and what the audit of it found."""

import json
from pathlib import Path
from typing import Any

from core.audits.gradient_flow.reading import GradientFlowReading
from core.files import FileStore
from core.plan import AuditPlan
from core.result import AuditResult
from core.run import run_plan
from core.settings import Settings

FOLDER = Path(__file__).resolve().parent


class Finding(Settings):
    """What the audit of a sample model found on the test rows; bounds are one-sided at the reading's error rate."""

    rows: int
    balanced_accuracy: float
    loss_ratio: float
    lower_bound: float
    upper_bound: float
    error_ratio_lower_bound: float
    verdict: str


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
    finding: Finding
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


def measure(plan: AuditPlan, files: FileStore) -> Finding:
    """Run the audit and read it as the plan says."""
    return summarise(run_plan(plan, files), plan.reading)


def summarise(result: AuditResult, reading: GradientFlowReading) -> Finding:
    """The numbers a card shows."""
    loss = result.detail.estimate(reading.model_copy(update={"statistic": "loss ratio"}))
    errors = result.detail.estimate(reading.model_copy(update={"statistic": "error-rate ratio"}))
    return Finding(
        rows=result.data.rows_audited,
        balanced_accuracy=result.model.balanced_accuracy,
        loss_ratio=loss.value,
        lower_bound=loss.lower_bound(reading.alpha),
        upper_bound=loss.upper_bound(reading.alpha),
        error_ratio_lower_bound=errors.lower_bound(reading.alpha),
        verdict=result.detail.verdict(reading).value,
    )


def overview(cards: list[Card]) -> str:
    """The README of the folder: one line per model."""
    rows = "\n".join(
        f"| `{card.file}` | {card.title} | {card.finding.rows:,} | {card.finding.balanced_accuracy:.3f} "
        f"| {card.finding.loss_ratio:.3f} | {card.finding.lower_bound:.3f} "
        f"| {card.finding.error_ratio_lower_bound:.3f} | {card.finding.verdict} |"
        for card in sorted(cards, key=lambda card: card.file)
    )
    return _README.format(rows=rows)


_README = """# Sample models

Small models to try Evenhand with. `python sample_models/train.py all` trains them again (minutes on two cores) and
writes this table and a card beside each file (`*.card.json`: data, split, hyperparameters, the audit's plan, limits).

Audited on the test part of the table, which no model saw, with the settings of the gradient-flow paper and the metric
learned on the audited rows: λ = 50, 500 steps of .01 (COMPAS: λ = 100, 200 steps of .005), α = 0.05, δ = 1.25.
T_n is the one-sided lower confidence bound; above δ it is a violation.

| file | model | rows | balanced accuracy | mean loss ratio | T_n | T_n of the error-rate ratio | verdict |
|---|---|---|---|---|---|---|---|
{rows}

The table of hiring decisions is invented, and its decisions are biased on purpose. None of these models may decide
about people.
"""
