"""What fairness costs, in words."""

import math

import numpy as np

from core.base.tables import NOT_GIVEN
from core.base.thresholds import FEWEST_ROWS
from core.claims import Claim
from core.inference.estimate import Interval
from core.language.phrases import count, listed, number, p_value, percent, precision, quoted, ratio, share_text, whole
from core.language.told import localized, say
from core.workflows.mitigation.evidence import alike, enough, mended, rise, told_first, violates
from core.workflows.mitigation.result import PARTS, MitigationResult, Splits, TriedModel
from core.workflows.mitigation.settings import MitigationPlan, name_of_model


def name(fit: TriedModel) -> str:
    """What a model is called."""
    return say("baseline") if fit.is_baseline else name_of_model(fit.method, fit.strength)


def cost(result: MitigationResult, fit: TriedModel) -> str:
    """What a fairer model costs, in one sentence with its uncertainty."""
    extra, error = result.cost(fit)
    model, extra_text, error_of_it = name(fit), number(extra), number(1.96 * error)
    if result.classes:
        return say(
            "{model}: {extra} ± {error} more wrong answers per person than the baseline, on the same people.",
            model=model,
            extra=extra_text,
            error=error_of_it,
        )
    return say(
        "{model}: {extra} ± {error} more squared error per person than the baseline, on the same people.",
        model=model,
        extra=extra_text,
        error=error_of_it,
    )


def names(plan: MitigationPlan) -> list[str]:
    """What every model of a plan is called, the baseline first."""
    return [say("baseline"), *(name_of_model(method.kind, strength) for method, strength in plan.models)]


def known(result: MitigationResult) -> Splits:
    """What repeated splits show.

    Raises:
        ValueError: There was one split only.
    """
    if result.splits is None:
        raise ValueError("The rows were parted once.")
    return result.splits


def title_of(measure: str, result: MitigationResult) -> str:
    """What a measure of random splits is called."""
    return {
        "error": say("Share of wrong answers") if result.classes else "RMSE",
        "balanced accuracy": say("Balanced accuracy"),
        "AOD": say("Largest AOD"),
        "EOD": say("Largest EOD"),
        "SPD": say("Largest SPD"),
        "p-value": say("p-value of the test"),
        "rejected": say("Rejected"),
        "gap": say("Largest gap"),
        "loss ratio": say("Loss ratio of similar people"),
        "similar_rejected": say("Rejected for similar people"),
    }[measure]


def told_over_splits(measure: str, result: MitigationResult, values: np.ndarray) -> str:
    """Mean ± standard deviation of a measure over splits, shape (splits,), or how many rejected of how many."""
    found = values[np.isfinite(values)]
    if not len(found):
        return NOT_GIVEN
    if measure.endswith("rejected"):
        return say("{rejected} of {splits}", rejected=whole(int(found.sum())), splits=whole(len(found)))
    shares = measure not in ("p-value", "loss ratio") and not (measure == "error" and not result.classes)
    factor, unit = (100.0, " %") if shares else (1.0, "")
    spread = float(found.std(ddof=1)) if len(found) > 1 else math.nan
    decimals = 1 if shares else 3
    return f"{number(factor * found.mean(), decimals)} ± {number(factor * spread, decimals)}{unit}"


def headline(plan: MitigationPlan, result: MitigationResult) -> str:
    """What fairness costs, in one short sentence."""
    if plan.only_similar:
        return _headline_of_similar(plan, result)
    return " ".join(filter(None, (_headline_of_groups(plan, result), _gain_of_similar(plan, result))))


def _headline_of_groups(plan: MitigationPlan, result: MitigationResult) -> str:
    baseline = result.fits[0]
    if not enough(result):
        return say("Insufficient evidence about what fairness costs here.")
    if not violates(baseline, plan.alpha):
        return say(
            "The baseline, which is newly fitted and not the audited model, shows no violation on these rows, so they "
            "cannot tell what less of it would cost."
        )
    fit = mended(result, plan.alpha)
    if fit is None:
        return _headline_of_none(plan, result)
    before, after = (error_text(result, float(result.errors(one)[2, 0])) for one in (baseline, fit))
    _, interval = rise(result, fit, plan.alpha)
    known = {"measure": measure_text(result), "before": before, "after": after}
    if interval.low > 0:
        return say(
            "Where no violation is shown any more, the {measure} rises from {before} to {after}.",
            **known,
        )
    if interval.high < 0:
        return say(
            "Where no violation is shown any more, the {measure} falls from {before} to {after}.",
            **known,
        )
    return say(
        "Where no violation is shown any more, the {measure} is {after} instead of {before}. This may be chance.",
        **known,
    )


def measure_text(result: MitigationResult) -> str:
    """How errors are measured, amid a sentence."""
    return say("share of wrong answers") if result.classes else "RMSE"


