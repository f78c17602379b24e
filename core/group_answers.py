"""How a model answers groups of people, whatever a test asks: counted of those audited, and told in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.base.tables import NOT_GIVEN, Table
from core.claims_told import answer, happened
from core.data.labels import whom
from core.language.phrases import LONGEST_VALUE, number, share_to_one_decimal, shortened, upper_first, whole
from core.language.told import say
from core.result import AuditResult

FEWEST = 30
"""People of a share that is told in a sentence, at least."""
SCREENING = 0.8
"""The four-fifths rule of thumb (29 CFR § 1607.4 D): a ratio below it is worth a closer look, no more."""
_MOST = 2
"""Attributes that are told of in sentences."""


@dataclass(frozen=True)
class GroupAnswers:
    """The favourable answer and the other one as people read them, and for whom each would be right.

    Which answer is a "positive" is another for everybody, so that no rate is named after it.

    Attributes:
        good: The favourable answer; empty where none is.
        other: The other one, or any other.
        deserving: For whom the favourable answer would be right.
        others: For whom another would be.
        outcomes: The favourable outcome and the other one; empty where there are several others.
    """

    good: str = ""
    other: str = ""
    deserving: str = ""
    others: str = ""
    outcomes: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, result: AuditResult[Any, Any, Any]) -> GroupAnswers:
        """Those of a result."""
        data, classes = result.data, result.model.classes
        good = data.favourable
        if good not in classes:
            return cls()
        rest = [name for name in classes if name != good]
        told = [answer(data, shortened(name, LONGEST_VALUE)) for name in (good, *rest[:1])]
        deserving = happened(good)
        if len(rest) != 1:
            return cls(told[0], say("another answer"), deserving, say("where the outcome was another"), (good, ""))
        return cls(told[0], told[1], deserving, happened(rest[0]), (good, rest[0]))


def whatever_the_outcome(who: str, here: float, against: str, there: float, good: str) -> str:
    """How often two groups get the favourable answer, one sentence.

    Args:
        who: The group that gets it less often.
        here: Its share.
        against: The other one.
        there: Its share, above 0.
        good: The answer.
    """
    known = {
        "who": whom(who),
        "here": share_to_one_decimal(here),
        "there": share_to_one_decimal(there),
        "answer": good,
        "against": whom(against),
        "ratio": number(here / there, 2),
    }
    return (
        say(
            "Among all people, {here} of {who} get {answer}, {there} of {against}: {ratio} times as often, where a "
            "rule of thumb of the US asks for 0.80.",
            **known,
        )
        if here / there < SCREENING
        else say(
            "Among all people, {here} of {who} get {answer}, {there} of {against}: {ratio} times as often.", **known
        )
    )


def described(
    result: AuditResult[Any, Any, Any], *, brief: bool = False, most: int = _MOST, refused: bool = True
) -> tuple[str, ...]:
    """Which groups get the favourable answer least and most often, a sentence or two a protected attribute.

    Of several attributes those that differ most are told, ``most`` at most; of these groups of at least thirty people,
    and, unless it has to be ``brief`` or nobody ``refused`` is asked for, how many of those with the favourable outcome
    do not get it where there are as many. Empty where nothing is favourable, and where all get it alike.
    """
    groups, told = result.model.by_group, GroupAnswers.of(result)
    if not (told.good and groups.who):
        return ()
    good = result.model.classes.index(result.data.favourable)
    shares, pairs = groups.shares(good), []
    for attribute in np.unique(groups.of):
        known = np.flatnonzero((groups.of == attribute) & (groups.people >= FEWEST) & groups.known)
        order = known[np.argsort(shares[known], kind="stable")]
        if len(order) and shares[order[0]] < shares[order[-1]]:
            pairs.append((int(order[0]), int(order[-1])))
    most_apart = sorted(pairs, key=lambda pair: float(shares[pair[0]] / shares[pair[1]]))
    told_of = most_apart[:most]
    shown = [pair for pair in pairs if pair in told_of]
    if brief and len(told_of) > 1:
        return tuple(_in_brief(result, *pair) for pair in shown)
    return tuple(_compared(result, *pair, refused=refused and not brief) for pair in shown)


def _in_brief(result: AuditResult[Any, Any, Any], g: int, other: int) -> str:
    """How many times as often one group gets the favourable answer as another, where several are told of."""
    groups = result.model.by_group
    shares = groups.shares(result.model.classes.index(result.data.favourable))
    ratio = float(shares[g] / shares[other])
    known = {"who": whom(groups.who[g]), "answer": GroupAnswers.of(result).good, "ratio": number(ratio, 2)}
    known |= {"against": whom(groups.who[other])}
    return upper_first(
        say("{who} get {answer} {ratio} times as often as {against}; a US rule of thumb asks for 0.80.", **known)
        if ratio < SCREENING
        else say("{who} get {answer} {ratio} times as often as {against}.", **known)
    )


def _compared(result: AuditResult[Any, Any, Any], g: int, other: int, *, refused: bool) -> str:
    """How often two groups get the favourable answer, and those of them who had the favourable outcome do not."""
    groups, told = result.model.by_group, GroupAnswers.of(result)
    good = result.model.classes.index(result.data.favourable)
    shares, without = groups.shares(good), 1 - groups.shares(good, [good])
    here, there = groups.who[g], groups.who[other]
    found = whatever_the_outcome(here, float(shares[g]), there, float(shares[other]), told.good)
    if not refused or groups.counts[[g, other], good].sum(axis=1).min() < FEWEST:
        return found
    return say(
        "{found} {where}, {here} and {there} do not get that answer, {points} points apart.",
        found=found,
        where=upper_first(told.deserving),
        points=number(100 * abs(float(without[g] - without[other])), 1),
        here=share_to_one_decimal(float(without[g])),
        there=share_to_one_decimal(float(without[other])),
    )


def counted(result: AuditResult[Any, Any, Any]) -> dict[str, list[Any]]:
    """How often each group gets the favourable answer, and with which outcome, by heading of a column.

    The first column names the groups, the second counts their people, others are shares, NaN without people; no columns
    where nothing is favourable.
    """
    groups, told = result.model.by_group, GroupAnswers.of(result)
    if not (told.good and groups.who):
        return {}
    k = len(result.model.classes)
    good = result.model.classes.index(result.data.favourable)
    others = [place for place in range(k) if place != good]
    columns = {
        say("Group"): list(groups.who),
        say("People"): groups.people.tolist(),
        say("Get {answer}", answer=told.good): groups.shares(good).tolist(),
    }
    if groups.counts[:, :k].any():
        columns[say("Do not, {where}", where=told.deserving)] = (1 - groups.shares(good, [good])).tolist()
        columns[say("Do, {where}", where=told.others)] = groups.shares(good, others).tolist()
    return columns


def answered(result: AuditResult[Any, Any, Any]) -> Table | None:
    """The same as a table for people; None without one."""
    if not (columns := counted(result)):
        return None
    who, people, *shares = columns
    caption = say(
        "How often each group gets {answer}. This is counted, not tested.", answer=GroupAnswers.of(result).good
    )
    told = {who: columns[who], people: map(whole, columns[people])}
    return Table.of_columns(caption, told | {name: map(_told, columns[name]) for name in shares})


def _told(share: float) -> str:
    return NOT_GIVEN if np.isnan(share) else share_to_one_decimal(share)
