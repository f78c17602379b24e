"""A claim in a headline and in a line: who, in which direction, by how much, and what is tolerated."""

import math
from dataclasses import replace
from typing import Any, Literal

from core.claims import Claim
from core.data.labels import as_said, condition, whom
from core.data.roles import MODELS_ANSWER
from core.language.phrases import lower_first, number, percent, share_to_one_decimal, upper_first, whole
from core.language.told import localized, retold, say, say_as
from core.language.units import POINTS
from core.result import DataSummary

Said = Literal["beyond", "within", "open"]
"""What a headline says of a claim: it is shown, it is ruled out, or neither."""

MOST_TIMES = 20
"""More rows than so many times those audited are no advice."""
_TIMES_AS_FOUND = 10
"""Up to so many times the rows, what was found is what more of them are counted for; else that nothing differs, unless
the rows show that something does."""
_CHOSEN = 6
"""Characters of a tolerance that somebody chose; one that has more was chosen in another unit."""
_LEAST_MORE = 1.1
"""Fewer times the rows than this are told as so many."""


def headline(finding: Any, claim: Claim, said: Said) -> str:
    """A claim as people repeat it, where its room says nothing of its own: two shares, or one value; no full stop.

    Args:
        finding: What it is a claim of.
        claim: The claim.
        said: Whether it is shown, ruled out or open.
    """
    what = lower_first(claim.what)
    if said == "within":
        told = say(
            "With {confidence} confidence {what} is {bound}; {tolerated}",
            confidence=percent(1 - finding.decision.alpha),
            what=what,
            bound=_beside(claim, at_most(replace(claim, high=max(claim.high, 0.0)) if claim.against else claim)),
            tolerated=tolerated(claim),
        )
    elif said == "open" and not claim.differs:
        told = say(
            "Whether {what} is {beyond} is open: {needed}",
            what=what,
            beyond=_beside(claim, beyond_tolerance(claim)),
            needed=needed(finding, claim),
        )
    elif two_shares(claim):
        here, there, apart = shares(claim, claim.here, claim.there)
        return say(
            "{what} is {here} for {who} and {there} for {against}: {apart} apart; {held}",
            what=claim.what,
            here=here,
            there=there,
            who=whom(claim.who),
            against=whom(claim.against),
            apart=apart,
            held=held_against(claim),
        )
    elif claim.against:
        value = _beside(claim, value_text(claim))
        return say("{what} is {value}; {held}", what=claim.what, value=value, held=held_against(claim))
    else:
        told = say(
            "{what} is {value}; {tolerated}", what=claim.what, value=value_text(claim), tolerated=tolerated(claim)
        )
    return say("{told} (for {who})", told=told, who=whom(claim.who)) if claim.who and not claim.against else told


def _beside(claim: Claim, value: str) -> str:
    """So much higher, lower or times as high for those a claim is about as for others; the value where nobody is."""
    if not claim.against:
        return value
    known = {"value": value, "who": whom(claim.who), "against": whom(claim.against)}
    if claim.scale == "ratio":
        return say("{value} times as high for {who} as for {against}", **known)
    if claim.more:
        return say("{value} higher for {who} than for {against}", **known)
    return say("{value} lower for {who} than for {against}", **known)


def found(claim: Claim) -> str:
    """What was found, amid a sentence: a value, or what it is on either side, and how far these lie apart."""
    what, value = lower_first(claim.what), claim.unit.text(claim.estimate, beside=claim.tolerance)
    if not claim.against:
        return f"{what}, {claim.who}, {value}" if claim.who else f"{what} {value}"
    apart = (
        say("a ratio of {value}", value=value)
        if claim.scale == "ratio"
        else say("a difference of {value}", value=value)
    )
    known = {"what": what, "who": whom(claim.who), "against": whom(claim.against), "apart": apart}
    if not math.isfinite(claim.here + claim.there):
        return say("{what} of {who} and {against}, {apart}", **known)
    shown = share_to_one_decimal if claim.unit == POINTS else claim.unit.number
    known |= {"here": shown(claim.here), "there": shown(claim.there)}
    return say("{what} is {here} for {who} and {there} for {against}, {apart}", **known)


