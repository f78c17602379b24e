"""The transport test on the command line: what cannot be is refused in a sentence, and nothing is left out unsaid."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.audits.transport.settings import OwnCost, Transport
from core.base.errors import RecordError
from core.base.files import FileStore
from core.cli.app import main
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.records import document
from core.records.audits import AUDITS
from core.sources.upload.uploaded import UploadedTable
from tests.builders_transport import make_people, make_transport_settings

Change = Callable[[dict[str, Any]], Any]
Ran = tuple[int, str, str]
Cli = Callable[..., Ran]


def audit(**fields: Any) -> Change:
    return lambda plan: plan["audit"].update(fields)


def decision(**fields: Any) -> Change:
    return lambda plan: plan["decision"].update(fields)


def sex(**limit: float) -> dict[str, Any]:
    return {"attribute": "sex", "group": "Male", **limit}


def twice(other_table: bool) -> Change:
    def change(plan: dict[str, Any]) -> dict[str, Any]:
        other = json.loads(json.dumps(plan)) | {"seed": 1}
        if other_table:
            other["data"]["file"]["sha256"] = "1" * 64
        return {"plans": [plan, other] if other_table else [other | {"seed": seed} for seed in range(21)]}

    return change


REFUSED: dict[str, tuple[Change, str]] = {
    "more than there are": (audit(limits=[sex(at_least=0.9)]), "Male"),
    "limits against each other": (audit(limits=[sex(at_least=0.3, at_most=0.1)]), "At least 0.3"),
    "the same limit twice": (audit(limits=[sex(at_least=0.2), sex(at_most=0.1)]), "at most 10.00% can be"),
    "a group that does not occur": (
        audit(limits=[{"attribute": "sex", "group": "Mael", "at_most": 0.1}]),
        "belongs to the group 'Mael'",
    ),
    "an outcome that does not occur": (audit(label_budgets=[{"label": "maybe", "budget": 0.1}]), "'maybe'"),
    "a negative budget": (audit(label_budgets=[{"label": "yes", "budget": -0.1}]), "label_budgets"),
    "an infinite budget": (decision(budget=float("inf")), "finite"),
    "a budget that is no number": (decision(budget=float("nan")), "finite"),
    "a tolerance in words": (decision(delta="a little"), "delta"),
    "an unknown column": (audit(columns=[{"name": "agee"}]), "'agee' cannot tell people apart"),
    "limits that descend": (audit(columns=[{"name": "age", "edges": [40, 20]}]), "do not ascend"),
    "a limit that is no number": (audit(columns=[{"name": "age", "edges": [20, float("nan")]}]), "finite"),
    "limits for text": (audit(columns=[{"name": "race", "edges": [1, 2]}]), "column of text"),
    "a kind without a name": (audit(columns=[{"name": "charge", "merged": [["felony", " "]]}]), "without a name"),
    "a thousand limits": (audit(limits=[sex(at_most=0.1)] * 1000), "at most 200 entries"),
    "one group after merging": (
        audit(
            columns=[
                {"name": name, "merged": [[value, "all"] for value in values]}
                for name, values in (("race", ("Black", "White")), ("sex", ("Female", "Male")))
            ]
        ),
        "same protected group",
    ),
    "a model that cannot be asked": (audit(space="all groups"), "for nobody else"),
    "two tables": (twice(other_table=True), "share their table"),
    "very many tests": (twice(other_table=False), "at most 20 entries"),
}


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a plan, changed, on a changed table with a cost matrix perhaps; status, output and messages."""

    def run(change: Change = lambda _: None, *, costs: bytes | None = None, **columns: Any) -> Ran:
        frame, roles = make_people(400)
        store = FileStore(tmp_path / "store")
        table = frame.assign(**columns).to_csv(index=False).encode()
        settings: Transport = make_transport_settings(draws=200)
        if costs is not None:
            (tmp_path / "costs.csv").write_bytes(costs)
            settings = Transport(similarity=OwnCost(file=store.put(costs, "costs.csv")), columns=settings.columns[3:])
        plan = AuditPlan(
            data=UploadedTable(file=store.put(table, "people.csv")),
            roles=roles,
            model=PredictionColumns(columns=roles.predictions[:1], holds="labels"),
            audit=settings,
            seed=0,
        )
        (tmp_path / "people.csv").write_bytes(table)
        tree = json.loads(plan.model_dump_json())
        (tmp_path / "audit.json").write_text(json.dumps(change(tree) or tree))
        return said(tmp_path / "audit.json")

    def said(path: Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["core", "run", str(path), "--out", str(tmp_path / "out")])
        status: Any = 0
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        spoken = capsys.readouterr()
        return int(status), spoken.out, spoken.err

    return run


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(cli: Cli, tmp_path: Path, case: str) -> None:
    change, says = REFUSED[case]
    status, _, said = cli(change)
    assert status == 2
    assert says in said
    assert "What to do: " in said
    assert not (tmp_path / "out").exists()


def test_a_matrix_beside_the_record_is_found_though_nobody_uploaded_it_here(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "another machine"))
    status, out, err = cli(costs=b"0,0,0,0,0,0,0,0\n" * 8)
    assert (status, "insufficient" in out.lower() or "violation" in out.lower()) == (0, True), err


@pytest.mark.parametrize(
    ("wrong", "says"),
    [("maybe", "a prediction that is no outcome in 1 row: 'maybe' is the first"), ("x" * 10_000, "xxx… is the first")],
)
def test_a_prediction_that_is_no_outcome_is_named_in_short(cli: Cli, wrong: str, says: str) -> None:
    decisions = make_people(400)[0]["decision"].where(np.arange(400) != 7, wrong)
    status, _, said = cli(decision=decisions)
    assert status == 2
    assert says in said
    assert "column 'decision', row 8" in said
    assert len(said) < 500


def test_rows_that_are_left_out_are_counted(cli: Cli) -> None:
    decisions = make_people(400)[0]["decision"].where(np.arange(400) != 7)
    status, out, _ = cli(decision=decisions)
    assert status == 0
    assert "400 rows in the table, 1 left out for missing values, 399 audited" in out


def test_what_a_reader_has_to_know_is_told(cli: Cli) -> None:
    status, out, _ = cli(audit(columns=[{"name": "charge", "merged": [["felny", "x"]]}]))
    assert status == 0
    assert "1 value of 'charge' to be merged does not occur: 'felny'" in out


def test_kinds_of_one_person_are_told_with_coarser_ones(cli: Cli) -> None:
    ages = np.random.default_rng(0).normal(size=400)
    status, out, _ = cli(audit(columns=[{"name": name} for name in ("age", "race", "sex")]), age=ages)
    assert status == 0
    assert "Nobody is like 400 of 400 people (100%), so there are few to compare them with" in out
    assert "Tell people apart more coarsely, for example by age at " in out


def test_the_same_comparison_may_be_forbidden_many_times(cli: Cli) -> None:
    pair = {"attribute": "sex", "origin": "Male", "target": "Female"}
    status, often, _ = cli(audit(forbidden=[pair] * 200))
    assert (status, often) == (0, cli(audit(forbidden=[pair]))[1])


def test_a_record_of_endless_lists_is_refused_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "MOST_VALUES", 1000)
    for text in ('{"plans": [' + "1," * 1000 + "1]}", '{"plans": [{"a": [' + "[]," * 1000 + "1]}]}"):
        with pytest.raises(RecordError, match="more values, or nests them deeper, than any record"):
            AUDITS.read(text)
