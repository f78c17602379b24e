"""The words of a selection: which model was chosen, how good it is, and what may be said about its unfairness."""

from __future__ import annotations

from core.audits.transport import TransportDetail, TransportReading
from core.inference.estimate import Verdict
from core.inference.resampled import Answers
from core.selection.choice import Choice, Outcome, choose, is_measured
from core.selection.result import Candidate, SelectionResult
from core.selection.settings import Rule, SelectionPlan
from core.words import count, lower_first, number, percent, without_stop
from core.words_transport import MEASURES

_AUDIT_HEADLINES = {
    Verdict.VIOLATION: "The chosen model fails the audit",
    Verdict.NO_VIOLATION: "The chosen model passes the audit",
    Verdict.INSUFFICIENT: "A model was chosen, but the audit cannot say whether it is fair",
}


def headline(plan: SelectionPlan, result: SelectionResult) -> str:
    """The outcome in a few words."""
    if result.audited is None:
        return (
            "No model may be chosen" if outcome_of(plan, result) is Outcome.NOTHING_ADMISSIBLE else "Nothing measured"
        )
    return _AUDIT_HEADLINES[result.audited_detail.verdict(read_by(plan, result))]


def sentence(plan: SelectionPlan, result: SelectionResult) -> str:
    """The outcome in plain words, with the numbers of the audit's own rows where there are some."""
    reading = read_by(plan, result)
    if result.audited is None or result.chosen is None:
        return nothing(result.candidates, plan.rule, reading)
    audited, detail = result.audited, result.audited_detail
    chosen = result.candidates[result.chosen]
    columns = "" if result.path is None else f", which uses {_used(result, result.chosen)},"
    right = (
        f"The model {_called(result, chosen)}{columns} is right for {percent(round(audited.model.accuracy, 3))} of "
        f"{count(audited.data.rows_audited, 'person', 'people')} who had no part in the choice"
    )
    return f"{right}{_judged(detail, reading)}."


def _judged(detail: TransportDetail, reading: TransportReading) -> str:
    """What the audit says of the unfairness, as the end of a sentence."""
    verdict, estimate = detail.verdict(reading), detail.estimate(reading)
    if estimate.undefined:
        return f"; its unfairness has no value: {lower_first(without_stop(estimate.undefined))}"
    sure = f"with {percent(1 - reading.alpha)} confidence"
    tolerated = f"the {_shown(reading.delta, reading)} tolerated"
    if verdict is Verdict.NO_VIOLATION:
        upper = estimate.upper_bound(reading.alpha)
        if upper == 0:
            return ", and it treats people who count as similar alike: no unfairness was found at all"
        return f", and its unfairness is at most {measured(upper, reading)} {sure}, within {tolerated}"
    if verdict is Verdict.VIOLATION:
        lower = measured(estimate.lower_bound(reading.alpha), reading)
        return f", but its unfairness is at least {lower} {sure}, more than {tolerated}"
    limits = estimate.two_sided(reading.alpha)
    ends = (
        f"; its unfairness lies between {_shown(max(limits.low, 0.0), reading)} and {measured(limits.high, reading)} "
        f"{sure}"
    )
    if estimate.lower_bound(reading.alpha) <= reading.delta < estimate.upper_bound(reading.alpha):
        return f"{ends}, so these rows neither show that it is more than {tolerated} nor exclude it"
    reasons = detail.reasons(reading)
    why = lower_first(without_stop(reasons[0].what)) if reasons else "the rows cannot carry a verdict"
    return f"{ends}, beside {tolerated}, but {why}"


def nothing(candidates: tuple[Candidate, ...], rule: Rule, reading: TransportReading) -> str:
    """Why nothing is chosen, and what tolerance would admit the first model."""
    several = count(len(candidates), "candidate")
    tolerated = f"the {_shown(reading.delta, reading)} tolerated"
    known = [one for one in candidates if is_measured(one)]
    if not known:
        why = next((one.unable or one.unfairness.undefined for one in candidates), "")
        return f"None of {several} could be measured. {why}".strip()
    unspent = "The rows for the audit were not looked at, so they can serve another choice."
    if rule.admissible == "not found unfair":
        least = min(one.unfairness.lower_bound(reading.alpha) for one in known)
        return (
            f"Each of {several} was found to be more unfair than {tolerated}: the least unfair one by at "
            f"least {measured(least, reading)}. {unspent}"
        )
    level = reading.alpha / len(known) if rule.together else reading.alpha
    clear = [one for one in known if not one.unclear]
    if not clear:
        return f"None of {several} can be shown to be fair by these rows. {known[0].unclear} {unspent}"
    least = min(one.upper_bound(level) for one in clear)
    return (
        f"None of {several} is shown to be no more unfair than {tolerated}: the smallest upper bound is "
        f"{measured(least, reading)}. {unspent}"
    )


def elsewhere(result: SelectionResult, rule: Rule, reading: TransportReading) -> str:
    """What another reading of the same candidates would choose."""
    choice = choose(result.candidates, rule, reading)
    if choice.chosen is None:
        return nothing(result.candidates, rule, reading)
    chosen = result.candidates[choice.chosen]
    return (
        f"With these choices the model {_called(result, chosen)} would be chosen: right for "
        f"{percent(round(chosen.accuracy, 3))} of the validation rows, unfairness "
        f"{measured(chosen.unfairness.value, reading)}. It has not been audited."
    )


def bounds(unfairness: Answers, reading: TransportReading) -> tuple[str, str, str, str]:
    """Value, one-sided lower bound, and both ends of the two-sided interval, for a table.

    An unfairness is never below zero (nobody has to be moved), so no bound is shown there.
    """
    if unfairness.undefined:
        return ("no value", "", "", "")
    limits = unfairness.two_sided(reading.alpha)
    values = (unfairness.value, unfairness.lower_bound(reading.alpha), limits.low, limits.high)
    return tuple(_shown(max(value, 0.0), reading) for value in values)  # type: ignore[return-value]


def measured(value: float, reading: TransportReading) -> str:
    """An unfairness with its unit: ``3.65 percentage points`` for the 0-1 loss."""
    return f"{_shown(value, reading)}{MEASURES[reading.loss].unit}"


def read_by(plan: SelectionPlan, result: SelectionResult) -> TransportReading:
    """The plan's reading with the budget that was used for every candidate."""
    return plan.reading.model_copy(update={"budget": result.budget})


def outcome_of(plan: SelectionPlan, result: SelectionResult) -> Outcome:
    """How the choice ended under the plan's own rule and reading."""
    return the_choice(plan, result).outcome


def the_choice(plan: SelectionPlan, result: SelectionResult) -> Choice:
    """The choice under the plan's own rule and reading."""
    return choose(result.candidates, plan.rule, read_by(plan, result))


def _used(result: SelectionResult, place: int) -> str:
    used = 0 if result.path is None else int(result.path.used[place].sum())
    return count(used, "column") if used else "no column"


def _called(result: SelectionResult, candidate: Candidate) -> str:
    return f"with {candidate.name}" if result.path is not None else candidate.name


def _shown(value: float, reading: TransportReading) -> str:
    return number(MEASURES[reading.loss].factor * value)
