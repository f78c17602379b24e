"""How a reader looks at a result: tolerance and error rate, and what else a test leaves to its reader."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from core.base.errors import SettingsError
from core.base.settings import Settings, setting
from core.language.told import say
from core.language.units import PLAIN, Unit


class DecisionSettings(Settings):
    """What turns a result into a verdict. Changing it runs nothing again.

    Each audit has its own: ``kind`` is narrowed to a ``Literal``, the tolerance ``delta`` is in the audit's own unit,
    and what else can be chosen after the run comes after it.
    """

    tolerances: ClassVar[tuple[str, ...]] = ("delta",)  # verbatim
    """The fields that say what is tolerated."""

    kind: str
    delta: float
    alpha: float = setting(
        0.05,
        label=say("Risk of a wrong verdict"),
        symbol="α",
        help=say("How often the test may find a violation where there is none."),
        ge=0.0001,
        le=0.5,
    )

    def misjudges(self, audit: Any) -> str:
        """Why these cannot judge what a test with these settings finds, one sentence; empty if they can."""
        return ""

    def tolerates_like(self, other: Self) -> bool:
        """Whether other settings tolerate the same of the same: all but error rate and attribute shown agree."""
        return not self.differing(other) - {"alpha"}

    def differing(self, other: Self) -> frozenset[str]:
        """The fields that judge otherwise than other settings of the kind; which attribute is shown judges nothing."""
        fields = type(self).model_fields.keys() - {"attribute"}
        return frozenset(name for name in fields if getattr(self, name) != getattr(other, name))

    def unit(self, *, numbers: bool = False) -> Unit:
        """What the tolerance is told in, wherever people read or enter it.

        Args:
            numbers: Whether the outcome is a number.
        """
        return PLAIN


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
