"""Hostile names, files and failures around the transport test in the dashboard."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.audits.transport.preview import preview
from core.audits.transport.settings import CellColumn, MassLimit, Transport
from core.base.errors import SettingsError
from core.base.files import FileStore, home
from core.base.progress import ignore_progress
from core.data.dataset import Dataset
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from dashboard.audits.transport.cell_list import as_csv
from dashboard.jobs.tasks import TASKS
from tests.builders_transport import make_people, make_transport_settings

FORMULAS = ("=1+1", " =1+1", "\t+1", "\n@SUM(1)", "\u200b-1", "\ufeff=1", "＝1+1", "a\n=1+1", '"=1"', "|cmd", "%0A")


def test_no_kind_becomes_a_formula_however_its_name_begins() -> None:
    frame, roles = make_people(330)
    frame["charge"] = np.array(FORMULAS)[np.arange(330) % len(FORMULAS)]
    listed = as_csv(preview(Dataset.build(frame, roles), (CellColumn(name="charge"),)).cells)
    fields = [field for record in csv.reader(io.StringIO(listed.decode("utf-8-sig"))) for field in record]
    assert any("SUM" in field for field in fields)
    for field in fields:
        assert field.isprintable(), field
        assert not field.strip().startswith(("=", "+", "-", "@", "|", "%", "＝")), field


def plan_of(files: FileStore, **settings: Any) -> AuditPlan:
    frame, roles = make_people(400)
    return AuditPlan(
        data=UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "people.csv")),
        roles=roles,
        model=PredictionColumns(columns=roles.predictions[:1], holds="labels"),
        audit=make_transport_settings(draws=200, **settings),
        seed=0,
    )


def test_a_test_that_fails_leaves_the_other_its_result_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    files = FileStore()
    good = plan_of(files)
    bad = plan_of(files, limits=(MassLimit(attribute="sex", group="Mael", at_most=0.1),))
    study = json.loads(Study(plans=(good, bad)).model_dump_json())
    with pytest.raises(SettingsError, match="group 'Mael'") as refused:
        TASKS["audit"].run({"study": study}, files, ignore_progress)
    assert refused.value.where.startswith("transport test")
    assert refused.value.advice.endswith("What the transport test found is kept: leave this test out to see it.")
    assert (home() / "results" / good.result_fingerprint / "result.json").is_file()
    alone = json.loads(Study(plans=(good,)).model_dump_json())
    answer = TASKS["audit"].run({"study": alone}, files, ignore_progress)
    assert answer["results"] == [good.result_fingerprint]
    first = json.loads(Study(plans=(bad, good)).model_dump_json())
    (home() / "results" / good.result_fingerprint / "code").unlink()
    with pytest.raises(SettingsError) as refused:
        TASKS["audit"].run({"study": first}, files, ignore_progress)
    assert "is kept" not in refused.value.advice


def test_settings_of_a_transport_test_are_no_path(tmp_path: Path) -> None:
    """The matrix is found by its fingerprint, so a name in a record cannot lead anywhere."""
    tree = {"similarity": {"kind": "own_cost", "file": {"name": "../x", "sha256": "../../etc/passwd", "bytes": 1}}}
    with pytest.raises(ValueError, match="sha256"):
        Transport.model_validate(tree)
