"""Estimators rebuilt from a file: fresh ones of scikit-learn's own, given the few checked arrays that define them.

Compiled code trusts what an estimator holds. So nothing that a file says gets there but arrays whose shape, type, range
and finiteness were checked against each other here, and private attributes are worked out anew, never read.
"""

from collections.abc import Callable
from typing import Any

from core.language.told import say
from core.models.formats.skops.document import ADVICE, Node
from core.models.formats.skops.rebuild import (
    baselines,
    boosting,
    composed,
    encoders,
    forests,
    linear,
    perceptrons,
    scalers,
)
from core.models.formats.skops.saved import Saved

_FAMILIES = (linear, perceptrons, forests, boosting, baselines, scalers, encoders, composed)

ESTIMATORS: dict[str, tuple[type, Callable[[Any, Saved], None]]] = {
    f"{kind.__module__}.{kind.__qualname__}": (kind, fit)
    for family in _FAMILIES
    for kind, fit in family.REBUILDERS.items()
}
"""Every estimator that is rebuilt by the path of its type: the type, and what gives a fresh one its fitted state."""


def rebuild(node: Any, where: str) -> Any:
    """The estimator that ``node`` describes.

    Args:
        node: What the file says.
        where: The file and the place in it, for sentences.

    Raises:
        ModelError: It is none that is rebuilt, was not fitted, or its parts do not fit together.
    """
    saved = Saved(node if isinstance(node, Node) else Node(type(node).__name__), where, rebuild)
    if saved.node.type not in ESTIMATORS:
        raise saved.refused(
            say(
                "The file holds a {kind}, which is no fitted classifier or regression model or a step of one.",
                kind=saved.kind,
            ),
            ADVICE,
        )
    kind, fit = ESTIMATORS[saved.node.type]
    estimator = saved.fresh(kind)
    fit(estimator, saved)
    return estimator
