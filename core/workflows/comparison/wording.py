"""What a comparison found, in words: which models differ from the baseline, and in what."""

from collections import defaultdict
from collections.abc import Iterator

from core.claims import Claim
from core.inference.estimate import Verdict
from core.language.phrases import count, listed, lower_first, percent, upper_first, whole
from core.language.told import retold, say
from core.workflows.comparison import tests
from core.workflows.comparison.rates import Rate, differences, largest_first, rates
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.comparison.tests import Tested, tested

_NAMED = 3
"""Models named in a headline; of more it is said how many."""
_AMONG = {
    "SPD": say("among all (SPD)"),
    "EOD": say("among those with the favourable outcome (EOD)"),
    "AOD": say("given the outcome (AOD)"),
}
"""Among whom favourable answers are counted."""


def shown(plan: ComparisonPlan, result: ComparisonResult) -> tuple[tuple[Rate, Claim], ...]:
    """The differences that are shown, all together, the largest first."""
    return tuple(pair for pair in largest_first(result, plan.alpha) if pair[1].p_value <= plan.alpha)


def shown_by_tests(
    plan: ComparisonPlan, result: ComparisonResult, found: tuple[Tested, ...]
) -> tuple[tuple[str, Claim], ...]:
    """The differences of what tests estimate that are shown, all together, by test."""
    apart = tests.differences(found, result.baseline, plan.alpha)
    return tuple((test, claim) for test, claim in apart if tests.differs(claim, plan.alpha))


def headline(plan: ComparisonPlan, result: ComparisonResult) -> str:
    """What the tests find of each model, and which differ from the baseline in what is compared, in a few words."""
    found = tested(plan, result)
    if len(verdicts := dict.fromkeys(one.verdict for one in found)) == 1:
        judged = say("{verdict} with every model", verdict=upper_first(found[0].verdict.words))
    else:
        with_names = {verdict: listed([one.name for one in found if one.verdict is verdict]) for verdict in verdicts}
        told = [say("{verdict} with {names}", verdict=one.words, names=names) for one, names in with_names.items()]
        judged = upper_first("; ".join(told))
    return f"{judged}. {_apart(plan, result, found)}"


def _apart(plan: ComparisonPlan, result: ComparisonResult, of_tests: tuple[Tested, ...]) -> str:
    """Which models differ from the baseline."""
    baseline = result.names[result.baseline]
    found = {claim.who for _, claim in (*shown(plan, result), *shown_by_tests(plan, result, of_tests))}
    if not found:
        return say("No difference from {baseline} is shown", baseline=baseline)
    names = [one for one in result.names if one in found]
    if len(names) == 1:
        return say("{name} differs from {baseline}", name=names[0], baseline=baseline)
    if len(names) > _NAMED:
        n, others = whole(len(names)), whole(len(result.others))
        return say("{n} of {others} models differ from {baseline}", n=n, others=others, baseline=baseline)
    return say("{names} differ from {baseline}", names=listed(names), baseline=baseline)


def sentence(plan: ComparisonPlan, result: ComparisonResult) -> str:
    """Which tests judged which model, the largest difference with both numbers, and which models differ in what."""
    found = tested(plan, result)
    return " ".join(filter(None, (_judged_by(found), _differences(plan, result, found))))


def _judged_by(found: tuple[Tested, ...]) -> str:
    """Which tests judged which model, where these are not the same; empty where they are."""
    models: dict[tuple[str, ...], list[str]] = {}
    for one in found:
        models.setdefault(one.alone.names, []).append(one.name)
    if len(models) == 1:
        return ""
    told = [say("{models} by {tests}", models=listed(names), tests=listed(of)) for of, names in models.items()]
    return say("Verdicts are by different tests: {told}.", told="; ".join(told))


