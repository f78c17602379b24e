"""The words of a selection: which model was chosen, how good it is, and what may be said about its unfairness."""

from core.audits.transport.decision import TransportDecision
from core.audits.transport.loss_units import LOSS_UNITS, tolerance
from core.audits.transport.verdict import TransportFinding
from core.inference.estimate import Verdict
from core.inference.evidence import Estimated
from core.language.phrases import count, lower_first, percent, without_stop
from core.language.told import retold, say
from core.workflows.selection.choice import Choice, ChoiceOutcome, choose, is_measured
from core.workflows.selection.result import Candidate, SelectionResult
from core.workflows.selection.settings import Rule, SelectionPlan

_AUDIT_HEADLINES = {
    Verdict.VIOLATION: say("The chosen model fails the audit"),
    Verdict.NO_VIOLATION: say("The chosen model passes the audit"),
    Verdict.INSUFFICIENT: say("A model was chosen, but the audit cannot say whether it is fair"),
}


def headline(plan: SelectionPlan, result: SelectionResult) -> str:
    """The outcome in a few words."""
    if result.audited is None:
        nothing_admissible = the_choice(plan, result).outcome is ChoiceOutcome.NOTHING_ADMISSIBLE
        return say("No model may be chosen") if nothing_admissible else say("Nothing measured")
    return retold(_AUDIT_HEADLINES[result.finding(decision_of(plan, result)).verdict])


def sentence(plan: SelectionPlan, result: SelectionResult) -> str:
    """The outcome in plain words, with the numbers of the audit's own rows where there are some."""
    decision = decision_of(plan, result)
    if result.audited is None or result.chosen is None:
        return nothing(result.candidates, plan.rule, decision)
    audited, chosen = result.audited, result.candidates[result.chosen]
    model, accuracy = _called(result, chosen), percent(round(audited.model.accuracy, 3))
    people = count(audited.data.rows_audited, "person", "people")
    right = (
        say(
            "The model {model} is right for {accuracy} of {people} who had no part in the choice",
            model=model,
            accuracy=accuracy,
            people=people,
        )
        if result.path is None
        else say(
            "The model {model}, which uses {columns}, is right for {accuracy} of {people} who had no part in the "
            "choice",
            model=model,
            columns=_used(result, result.chosen),
            accuracy=accuracy,
            people=people,
        )
    )
    return f"{right}{_judged(result.finding(decision))}."


def _judged(finding: TransportFinding) -> str:
    """What the audit says of the unfairness, as the end of a sentence."""
    decision, verdict, limits = finding.decision, finding.verdict, finding.interval
    if finding.undefined:
        return say("; its unfairness has no value: {undefined}", undefined=lower_first(without_stop(finding.undefined)))
    sure = say("with {confidence} confidence", confidence=percent(1 - decision.alpha))
    tolerated = say("the {delta} tolerated", delta=tolerance(decision))
    if verdict is Verdict.NO_VIOLATION:
        if finding.upper_bound == 0:
            return say(", and it treats people who count as similar alike: no unfairness was found at all")
        return say(
            ", and its unfairness is at most {upper} {sure}, within {tolerated}",
            upper=measured(finding.upper_bound, decision),
            sure=sure,
            tolerated=tolerated,
        )
    if verdict is Verdict.VIOLATION:
        lower = measured(finding.lower_bound, decision)
        return say(
            ", but its unfairness is at least {lower} {sure}, more than {tolerated}",
            lower=lower,
            sure=sure,
            tolerated=tolerated,
        )
    ends = say(
        "; its unfairness lies between {low} and {high} {sure}",
        low=_shown(max(limits.low, 0.0), decision),
        high=measured(limits.high, decision),
        sure=sure,
    )
    if finding.lower_bound <= decision.delta < finding.upper_bound:
        return say(
            "{ends}, so these rows neither show that it is more than {tolerated} nor exclude it",
            ends=ends,
            tolerated=tolerated,
        )
    reasons = finding.reasons
    why = lower_first(without_stop(reasons[0].what)) if reasons else say("the rows cannot carry a verdict")
    return say("{ends}, beside {tolerated}, but {why}", ends=ends, tolerated=tolerated, why=why)


