"""Whether a model violates equalized odds, what less of it costs, and how sure that is."""

from collections.abc import Callable
from itertools import takewhile

import numpy as np

from core.base.thresholds import FEWEST_ROWS
from core.inference.estimate import Interval
from core.inference.paired import PairedDifference, WeightedSets
from core.workflows.mitigation.result import PARTS, MitigationResult, TriedModel


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


def _first_for_good(result: MitigationResult, fails: Callable[[TriedModel], bool]) -> TriedModel | None:
    found: list[TriedModel] = []
    for method in result.methods:
        kept = list(takewhile(lambda fit: not fails(fit), reversed(result.of_method(method))))
        found += kept[-1:]
    held_out = PARTS.index("held out")  # verbatim
    return min(found, key=lambda fit: float(result.errors(fit)[held_out, 0]), default=None)
