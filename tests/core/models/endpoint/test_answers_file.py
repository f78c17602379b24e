"""A record of a model behind an address repeats elsewhere and without it, from the answers that lie beside it."""

import json
from pathlib import Path

import pandas as pd
import pytest

from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.group_fairness.settings import GroupFairness
from core.base.errors import EvenhandError, ModelError, RecordError
from core.base.files import FileStore
from core.data.roles import Roles
from core.models.endpoint.address import ALLOWED
from core.models.endpoint.kept import KeptAnswers, file_name
from core.models.endpoint.source import ModelEndpoint
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.records.repeat import keep_files, repeat, write
from core.records.workflow import Record, read_record
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from tests.model_server import ModelServer

FRAME = pd.DataFrame(
    {"income": [10 + 7 * n % 80 for n in range(120)], "sex": ["f", "m", "m"] * 40, "hired": ["no", "yes"] * 60}
)


@pytest.fixture
def record(server: ModelServer, tmp_path: Path) -> Path:
    """The folder of an audit whose model was asked."""
    files, out = FileStore(), tmp_path / "out"
    table = files.put(FRAME.to_csv(index=False).encode(), "people.csv")
    roles = Roles(outcome="hired", favourable="yes", protected=("sex",), features=("income", "sex"))
    shared = {
        "data": UploadedTable(file=table),
        "roles": roles,
        "model": ModelEndpoint(endpoint=server.settings("open inference", asked_as_of="2026-11-23")),
    }
    study = Study(plans=tuple(AuditPlan(**shared, audit=audit) for audit in (ColumnSensitivity(), GroupFairness())))
    written = write(repeat(Record(AUDITS, study), files.root), out)
    keep_files(study, files, out)
    assert file_name(shared["model"].endpoint.identity) in written
    return out


def repeated(record: Path) -> object:
    read = read_record((record / "record.json").read_bytes(), (AUDITS,))
    return repeat(read, record).differences


def test_a_record_repeats_elsewhere_without_the_model(
    server: ModelServer, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (record / "record.json").read_text()
    assert "asked on 20" in text
    assert "open inference" in text
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.delenv(ALLOWED)
    asked = server.rows
    assert repeated(record) == ()
    assert server.rows == asked
    (answers,) = record.glob("answers-*.json")
    answers.unlink()
    with pytest.raises(ModelError, match="not allowed to contact"):
        repeated(record)


def test_answers_that_are_none_are_refused(server: ModelServer, record: Path) -> None:
    (answers,) = record.glob("answers-*.json")
    whole = json.loads(answers.read_bytes())
    for wrong in (
        b"{",
        b"[" * 100_000,
        json.dumps({**whole, "answers": [["00", [0.5], 1.0, ""]]}).encode(),
        json.dumps({**whole, "answers": [["0" * 64, [None], 1.0, ""]]}).encode(),
        json.dumps({**whole, "identity": "0" * 64}).encode(),
    ):
        answers.write_bytes(wrong)
        with pytest.raises(EvenhandError, match="answers") as refused:
            repeated(record)
        assert isinstance(refused.value, RecordError)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    one, other = KeptAnswers("a", tmp_path / "one"), KeptAnswers("a", tmp_path / "other")
    one.put([bytes([n]) * 32 for n in range(3)], [(0.1, 0.9), ("yes",), (True, 3)], "7")
    one.note(3, 1, 1)
    other.take(one.written(), "answers.json")
    assert other.written() == one.written()
    assert other.history == one.history
    assert list(other.get([bytes([2]) * 32]).values()) == [(True, 3)]
