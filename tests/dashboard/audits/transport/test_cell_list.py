"""A transport test's cells before it is run, counted by hand."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.audits.transport.preview import preview
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, ForbiddenPair, Transport
from core.base.errors import AuditError, SettingsError
from core.base.files import FileStore
from core.data.dataset import Dataset, Roles
from core.metrics.sensitive_subspace import SensitiveSubspace
from dashboard.audits.transport import cell_list
from dashboard.audits.transport.cell_list import as_csv, look
from dashboard.audits.transport.previews import CellsLook

COLUMNS = (CellColumn(name="job"),)
"""40 clerks of both sexes, 30 cooks of both, 10 female drivers; all hired but two clerks, a woman and a man."""


def people(**more: object) -> Dataset:
    job = np.repeat(["clerk", "cook", "driver"], [40, 30, 10])
    sex = np.where((np.arange(80) % 2 == 0) | (job == "driver"), "f", "m")
    hired = np.where(np.arange(80) < 2, "no", "yes")
    frame = pd.DataFrame({"job": job, "sex": sex, "hired": hired}).assign(**more)
    features = tuple(name for name in frame if name not in ("sex", "hired"))
    return Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=features))


def seen(tmp_path: Path, **settings: object) -> CellsLook:
    audit = Transport.model_validate({"columns": COLUMNS, **settings})
    return look(people(), audit, FileStore(tmp_path))


def test_cells_people_and_who_can_be_compared_are_counted(tmp_path: Path) -> None:
    found = seen(tmp_path)
    assert found.occurring == 2 + 5
    assert seen(tmp_path, space="all groups").occurring == 2 + 5, "men who drive are asked about and do not occur"
    assert found.people == 80
    assert found.comparable == pytest.approx(70 / 80), "nobody but women drives"
    assert found.alone == pytest.approx(2 / 80)
    assert found.moves == 2 * 3
    assert found.kinds_of("job") == ("clerk", "cook", "driver")
    assert dict(zip(found.sizes, found.cells, strict=True)) == {1: 2, 10: 1, 15: 2, 19: 2}


@pytest.mark.parametrize(
    ("settings", "comparable"),
    [
        ({"forbidden": (ForbiddenPair(attribute="sex", origin="f", target="m"),)}, 35 / 80),
        ({"similarity": DifferOnlyIn(columns=("sex", "job"))}, 1.0),
        ({"similarity": ByMetric(metric=SensitiveSubspace())}, 1.0),
        ({"space": "all groups"}, 1.0),
    ],
)
def test_rules_and_costs_decide_who_can_be_compared(
    tmp_path: Path, settings: dict[str, object], comparable: float
) -> None:
    assert seen(tmp_path, **settings).comparable == pytest.approx(comparable)


def test_a_group_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="belongs to the group 'x'"):
        seen(tmp_path, forbidden=(ForbiddenPair(attribute="sex", origin="x", target="m"),))


def test_too_many_cells_for_a_metric_are_refused_before_it_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cell_list.costs_between.__globals__["_SORTS"], "by_metric", ("points", 5))
    with pytest.raises(AuditError, match="at most 5 are possible"):
        seen(tmp_path, similarity=ByMetric(metric=SensitiveSubspace()))


def test_the_list_of_cells_says_number_values_outcome_and_people(tmp_path: Path) -> None:
    found = seen(tmp_path)
    assert found.listed is not None
    told = pd.read_csv(FileStore(tmp_path).path(found.listed))
    assert list(told.columns) == ["cell", "job", "sex", "true outcome", "people"]
    assert list(told["cell"]) == list(range(1, 8))
    assert told["people"].sum() == 80
    assert list(told["true outcome"]) == ["no"] * 2 + ["yes"] * 5


def test_no_name_in_the_list_is_a_formula_and_none_hides_another() -> None:
    cells = preview(people(people="=1+1"), (CellColumn(name="people"),)).cells
    told = pd.read_csv(io.BytesIO(as_csv(cells)))
    assert list(told.columns) == ["cell", "people", "sex", "true outcome", "people.1"]
    assert set(told["people"]) == {"'=1+1"}
    assert told["people.1"].sum() == 80
