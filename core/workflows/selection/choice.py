"""The rule of papers/faith.md, section 5.2: the most accurate of the models that pass the test of δ-fairness."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from core.audits.transport.decision import TransportDecision
from core.workflows.selection.result import Candidate
from core.workflows.selection.settings import Rule


class ChoiceOutcome(Enum):
    """How a choice can end."""

    CHOSEN = "a model was chosen"  # verbatim
    NOTHING_ADMISSIBLE = "no model may be chosen"  # verbatim
    NOTHING_MEASURED = "no model could be measured"  # verbatim


@dataclass(frozen=True)
class Choice:
    """Which candidates may be chosen and which is.

    Attributes:
        outcome: How it ended.
        admissible: Which may be chosen; shape (m,), bool.
        chosen: Index of the chosen one; None if there is none.
    """

    outcome: ChoiceOutcome
    admissible: np.ndarray
    chosen: int | None


def choose(candidates: Sequence[Candidate], rule: Rule, decision: TransportDecision) -> Choice:
    """The best admissible candidate; of equally good ones the first, which is the simplest."""
    allowed = admissible(candidates, rule, decision)
    if not any(is_measured(one) for one in candidates):
        return Choice(ChoiceOutcome.NOTHING_MEASURED, allowed, None)
    if not allowed.any():
        return Choice(ChoiceOutcome.NOTHING_ADMISSIBLE, allowed, None)
    quality = np.array([one.quality(rule) for one in candidates])
    return Choice(ChoiceOutcome.CHOSEN, allowed, int(np.where(allowed, quality, -np.inf).argmax()))


def admissible(candidates: Sequence[Candidate], rule: Rule, decision: TransportDecision) -> np.ndarray:
    """Which candidates may be chosen; shape (m,), bool.

    The rule of the paper asks for a lower bound of at most δ, each candidate for itself: asking it of all together
    would let more unfair models pass. The stricter rule asks for an upper bound of at most δ, by itself or, with
    Holm's adjustment, for all together.
    """
    measured = np.array([is_measured(one) for one in candidates], dtype=bool)
    bounds, level = [one.unfairness for one in candidates], decision.alpha
    if rule.admissible == "not found unfair":
        passed = np.array([one.lower_bound(level) <= decision.delta for one in bounds], dtype=bool)
    elif rule.together:
        passed = shown_together(candidates, decision.delta, level)
    else:
        passed = np.array([one.unfairness.upper_bound(level) <= decision.delta for one in candidates], dtype=bool)
    if rule.admissible == "shown to be fair":
        passed &= np.array([not one.unclear for one in candidates], dtype=bool)
    allowed: np.ndarray = measured & passed
    return allowed


def shown_together(candidates: Sequence[Candidate], delta: float, alpha: float) -> np.ndarray:
    """Which candidates are shown to be δ-fair when the error rate holds for all of them together; shape (m,), bool.

    Holm's procedure in terms of bounds: whoever passes at α / (number still open) is shown to be fair, and those still
    open are tried again, until nobody passes any more.
    """
    shown = np.zeros(len(candidates), dtype=bool)
    opened = np.array([is_measured(one) for one in candidates], dtype=bool)
    while opened.any():
        level = alpha / int(opened.sum())
        passed = opened & np.array([one.unfairness.upper_bound(level) <= delta for one in candidates])
        if not passed.any():
            break
        shown |= passed
        opened &= ~passed
    return shown


def found_unfair_together(candidates: Sequence[Candidate], delta: float, alpha: float) -> np.ndarray:
    """Which candidates are found unfair when the error rate holds for all of them together; shape (m,), bool."""
    from core.inference.several import holm

    values = holm(np.array([one.unfairness.p_value(delta) if is_measured(one) else np.nan for one in candidates]))
    found: np.ndarray = np.nan_to_num(values, nan=1.0) <= alpha
    return found


def draws_needed(candidates: int, alpha: float) -> int:
    """Bootstrap draws with which the bound at α / (number of candidates) rests on ten draws beyond it."""
    return int(np.ceil(10 * candidates / alpha))


def is_measured(candidate: Candidate) -> bool:
    """Whether it has an unfairness and may be chosen at all."""
    return not candidate.unable and not candidate.unfairness.undefined
