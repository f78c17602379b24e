"""What the record of a text sensitivity test keeps, and its report shows: aggregates and words of several texts, never
a text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.audits.text_sensitivity.decision import MEASURES, TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.estimates import Estimates, GroupMeans
from core.audits.text_sensitivity.result import WordScores
from core.base.thresholds import FEWEST_ROWS
from core.inference.excess import LEVEL, GroupExcess
from core.inference.several import holm
from core.language.told import retold
from core.protected_status.model import StatusReport

Model = Literal["audited", "second"]

FEWEST_TEXTS = 5
"""Words in fewer texts are not told: they may say whose text it was."""
MOST_WORDS = 20


@dataclass(frozen=True)
class MeanSummary:
    """One model's mean of one measure; NaN where ``undefined`` says why."""

    model: Model
    measure: TextMeasure
    mean: float
    low: float
    high: float
    texts: int
    undefined: str


@dataclass(frozen=True)
class RatioSummary:
    """How many times as sensitive as the second model the audited one is; NaN where ``undefined`` says why."""

    measure: TextMeasure
    ratio: float
    low: float
    high: float
    undefined: str


@dataclass(frozen=True)
class GroupSummary:
    """The audited model's mean in one group; the interval holds together with those of the attribute's other groups.

    Attributes:
        measure: Which.
        attribute: The protected attribute.
        group: Its value.
        texts: Texts of the group to which the measure applies.
        mean: Their mean; NaN, like the interval, with fewer than 30 texts: it would tell much about single ones.
        low: Lower end.
        high: Upper end.
        p_value: Of "neither the mean nor the share of changed classes exceeds the tolerance" when words are exchanged,
            adjusted for all groups of all attributes (Holm); NaN where something else is judged.
        beyond: Whether that is rejected.
    """

    measure: TextMeasure
    attribute: str
    group: str
    texts: int
    mean: float
    low: float
    high: float
    p_value: float
    beyond: bool


@dataclass(frozen=True)
class DifferenceSummary:
    """The largest difference between two groups, with an interval that holds together for all pairs."""

    measure: TextMeasure
    attribute: str
    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True)
class FlipSummary:
    """Texts whose predicted class changes when words are exchanged, with Wilson's interval."""

    model: Model
    changed: int
    texts: int
    low: float
    high: float


@dataclass(frozen=True)
class StatusSummary:
    """How well the protected status model recognises one group on texts it never learned from."""

    group: str
    texts: int
    accuracy: float
    low: float
    high: float


@dataclass(frozen=True)
class JudgementSummary:
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

    measure: TextMeasure
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
class WordSummary:
    """One word of at least five texts: its mean share of a text's wᵀJ and of v."""

    word: str
    texts: int
    task: float
    status: float
    listed: bool


def means(estimates: Estimates, decision: TextSensitivityDecision) -> tuple[MeanSummary, ...]:
    """Every measure's mean, of both models."""
    found = []
    for model in _models(estimates):
        for measure in MEASURES:
            one = estimates.mean(measure, signed=decision.signed, second=model == "second")
            ends = one.two_sided(decision.alpha)
            found.append(MeanSummary(model, measure, one.value, ends.low, ends.high, one.n, retold(one.undefined)))
    return tuple(found)


def ratios(estimates: Estimates, decision: TextSensitivityDecision) -> tuple[RatioSummary, ...]:
    """Every measure's ratio of the two models' means; empty without a second model."""
    if estimates.detail.reference is None:
        return ()
    found = []
    for measure in MEASURES:
        one = estimates.ratio(measure)
        ends = one.two_sided(decision.alpha)
        found.append(RatioSummary(measure, one.value, ends.low, ends.high, retold(one.undefined)))
    return tuple(found)


def groups(
    estimates: Estimates, decision: TextSensitivityDecision, excesses: tuple[GroupExcess, ...]
) -> tuple[GroupSummary, ...]:
    """Means by group of the judged and of the chosen measure."""
    shown = {(one.attribute, one.group): one.p_value for one in excesses}
    found = []
    for measure, one in _by_group(estimates, decision):
        for i, group in enumerate(one.groups):
            p_value = shown.get((one.attribute, group), float("nan")) if measure == "CF" else float("nan")
            found.append(
                GroupSummary(
                    measure,
                    one.attribute,
                    group,
                    int(one.found.rows[i]),
                    float(one.found.means[i]) if one.found.rows[i] >= FEWEST_ROWS else float("nan"),
                    float(one.found.low[i]),
                    float(one.found.high[i]),
                    p_value,
                    p_value <= LEVEL,
                )
            )
    return tuple(found)


def differences(estimates: Estimates, decision: TextSensitivityDecision) -> tuple[DifferenceSummary, ...]:
    """The largest difference between groups by measure and attribute, where two of them are large enough."""
    found = []
    for measure, one in _by_group(estimates, decision):
        if np.isnan(one.found.p_value):
            continue
        judged = np.where(np.isfinite(one.found.differences_low), one.found.differences, -np.inf)
        i, j = np.unravel_index(int(judged.argmax()), judged.shape)
        if i == j:
            i, j = np.argwhere(np.isfinite(judged) & ~np.eye(len(judged), dtype=bool))[0]
        found.append(
            DifferenceSummary(
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


def flips(estimates: Estimates, decision: TextSensitivityDecision) -> tuple[FlipSummary, ...]:
    """Texts whose predicted class changes, of both models."""
    found = []
    for model in _models(estimates):
        one = estimates.flips(second=model == "second")
        ends = one.two_sided(decision.alpha)
        found.append(FlipSummary(model, one.count, one.n, ends.low, ends.high))
    return tuple(found)


def status(report: StatusReport | None) -> tuple[StatusSummary, ...]:
    """How well the protected status model recognises each group; empty without one."""
    if report is None:
        return ()
    rows = zip(report.groups, report.texts, report.accuracy, report.accuracy_low, report.accuracy_high, strict=True)
    return tuple(StatusSummary(group, int(n), float(a), float(low), float(high)) for group, n, a, low, high in rows)


def annotations(estimates: Estimates, decision: TextSensitivityDecision) -> tuple[JudgementSummary, ...]:
    """How the measures go with people's judgement, with p-values adjusted for their number."""
    judged = estimates.judgements(signed=decision.signed, alpha=decision.alpha)
    nan = float("nan")
    r_p = holm(np.array([one.beyond.correlation_p if one.beyond else nan for one in judged]))
    mi_p = holm(np.array([one.beyond.information_p if one.beyond else nan for one in judged]))
    return tuple(
        JudgementSummary(
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
            retold(one.found.undefined),
        )
        for i, one in enumerate(judged)
    )


def words(scores: WordScores) -> tuple[WordSummary, ...]:
    """The words with most sensitivity."""
    told = np.flatnonzero(scores.texts >= FEWEST_TEXTS)
    order = told[np.argsort(-scores.task[told], kind="stable")][:MOST_WORDS]
    return tuple(
        WordSummary(
            scores.words[i],
            int(scores.texts[i]),
            float(scores.task[i]),
            float(scores.status[i]),
            bool(scores.listed[i]),
        )
        for i in order
    )


def _models(estimates: Estimates) -> tuple[Model, ...]:
    return ("audited",) if estimates.detail.reference is None else ("audited", "second")


def _by_group(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[tuple[TextMeasure, GroupMeans]]:
    """Groups of every attribute, by the measure that the verdict rests on and by the one chosen to be shown."""
    for measure in dict.fromkeys((decision.verdict_measure, decision.measure)):
        for one in estimates.by_group(measure, signed=decision.signed, alpha=decision.alpha):
            yield measure, one
