"""Folders of Parquet files: counted where they lie, as pandas and SQL count them, whatever the order and the faults."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import chi2, hypergeom

from core.base.errors import CancelledError, DataError
from core.base.files import FileStore
from core.base.progress import Progress, ignore_progress
from core.data.copies import copies_among
from core.data.counting_sql import counting_sql
from core.data.roles import Roles
from core.sources.folder import blocks as blocks_module
from core.sources.folder import counting, listing, looking_over, sampling
from core.sources.folder.blocks import pieces_of
from core.sources.folder.counting import count_kinds, memory_to_count
from core.sources.folder.listing import list_folder
from core.sources.folder.looking import as_frame, some_rows
from core.sources.folder.looking_over import LookedOver, look_over
from core.sources.folder.sampling import draw_rows
from core.sources.folder.table import FolderTable, Ranges

COLUMNS = ("sex", "age", "rate", "born", "cost", "yes", "code")
SMALL = 500


def people(rows: int = 3_000, seed: int = 0) -> pd.DataFrame:
    """Columns of every type, some with gaps."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "sex": rng.choice(np.array(["f", "m", None]), rows),
            "age": pd.array(rng.integers(20, 25, rows), "Int32"),
            "rate": rng.choice([0.0, -0.0, 0.1, np.nan], rows),
            "born": pd.to_datetime("2000-01-01") + pd.to_timedelta(rng.integers(0, 2, rows), "D"),
            "cost": rng.choice([1.5, 2.5], rows).astype("float32"),
            "yes": rng.random(rows) < 0.5,
            "code": pd.Categorical(rng.choice(["07", "1,5"], rows)),
        }
    )


