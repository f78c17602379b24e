"""What every model is to an audit: answers for rows and, where it can, a differentiable module."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from core.base.errors import Caveat, ModelError
from core.base.files import FileRef, FileStore, files_of
from core.base.progress import OnProgress
from core.base.settings import Settings, setting
from core.data.cells import record_number
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.data.roles import Roles
from core.language.phrases import count, whole
from core.language.told import Retelling, say

if TYPE_CHECKING:
    import pandas as pd
    import torch


_NEARLY = 1e-3
"""How far probabilities may lie from shares of one, which files keep in single precision."""
_SHOWN = 5
"""Rows that an error names."""
ALWAYS_THE_SAME = Caveat(
    "warning",
    say("Everybody gets the same answer, which depends on no group: that is equal treatment, and decides nothing."),
    say("Check the model file and its preprocessing."),
)


@dataclass(frozen=True)
class Origin:
    """Where a model comes from.

    Attributes:
        kind: Plain-language format ("Neural network (safetensors)").
        fingerprint: SHA-256 of what defines its answers; empty where that is the model itself.
        caveats: What a reader of the result has to know.
    """

    kind: str
    fingerprint: str = ""
    caveats: tuple[Caveat, ...] = ()


class AbstractModel(ABC, Retelling):
    """A loaded model that knows its own input columns and classes.

    Attributes:
        name: What people call it (the file's name, or the column's).
        kind: Plain-language format ("Neural network (safetensors)").
        gives: What the model itself gives: "probabilities", "logits", "labels" or "numbers".
        fingerprint: SHA-256 of what defines its answers (file bytes and declared settings).
        encoder: How the table becomes the model's input.
        classes: The outcome values its outputs stand for, in the order of its outputs; length k >= 2, or 0 for a model
            that answers with a number, which is asked by :meth:`predict`.
        caveats: What a reader of the result has to know about it.
        no_gradients: Why no differentiable module can be had, one sentence; empty when there is one.
        answers_only_here: Why it can only answer for the rows it came with, one sentence; empty when it can be asked
            about anybody.
        turning: What to check where its answers go against the outcomes, one sentence.
    """

    name: str
    kind: str
    fingerprint: str
    encoder: Encoder
    classes: tuple[str, ...]
    gives: Literal["probabilities", "logits", "labels", "numbers"] = "probabilities"
    caveats: tuple[Caveat, ...] = ()
    no_gradients: str = ""
    answers_only_here: str = ""
    turning: str = say(
        "Check which outcome each of the model's outputs stands for: the order of its classes may be reversed."
    )

    @property
    def reads(self) -> tuple[str, ...]:
        """The table's columns it reads, in order."""
        return self.encoder.features

    @property
    def preprocessing(self) -> Encoder:
        """How the table becomes the numbers that its file reads, where those are not what people are compared by."""
        return self.encoder

    @property
    def categories(self) -> Mapping[str, tuple[str, ...]]:
        """The categories that it knows, by the table's column; those of the table where its file tells none."""
        return self.preprocessing.categories

    def encode(self, dataset: Dataset) -> EncodedDataset:
        """The dataset as this model reads it.

        Raises:
            DataError: A column is missing, a value cannot be encoded, or an outcome is none of the classes.
        """
        x = self.encoder.transform(dataset.frame)
        return EncodedDataset(dataset, self.encoder, x, dataset.label_codes(self.classes), self.classes)

    def unanswered(self, dataset: Dataset) -> EncodedDataset:
        """The same without what takes as long as an answer does, for a test that computes it on its way."""
        return self.encode(dataset)

    def prepare(self, data: EncodedDataset, on_progress: OnProgress) -> None:
        """Get ready to answer these rows, for models that take long about it; others have nothing to do.

        Raises:
            ModelError: As :meth:`answers`.
        """

    def conclude(self) -> tuple[Caveat, ...]:
        """See at the end of a run whether the model is still the one that answered; what a reader has to know of that.

        Raises:
            ModelError: It is another.
        """
        return ()

    @abstractmethod
    def answers(self, data: EncodedDataset) -> np.ndarray:
        """Answers as the model gives them, unchecked, float64; they may not be finite.

        Returns:
            Class probabilities, shape (n, k); or, without classes, the number in the outcome's units, shape (n, 1).

        Raises:
            ModelError: The rows do not have the width the model reads, or the model fails on them.
        """

    def predict_proba(self, data: EncodedDataset) -> np.ndarray:
        """Class probabilities, shape (n, k), float64, rows summing to one.

        Raises:
            ModelError: An answer is not a finite number (says which rows), or the width does not fit; or the model
                answers with a number (:meth:`predict`).
        """
        if not self.classes:
            raise ModelError(
                say("The model answers with a number, not with probabilities of classes."),
                where=self.name,
                advice=say("Choose a test that takes outcomes that are numbers."),
            )
        return _probabilities(_finite(self.answers(data), data), self.name)

    def predict(self, data: EncodedDataset) -> np.ndarray:
        """The number a regression model answers with, shape (n,), float64, finite, in the outcome's units.

        Raises:
            ModelError: The model answers with classes; or an answer is not a finite number (says which rows), or the
                width does not fit.
        """
        if self.classes:
            raise ModelError(say("The model answers with classes, not with a number."), where=self.name)
        return _finite(self.answers(data), data)[:, 0]

    def checked_answers(self, data: EncodedDataset) -> np.ndarray:
        """Class probabilities, shape (n, k), or numbers, shape (n, 1); all finite.

        Raises:
            ModelError: An answer is not a finite number (says which rows), or the width does not fit.
        """
        return self.predict_proba(data) if self.classes else self.predict(data)[:, None]

    def module(self) -> torch.nn.Module:
        """A module in eval mode with frozen parameters that maps (n, d) to logits (n, k).

        Logits are meant up to an additive constant per row: ``log_softmax`` of them gives log-probabilities, so
        a model that yields log-probabilities may return those. It computes in the dtype of its parameters;
        callers convert a copy.

        Raises:
            ModelError: The model is a black box (``no_gradients`` says why).
        """
        raise ModelError(self.no_gradients, where=self.name)


