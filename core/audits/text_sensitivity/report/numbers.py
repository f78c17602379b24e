"""Every number of a sensitivity audit that a report shows, collected once; words of several texts, never a text."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.audits.text_sensitivity.decision import Judged, Measure, TextSensitivityDecision
from core.audits.text_sensitivity.result import MEASURES, TextSensitivityDetail, TextSensitivityResult
from core.audits.text_sensitivity.wording import judged_measure, verdict_headline, verdict_sentence
from core.data.dataset import MINIMUM_ROWS
from core.inference.holm import holm
from core.inference.resampled import ResampledEstimate
from core.report.numbers import Numbers

FEWEST_TEXTS = 5
"""Words in fewer texts are not told: they may say whose text it was."""
MOST_WORDS = 20


@dataclass(frozen=True)
class MeanNumbers:
    """One model's mean of one measure; NaN where ``undefined`` says why."""

    model: Literal["audited", "second"]
    measure: Measure
    mean: float
    low: float
    high: float
    texts: int
    undefined: str


@dataclass(frozen=True)
class RatioNumbers:
    """How many times as sensitive as the second model the audited one is; NaN where ``undefined`` says why."""

    measure: Measure
    ratio: float
    low: float
    high: float
    undefined: str


@dataclass(frozen=True)
class GroupNumbers:
    """The audited model's mean in one group; the interval holds together with those of the attribute's other groups.

    Attributes:
        measure: Which.
        attribute: The protected attribute.
        group: Its value.
        texts: Texts of the group to which the measure applies.
        mean: Their mean; NaN, like the interval, with fewer than 30 texts: it would tell much about single ones.
        low: Lower end.
        high: Upper end.
    """

    measure: Measure
    attribute: str
    group: str
    texts: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class DifferenceNumbers:
    """The largest difference between two groups, with an interval that holds together for all pairs."""

    measure: Measure
    attribute: str
    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True)
class FlipNumbers:
    """Texts whose predicted class changes when words are exchanged, with Wilson's interval."""

    model: Literal["audited", "second"]
    changed: int
    texts: int
    low: float
    high: float


@dataclass(frozen=True)
class StatusNumbers:
    """How well the protected status model recognises one group on texts it never learned from."""

    group: str
    texts: int
    accuracy: float
    low: float
    high: float


@dataclass(frozen=True)
class JudgedNumbers:
    """How one measure goes with what people found biased.

    Attributes:
        measure: Which.
        texts: Judged texts to which it applies.
        correlation: Point-biserial correlation.
        correlation_low: Lower end of its interval.
        correlation_high: Upper end.
        information: Mutual information in nats.
        information_low: Lower end.
        information_high: Upper end.
        correlation_p: Paired bootstrap of "correlates no better than CF", adjusted (Holm); NaN for CF.
        information_p: The same for the mutual information.
        undefined: Why there is no number; empty when there is one.
    """

    measure: Measure
    texts: int
    correlation: float
    correlation_low: float
    correlation_high: float
    information: float
    information_low: float
    information_high: float
    correlation_p: float
    information_p: float
    undefined: str


@dataclass(frozen=True)
class WordNumbers:
    """One word of at least five texts: its mean share of a text's wᵀJ and of v."""

    word: str
    texts: int
    task: float
    status: float
    listed: bool


@dataclass(frozen=True)
class TextSensitivityNumbers(Numbers):
    """Everything that follows from a sensitivity audit under decision settings.

    Attributes:
        judged: What the verdict is about.
        measure: The measure that the verdict rests on.
        estimate: Its mean, or the mean difference to the second model; NaN, like all that follows, if undefined.
        interval_low: Lower end of the two-sided interval.
        interval_high: Upper end.
        lower_bound: One-sided lower bound.
        upper_bound: One-sided upper bound.
        lower_error: Monte-Carlo standard error of the lower bound.
        upper_error: Monte-Carlo standard error of the upper bound.
        n: Texts it rests on.
        undefined: Why there is no value; empty when there is one.
        texts: Measured texts.
        listed_texts: Texts with a word that names a group.
        exchanged_texts: Texts in which a word was exchanged.
        cut_texts: Texts longer than the model reads.
        cut_words: Words of them that it does not read.
        means: Every measure's mean, of both models.
        ratios: How many times as sensitive as the second model; empty without one.
        groups: Means by group of the judged and of the chosen measure.
        differences: The largest difference between groups by measure and attribute.
        flips: Texts whose predicted class changes.
        confidence: Rank correlation of the chosen measure with the model's confidence.
        status: Accuracy of the protected status model by group.
        annotations: How the measures go with people's judgement.
        words: The words with most sensitivity.
    """

    judged: Judged
    measure: Measure
    estimate: float
    interval_low: float
    interval_high: float
    lower_bound: float
    upper_bound: float
    lower_error: float
    upper_error: float
    n: int
    undefined: str
    texts: int
    listed_texts: int
    exchanged_texts: int
    cut_texts: int
    cut_words: int
    means: tuple[MeanNumbers, ...]
    ratios: tuple[RatioNumbers, ...]
    groups: tuple[GroupNumbers, ...]
    differences: tuple[DifferenceNumbers, ...]
    flips: tuple[FlipNumbers, ...]
    confidence: float
    status: tuple[StatusNumbers, ...]
    annotations: tuple[JudgedNumbers, ...]
    words: tuple[WordNumbers, ...]


