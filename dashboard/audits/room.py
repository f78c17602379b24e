"""What the pages know of a kind of test before they import its room."""

from dataclasses import dataclass
from typing import Literal

from core.contracts.kind import Kind
from core.language.told import Retelling, say


@dataclass(frozen=True)
class Offer(Retelling):
    """A page that a finished test points to, on a table whose features a model can be fitted to.

    Attributes:
        page: Its name.
        label: What the button says.
        icon: The button's icon.
        help: The button's tooltip.
    """

    page: str
    label: str
    icon: str
    help: str


@dataclass(frozen=True)
class Room(Retelling):
    """The pages' part of a kind of test that is known before its pages are imported.

    A kind of test without a line in ``dashboard.audits`` has one in which nothing is chosen of who is similar.

    Attributes:
        kind: The kind of test.
        decided: Fields of the decision settings that the review page shows, besides the error rate; None for all.
        foreseen_by: Fields of the decision settings that the pilot depends on; None for all.
        step: What the step of similar people is called where all chosen tests call it so; empty if as for others.
        change: What the button says that leads from a result back to that step; empty where nothing is chosen there.
        forms: Forms that begin anew with another table.
        forgotten: What begins anew with another table.
        offer: The page that a finished test points to; None if there is none.
    """

    kind: Kind
    decided: tuple[str, ...] | None = None
    foreseen_by: tuple[str, ...] | None = None
    step: str = ""
    change: str = say("Change who counts as similar")
    forms: tuple[str, ...] = ()
    forgotten: tuple[Literal["settings", "decision"], ...] = ()
    offer: Offer | None = None
