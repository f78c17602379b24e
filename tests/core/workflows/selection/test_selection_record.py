"""Record, page and command of a selection: repeatable to the last digit, and no person's row in what is passed on."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest
from typer.testing import CliRunner

from core.audits.transport.decision import TransportDecision
from core.base.errors import RecordError
from core.base.files import FileStore
from core.cli.app import app
from core.data.roles import Label
from core.records.document import differences
from core.register.summary import summarise
from core.workflows.selection.page import candidate_table
from core.workflows.selection.record import SELECTION
from core.workflows.selection.result import SelectionResult
from core.workflows.selection.run import run_selection
from core.workflows.selection.settings import SelectionPlan
from core.workflows.selection.wording import decision_of, headline
from tests.builders import HOSTILE
from tests.core.workflows.selection.cases import ROLES, judged, judged_plan, people, plan_for

LENIENT = TransportDecision(delta=0.3)
runner = CliRunner()


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> tuple[SelectionPlan, SelectionResult, Path]:
    folder = tmp_path_factory.mktemp("record")
    files = FileStore(folder / "files")
    plan = plan_for(people(), files, decision=LENIENT)
    (folder / "people.csv").write_bytes(files.path(plan.data.file).read_bytes())  # type: ignore[union-attr]
    (folder / "plan.json").write_text(plan.model_dump_json())
    return plan, run_selection(plan, files), folder


def test_a_record_is_read_back_with_its_plan_and_every_number(
    case: tuple[SelectionPlan, SelectionResult, Path],
) -> None:
    plan, result, _ = case
    kept = summarise(SELECTION, plan, result)
    assert (kept.headline, kept.verdict) == (headline(plan, result), SELECTION.verdict(plan, result).value)
    record = SELECTION.read(SELECTION.to_json(plan, result))
    assert record.plan == plan
    assert record.numbers == json.loads(json.dumps(SELECTION.numbers(plan, result)))
    assert record.numbers is not None
    assert len(record.numbers["candidates"]) == 6
    assert record.numbers["chosen"] == result.chosen
    assert record.numbers["audit"]["plan"]["model"]["kind"] == "torch_mlp"


def test_a_number_that_differs_is_found(case: tuple[SelectionPlan, SelectionResult, Path]) -> None:
    plan, result, _ = case
    numbers = SELECTION.numbers(plan, result)
    unfairness = result.candidates[0].unfairness
    worse = replace(
        result.candidates[0], unfairness=replace(unfairness, seen=replace(cast(Any, unfairness.seen), value=0.5))
    )
    other = replace(result, candidates=(worse, *result.candidates[1:]))
    places = {one.place for one in differences(numbers, SELECTION.numbers(plan, other))}
    assert "candidates[1].unfairness.value" in places


def test_a_bare_plan_is_read_and_gets_the_defaults(case: tuple[SelectionPlan, SelectionResult, Path]) -> None:
    plan = case[0]
    bare = {"data": plan.data.model_dump(mode="json"), "roles": plan.roles.model_dump(mode="json")}
    record = SELECTION.read(json.dumps(bare))
    assert record.numbers is None
    assert record.plan == SelectionPlan(data=plan.data, roles=plan.roles)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "evenhand-record", "version": 2}',
        '{"format": "evenhand-selection", "version": 99}',
        '{"format": "evenhand-selection", "version": 1, "plan": {"data": 3}}',
        '{"data": {"kind": "hiring"}, "roles": {"outcome": "hired"}}',
    ],
)
def test_what_is_no_record_of_a_selection_is_refused_in_words(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        SELECTION.read(text)
    assert caught.value.advice


def test_the_page_holds_numbers_figures_and_settings_but_no_persons_row(
    case: tuple[SelectionPlan, SelectionResult, Path],
) -> None:
    plan, result, _ = case
    page = SELECTION.page(plan, result)
    text = page.split("<script>")[0]
    for part in (
        "The candidates",
        "What the models go by",
        "Hold for all candidates together",
        "python -m core run",
    ):
        assert part in page
    assert "had no part in the choice" in text
    assert all(one.name in page for one in result.candidates)
    assert "row 1" not in text.lower()


def test_a_page_without_a_choice_says_that_nothing_was_audited(tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    frame = judged(1500, ((0, 1, 2), (3, 4, 5)), seed=3)
    plan = judged_plan(frame, files, decision=TransportDecision(delta=0.0))
    page = SELECTION.page(plan, run_selection(plan, files))
    assert "No model may be chosen" in page
    assert "the rows of the audit were not looked at" in page


def test_markup_in_names_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    frame = people().rename(columns={"town": HOSTILE[0]})
    roles = ROLES.model_copy(update={"features": ("skill", HOSTILE[0], "sex")})
    plan = plan_for(frame, files, roles=roles, decision=LENIENT)
    page = SELECTION.page(plan, run_selection(plan, files))
    assert "<b onclick" not in page.lower()
    assert "&lt;b onclick" in page.lower()


def test_the_table_tells_what_holds_for_all_candidates_together(
    case: tuple[SelectionPlan, SelectionResult, Path],
) -> None:
    plan, result, _ = case
    frame = pd.DataFrame(*[candidate_table(result, plan.rule, decision_of(plan, result)).rows])
    header = candidate_table(result, plan.rule, decision_of(plan, result)).header
    frame.columns = pd.Index(header)
    assert (frame["Choice"] == "chosen").sum() == 1
    assert set(frame["All together"]) <= {"fair", "unfair", "undecided"}
    assert frame["All together"].iloc[0] == "fair"


def test_the_command_chooses_writes_and_repeats_to_the_last_digit(
    case: tuple[SelectionPlan, SelectionResult, Path], tmp_path: Path
) -> None:
    folder, out = case[2], tmp_path / "out"
    first = runner.invoke(app, ["run", str(folder / "plan.json"), "--out", str(out)])
    assert first.exit_code == 0, first.output
    written = {path.name for path in out.iterdir()}
    assert {"record.json", "report.html", "audit.json", "audit-rows.parquet", "result"} <= written
    assert any(name.startswith("logistic-") and name.endswith(".safetensors") for name in written)
    (out / "people.csv").write_bytes((folder / "people.csv").read_bytes())
    second = runner.invoke(app, ["run", str(out / "record.json"), "--out", str(tmp_path / "again")])
    assert "the same as in the record, to the last digit" in second.output
    html = [(path / "report.html").read_bytes() for path in (out, tmp_path / "again")]
    assert html[0] == html[1]
    audit = runner.invoke(app, ["run", str(out / "audit.json"), "--out", str(tmp_path / "audit")])
    assert audit.exit_code == 0, audit.output


def test_strict_fails_where_no_model_may_be_chosen(tmp_path: Path) -> None:
    files = FileStore(tmp_path / "files")
    frame = judged(1500, ((0, 1, 2), (3, 4, 5)), seed=3)
    plan = judged_plan(frame, files, decision=TransportDecision(delta=0.0))
    (tmp_path / "people.csv").write_bytes(frame.to_csv(index=False).encode())
    (tmp_path / "plan.json").write_text(plan.model_dump_json())
    command = ["run", str(tmp_path / "plan.json"), "--out", str(tmp_path / "out")]
    assert runner.invoke(app, command).exit_code == 0
    strict = runner.invoke(app, [*command, "--fail-on", "insufficient"])
    assert strict.exit_code == 3
    assert "No model may be chosen" in strict.output
    assert not (tmp_path / "out" / "audit.json").exists()


def test_labels_stand_in_words_and_page_and_change_no_number(
    case: tuple[SelectionPlan, SelectionResult, Path],
) -> None:
    plan, result, _ = case
    labels = (Label(column="sex", label="gender"), Label(column="hired", value="yes", label="taken on"))
    told = plan.model_copy(update={"roles": plan.roles.model_copy(update={"labels": labels})})
    assert "gender" not in SELECTION.page(plan, result)
    page = SELECTION.page(told, result)
    assert "gender" in page
    assert "taken on" in page
    assert SELECTION.numbers(told, result) == SELECTION.numbers(plan, result)
