"""A model known only by its answers, which lie in columns of the table."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
import pandas as pd
from pydantic import model_validator

from core.base.errors import Caveat, DataError, ModelError
from core.base.files import FileStore
from core.base.settings import Settings, setting
from core.contracts.model import AbstractModel, AbstractModelSource
from core.data.counted import count_alike
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.data.roles import Roles
from core.language.options import where_chosen
from core.language.phrases import quoted
from core.language.told import retold, say, say_as
from core.models.checked import classes_for, model_fingerprint, require_number, wants_number
from core.models.reading import HighScores, Holds, Reading

_GIVES: dict[Holds, Literal["labels", "probabilities", "numbers"]] = {
    "labels": "labels",
    "probability": "probabilities",
    "score": "labels",
    "class probabilities": "probabilities",
    "number": "numbers",
}
_SAID: dict[Holds, str] = {
    "labels": say_as("what a column holds", "labels"),
    "probability": say_as("what a column holds", "a probability"),
    "score": say_as("what a column holds", "a score"),
    "class probabilities": say_as("what a column holds", "class probabilities"),
    "number": say_as("what a column holds", "a number"),
}


_TURNING: dict[Holds, str] = {
    "labels": say("Check which outcome each label means."),
    "probability": say("Check which outcome a high probability stands for."),
    "score": say("Check which outcome a high score stands for."),
    "class probabilities": say("Check which outcome each column of probabilities is for: the order of the classes."),
    "number": say("Check that the column holds the predicted outcome, and not its opposite, such as a rank."),
}


class Meaning(Settings):
    """What a label stands for."""

    label: str = setting(label=say("Label"), help=say("The label as the column holds it."))
    outcome: str = setting(label=say("Outcome"), help=say("The outcome that it means."))


class PredictionColumns(AbstractModelSource):
    """Answers that are already in the table: labels, probabilities, a score, or the number a model predicts."""

    kind: Literal["predictions"] = "predictions"
    answers_in_the_table: ClassVar[bool] = True
    without_bearing: ClassVar[dict[str, Any]] = AbstractModelSource.without_bearing | {"by_people": False}

    columns: tuple[str, ...] = setting(
        label=say("Prediction columns"),
        help=say(
            "The column with the model's answers; for a probability of each class one column per class, in "
            "the order of the classes."
        ),
        min_length=1,
    )
    holds: Holds = setting(
        "labels",
        label=say("The column holds"),
        help=say(
            "Labels that stand for outcomes; the probability of one of two outcomes, 0 to 1; a score that is compared "
            "with a threshold; one probability for each class; or, for an outcome that is a number, the number that "
            "the model predicts, in the outcome's units."
        ),
        names={
            "labels": say_as("what a column holds", "labels"),
            "probability": say_as("a choice", "probability"),
            "score": say_as("a choice", "score"),
            "class probabilities": say_as("what a column holds", "class probabilities"),
            "number": say_as("a choice", "number"),
        },
    )
    threshold: float | None = setting(
        None, label=say("Threshold"), help=say("Scores at or above it count as high. Needed for a score only.")
    )
    high_scores: HighScores = setting(
        "favourable",
        label=say("High values are"),
        help=say("Whether a high probability or score stands for the favourable outcome, or for the other one."),
        names={"favourable": say_as("a choice", "favourable"), "unfavourable": say_as("a choice", "unfavourable")},
    )

    meanings: tuple[Meaning, ...] = setting(
        (),
        label=say("What each label means"),
        help=say("The outcome that each label stands for, where it is not named as in the outcome column."),
        empty=say("the outcome of the same name"),
    )

    by_people: bool = setting(
        False,
        label=say("People decided, not a model"),
        help=say("Decisions of people were trained on no rows, so nothing is asked or said of training."),
    )

    @model_validator(mode="after")
    def _no_label_twice(self) -> Self:
        labels = [one.label for one in self.meanings]
        if doubled := [label for label in labels if labels.count(label) > 1]:
            raise ValueError(say("The label {label} is given two meanings.", label=quoted(doubled[0])))
        return self

    @classmethod
    def idle(cls, *, numbers: bool) -> frozenset[str]:
        """See the base class."""
        return frozenset({"threshold", "high_scores", "meanings"} if numbers else ())

    @property
    def title(self) -> str:
        """The columns; of a score also its threshold, on which all decisions depend. The same in every language."""
        named = ", ".join(self.columns)
        if self.holds != "score" or self.threshold is None:
            return named
        return f"{named} ≥ {self.threshold:.15g}"

    @property
    def content(self) -> str:
        """See the base class."""
        return repr(self.columns)

    def about_training(self, roles: Roles) -> tuple[Caveat, ...]:
        """Nothing of decisions without an outcome, or of people's: who decided is judged, not a model's training."""
        return () if self.by_people or roles.decision else self.provenance

    def dataset(self, frame: pd.DataFrame, roles: Roles) -> Dataset:
        """A table with its roles: rows without a gap in features and answers; in the answers alone where none is left.

        Raises:
            DataError: As :meth:`Dataset.build`.
        """
        try:
            return Dataset.build(frame, roles, reads=(*roles.features, *self.columns))
        except DataError:
            return Dataset.build(frame, roles, reads=self.columns)

    def turned(self, classes: tuple[str, ...]) -> Self | None:
        """See the base class."""
        if self.holds == "number" or len(classes) != 2:
            return None
        if self.holds == "class probabilities":
            return super().turned(classes)
        if self.holds == "labels":
            other = dict(zip(classes, classes[::-1], strict=True))
            meant = {label: label for label in classes} | {one.label: one.outcome for one in self.meanings}
            turned = {label: other.get(outcome, outcome) for label, outcome in meant.items()}
            meanings = tuple(
                Meaning(label=label, outcome=outcome) for label, outcome in turned.items() if label != outcome
            )
            return self.model_copy(update={"meanings": meanings, "direction_confirmed": False})
        high: HighScores = "unfavourable" if self.high_scores == "favourable" else "favourable"
        return self.model_copy(update={"high_scores": high, "direction_confirmed": False})

    def load(self, files: FileStore, dataset: Dataset) -> PredictionModel:
        """Check every answer in the columns.

        Raises:
            ModelError: A column is missing, an answer is missing, out of range or unknown, or settings do not fit.
        """
        name = self.title
        self._check_settings(dataset, name)
        encoder = self.encoder or _encoder_of(dataset)
        if self.holds == "number":
            require_number(self.classes, dataset, name)
            classes: tuple[str, ...] = ()
        else:
            rows = dataset.reading(self.columns)
            each = self.holds == "class probabilities"
            outputs = len(self.columns) if each else len(rows.labels)
            classes = classes_for(self.classes if each else self.classes or rows.labels, rows, outputs, name)
        people = self.by_people or bool(dataset.roles.decision)
        model = PredictionModel(self, encoder, classes, dataset.roles.favourable, people=people)
        model.read(dataset)
        return model

    def _check_settings(self, dataset: Dataset, name: str) -> None:
        missing = [column for column in self.columns if column not in dataset.frame.columns]
        if missing:
            raise ModelError(
                say("The table keeps no column {missing} with predictions.", missing=quoted(missing[0])),
                where=name,
                advice=say(
                    "Choose it as a prediction column {where}; column names are case-sensitive.",
                    where=where_chosen("predictions"),
                ),
            )
        if len(set(self.columns)) < len(self.columns):
            raise ModelError(
                say("A column is chosen twice."), where=name, advice=say("Choose every column of answers once.")
            )
        said = retold(_SAID[self.holds])
        if wants_number(dataset) != (self.holds == "number"):
            outcome = quoted(dataset.roles.outcome)
            raise ModelError(
                say(
                    "The column is said to hold {said}, and the outcome {outcome} is a number.",
                    said=said,
                    outcome=outcome,
                )
                if wants_number(dataset)
                else say(
                    "The column is said to hold {said}, and the outcome {outcome} holds classes.",
                    said=said,
                    outcome=outcome,
                ),
                where=name,
                advice=say("Say that the column holds a number.")
                if wants_number(dataset)
                else say(
                    "Say that the column holds labels, a probability or a score, or that the outcome is a number."
                ),
            )
        if self.holds != "class probabilities" and len(self.columns) != 1:
            raise ModelError(
                say("{columns} columns are chosen, where one holds {said}.", columns=len(self.columns), said=said),
                where=name,
                advice=say("Choose one column.")
                if wants_number(dataset)
                else say("Choose one column, or say that the columns hold one probability for each class."),
            )
        if self.holds == "score" and self.threshold is None:
            raise ModelError(
                say("A score without a threshold gives no decision."),
                where=name,
                advice=say("Set the threshold at which a score counts as high."),
            )
        strange = [one for one in self.meanings if one.outcome not in (self.classes or dataset.labels)]
        if self.holds == "labels" and strange:
            raise ModelError(
                say(
                    "The label {label} is said to mean {meant}, which is no outcome.",
                    label=quoted(strange[0].label),
                    meant=quoted(strange[0].outcome),
                ),
                where=name,
                advice=say("The outcomes are {labels}.", labels=", ".join(map(quoted, dataset.labels[:8]))),
            )
        if self.holds in ("probability", "score") and len(dataset.labels) > 2:
            raise ModelError(
                say("One number a row cannot answer {labels} outcomes.", labels=len(dataset.labels)),
                where=name,
                advice=say("Bring one probability column for each outcome, or a column of predicted outcomes."),
            )


class PredictionModel(AbstractModel):
    """Answers read from the rows themselves."""

    kind = say("Predictions in the table")
    no_gradients = say(
        "Predictions in a column cannot be differentiated: nobody can ask how the model would answer a "
        "similar person. For tests that search for similar people, bring the model itself as "
        "safetensors, ONNX or skops."
    )
    answers_only_here = say(
        "Predictions in a column answer for the people in the table and for nobody else. Bring the model "
        "itself as safetensors, ONNX or skops."
    )

    def __init__(
        self,
        settings: PredictionColumns,
        encoder: Encoder,
        classes: tuple[str, ...],
        favourable: str,
        *,
        people: bool = False,
    ) -> None:
        self.name = settings.title
        self.fingerprint = model_fingerprint(settings, encoder)
        self.encoder = encoder
        self.classes = classes
        self.gives = _GIVES[settings.holds]
        if settings.holds == "score":
            told = say(
                "The decisions follow from a threshold: {score}. With another, other people get the better answer.",
                score=settings.title,
            )
            advice = say("Audit it again with another threshold if another may be used.")
            self.caveats = (Caveat("warning", told, advice),)
        elif self.gives == "labels" and not people:
            self.caveats = (
                Caveat("info", say("The predictions are decisions: how sure the model was is not known."), ""),
            )
        self.turning = retold(_TURNING[settings.holds])
        self._columns = list(settings.columns)
        meanings = {one.label: one.outcome for one in settings.meanings}
        self._reading = Reading(settings.holds, classes, favourable, settings.threshold, settings.high_scores, meanings)

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of answers; what gave the answers read others."""
        return tuple(self._columns)

    def encode(self, dataset: Dataset) -> EncodedDataset:
        """The rows with their outcomes; their features, shape (n, d), only where a test reads all of them, else (n, 0).

        Raises:
            DataError: A value cannot be encoded, or an outcome is none of the classes.
        """
        if set(self.encoder.features) <= set(dataset.frame.columns):
            return super().encode(dataset)
        nothing = np.zeros((len(dataset), 0))
        return EncodedDataset(dataset, self.encoder, nothing, dataset.label_codes(self.classes), self.classes)

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """The answers of these rows, shape (n, k) or, for numbers, (n, 1)."""
        return self.read(data.dataset)

    def read(self, dataset: Dataset) -> np.ndarray:
        """The answers of these rows, shape (n, k) or, for numbers, (n, 1), float64.

        Raises:
            ModelError: An answer is missing, out of range, no number, or names an unknown class.
        """
        return self._reading.read(dataset.frame[self._columns])


def _encoder_of(dataset: Dataset) -> Encoder:
    """Learned from every known cell of each column, so that it is the same whichever rows a test leaves out."""
    cells = dataset.frame if dataset.table is None else dataset.table.cells
    times = None if dataset.table is None else dataset.table.times_of(cells.index)
    names = dataset.all_roles.features or dataset.all_roles.protected
    columns = []
    for name in names:
        known = cells[name].notna().to_numpy()
        values = cells[[name]][known]
        kinds, people = count_alike((values[name].to_numpy(),), None if times is None else times[known])
        columns.append(Encoder.fit(values.iloc[kinds], (name,), people).columns[0])
    return Encoder(columns=tuple(columns))
