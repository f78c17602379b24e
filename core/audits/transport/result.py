"""What a transport test keeps: the cells, and for each loss the sums and envelopes from which every answer follows."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.audits.transport.decision import Loss
from core.audits.transport.settings import CellColumn, Transport
from core.contracts.metric import FittedMetric
from core.inference.transport.constrained import Constrained
from core.inference.transport.envelope import Envelope
from core.inference.transport.sample import CellSample
from core.inference.transport.split_check import Split
from core.result import AuditResult


@dataclass(frozen=True)
class ChangedAttributes:
    """The protected attributes that were changed when the model was asked for the same people in every group.

    Attributes:
        read: Those the model reads.
        unread: Those it does not read: changing them cannot change an answer.
    """

    read: tuple[str, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True)
class Cells:
    """The strata: K combinations of the columns' values and the recorded outcome.

    Attributes:
        columns: The columns that tell people apart, as they were binned, protected attributes among them.
        frame: Value or bin of each column in each cell as people read it; K rows, columns named as above, in order.
        label: True outcome of each cell as an index into ``labels``; shape (K,), int.
        labels: The outcomes as text.
        group: Protected group of each cell, a combination of the protected attributes' values; shape (K,), int.
        groups: The combinations as people read them ("Black, Female").
        protected: Names of the protected attributes.
        people: Audited people in each cell; shape (K,), int.
        favourable: Share of each cell's people to whom the model gives the favourable outcome; shape (K,); for cells
            without people what the model answers, NaN where nobody asked it.
    """

    columns: tuple[CellColumn, ...]
    frame: pd.DataFrame
    label: np.ndarray
    labels: tuple[str, ...]
    group: np.ndarray
    groups: tuple[str, ...]
    protected: tuple[str, ...]
    people: np.ndarray
    favourable: np.ndarray

    def __len__(self) -> int:
        return len(self.label)

    @property
    def alone(self) -> float:
        """Share of the people who are the only one of their stratum."""
        return float((self.people == 1).sum() / self.people.sum())


@dataclass(frozen=True)
class LossPart:
    """One loss over the cells.

    Attributes:
        loss: Which.
        sample: People and their losses, summed per cell.
        envelope: The best moves out of every cell, from which the audit value follows for any people and budget.
        splits: Where losses differ within cells and no limits are set, random splits of the people with the envelopes
            of each half; empty elsewhere.
    """

    loss: Loss
    sample: CellSample
    envelope: Envelope
    splits: tuple[Split, ...]

    @property
    def mixed(self) -> float:
        """Share of the people in cells where losses differ, so that the cell's loss is an estimate."""
        return float(self.sample.people[self.sample.variances > 0].sum() / self.sample.n)

    @property
    def budget_matters(self) -> bool:
        """Whether a larger or smaller budget could change the value: not where every useful move is free."""
        return self.envelope.total_cost(self.sample.masses) > 0


@dataclass(frozen=True)
class TransportDetail:
    """What one transport test found; K cells.

    Attributes:
        cells: The strata.
        parts: One for each loss the model's answers allow, 0-1 first.
        unavailable: The other losses, each with the reason.
        proposed_budget: Budget of decision settings that sets none; see
        :func:`core.audits.transport.budget.proposed_budget`.
        comparable: Whether people of each cell may be compared with people of another protected group; (K,), bool.
        coarse: Whether the model reads more than the cells tell apart, so that people of one cell may differ.
        hides: The feature that best tells apart people of one cell whom the model treats differently; "" for none.
        asked: Set where the model was asked for the same people in every group and cells tell apart all it reads:
            everybody is compared with themselves, so that it does not matter how many share their stratum. None
            elsewhere.
        constrained: The linear programs, if the auditor set limits; None without limits.
        draws: Bootstrap draws.
        seed: Seed of every bootstrap draw.
    """

    cells: Cells
    parts: tuple[LossPart, ...]
    unavailable: tuple[tuple[Loss, str], ...]
    proposed_budget: float
    comparable: np.ndarray
    coarse: bool
    hides: str
    asked: ChangedAttributes | None
    constrained: Constrained | None
    draws: int
    seed: int

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses that can be read."""
        return tuple(part.loss for part in self.parts)

    @property
    def comparable_share(self) -> float:
        """Share of the people who may be compared with people of another protected group."""
        return float(self.cells.people[self.comparable].sum() / self.cells.people.sum())

    @property
    def alone(self) -> float:
        """Share of the people in strata of one person, or of one cluster; 0 where they are compared with themselves."""
        together = self.parts[0].sample.together
        if self.asked is not None or together is None:
            return 0.0 if self.asked is not None else self.cells.alone
        people = self.cells.people
        return float(people[together.in_cells(len(people)) == 1].sum() / people.sum())

    @property
    def independent(self) -> int:
        """How many of the audited are independent: clusters where rows belong together, else people."""
        return self.parts[0].sample.independent

    @property
    def by_distance(self) -> bool:
        """Whether some people may be compared with others at a cost: some cost lies between 0 and infinity."""
        return self.proposed_budget > 0


TransportResult = AuditResult[Transport, TransportDetail, FittedMetric | None]
"""A result of this test."""
