"""The estimates of a sensitivity audit: means of the measures, differences and ratios of two models, groups, flips.

A text that occurs several times, or beside its own counterpart, counts once, with the mean of its values: copies are
no independent evidence, and ten of each would make every interval three times too narrow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.data.dataset import MINIMUM_ROWS
from core.inference.mean import RatioOfMeans, mean_difference, mean_of, ratio_of_means
from core.inference.resampled import ResampledEstimate
from core.inference.several_means import SeveralMeans, several_means
from core.inference.share import Share

if TYPE_CHECKING:
    from core.audits.text_sensitivity.decision import Measure
    from core.audits.text_sensitivity.result import TextScores, TextSensitivityDetail

NO_REFERENCE = "There is no second model to compare with."
NOTHING_EXCHANGED = "No text holds a word that could be exchanged for its counterpart."

_BY_STATUS, _BY_LIST, _SIGNED = ("P2", "P3"), ("P4", "P5"), ("P3", "P5")


@dataclass(frozen=True)
class GroupMeans:
    """A measure's mean in each group of one protected attribute; see :class:`SeveralMeans` for the intervals.

    Attributes:
        attribute: The attribute.
        groups: Its values, length g.
        found: Means, simultaneous intervals and differences.
    """

    attribute: str
    groups: tuple[str, ...]
    found: SeveralMeans


@dataclass(frozen=True)
class Correlation:
    """A rank correlation of n texts with its 95% interval; NaN where either side does not vary."""

    value: float
    low: float
    high: float
    n: int


def column(scores: TextScores, measure: Measure, signed: bool) -> np.ndarray:
    """A model's measure of every text, shape (n,); NaN where not applicable. ``signed`` matters to P3 and P5 only."""
    from core.audits.text_sensitivity.result import MEASURES

    if signed and measure in _SIGNED:
        return scores.signed[:, _SIGNED.index(measure)]
    return scores.measures[:, MEASURES.index(measure)]


def once(values: np.ndarray, same: np.ndarray | None) -> np.ndarray:
    """One value for each different text, the mean over its copies; in the order of the texts' numbers.

    Args:
        values: Values of n texts, finite; shape (..., n).
        same: Equal for texts that count as one, shape (n,), int; None where all differ.
    """
    if same is None:
        return values
    _, number, copies = np.unique(same, return_inverse=True, return_counts=True)
    summed = np.zeros((*values.shape[:-1], len(copies)))
    np.add.at(summed.T, number, values.T)
    found: np.ndarray = summed / copies
    return found


def of_different_texts(detail: TextSensitivityDetail, values: np.ndarray) -> np.ndarray:
    """Values of the different texts to which a measure, or all of several, apply; shape (..., n) -> (..., m)."""
    known = np.isfinite(values).reshape(-1, values.shape[-1]).all(axis=0)
    return once(values[..., known], None if detail.same is None else detail.same[known])


def missing(detail: TextSensitivityDetail, measure: Measure) -> str:
    """Why no text has a value of the measure, one sentence; empty if some have."""
    if np.isfinite(column(detail.audited, measure, False)).any():
        return ""
    if measure in _BY_STATUS and detail.status is None:
        return f"{measure} needs a protected status model, and there is none."
    if measure in _BY_LIST:
        return f"No text holds a word of the list that the model reads, so {measure} applies to none of them."
    return NOTHING_EXCHANGED if measure == "CF" else f"{measure} applies to none of the texts."


def mean_measure(
    detail: TextSensitivityDetail, scores: TextScores, measure: Measure, signed: bool
) -> ResampledEstimate:
    """Mean of a model's measure over the texts it applies to; undefined below 30 of them."""
    values = of_different_texts(detail, column(scores, measure, signed))
    if why := _too_few(detail, len(values), measure):
        return undefined(len(values), why)
    if signed and measure in _SIGNED:
        return mean_difference(values, draws=detail.draws, seed=detail.seed)
    return mean_of(values, draws=detail.draws, seed=detail.seed, largest=1.0 if measure == "CF" else math.inf)