def write(frame: pd.DataFrame, folder: Path, cuts: Sequence[int] = (), groups: int = 700) -> Path:
    """Files of the rows between these places, in row groups of so many rows."""
    folder.mkdir(parents=True, exist_ok=True)
    for place, (first, last) in enumerate(zip((0, *cuts), (*cuts, len(frame)), strict=True)):
        frame.iloc[first:last].to_parquet(folder / f"part-{place}.parquet", index=False, row_group_size=groups)
    return folder


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes in pieces of few rows each."""
    for module in (counting, looking_over, sampling):
        monkeypatch.setattr(module, "WORTH_A_PIECE", SMALL)


def counted(folder: Path, columns: Sequence[str], processes: int = 1, **limits: Sequence[float]) -> pa.Table:
    return count_kinds(list_folder(folder), columns, limits, ignore_progress, processes)


def test_kinds_are_those_that_pandas_counts(tmp_path: Path) -> None:
    frame = people()
    found = as_frame(counted(write(frame, tmp_path / "f", (1_000, 1_001)), COLUMNS))
    expected = as_frame(pa.Table.from_pandas(frame, preserve_index=False)).assign(rate=frame["rate"] + 0.0)
    sizes = expected.groupby(list(COLUMNS), dropna=False, observed=True).size().rename("people").reset_index()
    assert found["people"].sum() == len(frame)
    pd.testing.assert_frame_equal(
        found.sort_values(list(COLUMNS), ignore_index=True), sizes.sort_values(list(COLUMNS), ignore_index=True)
    )


def test_order_of_rows_and_files_and_the_number_of_processes_make_no_difference(tmp_path: Path) -> None:
    frame = people()
    first = counted(write(frame, tmp_path / "a", (1_500,)), COLUMNS)
    shuffled = frame.sample(frac=1, random_state=1)
    for other, processes in ((write(shuffled, tmp_path / "b", (10, 20), 331), 1), (tmp_path / "b", 2)):
        assert counted(other, COLUMNS, processes).equals(first)
    assert len(pieces_of(list_folder(tmp_path / "b"), SMALL)) > 2


def test_ranges_are_those_of_the_query(tmp_path: Path) -> None:
    frame = people()[["sex", "age", "yes"]].assign(
        sex=lambda f: f["sex"].fillna("x"), yes=lambda f: f["yes"].astype(int)
    )
    found = as_frame(counted(write(frame, tmp_path / "f"), ("age", "sex", "yes"), age=(21, 22.5)))
    roles = Roles(outcome="yes", favourable="1", protected=("sex",), features=("age",))
    with sqlite3.connect(":memory:") as database:
        frame.astype({"age": int}).to_sql("t", database, index=False)
        asked = pd.read_sql(counting_sql(roles, "t", limits={"age": (21, 22.5)}), database)
    assert set(found["age"]) == {"under 21", "21 to under 22.5", "22.5 and over"}
    pd.testing.assert_frame_equal(
        found, asked.sort_values(["age", "sex", "yes"], ignore_index=True)[found.columns], check_dtype=False
    )


def test_counting_stays_within_the_memory_that_is_told_and_stops_where_there_is_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(people(), tmp_path / "f")
    known = list_folder(folder)
    assert memory_to_count(known, COLUMNS, 2) > 2 * memory_to_count(known, COLUMNS, 1)
    monkeypatch.setattr(counting, "available_memory", lambda: 10 * 2**20)
    with pytest.raises(DataError, match="MB of memory, and the machine has 10 MB left"):
        counted(folder, COLUMNS)


def test_too_many_kinds_are_refused_by_the_column_with_most_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MOST_KINDS", 1_000)
    frame = people().assign(income=np.arange(3_000.0))
    folder = write(frame, tmp_path / "f")
    with pytest.raises(DataError, match=r"the column 'income' has .* --ranges"):
        counted(folder, ("sex", "income"))
    assert len(counted(folder, ("sex", "income"), income=(10, 1_000))) == 9


def test_what_is_seen_in_all_rows_is_what_pandas_sees_whatever_the_order(tmp_path: Path) -> None:
    frame = pd.concat([people(2_000), people(400)])
    sizes = frame.assign(rate=frame["rate"] + 0.0).groupby(list(COLUMNS), dropna=False, observed=True).size()
    expected = copies_among(sizes.to_numpy(dtype=np.int64))
    empty = tuple((str(name), int(rows)) for name, rows in frame.isna().sum().items() if rows)
    numbers = ("age", "rate", "cost")
    cells = empty, tuple((name, float(frame[name].min()), float(frame[name].max())) for name in numbers)
    shuffled = frame.sample(frac=1, random_state=1)
    for place, (rows, cuts, processes) in enumerate(((frame, (), 1), (shuffled, (10, 900), 1))):
        listed = list_folder(write(rows, tmp_path / str(place), cuts, 331))
        assert look_over(listed, COLUMNS, ignore_progress, processes) == LookedOver(expected, *cells)


def test_of_records_that_are_drawn_all_rows_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking_over, "RECORDS", 500)
    frame = people(3_000).assign(income=np.arange(3_000.0))
    columns = (*COLUMNS, "income")
    alone, twice = (
        look_over(list_folder(write(one, tmp_path / name)), columns, ignore_progress, 1).copies
        for name, one in (("alone", frame), ("twice", pd.concat([frame, frame])))
    )
    assert (alone.repeated, alone.too_many) == (0, False)
    assert 350 < alone.rows < 650
    assert (2 * twice.repeated, twice.too_many) == (twice.rows, True)
    assert 150 < twice.repeated < 350


def test_a_damaged_row_group_is_named_with_its_file(tmp_path: Path) -> None:
    folder = write(people(), tmp_path / "f", (1_500,))
    bad = folder / "part-1.parquet"
    chunk = pq.read_metadata(bad).row_group(1).column(0)
    content = bytearray(bad.read_bytes())
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    content[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    bad.write_bytes(content)
    with pytest.raises(DataError, match="damaged") as caught:
        counted(folder, ("sex",))
    assert caught.value.where == "file 'part-1.parquet', row group 2"
    bad.write_bytes(content[:-20])
    with pytest.raises(DataError, match="damaged or cut off"):
        list_folder(folder)


def test_a_file_that_changes_during_the_run_stops_it(tmp_path: Path) -> None:
    folder = write(people(), tmp_path / "f", (1_500,))

    def change(_: Progress) -> None:
        write(people(seed=2), folder, (1_500,))

    with pytest.raises(DataError, match="changed while its rows were read") as caught:
        count_kinds(list_folder(folder), COLUMNS, {}, change, 1)
    assert "part-0.parquet" in caught.value.where


def test_whoever_watches_may_stop_it(tmp_path: Path) -> None:
    def stop(_: Progress) -> None:
        raise CancelledError("stop")

    with pytest.raises(CancelledError):
        count_kinds(list_folder(write(people(), tmp_path / "f")), COLUMNS, {}, stop, 1)


def test_folders_that_hold_no_table_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = people(40)
    with pytest.raises(DataError, match="no Parquet file in the folder"):
        list_folder(write(frame, tmp_path / "_hidden").parent)
    (write(frame, tmp_path / "notes") / "notes.txt").write_text("x")
    with pytest.raises(DataError, match="holds a file that is no Parquet file"):
        list_folder(tmp_path / "notes")
    write(frame, tmp_path / "split" / "sex=f")
    with pytest.raises(DataError, match="Names of folders hold values of a column: 'sex=f'"):
        list_folder(tmp_path / "split")
    write(frame, tmp_path / "mixed", (20,))
    frame.astype({"age": "str"}).to_parquet(tmp_path / "mixed" / "part-1.parquet")
    with pytest.raises(DataError, match=r"differ in the column 'age': int32 in 'part-0.parquet', string in 'part-1"):
        list_folder(tmp_path / "mixed")
    with pytest.raises(DataError, match="have no rows"):
        list_folder(write(frame.head(0), tmp_path / "empty"))
    write(frame.rename(columns={"sex": " sex"}), tmp_path / "blank")
    with pytest.raises(DataError, match="no name of its own"):
        list_folder(tmp_path / "blank")
    monkeypatch.setattr(listing, "MOST_PEOPLE", 39)
    with pytest.raises(DataError, match="have 40 rows; at most 39"):
        list_folder(write(frame, tmp_path / "many"))


def test_limits_that_are_none_are_refused(tmp_path: Path) -> None:
    folder = write(people(40), tmp_path / "f")
    files, known = FileStore(tmp_path / "files"), list_folder(folder)
    ref = files.link(folder, known.ref("f"))
    for ranges, what in (
        (Ranges(column="wage", limits=(1.0,)), "no column 'wage'"),
        (Ranges(column="age", limits=(2.0, 2.0)), "do not ascend"),
        (Ranges(column="sex", limits=(2.0,)), "holds no numbers"),
    ):
        with pytest.raises(DataError, match=what):
            FolderTable(folder=ref, columns=("sex",), ranges=(ranges,)).load(files)
    with pytest.raises(ValueError, match="has limits twice"):
        FolderTable(folder=ref, ranges=(Ranges(column="age", limits=(2.0,)),) * 2)


def test_a_folder_is_named_by_its_files_and_kept_by_its_place(tmp_path: Path) -> None:
    folder = write(people(400), tmp_path / "f", (200,))
    files = FileStore(tmp_path / "files")
    source = FolderTable(folder=files.link(folder, list_folder(folder).ref("f")), columns=("sex", "people"))
    with pytest.raises(DataError, match="no column 'people'"):
        source.load(files)
    source = FolderTable(folder=source.folder, columns=("sex",))
    before = source.load(files)
    pd.testing.assert_frame_equal(source.load(files), before)
    assert (source.folder.rows, before["people"].sum(), source.title) == (400, 400, "f")
    write(people(400, seed=9), folder, (200,))
    with pytest.raises(DataError, match="was changed: its files are not those that were named"):
        source.load(files)


def drawn(folder: Path, rows: int, seed: int) -> pd.Series:
    found = draw_rows(list_folder(folder), ("place",), {}, (rows, seed), ignore_progress, processes=1)
    return pd.Series(found["place"].to_numpy())


def test_rows_are_drawn_in_exact_number_each_as_likely_as_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of 400 rows is among 40 with probability 1/10, and the rows of a block are as many as the law says."""
    for module in (sampling, blocks_module):
        monkeypatch.setattr(module, "BLOCK", 32)
    monkeypatch.setattr(blocks_module.blocks, "__defaults__", (32,))
    folder = write(pd.DataFrame({"place": np.arange(400)}), tmp_path / "f", (50, 300), 70)
    draws, found, first = 150, np.zeros(400), list[int]()
    for seed in range(draws):
        rows = drawn(folder, 40, seed)
        assert (len(rows), rows.is_unique, rows.is_monotonic_increasing) == (40, True, True)
        found[rows] += 1
        first.append(int((rows < 32).sum()))
    expected, spread = draws / 10, draws * 0.1 * 0.9
    assert chi2.sf(((found - expected) ** 2 / spread).sum() * 399 / 400, 399) > 0.001
    law = hypergeom(400, 32, 40)
    assert abs(np.mean(first) - law.mean()) < 4 * law.std() / draws**0.5
    assert 0.65 < np.var(first) / law.var() < 1.45
    assert drawn(folder, 40, 0).equals(drawn(folder, 40, 0))
    assert drawn(folder, 1_000, 0).tolist() == list(range(400))


def test_some_rows_come_from_all_over_the_folder(tmp_path: Path) -> None:
    frame = people(2_000).assign(place=np.arange(2_000))
    found = some_rows(list_folder(write(frame, tmp_path / "f", (1_000,), 100)), {"age": (22,)})
    assert set(found["place"] // 100) == set(range(20))
    assert set(found["age"].dropna()) == {"under 22", "22 and over"}
    assert list(found.columns) == list(frame.columns)
