"""The page that everybody reads: how sure a verdict is, who is affected, and what to do next, in plain sentences."""

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from core.caveats.assumptions import IS_A_DECISION
from core.claims import Claim, first_told
from core.claims_shown import pair
from core.claims_told import at_most, bounds_text, is_in_favour, needed, tolerated, value_text
from core.data.labels import compared_with
from core.finding import AbstractFinding
from core.group_answers import described
from core.inference.estimate import Verdict
from core.language.phrases import (
    LONGEST_VALUE,
    by_name,
    listed,
    lower_first,
    p_value,
    percent,
    shortened,
    up_to,
    whole,
)
from core.language.told import retold, say
from core.report.multiple_tests import Together
from core.result import DataSummary

_IS = " = "
_Named = tuple[frozenset[str], bool]
_NAMED = 4
"""Comparisons of a test that are named where they are not settled; further ones are counted."""
_NAMED_BRIEFLY = 2
"""The same beside a chart."""

_NEXT = {
    Verdict.VIOLATION: say("Find out why before it is used. After a change, audit again on new rows."),
    Verdict.NO_VIOLATION: say("Audit again when the model, its data or its use changes."),
}


def how_sure(together: Together) -> tuple[str, ...]:
    """How often an audit like this one would say so wrongly, a sentence or two a test."""
    rows = zip(together.names, together.verdicts, together.adjusted, together.alphas, strict=True)
    alone = len(together.names) == 1
    return tuple(_sure(verdict, p, alpha, "" if alone else f"{name}: ") for name, verdict, p, alpha in rows)


def who_is_affected(together: Together) -> tuple[str, ...]:
    """Who is shown to be treated worse than tolerated, and whom the audit is about."""
    return tuple(_who(together))


def what_to_do(together: Together) -> tuple[str, ...]:
    """What to do: about the test of the headline first, then what the others advise under their names, each once."""
    first = together.shown[together.place]
    told = _NEXT.get(together.verdict)
    decided = IS_A_DECISION in first.spoken and told != _NEXT[Verdict.VIOLATION]
    steps = [*([together.of_decisions.advice] if decided else []), *first.next_steps, *([retold(told)] if told else [])]
    for name, finding in zip(together.names, together.shown, strict=True):
        own = [step for step in finding.next_steps if step not in steps] if finding is not first else []
        steps += [f"{name}: {step}" for step in own]
    return tuple(dict.fromkeys(steps))


def _sure(verdict: Verdict, p: float, alpha: float, name: str) -> str:
    said = how_often_wrong(verdict, alpha)
    told = f"{name}{said if name else said[0].upper() + said[1:]}"
    return " ".join(filter(None, (told, what_p_says(p, alpha))))


def what_p_says(p: float, alpha: float, tests: int = 1) -> str:
    """What a p-value speaks for, which is never that the tolerance is kept; empty where there is none.

    Args:
        p: The p-value, adjusted where there are several tests.
        alpha: The error rate.
        tests: For how many tests it is said to be adjusted.
    """
    if math.isnan(p):
        return ""
    told = p_value(p, alpha=alpha)
    told = say("p {value}", value=told) if told[0] in "<>" else say("p = {value}", value=told)
    if tests > 1:
        told = say("{p}, adjusted for {tests} tests", p=told, tests=tests)
    if p <= alpha:
        return say("The numbers are evidence that the tolerance is exceeded ({p}).", p=told)
    return say("The numbers are no evidence that the tolerance is exceeded ({p}).", p=told)


def how_often_wrong(verdict: Verdict, alpha: float) -> str:
    """How often such a verdict would be wrong, one sentence that begins with a small letter."""
    if verdict is Verdict.VIOLATION:
        return say(
            "if the truth lay within the tolerance, an audit like this would still find a violation in at most {alpha} "
            "of cases.",
            alpha=percent(alpha),
        )
    if verdict is Verdict.NO_VIOLATION:
        return say(
            "if the truth exceeded the tolerance, an audit like this would still find no violation in at most {alpha} "
            "of cases.",
            alpha=percent(alpha),
        )
    return say(
        "at an error rate of {alpha}, this data shows neither a violation nor that there is none.", alpha=percent(alpha)
    )


