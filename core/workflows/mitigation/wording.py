"""What fairness costs, in words."""

import math

from core.inference.estimate import Interval
from core.phrases import number, p_value, percent, precision
from core.thresholds import FEWEST_ROWS
from core.workflows.mitigation.evidence import enough, mended, rise, violates
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.settings import MitigationPlan


def name(fit: TriedModel) -> str:
    """What a model is called."""
    return "baseline" if fit.is_baseline else f"λ = {fit.strength:g}"


def cost(result: MitigationResult, fit: TriedModel) -> str:
    """What a fairer model costs, in one sentence with its uncertainty."""
    extra, error = result.cost(fit)
    what = "more wrong answers per person" if result.classes else "more squared error per person"
    return f"{name(fit)}: {number(extra)} ± {number(1.96 * error)} {what} than the baseline, on the same people."


def headline(plan: MitigationPlan, result: MitigationResult) -> str:
    """What fairness costs, in one short sentence."""
    baseline = result.fits[0]
    if not enough(result):
        return "Insufficient evidence about what fairness costs here."
    if not violates(baseline, plan.alpha):
        return "These rows show no violation by the baseline, so they cannot tell what less of it would cost."
    fit = mended(result, plan.alpha)
    if fit is None:
        return _headline_of_none(plan, result)
    before, after = (error_text(result, float(result.errors(one)[2, 0])) for one in (baseline, fit))
    _, interval = rise(result, fit, plan.alpha)
    told = f"the {result.measure} goes from {before} to {after}"
    if interval.low > 0:
        return f"To find no evidence of a violation, {told.replace(' goes ', ' rises ')}."
    if interval.high < 0:
        return f"To find no evidence of a violation, {told.replace(' goes ', ' falls ')}."
    return f"To find no evidence of a violation, {told}, which may be chance."


def sentence(plan: MitigationPlan, result: MitigationResult) -> str:
    """The numbers behind the headline, and what they do not show."""
    baseline, level = result.fits[0], percent(plan.alpha)
    if not enough(result):
        return (
            f"Fewer than two groups of {result.attribute} have {FEWEST_ROWS} people among the "
            f"{result.rows[2, 0]:,} that the models are tried on. Bring more rows, or merge small groups."
        )
    start = f"The baseline's {_evidence(baseline, plan.alpha)}"
    if not violates(baseline, plan.alpha):
        return f"{start}, above the error rate of {level}. {_no_proof(plan, result, baseline)}"
    fit = mended(result, plan.alpha)
    if fit is None:
        return f"{start}. {_none_is_free(plan, result)}"
    value, interval = rise(result, fit, plan.alpha)
    return (
        f"{start}; at {name(fit)} the {_evidence(fit, plan.alpha)}, above the error rate of {level}. The "
        f"difference in the {result.measure} is {rise_text(result, value, interval)}, on the same "
        f"{result.rows[2, 0]:,} people. {_no_proof(plan, result, fit)}"
    )


def error_text(result: MitigationResult, value: float) -> str:
    """An error as people read it: a share in percent, or a number with at least three significant digits."""
    if not math.isfinite(value) or (not result.classes and value <= 0):
        return number(value)
    if result.classes:
        return f"{100 * value:.1f}%"
    return number(value, max(0, 2 - math.floor(math.log10(value))))


def rise_text(result: MitigationResult, value: float, interval: Interval, *, bare: bool = False) -> str:
    """A difference in error with its interval; ``bare`` leaves out unit and confidence, for a table."""
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


def _no_proof(plan: MitigationPlan, result: MitigationResult, fit: TriedModel) -> str:
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


def _none_is_free(plan: MitigationPlan, result: MitigationResult) -> str:
    useful = [fit for fit in result.fits[1:] if not fit.constant]
    if not useful:
        return "The fairer models give everybody the same answer. Choose smaller λ."
    last = useful[-1]
    evidence = _evidence(last, plan.alpha)
    told = f"At the largest λ that still tells people apart, {last.strength:g}, the {evidence}."
    if any(not violates(fit, plan.alpha) for fit in useful):
        told += " At a smaller λ there was none, which may be luck."
    return f"{told} Larger λ, more epochs or another method may do more."


def _headline_of_none(plan: MitigationPlan, result: MitigationResult) -> str:
    useful = [fit for fit in result.fits[1:] if not fit.constant]
    if not useful:
        return "The fairer models tell nobody apart, so they show no cost worth knowing."
    if any(not violates(fit, plan.alpha) for fit in useful):
        return "Evidence of a violation comes back at the largest λ, so its cost cannot be told."
    return "There is evidence of a violation by every one of these models that tells people apart."


def _evidence(fit: TriedModel, alpha: float) -> str:
    return f"p-value is {p_value(fit.p_value, alpha=alpha)}"
