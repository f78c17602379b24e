"""The group tables of a fair-dummies test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.audits.groups.decisions import decision_tables
from core.audits.groups.numbers import number_tables
from core.audits.groups.table import GroupTable

if TYPE_CHECKING:
    from core.audits.equalized_odds.decision import EqualizedOddsDecision
    from core.audits.equalized_odds.result import EqualizedOddsDetail


def tables_of(detail: EqualizedOddsDetail, decision: EqualizedOddsDecision) -> tuple[GroupTable, ...]:
    """The tables of every attribute and of every two, at the decision's error rate; worked out once."""
    return detail._once(("groups", decision.alpha), lambda: _tables(detail, decision.alpha))


def _tables(detail: EqualizedOddsDetail, alpha: float) -> tuple[GroupTable, ...]:
    if detail.numbers:
        return number_tables(detail.outcome, detail.answers[:, 0], detail.attributes, alpha)
    favourable = detail.answers[:, detail.favourable] if detail.favourable >= 0 else np.array([])
    only_decisions = bool(np.isin(favourable, (0.0, 1.0)).all())
    return decision_tables(
        detail.outcome.astype(np.int64),
        detail.decisions,
        detail.attributes,
        alpha,
        classes=detail.classes,
        favourable=detail.favourable,
        scores=None if only_decisions else favourable,
    )
