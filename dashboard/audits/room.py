"""What the pages know of a kind of test before they import its room."""

import importlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

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
    """The pages' part of a kind of test: what cannot be derived from its :class:`core.contracts.kind.Kind`.

    A room is the package ``dashboard.audits.<name>``. Its parts are found by convention, and imported when somebody
    uses them:

    - ``setup.show(draft) -> str``: who and what is similar; returns why the next step is shut.
    - ``review.settings(draft)``: the test's own settings as the widgets say, None where one is not valid;
      ``review.facts(plan)``: what will be run, in words; ``review.problem(draft)``: why the test cannot be tried, with
      what is known before that; ``review.expectation(draft, pilot)``: what its pilot says.
    - ``tasks.TASKS``: work for the worker; ``tasks.pilot(arguments, files, on_progress)``: tries the test on a few rows
      and returns the ``pilot`` of its :class:`core.finding.Room`.
    - ``results.<Settings>View``: its tabs on the results page.

    Attributes:
        kind: The kind of test.
        decided: Fields of the decision settings that the review page shows, besides the error rate.
        foreseen_by: Fields of the decision settings that the pilot depends on.
        step: What the step of similar people is called where all chosen tests call it so; empty if as for others.
        change: What the button says that leads from a result back to that step.
        forms: Forms that begin anew with another table.
        forgotten: What begins anew with another table.
        offer: The page that a finished test points to; None if there is none.
    """

    kind: Kind
    decided: tuple[str, ...]
    foreseen_by: tuple[str, ...] = ()
    step: str = ""
    change: str = say("Change who counts as similar")
    forms: tuple[str, ...] = ()
    forgotten: tuple[Literal["settings", "decision"], ...] = ()
    offer: Offer | None = None

    def part(self, module: str) -> Any:
        """A module of the room."""
        return importlib.import_module(f"dashboard.audits.{self.kind.name}.{module}")

    @cached_property
    def view(self) -> Any:
        """Its part of the results page, a :class:`dashboard.views.results.view.AbstractView`."""
        return getattr(self.part("results"), f"{self.kind.settings.__name__}View")()
