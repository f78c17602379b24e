"""How the measures go with what people found biased (papers/prediction-sensitivity.md, sections 6.6 and 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.decision import MEASURES, TextMeasure
from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.inference.association import Association, Increase, association, increase


@dataclass(frozen=True)
class Judgement:
    """One measure of the audited model beside people's judgement.

    Attributes:
        measure: Which.
        found: Correlation and mutual information, over texts that have a judgement and the measure.
        beyond: What it adds to exchanged words, over texts that have CF too; None for CF itself.
    """

    measure: TextMeasure
    found: Association
    beyond: Increase | None


def judgements(detail: TextSensitivityDetail, alpha: float, *, signed: bool) -> tuple[Judgement, ...]:
    """Every measure that applies to some judged text; empty where nobody judged a text.

    Copies of a text that were judged alike count once.
    """
    known = _different(detail) & np.isfinite(detail.annotation)
    swaps = detail.audited.values("CF")
    draws, seed = detail.draws, detail.seed
    found = []
    for measure in MEASURES:
        values = detail.audited.values(measure, signed=signed)
        rows = known & np.isfinite(values)
        if not rows.any():
            continue
        own = association(values[rows], detail.annotation[rows], alpha, draws=draws, seed=seed)
        beyond = None
        if measure != "CF" and (both := rows & np.isfinite(swaps)).any():
            beyond = increase(values[both], swaps[both], detail.annotation[both], alpha, draws=draws, seed=seed)
        found.append(Judgement(measure, own, beyond))
    return tuple(found)


def _different(detail: TextSensitivityDetail) -> np.ndarray:
    """The first of the texts that count as one and were judged alike, shape (n,), bool."""
    if detail.same is None:
        return np.ones(len(detail.annotation), dtype=bool)
    judged_alike = np.stack([detail.same.astype(np.float64), np.nan_to_num(detail.annotation, nan=-1.0)])
    first = np.zeros(len(detail.annotation), dtype=bool)
    first[np.unique(judged_alike, axis=1, return_index=True)[1]] = True
    return first