def _finite(answers: np.ndarray, data: EncodedDataset) -> np.ndarray:
    """The answers, if all of them are finite."""
    bad = np.flatnonzero(~np.isfinite(answers).all(axis=1))
    if len(bad):
        raise ModelError(
            say(
                "The model's answer is not a finite number for {bad} of {rows}.",
                bad=whole(len(bad)),
                rows=count(len(data), "row"),
            ),
            where=say("row {rows}", rows=_numbers(bad[:_SHOWN], data)),
            advice=say("Look at these rows for extreme values, and check that the preprocessing is the model's own."),
        )
    return answers


def are_shares_of_one(numbers: np.ndarray) -> bool:
    """Whether no number is below 0 and those of each row add up to one, nearly; rows that are not finite do not count.

    Args:
        numbers: Shape (n, k).
    """
    finite = numbers[np.isfinite(numbers).all(axis=1)]
    return bool((finite >= -_NEARLY).all() and (np.abs(finite.sum(axis=1) - 1) <= _NEARLY).all())


def _probabilities(answers: np.ndarray, name: str) -> np.ndarray:
    """The answers, if they are shares of one."""
    if not are_shares_of_one(answers):
        raise ModelError(
            say("The model's answers are no probabilities: some are below 0, or those of a row do not add up to one."),
            where=name,
            advice=say("Export the model again with probabilities, or bring its answers as a column of the table."),
        )
    return answers


def _numbers(rows: np.ndarray, data: EncodedDataset) -> str:
    return ", ".join(record_number(data.dataset.frame.index, row) for row in rows)


_TRAINED_ON = (
    ("other rows", say("other rows")),  # verbatim
    ("these rows", say("these rows")),  # verbatim
    ("not known", say("not known")),  # verbatim
)
"""On which rows a model was trained, and what people read."""