def paired_difference(detail: TextSensitivityDetail, measure: Measure, signed: bool) -> ResampledEstimate:
    """Mean over texts of the audited model's measure less the second model's."""
    if detail.reference is None:
        return undefined(0, NO_REFERENCE)
    difference = column(detail.audited, measure, signed) - column(detail.reference, measure, signed)
    difference = of_different_texts(detail, difference)
    if why := _too_few(detail, len(difference), measure):
        return undefined(len(difference), why)
    return mean_difference(difference, draws=detail.draws, seed=detail.seed)


def ratio_to_reference(detail: TextSensitivityDetail, measure: Measure) -> RatioOfMeans:
    """How many times as sensitive the audited model is as the second one: the ratio of their mean measures."""
    if detail.reference is None:
        return RatioOfMeans(undefined(0, NO_REFERENCE))
    pair = np.stack([column(one, measure, False) for one in (detail.audited, detail.reference)])
    kept = of_different_texts(detail, pair)
    if why := _too_few(detail, kept.shape[1], measure):
        return RatioOfMeans(undefined(kept.shape[1], why))
    return ratio_of_means(kept[0], kept[1], draws=detail.draws, seed=detail.seed)


def group_means(detail: TextSensitivityDetail, measure: Measure, signed: bool, alpha: float) -> tuple[GroupMeans, ...]:
    """The audited model's measure by group, for every protected attribute; intervals hold together within each."""
    values = column(detail.audited, measure, signed)
    known = np.isfinite(values)
    found = []
    for one in detail.memberships:
        own, codes = values[known], one.codes[known]
        if detail.same is not None:
            apart = detail.same[known] * len(one.groups) + codes
            own, codes = once(own, apart), np.unique(apart) % len(one.groups)
        means = several_means(own, codes, len(one.groups), alpha, draws=detail.draws, seed=detail.seed)
        found.append(GroupMeans(one.attribute, one.groups, means))
    return tuple(found)


def flips(scores: TextScores, same: np.ndarray | None) -> Share:
    """Different texts whose predicted class changes when words are exchanged, among those with something exchanged."""
    exchanged = np.isfinite(column(scores, "CF", False))
    changed = once(scores.flipped[exchanged].astype(np.float64), None if same is None else same[exchanged]) > 0
    return Share(int(np.count_nonzero(changed)), len(changed))


def with_confidence(detail: TextSensitivityDetail, measure: Measure, signed: bool) -> Correlation:
    """Spearman's rank correlation of a measure with the audited model's confidence.

    The interval is Fisher's with the variance (1 + r²/2) / (n - 3) of Bonett and Wright (2000).
    """
    values, confidence = of_different_texts(
        detail, np.stack([column(detail.audited, measure, signed), detail.audited.confidence])
    )
    n = len(values)
    if n < MINIMUM_ROWS or np.ptp(values) == 0 or np.ptp(confidence) == 0:
        return Correlation(math.nan, math.nan, math.nan, n)
    from scipy.stats import norm, spearmanr

    found = float(spearmanr(values, confidence).statistic)
    if abs(found) >= 1:
        return Correlation(found, found, found, n)
    half = float(norm.ppf(0.975)) * math.sqrt((1 + found**2 / 2) / (n - 3))
    return Correlation(found, math.tanh(math.atanh(found) - half), math.tanh(math.atanh(found) + half), n)


def _too_few(detail: TextSensitivityDetail, texts: int, measure: Measure) -> str:
    if texts >= MINIMUM_ROWS:
        return ""
    if not texts and (why := missing(detail, measure)):
        return why
    what = "text holds words that can be exchanged" if measure == "CF" else f"text has a value of {measure}"
    what = what if texts == 1 else what.replace("text holds", "texts hold").replace("text has", "texts have")
    return f"Only {texts} {what}; a mean needs at least {MINIMUM_ROWS}."


def undefined(texts: int, why: str) -> ResampledEstimate:
    """No estimate, and why."""
    return ResampledEstimate(math.nan, texts, np.empty(0), undefined=why)