def sentence(plan: MitigationPlan, result: MitigationResult) -> str:
    """The numbers behind the headline, what they do not show, and what the baseline is."""
    if plan.only_similar:
        return f"{_sentence_of_similar(plan, result)} {what_is_fitted(plan)}"
    told = (_sentence_of_groups(plan, result), _rise_of_similar(plan, result), what_is_fitted(plan))
    return " ".join(filter(None, told))


def what_is_fitted(plan: MitigationPlan) -> str:
    """What the baseline is, and that it is none that somebody brought."""
    roles, linear = plan.roles, plan.base.kind == "linear"
    known = {
        "model": say("a new linear model") if linear else say("a new two-layer network"),
        "columns": count(len(roles.features), "column"),
    }
    if unread := [quoted(one) for one in roles.protected if one not in roles.features]:
        return say(
            "The baseline is {model} that Evenhand fits to {columns} of this table, without {protected}; it is not the "
            "model that was audited.",
            protected=listed(unread),
            **known,
        )
    return say(
        "The baseline is {model} that Evenhand fits to {columns} of this table; it is not the model that was audited.",
        **known,
    )


def why_first(plan: MitigationPlan, result: MitigationResult) -> str:
    """Why the model that is told first is that, with the rows and the error that chose it."""
    fit = told_first(plan, result)
    if plan.only_similar or fit is not mended(result, plan.alpha):
        return say("Chosen first, as it is the model that the summary above names.")
    if len(result.methods) == 1:
        return say("Chosen first: from this λ on no violation is shown.")
    held_out = PARTS.index("held out")  # verbatim
    return say(
        "Chosen first: of the smallest λ of each method from which on no violation is shown, it has the lowest "
        "{measure} on the {rows} rows held out to choose by: {error}. The tables show it on other rows, those of the "
        "test part.",
        measure=measure_text(result),
        rows=whole(int(result.rows[held_out, 0])),
        error=error_text(result, float(result.errors(fit)[held_out, 0])),
    )


def _sentence_of_groups(plan: MitigationPlan, result: MitigationResult) -> str:
    baseline, level = result.fits[0], percent(plan.alpha)
    if not enough(result):
        return say(
            "Fewer than two groups of {attribute} have {fewest} people among the {rows} that the models "
            "are tried on. Bring more rows, or merge small groups.",
            attribute=result.attribute,
            fewest=FEWEST_ROWS,
            rows=whole(int(result.rows[2, 0])),
        )
    start = say("The baseline's p-value is {p_value}", p_value=_p_value(baseline, plan.alpha))
    if not violates(baseline, plan.alpha):
        return say(
            "{start}, above the risk of {level} that is taken. {no_proof}",
            start=start,
            level=level,
            no_proof=_no_proof(plan, baseline),
        )
    fit = mended(result, plan.alpha)
    if fit is None:
        return f"{start}. {_none_is_free(plan, result)}"
    value, interval = rise(result, fit, plan.alpha)
    return say(
        "{start}; at {model} the p-value is {p_value}, above the risk of {level} that is taken. The difference in the "
        "{measure} is {difference}, on the same {rows} people. {no_proof}",
        start=start,
        model=name(fit),
        p_value=_p_value(fit, plan.alpha),
        level=level,
        measure=measure_text(result),
        difference=rise_text(result, value, interval),
        rows=whole(int(result.rows[2, 0])),
        no_proof=_no_proof(plan, fit),
    )


def _gain_of_similar(plan: MitigationPlan, result: MitigationResult) -> str:
    """What a method that treats similar people alike does for them, beside others that do not; may be empty."""
    first, fit = result.fits[0].similar, alike(plan, result)
    if fit is None or fit.similar is None or first is None:
        return ""
    if fit.similar.estimate >= first.low:
        return _ratio_instead(fit, fit.similar, first)
    return say(
        "{model} treats similar people more alike: loss ratio {now} instead of {then}.",
        model=name(fit),
        now=ratio(fit.similar.estimate, beside=first.estimate),
        then=ratio(first.estimate, beside=fit.similar.estimate),
    )


def _ratio_instead(fit: TriedModel, now: Claim, then: Claim) -> str:
    return say(
        "At {model}, the loss ratio of similar people is {now} instead of {then}.",
        model=name(fit),
        now=ratio(now.estimate, beside=then.estimate),
        then=ratio(then.estimate, beside=now.estimate),
    )


def _rise_of_similar(plan: MitigationPlan, result: MitigationResult) -> str:
    """The largest loss ratio of similar people among the largest λ of the other methods, where it rises; or nothing."""
    first, told = result.fits[0].similar, alike(plan, result)
    last = [fit for method in result.methods for fit in result.of_method(method)[-1:] if fit is not told]
    known = [(fit.similar, fit) for fit in last if fit.similar is not None and fit.similar.defined]
    if told is None or first is None or not known:
        return ""
    worst, fit = max(known, key=lambda each: each[0].estimate)
    return _ratio_instead(fit, worst, first) if worst.estimate > first.estimate else ""


