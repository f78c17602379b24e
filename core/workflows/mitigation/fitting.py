"""A model of any method. Imports torch: import it in functions."""

from __future__ import annotations

from core.progress import OnProgress
from core.workflows.mitigation.adversarial import fit_adversarial
from core.workflows.mitigation.fair_dummies import fit_fair_dummies
from core.workflows.mitigation.hgr import fit_hgr
from core.workflows.mitigation.networks import Fitted
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.reductions import Lottery, fit_reductions
from core.workflows.mitigation.settings import AdversarialPenalty, Base, FairDummiesPenalty, HGRPenalty, Method
from core.workflows.mitigation.training import Training


def fit(
    rows: PreparedRows,
    baseline: Fitted,
    method: Method,
    strength: float,
    *,
    base: Base,
    seed: int,
    on_progress: OnProgress,
    what: str = "Fitting a fairer model",
) -> Fitted | Lottery:
    """Fit a model that trades accuracy for equalized odds, started at the baseline.

    Args:
        rows: Training rows.
        baseline: The model of the same kind that only wants to be right, fitted to these rows.
        method: How fairness is bought.
        strength: λ, from 0 to below 1.
        base: What is fitted; a network's weights decay.
        seed: Seed of every random choice.
        on_progress: Told how far it is; may raise to stop.
        what: What is fitted, for progress.

    Raises:
        AuditError: The training diverged.
        SettingsError: The method does not know outcomes of this kind.
        CancelledError: ``on_progress`` asked to stop.
    """
    decay = base.weight_decay if base.hidden else 0.0
    training = Training(rows, baseline, strength, decay, seed, on_progress, what)
    if isinstance(method, FairDummiesPenalty):
        return fit_fair_dummies(method, training)
    if isinstance(method, AdversarialPenalty):
        return fit_adversarial(method, training)
    if isinstance(method, HGRPenalty):
        return fit_hgr(method, training)
    return fit_reductions(method, training)
