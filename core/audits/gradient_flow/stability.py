"""Step sizes, and whether explicit steps of that size stay stable under the similarity penalty."""

import numpy as np

from core.audits.gradient_flow.settings import GradientFlow
from core.base.errors import Caveat, SettingsError
from core.contracts.metric import FittedMetric
from core.language.phrases import listed
from core.language.told import localized, retold, say

REFUSED, WARNED = 2.0, 1.5
LARGEST_SWING = 2.0
_MANTISSAS = (1, 1.5, 2, 3, 4, 5, 7)


def step_sizes(audit: GradientFlow) -> np.ndarray:
    """The size of every step, shape (T,): constant, or falling as k^(-2/3) (App. E.3)."""
    if audit.schedule == "constant":
        return np.full(audit.steps, audit.step_size)
    return np.asarray(audit.step_size * np.arange(1, audit.steps + 1) ** (-2.0 / 3.0))


def recorded_steps(steps: int) -> np.ndarray:
    """Stopping times that are recorded: seven to a factor of ten, always the same ones, and the last step."""
    grid = {round(10**power * mantissa) for power in range(5) for mantissa in _MANTISSAS if power or mantissa % 1 == 0}
    return np.array(sorted({step for step in grid if step < steps} | {steps}))


def kappa(audit: GradientFlow, largest_eigenvalue: float) -> float:
    """κ = 2 λ ε_max σ_max(Σ): an Euler step multiplies the stiffest penalised direction by 1 - κ."""
    return float(2.0 * audit.regularisation * step_sizes(audit).max() * largest_eigenvalue)


def is_unstable(audit: GradientFlow, largest_eigenvalue: float) -> bool:
    """Whether Euler steps let a penalised direction swing ever wider.

    Constant steps do when κ >= 2. Decreasing ones may begin above 2 and still settle, as the paper's simulation does
    (κ = 4 at its first step, which starts where the penalty is zero, 2.5 at its second, below 2 from its third): they
    are unstable if the last step has κ >= 2, or if the steps before can more than double a swing.
    """
    steps = 2.0 * audit.regularisation * step_sizes(audit) * largest_eigenvalue
    growth = np.prod(np.maximum(np.abs(1.0 - steps[1:]), 1.0)) if steps[-1] < REFUSED else np.inf
    return bool(growth > LARGEST_SWING)


def taken_under(audit: GradientFlow, metric: FittedMetric) -> GradientFlow:
    """The settings with the steps that are taken: plain ones where no quadratic form allows exponential ones."""
    return audit if metric.quadratic else audit.model_copy(update={"integrator": "euler"})


def check_steps(audit: GradientFlow, metric: FittedMetric) -> tuple[Caveat, ...]:
    """A warning when the steps are nearly unstable under this metric.

    Raises:
        SettingsError: They are unstable, or the settings ask for what only a quadratic form allows.
    """
    if not metric.quadratic:
        asked = {
            say("to turn the metric"): bool(audit.rotations),
            say("to learn the metric again"): audit.metric.learns_from_rows and audit.metric_resamples > 0,
        }
        if refused := [name for name, wanted in asked.items() if wanted]:
            raise SettingsError(
                say(
                    "The metric “{metric}” is no quadratic form, and the settings ask for what needs one: {refused}.",
                    metric=retold(metric.name),
                    refused=listed(refused),
                ),
                where=say("settings of the search"),
                advice=say("Leave these settings out, or choose another metric."),
            )
    return check_stability(audit, metric.largest_eigenvalue, exponential=metric.quadratic)


def check_stability(audit: GradientFlow, largest_eigenvalue: float, *, exponential: bool = True) -> tuple[Caveat, ...]:
    """A warning when explicit steps are nearly unstable; nothing for the exponential integrators.

    Args:
        audit: The settings.
        largest_eigenvalue: σ_max(Σ).
        exponential: Whether exponential integrators could be chosen instead.

    Raises:
        SettingsError: The search would be unstable, and may then look fair when the model is not.
    """
    found = kappa(audit, largest_eigenvalue)
    if audit.integrator != "euler" or found <= WARNED:
        return ()
    largest = audit.step_size * REFUSED / found
    if is_unstable(audit, largest_eigenvalue):
        raise SettingsError(
            say(
                "The search would be unstable: weight times step size gives κ = {kappa}, and Euler steps need "
                "less than {refused}.",
                kappa=localized(f"{found:.3g}"),
                refused=localized(f"{REFUSED:g}"),
            ),
            where=f"λ = {audit.regularisation:g}, ε = {audit.step_size:g}",
            advice=say(
                "Choose a step size of at most {largest} (below {limit} is stable), or the integrator ETD1 or "
                "ETD2RK, which are stable at every step size.",
                largest=localized(f"{0.5 * largest:.3g}"),
                limit=localized(f"{largest:.3g}"),
            )
            if exponential
            else say(
                "Choose a step size of at most {largest} (below {limit} is stable).",
                largest=localized(f"{0.5 * largest:.3g}"),
                limit=localized(f"{largest:.3g}"),
            ),
        )
    return (
        Caveat(
            "warning",
            say(
                "The search is close to unstable: κ = {kappa} at its largest step, where 2 is the limit.",
                kappa=localized(f"{found:.3g}"),
            ),
            say(
                "A step size of at most {largest}, or the integrator ETD2RK, gives a more exact result.",
                largest=localized(f"{0.5 * largest:.3g}"),
            ),
        ),
    )
