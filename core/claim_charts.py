"""Charts of what is claimed: of one claim beside its tolerance, and of a list of parts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from core.claims import Claim
from core.claims_shown import draw, quantity
from core.figures import estimate
from core.figures.chart import Chart, Drawing
from core.figures.estimate import Shown
from core.judge import judge
from core.judged import Judged
from core.language.phrases import lower_first
from core.language.told import retold, say

READING = say(
    "The diamond is the estimate, the bar goes from its lower to its upper bound. More than tolerated is shown where "
    "the whole bar lies beyond the dashed line, and ruled out where none of it does."
)
"""How the chart of one claim is read."""


def estimate_chart(*, zero: str = say("no difference"), level: float = 0.0) -> Chart[Any]:
    """The chart of one claim: estimate, both bounds, and the tolerance.

    Args:
        zero: What a value at the level means, in a few words.
        level: Where nobody is treated otherwise, in the unit shown.
    """

    def drawn(finding: Judged[Any, Any]) -> Drawing:
        claim = finding.pictured or finding.claims[0]
        claim = replace(claim, what=quantity(claim))
        shown = Shown(claim.unit.axis(lower_first(claim.what)), retold(zero), finding.decision.alpha, level)
        return estimate.draw(claim, judge([claim], finding.reasons), shown)

    return Chart(say("Estimate and tolerance"), READING, drawn, slide="sure")


def _has_an_estimate(finding: Judged[Any, Any]) -> bool:
    return finding.deciding is not None and finding.deciding.defined


CLAIM_CHART: Chart[Judged[Any, Any]] = replace(estimate_chart(), applies=_has_an_estimate)
"""What a kind of test without charts of its own shows."""


def chart_of_parts(
    name: str,
    title: str,
    caption: str,
    *,
    rows: tuple[str, str] = ("person", "people"),
    level: Callable[[Sequence[Claim]], tuple[float, str]] = lambda claims: (0.0, ""),
    slide: Literal["", "sure", "who"] = "",
    too_few: Callable[[Any], Sequence[str]] = lambda finding: (),
    of: Callable[[Any], Sequence[Claim]] | None = None,
) -> Chart[Judged[Any, Any]]:
    """The chart of the parts called ``name``, where anything is known of them.

    Args:
        name: What chart, parts and table are called.
        title: What it shows, as a heading.
        caption: How to read it.
        rows: What one of the people is called, and several.
        level: Where a dotted line stands, and what is written at it.
        slide: The slide it stands on.
        too_few: Who is not drawn, or not everywhere, since too few people are known.
        of: The parts as the chart draws them, where that is not as the table lists them.
    """

    def drawn(finding: Any) -> Drawing:
        parts = finding.parts[name] if of is None else of(finding)
        claims = [replace(one, what=finding.room.measure(finding, one)) for one in parts]
        alike = len({one.what for one in claims}) == 1
        what = claims[0].what if alike else retold(title)
        return draw(claims, what=f"{what}.", rows=rows, level=level(claims), too_few=too_few(finding))

    def applies(finding: Judged[Any, Any]) -> bool:
        return any(one.defined for one in finding.parts.get(name, ()))

    return Chart(title, caption, drawn, applies, slide=slide)
