"""A model exported as ONNX: answered by onnxruntime behind the wall, differentiated by our own conversion to torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import pandas as pd

from core.base.errors import Caveat, ModelError
from core.base.files import FileRef, FileStore
from core.base.settings import setting
from core.contracts.model import AbstractModel, are_shares_of_one
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.language.told import localized, say
from core.models.card import NetworkCard, read_card
from core.models.checked import (
    NUMBERS_HAVE_NO_GRADIENTS,
    NoGradientsError,
    class_order,
    model_fingerprint,
    require_number,
    require_width,
    wants_number,
)
from core.models.formats.onnx.graph import Description, OnnxGraph, prepares_numbers
from core.models.module import frozen_copy, probabilities
from core.models.prepared import Prepared, PreparedSource, prepared_for
from core.models.sniff import require_format
from core.wall.behind import Behind, open_behind

if TYPE_CHECKING:
    import torch

Gives = Literal["logits", "probabilities", "log-probabilities"]

_AGREEMENT = 1e-4
"""Largest difference in probability between the converted module and onnxruntime, which computes in float32."""
_ROWS_REORDERED = 64
_OF_CLASSES = frozenset({"Softmax", "LogSoftmax", "ZipMap", "TreeEnsembleClassifier", "LinearClassifier"})
_OF_NUMBERS = frozenset({"LinearRegressor", "TreeEnsembleRegressor", "SVMRegressor"})
"""Closing operators that say whether an answer stands for a class."""


class OnnxFile(PreparedSource):
    """A model exported as ONNX, with one input of shape (rows, columns)."""

    inside: ClassVar[str] = "core.models.formats.onnx.inside"

    kind: Literal["onnx"] = "onnx"
    file: FileRef = setting(label=say("ONNX file"), help=say("A single .onnx file with its weights inside."))
    output: Gives | None = setting(
        None,
        label=say("Output"),
        help=say(
            "What the model gives. Left empty: by its last operator, otherwise by whether its answers on "
            "this table are probabilities."
        ),
    )

    def load(self, files: FileStore, dataset: Dataset) -> OnnxModel:
        """Have the file checked and opened behind the wall; convert a classifier to torch where its operators allow it.

        Raises:
            ModelError: The file is refused or damaged, or does not fit the table.
        """
        path = files.path(self.file)
        require_format("onnx", path, self.file.name)
        runtime = open_behind(self.inside, path, {}, name=self.file.name, needs_wall=False)
        said = runtime.said_as(Description)
        graph = OnnxGraph(said, dict(runtime.arrays))
        card = read_card(said.metadata, self.file.name)
        prepared, caveats = prepared_for(
            self.encoder or card.encoder,
            self.numbers,
            dataset,
            said.width,
            self.file.name,
            starts_with=prepares_numbers(graph),
        )
        x = prepared.reads.transform(dataset.frame)
        raw = _answers(runtime, x)
        _check_order(runtime, x, raw, self.file.name)
        if self._gives_number(graph, card, dataset):
            require_number(self.classes, dataset, self.file.name, outputs=raw.shape[1])
            return OnnxModel(self, runtime, "numbers", (), prepared=prepared, caveats=caveats)
        gives, guessed = (self.output, False) if self.output else _what_it_gives(graph, raw)
        if guessed:
            caveats = (
                *caveats,
                Caveat(
                    "info",
                    say(
                        "The model's outputs were taken for probabilities, because on this table all lie between 0 "
                        "and 1 and those of a row add up to one."
                    )
                    if gives == "probabilities"
                    else say(
                        "The model's outputs were taken for logits, because on this table some lie below 0 or above "
                        "1, or those of a row do not add up to one."
                    ),
                    say("Say what the model gives if this is wrong."),
                ),
            )
        outputs = max(raw.shape[1], 2)
        own = card.classes or (said.labels if len(said.labels) == outputs else ())
        classes, order = class_order(self.classes, own, dataset, outputs, self.file.name)
        model = OnnxModel(self, runtime, gives, classes, prepared=prepared, caveats=(*caveats, *order))
        model.convert(graph, x, raw)
        return model

    def _gives_number(self, graph: OnnxGraph, card: NetworkCard, dataset: Dataset) -> bool:
        """Whether the answer is a number that stands for no class; what nothing in the file tells, the outcome does."""
        from core.models.formats.onnx.to_torch import closing_operator

        last = closing_operator(graph)
        if self.output or self.classes or card.classes or graph.said.labels or last in _OF_CLASSES:
            return False
        return card.output == "number" or last in _OF_NUMBERS or wants_number(dataset)


class OnnxModel(AbstractModel):
    """Answers by onnxruntime; for classes, gradients by a converted module where there is one."""

    kind = "ONNX"

    def __init__(
        self,
        settings: OnnxFile,
        runtime: Behind,
        gives: Gives | Literal["numbers"],
        classes: tuple[str, ...],
        *,
        prepared: Prepared,
        caveats: tuple[Caveat, ...],
    ) -> None:
        self.name = settings.file.name
        self.fingerprint = model_fingerprint(settings, prepared.reads)
        self.encoder = prepared.encoder
        self._prepared = prepared
        self.classes = classes
        self.caveats = caveats
        self.gives = "logits" if gives == "log-probabilities" else gives
        self.no_gradients = "" if classes else NUMBERS_HAVE_NO_GRADIENTS
        self._runtime = runtime
        self._module: torch.nn.Module | None = None

    @property
    def preprocessing(self) -> Encoder:
        """See the base class."""
        return self._prepared.reads

    def convert(self, graph: OnnxGraph, x: np.ndarray, raw: np.ndarray) -> None:
        """Convert the graph to torch and keep the module if it gives onnxruntime's answers on these rows.

        Args:
            graph: The checked graph.
            x: Rows as the graph reads them, shape (n, m).
            raw: onnxruntime's output for them, shape (n, outputs).
        """
        from core.models.formats.onnx.to_torch import to_torch

        own = self._probabilities(raw)
        try:
            converted = to_torch(graph, x.shape[1], "probabilities" if self.gives == "probabilities" else "logits")
            kept = frozen_copy(converted, self._prepared.reads, len(self.classes), self.name)
            finite = np.isfinite(own).all(axis=1)
            difference = np.abs(probabilities(kept, x, len(self.classes)) - own)[finite].max(initial=0.0)
            if not difference <= _AGREEMENT:
                raise NoGradientsError(
                    say(
                        "its torch version differs from onnxruntime's answers on this table by up to {difference}",
                        difference=localized(f"{difference:.2g}"),
                    )
                )
        except NoGradientsError as reason:
            self.no_gradients = say(
                "This ONNX model has no gradients: {reason}. Export a network of plain layers, or use a test "
                "that needs answers only.",
                reason=reason.args[0],
            )
            return
        except Exception as error:
            self.no_gradients = say(
                "This ONNX model has no gradients: it could not be rebuilt ({error}).", error=type(error).__name__
            )
            return
        self._module = self._prepared.in_front_of(kept).eval().requires_grad_(False)
        self.caveats = (
            *self.caveats,
            Caveat(
                "info",
                say(
                    "The torch version agrees with onnxruntime on all {rows} rows to {difference}.",
                    rows=len(x),
                    difference=localized(f"{float(difference):.1g}"),
                ),
            ),
        )

    def module(self) -> torch.nn.Module:
        """The converted module.

        Raises:
            ModelError: The model is a black box (``no_gradients`` says why).
        """
        return super().module() if self._module is None else self._module

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """Onnxruntime's answers as probabilities, shape (n, k), or numbers, shape (n, 1), float64."""
        require_width(data.x.shape[1], self.encoder, self.name)
        raw = _answers(self._runtime, self._prepared.rows(data))
        return self._probabilities(raw) if self.classes else raw

    def _probabilities(self, raw: np.ndarray) -> np.ndarray:
        from scipy.special import expit, softmax

        with np.errstate(invalid="ignore"):
            if raw.shape[1] == 1:
                good = raw[:, 0] if self.gives == "probabilities" else expit(raw[:, 0])
                both = np.column_stack([1 - good, good])
                if not are_shares_of_one(both):
                    raise self._no_probabilities()
                return both
            if self.gives == "logits":
                return np.asarray(softmax(raw, axis=1))
            if not are_shares_of_one(raw):
                raise self._no_probabilities()
            return np.asarray(raw / raw.sum(axis=1, keepdims=True))

    def _no_probabilities(self) -> ModelError:
        return ModelError(
            say(
                "The model's answers are declared as probabilities and are not: some are below 0, or do not add "
                "up to one."
            ),
            where=self.name,
            advice=say("Declare them as logits, or export the model with a softmax at its end."),
        )


