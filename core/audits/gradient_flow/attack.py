"""The search itself: gradient flow of the penalised loss (eq. 2.6), by Euler or exponential time differencing.

In eigencoordinates the flow is z' = -2 λ σ z + g(z), one linear decay a coordinate. Euler steps (eq. 2.8) and ETD1
have the same form, z <- keep z + push g, with keep = 1 - 2 λ σ ε and push = ε for Euler, and the exact decay for ETD1;
ETD2RK adds one correction (Cox and Matthews 2002, eq. 22-23).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from core.audits.gradient_flow.fields import AbstractField

Integrator = Literal["euler", "etd1", "etd2rk"]


@dataclass(frozen=True)
class Flow:
    """What decides a search besides the model.

    Attributes:
        decay: 2 λ σ of each eigencoordinate, shape (d,); 0 where the penalty is part of the gradient.
        step_sizes: Size of every step, shape (T,).
        integrator: How a step is taken.
        recorded: Numbers of steps after which the state is recorded, ascending; the last is T.
    """

    decay: np.ndarray
    step_sizes: np.ndarray
    integrator: Integrator
    recorded: np.ndarray


@dataclass(frozen=True)
class Trace:
    """One block's search; n rows, m recorded stopping times.

    Attributes:
        odds: Log-odds against the true class before each recorded step but the last, shape (m - 1, n), float64.
        wrong: Whether another class is predicted there, shape (m - 1, n).
        penalty: λ d² there and at the end, shape (m, n), float64.
        z: End points in eigencoordinates, shape (d, n), in the precision of the search.
    """

    odds: np.ndarray
    wrong: np.ndarray
    penalty: np.ndarray
    z: torch.Tensor

    def part(self, start: int, end: int) -> "Trace":
        """The rows from start to end."""
        of = slice(start, end)
        return Trace(self.odds[:, of], self.wrong[:, of], self.penalty[:, of], self.z[:, of])


def search(
    field: AbstractField,
    x: np.ndarray,
    y: np.ndarray,
    flow: Flow,
    on_step: Callable[[int], None] = lambda step: None,
    *,
    states: list[torch.Tensor] | None = None,
) -> Trace:
    """Follow the flow from z = 0 through all steps.

    Args:
        field: The gradient, in the precision of the search, and where it computes; what is found lies in the
            processor's memory.
        x: The rows, encoded, shape (n, d).
        y: Their true classes, shape (n,).
        flow: Decay and steps.
        on_step: Told the number of steps taken, after each; may raise to stop.
        states: Gets the eigencoordinates, shape (d, n), at every recorded stopping time.
    """
    block, dtype, device, m, rows = field.block(x, y), field.dtype, field.device, len(flow.recorded), len(y)
    odds, wrong = np.empty((m - 1, rows)), np.empty((m - 1, rows), dtype=bool)
    penalty = np.empty((m, rows))
    half_decay = torch.from_numpy(0.5 * flow.decay).to(dtype).to(device)
    z = torch.zeros(len(flow.decay), rows, dtype=dtype, device=device)
    scratch = torch.empty_like(z)
    row, size = 0, -1.0
    with torch.no_grad():
        for step, wanted in enumerate(flow.step_sizes):
            block.evaluate(z)
            if row < m - 1 and flow.recorded[row] == step:
                at_odds, at_wrong = block.answer()
                odds[row], wrong[row] = at_odds.cpu().numpy(), at_wrong.cpu().numpy()
                penalty[row] = block.penalty(z, half_decay, scratch)
                row += 1
                if states is not None:
                    states.append(z.to("cpu", copy=True))
            if wanted != size:
                size = float(wanted)
                keep, push, correct = (one.to(device) for one in coefficients(flow, size, dtype))
            z.mul_(keep)
            block.add_gradient(z, push)
            if flow.integrator == "etd2rk":
                ahead = scratch.copy_(z)
                block.add_gradient(z, -correct)
                block.evaluate(ahead)
                block.add_gradient(z, correct)
            on_step(step + 1)
        penalty[m - 1] = block.penalty(z, half_decay, scratch)
    z = z.cpu()
    if states is not None:
        states.append(z)
    return Trace(odds, wrong, penalty, z)


def coefficients(flow: Flow, size: float, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """keep, push and correct of one step, each (d, 1).

    With w = -decay ε: Euler 1 + w, ε; ETD e^w, ε φ1(w) = ε (e^w - 1) / w; correct ε φ2(w) = ε (e^w - 1 - w) / w².
    """
    w = -flow.decay * size
    if flow.integrator == "euler":
        keep, push = 1.0 + w, np.full_like(w, size)
    else:
        keep, push = np.exp(w), size * _phi1(w)
    correct = size * _phi2(w)
    as_column = [torch.from_numpy(values[:, None]).to(dtype) for values in (keep, push, correct)]
    return as_column[0], as_column[1], as_column[2]


def _phi1(w: np.ndarray) -> np.ndarray:
    safe = np.where(w == 0, 1.0, w)
    return np.where(w == 0, 1.0, np.expm1(safe) / safe)


def _phi2(w: np.ndarray) -> np.ndarray:
    """(e^w - 1 - w) / w², by its series near zero where the difference would lose every digit."""
    safe = np.where(np.abs(w) < 0.01, 1.0, w)
    series = 0.5 + w / 6 + w**2 / 24 + w**3 / 120 + w**4 / 720
    return np.where(np.abs(w) < 0.01, series, (np.expm1(safe) - safe) / safe**2)
