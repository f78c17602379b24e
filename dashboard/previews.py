"""What the pages show before an audit, as a child process hands it over."""

from dataclasses import dataclass

from core.encoder import Encoder
from core.metric import FittedMetric
from core.metrics.portrait import SimilarPairs


@dataclass(frozen=True)
class MetricPreview:
    """A fair metric as the audit will use it.

    Attributes:
        metric: The fitted metric.
        encoder: The way from its space back to the table's columns.
        pairs: Real people whom it calls nearly the same.
        audited: Rows left to audit.
    """

    metric: FittedMetric
    encoder: Encoder
    pairs: SimilarPairs
    audited: int
