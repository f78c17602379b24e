"""What fairness costs by a comparison, in a headline, a sentence and tables."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.groups.wording_groups import too_small
from core.inference.estimate import Interval
from core.phrases import number, p_value, percent, precision
from core.report.tables import Table
from core.workflows.mitigation.findings import FEWEST
from core.workflows.mitigation.result import FairerFit, FairerResult
from core.workflows.mitigation.settings import FairerPlan
from core.workflows.mitigation.words import name


def rise(result: FairerResult, fit: FairerFit, alpha: float) -> tuple[float, Interval]:
    """How much larger a model's error on the test part is than the plain one's, in the measure's unit.

    Both are tried on the same people. Of shares of wrong answers the interval is Wald's with two people added to the
    differences, half a person each way (Agresti and Min 2005, "Simple improved confidence intervals for comparing
    matched proportions"), so that it has a width where no answer differs. Of RMSE it comes from the delta method (van
    der Vaart 1998, theorem 3.1) with the people's squared errors.

    Args:
        result: What was found.
        fit: One of its models.
        alpha: The interval misses with about this probability.
    """
    plain, z = result.fits[0], NormalDist().inv_cdf(1 - alpha / 2)
    n = len(fit.each)
    value = float(result.errors(fit)[2, 0] - result.errors(plain)[2, 0])
    if result.classes:
        differences = fit.each - plain.each
        middle = float(differences.sum()) / (n + 2)
        variance = (float((differences**2).sum()) + 1) / (n + 2) - middle**2
        half = z * math.sqrt(variance / (n + 2))
        return value, Interval(min(middle - half, value), max(middle + half, value), 1 - alpha)
    roots = [max(float(result.errors(one)[2, 0]), np.finfo(np.float64).tiny) for one in (fit, plain)]
    influence = fit.each / (2 * roots[0]) - plain.each / (2 * roots[1])
    half = z * float(influence.std(ddof=1)) / math.sqrt(n)
    return value, Interval(value - half, value + half, 1 - alpha)


def enough(result: FairerResult) -> bool:
    """Whether the test part has two groups of at least 30 people, without which nothing is said about them."""
    return int((result.rows[2, 1:] >= FEWEST).sum()) >= 2


def violates(result: FairerResult, fit: FairerFit, alpha: float) -> bool:
    """Whether there is evidence that answers depend on the group among people with the same outcome.

    It is a small p-value, or a gap that the bounds show to be there: the test's r̂ predicts a mean, and is blind to
    other differences. Gaps within tenths of a number prove nothing, since outcomes differ there.
    """
    return fit.p_value <= alpha or (result.exact and fit.gap.low > 0)


def mended(result: FairerResult, alpha: float) -> FairerFit | None:
    """The model with the smallest λ from which on there is no evidence of a violation; None if there is at the largest.

    Models that answer the same for everybody do not count.
    """
    found = None
    for fit in reversed([one for one in result.fits[1:] if not one.constant]):
        if violates(result, fit, alpha):
            break
        found = fit
    return found


def headline(plan: FairerPlan, result: FairerResult) -> str:
    """What fairness costs, in one short sentence."""
    plain = result.fits[0]
    if not enough(result):
        return "Insufficient evidence about what fairness costs here."
    if not violates(result, plain, plan.alpha):
        return "These rows show no violation by the plain model, so they cannot tell what less of it would cost."
    fit = mended(result, plan.alpha)
    if fit is None:
        return _headline_of_none(plan, result)
    before, after = (error_text(result, float(result.errors(one)[2, 0])) for one in (plain, fit))
    _, interval = rise(result, fit, plan.alpha)
    told = f"the {result.measure} goes from {before} to {after}"
    if interval.low > 0:
        return f"To find no evidence of a violation, {told.replace(' goes ', ' rises ')}."
    if interval.high < 0:
        return f"To find no evidence of a violation, {told.replace(' goes ', ' falls ')}."
    return f"To find no evidence of a violation, {told}, which may be chance."


def sentence(plan: FairerPlan, result: FairerResult) -> str:
    """The numbers behind the headline, and what they do not show."""
    plain, level = result.fits[0], percent(plan.alpha)
    if not enough(result):
        return (
            f"Fewer than two groups of {result.attribute} have {FEWEST} people among the {result.rows[2, 0]:,} that "
            "the models are tried on. Bring more rows, or merge small groups."
        )
    start = f"The plain model's {_evidence(result, plain, plan.alpha)}"
    if not violates(result, plain, plan.alpha):
        return f"{start}, above the error rate of {level}. {_no_proof(plan, result, plain)}"
    fit = mended(result, plan.alpha)
    if fit is None:
        return f"{start}. {_none_is_free(plan, result)}"
    value, interval = rise(result, fit, plan.alpha)
    return (
        f"{start}; at {name(fit)} the {_evidence(result, fit, plan.alpha)}, above the error rate of {level}. The "
        f"difference in the {result.measure} is {_rise_text(result, value, interval)}, on the same "
        f"{result.rows[2, 0]:,} people. {_no_proof(plan, result, fit)}"
    )


def fits_table(plan: FairerPlan, result: FairerResult) -> Table:
    """Every model's errors on the test part, its test, and its largest gap."""
    confidence = percent(1 - plan.alpha)
    header = (
        "Model",
        f"{result.measure[:1].upper()}{result.measure[1:]}",
        f"More than the plain model ({confidence} interval)",
        *(f"{result.attribute}: {group}" for group in result.groups),
        "p-value of the test",
        "Largest gap",
        f"Gap at most ({confidence})",
    )
    rows = []
    for fit in result.fits:
        errors = result.errors(fit)[2]
        each = (
            error_text(result, float(error)) if count >= FEWEST else too_small(int(count))
            for error, count in zip(errors[1:], result.rows[2, 1:], strict=True)
        )
        more = "" if fit.is_plain else _rise_text(result, *rise(result, fit, plan.alpha), bare=True)
        gap = (
            ("not known", "")
            if math.isnan(fit.gap.value)
            else tuple(f"{100 * end:.1f}%" for end in (fit.gap.value, fit.gap.high))
        )
        rows.append(
            (name(fit), error_text(result, float(errors[0])), more, *each, p_value(fit.p_value, alpha=plan.alpha), *gap)
        )
    return Table(
        f"Errors on {result.rows[2, 0]:,} rows that no model was fitted to. The gap is the largest difference between "
        "groups in the share of people whose answers lie above any threshold, among people with the same outcome.",
        header,
        tuple(rows),
    )