def with_reservations(told: str, words: str) -> str:
    """A headline and what it leaves open or reads otherwise, as a sentence of its own."""
    return f"{told}. {upper_first(words)}" if words else told


_SOUNDS_BAD = {"no", "n", "false", "f", "0", "0.0"}
"""Answers that are taken for the unfavourable one unless it is said that they are not."""


def answer(data: DataSummary, value: str, *, after_with: bool = False) -> str:
    """What a model answers, amid a sentence: ``the prediction hired = yes``, so that nobody takes it for what happened.

    Where no outcome is known it is ``the decision hired = yes``, or ``the answer “yes”`` in no column. Of a favourable
    answer that sounds like the other one it is said: ``the decision deny = no (favourable)``.

    Args:
        data: What was audited.
        value: The answer.
        after_with: Whether "with" stands before it, after which languages with cases need another one.
    """
    decided = bool(data.decision) and data.decision != MODELS_ANSWER
    column = data.decision if decided else data.outcome
    told = as_said(condition(column, value) if column else value)
    if value == data.favourable and value.casefold() in _SOUNDS_BAD:
        told = say("{answer} (favourable)", answer=told)
    if after_with:
        if decided:
            return say_as("after “with”", "the decision {told}", told=told)
        return (
            say_as("after “with”", "the prediction {told}", told=told)
            if data.outcome
            else say_as("after “with”", "the answer {told}", told=told)
        )
    if decided:
        return say_as("what people get", "the decision {told}", told=told)
    return (
        say_as("what people get", "the prediction {told}", told=told)
        if data.outcome
        else say_as("what people get", "the answer {told}", told=told)
    )


def happened(value: str) -> str:
    """For whom an outcome came true: ``where the outcome was yes``."""
    return say("where the outcome was {value}", value=value)


def is_in_favour(claim: Claim, data: DataSummary) -> bool:
    """Whether what the first side gets more often is wrongly the favourable answer, an error in its favour."""
    return bool(claim.of) and not claim.one_sided and claim.of == data.favourable


def two_shares(claim: Claim) -> bool:
    """Whether both sides of a claim are known as shares."""
    return math.isfinite(claim.here + claim.there) and claim.unit == POINTS


def sides(finding: Any, claim: Claim) -> tuple[str, float, float] | None:
    """What the two numbers of a headline are, and both, where a claim knows them and its room says nothing else."""
    return (claim.what, claim.here, claim.there) if two_shares(claim) and claim.against else None


def sure_text(claim: Claim, alpha: float) -> str:
    """What is known of a claim with the confidence of its bounds: ``At least 19.1 points, with 95% confidence``."""
    sure, ratio = percent(1 - alpha), claim.scale == "ratio"
    if claim.beyond:
        bound = number(claim.high) if ratio else amount(claim, claim.low)
        return (
            say("At most {bound}, with {sure} confidence", bound=bound, sure=sure)
            if ratio
            else say("At least {bound}, with {sure} confidence", bound=bound, sure=sure)
        )
    if claim.within:
        return say("{bound}, with {sure} confidence", bound=upper_first(at_most(claim)), sure=sure)
    if not (claim.judged and math.isfinite(claim.low + claim.high)):
        return ""
    low, high = (
        number(one) if ratio else claim.unit.number(one, beside=claim.tolerance) for one in (claim.low, claim.high)
    )
    return say("Not settled: between {low} and {high}", low=low, high=high)


