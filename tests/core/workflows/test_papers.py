"""The papers' tables again: what agrees, what is printed where, and that a run goes on with the same bytes."""

import dataclasses
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import RecordError, SettingsError, SourceError
from core.base.progress import Progress
from core.workflows.papers import running
from core.workflows.papers.cells import Cell, CellVerdict, Ours, Printed, Said, allowed
from core.workflows.papers.items import Results
from core.workflows.papers.outcome import STORED, Reproduction, read, stored
from core.workflows.papers.running import compute
from core.workflows.papers.table import ITEMS, item

SIMULATED = (
    "sensitivity-appendix-a",
    "sensitivity-appendix-b",
    pytest.param("gradient-flow-figure-1", marks=pytest.mark.long),
    pytest.param("sensitivity-2", marks=pytest.mark.long),
    pytest.param("fair-dummies-figure-1", marks=pytest.mark.long),
)
"""Items that need no data."""


def agreement(printed: Printed | Said | None, ours: Ours | None) -> CellVerdict:
    return Cell("row", "column", printed, ours).agreement


def test_two_numbers_agree_where_welchs_interval_holds_zero() -> None:
    """By hand: .06 ± .02 of 50 against .068 ± .021 of 12 has the error .00669, 16.1 degrees of freedom, t = 2.118."""
    printed, ours = Printed(".06", "", ".02", 50), Ours(0.068, 0.021, 12)
    assert allowed(printed, ours) == pytest.approx(2.1184 * 0.0066895 + 0.005, abs=2e-6)
    assert agreement(printed, ours) is CellVerdict.AGREES
    assert agreement(printed, Ours(0.08, 0.021, 12)) is CellVerdict.DIFFERS


@given(
    st.floats(-2, 2),
    st.tuples(st.floats(0.01, 1), st.integers(2, 50)),
    st.tuples(st.floats(0.01, 1), st.integers(2, 50)),
    st.floats(0, 3),
)
@settings(deadline=None, max_examples=60)
def test_a_larger_difference_never_agrees_where_a_smaller_one_does_not(
    value: float, theirs: tuple[float, int], ours: tuple[float, int], apart: float
) -> None:
    printed = Printed(f"{value:.3f}", "", f"{theirs[0]:.3f}", theirs[1])
    near, far = (agreement(printed, Ours(printed.value + way * apart, *ours)) for way in (0.5, 1.0))
    assert not (near is CellVerdict.DIFFERS and far is CellVerdict.AGREES)
    assert far is agreement(printed, Ours(printed.value - apart, *ours)), "either side"
    assert agreement(printed, Ours(printed.value, *ours)) is CellVerdict.AGREES


def test_a_single_run_borrows_the_spread_and_counts_need_none() -> None:
    assert agreement(Printed("2.40", ""), Ours(2.6, 0.1, 5)) is CellVerdict.AGREES
    assert agreement(Printed("2.40", ""), Ours(2.8, 0.1, 5)) is CellVerdict.DIFFERS
    assert agreement(Printed("2.4", "", ".1", 50), Ours(2.55)) is CellVerdict.AGREES
    assert agreement(Printed("31", ""), Ours(31.0)) is CellVerdict.AGREES
    assert agreement(Printed("31", ""), Ours(32.0)) is CellVerdict.DIFFERS
    assert agreement(Printed("0.11", ""), Ours(0.1149)) is CellVerdict.AGREES, "rounds to the same"


def test_a_statement_is_borne_out_within_its_ends_and_nothing_is_said_without_both() -> None:
    above = Said("above 1.25", "Fig. 2", low=1.25)
    assert agreement(above, Ours(1.3)) is CellVerdict.AGREES
    assert agreement(above, Ours(1.2)) is CellVerdict.DIFFERS
    assert agreement(above, None) is CellVerdict.NO_DATA
    assert agreement(None, Ours(1.2)) is CellVerdict.NOT_PRINTED


