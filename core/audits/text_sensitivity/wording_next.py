"""What a reader of a sensitivity audit can do where its evidence is insufficient, in plain words."""

from __future__ import annotations

from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.result import TextSensitivityResult
from core.inference.estimate import Verdict
from core.next_steps import more_rows


def next_steps(result: TextSensitivityResult, decision: TextSensitivityDecision) -> tuple[str, ...]:
    """What would help, the most helpful first, a sentence or two each; empty where the verdict is clear."""
    detail = result.detail
    if detail.verdict(decision) is not Verdict.INSUFFICIENT:
        return ()
    advice = [notice.advice for notice in detail.reasons(decision) if notice.level == "serious" and notice.advice]
    estimate = detail.estimate(decision)
    if not estimate.undefined:
        what = "the share that moves" if decision.judged == "swaps" else "the difference"
        advice += more_rows(estimate, decision.delta, decision.alpha, ("text", "texts"), what)
    steps = dict.fromkeys(advice)
    if any(step.startswith("Bring more texts: ") for step in steps):
        steps.pop("Bring more texts.", None)
    return tuple(steps)
