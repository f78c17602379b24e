"""Every number of a sensitivity audit of columns that a report shows, collected once."""

from dataclasses import dataclass

import numpy as np

from core.audits.column_sensitivity import AttributeScores, ColumnSensitivityDetail
from core.audits.column_sensitivity.reading import ColumnSensitivityReading
from core.encoder import Encoder
from core.inference.holm import holm
from core.inference.resampled import ResampledEstimate
from core.report.numbers import Numbers
from core.result import ColumnSensitivityResult
from core.words_column_sensitivity import verdict_headline, verdict_sentence


@dataclass(frozen=True)
class AttributeNumbers:
    """One protected attribute; shares of probability.

    Attributes:
        attribute: Its name.
        read: Whether the model reads it.
        change: Mean change of the answer.
        change_low: Lower end of its interval.
        change_high: Upper end.
        adjusted_p: p-value of "the mean change is at most the tolerance", adjusted for the other attributes (Holm).
        slope: Mean slope; NaN, like its interval, if the model has no gradients.
        slope_low: Lower end of its interval.
        slope_high: Upper end.
        flipped: People who would get another predicted outcome in some other group.
        flipped_low: Lower end of the share's interval (Wilson).
        flipped_high: Upper end.
    """

    attribute: str
    read: bool
    change: float
    change_low: float
    change_high: float
    adjusted_p: float
    slope: float
    slope_low: float
    slope_high: float
    flipped: int
    flipped_low: float
    flipped_high: float


@dataclass(frozen=True)
class GroupNumbers:
    """The read measure among people of one group; the intervals of all groups hold together."""

    group: str
    people: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class ShiftNumbers:
    """By how much an encoded column changes on average when everybody else is put into a group.

    Attributes:
        column: Its name, as the encoder names it.
        group: The group people are put into.
        shift: Mean change in original units, or of an indicator's share.
        indicator: Whether the column marks a category by 0 and 1.
    """

    column: str
    group: str
    shift: float
    indicator: bool


@dataclass(frozen=True)
class ColumnSensitivityNumbers(Numbers):
    """Everything that follows from a sensitivity audit of columns under one reading.

    Attributes:
        attribute: The attribute the verdict is about.
        estimate: Mean of the read measure; NaN, like all that follows, if undefined.
        interval_low: Lower end of the two-sided interval.
        interval_high: Upper end.
        lower_bound: One-sided lower bound.
        upper_bound: One-sided upper bound.
        lower_error: Monte-Carlo standard error of the lower bound.
        upper_error: Monte-Carlo standard error of the upper bound.
        n: People it rests on.
        undefined: Why there is no value; empty when there is one.
        attributes: Every attribute that was changed.
        groups: The read measure by people's own group.
        groups_p: p-value of "the means of all groups are alike"; NaN with fewer than two large groups.
        shifts: What changes in the encoded columns.
        learned_on: Rows the mean changes of features were learned from.
    """

    attribute: str
    estimate: float
    interval_low: float
    interval_high: float
    lower_bound: float
    upper_bound: float
    lower_error: float
    upper_error: float
    n: int
    undefined: str
    attributes: tuple[AttributeNumbers, ...]
    groups: tuple[GroupNumbers, ...]
    groups_p: float
    shifts: tuple[ShiftNumbers, ...]
    learned_on: int


def collect(result: ColumnSensitivityResult, reading: ColumnSensitivityReading) -> ColumnSensitivityNumbers:
    """All numbers of ``result`` under ``reading``."""
    detail = result.detail
    one, found = detail.of(reading), detail.estimate(reading)
    ends = found.two_sided(reading.alpha)
    errors = (
        (found.lower_error(reading.alpha), found.upper_error(reading.alpha))
        if isinstance(found, ResampledEstimate)
        else (float("nan"), float("nan"))
    )
    groups = None if found.undefined else detail.group_means(reading)
    return ColumnSensitivityNumbers(
        headline=verdict_headline(result, reading),
        sentence=verdict_sentence(result, reading),
        verdict=detail.verdict(reading),
        reasons=detail.reasons(reading),
        p_value=found.p_value(reading.delta),
        attribute=one.attribute,
        estimate=found.value,
        interval_low=ends.low,
        interval_high=ends.high,
        lower_bound=found.lower_bound(reading.alpha),
        upper_bound=found.upper_bound(reading.alpha),
        lower_error=errors[0],
        upper_error=errors[1],
        n=found.n,
        undefined=found.undefined,
        attributes=_attributes(detail, reading),
        groups=()
        if groups is None
        else tuple(
            GroupNumbers(name, int(rows), float(mean), float(low), float(high))
            for name, rows, mean, low, high in zip(
                one.groups, groups.rows, groups.means, groups.low, groups.high, strict=True
            )
        ),
        groups_p=float("nan") if groups is None else groups.p_value,
        shifts=_shifts(one, result.model.encoder),
        learned_on=detail.learned_on,
    )


def _attributes(detail: ColumnSensitivityDetail, reading: ColumnSensitivityReading) -> tuple[AttributeNumbers, ...]:
    read = [
        tuple(
            detail.estimate(reading.model_copy(update={"attribute": one.attribute, "measure": measure}))
            for measure in ("change", "slope")
        )
        for one in detail.attributes
    ]
    adjusted = holm(np.array([change.p_value(reading.delta) for change, _ in read]))
    found = []
    for one, (change, slope), p_value in zip(detail.attributes, read, adjusted, strict=True):
        moved, steep, share = (each.two_sided(reading.alpha) for each in (change, slope, one.flips))
        found.append(
            AttributeNumbers(
                one.attribute,
                one.read,
                change.value,
                moved.low,
                moved.high,
                float(p_value),
                slope.value,
                steep.low,
                steep.high,
                one.flips.count,
                share.low,
                share.high,
            )
        )
    return tuple(found)


def _shifts(one: AttributeScores, encoder: Encoder) -> tuple[ShiftNumbers, ...]:
    scale = {
        name: getattr(encoder.columns[source], "scale", None)
        for name, source in zip(encoder.names, encoder.sources, strict=True)
    }
    return tuple(
        ShiftNumbers(name, group, float(one.shift[g, j]) * (scale[name] or 1.0), scale[name] is None)
        for j, name in enumerate(one.columns)
        for g, group in enumerate(one.groups)
    )
