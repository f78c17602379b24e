"""A model behind an address, as the model of a table."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import pandas as pd

from core.base.errors import Caveat, ModelError
from core.base.files import FileStore
from core.base.progress import OnProgress, ignore_progress
from core.base.settings import name_of_choice, setting
from core.contracts.model import AbstractModel, AbstractModelSource
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.language.phrases import count
from core.language.told import say, say_as, say_count
from core.models.checked import class_order, classes_for, require_number, wants_number
from core.models.endpoint.rows import Answer, Rows
from core.models.endpoint.settings import EndpointSettings
from core.models.prepared import Prepared
from core.models.reading import HighScores, Reading

if TYPE_CHECKING:
    from core.models.endpoint.asking import AbstractAsker

Gives = Literal["probability", "class probabilities", "labels", "number"]
_GIVES: dict[Gives, Literal["labels", "probabilities", "numbers"]] = {
    "probability": "probabilities",
    "class probabilities": "probabilities",
    "labels": "labels",
    "number": "numbers",
}


class ModelEndpoint(AbstractModelSource):
    """A model that answers over HTTP, asked about the features of the table by their names."""

    kind: Literal["endpoint"] = "endpoint"
    only_here: ClassVar[bool] = True
    endpoint: EndpointSettings = setting(label=say("Address"), help=say("Where and how the model is asked."))
    holds: Gives = setting(
        "probability",
        label=say("The answer is"),
        help=say(
            "The probability of one of two outcomes, 0 to 1; one probability for each outcome; the "
            "outcome itself, written as in the outcome column; or, for an outcome that is a number, that "
            "number."
        ),
        names={
            "probability": say("The probability of one of two outcomes"),
            "class probabilities": say("A probability for each outcome"),
            "labels": say("The outcome itself"),
            "number": say("A number"),
        },
    )

    high_scores: HighScores = setting(
        "favourable",
        label=say("High values are"),
        help=say("Whether a high probability stands for the favourable outcome, or for the other one."),
        names={"favourable": say_as("a choice", "favourable"), "unfavourable": say_as("a choice", "unfavourable")},
    )

    @property
    def title(self) -> str:
        """The model's name and version, or its address."""
        return self.endpoint.called

    def turned(self, classes: tuple[str, ...]) -> Self | None:
        """See the base class."""
        if self.holds == "class probabilities":
            return super().turned(classes)
        if self.holds != "probability":
            return None
        high: HighScores = "unfavourable" if self.high_scores == "favourable" else "favourable"
        return self.model_copy(update={"high_scores": high, "direction_confirmed": False})

    def load(self, files: FileStore, dataset: Dataset) -> EndpointModel:
        """Fit the settings to the table; nothing is asked yet.

        Raises:
            ModelError: The table has no features, or the outcome is not what the model answers with.
        """
        return EndpointModel(self, dataset)


