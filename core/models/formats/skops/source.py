"""A scikit-learn model saved with skops.

Linear classifiers and perceptrons become torch modules; other classifiers, and all models that answer with a number,
only answer.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import pandas as pd

from core.data.cells import as_text
from core.data.dataset import Dataset, EncodedDataset
from core.data.encoder import Encoder
from core.errors import EvenhandError, ModelError, Notice
from core.files import FileRef, FileStore
from core.language.told import localized, say
from core.model import AbstractModel, AbstractModelSource
from core.models.checked import (
    NUMBERS_HAVE_NO_GRADIENTS,
    NoGradientsError,
    classes_for,
    model_fingerprint,
    require_number,
)
from core.models.formats.skops.file import load_skops
from core.models.formats.skops.inputs import Inputs, read_inputs
from core.models.formats.skops.preprocessing import Preprocessing
from core.models.module import ModuleModel
from core.models.sniff import require_format
from core.settings import setting

if TYPE_CHECKING:
    import torch

_ROWS_AT_ONCE = 65_536
_AGREEMENT = 1e-9
"""Largest difference in probability between a converted estimator and scikit-learn's own answer."""

_ACTIVATIONS = {"relu": "relu", "tanh": "tanh", "logistic": "sigmoid", "identity": "identity"}


class SklearnFile(AbstractModelSource):
    """A scikit-learn estimator or pipeline saved with skops."""

    libraries: ClassVar = ("skops.io",)

    kind: Literal["sklearn"] = "sklearn"
    file: FileRef = setting(label=say("skops file"), help=say("A .skops file written by skops.io.dump."))

    def load(self, files: FileStore, dataset: Dataset) -> AbstractModel:
        """Check the archive, build the estimator, and convert a classifier to torch where it allows gradients.

        Raises:
            ModelError: The file is refused or damaged, is neither classifier nor regression model, or does not fit the
                table.
        """
        path = files.path(self.file)
        require_format("sklearn", path, self.file.name)
        estimator, notices = load_skops(path, self.file.name)
        try:
            return self._fitted(estimator, dataset, notices)
        except EvenhandError:
            raise
        except Exception as error:
            raise ModelError(
                say("The file does not hold what scikit-learn writes ({error}).", error=type(error).__name__),
                where=self.file.name,
                advice=say("Save the fitted model again with skops.io.dump and a current scikit-learn."),
            ) from error

    def _fitted(self, estimator: Any, dataset: Dataset, notices: tuple[Notice, ...]) -> AbstractModel:
        if _is_fitted_regressor(estimator):
            return self._number_model(estimator, dataset, notices)
        if not hasattr(estimator, "predict") or not hasattr(estimator, "classes_"):
            raise ModelError(
                say(
                    "The file holds a {kind}, which is no fitted classifier or regression model.",
                    kind=type(estimator).__name__,
                ),
                where=self.file.name,
                advice=say("Save the fitted model, or the whole fitted pipeline, with skops.io.dump."),
            )
        own = tuple(map(str, as_text(pd.Series(np.asarray(estimator.classes_).tolist()))))
        classes = classes_for(self.classes or own, dataset, len(own), self.file.name)
        try:
            return self._converted(estimator, dataset, classes, notices)
        except NoGradientsError as reason:
            why = say(
                "This model has no gradients: {reason}. Use a linear model or an MLPClassifier behind scalers "
                "and one-hot encoders, or a test that needs answers only.",
                reason=reason.args[0],
            )
            return SklearnModel(self, estimator, dataset, classes, notices=notices, no_gradients=why)

    def _number_model(self, estimator: Any, dataset: Dataset, notices: tuple[Notice, ...]) -> SklearnModel:
        model = SklearnModel(self, estimator, dataset, (), notices=notices, no_gradients=NUMBERS_HAVE_NO_GRADIENTS)
        require_number(self.classes, dataset, self.file.name)
        first = model.answers(model.encode(dataset.take(np.array([0]))))
        require_number(self.classes, dataset, self.file.name, outputs=first.shape[1])
        return model

    def _converted(
        self, estimator: Any, dataset: Dataset, classes: tuple[str, ...], notices: tuple[Notice, ...]
    ) -> ModuleModel:
        steps = [step for _, step in estimator.steps] if hasattr(estimator, "steps") else [estimator]
        weights, offsets, activation = _layers(steps[-1])
        inputs = read_inputs(estimator, dataset, self.encoder, self.file.name)
        preprocessing = Preprocessing(dataset.frame, {column.name: column for column in inputs.declared})
        items = inputs.items
        for step in steps[:-1]:
            items = preprocessing.follow(step, items)
        encoder, matrix, constants = preprocessing.finish(items)
        folded = _module(
            [weights[0] @ matrix, *weights[1:]], [offsets[0] + weights[0] @ constants, *offsets[1:]], activation
        )
        model = ModuleModel(
            folded,
            encoder,
            classes,
            self.file.name,
            kind=f"{type(steps[-1]).__name__} (scikit-learn)",
            fingerprint=model_fingerprint(self, encoder),
            notices=(*notices, *inputs.notices),
        )
        return _checked_against(estimator, model, inputs, dataset)