def shares(claim: Claim, here: float, there: float) -> tuple[str, str, str]:
    """Two shares and their difference, rounded alike: ``28%``, ``9%``, ``19 points``.

    They are whole where the difference is still that of the two that are shown, and on its own side of the tolerance.
    """
    estimate, tolerance = 100 * abs(here - there), 100 * claim.tolerance
    whole_numbers = abs(round(100 * here) - round(100 * there)) == round(estimate)
    same_side = (round(estimate) > tolerance) is (estimate > tolerance)
    decimals = 0 if whole_numbers and same_side else 1
    told = [localized(f"{one:.{decimals}f}") for one in (100 * here, 100 * there, estimate)]
    return (
        say_as("a share", "{number}%", number=told[0]),
        say_as("a share", "{number}%", number=told[1]),
        say("{n} points", n=told[2]),
    )


def amount(claim: Claim, value: float) -> str:
    """A value of the claim with its unit, percentage points as points: ``17.2 points``."""
    if claim.unit != POINTS:
        return claim.unit.text(value, beside=claim.tolerance)
    return say("{n} points", n=claim.unit.number(value, beside=claim.tolerance))


def value_text(claim: Claim) -> str:
    """What was found."""
    return amount(claim, claim.estimate)


def at_most(claim: Claim) -> str:
    """The bound that clears: ``at most 3.11 points``; of a ratio ``at least 0.83``."""
    if claim.scale == "ratio":
        return say("at least {bound}", bound=number(claim.low))
    return say("at most {bound}", bound=amount(claim, claim.high))


def tolerance_number(claim: Claim) -> str:
    """What is tolerated, without its unit: as it was chosen, or as short as its values."""
    exactly = claim.unit.plain_tolerance(claim.tolerance)
    return exactly if len(exactly) <= _CHOSEN else claim.unit.number(claim.tolerance)


def tolerated(claim: Claim) -> str:
    """What is tolerated, as a clause: ``10 are tolerated``, ``1.25 is tolerated``, ``nothing is tolerated``."""
    if claim.tolerance == 0:
        return say("no difference is tolerated")
    if claim.scale == "ratio":
        return say("at least {tolerance} is asked for", tolerance=tolerance_number(claim))
    tolerance = tolerance_number(claim)
    if claim.unit.name and tolerance != "1":
        return say("{tolerance} are tolerated", tolerance=tolerance)
    return say("{tolerance} is tolerated", tolerance=tolerance)


def held_against(claim: Claim) -> str:
    """What is tolerated, as a clause; of a difference that is shown, but not on which side of that it lies, both.

    Such as ``surely at least 6.71 points, but whether more than 10 is open``.
    """
    if claim.settled:
        return tolerated(claim)
    tolerance = tolerance_number(claim)
    if claim.scale == "ratio":
        return say(
            "surely at most {bound}, but whether below {tolerance} is open",
            bound=number(claim.high),
            tolerance=tolerance,
        )
    return say(
        "surely at least {bound}, but whether more than {tolerance} is open",
        bound=amount(claim, claim.low),
        tolerance=tolerance,
    )


def beyond_tolerance(claim: Claim) -> str:
    """What is not tolerated: ``more than 10 points``, ``below 0.8``."""
    if claim.scale == "ratio":
        return say("below {tolerance}", tolerance=tolerance_number(claim))
    if claim.unit == POINTS:
        return say("more than {n} points", n=tolerance_number(claim))
    return say("more than {n}", n=f"{tolerance_number(claim)} {retold(claim.unit.name)}".rstrip())


def needed(finding: Any, claim: Claim) -> str:
    """What is missing where a claim is open: ``about 4,500 people instead of 2,380 may settle it``; no full stop."""
    people = lower_first(retold(finding.room.rows))
    if not claim.judged or not claim.defined:
        return say("too few {people} are compared", people=people)
    if claim.low > claim.tolerance or claim.high <= claim.tolerance:
        return say("something speaks against taking the numbers at their word")
    missing: str = finding.missing
    if told := missing or rows_needed(finding, claim):
        return told
    if math.isinf(claim.low) or math.isinf(claim.high):
        return say("many more {people} are needed", people=people)
    return say(
        "{value}, as found, is so near that even {times} times as many {people} may not settle it",
        value=value_text(claim),
        times=MOST_TIMES,
        people=people,
    )