class EndpointModel(AbstractModel):
    """Answers that are asked for over HTTP, each row once."""

    no_gradients = say(
        "A model behind an address gives answers and no gradients: bring the model itself as "
        "safetensors, ONNX or skops for tests that search for similar people by gradients."
    )

    def __init__(self, settings: ModelEndpoint, dataset: Dataset) -> None:
        self.endpoint = settings.endpoint
        self.name = self.endpoint.called
        self.kind = say(
            "{protocol}, behind an address",
            protocol=name_of_choice(EndpointSettings, "protocol", self.endpoint.protocol),
        )
        if wants_number(dataset) != (settings.holds == "number"):
            raise ModelError(
                say("The outcome is a number and the model's answer is said to be none.")
                if wants_number(dataset)
                else say("The outcome holds classes and the model's answer is said to be a number."),
                where=self.name,
                advice=say("Say what the answer is, or correct whether the outcome is a number."),
            )
        features = dataset.roles.features
        if not features:
            raise ModelError(
                say("No column is chosen as a feature, so there is nothing to ask the model about."),
                where=self.name,
                advice=say("Choose the columns that the model reads as features."),
            )
        if settings.holds == "number":
            require_number(settings.classes, dataset, self.name)
            self.classes = ()
        else:
            known = settings.classes or dataset.labels
            if settings.holds == "class probabilities":
                self.classes, self.caveats = class_order(settings.classes, (), dataset, len(known), self.name)
            else:
                self.classes = classes_for(known, dataset, len(known), self.name)
        if settings.holds == "probability" and len(self.classes) != 2:
            raise ModelError(
                say("One probability a row cannot answer {classes}.", classes=count(len(self.classes), "outcome")),
                where=self.name,
                advice=say("Say that the answer is a probability for each outcome, or the outcome itself."),
            )
        self.gives = _GIVES[settings.holds]
        declared = settings.encoder
        self.encoder = (
            Prepared.of(declared, dataset.frame).encoder if declared else Encoder.fit(dataset.frame, features)
        )
        defines = (
            f"{self.endpoint.identity}{settings.holds}{settings.high_scores}{self.classes}{self.encoder.fingerprint}"
        )
        self.fingerprint = hashlib.sha256(defines.encode()).hexdigest()
        self._reading = Reading(
            settings.holds, self.classes, dataset.roles.favourable, high_scores=settings.high_scores
        )
        if settings.holds == "probability":
            self.turning = say("Check which outcome a high probability stands for.")
        self._names = _names(self.endpoint, features)

    def prepare(self, data: EncodedDataset, on_progress: OnProgress) -> None:
        """Ask about the rows of the table, so that it is known how far that is."""
        self._asker.ask(self._rows(data), on_progress)

    def conclude(self) -> tuple[Caveat, ...]:
        """Ask some rows again, and say when the model was asked and whether it is still the same."""
        from core.models.endpoint.asking import caveats

        return caveats(self.endpoint, self._asker.conclude())

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """The model's answers, kept ones where it was asked before; shape (n, k), or (n, 1) for numbers."""
        return self.read(self._asker.ask(self._rows(data), ignore_progress), data.dataset.frame.index)

    def read(self, answers: list[Answer], records: pd.Index) -> np.ndarray:
        """Answers as probabilities or numbers, shape (n, k) or (n, 1).

        Args:
            answers: One a row, n > 0.
            records: The number of each row in the table, from 0.

        Raises:
            ModelError: An answer is none of what it is said to be, or has more values than that.
        """
        expected = len(self.classes) if self._reading.holds == "class probabilities" else 1
        if len(answers[0]) != expected:
            each = len(answers[0]) == len(self.classes) and expected == 1
            raise ModelError(
                say_count(
                    "The model returns {answers} for each row, and {n} is expected.",
                    "The model returns {answers} for each row, and {n} are expected.",
                    expected,
                    answers=count(len(answers[0]), "value"),
                ),
                where=self.name,
                advice=say("Choose “A probability for each outcome” as the answer.")
                if each
                else say("Choose what the answer is, or name another output."),
            )
        columns = (
            [say("answer {place}", place=place + 1) for place in range(expected)] if expected > 1 else [say("answer")]
        )
        try:
            return self._reading.read(pd.DataFrame(answers, columns=columns, index=records))
        except ModelError as error:
            outcomes = self._reading.holds == "probability" and {str(one) for (one,) in answers} <= {*self.classes}
            raise ModelError(
                error.what,
                where=f"{self.name}, {error.where.partition(' ')[2]}",
                advice=say("Choose “The outcome itself” as the answer.")
                if outcomes
                else say("Choose what the answer is, or have the model corrected and ask again."),
            ) from error

    def _rows(self, data: EncodedDataset) -> Rows:
        return Rows.of(data.dataset.frame[list(self.encoder.features)], self._names)

    @property
    def _asker(self) -> AbstractAsker:
        from core.models.endpoint.asking import asker_of

        return asker_of(self.endpoint)


def _names(endpoint: EndpointSettings, features: tuple[str, ...]) -> tuple[str, ...]:
    """The features as the model knows them, in order.

    Raises:
        ModelError: A column is renamed that is no feature, or two have one name then.
    """
    other = {one.column: one.field for one in endpoint.fields}
    if strange := [name for name in other if name not in features]:
        raise ModelError(
            say("The column {column} has another name for the model, and is no feature.", column=repr(strange[0])),
            where=endpoint.called,
            advice=say("Choose it as a feature, or take the name out."),
        )
    names = tuple(other.get(name, name) for name in features)
    if doubled := [name for name in names if names.count(name) > 1]:
        raise ModelError(
            say("Two columns are sent to the model as {name}.", name=repr(doubled[0])),
            where=endpoint.called,
            advice=say("Give each column a name of its own."),
        )
    return names