def sets_table(result: FairerResult) -> Table:
    """How many outcomes the prediction sets of each group hold, and how large they are, for every model."""
    size = "mean outcomes in the set" if result.classes else "mean width"
    header = ("Model", *(f"{result.attribute}: {group}, {what}" for group in result.groups for what in ("held", size)))
    rows = tuple(
        (
            name(fit),
            *(
                told
                for held, wide in zip(fit.coverage, fit.sizes, strict=True)
                for told in ("not known" if math.isnan(held) else f"{100 * held:.1f}%", number(float(wide)))
            ),
        )
        for fit in result.fits
    )
    return Table(
        f"Prediction sets calibrated in each group to hold {percent(EqualizedOdds().coverage)} of its outcomes, "
        "whatever "
        "the model. Their size shows how well each group is known.",
        header,
        rows,
    )


def error_text(result: FairerResult, value: float) -> str:
    """An error as people read it: a share in percent, or a number with at least three significant digits."""
    if not math.isfinite(value) or (not result.classes and value <= 0):
        return number(value)
    if result.classes:
        return f"{100 * value:.1f}%"
    return number(value, max(0, 2 - math.floor(math.log10(value))))


def _rise_text(result: FairerResult, value: float, interval: Interval, *, bare: bool = False) -> str:
    factor = 100.0 if result.classes else 1.0
    low, high = factor * interval.low, factor * interval.high
    decimals = precision(low, high)
    told = f"{number(factor * value, decimals)} ({number(low, decimals)} to {number(high, decimals)})"
    if bare:
        return told
    unit = " percentage points" if result.classes else ""
    return (
        f"{number(factor * value, decimals)}{unit} ({percent(interval.confidence)} interval "
        f"{number(low, decimals)} to {number(high, decimals)})"
    )


def _no_proof(plan: FairerPlan, result: FairerResult, fit: FairerFit) -> str:
    if math.isnan(fit.gap.value):
        return (
            "That is no proof of fairness: groups with the same outcome are too small here to say how far their "
            "answers may still differ."
        )
    return (
        "That is no proof of fairness: among people with the same outcome, the shares of two groups whose answers lie "
        f"above some threshold may still differ by up to {number(100 * fit.gap.high)} percentage points "
        f"({percent(1 - plan.alpha)} confidence)."
    )


def _none_is_free(plan: FairerPlan, result: FairerResult) -> str:
    useful = [fit for fit in result.fits[1:] if not fit.constant]
    if not useful:
        return "The fairer models give everybody the same answer. Choose smaller λ."
    last = useful[-1]
    evidence = _evidence(result, last, plan.alpha)
    told = f"At the largest λ that still tells people apart, {last.strength:g}, the {evidence}."
    if any(not violates(result, fit, plan.alpha) for fit in useful):
        told += " At a smaller λ there was none, which may be luck."
    return f"{told} Larger λ, more epochs or another method may do more."


def _headline_of_none(plan: FairerPlan, result: FairerResult) -> str:
    useful = [fit for fit in result.fits[1:] if not fit.constant]
    if not useful:
        return "The fairer models tell nobody apart, so they show no cost worth knowing."
    if any(not violates(result, fit, plan.alpha) for fit in useful):
        return "Evidence of a violation comes back at the largest λ, so its cost cannot be told."
    return "There is evidence of a violation by every one of these models that tells people apart."


def _evidence(result: FairerResult, fit: FairerFit, alpha: float) -> str:
    """The p-value, and the gap where it alone shows a violation."""
    told = f"p-value is {p_value(fit.p_value, alpha=alpha)}"
    if fit.p_value > alpha and violates(result, fit, alpha):
        told += f", but groups with the same outcome differ by at least {number(100 * fit.gap.low)} percentage points"
    return told
