"""What fairness costs, in words."""

import math

from core.inference.estimate import Interval
from core.language.told import localized, say
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
    what = say("more wrong answers per person") if result.classes else say("more squared error per person")
    return say(
        "{fit}: {extra} ± {error} {what} than the baseline, on the same people.",
        fit=name(fit),
        extra=number(extra),
        error=number(1.96 * error),
        what=what,
    )


def headline(plan: MitigationPlan, result: MitigationResult) -> str:
    """What fairness costs, in one short sentence."""
    baseline = result.fits[0]
    if not enough(result):
        return say("Insufficient evidence about what fairness costs here.")
    if not violates(baseline, plan.alpha):
        return say("These rows show no violation by the baseline, so they cannot tell what less of it would cost.")
    fit = mended(result, plan.alpha)
    if fit is None:
        return _headline_of_none(plan, result)
    before, after = (error_text(result, float(result.errors(one)[2, 0])) for one in (baseline, fit))
    _, interval = rise(result, fit, plan.alpha)
    told = say("the {measure} goes from {before} to {after}", measure=result.measure, before=before, after=after)
    if interval.low > 0:
        return say("To find no evidence of a violation, {replace}.", replace=told.replace(" goes ", " rises "))
    if interval.high < 0:
        return say("To find no evidence of a violation, {replace}.", replace=told.replace(" goes ", " falls "))
    return say("To find no evidence of a violation, {told}, which may be chance.", told=told)


def sentence(plan: MitigationPlan, result: MitigationResult) -> str:
    """The numbers behind the headline, and what they do not show."""
    baseline, level = result.fits[0], percent(plan.alpha)
    if not enough(result):
        return say(
            "Fewer than two groups of {attribute} have {fewest_rows} people among the {rows} that the models "
            "are tried on. Bring more rows, or merge small groups.",
            attribute=result.attribute,
            fewest_rows=FEWEST_ROWS,
            rows=localized(f"{result.rows[2, 0]:,}"),
        )
    start = say("The baseline's {baseline}", baseline=_evidence(baseline, plan.alpha))
    if not violates(baseline, plan.alpha):
        return say(
            "{start}, above the error rate of {level}. {plan}",
            start=start,
            level=level,
            plan=_no_proof(plan, result, baseline),
        )
    fit = mended(result, plan.alpha)
    if fit is None:
        return f"{start}. {_none_is_free(plan, result)}"
    value, interval = rise(result, fit, plan.alpha)
    return say(
        "{start}; at {fit} the {fit2}, above the error rate of {level}. The difference in the {measure} "
        "is {result}, on the same {rows} people. {plan}",
        start=start,
        fit=name(fit),
        fit2=_evidence(fit, plan.alpha),
        level=level,
        measure=result.measure,
        result=rise_text(result, value, interval),
        rows=localized(f"{result.rows[2, 0]:,}"),
        plan=_no_proof(plan, result, fit),
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
    told = say(
        "{factor} ({low} to {high})",
        factor=number(factor * value, decimals),
        low=number(low, decimals),
        high=number(high, decimals),
    )
    if bare:
        return told
    unit = say(" percentage points") if result.classes else ""
    return say(
        "{factor}{unit} ({confidence} interval {low} to {high})",
        factor=number(factor * value, decimals),
        unit=unit,
        confidence=percent(interval.confidence),
        low=number(low, decimals),
        high=number(high, decimals),
    )


def _no_proof(plan: MitigationPlan, result: MitigationResult, fit: TriedModel) -> str:
    if math.isnan(fit.gap.value):
        return say(
            "That is no proof of fairness: groups with the same outcome are too small here to say how far "
            "their answers may still differ."
        )
    return say(
        "That is no proof of fairness: among people with the same outcome, the shares of two groups "
        "whose answers lie above some threshold may still differ by up to {high} percentage points "
        "({alpha} confidence).",
        high=number(100 * fit.gap.high),
        alpha=percent(1 - plan.alpha),
    )


def _none_is_free(plan: MitigationPlan, result: MitigationResult) -> str:
    useful = [fit for fit in result.fits[1:] if not fit.constant]
    if not useful:
        return say("The fairer models give everybody the same answer. Choose smaller λ.")
    last = useful[-1]
    evidence = _evidence(last, plan.alpha)
    told = say(
        "At the largest λ that still tells people apart, {strength}, the {evidence}.",
        strength=localized(f"{last.strength:g}"),
        evidence=evidence,
    )
    if any(not violates(fit, plan.alpha) for fit in useful):
        told += say(" At a smaller λ there was none, which may be luck.")
    return say("{told} Larger λ, more epochs or another method may do more.", told=told)


def _headline_of_none(plan: MitigationPlan, result: MitigationResult) -> str:
    useful = [fit for fit in result.fits[1:] if not fit.constant]
    if not useful:
        return say("The fairer models tell nobody apart, so they show no cost worth knowing.")
    if any(not violates(fit, plan.alpha) for fit in useful):
        return say("Evidence of a violation comes back at the largest λ, so its cost cannot be told.")
    return say("There is evidence of a violation by every one of these models that tells people apart.")


def _evidence(fit: TriedModel, alpha: float) -> str:
    return say("p-value is {p_value}", p_value=p_value(fit.p_value, alpha=alpha))
