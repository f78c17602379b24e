"""The headline of a finding: one sentence that people can repeat, or what is missing for one."""

from typing import Any

from core.base.errors import Caveat
from core.claims_told import Said
from core.inference.estimate import Verdict
from core.language.fitted import sentences
from core.language.phrases import lower_first, without_stop
from core.language.told import say

_SAID: dict[Verdict, Said] = {
    Verdict.VIOLATION: "beyond",
    Verdict.NO_VIOLATION: "within",
    Verdict.INSUFFICIENT: "open",
}
_REPEATABLE = 28
"""Words of a reason that still fit into a headline."""


def headline_of(finding: Any) -> str:
    """The claim that decides, as its room says it; or why nothing is decided. No full stop at its end."""
    if finding.unclaimed:
        return why_not(finding.unclaimed)
    if finding.withheld:
        return say(
            "No violation is found among the {rows} audited, but those left out could change that",
            rows=finding.result.data.rows,
        )
    claim = finding.headlined
    if finding.verdict is Verdict.INSUFFICIENT and (claim is None or _forbidden(finding)):
        return why_not([one for one in finding.reasons if one.forbids != "nothing"] or finding.reasons)
    if claim is None:
        opening: str = finding.opening
        return opening
    told: str = finding.room.headline(finding, claim, _SAID[finding.verdict])
    return told


def why_not(reasons: tuple[Caveat, ...] | list[Caveat]) -> str:
    """Why nothing is decided: the first reason, its last sentence, or what to do about it; the first that is short."""
    for told in [text for one in reasons[:1] for text in (one.what, *sentences(one.what)[-1:], one.advice) if text]:
        if sum(any(map(str.isalnum, word)) for word in told.split()) <= _REPEATABLE:
            return say("Nothing is decided: {why}", why=lower_first(without_stop(told)))
    return say("Nothing is decided: something speaks against the numbers")


def _forbidden(finding: Any) -> bool:
    """Whether the claims alone would decide, and something forbids it; or there is no number."""
    claim = finding.headlined
    return finding.by_claims is not Verdict.INSUFFICIENT or claim is None or not claim.defined
