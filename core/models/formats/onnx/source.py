"""A model exported as ONNX: predicted by onnxruntime, differentiated through our own conversion to torch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.data.dataset import Dataset, EncodedDataset
from core.errors import ModelError, Notice
from core.files import FileRef, FileStore
from core.language.told import localized, say
from core.model import AbstractModel
from core.models.card import NetworkCard, read_card
from core.models.checked import (
    NUMBERS_HAVE_NO_GRADIENTS,
    ROWS_AT_ONCE,
    NoGradientsError,
    class_order,
    model_fingerprint,
    require_number,
    require_width,
    wants_number,
)
from core.models.formats.onnx.file import OnnxGraph, read_onnx
from core.models.formats.onnx.start import prepares_numbers
from core.models.module import frozen_copy, probabilities
from core.models.prepared import Prepared, PreparedSource, prepared_for
from core.models.sniff import require_format
from core.settings import setting

if TYPE_CHECKING:
    import torch

Gives = Literal["logits", "probabilities", "log-probabilities"]

_AGREEMENT = 1e-4
"""Largest difference in probability between the converted module and onnxruntime, which computes in float32."""
_ROUNDING = 1e-3
"""How far probabilities may be from one in sum to be taken for probabilities; they are divided by their sum."""
_ROWS_REORDERED = 64
_OPERATOR = re.compile(r"while running (\w+) node")
"""Where onnxruntime failed, in its own words."""
_OF_CLASSES = frozenset({"Softmax", "LogSoftmax", "ZipMap", "TreeEnsembleClassifier", "LinearClassifier"})
_OF_NUMBERS = frozenset({"LinearRegressor", "TreeEnsembleRegressor", "SVMRegressor"})
"""Closing operators that say whether an answer stands for a class."""


class OnnxFile(PreparedSource):
    """A model exported as ONNX, with one input of shape (rows, columns)."""

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
        """Check the file, start onnxruntime, and convert a classifier to torch where its operators allow gradients.

        Raises:
            ModelError: The file is refused or damaged, or does not fit the table.
        """
        path = files.path(self.file)
        require_format("onnx", path, self.file.name)
        graph = read_onnx(path, self.file.name)
        card = read_card(graph.metadata, self.file.name)
        prepared, notices = prepared_for(
            self.encoder or card.encoder,
            self.numbers,
            dataset,
            graph.width,
            self.file.name,
            starts_with=prepares_numbers(graph),
        )
        x = prepared.reads.transform(dataset.frame)
        runtime = _Runtime(graph, self.file.name)
        raw = runtime.answer(x)
        _check_order(runtime, x, raw, self.file.name)
        if self._gives_number(graph, card, dataset):
            require_number(self.classes, dataset, self.file.name, outputs=raw.shape[1])
            return OnnxModel(self, runtime, "numbers", (), prepared=prepared, notices=notices)
        gives, guessed = (self.output, False) if self.output else _what_it_gives(graph, raw)
        if guessed:
            notices = (
                *notices,
                Notice(
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
        own = card.classes or (graph.labels if len(graph.labels) == outputs else ())
        classes, order = class_order(self.classes, own, dataset, outputs, self.file.name)
        model = OnnxModel(self, runtime, gives, classes, prepared=prepared, notices=(*notices, *order))
        model.convert(graph, x, raw)
        return model

    def _gives_number(self, graph: OnnxGraph, card: NetworkCard, dataset: Dataset) -> bool:
        """Whether the answer is a number that stands for no class; what nothing in the file tells, the outcome does."""
        from core.models.formats.onnx.to_torch import closing_operator

        last = closing_operator(graph)
        if self.output or self.classes or card.classes or graph.labels or last in _OF_CLASSES:
            return False
        return card.output == "number" or last in _OF_NUMBERS or wants_number(dataset)


class OnnxModel(AbstractModel):
    """Answers by onnxruntime; for classes, gradients by a converted module where there is one."""

    kind = "ONNX"

    def __init__(
        self,
        settings: OnnxFile,
        runtime: _Runtime,
        gives: Gives | Literal["numbers"],
        classes: tuple[str, ...],
        *,
        prepared: Prepared,
        notices: tuple[Notice, ...],
    ) -> None:
        self.name = settings.file.name
        self.fingerprint = model_fingerprint(settings, prepared.reads)
        self.encoder = prepared.encoder
        self._prepared = prepared
        self.classes = classes
        self.notices = notices
        self.gives = "logits" if gives == "log-probabilities" else gives
        self.no_gradients = "" if classes else NUMBERS_HAVE_NO_GRADIENTS
        self._runtime = runtime
        self._module: torch.nn.Module | None = None

    @property
    def reads_prepared(self) -> tuple[str, ...]:
        """See the base class."""
        return self._prepared.reads.names

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
        self.notices = (
            *self.notices,
            Notice(
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
        raw = self._runtime.answer(self._prepared.rows(data))
        return self._probabilities(raw) if self.classes else raw

    def _probabilities(self, raw: np.ndarray) -> np.ndarray:
        from scipy.special import expit, softmax

        with np.errstate(invalid="ignore"):
            if raw.shape[1] == 1:
                good = raw[:, 0] if self.gives == "probabilities" else expit(raw[:, 0])
                if ((good < 0) | (good > 1)).any():
                    raise self._no_probabilities()
                return np.column_stack([1 - good, good])
            if self.gives == "logits":
                return np.asarray(softmax(raw, axis=1))
            totals = raw.sum(axis=1, keepdims=True)
            if (raw < 0).any() or (np.abs(totals - 1) > _ROUNDING).any():
                raise self._no_probabilities()
            return np.asarray(raw / totals)

    def _no_probabilities(self) -> ModelError:
        return ModelError(
            say(
                "The model's answers are declared as probabilities and are not: some are below 0, or do not add "
                "up to one."
            ),
            where=self.name,
            advice=say("Declare them as logits, or export the model with a softmax at its end."),
        )


class _Runtime:
    """onnxruntime on one CPU thread, so that the same rows always give the same answers."""

    def __init__(self, graph: OnnxGraph, name: str) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._graph = graph
        self._name = name
        try:
            self._session = onnxruntime.InferenceSession(graph.content, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise self._failed(say("onnxruntime cannot read this model."), error) from error

    def answer(self, x: np.ndarray) -> np.ndarray:
        """The output for the rows of ``x``, shape (n, d), in blocks; returns (n, outputs), float64."""
        blocks = [self._block(x[start : start + ROWS_AT_ONCE]) for start in range(0, len(x), ROWS_AT_ONCE)]
        return np.concatenate(blocks)

    def _block(self, x: np.ndarray) -> np.ndarray:
        rows = np.ascontiguousarray(x, dtype=self._graph.input_type)
        try:
            (given,) = self._session.run([self._graph.output], {self._graph.input: rows})
            if isinstance(given, list):
                labels = {str(label): label for label in given[0]}
                order = [labels[label] for label in self._graph.labels or labels]
                given = [[row[label] for label in order] for row in given]
            answers = np.asarray(given, dtype=np.float64)
        except Exception as error:
            raise self._failed(
                say("The model cannot answer rows of {width} numbers.", width=x.shape[1]), error
            ) from error
        if answers.ndim == 1:
            answers = answers[:, None]
        if answers.ndim != 2 or len(answers) != len(x):
            raise ModelError(
                say(
                    "The model answers {rows} rows with shape {shape}; (rows, classes) is needed.",
                    rows=len(x),
                    shape=answers.shape,
                ),
                where=self._name,
                advice=say("Export it so that every row gets its own answer, with an open number of rows."),
            )
        return answers

    def _failed(self, what: str, error: Exception) -> ModelError:
        at = _OPERATOR.search(str(error))
        return ModelError(
            what,
            where=say("{name}, operator {operator}", name=self._name, operator=at[1]) if at else self._name,
            advice=say("Check that its first layer fits the prepared columns, and export it again."),
        )


def _check_order(runtime: _Runtime, x: np.ndarray, raw: np.ndarray, name: str) -> None:
    """A person's answer must not depend on who else is in the table."""
    some = runtime.answer(x[:_ROWS_REORDERED][::-1])[::-1]
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
    within = bool((raw >= 0).all() and (raw <= 1).all())
    adds_up = raw.shape[1] == 1 or bool((np.abs(raw.sum(axis=1) - 1) <= _ROUNDING).all())
    return ("probabilities" if within and adds_up else "logits"), True
