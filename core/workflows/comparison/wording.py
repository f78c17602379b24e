"""What a comparison found, in words: how each model stands, what it costs, and in what models differ."""

from collections import defaultdict
from collections.abc import Iterator

from core.claims import Claim
from core.claims_told import tolerated, value_text
from core.inference.estimate import Verdict
from core.language.phrases import listed, lower_first, percent, upper_first
from core.language.told import say, say_as
from core.language.units import POINTS
from core.report.multiple_tests import TestLine
from core.workflows.comparison import tests
from core.workflows.comparison.overview import line_of
from core.workflows.comparison.rates import Rate, differences, largest_first, rates
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.comparison.tests import Tested, tested

_NAMED = 3
"""Models that are told of one by one; of more there are lists."""
_ORDER = (Verdict.NO_VIOLATION, Verdict.VIOLATION, Verdict.INSUFFICIENT)


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
    """On which side of its tolerance each model is, with its number, and how much less often one is right than another.

    No full stop at its end.
    """
    found = sorted(tested(plan, result), key=lambda one: _ORDER.index(one.verdict))
    held = _one_by_one(found) if len(found) <= _NAMED else _in_lists(found)
    return ". ".join((held, *_price(plan, result, found)))


def _one_by_one(found: list[Tested]) -> str:
    shared = _shared_tolerance(found)
    told = []
    for place, one in enumerate(found):
        line = line_of(one)
        known = {"model": one.name, "value": _value(line, shared), "it": say("its tolerance")}
        if shared:
            the_same = say_as("the tolerance", "it") if place else say("the tolerance of {tolerance}", tolerance=shared)
            known["it"] = the_same
        if one.verdict is Verdict.NO_VIOLATION:
            told.append(say("{model} is within {it} ({value})", **known))
        elif one.verdict is Verdict.VIOLATION:
            told.append(say("{model} is beyond {it} ({value})", **known))
        elif one.alone.verdict is Verdict.NO_VIOLATION:
            told.append(say("{model} would be within {it} if no other model stood beside it ({value})", **known))
        elif line.claim is None or not line.claim.defined or line.claim.settled:
            told.append(say("{model} is left undecided", model=one.name))
        else:
            told.append(say("{model} may be on either side of {it} ({value})", **known))
    return ", ".join(told)


def _in_lists(found: list[Tested]) -> str:
    shared = _shared_tolerance(found)
    names: dict[Verdict, list[str]] = defaultdict(list)
    for one in found:
        names[one.verdict].append(f"{one.name} ({_value(line_of(one), shared)})" if shared else one.name)
    the_tolerance = say("the tolerance of {tolerance}", tolerance=shared) if shared else say("its tolerance")
    heads = {
        Verdict.NO_VIOLATION: say("within {it}: {models}", it=the_tolerance, models=listed(names[_ORDER[0]], _NAMED)),
        Verdict.VIOLATION: say("beyond {it}: {models}", it=the_tolerance, models=listed(names[_ORDER[1]], _NAMED)),
        Verdict.INSUFFICIENT: say("not settled: {models}", models=listed(names[_ORDER[2]], _NAMED)),
    }
    return upper_first("; ".join(heads[verdict] for verdict in _ORDER if names[verdict]))


def _shared_tolerance(found: list[Tested]) -> str:
    """The tolerance that the numbers of all models are held against, with its unit; empty where they have several."""
    lines = [line_of(one) for one in found]
    claims = [line.claim for line in lines if line.claim is not None]
    told = [one.alone.findings[one.alone.place].tolerance for one in found]
    alike = {
        (tolerance, line.name, claim.what, claim.scale, claim.unit, claim.tolerance)
        for tolerance, line, claim in zip(told, lines, claims, strict=False)
    }
    several = len(claims) < len(found) or len(alike) > 1
    return "" if several or claims[0].scale == "ratio" else str(told[0])


def _value(line: TestLine, shared: str) -> str:
    """A model's number, and what is tolerated unless that is said already."""
    claim = line.claim
    if claim is None or not claim.defined:
        return say("no number")
    if shared:
        return claim.unit.number(claim.estimate, beside=claim.tolerance)
    return say("{value}; {tolerated}", value=value_text(claim), tolerated=tolerated(claim))