class SklearnModel(AbstractModel):
    """An estimator as it is: it answers, for classes or with a number, and cannot be differentiated."""

    def __init__(
        self,
        settings: SklearnFile,
        estimator: Any,
        dataset: Dataset,
        classes: tuple[str, ...],
        *,
        notices: tuple[Notice, ...],
        no_gradients: str,
    ) -> None:
        self.name = settings.file.name
        self.kind = f"{_last_of(estimator)} (scikit-learn)"
        self.classes = classes
        self.no_gradients = no_gradients
        self._estimator = estimator
        self._inputs = read_inputs(estimator, dataset, settings.encoder, self.name)
        self.encoder = self._inputs.encoder or Encoder.fit(dataset.frame, self._inputs.columns)
        self.fingerprint = model_fingerprint(settings, self.encoder)
        self.notices = (*notices, *self._inputs.notices)
        if not classes:
            self.gives = "numbers"
        elif not hasattr(estimator, "predict_proba"):
            self.gives = "labels"
            decides = Notice("info", say("The model gives decisions: how sure it is is not known."))
            self.notices = (*self.notices, decides)

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """The estimator's own probabilities, or its decisions as zeros and ones, (n, k); or its numbers, (n, 1)."""
        return _ask(self._estimator, data, self._inputs, self.name)


def _is_fitted_regressor(estimator: Any) -> bool:
    from sklearn.base import BaseEstimator, is_regressor
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    if not isinstance(estimator, BaseEstimator) or not is_regressor(estimator):
        return False
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True


def _last_of(estimator: Any) -> str:
    """Type of the estimator that answers; behind one that changes the outcome's scale, of the one within."""
    if hasattr(estimator, "steps"):
        return _last_of(estimator.steps[-1][1])
    return _last_of(estimator.regressor_) if hasattr(estimator, "regressor_") else type(estimator).__name__


def _layers(estimator: Any) -> tuple[list[np.ndarray], list[np.ndarray], str]:
    """Weights (outputs, inputs), offsets, and the activation between them; ``one-vs-rest`` for such a linear model."""
    kind = type(estimator).__name__
    k = len(estimator.classes_)
    if kind in ("LogisticRegression", "LogisticRegressionCV"):
        weights, offsets, activation = [estimator.coef_], [estimator.intercept_], "identity"
    elif kind == "SGDClassifier" and estimator.loss == "log_loss":
        weights, offsets = [estimator.coef_], [estimator.intercept_]
        activation = "identity" if k == 2 else "one-vs-rest"
    elif kind == "MLPClassifier":
        weights, offsets = [matrix.T for matrix in estimator.coefs_], list(estimator.intercepts_)
        activation = _ACTIVATIONS[estimator.activation]
    elif not hasattr(estimator, "predict_proba"):
        raise NoGradientsError(say("{kind} gives decisions and no probabilities", kind=kind))
    elif kind == "SGDClassifier":
        raise NoGradientsError(say("SGDClassifier with the loss {loss} clips its probabilities", loss=estimator.loss))
    else:
        raise NoGradientsError(
            say("{kind} answers in steps, so its answers do not change smoothly with a person's data", kind=kind)
        )
    arrays = [np.asarray(array, dtype=np.float64) for array in (*weights, *offsets)]
    weights, offsets = arrays[: len(weights)], [array.ravel() for array in arrays[len(weights) :]]
    if len(weights[-1]) != (1 if k == 2 else k) or any(
        len(offset) not in (1, len(weight)) for weight, offset in zip(weights, offsets, strict=True)
    ):
        raise NoGradientsError(say("its weights do not have the shape that scikit-learn gives them"))
    return (
        weights,
        [np.broadcast_to(offset, len(weight)) for weight, offset in zip(weights, offsets, strict=True)],
        activation,
    )


def _module(weights: list[np.ndarray], offsets: list[np.ndarray], activation: str) -> torch.nn.Module:
    from torch import nn

    from core.models.layers import LogSigmoids, linear, perceptron

    stages = [linear(weight, offset) for weight, offset in zip(weights, offsets, strict=True)]
    if activation == "one-vs-rest":
        return nn.Sequential(*stages, LogSigmoids()).eval()
    return perceptron(stages, activation)


def _checked_against(estimator: Any, model: ModuleModel, inputs: Inputs, dataset: Dataset) -> ModuleModel:
    """The model, if its answers on the table are scikit-learn's own."""
    data = model.encode(dataset)
    difference = float(np.abs(model.answers(data) - _ask(estimator, data, inputs, model.name)).max())
    if not difference <= _AGREEMENT:
        raise NoGradientsError(
            say(
                "its torch version differs from scikit-learn's answers on this table by up to {difference}",
                difference=localized(f"{difference:.2g}"),
            )
        )
    model.notices = (
        *model.notices,
        Notice(
            "info",
            say(
                "The torch version agrees with scikit-learn on all {rows} rows to {difference}.",
                rows=len(data),
                difference=localized(f"{difference:.1g}"),
            ),
        ),
    )
    return model


def _ask(estimator: Any, data: EncodedDataset, inputs: Inputs, name: str) -> np.ndarray:
    """The estimator's own answers in blocks of rows, shape (n, k) or (n, outputs), float64."""
    blocks = []
    for start in range(0, len(data), _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                blocks.append(_answers(estimator, inputs.rows(data, block), len(data.x[block])))
        except Exception as error:
            said = (str(error) or type(error).__name__).splitlines()[0]
            raise ModelError(
                say("The model cannot answer the rows of this table."),
                where=f"{name}: {said[:200]}",
                advice=say(
                    "Check that the columns hold what the model was trained with, and that a similar version of "
                    "scikit-learn saved it."
                ),
            ) from error
    return np.concatenate(blocks)


def _answers(estimator: Any, rows: Any, count: int) -> np.ndarray:
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(rows), dtype=np.float64).reshape(count, len(estimator.classes_))
    if hasattr(estimator, "classes_"):
        codes = np.searchsorted(estimator.classes_, estimator.predict(rows))
        decisions: np.ndarray = np.eye(len(estimator.classes_))[codes]
        return decisions
    return np.asarray(estimator.predict(rows), dtype=np.float64).reshape(count, -1)
