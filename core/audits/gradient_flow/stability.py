"""Step sizes, and whether explicit steps of that size stay stable under the similarity penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.errors import Notice, SettingsError

if TYPE_CHECKING:
    from core.audits.gradient_flow.settings import GradientFlow

REFUSED, WARNED = 2.0, 1.5
_MANTISSAS = (1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9)


def step_sizes(audit: GradientFlow) -> np.ndarray:
    """The size of every step, shape (T,): constant, or falling as k^(-2/3) (App. E.3)."""
    if audit.schedule == "constant":
        return np.full(audit.steps, audit.step_size)
    return np.asarray(audit.step_size * np.arange(1, audit.steps + 1) ** (-2.0 / 3.0))


def recorded_steps(steps: int) -> np.ndarray:
    """Stopping times that are recorded: about thirteen to a factor of ten, always the same ones, and the last step."""
    grid = {round(10**power * mantissa) for power in range(5) for mantissa in _MANTISSAS if power or mantissa % 1 == 0}
    return np.array(sorted({step for step in grid if step < steps} | {steps}))


def kappa(audit: GradientFlow, largest_eigenvalue: float) -> float:
    """κ = 2 λ ε_max σ_max(Σ): an Euler step multiplies the stiffest penalised direction by 1 - κ."""
    return 2.0 * audit.regularisation * audit.step_size * largest_eigenvalue


def check_stability(audit: GradientFlow, largest_eigenvalue: float) -> tuple[Notice, ...]:
    """A warning when explicit steps are nearly unstable; nothing for the exponential integrators.

    Raises:
        SettingsError: κ >= 2, where the search swings ever wider and may look fair when it is not.
    """
    found = kappa(audit, largest_eigenvalue)
    if audit.integrator != "euler" or found <= WARNED:
        return ()
    largest = audit.step_size * REFUSED / found
    if found >= REFUSED:
        raise SettingsError(
            f"The search would be unstable: weight times step size gives κ = {found:.3g}, and Euler steps need less "
            f"than {REFUSED:g}.",
            where=f"λ = {audit.regularisation:g}, ε = {audit.step_size:g}",
            advice=f"Choose a step size of at most {0.5 * largest:.3g} (below {largest:.3g} is stable), or the "
            "integrator ETD1 or ETD2RK, which are stable at every step size.",
        )
    return (
        Notice(
            "warning",
            f"The search is close to unstable: κ = {found:.3g}, where 2 is the limit.",
            f"A step size of at most {0.5 * largest:.3g}, or the integrator ETD2RK, gives a more exact result.",
        ),
    )