def _differences(plan: ComparisonPlan, result: ComparisonResult, of_tests: tuple[Tested, ...]) -> str:
    """The largest difference with both numbers, which models differ in what, and how many are shown."""
    all_of_them = len(differences(result, plan.alpha))
    found = shown(plan, result)
    looked = say(
        "{n} of {all} differences are shown, with an error rate of {alpha} for all together.",
        n=len(found),
        all=all_of_them,
        alpha=percent(plan.alpha),
    )
    by_tests = shown_by_tests(plan, result, of_tests)
    told = [f"{difference_text(*found[0])}.", *_who_in_what(result, found)] if found else []
    told += [_by_a_test(result, test, claim) for test, claim in by_tests]
    rated = any(rate.attribute for rate in rates(result))
    if told and rated and not by_tests and not any(rate.attribute for rate, _ in found):
        told.append(say("No difference in fairness is shown."))
    return " ".join([*told, looked])


def _by_a_test(result: ComparisonResult, test: str, claim: Claim) -> str:
    """A difference of what a test estimates, with both numbers, a sentence."""
    return say(
        "{test}, {what}: {here} with {model}, {there} with {baseline}.",
        test=test,
        what=lower_first(claim.what),
        here=claim.unit.text(claim.here),
        model=claim.who,
        there=claim.unit.text(claim.there),
        baseline=result.names[result.baseline],
    )


def _who_in_what(result: ComparisonResult, found: tuple[tuple[Rate, Claim], ...]) -> Iterator[str]:
    """A sentence for the models that differ in the same quantities."""
    baseline, alike = result.names[result.baseline], defaultdict[str, list[str]](list)
    for name in result.names:
        its = {rate for rate, claim in found if claim.who == name}
        if its:
            alike[listed(_quantities([rate for rate in rates(result) if rate in its]))].append(name)
    for what, names in alike.items():
        if len(names) == 1:
            yield say("{name} differs from {baseline} in {what}.", name=names[0], baseline=baseline, what=what)
        elif len(names) <= _NAMED:
            yield say("{names} differ from {baseline} in {what}.", names=listed(names), baseline=baseline, what=what)
        else:
            n = whole(len(names))
            yield say("{n} models differ from {baseline} in {what}.", n=n, baseline=baseline, what=what)


def _quantities(shown_in: list[Rate]) -> list[str]:
    """What rates are of, in a few words: those of the groups of an attribute together."""
    keys = defaultdict[str, dict[str, None]](dict)
    for rate in shown_in:
        keys[rate.attribute][rate.key if rate.attribute else lower_first(rate.what)] = None
    alone = list(keys.pop("", ()))
    return alone + [
        say(
            "favourable answers by {attribute} {among}",
            attribute=attribute,
            among=listed([retold(_AMONG[key]) for key in of_it]),
        )
        for attribute, of_it in keys.items()
    ]


def difference_text(rate: Rate, claim: Claim) -> str:
    """A difference that is shown of two models, with both of their numbers, without a stop."""
    low, high = claim.ends if claim.estimate >= 0 else (-end for end in reversed(claim.ends))
    return say(
        "{what}: {here} with {model}, {there} with {baseline}, a difference of {value} ({interval})",
        what=f"{rate.what} ({rate.key})" if rate.attribute else rate.what,
        here=rate.told(claim.here),
        model=claim.who,
        there=rate.told(claim.there),
        baseline=claim.against,
        value=claim.unit.text(abs(claim.estimate)),
        interval=claim.unit.interval(low, high),
    )


def verdict_of_all(found: tuple[Tested, ...]) -> Verdict:
    """A violation where any model has one, no violation where none has."""
    verdicts = {one.verdict for one in found}
    if Verdict.VIOLATION in verdicts:
        return Verdict.VIOLATION
    return Verdict.NO_VIOLATION if verdicts == {Verdict.NO_VIOLATION} else Verdict.INSUFFICIENT


def verdict_text(one: Tested, models: int) -> str:
    """A model's verdict, and why it is not cleared where an audit of it alone would clear it."""
    if one.verdict is one.alone.verdict:
        return one.verdict.words
    return say(
        "{verdict}: cleared alone, but not as one picked of {models}",
        verdict=one.verdict.words,
        models=count(models, "model"),
    )
