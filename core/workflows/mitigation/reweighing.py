"""Reweighing (Kamiran and Calders 2012). Imports torch: import it in functions."""

from dataclasses import replace

import numpy as np

from core.base.errors import SettingsError
from core.language.told import say
from core.workflows.mitigation.baseline import fit_baseline
from core.workflows.mitigation.networks import Fitted, Training
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import Reweighing


def fit_reweighed(method: Reweighing, training: Training) -> Fitted:
    """The baseline's own training with people weighted so that outcome and group are as good as independent.

    Raises:
        SettingsError: The outcome is a number.
        AuditError: A network's training diverged.
        CancelledError: ``on_progress`` asked to stop.
    """
    rows = training.rows
    if not rows.classes:
        raise SettingsError(
            say("Reweighing counts people of each group and outcome, and the outcome is a number."),
            where=say("method"),
            advice=say("Choose fair dummies, or another method."),
        )
    weighted = replace(rows, weights=weights_of(rows, training.strength))
    return fit_baseline(weighted, training.base, training.seed, training.on_progress, training.what)


def weights_of(rows: PreparedRows, strength: float) -> np.ndarray:
    """1 - λ + λ P(a) P(y) / P(a, y) of each person, shape (n,), with shares among these rows; their mean is 1."""
    together = np.zeros((rows.groups, rows.classes))
    np.add.at(together, (rows.codes, rows.y), 1.0)
    expected = np.outer(together.sum(axis=1), together.sum(axis=0)) / len(rows)
    ratio = np.divide(expected, together, out=np.ones_like(expected), where=together > 0)
    return np.asarray(1 - strength + strength * ratio[rows.codes, rows.y])
