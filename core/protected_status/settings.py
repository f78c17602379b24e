"""Where a protected status model comes from, as settings."""

from typing import Annotated, Literal

from pydantic import Field

from core.base.settings import Settings, setting
from core.language.told import say
from core.models.formats.hugging_face.source import HuggingFaceFolder
from core.models.formats.lstm.source import LstmArchive
from core.sources import DataSource

Architecture = Literal["small", "as the model"]


class Corpus(Settings):
    """Other texts to train on."""

    data: DataSource = setting(label=say("Table"), help=say("A table of texts."), discriminator="kind")
    text: str = setting(label=say("Text"), help=say("The column that holds the texts."))
    attribute: str = setting(label=say("Protected attribute"), help=say("The column that holds the group."))


class NoStatus(Settings):
    """No model of the protected attribute: word lists only."""

    kind: Literal["none"] = "none"


class TrainedStatus(Settings):
    """Train one, on a part of the table's texts that is then not measured, or on another corpus."""

    kind: Literal["trained"] = "trained"
    attribute: str = setting(
        "",
        label=say("Protected attribute"),
        help=say("The attribute it learns."),
        empty=say("the first protected attribute"),
    )
    architecture: Architecture = setting(
        "small",
        label=say("Architecture"),
        help=say(
            "Small: word embeddings and a recurrent layer, trained from nothing in a minute. As the model: "
            "the same layers as the model that is audited, starting from its weights."
        ),
        names={"small": say("Small recurrent network"), "as the model": say("Same layers as the model")},
    )
    share: float = setting(
        0.4, label=say("Share of texts to learn from"), help=say("These texts are not measured."), ge=0.1, le=0.9
    )
    epochs: int = setting(
        30,
        label=say("Longest training"),
        unit=say("epochs"),
        help=say("Training stops earlier once it no longer helps on texts kept for that."),
        ge=1,
        le=500,
    )
    corpus: Corpus | None = setting(
        None,
        label=say("Learn from other texts"),
        help=say("Transfer: all texts of this table are measured, and another one is learned from."),
        empty=say("from this table"),
    )


class UploadedStatus(Settings):
    """A text classifier of the protected attribute, in a file."""

    kind: Literal["uploaded"] = "uploaded"
    model: Annotated[HuggingFaceFolder | LstmArchive, Field(discriminator="kind")] = setting(
        label=say("Model file"), help=say("A zip file, as for the model that is audited.")
    )


StatusSource = NoStatus | TrainedStatus | UploadedStatus