class AbstractModelSource(Settings, ABC):
    """Where a model comes from, as settings: what the form asks for and what the record keeps.

    Subclasses add ``kind: Literal[...]`` and their own fields.

    Attributes:
        libraries: Modules that reading its files imports and that take long to import.
        answers_in_the_table: Whether it is nothing but columns of answers.
        only_here: Whether only this machine can ask it: an object of this process, or answers behind an address.
        without_bearing: What is known of a model and bears on none of its answers, as where nothing is known.
        inside: The module that opens its files behind the wall (:mod:`core.wall`); empty where Evenhand reads them
            itself.
    """

    libraries: ClassVar[tuple[str, ...]] = ()
    inside: ClassVar[str] = ""
    answers_in_the_table: ClassVar[bool] = False
    only_here: ClassVar[bool] = False
    without_bearing: ClassVar[dict[str, Any]] = {
        "trained_on": "not known",  # verbatim
        "direction_confirmed": False,
        "own_answers": (),
        "other_system": (),
        "known_answers": None,
    }

    classes: tuple[str, ...] = setting(
        (),
        label=say("Order of the classes"),
        help=say(
            "The outcome each of the model's outputs stands for, first output first. Left empty: as the file names "
            "them, else in ascending order, as numbers or by the alphabet."
        ),
    )
    encoder: Encoder | None = setting(
        None,
        label=say("Preprocessing"),
        help=say("Means, spreads and categories the model was trained with. Left empty: learned from this table."),
    )

    trained_on: Literal["other rows", "these rows", "not known"] = setting(  # verbatim
        "not known",  # verbatim
        names=dict(_TRAINED_ON),
        label=say("Which rows was the model trained on?"),
        help=say(
            "The test needs a model that never saw the audited rows. Trained on them, the p-value is too optimistic."
        ),
    )
    own_answers: tuple[str, ...] = setting(
        (),
        label=say("Columns with its own answers"),
        help=say("Columns without a role that hold what this model answered; they are compared row by row."),
    )
    other_system: tuple[str, ...] = setting(
        (),
        label=say("Columns of another system"),
        help=say("Columns of predictions or scores that another system gave, so that this model need not agree."),
    )
    known_answers: FileRef | None = setting(
        None,
        label=say("Rows with known answers"),
        help=say("A small table of rows as the model reads them, with a column that holds what it answers each."),
    )
    direction_confirmed: bool = setting(
        False,
        label=say("Answers that go against the outcomes confirmed as right"),
        help=say("Somebody confirmed that they are right as they are. The audit then runs, and nothing is claimed."),
        empty=say("not needed"),
    )

    @property
    def title(self) -> str:
        """What people call the model ("model.onnx")."""
        return ", ".join(ref.name for ref in self._own_files)

    @property
    def short_title(self) -> str:
        """The same without the endings of its files ("model")."""
        return ", ".join(PurePath(ref.name).stem for ref in self._own_files) or self.title

    @property
    def _own_files(self) -> list[FileRef]:
        return [ref for ref in files_of(self) if ref != self.known_answers]

    @property
    def content(self) -> str:
        """What answers, the same however its answers are read: its files, or what else defines it."""
        defining = self.model_copy(update=self.without_bearing)
        return " ".join(ref.sha256 for ref in files_of(defining)) or defining.fingerprint

    @property
    def provenance(self) -> tuple[Caveat, ...]:
        """What follows for the result from the rows the model was trained on (Theorem 3.1 needs other rows)."""
        if self.trained_on == "other rows":  # verbatim
            return ()
        if self.trained_on == "these rows":  # verbatim
            return (
                Caveat(
                    "serious",
                    say(
                        "The model was trained on the audited rows. The test asks for rows the model never saw, so the "
                        "p-value is too optimistic and the stated confidence does not hold."
                    ),
                    say("Audit rows that were not used in training."),
                ),
            )
        return (
            Caveat(
                "warning",
                say(
                    "It is not known whether the model was trained on the audited rows. If it was, the p-value is "
                    "too optimistic."
                ),
                say("Find out, and say on which rows it was trained."),
            ),
        )

    def about_training(self, roles: Roles) -> tuple[Caveat, ...]:
        """:attr:`provenance`, where a model answered."""
        return self.provenance

    def dataset(self, frame: pd.DataFrame, roles: Roles) -> Dataset:
        """A table with its roles, to load the model with: rows without a gap in the features.

        Raises:
            DataError: As :meth:`Dataset.build`.
        """
        return Dataset.build(frame, roles, reads=roles.features)

    def turned(self, classes: tuple[str, ...]) -> Self | None:
        """The same model with its answers the other way round; None where that is not a matter of how it is read.

        Args:
            classes: The model's classes, in the order of its outputs.
        """
        if len(classes) != 2:
            return None
        return self.model_copy(update={"classes": classes[::-1], "direction_confirmed": False})

    @abstractmethod
    def load(self, files: FileStore, dataset: Dataset) -> AbstractModel:
        """Read the model and fit it to the dataset's columns and outcomes.

        Raises:
            ModelError: The file is refused, damaged, or does not fit the table.
        """