def _answers(runtime: Behind, x: np.ndarray) -> np.ndarray:
    """Onnxruntime's answers for the rows of ``x``, shape (n, d); returns (n, outputs), float64."""
    return runtime.answer(pd.DataFrame(x, columns=[str(column) for column in range(x.shape[1])]))


def _check_order(runtime: Behind, x: np.ndarray, raw: np.ndarray, name: str) -> None:
    """A person's answer must not depend on who else is in the table."""
    some = _answers(runtime, x[:_ROWS_REORDERED][::-1])[::-1]
    if not np.allclose(some, raw[:_ROWS_REORDERED], rtol=1e-3, atol=1e-4, equal_nan=True):
        raise ModelError(
            say("The model's answer for a person changes with the other rows of the table."),
            where=name,
            advice=say("Export it in evaluation mode, without operators that work across rows."),
        )


def _what_it_gives(graph: OnnxGraph, raw: np.ndarray) -> tuple[Gives, bool]:
    """What the outputs are, and whether that was judged by their values."""
    from core.models.formats.onnx.to_torch import closing_operator

    last = closing_operator(graph)
    if last in ("Softmax", "Sigmoid", "ZipMap", "TreeEnsembleClassifier"):
        return "probabilities", False
    if last == "LogSoftmax":
        return "log-probabilities", False
    if last in ("Gemm", "MatMul"):
        return "logits", False
    shares = are_shares_of_one(np.column_stack([1 - raw, raw]) if raw.shape[1] == 1 else raw)
    return ("probabilities" if shares else "logits"), True
