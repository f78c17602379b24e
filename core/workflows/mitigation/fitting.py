"""A model of any method. Imports torch: import it in functions."""

from core.workflows.mitigation.adversarial import fit_adversarial
from core.workflows.mitigation.fair_dummies import fit_fair_dummies
from core.workflows.mitigation.hgr import fit_hgr
from core.workflows.mitigation.networks import Fitted, Training
from core.workflows.mitigation.reductions import Lottery, fit_reductions
from core.workflows.mitigation.settings import AdversarialPenalty, FairDummiesPenalty, HGRPenalty, Method


def fit(method: Method, training: Training) -> Fitted | Lottery:
    """Fit a model that trades accuracy for equalized odds, started at the baseline.

    Raises:
        AuditError: The training diverged.
        SettingsError: The method does not know outcomes of this kind.
        CancelledError: ``on_progress`` asked to stop.
    """
    if isinstance(method, FairDummiesPenalty):
        return fit_fair_dummies(method, training)
    if isinstance(method, AdversarialPenalty):
        return fit_adversarial(method, training)
    if isinstance(method, HGRPenalty):
        return fit_hgr(method, training)
    return fit_reductions(method, training)
