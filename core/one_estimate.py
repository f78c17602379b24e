"""A finding that rests on one estimate: its numbers, its claim, its table, its sentence, and what would settle it."""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from core.base.tables import Fact
from core.claims import Claim
from core.claims_told import bring_more
from core.finding import AbstractFinding
from core.inference.estimate import Interval, Verdict
from core.inference.evidence import Adjusted, Drawn, Estimated, TwoSided
from core.inference.several import each_of
from core.judged import D, S
from core.language.cached import cached_in_language
from core.language.phrases import lower_first, percent, upper_first, whole, without_stop
from core.language.reader import SOURCE, speaking
from core.language.told import retold, say


class OneEstimateFinding(AbstractFinding[S, D]):
    """A finding that rests on one estimate with its interval and one-sided bounds.

    Attributes:
        exact_error: The Monte-Carlo error of an estimate that draws nothing.
    """

    exact_error: ClassVar[float] = math.nan
    recorded: ClassVar[tuple[str, ...]] = ("lower_error", "upper_error")

    @property
    @abstractmethod
    def inference(self) -> Estimated:
        """What the verdict rests on, by itself."""

    @property
    def judged_together(self) -> int:
        """How many such estimates are judged together, of which this is the one that decides."""
        return 1

    @cached_property
    def evidence(self) -> TwoSided:
        """The same as one of all that are judged together."""
        return Adjusted(self.inference, self.judged_together) if self.judged_together > 1 else self.inference

    @property
    @abstractmethod
    def what(self) -> str:
        """What is estimated."""

    @cached_in_language
    def claims(self) -> tuple[Claim, ...]:
        """One, about everybody."""
        alpha, delta = self.decision.alpha, self.decision.delta
        known: dict[str, Any] = {"what": self.what, "unit": self.unit, "people": self.n, "why": self.undefined}
        return (Claim.of_evidence(self.evidence, delta, alpha, **known),)

    @property
    def p_value(self) -> float:
        """See the base class."""
        return self.evidence.p_value(self.decision.delta)

    @property
    def estimate(self) -> float:
        """The value; NaN, like all that follows from it, if undefined."""
        return self.inference.value

    @cached_property
    def interval(self) -> Interval:
        """The two-sided interval."""
        return self.evidence.two_sided(self.decision.alpha)

    @cached_property
    def lower_bound(self) -> float:
        """One-sided lower bound."""
        return self.evidence.lower_bound(self.decision.alpha)

    @cached_property
    def upper_bound(self) -> float:
        """One-sided upper bound."""
        return self.evidence.upper_bound(self.decision.alpha)

    @property
    def lower_error(self) -> float:
        """Monte-Carlo standard error of the lower bound."""
        found, level = self.inference, each_of(self.decision.alpha, self.judged_together)
        return found.lower_error(level) if isinstance(found, Drawn) else self.exact_error

    @property
    def upper_error(self) -> float:
        """Monte-Carlo standard error of the upper bound."""
        found = self.inference
        return found.upper_error(self.decision.alpha) if isinstance(found, Drawn) else self.exact_error

    @property
    def n(self) -> int:
        """People or texts it rests on."""
        return self.inference.n

    @property
    def undefined(self) -> str:
        """Why there is no value; empty when there is one."""
        return retold(self.inference.undefined)


def no_number(finding: OneEstimateFinding[Any, Any], what: str = say("this test")) -> str:
    """Why there is no estimate, as a whole sentence; ``what`` gives none."""
    return say(
        "{headline}: {what} gives no number, because {undefined}.",
        headline=finding.opening,
        what=retold(what),
        undefined=lower_first(without_stop(finding.undefined)),
    )


_THESE: dict[str, Callable[[], str]] = {
    "rows": lambda: say("these rows"),
    "people": lambda: say("these people"),
    "texts": lambda: say("these texts"),
}


@dataclass(frozen=True)
class BoundWords:
    """How a test says where its bounds lie.

    Attributes:
        tolerated: The tolerance, with its article.
        shown: A bound as people read it.
        sure: What stands before "at least" and the bound ("it moves"); in other languages after "with confidence".
        beyond: What stands between the bound and the tolerance it exceeds ("more than").
        rows: What was measured: "rows", "people" or "texts".
        truth: What may lie on either side of the tolerance.
    """

    tolerated: str
    shown: Callable[[float], str]
    sure: str
    beyond: str
    rows: str = "rows"
    truth: str = say("the truth")


