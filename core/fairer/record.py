"""The JSON record of a comparison: every choice and every number, enough to repeat it and to see whether it repeats."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from core.codec import encode
from core.codec_frames import Arrays, encode_number
from core.errors import Notice, RecordError
from core.fairer.result import PARTS, FairerFit, FairerResult
from core.fairer.settings import FairerPlan
from core.report.record import document_of, files_of, parsed
from core.result import DataSummary
from core.selection.record import listed

FORMAT = "evenhand-fairer"
VERSION = 1


@dataclass(frozen=True)
class FairerRecord:
    """A record as it was read.

    Attributes:
        plan: What to run.
        numbers: The numbers it holds, as JSON; None if it is a bare plan.
        versions: Libraries that gave those numbers, by name.
    """

    plan: FairerPlan
    numbers: dict[str, Any] | None
    versions: dict[str, str]


def to_json(plan: FairerPlan, result: FairerResult) -> str:
    """The record as JSON text; floats are written with the digits that give them back exactly."""
    document = {
        "format": FORMAT,
        "version": VERSION,
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


def read_fairer(text: str | bytes) -> FairerRecord:
    """Read a record of a comparison, or a bare plan.

    Raises:
        RecordError: It is not JSON, something else, of another version, or a setting in it is wrong (says which).
    """
    document = document_of(text)
    if "format" not in document and {"data", "roles"} <= document.keys() and not {"model", "audit"} & document.keys():
        return FairerRecord(parsed(document, FairerPlan), None, {})
    if document.get("format") != FORMAT:
        raise RecordError(
            "This JSON file is neither the record of a comparison of fairer models nor the plan of one.",
            advice="Choose the record that was written when fairer models were compared.",
        )
    if document.get("version") != VERSION:
        raise RecordError(
            f"The record is written in version {document.get('version')!r} of the format; this program reads "
            f"version {VERSION}.",
            advice="Use the version of Evenhand that wrote it, or set the comparison up again.",
        )
    numbers, versions = document.get("numbers"), document.get("versions")
    return FairerRecord(
        parsed(document.get("plan"), FairerPlan),
        numbers if isinstance(numbers, dict) else None,
        {str(name): str(version) for name, version in versions.items()} if isinstance(versions, dict) else {},
    )


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