def _who(together: Together) -> Iterator[str]:
    data = [one.result.data for one in together.findings]
    deciding = together.deciding
    for told in shown_worse(together.verdict, deciding):
        by = [
            name
            for name, one in zip(together.names, together.findings, strict=True)
            if one in deciding and one.affected == told
        ]
        alone = len(together.names) == 1 or not by
        yield told if alone else say("{told} Shown by: {tests}.", told=told, tests=listed(by))
    yield from beside_the_headline(together)
    yield about_whom(data[0], by_name(together.names, [one.rows for one in data]))


def beside_the_headline(together: Together) -> tuple[str, ...]:
    """What is said wherever the headline of several tests stands: who else is beyond, cleared or open, and answered."""
    found = (reconciled(together), also_beyond(together), cleared(together), *not_settled(together))
    return tuple(filter(None, (*found, *answers_described(together))))


def answers_described(together: Together, **told_as: Any) -> tuple[str, ...]:
    """Who gets the favourable answer least and most often, told as :func:`described` does.

    It is left out where a test compares groups, unless in outcomes that are themselves decisions.
    """
    first = together.findings[together.place]
    if any(claim.against for one in together.findings for claim in one.claims) and IS_A_DECISION not in first.spoken:
        return ()
    told = described(first.result, **told_as)
    return (*told[:-1], *(say("{told} This is counted, not tested.", told=one) for one in told[-1:]))


def reconciled(together: Together) -> str:
    """Why what another test claims of people whom a violation's headline names is no contradiction; may be empty."""
    finding = together.findings[together.place]
    claim = finding.headlined
    if claim is None or finding.verdict is not Verdict.VIOLATION:
        return ""
    others = (one for other in together.findings if not other.unclaimed for one in other.claims)
    return next(filter(None, (finding.room.reconciled(finding, claim, one) for one in others)), "")


def also_beyond(together: Together) -> str:
    """Whom tests show to be treated beyond their tolerance besides those of the headline; empty where there are none.

    The bounds of a test hold for all of its claims together.
    """
    deciding = together.findings[together.place]
    first, told = deciding.headlined, []
    named = set() if first is None else {_named(deciding, first)}
    for name, finding, claims in _violations(together):
        further = _further(finding, claims, named)
        named |= {_named(finding, one) for one in claims}
        of: dict[str, list[str]] = {}
        for one in further[:_NAMED]:
            of.setdefault(_measure(finding, one), []).append(in_words(one))
        who = "; ".join(f"{'; '.join(found)} ({measure})" for measure, found in of.items())
        if more := len(further[_NAMED:]):
            who = say("{shown} and {n} more", shown=who, n=whole(more))
        if who:
            told.append(say("{test} also finds beyond its tolerance: {who}.", test=name, who=who))
    return " ".join(told)


def beyond_too(together: Together, drawn: Iterable[str] = ()) -> str:
    """Whom the test of the headline shows to be beyond its tolerance besides, in what its headline measures; or empty.

    Args:
        together: What the tests found.
        drawn: Whom a chart beside it draws, in words.
    """
    place, known = together.place, set(drawn)
    first = together.findings[place].headlined
    for name, finding, claims in _violations(together):
        if first is not None and name == together.names[place]:
            alike = [one for one in claims if _measure(finding, one) == _measure(finding, first)]
            others = _further(finding, alike, {_named(finding, first)})
            who = "; ".join(up_to([in_words(one) for one in others if pair(one) not in known], _NAMED_BRIEFLY))
            return say("Beyond the tolerance too: {who}.", who=who) if who else ""
    return ""


def _further(finding: AbstractFinding[Any, Any], claims: Sequence[Claim], named: Container[_Named]) -> list[Claim]:
    """One claim for each two groups and kind of error not yet named, as a headline would choose among them."""
    beyond = {_named(finding, one): one for one in sorted(claims, key=first_told)}
    return [one for of, one in reversed(beyond.items()) if of not in named]


def _violations(together: Together) -> Iterator[tuple[str, AbstractFinding[Any, Any], list[Claim]]]:
    """Each test whose violation stands among all tests, and what it shows to be beyond its tolerance of somebody."""
    for name, finding, verdict in zip(together.names, together.findings, together.verdicts, strict=True):
        if verdict is Verdict.VIOLATION:
            yield name, finding, [one for one in finding.claims if one.beyond and one.who]


