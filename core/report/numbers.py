"""What the numbers of every test have in common; each test adds its own, and report and record draw from them."""

from dataclasses import dataclass

from core.errors import Notice
from core.inference.estimate import Verdict


@dataclass(frozen=True)
class Numbers:
    """What follows from a result under decision settings.

    Attributes:
        headline: The verdict in a few words.
        sentence: The verdict in one sentence, which begins with the headline.
        verdict: The verdict.
        reasons: What speaks against taking it at its word, most serious first.
        p_value: One-sided p-value at the decision's tolerance; NaN when undefined.
    """

    headline: str
    sentence: str
    verdict: Verdict
    reasons: tuple[Notice, ...]
    p_value: float
