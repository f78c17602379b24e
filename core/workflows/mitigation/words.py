"""A comparison in words and as a table, for every reader alike."""

from __future__ import annotations

from core.phrases import number
from core.workflows.mitigation.result import FairerFit, FairerResult


def name(fit: FairerFit) -> str:
    """What a model is called."""
    return "plain" if fit.is_plain else f"λ = {fit.strength:g}"


def headings(result: FairerResult) -> tuple[str, ...]:
    """Headings of :func:`row`."""
    return ("model", f"{result.measure}, everybody", *result.groups, "p-value", "largest gap", "at most")


def row(result: FairerResult, fit: FairerFit) -> tuple[str, ...]:
    """A model's errors on the test part, its p-value, and its largest gap with the upper bound."""
    errors = result.errors(fit)[2]
    return (name(fit), *map(number, errors), number(fit.p_value), number(fit.gap.value), number(fit.gap.high))


def sentence(result: FairerResult, fit: FairerFit) -> str:
    """What a fairer model costs, in one sentence with its uncertainty."""
    extra, error = result.cost(fit)
    what = "more wrong answers per person" if result.classes else "more squared error per person"
    return f"{name(fit)}: {number(extra)} ± {number(1.96 * error)} {what} than the plain model, on the same people."
