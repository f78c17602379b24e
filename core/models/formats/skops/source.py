"""A scikit-learn model saved with skops.

scikit-learn itself answers, behind the wall. Linear classifiers and perceptrons become torch modules; other
classifiers, and all models that answer with a number, only answer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import pandas as pd
from pydantic import ValidationError

from core.base.errors import Caveat, DataError, ModelError
from core.base.files import FileRef, FileStore
from core.base.settings import setting
from core.contracts.model import AbstractModel, Origin
from core.data.cells import as_text
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.data.missing import MISSING_GROUP
from core.language.phrases import count, quoted, several
from core.language.told import localized, say, say_count
from core.models.checked import (
    NUMBERS_HAVE_NO_GRADIENTS,
    NoGradientsError,
    class_order,
    model_fingerprint,
    require_number,
)
from core.models.formats.skops.inputs import Inputs, read_inputs
from core.models.formats.skops.said import SklearnSaid
from core.models.formats.skops.values import unknown
from core.models.module import ModuleModel
from core.models.prepared import PreparedSource
from core.models.sniff import require_format
from core.wall.behind import open_behind

_AGREEMENT = 1e-9
"""Largest difference in probability between a converted estimator and scikit-learn's own answer."""
_ROWS_REORDERED = 64


class OpenEstimator(Protocol):
    """An open estimator, behind the wall (:class:`core.wall.Behind`) or in this process."""

    said: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]

    def answer(self, frame: pd.DataFrame) -> np.ndarray:
        """The estimator's answers for the columns that it reads, shape (n, k), float64."""
        ...


class SklearnFile(PreparedSource):
    """A scikit-learn estimator or pipeline saved with skops."""

    inside: ClassVar = "core.models.formats.skops.inside"

    kind: Literal["sklearn"] = "sklearn"
    file: FileRef = setting(label=say("skops file"), help=say("A .skops file written by skops.io.dump."))

    def load(self, files: FileStore, dataset: Dataset) -> AbstractModel:
        """Have scikit-learn open the file behind the wall, and convert a classifier to torch where it has gradients.

        Raises:
            ModelError: The file is refused or damaged, is neither classifier nor regression model, or does not fit the
                table.
        """
        path = files.path(self.file)
        require_format("sklearn", path, self.file.name)
        return fit_to_table(self, open_behind(self.inside, path, {}, name=self.file.name), dataset)


def fit_to_table(settings: PreparedSource, behind: OpenEstimator, dataset: Dataset) -> AbstractModel:
    """An open estimator as the model of a table, as a torch module where it has gradients.

    Args:
        settings: What the estimator was loaded by.
        behind: The estimator, behind the wall or in this process.
        dataset: The table.

    Raises:
        ModelError: It is neither classifier nor regression model, or does not fit the table.
    """
    name = settings.title
    said = _checked(behind, name)
    inputs = read_inputs(said, dataset, settings.encoder, settings.numbers, name)
    if not said.classes:
        require_number(settings.classes, dataset, name)
        numbers = SklearnModel(settings, behind, said, inputs=inputs, dataset=dataset)
        require_steady(numbers, dataset)
        return numbers
    own = _named_as_in(dataset.labels, said)
    order = class_order(settings.classes, own, dataset, len(own), name)
    model = SklearnModel(settings, behind, said, inputs=inputs, dataset=dataset, order=order)
    require_steady(model, dataset)
    try:
        return _converted(model, said, dataset)
    except NoGradientsError as reason:
        model.no_gradients = say(
            "This model has no gradients: {reason}. Use a linear model or an MLPClassifier behind scalers "
            "and one-hot encoders, or a test that needs answers only.",
            reason=reason.args[0],
        )
        return model


def require_steady(model: AbstractModel, dataset: Dataset) -> None:
    """Check that a model answers some rows with as many numbers as it should, and each row whatever the others.

    Raises:
        ModelError: It does not.
    """
    some = dataset.take(np.arange(min(len(dataset), _ROWS_REORDERED)))
    first = model.answers(model.encode(some))
    if not model.classes:
        require_number((), dataset, model.name, outputs=first.shape[1])
    elif first.shape[1] != len(model.classes):
        raise _does_not_fit(model.name)
    again = model.answers(model.encode(some.take(np.arange(len(some))[::-1])))[::-1]
    if not np.allclose(first, again, rtol=1e-3, atol=1e-4, equal_nan=True):
        raise ModelError(
            say(
                "The model's answer for a person changes from one time to the next, or with the other rows of the "
                "table."
            ),
            where=model.name,
            advice=say("Bring a model that gives the same person the same answer; one that draws lots gives none."),
        )


class SklearnModel(AbstractModel):
    """An estimator as it is: it answers, for classes or with a number, and cannot be differentiated.

    Args:
        settings: What it was loaded by.
        behind: The estimator.
        said: What it says of itself.
        inputs: What it reads.
        dataset: The table.
        order: The outcomes its answers stand for, with what a reader has to know of that; none for a number.
    """

    def __init__(
        self,
        settings: PreparedSource,
        behind: OpenEstimator,
        said: SklearnSaid,
        *,
        inputs: Inputs,
        dataset: Dataset,
        order: tuple[tuple[str, ...], tuple[Caveat, ...]] = ((), ()),
    ) -> None:
        classes, assumed = order
        self.name = settings.title
        self.kind = f"{said.model} (scikit-learn)"
        self.classes = classes
        self.gives = said.gives
        self.no_gradients = "" if classes else NUMBERS_HAVE_NO_GRADIENTS
        self.settings, self.behind, self.inputs = settings, behind, inputs
        self.encoder = inputs.prepared.encoder if inputs.prepared else Encoder.fit(dataset.frame, inputs.columns)
        self.fingerprint = model_fingerprint(settings, self.preprocessing)
        told = zip(inputs.columns, said.categories, strict=False)
        self._categories = {**super().categories, **{name: known for name, known in told if known is not None}}
        self.caveats = (*_about_version(said), *inputs.caveats, *assumed, *_about_decisions(said))
        if inputs.prepared is None:
            self.caveats += _about_unknown(said, inputs.columns, dataset)

    @property
    def preprocessing(self) -> Encoder:
        """See the base class."""
        return self.inputs.prepared.reads if self.inputs.prepared else self.encoder

    @property
    def categories(self) -> Mapping[str, tuple[str, ...]]:
        """See the base class."""
        return self._categories

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """The estimator's own probabilities, or its decisions as zeros and ones, (n, k); or its numbers, (n, 1)."""
        return self.behind.answer(self.inputs.rows(data))