def _price(plan: ComparisonPlan, result: ComparisonResult, found: list[Tested]) -> Iterator[str]:
    """How much more or less often models are right than others, where that is shown; of two models the first told."""
    apart = [claim for rate, claim in differences(result, plan.alpha) if rate.key in ("accuracy", "error")]
    certain = [claim for claim in apart if claim.p_value <= plan.alpha]
    baseline = result.names[result.baseline]
    if apart and not certain:
        yield (
            say("No difference in how often they are right is shown")
            if result.classes
            else say("No difference in how far they are off is shown")
        )
    elif len(found) == 2:
        for claim in certain:
            other = claim.who if found[0].name == baseline else baseline
            yield _right(claim, found[0].name, other, -claim.estimate if found[0].name == baseline else claim.estimate)
    elif len(found) <= _NAMED:
        for claim in certain:
            yield _right(claim, claim.who, baseline, claim.estimate)
    elif certain:
        less, more = ([one.who for one in certain if one.estimate * sign > 0] for sign in (-1, 1))
        if less:
            yield _less_right(result, baseline, less)
        if more:
            yield _more_right(result, baseline, more)


def _right(claim: Claim, model: str, other: str, difference: float) -> str:
    known = {"model": model, "other": other, "by": claim.unit.number(abs(difference))}
    if claim.unit == POINTS:
        return (
            say("{model} is right {by} points less often", **known)
            if difference < 0
            else say("{model} is right {by} points more often", **known)
        )
    return (
        say("{model} is off by {by} less on average", **known)
        if difference < 0
        else say("{model} is off by {by} more on average", **known)
    )


def _less_right(result: ComparisonResult, baseline: str, models: list[str]) -> str:
    names = listed(models, _NAMED)
    if result.classes:
        return say("Right less often than {baseline}: {models}", baseline=baseline, models=names)
    return say("Less far off than {baseline}: {models}", baseline=baseline, models=names)


def _more_right(result: ComparisonResult, baseline: str, models: list[str]) -> str:
    names = listed(models, _NAMED)
    if result.classes:
        return say("Right more often than {baseline}: {models}", baseline=baseline, models=names)
    return say("Further off than {baseline}: {models}", baseline=baseline, models=names)


def sentence(plan: ComparisonPlan, result: ComparisonResult) -> str:
    """What stands right below the headline, one thought a sentence.

    Which tests judged which model where that differs, in what groups differ more with the model that is ahead, in what
    they differ less, in which test models are shown to differ, and how many differences are shown.
    """
    found = tested(plan, result)
    by_tests = shown_by_tests(plan, result, found)
    certain = shown(plan, result)
    told = [_judged_by(found), *_left_open(found), *_groups(result, found, by_tests, certain)]
    told += list(_by_tests(result, found, by_tests))
    all_of_them, rated = len(differences(result, plan.alpha)), any(rate.attribute for rate in rates(result))
    if rated and not by_tests and not any(rate.attribute for rate, _ in certain):
        told.append(say("No difference in fairness is shown."))
    known = {"all": all_of_them, "alpha": percent(plan.alpha)}
    told.append(
        say(
            "{n} of {all} differences between models are shown not to be chance, with a risk of {alpha} of any "
            "mistake.",
            n=len(certain),
            **known,
        )
        if certain
        else say(
            "Each of {all} differences between models may be chance, with a risk of {alpha} of any mistake.",
            **known,
        )
    )
    return " ".join(filter(None, told))


def _left_open(found: tuple[Tested, ...]) -> Iterator[str]:
    """What the tests of models that are within their tolerance leave open."""
    for one in found if len(found) <= _NAMED else ():
        for finding in one.alone.findings if one.verdict is Verdict.NO_VIOLATION else ():
            if finding.reservations:
                yield say("With {model}, {reservations}.", model=one.name, reservations=finding.reservations)


