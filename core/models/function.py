"""A function of this process as a model: whatever takes rows and returns answers."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from core.base.errors import ModelError
from core.contracts.model import AbstractModel
from core.data.cells import as_text
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.language.options import where_chosen
from core.language.phrases import count, quoted, several
from core.language.told import say
from core.models.checked import (
    NUMBERS_HAVE_NO_GRADIENTS,
    class_order,
    model_fingerprint,
    require_number,
    wants_number,
)
from core.models.prepared import PreparedSource

_NO_GRADIENTS = say(
    "A function answers and cannot be differentiated: bring a torch module, or a linear model or MLPClassifier of "
    "scikit-learn, for tests that search for similar people by gradients."
)


def names_read(held: object) -> tuple[str, ...]:
    """The columns that an object says it reads, as scikit-learn's estimators do; empty where it does not say.

    Of an estimator's own method, such as ``model.predict``, those of the estimator.
    """
    return tuple(map(str, getattr(getattr(held, "__self__", held), "feature_names_in_", ())))


class FunctionModel(AbstractModel):
    """A function from rows to answers.

    It is given the table's features as a DataFrame, or texts as a list, and returns class probabilities, shape (n, k);
    the probability of the second of two classes, labels, or the number it predicts, shape (n,) or (n, 1).
    """

    kind = say("Function in Python")

    def __init__(
        self,
        source: PreparedSource,
        held: Any,
        answer: Callable[..., Any],
        dataset: Dataset,
        *,
        dtypes: Mapping[str, Any],
    ) -> None:
        self.name, self._answer, self._dtypes = source.title, answer, dtypes
        roles = dataset.all_roles
        self._columns = (roles.text,) if roles.text else names_read(held) or roles.features
        self._text = roles.text
        missing = [name for name in self._columns if name not in dataset.frame.columns]
        if missing or not self._columns:
            raise ModelError(
                say("The model reads columns that are no features here: {missing}.", missing=several(missing))
                if missing
                else say("No column is chosen as a feature, so the model has nothing to read."),
                where=self.name,
                advice=say("Name all features {where}.", where=where_chosen("features")),
            )
        names = roles.protected if roles.text else self._columns
        self.encoder = source.encoder or Encoder.fit(dataset.frame, names)
        self.no_gradients = _NO_GRADIENTS
        self.classes = ()
        self._labels: tuple[str, ...] = ()
        given = self._given(dataset.frame)
        if wants_number(dataset):
            self.gives, self.no_gradients = "numbers", NUMBERS_HAVE_NO_GRADIENTS
            require_number(source.classes, dataset, self.name, outputs=given.shape[1])
        else:
            self._fit_classes(source, held, dataset, given)
        self.fingerprint = model_fingerprint(source, self.encoder)

    def _fit_classes(self, source: PreparedSource, held: Any, dataset: Dataset, given: np.ndarray) -> None:
        own = getattr(held, "classes_", ())
        named = tuple(map(str, as_text(pd.Series(list(own))))) if np.ndim(own) == 1 and len(own) else ()
        labels = given.shape[1] == 1 and _are_labels(given[:, 0], {*dataset.labels, *source.classes, *named})
        k = given.shape[1] if given.shape[1] > 1 else 2
        if labels:
            k = len(source.classes or named or dataset.labels)
            self.gives = "labels"
        self.classes, assumed = class_order(source.classes, named, dataset, k, self.name)
        self.caveats = () if labels else assumed
        self._labels = self.classes if labels else ()
        if given.shape[1] == 1 and not labels and len(self.classes) != 2:
            raise ModelError(
                say("One number a row cannot answer {labels} outcomes.", labels=len(self.classes)),
                where=self.name,
                advice=say("Return one probability for each outcome, or the outcome itself."),
            )

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns it is given."""
        return self._columns

    def encode(self, dataset: Dataset) -> EncodedDataset:
        """The rows; of texts nothing is encoded that people are compared by, unless a test reads the columns."""
        if set(self.encoder.features) <= set(dataset.frame.columns):
            return super().encode(dataset)
        nothing = np.zeros((len(dataset), 0))
        return EncodedDataset(dataset, self.encoder, nothing, dataset.label_codes(self.classes), self.classes)

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """The function's answers, shape (n, k) or, for numbers, (n, 1)."""
        given = self._given(data.dataset.frame)
        if self._labels:
            written = as_text(pd.Series(given[:, 0]))
            strange = sorted(set(written) - set(self._labels))
            if strange:
                raise ModelError(
                    say("The model answers {label}, which is no outcome.", label=quoted(strange[0])),
                    where=self.name,
                    advice=say("The outcomes are {labels}.", labels=several(self._labels)),
                )
            return np.column_stack([(written == one).to_numpy(dtype=np.float64) for one in self._labels])
        try:
            numbers: np.ndarray = given.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ModelError(
                say("The model answers with what is neither a number nor an outcome."),
                where=self.name,
                advice=say("Return one probability for each outcome, or the outcome itself."),
            ) from error
        if self.classes and numbers.shape[1] == 1:
            return np.column_stack([1 - numbers[:, 0], numbers[:, 0]])
        return numbers

    def _given(self, frame: pd.DataFrame) -> np.ndarray:
        """What the function returns for rows, with one row each."""
        if self._text:
            rows: Any = as_text(frame[self._text]).tolist()
        else:
            rows = frame[list(self._columns)].reset_index(drop=True)
            for name in self._columns:
                if (dtype := self._dtypes.get(name)) is not None and rows[name].dtype != dtype:
                    rows[name] = rows[name].astype(dtype)
        try:
            found = self._answer(rows)
            found = found.detach().cpu().numpy() if hasattr(found, "detach") else np.asarray(found)
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(
                say("The model fails on the rows of this table."),
                where=f"{self.name}: {type(error).__name__}: {str(error).partition(chr(10))[0][:200]}",
                advice=say(
                    "It is given the features as a DataFrame, texts as a list. Name all columns that it reads, "
                    "protected ones too, {where}, and try it on a few rows.",
                    where=where_chosen("features"),
                ),
            ) from error
        if found.ndim not in (1, 2) or len(found) != len(frame):
            raise ModelError(
                say(
                    "The model answers {rows} with shape {shape}, where one answer each is needed.",
                    rows=count(len(frame), "row"),
                    shape=found.shape,
                ),
                where=self.name,
                advice=say("Return one probability for each class and row, or one answer a row."),
            )
        return found.reshape(len(frame), -1)


def _are_labels(values: np.ndarray, outcomes: set[str]) -> bool:
    """Whether answers, one a row, are outcomes and no probabilities."""
    return (bool(outcomes) and set(as_text(pd.Series(values))) <= outcomes) or values.dtype.kind not in "biuf"
