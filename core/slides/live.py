"""What a deck says at other tolerances, for questions from the floor: every verdict is worked out here, before."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from core.caveats.assumptions import trying
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.language.told import say, say_as
from core.report.multiple_tests import Together
from core.report.statement import Statement
from core.slides.deck import Deck, build
from core.study import Study, adjusted

STEPS = 24
"""Tolerances on a round grid, about; the audit's own is one of them."""
_DOUBLED = 5
"""How often the largest one is doubled at most, until no violation is left."""


def asked_later() -> str:
    """What the notes of slides at another tolerance begin with."""
    return say("This is not the tolerance of the audit. {trying}", trying=trying(say_as("tried", "tolerances")))


@dataclass(frozen=True)
class Asked:
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
    asked: tuple[Asked, ...]


@dataclass(frozen=True)
class Slides:
    """A deck, and what it says at other tolerances."""

    deck: Deck
    tests: tuple[LiveTest, ...] = ()


def live(study: Study, together: Together, statement: Statement | None = None) -> tuple[LiveTest, ...]:
    """The deck of an audit at a grid of tolerances, one test after the other."""
    return tuple(
        LiveTest(name, tuple(_asked(study, together, statement, place))) for place, name in enumerate(together.names)
    )


def tolerances(finding: AbstractFinding[Any, Any]) -> tuple[float, ...]:
    """Round numbers from the smallest tolerance there is to where no violation is left, and the audit's own."""
    own, least = float(finding.decision.delta), _least(finding)
    reach = 2 * (own - least) or 0.1
    for _ in range(_DOUBLED):
        last = _under(finding, least + reach)
        if last is None or last.verdict is not Verdict.VIOLATION:
            break
        reach *= 2
    step = _round(reach / STEPS)
    grid = [round(least + place * step, 12) for place in range(STEPS + 1)]
    near = [delta for delta in grid if math.isclose(delta, own, abs_tol=step / 100)]
    return tuple(sorted({*grid, own} - set(near) | {own}))


def _asked(study: Study, together: Together, statement: Statement | None, place: int) -> Iterator[Asked]:
    finding = together.findings[place]
    for delta in tolerances(finding):
        own = delta == finding.decision.delta
        changed = finding if own else _under(finding, delta)
        if changed is not None:
            deck = build(study, _together(together, place, changed), statement)
            yield Asked(changed.tolerance, own, deck)


def _together(together: Together, place: int, changed: AbstractFinding[Any, Any]) -> Together:
    """All tests, one of them under other decision settings."""
    findings = (*together.findings[:place], changed, *together.findings[place + 1 :])
    return replace(together, findings=findings, adjusted=adjusted(tuple(one.p_value for one in findings)))


def _under(finding: AbstractFinding[Any, Any], delta: float) -> AbstractFinding[Any, Any] | None:
    """The result at another tolerance; None where there is no such tolerance."""
    try:
        decision = type(finding.decision).model_validate({**finding.decision.model_dump(), "delta": delta})
    except ValidationError:
        return None
    return type(finding)(finding.result, decision)


def _least(finding: AbstractFinding[Any, Any]) -> float:
    """The smallest tolerance that the settings allow."""
    limits = type(finding.decision).model_fields["delta"].metadata
    return float(next((limit.ge for limit in limits if hasattr(limit, "ge")), 0.0))


def _round(step: float) -> float:
    """The next of 1, 2, 2.5, 5, 10 and their powers of ten from ``step`` on."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(digit * power for digit in (1, 2, 2.5, 5, 10) if digit * power >= step * (1 - 1e-9))