def _judged_by(found: tuple[Tested, ...]) -> str:
    """Which tests judged which model, where these are not the same; empty where they are."""
    models: dict[tuple[str, ...], list[str]] = {}
    for one in found:
        models.setdefault(one.alone.names, []).append(one.name)
    if len(models) == 1:
        return ""
    told = [say("{models} by {tests}", models=listed(names), tests=listed(of)) for of, names in models.items()]
    return say("Verdicts are by different tests: {told}.", told="; ".join(told))


def _each_once(by_tests: tuple[tuple[str, Claim], ...]) -> Iterator[tuple[str, Claim]]:
    """Of each test and model one difference: what two groups differ by is two claims, of which one is a harm."""
    of: dict[tuple[str, str], list[Claim]] = defaultdict(list)
    for test, claim in by_tests:
        of[test, claim.who].append(claim)
    for (test, _), claims in of.items():
        yield test, max(claims, key=_furthest_out)


def _furthest_out(claim: Claim) -> float:
    both = (claim.here, claim.there)
    return max(both) if claim.scale == "difference" else -min(both)


def _by_tests(
    result: ComparisonResult, found: tuple[Tested, ...], by_tests: tuple[tuple[str, Claim], ...]
) -> Iterator[str]:
    """The differences of what tests estimate: of few models with both numbers, unless a sign says who fares worse."""
    of: dict[str, list[Claim]] = defaultdict(list)
    for test, claim in _each_once(by_tests):
        of[test].append(claim)
    for test, claims in of.items():
        if len(found) <= _NAMED and all(claim.here >= 0 and claim.there >= 0 for claim in claims):
            yield from (_by_a_test(result, test, claim) for claim in claims)
        else:
            names, baseline = listed([one.who for one in claims], _NAMED), result.names[result.baseline]
            yield say("{test}: shown to differ from {baseline}: {models}.", test=test, baseline=baseline, models=names)


def _by_a_test(result: ComparisonResult, test: str, claim: Claim) -> str:
    """A difference of what a test estimates, with both numbers, a sentence."""
    return say(
        "{test}, {what}: {here} with {model}, {there} with {baseline}, shown not to be chance.",
        test=test,
        what=lower_first(claim.what),
        here=claim.unit.text(claim.here),
        model=claim.who,
        there=claim.unit.text(claim.there),
        baseline=result.names[result.baseline],
    )


def ahead(found: tuple[Tested, ...], by_tests: tuple[tuple[str, Claim], ...]) -> str:
    """Which of two models the evidence favours: by the verdicts, else by what tests show; empty where by neither."""
    if len(found) > 2:
        return ""
    of = {one.verdict: one.name for one in found}
    if {*of} == {Verdict.NO_VIOLATION, Verdict.VIOLATION}:
        return of[Verdict.NO_VIOLATION]
    favoured = {claim.who if _less_harm(claim) else claim.against for _, claim in by_tests}
    return favoured.pop() if len(favoured) == 1 else ""


def _less_harm(claim: Claim) -> bool:
    """Whether a model's number is nearer to no harm than the baseline's, whichever of two groups fares worse."""
    if claim.scale == "ratio":
        return min(claim.here, 1 / claim.here) > min(claim.there, 1 / claim.there)
    return abs(claim.here) < abs(claim.there)


def _groups(
    result: ComparisonResult,
    found: tuple[Tested, ...],
    by_tests: tuple[tuple[str, Claim], ...],
    certain: tuple[tuple[Rate, Claim], ...],
) -> Iterator[str]:
    """In what groups differ least, and most, with each of a few models beside the baseline, of what is shown."""
    favoured = ahead(found, by_tests)
    others = [name for name in result.names if name != result.names[result.baseline]]
    for name in others if len(others) < _NAMED else []:
        own = [(rate, claim) for rate, claim in certain if rate.attribute and claim.who == name]
        if favoured and favoured != name:
            own = [(rate, _turned(claim)) for rate, claim in own]
        less = next((pair for pair in own if abs(pair[1].here) < abs(pair[1].there)), None)
        more = next((pair for pair in own if abs(pair[1].here) > abs(pair[1].there)), None)
        if more is not None:
            told = gap_text(*more)
            yield (
                say("But groups differed more in {told}.", told=told)
                if favoured
                else say("Groups differed more in {told}.", told=told)
            )
        if less is not None:
            yield say("Groups differed less in {told}.", told=gap_text(*less))