def _named(finding: AbstractFinding[Any, Any], claim: Claim) -> _Named:
    """Whom a claim compares, and whether in errors in people's favour, which are told beside those against them."""
    return frozenset((claim.who, claim.against)), is_in_favour(claim, finding.result.data)


def sides(claim: Claim) -> str:
    """Whom a claim is about, and against whom; empty for everybody."""
    who = shortened(claim.who, LONGEST_VALUE)
    if not claim.against:
        return who
    against = shortened(compared_with(claim.who, claim.against), LONGEST_VALUE)
    return say("{who} against {against}", who=who, against=against)


def in_words(claim: Claim) -> str:
    """Whom a claim compares, and by how much they differ with bounds; no full stop."""
    bounds = bounds_text(claim) if claim.defined else ""
    return ", ".join(filter(None, (in_brief(claim), bounds)))


def in_brief(claim: Claim) -> str:
    """The same without bounds, where a picture draws them."""
    who, found = sides(claim), value_text(claim) if claim.defined else ""
    value = say("a ratio of {ratio}", ratio=found) if found and claim.scale == "ratio" else found
    return ", ".join(filter(None, (who, value)))


def _measure(finding: AbstractFinding[Any, Any], claim: Claim) -> str:
    return lower_first(finding.room.measure(finding, claim))


def shown_instead(finding: AbstractFinding[Any, Any]) -> str:
    """What is found of the attribute that charts and tables show, where the headline is not about it; else empty."""
    shown, first = finding.pictured, finding.headlined
    if finding.unclaimed or shown is None or first is None or shown is finding.deciding:
        return ""
    found = f"{in_words(shown)} ({_measure(finding, shown)})"
    return "" if _named(finding, shown) == _named(finding, first) else say("Shown here: {found}.", found=found)


def cleared(together: Together, *, brief: bool = False) -> str:
    """The attributes none of whose groups fares worse than is tolerated in what the headline says of others; or empty.

    Each upper bound holds by itself, so that the largest does (Berger 1982).

    Args:
        together: What the tests found.
        brief: Whether it stands beside the chart of it, which says by how much.
    """
    finding, first = together.shown[together.place], together.shown[together.place].headlined
    forbidden = any(one.forbids in ("clearing", "any claim") for one in finding.reasons)
    if first is None or together.verdict is Verdict.NO_VIOLATION or forbidden or finding.result.data.missing_goes_with:
        return ""
    attributes = {one.who: _attribute_of(one.who, finding.result.data) for one in finding.claims if one.decides}
    measured = [one for one in finding.claims if one.who in attributes and one.of == first.of]
    of: dict[str, list[Claim]] = {}
    for one in measured:
        of.setdefault(attributes[one.who], []).append(one)
    found = {name: [one for one in own if one.decides] for name, own in of.items() if all(one.within for one in own)}
    claims = [one for own in found.values() for one in own]
    if not claims or "" in of:
        return ""
    widest = max(claims, key=lambda one: one.times_possible)
    names = listed(list(found))
    measure = _measure(finding, widest)
    if brief:
        known = {"attributes": names, "measure": measure}
        return (
            say("In this one measure no group of {attributes} alone fares worse than tolerated: {measure}.", **known)
            if widest.one_sided
            else say(
                "In this one measure groups of {attributes} alone differ by no more than tolerated: {measure}.", **known
            )
        )
    known = {
        "attributes": names,
        "measure": measure,
        "bound": at_most(widest),
        "sure": percent(1 - finding.decision.alpha),
        "tolerated": tolerated(widest),
    }
    told = (
        say(
            "In this one measure no group of {attributes} alone fares worse than tolerated: {measure}, {bound}, with "
            "{sure} confidence; {tolerated}.",
            **known,
        )
        if widest.one_sided
        else say(
            "In this one measure groups of {attributes} alone differ by no more than tolerated: {measure}, {bound}, "
            "with {sure} confidence; {tolerated}.",
            **known,
        )
    )
    if len(together.names) == 1:
        return told
    return say("{told} Shown by: {tests}.", told=told, tests=together.names[together.place])


def _attribute_of(who: str, data: DataSummary) -> str:
    """The protected attribute of a group in words; empty where it is not known."""
    if (name := who.partition(_IS)[0]) in data.protected:
        return name
    columns = {one.column: one.label for one in data.labels if not one.value}
    return next((columns.get(one.column, one.column) for one in data.labels if one.value and one.label == who), "")


