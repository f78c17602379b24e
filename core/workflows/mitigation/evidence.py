"""Whether a model violates equalized odds, what less of it costs, and how sure that is."""

from collections.abc import Callable, Sequence
from itertools import takewhile

import numpy as np

from core.base.thresholds import FEWEST_ROWS
from core.inference.estimate import Interval
from core.inference.paired import PairedDifference, WeightedSets
from core.workflows.mitigation.result import PARTS, MitigationResult, TriedModel
from core.workflows.mitigation.settings import COMPARES_SIMILAR, MitigationPlan


def rise(result: MitigationResult, fit: TriedModel, alpha: float) -> tuple[float, Interval]:
    """How much larger a model's error on the test part is than the baseline's, in the measure's unit.

    Both are tried on the same people, so that they are compared person by person (:mod:`core.inference.paired`). An
    RMSE is linear in small changes of the people's squared errors (the delta method, van der Vaart 1998, theorem 3.1).

    Args:
        result: What was found.
        fit: One of its models.
        alpha: The interval misses with about this probability.
    """
    baseline = result.fits[0]
    if result.classes:
        everybody = WeightedSets(np.zeros(len(fit.each), dtype=np.int64), np.ones(1))
        found = PairedDifference.of(fit.each, baseline.each, everybody, largest=1.0)
    else:
        roots = [max(float(result.errors(one)[2, 0]), np.finfo(np.float64).tiny) for one in (fit, baseline)]
        adds = fit.each / (2 * roots[0]) - baseline.each / (2 * roots[1])
        value = float(result.errors(fit)[2, 0] - result.errors(baseline)[2, 0])
        found = PairedDifference(value, value + adds - adds.mean())
    return found.value, found.two_sided(alpha)


def enough(result: MitigationResult) -> bool:
    """Whether the test part has two groups of at least 30 people, without which nothing is said about them."""
    return int((result.rows[2, 1:] >= FEWEST_ROWS).sum()) >= 2


def violates(fit: TriedModel, alpha: float) -> bool:
    """Whether there is evidence that answers depend on the group among people with the same outcome."""
    return fit.p_value <= alpha


def kinder(result: MitigationResult) -> TriedModel | None:
    """Of the models with the smallest λ of their method from which on similar people are not shown to be treated worse
    than tolerated, the one that errs least on the rows held out: those that report its error do not choose it.

    None if they are at the largest of every method, or where it is not known.
    """
    return _first_for_good(result, lambda fit: fit.similar is None or not fit.similar.defined or fit.similar.beyond)


def mended(result: MitigationResult, alpha: float) -> TriedModel | None:
    """Of the models with the smallest λ of their method from which on there is no evidence of a violation, the one that
    errs least on the rows held out; None if there is evidence at the largest of every method.

    Models that answer the same for everybody do not count.
    """
    return _first_for_good(result, lambda fit: violates(fit, alpha))


def alike(plan: MitigationPlan, result: MitigationResult) -> TriedModel | None:
    """Of the models with the largest λ of each method that treats similar people alike, the one that errs least on the
    rows held out; None where the loss ratio of similar people is not known, of it or of the baseline.

    No loss ratio chooses it, so that its own is not flattered by the choice.
    """
    last = [result.of_method(one.kind)[-1:] for one in plan.methods if isinstance(one, COMPARES_SIMILAR)]
    fit = _errs_least([fit for each in last for fit in each])
    known = fit is not None and all(one.similar is not None and one.similar.defined for one in (result.fits[0], fit))
    return fit if known else None


def told_first(plan: MitigationPlan, result: MitigationResult) -> TriedModel:
    """The model that the summary names, and that every part of the page opens at.

    It is the one without a shown violation that errs least; where there is none, the largest λ of a method that treats
    similar people alike, or else the largest λ with the least evidence. The baseline where no other tells people apart.
    """
    if plan.only_similar:
        return kinder(result) or result.fits[-1]
    last = [fit for method in result.methods for fit in result.of_method(method)[-1:]]
    least = max(last, key=lambda fit: fit.p_value, default=result.fits[0])
    return mended(result, plan.alpha) or alike(plan, result) or least


def _first_for_good(result: MitigationResult, fails: Callable[[TriedModel], bool]) -> TriedModel | None:
    found: list[TriedModel] = []
    for method in result.methods:
        kept = list(takewhile(lambda fit: not fails(fit), reversed(result.of_method(method))))
        found += kept[-1:]
    return _errs_least(found)


def _errs_least(fits: Sequence[TriedModel]) -> TriedModel | None:
    held_out = PARTS.index("held out")  # verbatim
    return min(fits, key=lambda fit: float(fit.losses[held_out, 0]), default=None)
