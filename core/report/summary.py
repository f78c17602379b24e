"""The page that everybody reads: how sure a verdict is, who is affected, and what to do next, in plain sentences."""

import math
from collections.abc import Iterator

from core.inference.estimate import Verdict
from core.phrases import p_value, percent
from core.report.multiple_tests import Together

_NEXT = {
    Verdict.VIOLATION: "See under the results who is treated worse, and find out why. Then decide whether the system "
    "may be used, under which conditions, or not. After a change, audit it again on rows that nobody has used yet.",
    Verdict.NO_VIOLATION: "Read what the tests cannot say. Audit again when the model, its data or its use changes.",
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
    """What the findings advise, each once, the most helpful first."""
    steps = [step for finding in together.findings for step in finding.next_steps]
    return tuple(dict.fromkeys((*steps, *([_NEXT[together.verdict]] if together.verdict in _NEXT else []))))


def _sure(verdict: Verdict, p: float, alpha: float, name: str) -> str:
    p_text = "" if math.isnan(p) else f" The p-value is {p_value(p)}."
    if verdict is Verdict.VIOLATION:
        told = "if the truth lay within the tolerance, an audit like this would still find a violation in at most"
        said = f"{told} {percent(alpha)} of cases."
    elif verdict is Verdict.NO_VIOLATION:
        told = "if the truth exceeded the tolerance, an audit like this would still find no violation in at most"
        said = f"{told} {percent(alpha)} of cases."
    else:
        said = f"at an error rate of {percent(alpha)}, this data shows neither a violation nor that there is none."
    return f"{name}{said if name else said[0].upper() + said[1:]}{p_text}"


def _who(together: Together) -> Iterator[str]:
    data = together.findings[0].result.data
    if together.named:
        yield f"Shown to be treated worse than tolerated: {together.named}."
    elif together.verdict is Verdict.VIOLATION:
        yield "The violation is about all that was audited together: the tests name no single group."
    else:
        yield "No group is shown to be treated worse than tolerated."
    about = f" Protected attributes: {', '.join(data.protected)}." if data.protected else ""
    yield f"The audit is about {data.rows}.{about}"
