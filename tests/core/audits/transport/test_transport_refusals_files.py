"""Hostile cost matrices: read as plain numbers line by line, or refused with the place."""

from pathlib import Path

import numpy as np
import pytest

from core.audits.transport.own_cost import LARGEST_COST, read_costs
from core.base.errors import AuditError

REFUSED = {
    "overflow": (b"0,1e400\n1,0\n", "too large: 1e400"),
    "sums that overflow": (b"0,1e308\n1,0\n", "too large"),
    "underscores": (b"0,1_0\n1,0\n", "no number: '1_0'"),
    "other digits": ("0,٣\n1,0\n".encode(), "no number"),
    "hexadecimal": (b"0,0x10\n1,0\n", "no number"),
    "a formula": (b"0,=1+1\n1,0\n", "no number"),
    "signed NaN": (b"0,-NaN\n1,0\n", "undefined"),
    "minus infinity": (b"0,-inf\n1,0\n", "negative"),
    "names of other cells": (b",1,3\n1,0,1\n2,1,0\n", "first row of the cost matrix does not name the groups 1 to 2"),
    "one endless line": (b"1," * 100_000, "line 1.*"),
    "one endless number": (b"1" * 100_000, "more than 10,128 characters"),
    "an endless later line": (b"0,1\n" + b"1" * 100_000, "line 2"),
    "a quote that never ends": (b'"0,1\n' * 50_000, "no number"),
    "zero bytes": (b"0,1\x00\n1,0\n", "no number|read as CSV"),
    "UTF-16": ("0,1\n1,0\n".encode("utf-16"), "not stored as UTF-8"),
    "a pickle": (b"\x80\x04cos\nsystem\n.", "not stored as UTF-8"),
    "escapes": (b"0,\x1b[31mred\n1,0\n", "no number"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_hostile_matrix_is_refused_with_the_place(tmp_path: Path, case: str) -> None:
    content, says = REFUSED[case]
    path = tmp_path / "costs.csv"
    path.write_bytes(content)
    with pytest.raises(AuditError) as refused:
        read_costs(path, 2)
    assert refused.match(says)
    assert refused.value.advice
    assert len(str(refused.value)) < 400


def test_the_longest_numbers_a_program_writes_are_read(tmp_path: Path) -> None:
    written = np.array([[0.0, 1 / 3 * 1e-300], [LARGEST_COST, 0.0]])
    path = tmp_path / "costs.csv"
    np.savetxt(path, written, delimiter=",", fmt="%.40f")
    assert read_costs(path, 2)[1, 0] == LARGEST_COST
    np.savetxt(path, written, delimiter=",", fmt="%.18e")
    np.testing.assert_array_equal(read_costs(path, 2), written)
