"""Settings of the text sensitivity test."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from core.base.settings import Settings, setting
from core.contracts.audit import AbstractAudit, needs_classes
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.roles import Roles
from core.language.told import say, say_as
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.formats.lstm.source import LstmArchive
from core.protected_status.settings import StatusSource, TrainedStatus
from core.text.word_lists import WordList


class ClassWeight(Settings):
    """How much one class counts."""

    outcome: str
    weight: float = Field(ge=0.0, le=1e6)


class Edit(Settings):
    """A text's counterpart as the auditor wrote it."""

    record: int = Field(ge=1)
    text: str


class TextSensitivity(AbstractAudit):
    """Accumulated prediction sensitivity P = wᵀJv and counterfactual swaps (papers/prediction-sensitivity.md)."""

    kind: Literal["text_sensitivity"] = "text_sensitivity"
    status: StatusSource = setting(
        TrainedStatus(),
        label=say("Protected status model"),
        help=say("A model that tells the group from the text; its gradients say which words give the group away."),
        discriminator="kind",
    )
    words: WordList = setting(
        WordList(),
        label=say("Words that name a group"),
        help=say("Exchanged for each other in counterfactuals; v of P4 and P5."),
    )
    edits: tuple[Edit, ...] = setting(
        (),
        label=say("Counterparts written by hand"),
        help=say("Texts whose counterpart was corrected."),
        empty=say_as("several", "none"),
        counted=True,
    )
    weights: tuple[ClassWeight, ...] = setting(
        (),
        label=say("Weight of each class"),
        symbol="w",
        help=say("How much each class counts; those not named count nothing."),
        empty=say("all classes alike"),
    )
    reference: Annotated[HuggingFaceFolder | LstmArchive, Field(discriminator="kind")] | None = setting(
        None,
        label=say("Second model"),
        help=say("A model to compare with, on the same texts."),
        empty=say_as("of a model", "none"),
    )
    alike: Literal["families", "independent"] = setting(
        "families",
        label=say("Texts that are alike but for a word"),
        help=say(
            "Texts of one template are not independent. Where no column says which texts belong together, "
            "those that differ in one word do."
        ),
        names={"families": say("Count together, as families"), "independent": say("Are independent all the same")},
    )
    texts_shown: int = setting(
        300,
        label=say("Texts kept for reading"),
        help=say("Kept word by word: half of them the most sensitive, half drawn at random."),
        ge=0,
        le=2000,
    )

    @property
    def answers_on_its_way(self) -> bool:
        """The pass that is differentiated gives them."""
        return True

    def has_parts(self, roles: Roles) -> bool:
        """Blocks of texts."""
        return True

    def is_compatible(self, model: AbstractModel, dataset: Dataset) -> str:
        """Empty if the model reads texts and has gradients."""
        from core.models.text import TextModel

        if reason := needs_classes(dataset):
            return reason
        if isinstance(model, TextModel):
            return ""
        return say(
            "This test looks into a model that reads texts; the model reads columns, or only its answers are known."
        )

    def rows_of(self, detail: Any, data: EncodedDataset) -> int:
        """Measured texts; those that a protected status model learned from are not among them."""
        return len(detail.label)
