"""A model of any method. Imports torch: import it in functions."""

from collections.abc import Callable
from typing import Any

from core.workflows.mitigation.adversarial import fit_adversarial
from core.workflows.mitigation.fair_dummies import fit_fair_dummies
from core.workflows.mitigation.graph import smoothed
from core.workflows.mitigation.hgr import fit_hgr
from core.workflows.mitigation.networks import Answering, Training
from core.workflows.mitigation.reductions import fit_reductions
from core.workflows.mitigation.settings import Method
from core.workflows.mitigation.similar import fit_projection, fit_sensr

_FITS: dict[str, Callable[[Any, Training], Answering]] = {
    "fair dummies": fit_fair_dummies,
    "adversarial": fit_adversarial,
    "HGR": fit_hgr,
    "reductions": fit_reductions,
    "projection": fit_projection,
    "SenSR": fit_sensr,
    "smoothing": smoothed,
}


def fit(method: Method, training: Training) -> Answering:
    """Fit a model that trades accuracy for fairness, started at the baseline.

    Raises:
        AuditError: The training diverged.
        SettingsError: The method does not know outcomes of this kind.
        CancelledError: ``on_progress`` asked to stop.
    """
    return _FITS[method.kind](method, training)
