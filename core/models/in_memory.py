"""A model that lives in this process: a fitted scikit-learn estimator, a torch module, or any function that answers.

It is the caller's own, so it stands behind no wall, and it is not changed. A record keeps its name and the fingerprint
of its answers, and is repeated by the same call.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import pandas as pd
from pydantic import PrivateAttr

from core.base.errors import ModelError
from core.base.files import FileStore
from core.base.settings import setting
from core.contracts.model import AbstractModel
from core.data.cells import as_text
from core.data.dataset import Dataset, EncodedDataset
from core.data.encoder import Encoder
from core.language.options import option
from core.language.phrases import count, quoted, several
from core.language.told import say
from core.models.checked import (
    NUMBERS_HAVE_NO_GRADIENTS,
    class_order,
    model_fingerprint,
    require_number,
    wants_number,
)
from core.models.module import ModuleModel, outputs
from core.models.prepared import PreparedSource, prepared_for

if TYPE_CHECKING:
    import torch

_NO_GRADIENTS = say(
    "A function answers and cannot be differentiated: bring a torch module, or a linear model or MLPClassifier of "
    "scikit-learn, for tests that search for similar people by gradients."
)
_SUMS_TO_ONE = 1e-5
_FEWEST = 10
"""Rows from which numbers that all lie between 0 and 1 are taken to be no log-odds."""


class ObjectInMemory(PreparedSource):
    """A model that is an object of this process; see :mod:`core.models.in_memory`."""

    kind: Literal["object"] = "object"
    without_bearing: ClassVar[dict[str, Any]] = PreparedSource.without_bearing
    name: str = setting("model", label=say("Name"), help=say("What people call the model."))
    answers: str = setting(
        "",
        label=say("Fingerprint of its answers"),
        help=say("The SHA-256 of its answers for the audited table: it is repeated by the same call in Python."),
    )

    _held: Any = PrivateAttr(None)
    _dtypes: dict[str, Any] = PrivateAttr(default_factory=dict)

    @classmethod
    def of(cls, held: object, dtypes: Mapping[str, Any] | None = None) -> Self:
        """Settings that hold an object.

        Args:
            held: The model.
            dtypes: How the caller's table keeps its columns, by name; a function gets rows that are kept so.
        """
        named = getattr(held, "__name__", type(held).__name__)
        source = cls(name=named if named.isidentifier() else "function")  # verbatim
        source._held, source._dtypes = held, dict(dtypes or {})
        return source

    @property
    def title(self) -> str:
        """Its name."""
        return self.name

    @property
    def names_read(self) -> tuple[str, ...]:
        """The columns that it says it reads, as scikit-learn's estimators do; empty where it does not say."""
        return tuple(map(str, getattr(self._held, "feature_names_in_", ())))

    def load(self, files: FileStore, dataset: Dataset) -> AbstractModel:
        """Fit the object to the table's columns and outcomes.

        Raises:
            ModelError: There is no object, for the settings come from a record; or it does not fit the table.
        """
        held = self._held
        if held is None:
            raise ModelError(
                say("The model was an object in memory, which is not on record."),
                where=self.name,
                advice=say("Repeat the audit by the same call in Python, or save the model as a file and audit that."),
            )
        if _is_of(held, "torch") and hasattr(held, "state_dict"):
            return _module_model(self, held, dataset)
        if _is_of(held, "sklearn") and not dataset.roles.text:
            from core.models.formats.skops.in_process import InProcess
            from core.models.formats.skops.inside import reads_texts
            from core.models.formats.skops.source import fit_to_table

            if reads_texts(held):
                raise ModelError(
                    say("This model reads texts, and no column of the table is chosen as the text."),
                    where=self.name,
                    advice=say("Choose the text column in the roles step."),
                )
            return fit_to_table(self, InProcess(held, self.name, self._dtypes), dataset)
        return _function_model(self, held, dataset)


def _is_of(held: object, library: str) -> bool:
    """Whether an object is of a class of the library, or of one derived from it."""
    return any(kind.__module__.partition(".")[0] == library for kind in type(held).__mro__)


def _module_model(source: ObjectInMemory, held: torch.nn.Module, dataset: Dataset) -> ModuleModel:
    """A copy of a torch module as the model of a table, behind what prepares the table's rows."""
    module = _without_closing(copy.deepcopy(held).cpu().eval().requires_grad_(False))
    width = next(map(_width, filter(_is_linear, module.modules())), None)
    prepared, notices = prepared_for(source.encoder, source.numbers, dataset, width, source.name)
    network = prepared.in_front_of(module)
    rows = prepared.encoder.transform(dataset.frame)
    given = _tried(network, rows, source.name)
    classes: tuple[str, ...] = ()
    if wants_number(dataset):
        require_number(source.classes, dataset, source.name, outputs=given.shape[1])
    else:
        _require_logits(given, source.name)
        classes, assumed = class_order(source.classes, (), dataset, max(given.shape[1], 2), source.name)
        notices = (*notices, *assumed)
    return ModuleModel(
        network,
        prepared.encoder,
        classes,
        source.name,
        fingerprint=model_fingerprint(source, prepared.reads),
        notices=notices,
        preprocessing=prepared.reads,
    )


