"""The upward direction of the loss, for any differentiable module and, faster, for perceptrons.

Rows are columns here: a block of n rows is held as z, shape (d, n), coordinates in the eigenbasis V of the metric's
matrix, so that x = x_0 + V z and the penalty acts on each coordinate alone. Where the metric is no quadratic form V is
the identity, and the penalty's gradient is taken together with the loss's.
"""

import copy
from abc import ABC, abstractmethod

import numpy as np
import torch
from torch import nn

from core.base.errors import AuditError
from core.contracts.metric import FittedMetric
from core.language.told import say

PROCESSOR = torch.device("cpu")


class AbstractField(ABC):
    """What all row blocks share: the model, in the precision of the search and exactly.

    Args:
        module: Maps (n, d) to logits (n, k); copied, never touched.
        vectors: Eigenvectors of the metric's matrix as columns, (d, d), float64.
        dtype: Precision of the search.
        device: Where the search computes; answers are exact, and the processor's.
    """

    def __init__(
        self, module: nn.Module, vectors: np.ndarray, dtype: torch.dtype, device: torch.device = PROCESSOR
    ) -> None:
        self._exact = copy.deepcopy(module).eval().requires_grad_(False).double()
        self.vectors = torch.from_numpy(np.ascontiguousarray(vectors))
        self.dtype, self.device = dtype, device

    def answer(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Log-odds against the true class and whether another class is predicted, in float64; both (n,)."""
        with torch.no_grad():
            logits = self._exact(torch.from_numpy(np.ascontiguousarray(x, dtype=np.float64)))
            odds, wrong = against(logits.T, torch.from_numpy(np.ascontiguousarray(y)))
        return odds.numpy(), wrong.numpy()

    @abstractmethod
    def block(self, x: np.ndarray, y: np.ndarray) -> "AbstractBlock":
        """The rows x, (n, d), with true classes y, (n,), as a block."""


class AbstractBlock(ABC):
    """One block of rows during its search; not shared between threads."""

    @abstractmethod
    def evaluate(self, z: torch.Tensor) -> None:
        """Take the model's answers and the loss gradient at ``z``, (d, n)."""

    @abstractmethod
    def add_gradient(self, out: torch.Tensor, push: torch.Tensor) -> None:
        """Add the gradient last taken, in eigencoordinates and times ``push`` (d, 1), to ``out`` (d, n)."""

    @abstractmethod
    def answer(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-odds against the true class and wrongness, (n,), where the gradient was last taken."""

    def penalty(self, z: torch.Tensor, weights: torch.Tensor, scratch: torch.Tensor) -> np.ndarray:
        """λ d² at ``z``, (d, n), of a quadratic form whose coordinates weigh λ σ = ``weights``, (d,); shape (n,)."""
        return torch.mv(torch.mul(z, z, out=scratch).T, weights).cpu().numpy()


def uphill(logits: torch.Tensor, y: torch.Tensor, classes: int) -> torch.Tensor:
    """Gradient of the summed cross-entropy in the logits, softmax minus indicator, without cancellation.

    Args:
        logits: Logits with classes along dimension ``classes``.
        y: True classes, shaped like ``logits`` with one class.
        classes: 0 or 1.
    """
    if logits.shape[classes] == 2:
        sign = (1 - 2 * y).to(logits.dtype)
        push = sign * torch.sigmoid(sign * logits.diff(dim=classes))
        return torch.cat([-push, push], classes)
    share = logits.softmax(classes).scatter_(classes, y, 0.0)
    return share.scatter_(classes, y, -share.sum(classes, keepdim=True))


def against(logits: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Log of the sum over k != y of exp(z_k - z_y), and whether the first largest logit is not y's.

    The cross-entropy is softplus of these log-odds, which keeps every digit of a tiny loss.

    Args:
        logits: Shape (k, n).
        y: True classes, shape (n,).
    """
    true = logits.gather(0, y[None])
    others = (logits - true).scatter(0, y[None], -torch.inf)
    return others.logsumexp(0), logits.argmax(0) != y


class AutogradField(AbstractField):
    """Any differentiable module."""

    def __init__(
        self, module: nn.Module, vectors: np.ndarray, dtype: torch.dtype, device: torch.device = PROCESSOR
    ) -> None:
        super().__init__(module, vectors, dtype, device)
        self.module = copy.deepcopy(module).eval().requires_grad_(False).to(device, dtype)
        self.basis = self.vectors.to(device, dtype)

    def block(self, x: np.ndarray, y: np.ndarray) -> AbstractBlock:
        """See the base class."""
        return _AutogradBlock(self, x, y)


class _AutogradBlock(AbstractBlock):
    def __init__(self, field: AutogradField, x: np.ndarray, y: np.ndarray) -> None:
        self._field = field
        self._start = torch.from_numpy(np.ascontiguousarray(x)).to(field.dtype).to(field.device)
        self._y = torch.from_numpy(np.ascontiguousarray(y)).to(field.device)
        self._logits = self._gradient = torch.empty(0)

    def evaluate(self, z: torch.Tensor) -> None:
        x = torch.addmm(self._start, z.T, self._field.basis.T).requires_grad_()
        with torch.enable_grad():
            logits = self._field.module(x)
        if not logits.requires_grad:
            raise AuditError(
                say("The model's answers do not depend on its inputs in a differentiable way."),
                advice=say("Bring the model in a format whose layers have gradients."),
            )
        self._logits = logits.detach()
        (self._gradient,) = torch.autograd.grad(logits, x, uphill(self._logits, self._y[:, None], 1))

    def add_gradient(self, out: torch.Tensor, push: torch.Tensor) -> None:
        out.addmm_(self._field.basis.T * push, self._gradient.T)

    def answer(self) -> tuple[torch.Tensor, torch.Tensor]:
        return against(self._logits.T, self._y)


class CostField(AutogradField):
    """Any differentiable module under a metric that is no quadratic form: the gradient is that of loss and penalty.

    The metric computes on the processor, and so does the search.

    Args:
        module: As in the base class.
        metric: The metric, with its cost and its gradient.
        weight: λ.
        dtype: Precision of the search; the cost is taken in float64.
    """

    def __init__(self, module: nn.Module, metric: FittedMetric, weight: float, dtype: torch.dtype) -> None:
        super().__init__(module, np.eye(len(metric.columns)), dtype)
        self.metric, self.weight = metric, weight

    def block(self, x: np.ndarray, y: np.ndarray) -> AbstractBlock:
        """See the base class."""
        return _CostBlock(self, x, y)


class _CostBlock(_AutogradBlock):
    def __init__(self, field: CostField, x: np.ndarray, y: np.ndarray) -> None:
        super().__init__(field, x, y)
        self._metric, self._weight, self._from = field.metric, field.weight, x

    def evaluate(self, z: torch.Tensor) -> None:
        super().evaluate(z)
        slope = self._metric.gradient(self._at(z), self._from)
        self._gradient = self._gradient - torch.from_numpy(self._weight * slope).to(self._gradient.dtype)

    def penalty(self, z: torch.Tensor, weights: torch.Tensor, scratch: torch.Tensor) -> np.ndarray:
        return self._weight * self._metric.squared_distance(self._at(z), self._from)

    def _at(self, z: torch.Tensor) -> np.ndarray:
        moved: np.ndarray = self._from + z.T.double().numpy()
        return moved
