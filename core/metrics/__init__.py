"""The table of fair metrics. A new one adds its file and its line here.

Imports tables and texts (:mod:`core.data`, :mod:`core.text`) and asks no model.
"""

from typing import TYPE_CHECKING, Union

from core.contracts.metric import AbstractMetric
from core.metrics.comparable_pairs import ComparablePairs
from core.metrics.expert import Expert
from core.metrics.protected_status import ProtectedStatus
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.metrics.text_swaps import TextSwaps

METRICS: dict[str, type[AbstractMetric]] = {
    str(metric.model_fields["kind"].default): metric
    for metric in (TextSwaps, SensitiveSubspace, Expert, ProtectedStatus, ComparablePairs)
}
"""Every fair metric by its kind, in the order in which they are offered."""

if TYPE_CHECKING:
    Metric = AbstractMetric
else:
    Metric = Union[tuple(METRICS.values())]  # noqa: UP007


__all__ = ["METRICS", "ComparablePairs", "Expert", "Metric", "ProtectedStatus", "SensitiveSubspace", "TextSwaps"]