def _headline_of_similar(plan: MitigationPlan, result: MitigationResult) -> str:
    """What treating similar people alike costs: of the model that mends the baseline, or of the last one."""
    first = result.fits[0]
    if first.similar is not None and first.similar.defined and not first.similar.beyond:
        return say("The baseline is not shown to treat similar people worse than tolerated: there is little to mend.")
    fit = told_first(plan, result)
    before, after = (error_text(result, float(result.errors(one)[2, 0])) for one in (first, fit))
    known = {"model": name(fit), "measure": measure_text(result), "before": before, "after": after}
    if first.similar is not None and fit.similar is not None and fit.similar.defined:
        return say(
            "At {model}, similar people fare {now} times as badly instead of {then}; the {measure} goes from {before} "
            "to {after}.",
            now=number(fit.similar.estimate),
            then=number(first.similar.estimate),
            **known,
        )
    return say(
        "At {model}, answers to the most similar people differ by {now} instead of {then}; the {measure} goes from "
        "{before} to {after}.",
        now=unlike_text(result, fit),
        then=unlike_text(result, first),
        **known,
    )


def unlike_text(result: MitigationResult, fit: TriedModel) -> str:
    """How much answers to the most similar people differ."""
    return share_text(fit.unlike, 1) if result.classes else number(fit.unlike)


def _sentence_of_similar(plan: MitigationPlan, result: MitigationResult) -> str:
    fit = told_first(plan, result)
    value, interval = rise(result, fit, plan.alpha)
    return say(
        "The difference in the {measure} is {difference}, on the same {rows} people. Who counts as similar was "
        "learned from rows for training, and again from other rows to judge the models. Whoever chooses λ here should "
        "audit the model on rows that nobody has used.",
        measure=measure_text(result),
        difference=rise_text(result, value, interval),
        rows=whole(int(result.rows[2, 0])),
    )


def error_text(result: MitigationResult, value: float) -> str:
    """An error as people read it: a share in percent, or a number with at least three significant digits."""
    if not math.isfinite(value) or (not result.classes and value <= 0):
        return number(value)
    if result.classes:
        return share_text(value, 1)
    return number(value, max(0, 2 - math.floor(math.log10(value))))


def rise_text(result: MitigationResult, value: float, interval: Interval, *, bare: bool = False) -> str:
    """A difference in error with its interval; ``bare`` leaves out unit and confidence, for a table."""
    factor = 100.0 if result.classes else 1.0
    low, high = factor * interval.low, factor * interval.high
    decimals = precision(low, high)
    difference, ends = number(factor * value, decimals), (number(low, decimals), number(high, decimals))
    if bare:
        return say("{value} ({low} to {high})", value=difference, low=ends[0], high=ends[1])
    if result.classes:
        difference = say("{points} percentage points", points=difference)
    return say(
        "{difference} ({confidence} interval {low} to {high})",
        difference=difference,
        confidence=percent(interval.confidence),
        low=ends[0],
        high=ends[1],
    )


def _no_proof(plan: MitigationPlan, fit: TriedModel) -> str:
    if math.isnan(fit.gap.value):
        return say(
            "That is no proof of fairness: groups with the same outcome are too small here to say how far "
            "their answers may still differ."
        )
    return say(
        "That is no proof of fairness: among people with the same outcome, the shares of two groups "
        "whose answers lie above some threshold may still differ by up to {high} percentage points "
        "({confidence} confidence).",
        high=number(100 * fit.gap.high),
        confidence=percent(1 - plan.alpha),
    )


def _none_is_free(plan: MitigationPlan, result: MitigationResult) -> str:
    useful = [fit for fit in result.fits[1:] if not fit.constant]
    if not useful:
        return say("The fairer models give everybody the same answer. Choose smaller λ.")
    several = len(result.methods) > 1
    last = told_first(plan, result)
    told = say(
        "At the largest λ that still tells people apart, {strength}, the p-value is {p_value}.",
        strength=name(last) if several else localized(f"{last.strength:g}"),
        p_value=_p_value(last, plan.alpha),
    )
    if any(not violates(fit, plan.alpha) for fit in useful):
        told = f"{told} {say('At a smaller λ there was none, which may be luck.')}"
    return f"{told} {say('Larger λ, more epochs or another method may do more.')}"


def _headline_of_none(plan: MitigationPlan, result: MitigationResult) -> str:
    useful = [fit for fit in result.fits[1:] if not fit.constant]
    if not useful:
        return say("The fairer models tell nobody apart, so they show no cost worth knowing.")
    if any(not violates(fit, plan.alpha) for fit in useful):
        return say("Evidence of a violation comes back at the largest λ, so its cost cannot be told.")
    if len(useful) < len(result.fits) - 1:
        return say(
            "Each of these models that tells people apart still depends on {attribute} among people with the same "
            "outcome.",
            attribute=result.attribute,
        )
    return say(
        "Each of these models still depends on {attribute} among people with the same outcome.",
        attribute=result.attribute,
    )


def _p_value(fit: TriedModel, alpha: float) -> str:
    return p_value(fit.p_value, alpha=alpha)
