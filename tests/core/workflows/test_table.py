"""One command runs every workflow: plans and records say themselves what they are."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from core.base.errors import RecordError
from core.base.files import FileStore
from core.cli.app import app
from core.records.audits import AUDITS
from core.records.workflow import AbstractWorkflow, read_record
from core.workflows.comparison.record import COMPARISON
from core.workflows.comparison.settings import ComparedModel, ComparisonPlan
from core.workflows.mitigation.record import MITIGATION
from core.workflows.selection.record import SELECTION
from core.workflows.table import WORKFLOWS
from tests.builders import make_plan, make_result, make_study
from tests.core.workflows.mitigation.made import plan_of, result_of
from tests.core.workflows.selection.cases import judged, judged_plan

MADE = [(math.nan, np.arange(100) % 10 == 0, 0.001), (0.5, np.arange(100) % 5 == 0, 0.4)]


def plan_of_selection(folder: Path) -> Any:
    return judged_plan(judged(200, ((0, 1, 2), (3, 4, 5)), seed=3), FileStore(folder))


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_a_bare_plan_is_known_by_its_fields(workflow: AbstractWorkflow[Any, Any], tmp_path: Path) -> None:
    compared = ComparisonPlan(models=tuple(ComparedModel(name=name, study=make_study()) for name in ("a", "b")))
    plans = {AUDITS: make_plan(), SELECTION: plan_of_selection(tmp_path), MITIGATION: plan_of(), COMPARISON: compared}
    read = read_record(plans[workflow].model_dump_json(), WORKFLOWS)
    assert read.workflow is workflow
    assert read.numbers is None
    assert read.plan == (make_study() if workflow is AUDITS else plans[workflow])


def test_a_record_is_known_by_its_format() -> None:
    audit = AUDITS.to_json(make_study(), (make_result(),))
    mitigation = MITIGATION.to_json(plan_of(), result_of(MADE))
    assert read_record(audit, WORKFLOWS).workflow is AUDITS
    assert read_record(mitigation, WORKFLOWS).workflow is MITIGATION
    with pytest.raises(RecordError, match="neither a record nor a plan of a selection"):
        SELECTION.read(mitigation)
    with pytest.raises(RecordError, match="of an audit or a selection or a mitigation"):
        read_record('{"format": "something"}', WORKFLOWS)


def test_a_plan_that_could_be_two_things_is_refused_with_what_tells_them_apart() -> None:
    bare = {name: plan_of().model_dump(mode="json")[name] for name in ("data", "roles")}
    with pytest.raises(RecordError, match="may be one of a selection or a mitigation") as caught:
        read_record(json.dumps(bare), WORKFLOWS)
    assert "candidates" in caught.value.advice
    assert "strengths" in caught.value.advice
    assert MITIGATION.read(json.dumps(bare)).plan == plan_of()


def test_a_selection_of_the_first_version_is_read_under_the_present_names(tmp_path: Path) -> None:
    plan = plan_of_selection(tmp_path).model_dump(mode="json")
    plan["reading"] = plan.pop("decision")
    audit = make_plan().model_dump(mode="json")
    former = {**audit, "reading": audit["decision"]}
    del former["decision"]
    document = {"format": "evenhand-selection", "version": 1, "plan": plan, "numbers": {"audit": {"plan": former}}}
    read = SELECTION.read(json.dumps(document))
    assert read.since
    assert read.plan == plan_of_selection(tmp_path)
    assert read.numbers == {"audit": {"plan": audit}}


@pytest.mark.parametrize("option", ["--delta", "--alpha"])
def test_options_that_judge_an_audit_are_refused_elsewhere(option: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(plan_of().model_dump_json())
    ran = CliRunner().invoke(app, ["run", str(path), "--out", str(tmp_path / "out"), option, "0.1"])
    assert "Change them in the plan" in str(getattr(ran.exception, "advice", ""))
    assert not (tmp_path / "out").exists()


def test_former_commands_run_the_same(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text("{}")
    for command in ("run", "select", "fairer"):
        ran = CliRunner().invoke(app, [command, str(path), "--out", str(tmp_path / "out")])
        assert isinstance(ran.exception, RecordError)


def test_a_mitigation_has_a_page_with_its_chart_and_its_tables_and_no_verdict() -> None:
    plan, result = plan_of(), result_of(MADE)
    page = MITIGATION.page(plan, result)
    for part in ("Error and evidence of a violation", "Prediction sets", "python -m core run record.json", "λ = 0.5"):
        assert part in page
    assert 'class="verdict insufficient"' in page
    assert MITIGATION.verdict(plan, result) is None
