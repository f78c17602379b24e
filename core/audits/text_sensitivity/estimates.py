"""The estimates of a text sensitivity test: means of the measures, two models compared, groups, flips, correlations.

A text that occurs several times, or beside its own counterpart, counts once, with the mean of its values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.corners import TextPart, parts
from core.audits.text_sensitivity.decision import MEASURES, SIGNED, TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityDetail, TextSensitivityResult
from core.base.thresholds import FEWEST_CLUSTERS, FEWEST_ROWS
from core.inference.association import Association, Increase, association, increase
from core.inference.bounded import means_with_zero
from core.inference.excess import GROUP_DRAWS, GroupExcess, excesses
from core.inference.mean import RatioOfMeans, mean_difference, mean_of, ratio_of_means
from core.inference.resampled import ResampledEstimate
from core.inference.sampling import Sampling
from core.inference.several_means import SeveralMeans, several_means
from core.inference.share import Share, share_of
from core.language.phrases import count
from core.language.reader import language
from core.language.told import retold, say, say_count
from core.text.copies import mean_of_copies

_NO_REFERENCE = say("There is no second model to compare with.")

_BY_STATUS, _BY_LIST = ("P2", "P3"), ("P4", "P5")


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


@dataclass(frozen=True)
class Estimates:
    """What can be estimated from a result, whatever the tolerance; each answer is worked out once for the result.

    ``signed`` matters to P3 and P5 only, and takes their signed form.
    """

    result: TextSensitivityResult

    @property
    def detail(self) -> TextSensitivityDetail:
        """What the test kept."""
        return self.result.detail

    def of_verdict(self, decision: TextSensitivityDecision) -> ResampledEstimate:
        """What the verdict rests on, with its interval, bounds and p-value by the studentised bootstrap.

        Swaps: the mean share of probability that moves, over texts in which a word was exchanged. Reference: the mean
        difference of the decision's measure, audited less second model, over texts to which it applies in both.
        """
        if decision.judged == "swaps":
            return self.mean("CF")
        return self.difference(decision.measure, signed=decision.signed)

    def mean(self, measure: TextMeasure, *, signed: bool = False, second: bool = False) -> ResampledEstimate:
        """Mean of a measure over the texts it applies to, of the audited or of the second model."""
        return self.result.once(
            ("mean", measure, signed, second), lambda: _mean(self.detail, measure, signed=signed, second=second)
        )

    def difference(self, measure: TextMeasure, *, signed: bool = False) -> ResampledEstimate:
        """Mean over texts of the audited model's measure less the second model's."""
        return self.result.once(
            ("difference", measure, signed), lambda: _paired_difference(self.detail, measure, signed=signed)
        )

    def ratio(self, measure: TextMeasure) -> RatioOfMeans:
        """How many times as sensitive as the second model the audited one is: the ratio of their mean measures."""
        return self.result.once(("ratio", measure), lambda: _ratio(self.detail, measure))

    def by_group(self, measure: TextMeasure, *, signed: bool = False, alpha: float = 0.05) -> tuple[GroupMeans, ...]:
        """The audited model's measure by group, one entry a protected attribute; intervals hold together within it."""
        return self.result.once(
            ("groups", measure, signed, alpha), lambda: _by_group(self.detail, measure, alpha, signed=signed)
        )

    def flips(self, *, second: bool = False) -> Share:
        """Different texts whose predicted class changes when words are exchanged, among those with something exchanged.

        Texts that count as one change together: if one of them does.
        """
        scores = self.detail.reference if second else self.detail.audited
        if scores is None:
            return Share(0, 0)
        flipped = np.where(scores.exchanged, scores.flipped, np.nan)
        return share_of(self.detail.different(flipped) > 0, self.detail.clusters(flipped))

    @property
    def parts(self) -> tuple[TextPart, ...]:
        """Groups and corners (:mod:`core.audits.text_sensitivity.corners`)."""
        return self.result.once(("parts", language()), lambda: parts(self.detail))

    def excesses(self, delta: float) -> tuple[GroupExcess, ...]:
        """Whether exchanging words moves the texts of any group or corner beyond the tolerance, all at once."""

        def means(place: int) -> np.ndarray:
            one, seed = self.parts[place], self.detail.seed + place
            return self.result.once(
                ("part", place),
                lambda: means_with_zero(one.sample.values, draws=GROUP_DRAWS, seed=seed, clusters=one.clusters),
            )

        return excesses([one.sample for one in self.parts], delta, means)

    def with_confidence(self, measure: TextMeasure, *, signed: bool = False) -> Correlation:
        """Rank correlation of a measure with the audited model's confidence."""
        return self.result.once(
            ("confidence", measure, signed), lambda: _with_confidence(self.detail, measure, signed=signed)
        )

    def judgements(self, *, signed: bool = False, alpha: float = 0.05) -> tuple[Judgement, ...]:
        """How each measure goes with what people found biased; empty where nobody judged a text."""
        return self.result.once(("judged", signed, alpha), lambda: judgements(self.detail, alpha, signed=signed))

    def lacking(self, measure: TextMeasure) -> str:
        """Why no text has a value of the measure, one sentence; empty if some have."""
        return _lacking(self.detail, measure)


