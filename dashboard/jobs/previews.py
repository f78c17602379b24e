"""What the pages show before an audit, as a child process hands it over."""

from dataclasses import dataclass

from core.data.encoder import Encoder
from core.metric import FittedMetric
from core.metrics.portrait import SimilarPairs
from core.models.inspection import ModelReport


@dataclass(frozen=True)
class ModelPreview:
    """How a model reads and answers a table, and what it is good for.

    Attributes:
        report: The inspection.
        unsuited: Kind of each test that cannot be run with it, and the reason.
        answers_only_here: Why it cannot be asked about people who are not in the table; empty when it can.
    """

    report: ModelReport
    unsuited: tuple[tuple[str, str], ...]
    answers_only_here: str


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