def nothing(candidates: tuple[Candidate, ...], rule: Rule, decision: TransportDecision) -> str:
    """Why nothing is chosen, and what tolerance would admit the first model."""
    several = count(len(candidates), "candidate")
    tolerated = say("the {delta} tolerated", delta=tolerance(decision))
    known = [one for one in candidates if is_measured(one)]
    if not known:
        why = next((one.unable or one.unfairness.undefined for one in candidates), "")
        return say("None of {candidates} could be measured. {why}", candidates=several, why=why).strip()
    unspent = say("The rows for the audit were not looked at, so they can serve another choice.")
    if rule.admissible == "not found unfair":
        least = min(one.unfairness.lower_bound(decision.alpha) for one in known)
        return say(
            "Each of {candidates} was found to be more unfair than {tolerated}: the least unfair one by at "
            "least {least}. {unspent}",
            candidates=several,
            tolerated=tolerated,
            least=measured(least, decision),
            unspent=unspent,
        )
    level = decision.alpha / len(known) if rule.together else decision.alpha
    clear = [one for one in known if not one.unclear]
    if not clear:
        return say(
            "None of {candidates} can be shown to be fair by these rows. {unclear} {unspent}",
            candidates=several,
            unclear=known[0].unclear,
            unspent=unspent,
        )
    least = min(one.unfairness.upper_bound(level) for one in clear)
    return say(
        "None of {candidates} is shown to be no more unfair than {tolerated}: the smallest upper bound is "
        "{least}. {unspent}",
        candidates=several,
        tolerated=tolerated,
        least=measured(least, decision),
        unspent=unspent,
    )


def elsewhere(result: SelectionResult, rule: Rule, decision: TransportDecision) -> str:
    """What decision settings of the same candidates would choose."""
    choice = choose(result.candidates, rule, decision)
    if choice.chosen is None:
        return nothing(result.candidates, rule, decision)
    chosen = result.candidates[choice.chosen]
    return say(
        "With these choices the model {model} would be chosen: right for {accuracy} of the validation "
        "rows, unfairness {unfairness}. It has not been audited.",
        model=_called(result, chosen),
        accuracy=percent(round(chosen.accuracy, 3)),
        unfairness=measured(chosen.unfairness.value, decision),
    )


def bounds(unfairness: Estimated, decision: TransportDecision) -> tuple[str, str, str, str]:
    """Value, one-sided lower bound, and both ends of the two-sided interval, for a table.

    An unfairness is never below zero (nobody has to be moved), so no bound is shown there.
    """
    if unfairness.undefined:
        return (say("no value"), "", "", "")
    limits = unfairness.two_sided(decision.alpha)
    values = (unfairness.value, unfairness.lower_bound(decision.alpha), limits.low, limits.high)
    return tuple(_shown(max(value, 0.0), decision) for value in values)  # type: ignore[return-value]


def measured(value: float, decision: TransportDecision) -> str:
    """An unfairness with its unit: ``3.65 percentage points`` for the 0-1 loss."""
    return LOSS_UNITS[decision.loss].told_in.text(value, beside=decision.delta)


def decision_of(plan: SelectionPlan, result: SelectionResult) -> TransportDecision:
    """The plan's decision settings with the budget that was used for every candidate."""
    return plan.decision.model_copy(update={"budget": result.budget})


def the_choice(plan: SelectionPlan, result: SelectionResult) -> Choice:
    """The choice under the plan's own rule and decision settings."""
    return choose(result.candidates, plan.rule, decision_of(plan, result))


def _used(result: SelectionResult, place: int) -> str:
    used = 0 if result.path is None else int(result.path.used[place].sum())
    return count(used, "column") if used else say("no column")


def _called(result: SelectionResult, candidate: Candidate) -> str:
    return say("with {name}", name=candidate.name) if result.path is not None else candidate.name


def _shown(value: float, decision: TransportDecision) -> str:
    return LOSS_UNITS[decision.loss].told_in.number(value, beside=decision.delta)
