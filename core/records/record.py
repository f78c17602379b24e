"""The JSON record of an audit: every choice and every number, enough to repeat it and to see whether it repeats."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from pydantic import ValidationError

from core.audits import KINDS
from core.errors import Notice, RecordError
from core.files import FileRef
from core.metric import FittedMetric
from core.plan import AuditPlan
from core.records.codec import encode
from core.records.codec_frames import Arrays, encode_number
from core.report.multiple_tests import Together
from core.result import AuditResult, DataSummary
from core.run import find
from core.settings import Settings
from core.study import Study

FORMAT = "evenhand-record"
VERSIONS = {
    2: "Records of one or several tests.",
    3: "The gradient-flow test also keeps the p-values of its two statistics adjusted for each other.",
}
"""Every version of the format that is read, with what is new in it; a later one only adds."""
VERSION = max(VERSIONS)

MOST_VALUES = 2_000_000
"""Values a JSON file may hold; a record has some thousands. To say what is wrong with each would fill the memory."""

S = TypeVar("S", bound=Settings)


@dataclass(frozen=True)
class Record:
    """A record as it was read.

    Attributes:
        study: What to run.
        numbers: The numbers of each test, as JSON; None if it is a bare plan.
        version: Version of the format it is written in; the present one for a bare plan.
        versions: Libraries that gave those numbers, by name.
    """

    study: Study
    numbers: tuple[dict[str, Any], ...] | None
    versions: dict[str, str]
    version: int = VERSION


@dataclass(frozen=True)
class Difference:
    """A number of a record that came out otherwise when the audit was repeated."""

    place: str
    recorded: str
    found: str


def to_json(study: Study, results: tuple[AuditResult, ...]) -> str:
    """The record as JSON text. Floats are written with the digits that give them back exactly.

    Numbers that are undefined or infinite are the words ``NaN``, ``Infinity`` and ``-Infinity``, since strict JSON has
    no sign for them.
    """
    together = Together.of(study, results)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "result_fingerprint": study.result_fingerprint,
        "files": [ref.model_dump(mode="json") for ref in files_of(study)],
        "verdict": {"headline": together.headline, "verdict": together.verdict.value},
        "tests": [
            _test(plan, result, adjusted)
            for plan, result, adjusted in zip(study.plans, results, together.adjusted, strict=True)
        ],
        "versions": dict(results[0].versions),
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _test(plan: AuditPlan, result: AuditResult, adjusted: float) -> dict[str, Any]:
    return {
        "plan": plan.model_dump(mode="json"),
        "result_fingerprint": plan.result_fingerprint,
        "data": encode(result.data, DataSummary, Arrays()),
        "model": _model(result),
        "metric": None if result.metric is None else _metric(result.metric),
        "numbers": numbers_json(result, plan),
        "adjusted_p_value": encode_number(adjusted),
        "notices": encode(result.notices, tuple[Notice, ...], Arrays()),
        "seed": result.seed,
        "seconds": encode_number(result.seconds),
    }


def numbers_json(result: AuditResult, plan: AuditPlan) -> dict[str, Any]:
    """All numbers of the result under the plan's decision settings, as JSON."""
    finding = find(result, plan.decision)
    return {name: encode(value, hint, Arrays()) for name, (value, hint) in finding.record_hints.items()}


def read_record(text: str | bytes) -> Record:
    """Read a record, a bare study or a bare plan.

    Raises:
        RecordError: It is not JSON, something else, of another version, or a setting in it is wrong (says which).
    """
    document = document_of(text)
    if "format" not in document and "plans" in document:
        return Record(parsed(document, Study), None, {})
    if "format" not in document and {"data", "roles", "model", "audit"} <= document.keys():
        return Record(Study(plans=(parsed(document, AuditPlan),)), None, {})
    if document.get("format") != FORMAT:
        raise RecordError(
            "This JSON file is neither an audit record nor an audit plan.",
            advice="Choose the record that was downloaded from the results page.",
        )
    version = document.get("version")
    if type(version) is not int or version not in VERSIONS:
        raise RecordError(
            f"The record is written in version {version!r} of the format; this program reads "
            f"{' and '.join(map(str, VERSIONS))}.",
            advice="Use the version of Evenhand that wrote it, or set the audit up again.",
        )
    tests, versions = document.get("tests"), document.get("versions")
    if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
        raise RecordError("The record names no tests.", advice="Download the record again.")
    study = parsed({"plans": [test.get("plan") for test in tests]}, Study)
    numbers = tuple(test.get("numbers") for test in tests)
    return Record(
        study,
        numbers if all(isinstance(one, dict) for one in numbers) else None,
        {str(name): str(found) for name, found in versions.items()} if isinstance(versions, dict) else {},
        version,
    )


def files_of(settings: Settings) -> tuple[FileRef, ...]:
    """Every uploaded file the settings name, each once."""
    return tuple(dict.fromkeys(_references(settings)))