@pytest.mark.parametrize("name", ITEMS)
def test_every_printed_number_says_where_it_stands(name: str) -> None:
    """Even before anything is computed; what is not to be had stays so, with a reason or with work to do."""
    chosen = ITEMS[name]
    cells = chosen.cells(Results(()))
    assert cells
    for cell in cells:
        assert cell.printed is None or re.search(r"Table|Fig|Section|Appendix", cell.printed.source)
        assert cell.agreement is CellVerdict.NO_DATA
    units = chosen.units(2, False)
    assert len({unit.fingerprint for unit in units}) == len(units) >= len(chosen.units(1, True)) > 0
    assert name.startswith(("gradient-flow-", "faith-", "sensitivity-", "fair-dummies-"))


def test_a_run_goes_on_and_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, done = item("sensitivity-appendix-a"), list[Progress]()
    whole = compute(chosen, tmp_path / "whole", quick=True, processes=1)
    compute(chosen, tmp_path / "parts", splits=1, quick=True, processes=1)
    resumed = compute(chosen, tmp_path / "parts", quick=True, processes=1, on_progress=done.append)
    assert done[1].done == 0.5, "half of it was done"
    assert [one.done for one in done] == sorted(one.done for one in done) or done[0].done == 0
    first, second = (Reproduction.of(chosen, found, 2, True) for found in (whole, resumed))
    assert first.json == second.json
    assert first.page == second.page

    monkeypatch.setattr(running, "work_apart", lambda *asked: pytest.fail("everything is done"))
    assert compute(chosen, tmp_path / "parts", quick=True).found[0][1] == whole.found[0][1]


def test_a_piece_that_was_damaged_or_decided_otherwise_is_done_again(tmp_path: Path) -> None:
    chosen = item("sensitivity-appendix-b")
    before = compute(chosen, tmp_path, processes=1)
    (kept,) = (tmp_path / running.UNITS).iterdir()
    kept.write_text(kept.read_text(encoding="utf-8")[:40], encoding="utf-8")
    assert compute(chosen, tmp_path, processes=1).found[0][1] == before.found[0][1]
    (unit,) = chosen.units(1, False)
    assert dataclasses.replace(unit, given={"appendix": "b"}).fingerprint != unit.fingerprint


@pytest.mark.parametrize("name", SIMULATED)
def test_the_quick_version_is_written_as_page_json_and_csv_and_read_again(name: str, tmp_path: Path) -> None:
    chosen = item(name)
    outcome = Reproduction.of(chosen, compute(chosen, tmp_path, quick=True, processes=1), chosen.quick, True)
    written = outcome.write(tmp_path)
    assert written == (f"{name}.html", f"{name}.json", f"{name}.csv")
    page = (tmp_path / written[0]).read_text(encoding="utf-8")
    assert all(cell.printed.told in page for cell in outcome.cells if isinstance(cell.printed, Printed))
    assert "quick version" in page
    assert f"python -m core paper {name} --quick --out DIR" in page
    again = read((tmp_path / written[1]).read_bytes())
    assert [one.agreement for one in again.cells] == [one.agreement for one in outcome.cells]
    assert again.table == read(again.json).table
    kept = json.loads(again.json)["cells"]
    assert [one["verdict"] for one in kept] == [one.agreement.value for one in outcome.cells]


def test_what_is_wrong_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="no table or figure 'gradient-flow-9'"):
        item("gradient-flow-9")
    with pytest.raises(RecordError):
        read(b"{}")
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    with pytest.raises(SourceError) as caught:
        compute(item("sensitivity-5"), tmp_path, quick=True)
    assert "bios.csv" in caught.value.what
    assert "EVENHAND_DATA" in caught.value.advice


def test_what_comes_with_evenhand_is_of_tables_that_it_knows() -> None:
    found = stored()
    assert {path.stem for path in STORED.glob("*.json")} == set(found)
    for name, outcome in found.items():
        assert not outcome.quick
        units = {json.dumps(dict(one.given), sort_keys=True) for one in outcome.item.units(outcome.splits, False)}
        kept = {json.dumps(dict(one.given), sort_keys=True) for one, _ in outcome.results.found}
        assert kept == units, name
        assert any(cell.ours is not None for cell in outcome.cells)
