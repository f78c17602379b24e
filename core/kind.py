"""What the hall knows of a kind of test without importing it."""

import importlib
import pkgutil
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kind:
    """One kind of test: its names, what people are told of it, and where its parts are.

    A room is the package ``core.audits.<name>``. Its parts are found by convention, and imported when somebody uses
    them: ``settings.<Stem>``, ``decision.<Stem>Decision``, ``result.<Stem>Result``, ``verdict.<Stem>Finding``,
    ``engine.run``, and the modules ``wording``, ``report`` and ``figures`` (see :mod:`core.finding`).

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
        former_names: What older records call it.
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
    notion: str = "Individual fairness"
    compared: str = "Who counts as similar"
    reads: str = "both"
    takes_numbers: bool = False
    former_names: tuple[str, ...] = ()

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
    def result(self) -> Any:
        """The type of its results."""
        return self.named(f"result:{self.stem}Result")

    @property
    def finding(self) -> Any:
        """The type of its findings."""
        return self.named(f"verdict:{self.stem}Finding")
