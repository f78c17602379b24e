"""What the hall knows of a kind of test without importing it."""

import importlib
import pkgutil
from dataclasses import dataclass
from typing import Any

from core.data.roles import Roles
from core.language.phrases import lower_first
from core.language.told import Retelling, say


@dataclass(frozen=True)
class Kind(Retelling):
    """One kind of test: its names, what people are told of it, and where its parts are.

    A room is the package ``core.audits.<name>``. Its parts are found by convention, and imported when somebody uses
    them: ``settings.<Stem>``, ``decision.<Stem>Decision``, ``result.<Stem>Result``, ``verdict.<Stem>Finding``,
    ``planning.<Stem>Pilot``, ``engine.run``, and the modules ``wording``, ``case``, ``report`` and ``figures`` (see
    :mod:`core.finding`).

    Attributes:
        name: Identifier in plans, records and addresses, and the name of the room.
        stem: Begins the names of the room's classes.
        title: What people call the test, everywhere.
        asks: The question it answers.
        needs: What has to be brought.
        gives: What it says in the end.
        about: What it does, in two or three plain sentences.
        citation: The paper that describes it.
        topics: Topics of the glossary whose symbols it uses, besides the verdict's.
        notion: What kind of fairness it is about.
        compared: Heading of the part that says who is compared with whom.
        reads: Whether it is about texts only, about columns only, or about both.
        takes_numbers: Whether the outcome may be a number.
        by_predictions: Whether a model's answers suffice, without the model.
        beside: Tests that are proposed with it.
    """

    name: str
    stem: str
    title: str
    asks: str
    needs: str
    gives: str
    about: str
    citation: str
    topics: tuple[str, ...]
    notion: str = say("Individual fairness")
    compared: str = say("Who counts as similar")
    reads: str = "both"
    takes_numbers: bool = False
    by_predictions: bool = False
    beside: tuple[str, ...] = ()

    @property
    def name_in_text(self) -> str:
        """What it is called amid a sentence, without the word "test"."""
        return lower_first(self.title).removesuffix(" test")

    def takes(self, roles: Roles) -> bool:
        """Whether some model of a table with these roles could be put to it."""
        return self.reads != ("columns" if roles.text else "texts") and (
            self.takes_numbers or roles.outcome_type == "classes"
        )

    def part(self, module: str) -> Any:
        """A module of the room."""
        return importlib.import_module(f"core.audits.{self.name}.{module}")

    def named(self, place: str) -> Any:
        """What stands at ``place`` in the room, for example ``engine:run``."""
        return pkgutil.resolve_name(f"core.audits.{self.name}.{place}")

    @property
    def settings(self) -> Any:
        """The type of its settings."""
        return self.named(f"settings:{self.stem}")

    @property
    def decision(self) -> Any:
        """The type of its decision settings."""
        return self.named(f"decision:{self.stem}Decision")

    @property
    def pilot(self) -> Any:
        """The type of what a test of a few rows says about the whole test."""
        return self.named(f"planning:{self.stem}Pilot")

    @property
    def result(self) -> Any:
        """The type of its results."""
        return self.named(f"result:{self.stem}Result")

    @property
    def finding(self) -> Any:
        """The type of its findings."""
        return self.named(f"verdict:{self.stem}Finding")
