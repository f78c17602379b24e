"""Boosted trees of XGBoost or LightGBM as the model of a table."""

import json
from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
from pydantic import ValidationError

from core.base.errors import Caveat, ModelError
from core.base.files import FileRef, FileStore
from core.base.settings import setting
from core.contracts.model import AbstractModel, AbstractModelSource
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import CategoricalColumn, CodeColumn, Column, Encoder, RawColumn
from core.language.phrases import count, whole
from core.language.told import say
from core.models.checked import NUMBERS_HAVE_NO_GRADIENTS, class_order, model_fingerprint, require_number
from core.models.formats.trees.columns import inputs_of
from core.models.formats.trees.said import TreesSaid
from core.models.sniff import require_format
from core.wall.behind import Behind, open_behind

_MAXIMUM_BYTES = 200 * 2**20
_ROWS_AT_ONCE = 65_536
_STEPS = say(
    "Boosted trees answer in steps, so their answers do not change smoothly with a person's data and "
    "they have no gradients: choose a test that needs answers only."
)


class TreesFile(AbstractModelSource):
    """Boosted trees: XGBoost's JSON or UBJSON, or LightGBM's text."""

    inside: ClassVar[str] = "core.models.formats.trees.inside"

    kind: Literal["trees"] = "trees"
    file: FileRef = setting(
        label=say("File of the trees"),
        help=say("XGBoost: save_model('model.json') or '.ubj'. LightGBM: save_model('model.txt')."),
    )

    def load(self, files: FileStore, dataset: Dataset) -> "TreesModel":
        """Have the library that wrote the trees open them behind the wall, and find their columns in the table.

        Raises:
            ModelError: The file is refused or damaged, or does not fit the table.
        """
        path = files.path(self.file)
        require_format("trees", path, self.file.name)
        if path.stat().st_size > _MAXIMUM_BYTES:
            raise ModelError(
                say(
                    "The file has {size} MB, and at most {most} MB are read.",
                    size=path.stat().st_size >> 20,
                    most=_MAXIMUM_BYTES >> 20,
                ),
                where=self.file.name,
                advice=say("Bring a smaller model, or its answers as a column of the table."),
            )
        return TreesModel(self, open_behind(self.inside, path, {}, name=self.file.name), dataset)


class TreesModel(AbstractModel):
    """Trees that their library answers; they cannot be differentiated."""

    def __init__(self, settings: TreesFile, behind: Behind, dataset: Dataset) -> None:
        self.name = settings.file.name
        self._behind = behind
        self._said = said = _checked(behind, self.name)
        self.kind = say("Boosted trees ({library})", library=said.library)
        self.gives = said.gives
        self._inputs, caveats = inputs_of(said, settings.encoder, dataset, self.name)
        if said.outputs == 1:
            require_number(settings.classes, dataset, self.name)
            self.classes, self.no_gradients = (), NUMBERS_HAVE_NO_GRADIENTS
        else:
            self.classes, order = class_order(settings.classes, (), dataset, said.outputs, self.name)
            self.no_gradients = _STEPS
            caveats = (*caveats, *order)
        read = tuple(dict.fromkeys(one.column for one in self._inputs))
        self.encoder = Encoder.fit(dataset.frame, read)
        self.fingerprint = model_fingerprint(settings, self.encoder)
        self.caveats = (*_rounds(said), *caveats)

    @property
    def preprocessing(self) -> Encoder:
        """The numbers, categories and indicators that the trees read, each column of the table once."""
        columns: dict[str, Column] = {}
        marked: dict[str, dict[str, None]] = {}
        for one in self._inputs:
            if one.value is not None:
                marked.setdefault(one.column, {})[one.value] = None
            columns[one.column] = (
                CodeColumn(name=one.column, categories=one.categories) if one.categories else RawColumn(name=one.column)
            )
        for name, values in marked.items():
            columns[name] = CategoricalColumn(name=name, categories=tuple(values))
        return Encoder(columns=tuple(columns.values()))

    @property
    def categories(self) -> Mapping[str, tuple[str, ...]]:
        """See the base class; an empty one stands for a number without a value."""
        return {name: tuple(filter(None, known)) for name, known in self.preprocessing.categories.items()}

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """The library's own answers: probabilities, or decisions as zeros and ones, shape (n, k); or numbers, (n, 1).

        Probabilities of one class against the rest, which need not add up to one, are divided by their sum.
        """
        starts = range(0, len(data), _ROWS_AT_ONCE)
        return np.concatenate([self._block(data, slice(start, start + _ROWS_AT_ONCE)) for start in starts])

    def _block(self, data: EncodedDataset, block: slice) -> np.ndarray:
        frame = data.dataset.frame.iloc[block]
        rows = pd.DataFrame({str(place): one.of(frame) for place, one in enumerate(self._inputs)})
        answers = self._behind.answer(rows)
        if answers.shape != (len(rows), self._said.outputs):
            raise ModelError(say("The trees cannot answer the rows of this table."), where=self.name)
        if self._said.outputs == 1:
            return answers
        return np.asarray(answers / answers.sum(axis=1, keepdims=True))


def _checked(behind: Behind, name: str) -> TreesSaid:
    try:
        return TreesSaid.model_validate_json(json.dumps(dict(behind.said)))
    except (ValidationError, ValueError, TypeError) as error:
        raise ModelError(
            say("What the file says of its trees does not fit together."),
            where=name,
            advice=say("Save the model again with the library that trained it."),
        ) from error


def _rounds(said: TreesSaid) -> tuple[Caveat, ...]:
    if not said.rounds:
        return ()
    used, rounds = said.rounds
    what = say(
        "Training was stopped early: {used} of {rounds} answer, as in XGBoost's predict.",
        used=count(used, "round"),
        rounds=whole(rounds),
    )
    return (Caveat("info", what),)