def _mean(detail: TextSensitivityDetail, measure: TextMeasure, *, signed: bool, second: bool) -> ResampledEstimate:
    scores = detail.reference if second else detail.audited
    if scores is None:
        return _undefined(0, retold(_NO_REFERENCE))
    every = scores.values(measure, signed=signed)
    values, clusters = detail.different(every), detail.clusters(every)
    if why := _too_few(detail, len(values), measure, clusters):
        return _undefined(len(values), why)
    if signed and measure in SIGNED:
        return mean_difference(values, draws=detail.draws, seed=detail.seed, clusters=clusters)
    largest = 1.0 if measure == "CF" else math.inf
    return mean_of(values, draws=detail.draws, seed=detail.seed, largest=largest, clusters=clusters)


def _paired_difference(detail: TextSensitivityDetail, measure: TextMeasure, *, signed: bool) -> ResampledEstimate:
    if detail.reference is None:
        return _undefined(0, retold(_NO_REFERENCE))
    own, other = (one.values(measure, signed=signed) for one in (detail.audited, detail.reference))
    difference, clusters = detail.different(own - other), detail.clusters(own - other)
    if why := _too_few(detail, len(difference), measure, clusters):
        return _undefined(len(difference), why)
    return mean_difference(difference, draws=detail.draws, seed=detail.seed, clusters=clusters)


def _ratio(detail: TextSensitivityDetail, measure: TextMeasure) -> RatioOfMeans:
    if detail.reference is None:
        return RatioOfMeans(_undefined(0, retold(_NO_REFERENCE)))
    both = np.stack([one.values(measure) for one in (detail.audited, detail.reference)])
    kept, clusters = detail.different(both), detail.clusters(both)
    if why := _too_few(detail, kept.shape[1], measure, clusters):
        return RatioOfMeans(_undefined(kept.shape[1], why))
    return ratio_of_means(kept[0], kept[1], draws=detail.draws, seed=detail.seed, clusters=clusters)


def _by_group(
    detail: TextSensitivityDetail, measure: TextMeasure, alpha: float, *, signed: bool
) -> tuple[GroupMeans, ...]:
    values = detail.audited.values(measure, signed=signed)
    known, families = np.isfinite(values), detail.counted_families
    found = []
    for one in detail.memberships:
        own, codes, clusters = values[known], one.codes[known], families if families is None else families[known]
        if detail.same is not None:
            apart = detail.same[known] * len(one.groups) + codes
            own, (kept, first) = mean_of_copies(own, apart), np.unique(apart, return_index=True)
            codes, clusters = kept % len(one.groups), clusters if clusters is None else clusters[first]
        sampling = Sampling(clusters)
        means = several_means(
            own, codes, len(one.groups), alpha, draws=detail.draws, seed=detail.seed, sampling=sampling
        )
        found.append(GroupMeans(one.name, one.groups, means))
    return tuple(found)


def _with_confidence(detail: TextSensitivityDetail, measure: TextMeasure, *, signed: bool) -> Correlation:
    """Spearman's rank correlation.

    The interval is Fisher's with the variance (1 + r²/2) / (n - 3) of Bonett and Wright (2000).
    """
    values, confidence = detail.different(
        np.stack([detail.audited.values(measure, signed=signed), detail.audited.confidence])
    )
    n = len(values)
    if n < FEWEST_ROWS or np.ptp(values) == 0 or np.ptp(confidence) == 0:
        return Correlation(math.nan, math.nan, math.nan, n)
    from scipy.stats import norm, spearmanr

    found = float(spearmanr(values, confidence).statistic)
    if abs(found) >= 1:
        return Correlation(found, found, found, n)
    half = float(norm.ppf(0.975)) * math.sqrt((1 + found**2 / 2) / (n - 3))
    return Correlation(found, math.tanh(math.atanh(found) - half), math.tanh(math.atanh(found) + half), n)


def _lacking(detail: TextSensitivityDetail, measure: TextMeasure) -> str:
    if np.isfinite(detail.audited.values(measure)).any():
        return ""
    if measure in _BY_STATUS and detail.status is None:
        return say("{measure} needs a protected status model, and there is none.", measure=measure)
    if measure in _BY_LIST:
        return say(
            "No text holds a word of the list that the model reads, so {measure} applies to none of them.",
            measure=measure,
        )
    if measure == "CF":
        return say("No text holds a word that could be exchanged for its counterpart.")
    return say("{measure} applies to none of the texts.", measure=measure)


def _too_few(detail: TextSensitivityDetail, texts: int, measure: TextMeasure, clusters: np.ndarray | None) -> str:
    if texts >= FEWEST_ROWS:
        families = texts if clusters is None else len(np.unique(clusters))
        if families >= FEWEST_CLUSTERS:
            return ""
        return say(
            "The {texts} belong to only {families}; texts of one are not independent, and a mean needs at "
            "least {fewest_clusters} families.",
            texts=count(texts, "text"),
            families=count(families, "family", "families"),
            fewest_clusters=FEWEST_CLUSTERS,
        )
    if not texts and (why := _lacking(detail, measure)):
        return why
    if measure == "CF":
        return say_count(
            "Only {n} text holds words that can be exchanged; a mean needs at least {fewest}.",
            "Only {n} texts hold words that can be exchanged; a mean needs at least {fewest}.",
            texts,
            fewest=FEWEST_ROWS,
        )
    return say_count(
        "Only {n} text has a value of {measure}; a mean needs at least {fewest}.",
        "Only {n} texts have a value of {measure}; a mean needs at least {fewest}.",
        texts,
        measure=measure,
        fewest=FEWEST_ROWS,
    )


def _undefined(texts: int, why: str) -> ResampledEstimate:
    return ResampledEstimate(math.nan, texts, np.empty(0), undefined=why)


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
