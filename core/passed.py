"""Rows beyond those in memory, gone through in parts: what is counted of them on the way."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar

import numpy as np

from core.base.apart import processors
from core.base.arrays import arrays_from_text, arrays_to_text
from core.base.errors import located
from core.base.parts import in_parts
from core.base.progress import OnProgress, part_of
from core.contracts.audit import Beyond, BlockBeyond
from core.contracts.metric import FittedMetric
from core.contracts.model import AbstractModel
from core.contracts.source import AbstractRemaining
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.models.answered import AnsweredGroups
from core.models.inspection import count_answers
from core.result import ModelSummary

T = TypeVar("T")


@dataclass(frozen=True)
class Seen:
    """What is counted of rows beyond those in memory.

    Attributes:
        read: How many were read.
        left_out: How many of these have gaps.
        gaps: In which columns.
        confusion: How they were answered, as in :class:`ModelSummary`; 0 where nobody was.
        answers: The first of the answers, and the first that differs from it; shape (1 or 2, k), None of nobody.
    """

    read: int = 0
    left_out: int = 0
    gaps: Counter[str] = field(default_factory=Counter)
    confusion: np.ndarray | int = 0
    answers: np.ndarray | None = None

    def with_others(self, other: Self) -> Self:
        """These and others."""
        answers = [one.answers for one in (self, other) if one.answers is not None]
        return type(self)(
            self.read + other.read,
            self.left_out + other.left_out,
            self.gaps + other.gaps,
            self.confusion + other.confusion,
            _first_and_other(np.concatenate(answers)) if answers else None,
        )

    def written(self) -> dict[str, Any]:
        """As JSON."""
        arrays = {"confusion": np.asarray(self.confusion)} | ({} if self.answers is None else {"answers": self.answers})
        return {"rows": [self.read, self.left_out], "gaps": dict(self.gaps), "arrays": arrays_to_text(arrays)}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """From JSON."""
        (read, left_out), arrays = told["rows"], arrays_from_text(told["arrays"])
        return cls(read, left_out, Counter(told["gaps"]), arrays["confusion"], arrays.get("answers"))


class Passed(Beyond[EncodedDataset]):
    """Rows beyond those in memory, and what is counted while a test goes through them.

    Args:
        model: The model.
        like: The rows in memory.
        remaining: The others.
        metric: Who is similar, which others need not learn; None for a test without a fair metric.
    """

    def __init__(
        self, model: AbstractModel, like: Dataset, remaining: AbstractRemaining, metric: FittedMetric | None
    ) -> None:
        self._model, self._like, self._remaining, self._seen = model, like, remaining, Seen()
        self._metric = metric
        self.number = sum(remaining.rows)

    def add_up(
        self,
        find: Callable[[Iterator[BlockBeyond[EncodedDataset]]], T],
        take: Callable[[T], object],
        on_progress: OnProgress,
        *,
        write: Callable[[T], Any],
        read: Callable[[Any], T],
    ) -> None:
        """See the base class."""

        def do(place: int, told: OnProgress) -> tuple[Seen, T]:
            seen = [Seen()]
            found = find(self._blocks(place, seen, told))
            return seen[0], found

        def both(found: tuple[Seen, T]) -> None:
            self._seen = self._seen.with_others(found[0])
            take(found[1])

        in_parts(
            len(self._remaining.rows),
            do,
            both,
            on_progress,
            write=lambda found: [found[0].written(), write(found[1])],
            read=lambda _, told: (Seen.from_json(told[0]), read(told[1])),
            found=self._metric,
            processes=processors(),
        )

    def _blocks(self, part: int, seen: list[Seen], on_progress: OnProgress) -> Iterator[BlockBeyond[EncodedDataset]]:
        """The blocks of a part; ``seen`` holds what was seen so far."""
        rows = max(self._remaining.rows[part], 1)
        for block in self._remaining.blocks(part, self._like.roles.columns):
            with located(block.where):
                dataset = self._like.like(block.frame)
                own = Seen(block.read, block.read - len(dataset), Counter(dict(block.gaps)))
                data = self._model.encode(dataset) if len(dataset) else None
                if data is not None:
                    answers = self._model.checked_answers(data)
                    own = replace(own, confusion=count_answers(data.y, answers), answers=_first_and_other(answers))
            before, seen[0] = seen[0].read / rows, seen[0].with_others(own)
            if data is not None:
                yield BlockBeyond(block.where, data, part_of(on_progress, before, seen[0].read / rows))

    def all_rows(self) -> Dataset:
        """The rows in memory, with those that were read and left out of all; by whom is known of those in memory."""
        gaps = Counter(dict(self._like.gaps)) + self._seen.gaps
        return replace(
            self._like,
            rows_read=self._like.rows_read + self._seen.read,
            rows_left_out=self._like.rows_left_out + self._seen.left_out,
            gaps=tuple((name, gaps[name]) for name in self._like.roles.columns if gaps[name]),
        )

    def all_answers(self, summary: ModelSummary, answers: np.ndarray) -> ModelSummary:
        """What the model answered all rows, from what it answered those in memory."""
        everybody = answers if self._seen.answers is None else np.concatenate([answers, self._seen.answers])
        constant = len(_first_and_other(everybody)) == 1
        return replace(
            summary, confusion=summary.confusion + self._seen.confusion, constant=constant, by_group=AnsweredGroups()
        )


def _first_and_other(answers: np.ndarray) -> np.ndarray:
    """The first answer, and the first that differs from it where one does."""
    differs = (answers != answers[:1]).any(axis=1)
    return answers[[0, int(differs.argmax())] if differs.any() else [0]]
