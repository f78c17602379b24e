"""The JSON record of a comparison: every choice and every number, enough to repeat it and to see whether it repeats."""

from __future__ import annotations

import json
from typing import Any

from core.errors import Notice
from core.records.codec import encode
from core.records.codec_frames import Arrays, encode_number
from core.records.plan_record import RecordFormat
from core.records.record import files_of
from core.result import DataSummary
from core.workflows.mitigation.result import PARTS, FairerFit, FairerResult
from core.workflows.mitigation.settings import FairerPlan
from core.workflows.selection.record import listed

RECORD = RecordFormat(
    FairerPlan,
    name="evenhand-fairer",
    version=1,
    foreign=frozenset({"model", "audit"}),
    refusal=(
        "This JSON file is neither the record of a comparison of fairer models nor the plan of one.",
        "Choose the record that was written when fairer models were compared.",
    ),
    again="set the comparison up again",
)
"""How a record of a comparison, or the bare plan of one, is told and read."""


def to_json(plan: FairerPlan, result: FairerResult) -> str:
    """The record as JSON text; floats are written with the digits that give them back exactly."""
    document = {
        "format": RECORD.name,
        "version": RECORD.version,
        "plan": plan.model_dump(mode="json"),
        "fingerprint": plan.fingerprint,
        "files": [ref.model_dump(mode="json") for ref in files_of(plan)],
        "data": encode(result.data, DataSummary, Arrays()),
        "numbers": numbers_json(plan, result),
        "notices": encode(result.notices, tuple[Notice, ...], Arrays()),
        "seed": result.seed,
        "seconds": encode_number(result.seconds),
        "versions": dict(result.versions),
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def numbers_json(plan: FairerPlan, result: FairerResult) -> dict[str, Any]:
    """All numbers of the result, as JSON."""
    everybody = ("everybody", *result.groups)
    return {
        "measure": result.measure,
        "attribute": result.attribute,
        "rows": {
            part: dict(zip(everybody, map(int, counts), strict=True))
            for part, counts in zip(PARTS, result.rows, strict=True)
        },
        "spread_of_outcome": encode_number(result.spread),
        "exact_test": result.exact,
        "models": [_fit(result, fit, everybody) for fit in result.fits],
    }


def _fit(result: FairerResult, fit: FairerFit, everybody: tuple[str, ...]) -> dict[str, Any]:
    extra, error = result.cost(fit)
    return {
        "strength": "plain" if fit.is_plain else fit.strength,
        "errors": {
            part: dict(zip(everybody, listed(errors), strict=True))
            for part, errors in zip(PARTS, result.errors(fit), strict=True)
        },
        "extra_loss": encode_number(extra),
        "extra_loss_error": encode_number(error),
        "p_value": encode_number(fit.p_value),
        "p_value_error": encode_number(fit.p_error),
        "gap": {
            "value": encode_number(fit.gap.value),
            "low": encode_number(fit.gap.low),
            "high": encode_number(fit.gap.high),
            "cells_too_small": len(fit.gap.small),
        },
        "one_answer_for_everybody": fit.constant,
        "coverage": dict(zip(result.groups, listed(fit.coverage), strict=True)),
        "set_sizes": dict(zip(result.groups, listed(fit.sizes), strict=True)),
        "model": None if fit.model is None else fit.model.model_dump(mode="json"),
        "why_no_model": fit.why_not,
    }
