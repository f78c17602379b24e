"""How a reader looks at a result: tolerance and error rate, and what else a test leaves to its reader."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from core.base.errors import SettingsError
from core.base.settings import Settings, setting
from core.language.told import say
from core.language.units import PLAIN, Unit

GoodEnd = Literal["not said", "high", "low"]


class DecisionSettings(Settings):
    """What turns a result into a verdict. Changing it runs nothing again.

    Each audit has its own: ``kind`` is narrowed to a ``Literal``, the tolerance ``delta`` is in the audit's own unit,
    and what else can be chosen after the run comes after it.
    """

    kind: str
    delta: float
    alpha: float = setting(
        0.05,
        label=say("Error rate of the test"),
        symbol="α",
        help=say("How often the test may find a violation where there is none."),
        ge=0.0001,
        le=0.5,
    )

    def tolerates_like(self, other: Self) -> bool:
        """Whether other settings tolerate the same of the same: all but error rate and attribute shown agree."""
        besides = {"alpha", "attribute"}
        return self.model_dump(exclude=besides) == other.model_dump(exclude=besides)

    @classmethod
    def idle(cls, *, numbers: bool) -> frozenset[str]:
        """The fields that change nothing, by whether the outcome is a number; nobody is asked for them or told them."""
        return frozenset()

    @classmethod
    def unit_of_tolerance(cls, chosen: Mapping[str, Any], *, numbers: bool = False) -> Unit:
        """What the tolerance is told in, wherever people read or enter it before there is a result.

        Args:
            chosen: What the fields hold.
            numbers: Whether the outcome is a number.
        """
        return PLAIN


class DirectedSettings(DecisionSettings):
    """Decision settings of a test that asks which end of numbers is good for people; whoever says so says it to all."""

    good_end: GoodEnd = setting(
        "not said",  # verbatim
        label=say("Answers that are numbers: which end is good for the person"),
        help=say(
            "Which end of an outcome that is a number is good for people: high numbers, as of pay, or low ones, as of "
            "crimes. Where it is not said, nobody is named as harmed, and differences count in both directions."
        ),
        names={"not said": say("not said"), "high": say("high numbers"), "low": say("low numbers")},
    )

    @classmethod
    def idle(cls, *, numbers: bool) -> frozenset[str]:
        """See the base class."""
        return super().idle(numbers=numbers) if numbers else frozenset({"good_end"})


def place_of(attribute: str, names: Sequence[str], done: str = "tested") -> int:
    """Index of the protected attribute that decision settings name.

    Args:
        attribute: Its name.
        names: The attributes that were looked at.
        done: What was done with them, "tested" or "changed".

    Raises:
        SettingsError: It is none of them.
    """
    if attribute not in names:
        raise SettingsError(
            say("{attribute} was not changed in this audit.", attribute=repr(attribute))
            if done == "changed"
            else say("{attribute} was not tested in this audit.", attribute=repr(attribute)),
            where=say("setting 'Protected attribute'"),
            advice=say("Choose among {names}.", names=", ".join(map(repr, names))),
        )
    return list(names).index(attribute)