def _is_linear(layer: object) -> bool:
    from torch import nn

    return isinstance(layer, nn.Linear)


def _width(layer: Any) -> int:
    return int(layer.in_features)


def _without_closing(module: torch.nn.Module) -> torch.nn.Module:
    """A module without the softmax or sigmoid with which a sequence of layers ends: what comes before is its logits."""
    from torch import nn

    if isinstance(module, nn.Sequential) and len(module) > 1 and isinstance(module[-1], nn.Softmax | nn.Sigmoid):
        return module[:-1]
    return module


def _tried(network: torch.nn.Module, rows: np.ndarray, name: str) -> np.ndarray:
    """What a module gives for rows, shape (n, k)."""
    import torch

    try:
        with torch.no_grad():
            dtype = next((one.dtype for one in network.parameters()), torch.float32)
            shape = tuple(network(torch.from_numpy(rows[:2]).to(dtype)).shape)
        if len(shape) == 2:
            return outputs(network, rows, shape[1])
    except (RuntimeError, ValueError, TypeError, AttributeError) as error:
        raise ModelError(
            say("The network cannot read rows of {width} numbers.", width=rows.shape[1]),
            where=f"{name}: {str(error).partition(chr(10))[0][:200]}",
            advice=say("Check that the first layer's width is the number of prepared columns."),
        ) from error
    raise ModelError(
        say("The network answers two rows with shape {shape}, where one row of numbers each is needed.", shape=shape),
        where=name,
        advice=say("Let it return one logit for each class, or one number a row in a column."),
    )


def _require_logits(given: np.ndarray, name: str) -> None:
    """Check that answers are no probabilities: a softmax over them would flatten them."""
    if len(given) < _FEWEST or given.min() < 0 or given.max() > 1:
        return
    if given.shape[1] > 1 and np.abs(given.sum(axis=1) - 1).max() > _SUMS_TO_ONE:
        return
    raise ModelError(
        say("The network seems to give probabilities, where logits are needed: they all lie between 0 and 1."),
        where=name,
        advice=say(
            "Leave out its softmax or sigmoid. If a single output really is the log-odds z, give it as the two outputs "
            "[0, z]."
        ),
    )


def _function_model(source: ObjectInMemory, held: Any, dataset: Dataset) -> FunctionModel:
    """Whatever answers, by its ``predict_proba``, its ``predict``, or when it is called."""
    number = wants_number(dataset)
    wanted = ("predict",) if number else ("predict_proba", "predict")
    answer = next((getattr(held, name) for name in wanted if hasattr(held, name)), held)
    if not callable(answer):
        raise ModelError(
            say("A {kind} cannot answer rows.", kind=type(held).__name__),
            where=source.name,
            advice=say(
                "Bring a file, a fitted scikit-learn estimator, a torch module, a transformers pipeline, or a function "
                "that takes a table and returns one probability for each class and row."
            ),
        )
    return FunctionModel(source, held, answer, dataset)


class FunctionModel(AbstractModel):
    """A function from rows to answers.

    It is given the table's features as a DataFrame, or texts as a list, and returns class probabilities, shape (n, k);
    the probability of the second of two classes, labels, or the number it predicts, shape (n,) or (n, 1).
    """

    kind = say("Function in Python")

    def __init__(self, source: ObjectInMemory, held: Any, answer: Callable[..., Any], dataset: Dataset) -> None:
        self.name, self._answer, self._dtypes = source.name, answer, source._dtypes
        roles = dataset.all_roles
        self._columns = (roles.text,) if roles.text else source.names_read or roles.features
        self._text = roles.text
        missing = [name for name in self._columns if name not in dataset.frame.columns]
        if missing or not self._columns:
            raise ModelError(
                say("The table has no column {missing}, which the model reads.", missing=several(missing))
                if missing
                else say("No column is chosen as a feature, so the model has nothing to read."),
                where=self.name,
                advice=say(
                    "Choose it as a feature in the roles step ({features} names all features).",
                    features=option("features"),
                ),
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

    def _fit_classes(self, source: ObjectInMemory, held: Any, dataset: Dataset, given: np.ndarray) -> None:
        own = getattr(held, "classes_", ())
        named = tuple(map(str, as_text(pd.Series(list(own))))) if np.ndim(own) == 1 and len(own) else ()
        labels = given.shape[1] == 1 and _are_labels(given[:, 0], {*dataset.labels, *source.classes, *named})
        k = given.shape[1] if given.shape[1] > 1 else 2
        if labels:
            k = len(source.classes or named or dataset.labels)
            self.gives = "labels"
        self.classes, assumed = class_order(source.classes, named, dataset, k, self.name)
        self.notices = () if labels else assumed
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
                    "It is given the features as a DataFrame, texts as a list. Name the features that it reads "
                    "({features}), and try it on a few rows.",
                    features=option("features"),
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
