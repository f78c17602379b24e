"""The command line runs and repeats a sensitivity audit of columns to the last digit."""

import json
import sys
from pathlib import Path

import pandas as pd
import pytest
import torch

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.files import FileStore
from core.cli.app import main
from core.data.encoder import Encoder
from core.data.roles import Roles
from core.models import TorchMLP
from core.models.formats.safetensors.source import write_mlp
from core.plan import AuditPlan
from core.records.codec import load_result
from core.sources import UploadedTable
from core.workflows.papers.sensitivity import HIRING
from tests.core.audits.column_sensitivity.test_column_sensitivity import people


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``people.csv``, ``model.safetensors`` and the plan ``audit.json`` that names both."""
    home = tmp_path_factory.mktemp("columns")
    frame = people(400).frame.assign(female=lambda table: table["female"].map({0: "no", 1: "yes"}))
    frame.to_csv(home / "people.csv", index=False)
    encoder = Encoder.fit(pd.read_csv(home / "people.csv"), HIRING)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        network = torch.nn.Sequential(torch.nn.Linear(encoder.width, 6), torch.nn.ReLU(), torch.nn.Linear(6, 2))
    write_mlp(home / "model.safetensors", network, encoder=encoder, classes=("no", "yes"))
    store = FileStore(tmp_path_factory.mktemp("store"))
    plan = AuditPlan(
        data=UploadedTable(file=store.put((home / "people.csv").read_bytes(), "people.csv")),
        roles=Roles(outcome="hired", favourable="yes", protected=("female",), features=HIRING),
        model=TorchMLP(file=store.put((home / "model.safetensors").read_bytes(), "model.safetensors")),
        audit=ColumnSensitivity(through=("hair",)),
        decision=ColumnSensitivityDecision(delta=0.03),
        seed=5,
    )
    (home / "audit.json").write_text(plan.model_dump_json())
    return home


def ran(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["core", *map(str, arguments)])
    status: object = 0
    try:
        main()
    except SystemExit as end:
        status = end.code or 0
    assert status == 0


def test_a_plan_runs_and_its_record_repeats_to_the_last_digit(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(monkeypatch, "run", folder / "audit.json", "--out", tmp_path / "one")
    assert "utting people into the other group of female changes the answer by" in capsys.readouterr().out
    result = load_result(tmp_path / "one" / "result-1")
    assert result.data.rows_audited == len(result.detail.attributes[0].codes) == 280
    assert result.detail.learned_on == 120
    files = [part for name in ("people.csv", "model.safetensors") for part in ("--file", folder / name)]
    ran(monkeypatch, "run", tmp_path / "one" / "record.json", "--out", tmp_path / "two", *files)
    assert "The numbers are the same as in the record, to the last digit." in capsys.readouterr().out
    first, second = (json.loads((tmp_path / name / "record.json").read_text()) for name in ("one", "two"))
    for record in (first, second):
        record["tests"][0].pop("seconds")
    assert first == second


def test_another_seed_learns_from_other_rows(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = json.loads((folder / "audit.json").read_text())
    (folder / "other.json").write_text(json.dumps({**plan, "seed": 6}))
    for name in ("audit", "other"):
        ran(monkeypatch, "run", folder / f"{name}.json", "--out", tmp_path / name)
    one, other = (load_result(tmp_path / name / "result-1").detail.attributes[0] for name in ("audit", "other"))
    assert one.change.tobytes() != other.change.tobytes()
