"""A model of any method. Imports torch: import it in functions."""

from __future__ import annotations

from core.progress import OnProgress
from core.workflows.mitigation.adversarial import fit_adversarial
from core.workflows.mitigation.fair_dummies import fit_fair_dummies
from core.workflows.mitigation.hgr import fit_hgr
from core.workflows.mitigation.networks import Fitted
from core.workflows.mitigation.reductions import Lottery, fit_reductions
from core.workflows.mitigation.rows import Rows
from core.workflows.mitigation.settings import AdversarialPenalty, Base, FairDummiesPenalty, HGRPenalty, Method


def fit(
    rows: Rows,
    plain: Fitted,
    method: Method,
    strength: float,
    *,
    base: Base,
    seed: int,
    on_progress: OnProgress,
    what: str = "Fitting a fairer model",
) -> Fitted | Lottery:
    """Fit a model that trades accuracy for equalized odds, started at the plain one.

    Args:
        rows: Training rows.
        plain: The plain model of the same kind, fitted to these rows.
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
    if isinstance(method, FairDummiesPenalty):
        return fit_fair_dummies(
            rows, plain, method, strength, decay=decay, seed=seed, on_progress=on_progress, what=what
        )
    if isinstance(method, AdversarialPenalty):
        return fit_adversarial(
            rows, plain, method, strength, decay=decay, seed=seed, on_progress=on_progress, what=what
        )
    if isinstance(method, HGRPenalty):
        return fit_hgr(rows, plain, method, strength, decay=decay, seed=seed, on_progress=on_progress, what=what)
    return fit_reductions(rows, plain, method, strength, on_progress=on_progress, what=what)