def rows_needed(finding: Any, claim: Claim) -> str:
    """How many rows may settle an open claim and all others that "no violation" takes; empty where hardly any would,
    and where something else has to.

    Bounds shrink with the root of the rows. So many rows are counted as bring every open bound to the tolerance if the
    values stay as they were found, or, where that takes many, if nothing differs at all and no bound excludes that.
    """
    if finding.missing:
        return ""
    rows, people = finding.result.data.rows_audited, lower_first(retold(finding.room.rows))
    known = {"people": people, "n": whole(rows)}
    others = (one for one in finding.claims if one.decides and one.judged and one.defined and not one.settled)
    asked = [claim, *others]
    as_found = max(_times_needed(one, one.estimate) for one in asked)
    as_none = max(_times_needed_as_none(one, finding) for one in asked)
    if as_found > _TIMES_AS_FOUND and as_none <= MOST_TIMES:
        return say(
            "about {rows} {people} instead of {n} may settle it, if nothing differs",
            rows=whole(rounded_up(as_none * rows)),
            **known,
        )
    if as_found > MOST_TIMES:
        return ""
    return say("about {rows} {people} instead of {n} may settle it", rows=whole(rounded_up(as_found * rows)), **known)


def bring_more(finding: Any, claim: Claim | None, rows: str) -> tuple[str, ...]:
    """A sentence that asks for more rows, and for as many as may settle a claim; none where no number is told.

    Args:
        finding: What it is a claim of.
        claim: The claim.
        rows: What its rows are called.
    """
    told = "" if claim is None else rows_needed(finding, claim)
    return (say("Bring more {plural}: {needed}.", plural=say(rows), needed=told),) if told else ()


def rounded_up(rows: float) -> int:
    """To two digits."""
    step: int = 10 ** max(0, math.floor(math.log10(rows)) - 1)
    return math.ceil(rows / step) * step


def _times_needed(claim: Claim, truth: float) -> float:
    """How many times the rows settle a claim whose true value is ``truth``; infinite where none do."""
    harmful = truth > claim.tolerance if claim.scale == "difference" else truth < claim.tolerance
    open_bound = claim.low if harmful == (claim.scale == "difference") else claim.high
    distance, reach = abs(truth - claim.tolerance), abs(claim.estimate - open_bound)
    if not distance > 0 or not math.isfinite(reach):
        return math.inf
    return max((reach / distance) ** 2, _LEAST_MORE)


def _times_needed_as_none(claim: Claim, finding: Any) -> float:
    """The same where nothing differs; infinite where these rows show that something does."""
    nothing = 1.0 if claim.scale == "ratio" else float(finding.nothing)
    return math.inf if claim.low > nothing or claim.high < nothing else _times_needed(claim, nothing)


def in_a_line(claim: Claim) -> str:
    """The claim's own number with the bound that decides: ``16.9 points (at least 14.7); 10 are tolerated``.

    Where neither bound does, both are told.
    """
    if not claim.defined:
        return say("no number")
    known = {"value": value_text(claim), "tolerated": tolerated(claim)}
    told = bounds_text(claim)
    return say("{value} ({told}); {tolerated}", told=told, **known) if told else say("{value}; {tolerated}", **known)


def bounds_text(claim: Claim) -> str:
    """The one-sided bound that decides, ``at least 14.7``, or both, ``between 8.10 and 14.7``; empty without any."""
    low, high = claim.decisive
    if not math.isfinite(low + high):
        return ""
    if not claim.settled:
        decimals = claim.unit.precision(low, high)
        ends = (claim.unit.number(one, decimals, beside=claim.tolerance) for one in (low, high))
        return say("between {low} and {high}", **dict(zip(("low", "high"), ends, strict=True)))
    if high == claim.estimate:
        return say("at least {bound}", bound=claim.unit.number(low, beside=claim.tolerance))
    return say("at most {bound}", bound=claim.unit.number(high, beside=claim.tolerance))
