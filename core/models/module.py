"""Any differentiable torch module as a model that can be audited."""

from __future__ import annotations

import copy
import hashlib
from typing import TYPE_CHECKING

import numpy as np

from core.base.errors import ModelError
from core.contracts.model import AbstractModel, Origin
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder
from core.language.told import say
from core.models.checked import NUMBERS_HAVE_NO_GRADIENTS, ROWS_AT_ONCE, require_width

if TYPE_CHECKING:
    import torch


IN_MEMORY = Origin(say("PyTorch module"))
"""A module that no file was read for."""


class ModuleModel(AbstractModel):
    """A torch module with the encoder it reads through.

    Args:
        module: Maps (n, d) to logits (n, k), up to a constant per row, or to one logit (n, 1) of the second class; or,
            without classes, to the number in the outcome's units, (n, 1). A frozen copy in eval mode is kept; the
            caller's module is not touched.
        encoder: How the table becomes the module's input; d = ``encoder.width``.
        classes: The outcome each output stands for, length k >= 2; none for a module that gives a number.
        name: What people call the model.
        origin: Where it comes from; a fingerprint is computed from the parameters where there is none.
        preprocessing: How the table becomes what its file reads, where that is not ``encoder``.

    Raises:
        ModelError: The module fails on a row of width d, or does not give one logit per class or one number a row.
    """

    def __init__(
        self,
        module: torch.nn.Module,
        encoder: Encoder,
        classes: tuple[str, ...],
        name: str,
        *,
        origin: Origin = IN_MEMORY,
        preprocessing: Encoder | None = None,
    ) -> None:
        self.name = name
        self.kind = origin.kind
        self.encoder = encoder
        self.classes = classes
        self.caveats = origin.caveats
        self.gives = "logits" if classes else "numbers"
        self.no_gradients = "" if classes else NUMBERS_HAVE_NO_GRADIENTS
        self._module = frozen_copy(module, encoder, len(classes), name)
        self._preprocessing = preprocessing or encoder
        self.fingerprint = origin.fingerprint or _fingerprint(self._module, encoder, classes)

    @property
    def preprocessing(self) -> Encoder:
        """See the base class."""
        return self._preprocessing

    def module(self) -> torch.nn.Module:
        """The frozen module; callers convert a copy.

        Raises:
            ModelError: It gives a number, which has no logits.
        """
        return self._module if self.classes else super().module()

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """Softmax of the logits, shape (n, k), or the numbers, shape (n, 1); in float64 and in blocks of rows."""
        require_width(data.x.shape[1], self.encoder, self.name)
        if not self.classes:
            return outputs(self._module, data.x, 1)
        return probabilities(self._module, data.x, len(self.classes))


def probabilities(module: torch.nn.Module, x: np.ndarray, k: int) -> np.ndarray:
    """Softmax of a module's logits for the rows of ``x``, shape (n, d), in float64 and in blocks; returns (n, k)."""
    import torch

    return torch.from_numpy(outputs(module, x, k)).softmax(dim=1).numpy()


def outputs(module: torch.nn.Module, x: np.ndarray, k: int) -> np.ndarray:
    """What a module gives for the rows of ``x``, shape (n, d), in float64 and in blocks; returns (n, k)."""
    import torch

    exact = copy.deepcopy(module).double()
    answers = np.empty((len(x), k))
    with torch.no_grad():
        for start in range(0, len(x), ROWS_AT_ONCE):
            block = torch.from_numpy(np.ascontiguousarray(x[start : start + ROWS_AT_ONCE], dtype=np.float64))
            answers[start : start + ROWS_AT_ONCE] = exact(block).numpy()
    return answers


def frozen_copy(module: torch.nn.Module, encoder: Encoder, k: int, name: str) -> torch.nn.Module:
    """A copy in eval mode with frozen parameters, checked to give k logits a row, one logit z becoming [0, z].

    For k = 0 it is checked to give one number a row.

    Raises:
        ModelError: The module fails on a row of the encoder's width, or does not give what is needed.
    """
    from core.models.layers import two_logits

    kept, shape = _tried(module, encoder, name)
    if k == 0:
        if shape == (2, 1):
            return kept
        raise ModelError(
            say(
                "The network answers two rows with shape {shape}, where (2, 1) is needed: one number a row.",
                shape=shape,
            ),
            where=name,
            advice=say("Bring a network whose last layer has one output."),
        )
    if shape == (2, 1) and k == 2:
        return two_logits(kept).eval()
    if shape != (2, k):
        raise ModelError(
            say(
                "The network answers two rows with shape {shape}, where (2, {k}) is needed: one logit per class.",
                shape=shape,
                k=k,
            ),
            where=name,
            advice=say("Declare as many classes as the network has outputs."),
        )
    return kept


def _tried(module: torch.nn.Module, encoder: Encoder, name: str) -> tuple[torch.nn.Module, tuple[int, ...]]:
    """A frozen copy in eval mode, and the shape of its answer for two rows."""
    import torch

    kept = copy.deepcopy(module).eval().requires_grad_(False)
    dtype = next((parameter.dtype for parameter in kept.parameters()), torch.float32)
    try:
        with torch.no_grad():
            return kept, tuple(kept(torch.zeros(2, encoder.width, dtype=dtype)).shape)
    except (RuntimeError, ValueError, TypeError) as error:
        raise ModelError(
            say("The network cannot read rows of {width} numbers.", width=encoder.width),
            where=name,
            advice=say("Check that the first layer's width is the number of prepared columns."),
        ) from error


def _fingerprint(module: torch.nn.Module, encoder: Encoder, classes: tuple[str, ...]) -> str:
    digest = hashlib.sha256(f"{module}{encoder.fingerprint}{classes}".encode())
    for key, value in module.state_dict().items():
        digest.update(key.encode())
        digest.update(value.detach().cpu().double().numpy().tobytes())
    return digest.hexdigest()
