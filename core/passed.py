"""Rows beyond those in memory, gone through in blocks: what is counted of them on the way."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from core.base.errors import located
from core.contracts.model import AbstractModel
from core.contracts.source import AbstractRemaining
from core.data.dataset import Dataset, EncodedDataset
from core.models.inspection import count_answers
from core.result import ModelSummary


@dataclass
class Passed:
    """What is counted while rows beyond those in memory are gone through.

    Attributes:
        model: The model.
        like: The rows in memory.
        remaining: The others.
    """

    model: AbstractModel
    like: Dataset
    remaining: AbstractRemaining
    read: int = 0
    left_out: int = 0
    gaps: Counter[str] = field(default_factory=Counter)
    confusion: np.ndarray | int = 0
    first: np.ndarray | None = None
    constant: bool = True

    def blocks(self) -> Iterator[tuple[str, int, EncodedDataset]]:
        """See :class:`core.contracts.audit.Beyond`."""
        for block in self.remaining.blocks(self.like.roles.columns):
            with located(block.where):
                dataset = self.like.like(block.frame)
                self.read += block.read
                self.left_out += block.read - len(dataset)
                self.gaps.update(dict(block.gaps))
                if not len(dataset):
                    continue
                data = self.model.encode(dataset)
                answers = self.model.checked_answers(data)
                self.confusion = self.confusion + count_answers(data.y, answers)
                self.first = answers[:1] if self.first is None else self.first
                self.constant &= bool((answers == self.first).all())
            yield block.where, self.read, data

    def all_rows(self) -> Dataset:
        """The rows in memory, with those that were read and left out of all; by whom is known of those in memory."""
        gaps = Counter(dict(self.like.gaps)) + self.gaps
        return replace(
            self.like,
            rows_read=self.like.rows_read + self.read,
            rows_left_out=self.like.rows_left_out + self.left_out,
            gaps=tuple((name, gaps[name]) for name in self.like.roles.columns if gaps[name]),
        )

    def all_answers(self, summary: ModelSummary, answers: np.ndarray) -> ModelSummary:
        """What the model answered all rows, from what it answered those in memory."""
        constant = (
            summary.constant and self.constant and (self.first is None or np.array_equal(answers[:1], self.first))
        )
        return replace(summary, confusion=summary.confusion + self.confusion, constant=constant)
