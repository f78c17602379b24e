"""What every method of mitigation is given. Imports torch: import it in functions."""

from dataclasses import dataclass

from core.base.progress import OnProgress, ignore_progress
from core.language.told import say
from core.workflows.mitigation.networks import Fitted
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import Base


@dataclass(frozen=True)
class Training:
    """A model to be fitted, whatever the method; each method is a function of its settings and a training.

    Attributes:
        rows: Training rows.
        baseline: The model of the same kind that only wants to be right, fitted to these rows; the training starts
            there.
        strength: λ, from 0 to below 1.
        base: What is fitted.
        seed: Seed of every random choice.
        on_progress: Told how far it is; may raise to stop.
        what: What is fitted, for progress.
    """

    rows: PreparedRows
    baseline: Fitted
    strength: float
    base: Base
    seed: int
    on_progress: OnProgress = ignore_progress
    what: str = say("Fitting a fairer model")

    @property
    def decay(self) -> float:
        """Weight decay; 0 for a linear model."""
        return self.base.weight_decay if self.base.hidden else 0.0
