"""What the gradient-flow test assumes and what it cannot say, in plain words."""

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.result import GradientFlowResult
from core.metric import AbstractLearnedMetric
from core.phrases import count, number


def limits(result: GradientFlowResult, decision: GradientFlowDecision) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this audit."""
    return (
        "The verdict holds for one definition of similar. Another fair metric is another question and may have another "
        "answer.",
        "The search looks for similar people who are treated worse; it need not find the worst. What it reports it has "
        "found, but a longer search may find more.",
        "The audited rows are taken to be an independent sample of the people the model is used on, and the model to "
        "have been trained on other rows. If either fails, the stated confidence does not hold.",
        _independence(result, decision),
        "The interval treats the average of the ratios as normally distributed, which is right for many rows and "
        "doubtful when a few rows carry much of the average; the diagnostics say which is the case here.",
        f"The tolerance of {decision.delta:g} was chosen by the reader. The customary 1.25 is a screening "
        "convention derived from the four-fifths rule, not a legal threshold.",
        f"An error rate of {decision.alpha:g} is meant for one test read once. Trying settings until one gives the "
        "wanted verdict makes errors more frequent than stated.",
        "The similar twins are points in the space of features. Not every one of them need be a person who exists.",
        "A ratio compares losses: how far the model is from the recorded outcome. If the outcomes were themselves "
        "recorded with prejudice, this test does not see it.",
    )


def _independence(result: GradientFlowResult, decision: GradientFlowDecision) -> str:
    metric = result.audit.metric
    if not isinstance(metric, AbstractLearnedMetric):
        return "The fair metric was declared or given with the settings, not learned from the audited rows at random."
    if metric.learn_on == "audited rows":
        return (
            "The fair metric was learned on the audited rows themselves, as in the paper. The theory asks for a metric "
            "that does not depend on them, so the stated confidence is approximate."
        )
    values = [found.value for found in result.detail.resampled(decision)]
    told = "by how much was not tried"
    if values:
        told = (
            f"with {count(len(values), 'resample')} of them the {decision.statistic} ran from "
            f"{number(min(values))} to {number(max(values))}"
        )
    return (
        f"The fair metric was learned from {result.metric.learned_on:,} rows that were not audited. It is itself an "
        f"estimate; learned from other rows it would differ: {told}."
    )