def differences(recorded: Any, found: Any, place: str = "", *, older: bool = False) -> tuple[Difference, ...]:
    """Where two JSON trees differ, to the last digit; empty when they are the same.

    Args:
        recorded: What a record holds.
        found: What came out when it was repeated.
        place: Where in the record both stand.
        older: Whether an older version of the format wrote the record, so that what it lacks is no difference.
    """
    if isinstance(recorded, dict) and isinstance(found, dict):
        keys = recorded if older else dict.fromkeys((*recorded, *found))
        pairs = [(recorded.get(key, "nothing"), found.get(key, "nothing"), f"{place}.{key}") for key in keys]
    elif isinstance(recorded, list) and isinstance(found, list) and len(recorded) == len(found):
        pairs = [(a, b, f"{place}[{index + 1}]") for index, (a, b) in enumerate(zip(recorded, found, strict=True))]
    else:
        return () if recorded == found else (Difference(place.lstrip("."), _short(recorded), _short(found)),)
    return tuple(one for pair in pairs for one in differences(*pair, older=older))


def document_of(text: str | bytes) -> dict[str, Any]:
    """The JSON object in a record's text.

    Raises:
        RecordError: It is not JSON, was cut off, or is no object.
    """
    advice = "Choose the record that was downloaded from the results page."
    try:
        document = json.loads(text)
    except UnicodeDecodeError as error:
        raise RecordError("The record is not a text file.", advice=advice) from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise RecordError("The record is not JSON, or was cut off.", where=where, advice=advice) from error
    except (ValueError, RecursionError) as error:
        raise RecordError("The record is not a JSON file that can be read.", advice=advice) from error
    if not isinstance(document, dict):
        raise RecordError("This JSON file is neither an audit record nor an audit plan.", advice=advice)
    if any(place >= MOST_VALUES for place, _ in enumerate(_values(document))):
        raise RecordError("This JSON file holds more values than any record.", advice=advice)
    return document


def _values(document: Any) -> Iterator[Any]:
    """Everything in a JSON tree, however deep."""
    waiting = [iter([document])]
    while waiting:
        for value in waiting[-1]:
            yield value
            if isinstance(value, dict | list):
                waiting.append(iter(value.values() if isinstance(value, dict) else value))
                break
        else:
            waiting.pop()


def parsed(tree: Any, kind: type[S]) -> S:
    """Settings of a record.

    Raises:
        RecordError: A setting is wrong (says which).
    """
    try:
        return kind.model_validate_json(json.dumps(tree))
    except ValidationError as error:
        first = error.errors()[0]
        place = " › ".join(_readable(first["loc"])) or "plan"
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise RecordError(
            f"A setting in the record is wrong: {first['msg'].rstrip('.')}{more}.",
            where=place,
            advice="Correct it, or download the record again.",
        ) from error


def _readable(place: tuple[str | int, ...]) -> Iterator[str]:
    """The place of a wrong setting as people read it: tests counted from 1, without the names of union members."""
    if place[:1] == ("plans",) and len(place) > 1:
        yield f"test {int(place[1]) + 1}"
        place = place[2:]
    for before, part in zip(("", *place), place, strict=False):
        if not (before in ("audit", "decision") and part in KINDS):
            yield str(part)


def _references(settings: Settings) -> Iterator[FileRef]:
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, FileRef):
                yield item
            elif isinstance(item, Settings):
                yield from _references(item)


def _model(result: AuditResult) -> dict[str, Any]:
    model = result.model
    known = {"name": model.name, "kind": model.kind, "fingerprint": model.fingerprint}
    if not model.classes:
        return known | {
            "root_mean_squared_error": encode_number(model.error),
            "outcome_standard_deviation": encode_number(model.spread),
            "correlation": encode_number(model.correlation),
            "r_squared": encode_number(model.fit.explained),
        }
    return known | {
        "classes": list(model.classes),
        "confusion": model.confusion.tolist(),
        "accuracy": encode_number(model.accuracy),
        "balanced_accuracy": encode_number(model.balanced_accuracy),
        "majority_share": encode_number(model.majority_share),
    }


def _metric(metric: FittedMetric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "learned_on": metric.learned_on,
        "columns": list(metric.columns),
        "free": _listed(metric.free),
        "spectrum": _listed(metric.spectrum),
        "largest_eigenvalue": encode_number(metric.largest_eigenvalue),
        "probes": [
            {"attribute": probe.attribute, "groups": list(probe.groups), "auc": encode_number(probe.auc)}
            for probe in metric.probes
        ],
    }


def _listed(array: np.ndarray) -> Any:
    """An array as nested lists that strict JSON can hold."""
    return [_listed(row) for row in array] if array.ndim > 1 else [encode_number(value) for value in array.tolist()]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"