def collect(result: TextSensitivityResult, decision: TextSensitivityDecision) -> TextSensitivityNumbers:
    """All numbers of ``result`` under ``decision``."""
    detail = result.detail
    found = detail.estimate(decision)
    ends = found.two_sided(decision.alpha)
    drawn = found if isinstance(found, ResampledEstimate) else None
    return TextSensitivityNumbers(
        headline=verdict_headline(result, decision),
        sentence=verdict_sentence(result, decision),
        verdict=detail.verdict(decision),
        reasons=detail.reasons(decision),
        p_value=found.p_value(decision.delta),
        judged=decision.judged,
        measure=judged_measure(decision),
        estimate=found.value,
        interval_low=ends.low,
        interval_high=ends.high,
        lower_bound=found.lower_bound(decision.alpha),
        upper_bound=found.upper_bound(decision.alpha),
        lower_error=drawn.lower_error(decision.alpha) if drawn else float("nan"),
        upper_error=drawn.upper_error(decision.alpha) if drawn else float("nan"),
        n=found.n,
        undefined=found.undefined,
        texts=len(detail.label),
        listed_texts=detail.listed_texts,
        exchanged_texts=detail.exchanged_texts,
        cut_texts=detail.cut_texts,
        cut_words=detail.cut_words,
        means=_means(detail, decision),
        ratios=_ratios(detail, decision),
        groups=_groups(detail, decision),
        differences=_differences(detail, decision),
        flips=_flips(detail, decision),
        confidence=detail.with_confidence(decision.measure, decision.signed).value,
        status=_status(detail),
        annotations=_annotations(detail, decision),
        words=_words(detail),
    )


def measures_told(decision: TextSensitivityDecision) -> tuple[Measure, ...]:
    """The measure that the verdict rests on, and the one chosen to be shown."""
    return tuple(dict.fromkeys((judged_measure(decision), decision.measure)))


def _means(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> tuple[MeanNumbers, ...]:
    found = []
    models: tuple[Literal["audited", "second"], ...] = (
        ("audited",) if detail.reference is None else ("audited", "second")
    )
    for model in models:
        for measure in MEASURES:
            one = detail.measure_estimate(measure, decision.signed, second=model == "second")
            ends = one.two_sided(decision.alpha)
            found.append(MeanNumbers(model, measure, one.value, ends.low, ends.high, one.n, one.undefined))
    return tuple(found)


def _ratios(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> tuple[RatioNumbers, ...]:
    if detail.reference is None:
        return ()
    found = []
    for measure in MEASURES:
        one = detail.ratio(measure)
        ends = one.two_sided(decision.alpha)
        found.append(RatioNumbers(measure, one.value, ends.low, ends.high, one.undefined))
    return tuple(found)


def _groups(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> tuple[GroupNumbers, ...]:
    return tuple(
        GroupNumbers(
            measure,
            one.attribute,
            group,
            int(one.found.rows[i]),
            float(one.found.means[i]) if one.found.rows[i] >= MINIMUM_ROWS else float("nan"),
            float(one.found.low[i]),
            float(one.found.high[i]),
        )
        for measure in measures_told(decision)
        for one in detail.group_estimates(measure, decision.signed, decision.alpha)
        for i, group in enumerate(one.groups)
    )


def _differences(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> tuple[DifferenceNumbers, ...]:
    found = []
    for measure in measures_told(decision):
        for one in detail.group_estimates(measure, decision.signed, decision.alpha):
            judged = np.where(np.isfinite(one.found.differences_low), one.found.differences, -np.inf)
            if np.isnan(one.found.p_value):
                continue
            i, j = np.unravel_index(int(judged.argmax()), judged.shape)
            if i == j:
                i, j = np.argwhere(np.isfinite(judged) & ~np.eye(len(judged), dtype=bool))[0]
            found.append(
                DifferenceNumbers(
                    measure,
                    one.attribute,
                    one.groups[i],
                    one.groups[j],
                    float(one.found.differences[i, j]),
                    float(one.found.differences_low[i, j]),
                    float(one.found.differences_high[i, j]),
                    one.found.p_value,
                )
            )
    return tuple(found)


def _flips(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> tuple[FlipNumbers, ...]:
    found = []
    models: tuple[Literal["audited", "second"], ...] = (
        ("audited",) if detail.reference is None else ("audited", "second")
    )
    for model in models:
        one = detail.flips(second=model == "second")
        ends = one.two_sided(decision.alpha)
        found.append(FlipNumbers(model, one.count, one.n, ends.low, ends.high))
    return tuple(found)


def _status(detail: TextSensitivityDetail) -> tuple[StatusNumbers, ...]:
    report = detail.status
    if report is None:
        return ()
    rows = zip(report.groups, report.texts, report.accuracy, report.accuracy_low, report.accuracy_high, strict=True)
    return tuple(StatusNumbers(group, int(n), float(a), float(low), float(high)) for group, n, a, low, high in rows)


def _annotations(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> tuple[JudgedNumbers, ...]:
    judged = detail.judged(decision.signed, decision.alpha)
    nan = float("nan")
    r_p = holm(np.array([one.beyond.correlation_p if one.beyond else nan for one in judged]))
    mi_p = holm(np.array([one.beyond.information_p if one.beyond else nan for one in judged]))
    return tuple(
        JudgedNumbers(
            one.measure,
            one.found.n,
            one.found.correlation,
            one.found.correlation_low,
            one.found.correlation_high,
            one.found.information,
            one.found.information_low,
            one.found.information_high,
            float(r_p[i]),
            float(mi_p[i]),
            one.found.undefined,
        )
        for i, one in enumerate(judged)
    )


def _words(detail: TextSensitivityDetail) -> tuple[WordNumbers, ...]:
    words = detail.words
    told = np.flatnonzero(words.texts >= FEWEST_TEXTS)
    order = told[np.argsort(-words.task[told], kind="stable")][:MOST_WORDS]
    return tuple(
        WordNumbers(
            words.words[i], int(words.texts[i]), float(words.task[i]), float(words.status[i]), bool(words.listed[i])
        )
        for i in order
    )
