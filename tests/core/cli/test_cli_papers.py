"""``python -m core paper`` lists what there is, computes it again, and writes it."""

from pathlib import Path

from core.workflows.papers.table import ITEMS
from tests.command_line import command


def test_without_a_name_everything_is_listed_with_its_data_and_minutes() -> None:
    ran = command("paper")
    assert ran.status == 0
    assert all(f"{name}: {one.title}" in ran.out for name, one in ITEMS.items())
    assert "data: compas; about" in ran.out


def test_one_is_computed_and_written_and_an_unknown_one_is_a_sentence(tmp_path: Path) -> None:
    ran = command("paper", "sensitivity-appendix-b", "--out", tmp_path, "--jobs", 1)
    assert ran.status == 0
    assert "P at L = 0.2: 0.1 | 0.11 | agrees" in ran.out
    assert {path.suffix for path in tmp_path.glob("sensitivity-appendix-b.*")} == {".html", ".json", ".csv"}
    ran = command("paper", "table-1", "--out", tmp_path)
    assert ran.status == 2
    assert "There is no table or figure 'table-1'" in ran.err
    assert "gradient-flow-1" in ran.err
