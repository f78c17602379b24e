"""A cost matrix that somebody uploads."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.audits.transport.own_cost import read_costs
from core.audits.transport.settings import OwnCost
from core.base.errors import AuditError
from core.base.files import FileStore
from tests.core.audits.transport.cases import dataset_of, people, run

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "costs.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return written


EXPECTED = [[0.0, 1.5, np.inf], [2.0, 0.0, np.inf], [np.inf, 0.25, 0.0]]


@pytest.mark.parametrize(
    "text",
    [
        "0,1.5,inf\n2,0,\nInf,0.25,0\n",
        "1,2,3\n0,1.5,inf\n2,0,\nInf,0.25,0\n",
        "cell,1,2,3\n1,0,1.5,inf\n2,2,0,\n3,,0.25,0\n",
        "\ufeff,1,2,3\r\n1,0,1.5,∞\r\n2,2,,\r\n3,,2.5e-1,0\r\n\r\n",
        "0;1.5;inf\n2;0;\n;0.25;0\n",
        '"0"\t"1.5"\t"inf"\n2\t0\t\n\t0.25\t0\n',
    ],
)
def test_a_matrix_is_read_with_and_without_names(write: Write, text: str) -> None:
    np.testing.assert_array_equal(read_costs(write(text), 3), EXPECTED)


def test_a_matrix_of_one_cell_is_a_matrix(write: Write) -> None:
    np.testing.assert_array_equal(read_costs(write("0\n"), 1), [[0.0]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0 rows; there are 3 groups"),
        ("0,1,2\n1,0,2\n", "2 rows"),
        ("0,1,2\n1,0,2\n1,2,0\n1,2,0\n", "more rows"),
        ("0,1\n1,0\n", "2 columns in line 1"),
        ("0,1,2\n1,0,2\n1,2\n", "2 columns in line 3"),
        ("1,2,3\n0,1,2\n", "1 row;"),
        ("0,1,2\n1,0,nan\n1,2,0\n", "undefined.*line 2, group 2 to group 3"),
        ("0,1,2\n1,0,-0.5\n1,2,0\n", "negative: -0.5"),
        ("0,1,2\n1,0,-inf\n1,2,0\n", "negative"),
        ("0,1,2\n1,0.5,2\n1,2,0\n", "Staying in a cell costs 0.5"),
        ("0,1,2\n1,0,two\n1,2,0\n", "no number: 'two'"),
        ("cell,1,2,3\n1,0,1,2\n3,1,0,2\n2,1,2,0\n", "Row 2 of the cost matrix is named '3'"),
        ("a,0,1,2\nb,1,0,2\nc,1,2,0\n", "named 'a'"),
        ("cell,2,1,3\n1,0,1,2\n", "named 'cell'"),
    ],
)
def test_a_matrix_that_does_not_fit_the_cells_is_refused(write: Write, text: str, message: str) -> None:
    with pytest.raises(AuditError, match=message):
        read_costs(write(text), 3)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "costs.csv"
    path.write_bytes(b"\xff\xfe\x00\x01,")
    with pytest.raises(AuditError, match="not stored as UTF-8"):
        read_costs(path, 3)


def test_an_endless_field_is_refused(write: Write) -> None:
    with pytest.raises(AuditError, match="more than 10,192 characters"):
        read_costs(write('"' + "0" * 200_000 + '",1,2\n'), 3)


def test_memory_is_asked_for_before_a_matrix_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("the file was read")

    ref = FileStore().put(b"0\n", "costs.csv")
    monkeypatch.setattr("core.audits.transport.similarity.read_costs", read)
    monkeypatch.setattr("core.inference.transport.memory.free_memory", lambda: 1e3)
    with pytest.raises(AuditError, match="GB of memory"):
        run(dataset_of(people()), similarity=OwnCost(file=ref))
