"""A model that lives in this process: a fitted scikit-learn estimator, a torch module, or any function that answers.

It is the caller's own, so it stands behind no wall, and it is not changed. A record keeps its name and the fingerprint
of its answers, and is repeated by the same call.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import PrivateAttr

from core.base.errors import ModelError
from core.base.files import FileStore
from core.base.settings import setting
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.language.options import where_chosen
from core.language.told import say
from core.models.checked import (
    class_order,
    model_fingerprint,
    require_number,
    wants_number,
)
from core.models.function import FunctionModel, names_read
from core.models.module import IN_MEMORY, ModuleModel, outputs
from core.models.prepared import PreparedSource, prepared_for

if TYPE_CHECKING:
    import torch

_SUMS_TO_ONE = 1e-5
_FEWEST = 10
"""Rows from which numbers that all lie between 0 and 1 are taken to be no log-odds."""


class ObjectInMemory(PreparedSource):
    """A model that is an object of this process; see :mod:`core.models.in_memory`."""

    kind: Literal["object"] = "object"
    only_here: ClassVar[bool] = True
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
    def is_network(self) -> bool:
        """Whether it is a torch module, which reads what the table was prepared to be."""
        return _is_of(self._held, "torch") and hasattr(self._held, "state_dict")

    @property
    def names_read(self) -> tuple[str, ...]:
        """The columns that it says it reads, as scikit-learn's estimators do; empty where it does not say."""
        return names_read(self._held)

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
        if self.is_network:
            return _module_model(self, held, dataset)
        if _is_of(held, "sklearn") and not dataset.roles.text:
            from core.models.formats.skops.in_process import InProcess
            from core.models.formats.skops.inside import reads_texts
            from core.models.formats.skops.source import fit_to_table

            if reads_texts(held):
                raise ModelError(
                    say("This model reads texts, and no column of the table is chosen as the text."),
                    where=self.name,
                    advice=say("Choose the text column {where}.", where=where_chosen("text")),
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
    prepared, caveats = prepared_for(source.encoder, source.numbers, dataset, width, source.name)
    network = prepared.in_front_of(module)
    rows = prepared.encoder.transform(dataset.frame)
    given = _tried(network, rows, source.name)
    classes: tuple[str, ...] = ()
    if wants_number(dataset):
        require_number(source.classes, dataset, source.name, outputs=given.shape[1])
    else:
        _require_logits(given, source.name)
        classes, assumed = class_order(source.classes, (), dataset, max(given.shape[1], 2), source.name)
        caveats = (*caveats, *assumed)
    return ModuleModel(
        network,
        prepared.encoder,
        classes,
        source.name,
        origin=replace(IN_MEMORY, fingerprint=model_fingerprint(source, prepared.reads), caveats=caveats),
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
    return FunctionModel(source, held, answer, dataset, dtypes=source._dtypes)
