"""What a deck says at other tolerances, for questions from the floor: every verdict is worked out here, before."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from core.caveats.assumptions import trying
from core.claims_told import tolerated
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.language.phrases import number
from core.language.told import say, say_as
from core.report.multiple_tests import Together
from core.report.stated import for_reading
from core.report.statement import Statement
from core.slides.deck import Deck, Slide, build
from core.study import Study, adjusted

STEPS = 24
"""Tolerances on a round grid, about; the audit's own is one of them."""
_DOUBLED = 5
"""How often the largest one is doubled at most, until no violation is left."""


@dataclass(frozen=True)
class DeckAt:
    """The deck at another tolerance.

    Attributes:
        told: The tolerance with its unit.
        own: Whether it is the audit's own.
        deck: What the slides then say.
    """

    told: str
    own: bool
    deck: Deck


@dataclass(frozen=True)
class LiveTest:
    """One test whose tolerance may be asked for.

    Attributes:
        name: What people call it.
        asked: The deck at each tolerance, ascending, the other tests as they were judged.
    """

    name: str
    asked: tuple[DeckAt, ...]


@dataclass(frozen=True)
class Slides:
    """A deck, and what it says at other tolerances."""

    deck: Deck
    tests: tuple[LiveTest, ...] = ()


def live(
    study: Study, together: Together, statement: Statement | None = None, *, signed: bool = False, others: str = ""
) -> tuple[LiveTest, ...]:
    """The deck of an audit at a grid of tolerances, one test after the other, that of the headline first."""
    own = build(study, together, statement, signed=signed, others=others)
    return tuple(
        LiveTest(together.names[place], tuple(_asked(study, together, statement, place, own)))
        for place in together.headline_first
    )


def tolerances(finding: AbstractFinding[Any, Any]) -> tuple[float, ...]:
    """Round numbers from the smallest tolerance there is to where no difference is beyond it, and the audit's own."""
    own, least = float(finding.decision.delta), _least(finding)
    reach = 2 * (own - least) or 0.1
    for _ in range(_DOUBLED):
        last = _under(finding, least + reach)
        if last is None or not _beyond(last):
            break
        reach *= 2
    step = _round(reach / STEPS)
    grid = [round(least + place * step, 12) for place in range(STEPS + 1)]
    near = [delta for delta in grid if math.isclose(delta, own, abs_tol=step / 100)]
    return tuple(sorted({*grid, own} - set(near) | {own}))


def _asked(study: Study, together: Together, statement: Statement | None, place: int, own: Deck) -> Iterator[DeckAt]:
    finding, name = together.findings[place], together.names[place]
    for delta in tolerances(finding):
        if delta == finding.decision.delta:
            yield DeckAt(finding.tolerance, own=True, deck=own)
        elif (changed := _under(finding, delta)) is not None:
            findings = (*together.findings[:place], changed, *together.findings[place + 1 :])
            read = study.read(tuple(one.decision for one in findings))
            stated = None if statement is None else for_reading(statement, read)
            there = build(read, _together(together, findings), stated)
            known = {"test": name, "asked": changed.tolerance, "own": finding.tolerance}
            moved = (
                say("At {asked}; in the audit {own}.", **known)
                if len(findings) == 1
                else say("{test} at {asked}; in the audit {own}.", **known)
            )
            others = zip(together.names, findings, strict=True)
            told = {other: say("At {own}, as in the audit.", own=one.tolerance) for other, one in others}
            told |= {name: moved, "": moved}
            decided = statement is not None and statement.decision != "undecided"
            yield DeckAt(changed.tolerance, own=False, deck=_deck(own, there, told, _ratio(changed), decided=decided))


def _deck(own: Deck, there: Deck, told: Mapping[str, str], ratio: str, *, decided: bool) -> Deck:
    """The slides of the audit where one test tolerates something else, each with the tolerance it is told at.

    Args:
        own: The audit's slides.
        there: The slides at the other tolerance, which need not be the same ones.
        told: What each test tolerates, by its name; and, of the whole audit, which test tolerates something else.
        ratio: What the test finds whatever difference is tolerated; may be empty.
        decided: Whether somebody decided about the system, which they did at the audit's own tolerances.
    """
    known = {slide.key: slide for slide in there.slides}
    later = say("This is not the tolerance of the audit. {trying}", trying=trying(say_as("tried", "tolerances")))

    def shown(slide: Slide) -> Slide:
        if decided and slide.key == "proposal":
            return replace(slide, asked=say("Said at the tolerance of the audit."))
        now = known.get(slide.key) or Slide(
            slide.key, slide.caption, say("Nothing is shown of this at the tolerance asked for."), test=slide.test
        )
        if told[now.test] != told[""]:
            return replace(now, asked=told[now.test])
        says_who = slide.key == "verdict" or slide.key.startswith("who")
        points = tuple(filter(None, (ratio, *now.points))) if says_who else now.points
        return replace(now, asked=told[""], points=points, notes=(later, *now.notes))

    return replace(own, slides=tuple(map(shown, own.slides)))


def _ratio(finding: AbstractFinding[Any, Any]) -> str:
    """That a ratio is beyond what is tolerated where no difference is; empty elsewhere."""
    claim = finding.headlined
    if claim is None or finding.verdict is not Verdict.VIOLATION or _beyond(finding):
        return ""
    return say(
        "Whatever difference is tolerated, a ratio is judged too, {who} beside {against}: {ratio}; {tolerated}.",
        who=claim.who,
        against=claim.against,
        ratio=number(claim.estimate, 2),
        tolerated=tolerated(claim),
    )


def _beyond(finding: AbstractFinding[Any, Any]) -> bool:
    """Whether a violation is found that another tolerance could end: a difference lies beyond it."""
    differences = [one for one in finding.claims if one.scale == "difference"]
    return finding.verdict is Verdict.VIOLATION and any(one.beyond for one in differences)


def _together(together: Together, findings: tuple[AbstractFinding[Any, Any], ...]) -> Together:
    """The tests, some of them under other decision settings."""
    return replace(together, findings=findings, adjusted=adjusted(tuple(one.p_value for one in findings)))


def _under(finding: AbstractFinding[Any, Any], delta: float) -> AbstractFinding[Any, Any] | None:
    """The result at another tolerance; None where there is no such tolerance."""
    try:
        decision = type(finding.decision).model_validate({**finding.decision.model_dump(), "delta": delta})
    except ValidationError:
        return None
    return type(finding)(finding.result, decision, finding.good_end)


def _least(finding: AbstractFinding[Any, Any]) -> float:
    """The smallest tolerance that the settings allow."""
    limits = type(finding.decision).model_fields["delta"].metadata
    return float(next((limit.ge for limit in limits if hasattr(limit, "ge")), 0.0))


def _round(step: float) -> float:
    """The next of 1, 2, 2.5, 5, 10 and their powers of ten from ``step`` on."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(digit * power for digit in (1, 2, 2.5, 5, 10) if digit * power >= step * (1 - 1e-9))
