"""Results survive the disk to the last bit, and nothing else is taken for one."""

import dataclasses
import datetime
import decimal
import hashlib
import json
import math
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.base.errors import Caveat, RecordError
from core.records.codec import decode, encode, from_bytes, load_result, save_result, to_bytes
from core.records.codec_frames import Arrays
from tests.builders import make_result


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass(frozen=True)
class Leaf:
    number: float
    name: str


@dataclasses.dataclass(frozen=True)
class Tree:
    leaf: Leaf
    leaves: tuple[Leaf, ...]
    pair: tuple[int, str]
    maybe: Leaf | None
    either: int | str
    colour: Colour
    mode: Literal["a", "b"]
    flag: bool
    decision: GradientFlowDecision
    array: np.ndarray
    frame: pd.DataFrame


@dataclasses.dataclass(frozen=True)
class Leaves:
    first: np.ndarray
    second: np.ndarray


def same(a: Any, b: Any) -> bool:
    """Equal to the last bit, arrays and tables included."""
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, pd.DataFrame):
        pd.testing.assert_frame_equal(a, b, check_exact=True, check_freq=False)
        return True
    if dataclasses.is_dataclass(a):
        return type(a) is type(b) and all(
            same(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a) if f.init
        )
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float):
        return isinstance(b, float) and (repr(a) == repr(b))
    return bool(a == b) and isinstance(a, type(b))


def through_json(value: Any, hint: Any) -> Any:
    arrays = Arrays()
    tree = json.loads(json.dumps(encode(value, hint, arrays), allow_nan=False))
    return decode(tree, hint, arrays)


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=True),
    st.text(),
    st.dates(),
    st.datetimes(),
    st.decimals(allow_nan=False),
)
ARRAYS = hnp.arrays(
    dtype=st.sampled_from(["float64", "float32", "int64", "int8", "bool", "U3", "datetime64[ns]"]),
    shape=hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)


@given(
    number=st.floats(),
    text=st.text(),
    count=st.integers(),
    present=st.booleans(),
    array=ARRAYS,
    cells=st.lists(CELLS, max_size=5),
    delta=st.floats(1.0, 100.0),
)
def test_every_field_survives_to_the_last_bit(
    *, number: float, text: str, count: int, present: bool, array: np.ndarray, cells: list[Any], delta: float
) -> None:
    leaf = Leaf(number, text)
    objects = np.empty(len(cells), dtype=object)
    objects[:] = cells
    tree = Tree(
        leaf=leaf,
        leaves=(leaf,) * (count % 3),
        pair=(count, text),
        maybe=leaf if present else None,
        either=count if present else text,
        colour=Colour.BLUE,
        mode="b",
        flag=present,
        decision=GradientFlowDecision(delta=delta),
        array=array,
        frame=pd.DataFrame({"cells": objects, text: objects}, index=range(3, 3 + len(cells))),
    )
    assert same(tree, through_json(tree, Tree))


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["a", None, "ü<script>"], dtype="str"),
        pd.Series([1, None, 3], dtype="Int64"),
        pd.Series([True, None, False], dtype="boolean"),
        pd.Series([0.1, math.nan, -0.0]),
        pd.Series(pd.Categorical(["b", "a", "b"], categories=["b", "a"], ordered=True)),
        pd.Series(pd.to_datetime(["2020-01-01", "2021-02-03", "2022-03-04"])),
        pd.Series([datetime.date(2020, 1, 1), decimal.Decimal("1.10"), "x"], dtype=object),
        pd.Series([1, 2, 3], index=[7, 5, 9], dtype="uint8"),
        pd.Series([1.0, 2.0, 3.0], index=["x", "y", "z"], name="same"),
    ],
    ids=lambda column: str(column.dtype),
)
def test_every_type_of_column_survives(column: pd.Series) -> None:
    frame = pd.DataFrame({"<b>": column, "plain": 1.5})
    pd.testing.assert_frame_equal(frame, through_json(frame, pd.DataFrame), check_exact=True)


def test_a_table_without_rows_or_columns_survives() -> None:
    for frame in (pd.DataFrame(), pd.DataFrame({"a": pd.Series(dtype="float64")}), pd.DataFrame(index=range(4))):
        pd.testing.assert_frame_equal(frame, through_json(frame, pd.DataFrame))


def test_two_columns_of_one_name_survive() -> None:
    frame = pd.DataFrame([[1, 2.5], [3, 4.5]], columns=["a", "a"])
    pd.testing.assert_frame_equal(frame, through_json(frame, pd.DataFrame))


def test_python_objects_are_never_pickled() -> None:
    with pytest.raises(TypeError, match="no safe encoding"):
        encode(np.array([object()]), np.ndarray, Arrays())
    with pytest.raises(TypeError, match="cell of type object"):
        encode(pd.DataFrame({"a": [object()]}), pd.DataFrame, Arrays())


@pytest.mark.parametrize("options", [{}, {"one_cell": True}, {"hostile": True}, {"wide": True}, {"probes": False}])
def test_a_result_survives_the_disk(tmp_path: Path, options: dict[str, Any]) -> None:
    result = make_result(**options)
    save_result(result, tmp_path / "result")
    assert same(result, load_result(tmp_path / "result"))


