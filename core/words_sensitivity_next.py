"""What a reader of a sensitivity audit can do where its evidence is insufficient, in plain words."""

from __future__ import annotations

from core.audits.sensitivity.reading import SensitivityReading
from core.inference.estimate import Verdict
from core.result import SensitivityResult
from core.words_next import more_rows


def next_steps(result: SensitivityResult, reading: SensitivityReading) -> tuple[str, ...]:
    """What would help, the most helpful first, a sentence or two each; empty where the verdict is clear."""
    detail = result.detail
    if detail.verdict(reading) is not Verdict.INSUFFICIENT:
        return ()
    advice = [notice.advice for notice in detail.reasons(reading) if notice.level == "serious" and notice.advice]
    estimate = detail.estimate(reading)
    if not estimate.undefined:
        what = "the share that moves" if reading.judged == "swaps" else "the difference"
        advice += more_rows(estimate, reading.delta, reading.alpha, ("text", "texts"), what)
    steps = dict.fromkeys(advice)
    if any(step.startswith("Bring more texts: ") for step in steps):
        steps.pop("Bring more texts.", None)
    return tuple(steps)
