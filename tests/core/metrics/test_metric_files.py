"""Matrices and pairs as people upload them."""

import numpy as np
import pandas as pd
import pytest

from core.base.errors import MetricError
from core.metrics.expert import UploadedMatrix
from core.metrics.files import read_matrix, read_pairs

ROWS = ((2.0, 0.5), (0.5, 1.0))


@pytest.mark.parametrize(
    "content", [b"2,0.5\n0.5,1\n", b"2;0.5\r\n0.5;1", b"2\t0.5\n\n0.5\t1\n", b"\xef\xbb\xbf2,.5\n.5,1\n"]
)
def test_plain_numbers_are_a_matrix(content: bytes) -> None:
    assert read_matrix(content) == UploadedMatrix(rows=ROWS)


def test_a_header_names_the_columns() -> None:
    assert read_matrix(b'age,"job = cook, chef"\n2,0.5\n0.5,1\n') == UploadedMatrix(
        columns=("age", "job = cook, chef"), rows=ROWS
    )


def test_a_matrix_written_by_pandas_comes_back() -> None:
    frame = pd.DataFrame(np.array(ROWS), index=["age", "hours"], columns=["age", "hours"])
    assert read_matrix(frame.to_csv().encode()) == UploadedMatrix(columns=("age", "hours"), rows=ROWS)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b" \n , \n", "empty"),
        (b"age,hours\n", "a header and nothing else"),
        (b"1,0\n0,nan\n", r"'nan', which is not a finite number\. \(row 2, column 2"),
        (b"age,hours\n1,x\n0,1\n", r"'x'.*row 1, column 2 \(hours\)"),
        (b"\xff\xfe1\x00", "not stored as UTF-8"),
        (b",age,hours\nhours,1,0\nage,0,1\n", "row names of the matrix differ"),
    ],
)
def test_a_damaged_matrix_is_refused_with_the_place(content: bytes, words: str) -> None:
    with pytest.raises(MetricError, match=words):
        read_matrix(content)


def test_pairs_are_counted_from_one_in_the_file_and_from_zero_inside() -> None:
    assert read_pairs(b"1,2\n10,3\n") == ((0, 1), (9, 2))
    assert read_pairs(b"first;second\n1;2\n") == ((0, 1),)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"first,second\n", "a header and nothing else"),
        (b"1,2\n3\n", "line 2"),
        (b"1,2\n0,3\n", "counted from 1"),
        (b"1,2\n1.5,3\n", "line 2"),
        (b"1,2,3\n", "line 1"),
        (b"1,2\nAnn,3\n", "'Ann'"),
    ],
)
def test_damaged_pairs_are_refused_with_the_line(content: bytes, words: str) -> None:
    with pytest.raises(MetricError, match=words):
        read_pairs(content)
