"""Column sensitivity of rows that lie beyond memory: what it is of all of them in memory, person by person."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import pytest

from core.audits.column_sensitivity.engine import run
from core.audits.column_sensitivity.result import ColumnSensitivityDetail
from core.audits.column_sensitivity.settings import KEPT, ColumnSensitivity
from core.base.errors import AuditError, Caveat
from core.base.progress import OnProgress, Progress, consecutive_parts
from core.contracts.audit import Beyond, BlockBeyond, Given
from core.data.encoded import EncodedDataset
from core.models.module import ModuleModel
from tests.core.audits.column_sensitivity.test_column_sensitivity import logistic, people

T = TypeVar("T")
MODEL = logistic((0.5, 0.1, 1.7), -3.0)


@dataclass(frozen=True)
class Cut(Beyond[EncodedDataset]):
    """The rows from the first on, in two parts of blocks of that size; what is found in them is sent as JSON."""

    data: EncodedDataset
    first: int
    size: int

    @property
    def number(self) -> int:
        return len(self.data) - self.first

    def add_up(
        self,
        find: Callable[[Iterator[BlockBeyond[EncodedDataset]]], T],
        take: Callable[[T], object],
        on_progress: OnProgress,
        *,
        write: Callable[[T], Any],
        read: Callable[[Any], T],
    ) -> None:
        starts = list(range(self.first, len(self.data), self.size))
        for part, told in zip((starts[:2], starts[2:]), consecutive_parts(on_progress, [1, 1]), strict=True):
            take(read(json.loads(json.dumps(write(find(self._blocks(part, told)))))))

    def _blocks(self, starts: list[int], told: OnProgress) -> Iterator[BlockBeyond[EncodedDataset]]:
        for start, on_progress in zip(starts, consecutive_parts(told, [1] * len(starts)), strict=True):
            rows = np.arange(start, min(start + self.size, len(self.data)))
            yield BlockBeyond(f"rows from {start}", self.data.take(rows), on_progress)


def gone_through(
    model: ModuleModel, data: EncodedDataset, first: int, told: list[float]
) -> tuple[ColumnSensitivityDetail, tuple[Caveat, ...]]:
    def tell(progress: Progress) -> None:
        told.append(progress.done)

    given = Given(model, data.take(np.arange(first)), np.random.default_rng(1), on_progress=tell)
    return run(ColumnSensitivity(), replace(given, beyond=Cut(data, first, 170)))


def test_people_beyond_memory_are_measured_as_those_in_memory() -> None:
    data, told = MODEL.encode(people(900)), list[float]()
    whole = run(ColumnSensitivity(), Given(MODEL, data, np.random.default_rng(1)))[0]
    parted, caveats = gone_through(MODEL, data, 300, told)
    (one,), (other,) = whole.attributes, parted.attributes
    assert (one.groups, one.columns, one.read) == (other.groups, other.columns, other.read)
    for name in ("codes", "flipped"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("change", "slope", "shift"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-12)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert all((corner.codes[300:] == -1).all() and len(corner.codes) == 900 for corner in parted.corners)
    assert whole.seed == parted.seed
    assert "Parts of the table were looked into among 300 rows drawn at random only." in [
        caveat.what for caveat in caveats
    ]
    assert ColumnSensitivity().keeps(data.dataset.roles) >= KEPT


def test_a_group_that_nobody_in_memory_has_is_named_with_its_rows() -> None:
    dataset = people(900)
    frame = dataset.frame.assign(female=dataset.frame["female"].where(dataset.frame.index < 640, 2))
    data = MODEL.encode(replace(dataset, frame=frame, table=None))
    with pytest.raises(AuditError, match="The group '2' of 'female' is not among the rows that were drawn") as caught:
        gone_through(MODEL, data, 300, [])
    assert caught.value.where == "rows from 640"
