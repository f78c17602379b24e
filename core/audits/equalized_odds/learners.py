"""What looks for differences: r̂, a model of the answer given outcome and group (papers/fair-dummies.md, section 3)."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from core.audits.equalized_odds.settings import Learner
from core.language.told import say

Predict = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From columns of the attribute, shape (m, c), and of what is given, (m, d), to predictions, shape (m,)."""

_TREES = 100
_UNITS = (64,)
_ROWS_AT_ONCE = 100_000


def learn(learner: Learner, attribute: np.ndarray, given: np.ndarray, target: np.ndarray, seed: int) -> Predict:
    """Learn r̂ from m rows; the same rows and seed give the same r̂, in whatever units the target is.

    A forest takes squares below 2e-16 for none, so it learns the target in units of its spread: the nearest power of
    two, which rounds nothing.

    Args:
        learner: A name of the table below.
        attribute: What is known of the protected attribute, shape (m, c).
        given: What is known of the outcome (of the answer, for calibration), shape (m, d); d may be 0.
        target: What is to be predicted, shape (m,).
        seed: Fixes what the learner draws.
    """
    estimator, inputs = _LEARNERS[learner](len(target), seed)
    spread = float(target.std())
    unit = 2.0 ** round(math.log2(spread)) if spread > 0 else 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=UserWarning)
        estimator.fit(inputs(attribute, given), target / unit)

    def predict(attribute: np.ndarray, given: np.ndarray) -> np.ndarray:
        parts = [
            estimator.predict(inputs(attribute[start : start + _ROWS_AT_ONCE], given[start : start + _ROWS_AT_ONCE]))
            for start in range(0, len(given), _ROWS_AT_ONCE)
        ]
        return np.concatenate(parts).astype(np.float64) * unit

    return predict


def _side_by_side(attribute: np.ndarray, given: np.ndarray) -> np.ndarray:
    return np.column_stack([attribute, given])


def _with_products(attribute: np.ndarray, given: np.ndarray) -> np.ndarray:
    products = attribute[:, :, None] * given[:, None, :]
    return np.column_stack([attribute, given, products.reshape(len(given), -1)])


def _forest(rows: int, seed: int) -> tuple[Any, Callable[[np.ndarray, np.ndarray], np.ndarray]]:
    from sklearn.ensemble import RandomForestRegressor

    leaf = max(5, rows // 50)
    return RandomForestRegressor(_TREES, min_samples_leaf=leaf, random_state=seed, n_jobs=1), _side_by_side


def _linear(rows: int, seed: int) -> tuple[Any, Callable[[np.ndarray, np.ndarray], np.ndarray]]:
    from sklearn.linear_model import Ridge

    return Ridge(alpha=1.0), _with_products


def _network(rows: int, seed: int) -> tuple[Any, Callable[[np.ndarray, np.ndarray], np.ndarray]]:
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.neural_network import MLPRegressor
    from sklearn.preprocessing import StandardScaler

    network = MLPRegressor(
        hidden_layer_sizes=_UNITS, alpha=0.01, learning_rate_init=0.01, max_iter=100, random_state=seed
    )
    return TransformedTargetRegressor(network, transformer=StandardScaler()), _side_by_side


_LEARNERS: dict[str, Callable[[int, int], tuple[Any, Callable[[np.ndarray, np.ndarray], np.ndarray]]]] = {
    "forest": _forest,
    "linear": _linear,
    "network": _network,
}

NAMES: dict[Learner, str] = {
    "forest": say("random forest of {trees} trees", trees=_TREES),
    "linear": say("linear model in which every group has its own slope"),
    "network": say("network of two layers, 64 units wide"),
}
"""What each of them is, in words."""
