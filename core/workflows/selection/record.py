"""The JSON record of a selection: every choice and every number, enough to repeat it and to see whether it repeats."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from core.audits.transport.decision import TransportDecision
from core.errors import Notice
from core.inference.resampled import Answers
from core.records.codec import encode
from core.records.codec_frames import Arrays, encode_number
from core.records.plan_record import RecordFormat
from core.records.record import files_of
from core.result import DataSummary
from core.workflows.selection.choice import found_unfair_together, shown_together
from core.workflows.selection.path import FittedPath
from core.workflows.selection.result import Candidate, SelectionResult
from core.workflows.selection.settings import SelectionPlan
from core.workflows.selection.words import headline, read_by, sentence, the_choice

RECORD = RecordFormat(
    SelectionPlan,
    name="evenhand-selection",
    version=1,
    foreign=frozenset({"model"}),
    refusal=(
        "This JSON file is neither the record of a selection nor the plan of one.",
        "Choose the record that was downloaded from the page that chose the model.",
    ),
    again="set the selection up again",
)
"""How a record of a selection, or the bare plan of one, is told and read."""


def to_json(plan: SelectionPlan, result: SelectionResult) -> str:
    """The record as JSON text; floats are written with the digits that give them back exactly."""
    document = {
        "format": RECORD.name,
        "version": RECORD.version,
        "plan": plan.model_dump(mode="json"),
        "fingerprint": plan.fingerprint,
        "files": [ref.model_dump(mode="json") for ref in files_of(plan)],
        "data": encode(result.data, DataSummary, Arrays()),
        "outcome": {"headline": headline(plan, result), "sentence": sentence(plan, result)},
        "numbers": numbers_json(plan, result),
        "notices": encode(result.notices, tuple[Notice, ...], Arrays()),
        "seed": result.seed,
        "seconds": encode_number(result.seconds),
        "versions": dict(result.versions),
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def numbers_json(plan: SelectionPlan, result: SelectionResult) -> dict[str, Any]:
    """All numbers of the result under the plan's own rule and reading, as JSON."""
    decision = read_by(plan, result)
    return {
        "rows": dict(zip(("training", "validation", "audit"), result.rows, strict=True)),
        "columns": [column.model_dump(mode="json") for column in result.columns],
        "budget": encode_number(result.budget),
        "candidates": _candidates(plan, result, decision),
        "path": None if result.path is None else _path(result.path),
        "chosen": result.chosen,
        "audit": None if result.audited is None else _audit(result, decision),
    }


def _candidates(plan: SelectionPlan, result: SelectionResult, decision: TransportDecision) -> list[dict[str, Any]]:
    admissible = the_choice(plan, result).admissible
    shown = shown_together(result.candidates, decision.delta, decision.alpha)
    unfair = found_unfair_together(result.candidates, decision.delta, decision.alpha)
    return [
        {
            **_candidate(one, decision),
            "may_be_chosen": bool(admissible[i]),
            "shown_fair_together": bool(shown[i]),
            "found_unfair_together": bool(unfair[i]),
        }
        for i, one in enumerate(result.candidates)
    ]


def _candidate(one: Candidate, decision: TransportDecision) -> dict[str, Any]:
    return {
        "name": one.name,
        "fingerprint": one.fingerprint,
        "confusion": one.confusion.tolist(),
        "accuracy": one.accuracy,
        "balanced_accuracy": one.balanced_accuracy,
        "unfairness": _unfairness(one.unfairness, decision),
        "unable": one.unable,
        "unclear": one.unclear,
        "upper_bound_for_everybody": encode_number(one.upper_bound(decision.alpha)),
    }


def _unfairness(found: Answers, decision: TransportDecision) -> dict[str, Any]:
    if found.undefined:
        return {"undefined": found.undefined}
    limits = found.two_sided(decision.alpha)
    return {
        "value": encode_number(found.value),
        "lower_bound": encode_number(found.lower_bound(decision.alpha)),
        "upper_bound": encode_number(found.upper_bound(decision.alpha)),
        "interval": [encode_number(limits.low), encode_number(limits.high)],
        "p_value": encode_number(found.p_value(decision.delta)),
    }


def _path(path: FittedPath) -> dict[str, Any]:
    return {
        "columns": list(path.encoder.names),
        "outcomes": list(path.classes),
        "encoder": path.encoder.model_dump(mode="json"),
        "strengths": listed(path.strengths),
        "coefficients": listed(path.coefficients),
        "intercepts": listed(path.intercepts),
        "converged": path.converged.tolist(),
        "passes": path.passes.tolist(),
        "rows": path.rows,
    }


def _audit(result: SelectionResult, decision: TransportDecision) -> dict[str, Any]:
    if result.audit is None or result.audited is None:
        return {}
    detail = result.audited_detail
    return {
        "plan": result.audit.model_dump(mode="json"),
        "confusion": result.audited.model.confusion.tolist(),
        "accuracy": result.audited.model.accuracy,
        "balanced_accuracy": result.audited.model.balanced_accuracy,
        "unfairness": _unfairness(detail.estimate(decision), decision),
        "verdict": detail.verdict(decision).value,
        "notices": encode(result.audited.notices, tuple[Notice, ...], Arrays()),
    }


def listed(array: np.ndarray) -> Any:
    """An array as nested lists that strict JSON can hold."""
    return [listed(row) for row in array] if array.ndim > 1 else [encode_number(value) for value in array.tolist()]