def _checked(behind: OpenEstimator, name: str) -> SklearnSaid:
    try:
        return SklearnSaid.model_validate_json(json.dumps(dict(behind.said)))
    except (ValidationError, ValueError, TypeError) as error:
        raise _does_not_fit(name) from error


def _does_not_fit(name: str) -> ModelError:
    return ModelError(
        say("What the file says of its model does not fit together."),
        where=name,
        advice=say("Save the fitted model again with skops.io.dump and a current scikit-learn."),
    )


def _named_as_in(labels: tuple[str, ...], said: SklearnSaid) -> tuple[str, ...]:
    """What the file calls its classes; true and false are 1 and 0 where the table writes them so, and the other way."""
    numbers = {"False": "0", "True": "1"}
    if not labels:
        return said.classes
    if said.truths and set(labels) <= set(numbers.values()):
        return tuple(numbers[one] for one in said.classes)
    truths = {label.casefold(): label for label in labels}
    if set(said.classes) == {"0", "1"} and set(truths) <= {"false", "true"}:
        return tuple({"0": truths.get("false", "False"), "1": truths.get("true", "True")}[one] for one in said.classes)
    return said.classes


def _converted(model: SklearnModel, said: SklearnSaid, dataset: Dataset) -> ModuleModel:
    from core.models.formats.skops.gradients import to_torch

    encoder, module = to_torch(said, model.behind.arrays, model.inputs, dataset.frame)
    prepared = model.inputs.prepared
    converted = ModuleModel(
        module,
        encoder,
        model.classes,
        model.name,
        origin=Origin(
            model.kind, model_fingerprint(model.settings, prepared.reads if prepared else encoder), model.caveats
        ),
        preprocessing=prepared.reads if prepared else None,
    )
    try:
        data = converted.encode(dataset)
    except DataError as error:
        raise NoGradientsError(
            say("its encoder does not know some of the table's values ({what})", what=error.what)
        ) from error
    own = model.behind.answer(model.inputs.rows(data))
    difference = float(np.abs(converted.answers(data) - own).max())
    if not difference <= _AGREEMENT:
        raise NoGradientsError(
            say(
                "its torch version differs from scikit-learn's answers on this table by up to {difference}",
                difference=localized(f"{difference:.2g}"),
            )
        )
    agrees = say(
        "The torch version agrees with scikit-learn on all of {rows} to {difference}.",
        rows=count(len(data), "row"),
        difference=localized(f"{difference:.1g}"),
    )
    converted.caveats = (*converted.caveats, Caveat("info", agrees))
    return converted


def _about_version(said: SklearnSaid) -> tuple[Caveat, ...]:
    """What a reader has to know of a file that another scikit-learn wrote."""
    from importlib.metadata import version

    here = version("scikit-learn")
    if not (others := [one for one in said.versions if one != here]):
        return ()
    return (
        Caveat(
            "warning",
            say(
                "The model was saved with scikit-learn {theirs}; scikit-learn {ours} answers here.",
                theirs=", ".join(others[:3]),
                ours=here,
            ),
            say("Compare a few of the example predictions with the model's own."),
        ),
    )


def _about_decisions(said: SklearnSaid) -> tuple[Caveat, ...]:
    if said.own_threshold:
        what = say("The model decides by a threshold of its own, so its decisions are judged, not its probabilities.")
        return (Caveat("info", what),)
    if said.gives == "labels":
        return (Caveat("info", say("The model gives decisions: how sure it is is not known.")),)
    if said.model in ("SVC", "NuSVC") and said.gives == "probabilities":
        return (
            Caveat(
                "warning",
                say(
                    "{kind} works its probabilities out beside its decisions: for some rows the more probable outcome "
                    "is not the one it decides on.",
                    kind=said.model,
                ),
                say("If its decisions are used, put them into a column of the table and judge these."),
            ),
        )
    return ()


def _about_unknown(said: SklearnSaid, columns: tuple[str, ...], dataset: Dataset) -> tuple[Caveat, ...]:
    """Rows with values that the model's encoders do not know, by column."""
    found = []
    for name, known in zip(columns, said.categories, strict=False):
        if known is None:
            continue
        written = Counter(as_text(dataset.frame[name]).tolist())
        strange = {value: written[value] for value in unknown(written, known) if value != MISSING_GROUP}
        if strange:
            rows = sum(strange.values())
            found.append(
                Caveat(
                    "warning",
                    say_count(
                        "{n} row of {column} holds a category that the model was not trained with: {values}.",
                        "{n} rows of {column} hold categories that the model was not trained with: {values}.",
                        rows,
                        column=quoted(name),
                        values=several([value for value, _ in Counter(strange).most_common()]),
                    ),
                    say(
                        "Check how the values are written; the model treats them as it was told to treat unknown ones."
                    ),
                )
            )
    return tuple(found)
