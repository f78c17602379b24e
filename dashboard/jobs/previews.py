"""What the pages show before an audit, as a child process hands it over."""

import math
from dataclasses import dataclass

import pandas as pd

from core.audits import KINDS, AuditSettings
from core.contracts.metric import FittedMetric
from core.data.encoder import Encoder
from core.metrics.portrait import SimilarPairs
from core.models.endpoint.settings import EndpointSettings
from core.models.inspection import ModelReport
from core.models.meanings import ProposedMeaning


@dataclass(frozen=True)
class ModelPreview:
    """How a model reads and answers a table, and what it is good for.

    Attributes:
        report: The inspection.
        unsuited: Kind of each test that cannot be run with it, and the reason.
        held_back: Kind of each test that can be run and is not proposed, and the reason.
        answers_only_here: Why it cannot be asked about people who are not in the table; empty when it can.
        begun: Kind of each test, and the settings with which it begins, as JSON.
        proposed: Kinds of the tests that are ticked until somebody chooses.
        unready: Kind of each test that can be run only after something else was chosen, and the reason.
        source: How the table is read for the categories that the model knows, as JSON.
    """

    report: ModelReport
    unsuited: tuple[tuple[str, str], ...]
    held_back: tuple[tuple[str, str], ...]
    answers_only_here: str
    begun: tuple[tuple[str, str], ...]
    proposed: tuple[str, ...]
    unready: tuple[tuple[str, str], ...]
    source: str

    @property
    def settings(self) -> tuple[AuditSettings, ...]:
        """The settings with which the tests begin."""
        return tuple(KINDS[kind].settings.model_validate_json(text) for kind, text in self.begun)


@dataclass(frozen=True)
class MeaningsPreview:
    """What the labels of a column probably mean; empty where they are outcomes."""

    proposed: tuple[ProposedMeaning, ...]


@dataclass(frozen=True)
class EndpointTrial:
    """A model behind an address asked about a few rows.

    Attributes:
        examples: The rows as they were sent, with the answers as they came and as they are read; the index is the
            record number (1-based).
        seconds: How long the answers about all but the first of these rows took, in one request.
        rows: Rows of the whole table.
    """

    examples: pd.DataFrame
    seconds: float
    rows: int

    def seconds_for_all(self, endpoint: EndpointSettings) -> tuple[float, float]:
        """The least and the most that asking about every row may take: as long a request, or as long a row."""
        requests = math.ceil(self.rows / endpoint.batch_rows)
        pace = max(self.seconds, 1 / endpoint.requests_per_second)
        return requests * pace, max(requests * pace, self.seconds * self.rows / (len(self.examples) - 1))


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
