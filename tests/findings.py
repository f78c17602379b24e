"""Findings of details that were made without a whole audit."""

import json
from typing import Any

import numpy as np

from core.audits import KINDS
from core.claims import Claim
from core.contracts.decision import DecisionSettings
from core.contracts.metric import FittedMetric
from core.data.encoder import Encoder
from core.data.roles import GoodEnd
from core.figures.chart import Drawing
from core.finding import AbstractFinding, room_of
from core.inference.estimate import Verdict
from core.inference.evidence import Evidence
from core.judge import judge
from core.result import AuditResult, DataSummary, ModelSummary

NO_MODEL = ModelSummary("", "", "", Encoder.model_construct(columns=()), (), np.zeros((0, 0), dtype=np.int64))
NO_METRIC = FittedMetric("", (), np.zeros((0, 0)), np.zeros((0, 0)), np.zeros(0))
NOBODY_LEFT_OUT = DataSummary("", 0, 0, (), 0, "", "", ())


def found(detail: Any, decision: DecisionSettings, good_end: GoodEnd = "not said", **known: Any) -> Any:
    """The finding of ``detail`` under ``decision``; ``known`` are other fields of the result, where they matter."""
    kind = KINDS[decision.kind]
    metric = NO_METRIC if "metric" in kind.settings.model_fields else None
    rest: dict[str, Any] = {"data": NOBODY_LEFT_OUT, "model": NO_MODEL, "metric": metric, "caveats": (), "versions": ()}
    values = {"audit": kind.settings.model_construct(), "detail": detail, "seed": 0, "seconds": 0.0, **rest, **known}
    finding: AbstractFinding[Any, Any] = room_of(kind).finding(AuditResult(**values), decision, good_end)
    return finding


def drawn_for_a_page(drawing: Drawing) -> str:
    """What the figure says as JSON, in small letters, once it was seen to be drawn, told, and as wide as its page."""
    figure = drawing.figure
    text = figure.to_json()
    json.loads(text)
    assert figure.data or figure.layout.annotations
    assert len(drawing.alt) > 40
    assert figure.layout.width is None
    assert figure.layout.margin.l + figure.layout.margin.r <= 40
    return text.replace("\\u003c", "<").lower()


def verdict_of(evidence: Evidence, delta: float, alpha: float) -> Verdict:
    """What the judge says of one estimate against which nothing speaks."""
    defined = not getattr(evidence, "undefined", "")
    return judge([Claim.of_evidence(evidence, delta, alpha, what="", judged=defined)])
