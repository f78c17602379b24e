"""What the hall knows of a kind of test without importing it."""

from dataclasses import dataclass

from core.contracts.audit import AbstractAudit
from core.contracts.decision import DecisionSettings
from core.data.roles import Roles
from core.language.phrases import lower_first
from core.language.told import Retelling, say


@dataclass(frozen=True)
class Kind(Retelling):
    """One kind of test: its names, its settings, and what people are told of it.

    What it does is its room (:class:`core.finding.Room`), which is imported when somebody uses it.

    Attributes:
        name: Identifier in plans, records and addresses, and the name of the room.
        settings: The type of its settings.
        decision: The type of its decision settings.
        title: What people call the test, everywhere.
        asks: The question it answers.
        needs: What has to be brought.
        gives: What it says in the end.
        about: What it does, in two or three plain sentences.
        topics: Topics of the glossary whose symbols it uses, besides the verdict's.
        citation: The paper that describes it; empty for none.
        notion: What kind of fairness it is about.
        compared: Heading of the part that says who is compared with whom.
        settles: What it settles, or leaves open, in a few words that begin with "whether".
        reads: Whether it is about texts only, about columns only, or about both.
        takes_numbers: Whether the outcome may be a number.
        by_predictions: Whether a model's answers suffice, without the model.
        beside: Tests that are proposed with it.
    """

    name: str
    settings: type[AbstractAudit]
    decision: type[DecisionSettings]
    title: str
    asks: str
    needs: str
    gives: str
    about: str
    topics: tuple[str, ...]
    citation: str = ""
    notion: str = say("Individual fairness")
    compared: str = say("Who counts as similar")
    settles: str = say("whether similar people are treated alike")
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