def conclusion(finding: OneEstimateFinding[Any, Any], found: str, words: BoundWords) -> str:
    """What was found, and what follows for the tolerance, in sentences; no stop at the end.

    Args:
        finding: A finding whose estimate has a value.
        found: What was found, with the estimate.
        words: How its bounds are said.
    """
    with_confidence = say(
        "{found}. With {alpha} confidence {sure}",
        found=found,
        alpha=percent(1 - finding.decision.alpha),
        sure=words.sure,
    )
    if finding.verdict is Verdict.VIOLATION:
        return say(
            "{with_confidence} at least {lower_bound}, {beyond} {tolerated}",
            with_confidence=with_confidence,
            lower_bound=words.shown(finding.lower_bound),
            beyond=words.beyond,
            tolerated=words.tolerated,
        )
    if finding.verdict is Verdict.NO_VIOLATION:
        return say(
            "{with_confidence} at most {upper_bound}, within {tolerated}",
            with_confidence=with_confidence,
            upper_bound=words.shown(finding.upper_bound),
            tolerated=words.tolerated,
        )
    found += _both_bounds(finding, words)
    if finding.lower_bound <= finding.decision.delta < finding.upper_bound:
        return say(
            "{found}. {truth} may lie on either side of {tolerated}, so {these} neither show a violation nor "
            "exclude one",
            found=found,
            truth=upper_first(retold(words.truth)),
            tolerated=words.tolerated,
            these=_THESE.get(words.rows, _THESE["rows"])(),
        )
    reasons = finding.reasons
    why = lower_first(without_stop(reasons[0].what)) if reasons else say("the numbers cannot carry a verdict")
    return say("{found}, beside {tolerated}, but {why}", found=found, tolerated=words.tolerated, why=why)


def _both_bounds(finding: OneEstimateFinding[Any, Any], words: BoundWords) -> str:
    """Both bounds of what is not settled, to go on with: ``: at least 6.77 and at most 28.3, each with …``."""
    alpha, told = percent(1 - finding.decision.alpha), []
    if math.isfinite(finding.lower_bound):
        told.append(say("at least {bound}", bound=words.shown(finding.lower_bound)))
    if math.isfinite(finding.upper_bound):
        told.append(say("at most {bound}", bound=words.shown(finding.upper_bound)))
    if len(told) == 2:
        return say(": {low} and {high}, each with {alpha} confidence", low=told[0], high=told[1], alpha=alpha)
    return say(": {bound}, with {alpha} confidence", bound=told[0], alpha=alpha) if told else ""


def settle(finding: OneEstimateFinding[Any, Any], rows: str) -> tuple[str, ...]:
    """The advice of every serious reason, then :func:`more_rows`, which needs to be said once.

    Args:
        finding: The finding.
        rows: What its rows are called.

    Returns:
        A sentence or two each, the most helpful first; empty where the verdict is clear.
    """
    if finding.verdict is not Verdict.INSUFFICIENT:
        return ()
    advice = [caveat.advice for caveat in finding.reasons if caveat.level == "serious" and caveat.advice]
    if not finding.undefined:
        advice += more_rows(finding, rows)
    with speaking(SOURCE):
        steps = {retold(step): step for step in advice}
        more = f"Bring more {retold(rows)}"  # verbatim
    if any(step.startswith(f"{more}: ") for step in steps):
        steps.pop(f"{more}.", None)
    return tuple(steps.values())


def more_rows(finding: OneEstimateFinding[Any, Any], rows: str) -> tuple[str, ...]:
    """A sentence that asks for as many rows as the headline says, or says that hardly any number would do.

    Args:
        finding: A finding whose estimate has a value.
        rows: What its rows are called.

    Returns:
        One sentence; none where the bounds lie on one side of the tolerance already, or something else is missing.
    """
    if finding.missing or not finding.lower_bound <= finding.decision.delta < finding.upper_bound:
        return ()
    if told := bring_more(finding, finding.headlined, rows):
        return told
    if math.isfinite(finding.lower_bound) and math.isfinite(finding.upper_bound):
        near = say(
            "What was found lies so near the tolerance that more {plural} may not settle it: decide for the "
            "case that it "
            "is exceeded.",
            plural=say(rows),
        )
        return (near,)
    return (
        say("Bring many more {plural}: bounds are too wide to tell estimate and tolerance apart.", plural=say(rows)),
    )


def error_fact(finding: OneEstimateFinding[Any, Any], shown: Callable[[float], str]) -> Fact:
    """How far other random draws would move the bounds."""
    lower, upper = shown(finding.lower_error), shown(finding.upper_error)
    drawn = say(
        "{lower} of the lower bound, {upper} of the upper ({draws} draws)",
        lower=lower,
        upper=upper,
        draws=whole(finding.result.detail.draws),
    )
    return Fact(say("Monte-Carlo standard error"), drawn)
