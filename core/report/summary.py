"""The page that everybody reads: how sure a verdict is, who is affected, and what to do next, in plain sentences."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

from core.caveats.assumptions import IS_A_DECISION
from core.finding import AbstractFinding
from core.group_answers import described
from core.inference.estimate import Verdict
from core.language.phrases import (
    by_name,
    listed,
    p_value,
    percent,
)
from core.language.told import retold, say
from core.report.multiple_tests import Together
from core.report.others import in_sentences, others, still_open
from core.result import DataSummary

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
        "with a risk of {alpha} of being wrong, this data shows neither a violation nor that there is none.",
        alpha=percent(alpha),
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
    found = (reconciled(together), *in_sentences(others(together)), *still_open(together))
    return tuple(filter(None, (*found, *answers_described(together))))


def answers_described(together: Together, **told_as: Any) -> tuple[str, ...]:
    """Who gets the favourable answer least and most often, told as :func:`described` does.

    It is left out where a test compares groups, unless in outcomes that are themselves decisions; then a test says how
    many do not get it who should.
    """
    first = together.findings[together.place]
    compared = any(claim.against for one in together.findings for claim in one.claims)
    if compared and IS_A_DECISION not in first.spoken:
        return ()
    told = described(first.result, refused=not compared, **told_as)
    if not told:
        return ()
    counted = say("{told} This is counted; whether it may be chance was not tested.", told=told[-1])
    return *told[:-1], counted


def reconciled(together: Together) -> str:
    """Why what another test claims of people whom a violation's headline names is no contradiction; may be empty."""
    finding = together.findings[together.place]
    claim = finding.headlined
    if claim is None or finding.verdict is not Verdict.VIOLATION:
        return ""
    others = (one for other in together.findings if not other.unclaimed for one in other.claims)
    return next(filter(None, (finding.room.reconciled(finding, claim, one) for one in others)), "")


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