def not_settled(together: Together) -> tuple[str, ...]:
    """Who is shown to be neither beyond the tolerance nor within it, and in what, a sentence for each quantity.

    First those who surely differ. Of several attributes together they are told if they do by more than tolerated, as
    far as was found.

    Then tests that settle nothing although their claims are settled, or that are about nobody, say what they leave
    open.
    """
    tests, who, others = list[str](), dict[str, list[str]](), set[str]()
    apart: dict[str, list[str]] = {}
    headlined = together.shown[together.place].headlined
    seen = {_same(headlined)} if headlined is not None and together.verdict is not Verdict.NO_VIOLATION else set()
    beyond = {(one.who, _measure(finding, one)) for _, finding, claims in _violations(together) for one in claims}
    for name, finding, verdict in zip(together.names, together.shown, together.verdicts, strict=True):
        told = (one for one in finding.claims if one.decides or one.stands_out)
        still = [] if finding.unclaimed else [one for one in told if not one.settled]
        named = [one for one in still if one.who and (one.who, _measure(finding, one)) not in beyond]
        if not named and verdict is Verdict.INSUFFICIENT and len(together.names) > 1:
            left = say("Not settled: {what} ({test})", what=retold(finding.kind.settles), test=name)
            tests.append(f"{': '.join(filter(None, (left, _why_open(finding))))}.")
        for one in named:
            if one.differs:
                if _same(one) not in seen:
                    apart.setdefault(_measure(finding, one), []).append(in_words(one))
                seen.add(_same(one))
                continue
            who.setdefault(_measure(finding, one), []).append(_compared(one))
            others |= {_measure(finding, one)} if finding.claims_widest_only else set()
    return (
        *(
            say(
                "Surely different, but whether by more than tolerated is open: {who} ({measure}).",
                who="; ".join(up_to(list(dict.fromkeys(sides)), _NAMED)),
                measure=measure,
            )
            for measure, sides in apart.items()
        ),
        *(
            say("Not settled {who}, among others: {measure}.", who=_sides(sides), measure=measure)
            if measure in others
            else say("Not settled {who}: {measure}.", who=_sides(sides), measure=measure)
            for measure, sides in who.items()
        ),
        *tests,
    )


def _same(claim: Claim) -> tuple[str, str, str, float]:
    """What two claims share that are of one difference, which several tests may look at."""
    return claim.who, claim.against, claim.scale, round(claim.estimate, 9)


def _sides(sides: Sequence[str]) -> str:
    return listed(tuple(dict.fromkeys(sides)), _NAMED)


def _why_open(finding: AbstractFinding[Any, Any]) -> str:
    """Why a test that is about nobody by name settles nothing, in a few words; empty where its page says it."""
    claim = finding.headlined
    if finding.unclaimed or claim is None:
        return ""
    return needed(finding, claim)


def _compared(claim: Claim) -> str:
    who = shortened(claim.who, LONGEST_VALUE)
    if not claim.against:
        return say("for {who}", who=who)
    against = shortened(compared_with(claim.who, claim.against), LONGEST_VALUE)
    return say("between {who} and {against}", who=who, against=against)


def about_whom(data: DataSummary, rows: str = "") -> str:
    """How many rows the audit is about, and which attributes it protects.

    Args:
        data: What was audited.
        rows: The rows of several tests in words; those of ``data`` if empty.
    """
    if not data.protected:
        return say("The audit is about {rows}.", rows=rows or data.rows)
    return say(
        "The audit is about {rows}. Protected attributes: {attributes}.",
        rows=rows or data.rows,
        attributes=", ".join(data.protected),
    )


def shown_worse(verdict: Verdict, findings: Iterable[AbstractFinding[Any, Any]]) -> tuple[str, ...]:
    """Who is shown to be treated worse than tolerated by the findings that decide the verdict, a sentence each."""
    deciding = tuple(findings)
    named = [one.affected for one in deciding if one.named]
    told = named or [one.affected for one in deciding if verdict is Verdict.VIOLATION]
    if told:
        return tuple(dict.fromkeys(told))
    if verdict is Verdict.INSUFFICIENT:
        return (say("Whether any group is beyond the tolerance is open."),)
    return (say("No group is shown to be beyond the tolerance."),)