def test_equal_results_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save_result(make_result(), tmp_path / name)
    for file in ("result.json", "arrays.npz"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    save_result(make_result(seed=1), tmp_path / "b")
    assert (tmp_path / "a" / "arrays.npz").read_bytes() != (tmp_path / "b" / "arrays.npz").read_bytes()


def test_saving_again_replaces_the_result_and_leaves_nothing_behind(tmp_path: Path) -> None:
    save_result(make_result(rows=100), tmp_path / "result")
    save_result(make_result(rows=200), tmp_path / "result")
    assert load_result(tmp_path / "result").data.rows_audited == 200
    assert [entry.name for entry in tmp_path.iterdir()] == ["result"]


def test_a_failed_save_leaves_the_older_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_result(make_result(rows=100), tmp_path / "result")
    monkeypatch.setattr(Path, "write_bytes", lambda *_: (_ for _ in ()).throw(OSError("the disk is full")))
    with pytest.raises(OSError, match="disk is full"):
        save_result(make_result(rows=200), tmp_path / "result")
    assert load_result(tmp_path / "result").data.rows_audited == 100
    assert [entry.name for entry in tmp_path.iterdir()] == ["result"]


def test_a_folder_of_other_things_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("years of work")
    with pytest.raises(RecordError, match="something else"):
        save_result(make_result(), tmp_path)
    assert (tmp_path / "thesis.doc").read_text() == "years of work"


@pytest.mark.parametrize("place", [0.0, 0.1, 0.31, 0.5, 0.77, 0.9, 1.0])
def test_one_changed_bit_of_an_array_is_noticed(tmp_path: Path, place: float) -> None:
    save_result(make_result(), tmp_path / "result")
    file = tmp_path / "result" / "arrays.npz"
    content = bytearray(file.read_bytes())
    content[int(place * (len(content) - 1))] ^= 0x01
    file.write_bytes(content)
    with pytest.raises(RecordError, match="damaged"):
        load_result(tmp_path / "result")


@pytest.mark.parametrize(
    ("header", "place", "lie"),
    [(b"PK\x01\x02", 42, b"\x00\x00\x00\x80"), (b"PK\x03\x04", 28, b"\xff\xff")],
    ids=["where an array begins", "how long its header is"],
)
def test_an_archive_that_lies_is_damaged_though_its_digest_agrees(header: bytes, place: int, lie: bytes) -> None:
    """A confined child writes both."""
    files = to_bytes(Leaves(np.arange(3.0), np.arange(5)))
    packed = bytearray(files["arrays.npz"])
    at = packed.find(header) + place
    packed[at : at + len(lie)] = lie
    tree = json.loads(files["result.json"]) | {"arrays_sha256": hashlib.sha256(packed).hexdigest()}
    with pytest.raises(RecordError, match="damaged"):
        from_bytes({"arrays.npz": bytes(packed), "result.json": json.dumps(tree).encode()}, Leaves)


def test_one_changed_digit_of_a_field_is_noticed(tmp_path: Path) -> None:
    save_result(make_result(rows=360), tmp_path / "result")
    file = tmp_path / "result" / "result.json"
    changed = file.read_text().replace('"rows_audited": 360', '"rows_audited": 361')
    assert changed != file.read_text()
    file.write_text(changed)
    with pytest.raises(RecordError, match="damaged"):
        load_result(tmp_path / "result")


@pytest.mark.parametrize("file", ["result.json", "arrays.npz"])
def test_a_truncated_or_missing_file_is_named_damaged(tmp_path: Path, file: str) -> None:
    save_result(make_result(), tmp_path / "result")
    content = (tmp_path / "result" / file).read_bytes()
    (tmp_path / "result" / file).write_bytes(content[: len(content) // 2])
    with pytest.raises(RecordError, match="damaged"):
        load_result(tmp_path / "result")
    (tmp_path / "result" / file).unlink()
    with pytest.raises(RecordError, match=r"damaged|no saved result"):
        load_result(tmp_path / "result")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "not a saved result"),
        ('{"format": "other"}', "not a saved result"),
        ('{"format": "evenhand-result", "version": 99}', "Version 99"),
        ('{"format": "evenhand-result", "version": 5}', "Version 5"),
        ("[" * 100_000, "damaged"),
        ("\x00", "damaged"),
    ],
)
def test_a_foreign_folder_is_refused_with_the_reason(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "result.json").write_text(content)
    (tmp_path / "arrays.npz").write_bytes(b"")
    with pytest.raises(RecordError, match=message):
        load_result(tmp_path)


def test_no_result_is_a_clear_answer(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no saved result"):
        load_result(tmp_path / "nowhere")


def test_a_tree_of_the_wrong_shape_is_refused() -> None:
    for tree in ({"level": "info"}, {"level": "loud", "what": "x", "advice": ""}, {"level": "info", "what": 3}, 5):
        with pytest.raises((ValueError, KeyError, TypeError)):
            decode(tree, Caveat, Arrays())
