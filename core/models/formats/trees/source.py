"""Boosted trees of XGBoost or LightGBM as the model of a table."""

from typing import ClassVar, Literal

import numpy as np

from core.data.dataset import Dataset, EncodedDataset
from core.data.encoder import Encoder
from core.errors import ModelError
from core.files import FileRef, FileStore
from core.language.told import say
from core.model import AbstractModel, AbstractModelSource
from core.models.checked import NUMBERS_HAVE_NO_GRADIENTS, class_order, model_fingerprint, require_number
from core.models.formats.trees.booster import MAXIMUM_BYTES, Booster, refused
from core.models.formats.trees.columns import inputs_of
from core.models.formats.trees.lightgbm import read_lightgbm
from core.models.formats.trees.xgboost import read_xgboost
from core.models.sniff import require_format
from core.settings import setting

_ROWS_AT_ONCE = 65_536
_STEPS = say(
    "Boosted trees answer in steps, so their answers do not change smoothly with a person's data and "
    "they have no gradients: choose a test that needs answers only."
)


class TreesFile(AbstractModelSource):
    """Boosted trees: XGBoost's JSON or UBJSON, or LightGBM's text."""

    libraries: ClassVar = ("treelite",)

    kind: Literal["trees"] = "trees"
    file: FileRef = setting(
        label=say("File of the trees"),
        help=say("XGBoost: save_model('model.json') or '.ubj'. LightGBM: save_model('model.txt')."),
    )

    def load(self, files: FileStore, dataset: Dataset) -> "TreesModel":
        """Check the trees and find their columns in the table.

        Raises:
            ModelError: The file is refused or damaged, or does not fit the table.
        """
        path = files.path(self.file)
        require_format("trees", path, self.file.name)
        if path.stat().st_size > MAXIMUM_BYTES:
            raise refused(
                say(
                    "the file has {size} MB, and at most {most} MB are read",
                    size=path.stat().st_size >> 20,
                    most=MAXIMUM_BYTES >> 20,
                ),
                self.file.name,
                say("Bring a smaller model, or its answers as a column of the table."),
            )
        content = path.read_bytes()
        read = read_lightgbm if content.startswith(b"tree") else read_xgboost
        return TreesModel(self, read(content, self.file.name), dataset)


class TreesModel(AbstractModel):
    """Trees that answer; they cannot be differentiated."""

    def __init__(self, settings: TreesFile, booster: Booster, dataset: Dataset) -> None:
        self.name = settings.file.name
        self.kind = say("Boosted trees ({library})", library=booster.library)
        self.gives = booster.gives
        self._booster = booster
        self._inputs, notices = inputs_of(booster, dataset, self.name)
        if booster.outputs == 1:
            require_number(settings.classes, dataset, self.name)
            self.classes, self.no_gradients = (), NUMBERS_HAVE_NO_GRADIENTS
        else:
            self.classes, order = class_order(settings.classes, (), dataset, booster.outputs, self.name)
            self.no_gradients = _STEPS
            notices = (*notices, *order)
        read = tuple(dict.fromkeys(one.column for one in self._inputs))
        self.encoder = settings.encoder or Encoder.fit(dataset.frame, read)
        self.fingerprint = model_fingerprint(settings, self.encoder)
        self.notices = (*booster.notices, *notices)

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """Treelite's answers: probabilities, or decisions as zeros and ones, shape (n, k); or numbers, (n, 1).

        Probabilities of one class against the rest, which need not add up to one, are divided by their sum.
        """
        starts = range(0, len(data), _ROWS_AT_ONCE)
        return np.concatenate([self._block(data, slice(start, start + _ROWS_AT_ONCE)) for start in starts])

    def _block(self, data: EncodedDataset, block: slice) -> np.ndarray:
        from treelite import TreeliteError, gtil

        frame = data.dataset.frame.iloc[block]
        rows = np.column_stack([one.of(frame) for one in self._inputs])
        kind = np.float32 if self._booster.library == "XGBoost" else np.float64
        try:
            raw = gtil.predict(self._booster.model, np.ascontiguousarray(rows, dtype=kind), nthread=1)
        except TreeliteError as error:
            raise ModelError(say("The trees cannot answer the rows of this table."), where=self.name) from error
        answers = np.asarray(raw, dtype=np.float64).reshape(len(rows), -1)
        if self._booster.outputs == 1:
            return answers
        if answers.shape[1] == 1:
            return np.column_stack([1 - answers, answers])
        return np.asarray(answers / answers.sum(axis=1, keepdims=True))