def _turned(claim: Claim) -> Claim:
    """The same difference, told of the other model."""
    return Claim(who=claim.against, against=claim.who, here=claim.there, there=claim.here, unit=claim.unit)


def gap_text(rate: Rate, claim: Claim) -> str:
    """By how much a group is behind another with two models, who is furthest behind first; amid a sentence."""
    if claim.here * claim.there < 0 and abs(claim.here) < abs(claim.there):
        claim = _turned(claim)
    (who, others), (with_other, _) = rate.worse_first(claim.here), rate.worse_first(claim.there)
    known = {
        "what": lower_first(rate.what),
        "who": who,
        "others": others,
        "here": rate.unit.number(abs(claim.here)),
        "there": rate.unit.number(abs(claim.there)),
        "model": claim.who,
        "other": claim.against,
    }
    if who == with_other:
        return say("{what}: {who} {here} points behind {others} with {model}, {there} with {other}", **known)
    return say("{what}: {who} {here} points behind {others} with {model}, {there} ahead with {other}", **known)


def advised(plan: ComparisonPlan, result: ComparisonResult) -> tuple[str, ...]:
    """Which model is left if the tolerance decides, where that is one and all others are beyond theirs."""
    found = tested(plan, result)
    held = [one.name for one in found if one.verdict is Verdict.NO_VIOLATION]
    if len(held) != 1 or any(one.verdict is Verdict.INSUFFICIENT for one in found):
        return ()
    return (say("If the tolerance decides, use {model}; what that costs stands beside it.", model=held[0]),)


def better_in(plan: ComparisonPlan, result: ComparisonResult) -> tuple[str, ...]:
    """In what each of a few models is better than the baseline, and in what the baseline is, of what is shown."""
    by_tests = shown_by_tests(plan, result, tested(plan, result))
    baseline, told = result.names[result.baseline], []
    for name in result.names:
        better: dict[bool, list[str]] = {True: [], False: []}
        for test, claim in _each_once(by_tests):
            if claim.who == name:
                better[_less_harm(claim)].append(test)
        for rate, claim in shown(plan, result):
            if claim.who == name and not rate.attribute:
                better[(claim.estimate > 0) is (rate.key != "error")].append(lower_first(rate.what))
        for is_better, what in _widest(plan, result, name):
            better[is_better].append(what)
        for is_better, whats in better.items():
            if whats:
                pair = (name, baseline) if is_better else (baseline, name)
                told.append(
                    say(
                        "In this table {model} is better than {other} in: {what}.",
                        model=pair[0],
                        other=pair[1],
                        what="; ".join(whats),
                    )
                )
    return tuple(told) if len(result.names) <= _NAMED else ()


def _widest(plan: ComparisonPlan, result: ComparisonResult, name: str) -> Iterator[tuple[bool, str]]:
    """For each quantity the attributes whose groups differ less at most with a model, and those where they do more."""
    gaps: dict[tuple[str, str], list[Claim]] = defaultdict(list)
    for rate, claim in differences(result, plan.alpha):
        if rate.attribute and claim.who == name:
            gaps[rate.what, rate.attribute].append(claim)
    of: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for (what, attribute), claims in gaps.items():
        here, there = (max(abs(getattr(one, side)) for one in claims) for side in ("here", "there"))
        if here != there and any(one.p_value <= plan.alpha for one in claims):
            of[what, here < there].append(attribute)
    for (what, less), attributes in of.items():
        yield less, say("{what} by {attributes}", what=lower_first(what), attributes=listed(attributes))


def verdict_of_all(found: tuple[Tested, ...]) -> Verdict:
    """A violation where any model has one, no violation where none has."""
    verdicts = {one.verdict for one in found}
    if Verdict.VIOLATION in verdicts:
        return Verdict.VIOLATION
    return Verdict.NO_VIOLATION if verdicts == {Verdict.NO_VIOLATION} else Verdict.INSUFFICIENT
