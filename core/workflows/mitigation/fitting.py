"""A model of any method. Imports torch: import it in functions."""

from collections.abc import Callable
from typing import Any

import numpy as np

from core.workflows.mitigation.adversarial import fit_adversarial
from core.workflows.mitigation.fair_dummies import fit_fair_dummies
from core.workflows.mitigation.graph import smoothed
from core.workflows.mitigation.hgr import fit_hgr
from core.workflows.mitigation.networks import Answering, Training
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.reductions import fit_reductions
from core.workflows.mitigation.reweighing import fit_reweighed
from core.workflows.mitigation.settings import Method
from core.workflows.mitigation.similar import fit_projection, fit_sensr
from core.workflows.mitigation.thresholds import GroupThresholds, fit_thresholds

_FITS: dict[str, Callable[[Any, Training], Answering | GroupThresholds]] = {
    "fair dummies": fit_fair_dummies,
    "adversarial": fit_adversarial,
    "HGR": fit_hgr,
    "reductions": fit_reductions,
    "reweighing": fit_reweighed,
    "thresholds": fit_thresholds,
    "projection": fit_projection,
    "SenSR": fit_sensr,
    "smoothing": smoothed,
}


def fit(method: Method, training: Training) -> Answering | GroupThresholds:
    """Fit a model that trades accuracy for fairness, started at the baseline.

    Raises:
        AuditError: The training diverged.
        SettingsError: The method does not know outcomes of this kind.
        CancelledError: ``on_progress`` asked to stop.
    """
    return _FITS[method.kind](method, training)


def answers_about(model: Answering | GroupThresholds, rows: PreparedRows) -> np.ndarray:
    """A model's class probabilities, shape (n, k), or numbers, shape (n,), for rows whose groups it may read."""
    if isinstance(model, GroupThresholds):
        return model.answers_by_group(rows.x, rows.codes)
    return model.answers(rows.x)
