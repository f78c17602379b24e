"""The table of fair metrics. A new one adds its file and its line here.

Imports tables and texts (:mod:`core.data`, :mod:`core.text`) and asks no model.
"""

from core.metrics.comparable_pairs import ComparablePairs
from core.metrics.expert import Expert
from core.metrics.protected_status import ProtectedStatus
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.metrics.text_swaps import TextSwaps

Metric = Expert | SensitiveSubspace | ComparablePairs | ProtectedStatus | TextSwaps

METRICS = {
    "expert": Expert,
    "sensitive_subspace": SensitiveSubspace,
    "comparable_pairs": ComparablePairs,
    "protected_status": ProtectedStatus,
    "text_swaps": TextSwaps,
}

__all__ = ["METRICS", "ComparablePairs", "Expert", "Metric", "ProtectedStatus", "SensitiveSubspace", "TextSwaps"]
