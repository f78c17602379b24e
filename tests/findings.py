"""Findings of details that were made without a whole audit."""

from typing import Any

import numpy as np

from core.audits import KINDS
from core.data.encoder import Encoder
from core.decision import DecisionSettings
from core.finding import AbstractFinding
from core.metric import FittedMetric
from core.result import AuditResult, DataSummary, ModelSummary

NO_MODEL = ModelSummary("", "", "", Encoder.model_construct(), (), np.zeros((0, 0), dtype=np.int64))
NO_METRIC = FittedMetric("", (), np.zeros((0, 0)), np.zeros((0, 0)), np.zeros(0))
NOBODY_LEFT_OUT = DataSummary("", 0, 0, (), 0, "", "", ())


def found(detail: Any, decision: DecisionSettings, **known: Any) -> Any:
    """The finding of ``detail`` under ``decision``; ``known`` are other fields of the result, where they matter."""
    kind = KINDS[decision.kind]
    metric = NO_METRIC if "metric" in kind.settings.model_fields else None
    rest: dict[str, Any] = {"data": NOBODY_LEFT_OUT, "model": NO_MODEL, "metric": metric, "notices": (), "versions": ()}
    values = {"audit": kind.settings.model_construct(), "detail": detail, "seed": 0, "seconds": 0.0, **rest, **known}
    finding: AbstractFinding[Any, Any] = kind.finding(AuditResult(**values), decision)
    return finding
