"""The command line repeats a record to the last digit and answers every wrong input with a sentence."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.base.files import FileStore
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.records.codec import load_result
from tests.command_line import Ran, command
from tests.core.report.test_statement import COMPLETE

Cli = Callable[..., Ran]


@pytest.fixture
def cli() -> Cli:
    return command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``people.csv``, ``model.safetensors`` and the bare plan ``audit.json`` that names both."""
    home = tmp_path_factory.mktemp("audit")
    prepare(home)
    return home


def prepare(home: Path) -> None:
    import torch

    from core.audits.gradient_flow.decision import GradientFlowDecision
    from core.audits.gradient_flow.settings import GradientFlow
    from core.data.encoder import Encoder
    from core.metrics import Expert
    from core.models import TorchMLP
    from core.models.formats.safetensors.source import write_mlp
    from core.sources import TwoGroups, UploadedTable

    source = TwoGroups(rows=300, seed=3)
    frame = source.load(FileStore(home))
    frame.to_csv(home / "people.csv", index=False)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        network = torch.nn.Sequential(torch.nn.Linear(2, 6), torch.nn.ReLU(), torch.nn.Linear(6, 2))
    write_mlp(home / "model.safetensors", network, encoder=Encoder.fit(frame, ("x1", "x2")), classes=("0", "1"))
    store = FileStore(home / "store")
    plan = AuditPlan(
        data=UploadedTable(file=store.put((home / "people.csv").read_bytes(), "people.csv")),
        roles=source.roles(frame),
        model=TorchMLP(file=store.put((home / "model.safetensors").read_bytes(), "model.safetensors")),
        audit=GradientFlow(metric=Expert(free=("x1",)), regularisation=20.0, steps=40, step_size=0.02),
        decision=GradientFlowDecision(delta=1.05),
        seed=5,
    )
    shutil.rmtree(home / "store")
    (home / "audit.json").write_text(plan.model_dump_json())


@pytest.fixture(scope="module")
def record(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of one run, in a folder of its own with nothing beside it."""
    from core.records.repeat import repeat, write

    out = tmp_path_factory.mktemp("first") / "out"
    write(repeat(AUDITS.read((folder / "audit.json").read_bytes()), folder), out)
    alone = tmp_path_factory.mktemp("alone") / "record.json"
    shutil.copy(out / "record.json", alone)
    return alone


def files(folder: Path) -> list[object]:
    return ["--file", folder / "people.csv", "--file", folder / "model.safetensors"]


def read_plan(text: str) -> AuditPlan:
    (plan,) = AUDITS.read(text).plan.plans
    return plan


def change(record: Path, target: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    tree = json.loads(record.read_text())
    edit(tree)
    target.write_text(json.dumps(tree))
    return target


def test_a_plan_runs_with_the_files_beside_it(cli: Cli, folder: Path, tmp_path: Path) -> None:
    ran = cli("run", folder / "audit.json", "--out", tmp_path / "out")
    assert ran.status == 0, ran.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["record.json", "report.html", "result-1"]
    result = load_result(tmp_path / "out" / "result-1")
    assert result.data.rows_audited == 300
    assert "Loss ratio" in ran.out
    assert "100%" in ran.err
    assert "same as in the record" not in ran.out


def test_a_record_repeats_to_the_last_digit(cli: Cli, folder: Path, record: Path, tmp_path: Path) -> None:
    ran = cli("run", record, "--out", tmp_path / "again", *files(folder))
    assert ran.status == 0, ran.err
    assert "The numbers are the same as in the record, to the last digit." in ran.out
    first, second = json.loads(record.read_text()), json.loads((tmp_path / "again" / "record.json").read_text())
    for one in (first, second):
        one["tests"][0].pop("seconds")
    assert first == second


def test_a_statement_is_put_into_record_and_report_and_stays_there(
    cli: Cli, folder: Path, record: Path, tmp_path: Path
) -> None:
    stated = tmp_path / "statement.json"
    stated.write_text(COMPLETE.model_dump_json())
    one, two = tmp_path / "one", tmp_path / "two"
    assert cli("run", record, "--out", one, "--statement", stated, *files(folder)).status == 0
    assert cli("run", one / "record.json", "--out", two, *files(folder)).status == 0
    for out in (one, two):
        assert AUDITS.read((out / "record.json").read_bytes()).statement == COMPLETE
        assert "Agreed with the regulator." in (out / "report.html").read_text()


@pytest.mark.parametrize("text", ['{"auditor": 1}', '{"odd": ""}', "{"])
def test_a_wrong_statement_is_told_before_anything_runs(
    cli: Cli, folder: Path, record: Path, tmp_path: Path, text: str
) -> None:
    (tmp_path / "statement.json").write_text(text)
    ran = cli("run", record, "--out", tmp_path / "out", "--statement", tmp_path / "statement.json", *files(folder))
    assert ran.status == 2
    assert "The statement cannot be read" in ran.err
    assert not (tmp_path / "out").exists()


def test_a_tampered_number_is_named(cli: Cli, folder: Path, record: Path, tmp_path: Path) -> None:
    def edit(tree: dict[str, Any]) -> None:
        tree["tests"][0]["numbers"]["parts"]["intervals"][0]["estimate"] += 1e-12
        tree["versions"] |= {"torch": "0.1", "accelerator": "Some 1"}

    ran = cli("run", change(record, tmp_path / "r.json", edit), "--out", tmp_path / "out", *files(folder))
    assert ran.status == 5
    assert "differ from the record in 1 place:" in ran.out
    assert "[1].parts.intervals[1].estimate" in ran.out
    assert "the record used 0.1" in ran.out
    assert "was computed on the accelerator Some 1 and this run on the processor: last digits differ." in ran.out


def test_the_cache_of_uploads_serves_too(
    cli: Cli, folder: Path, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    for name in ("people.csv", "model.safetensors"):
        FileStore().put((folder / name).read_bytes(), name)
    assert cli("run", record, "--out", tmp_path / "out").status == 0


def test_another_tolerance_is_read_without_spoiling_the_comparison(
    cli: Cli, folder: Path, record: Path, tmp_path: Path
) -> None:
    ran = cli("run", record, "--out", tmp_path, "--delta", 50, "--alpha", 0.01, *files(folder))
    assert ran.status == 0
    assert "δ = 50" in ran.out
    assert "same as in the record" in ran.out
    assert read_plan((tmp_path / "record.json").read_text()).decision.delta == 50


def test_the_exit_status_follows_the_verdict_only_when_asked(
    cli: Cli, folder: Path, record: Path, tmp_path: Path
) -> None:
    lower = json.loads(record.read_text())["tests"][0]["numbers"]["parts"]["intervals"][0]["low"]
    estimate = json.loads(record.read_text())["tests"][0]["numbers"]["parts"]["intervals"][0]["estimate"]
    assert lower > 1.0

    def status(delta: float, *more: str) -> int:
        return cli("run", record, "--out", tmp_path / "o", "--delta", delta, *more, *files(folder)).status

    assert status(1.0) == 0
    assert status(1.0, "--fail-on", "violation") == 3
    assert status(1.0, "--fail-on", "insufficient") == 3
    assert status(estimate, "--fail-on", "violation") == 0
    assert status(estimate, "--fail-on", "insufficient") == 4
    assert status(60.0, "--fail-on", "insufficient") == 0


def test_results_appear_whole_or_not_at_all(cli: Cli, folder: Path, record: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file, not a folder")
    ran = cli("run", record, "--out", tmp_path / "out", *files(folder))
    assert ran.status == 2
    assert "cannot be written" in ran.err


def wrong_records(record: Path, target: Path) -> dict[str, tuple[Path, str]]:
    """A wrong record of each kind, and what its message says."""
    texts = {"empty": "", "prose": "Dear auditor", "list": "[]", "other": '{"format": "something"}'}
    made = {}
    for name, text in texts.items():
        made[name] = target / f"{name}.json"
        made[name].write_text(text)
    cut = target / "cut.json"
    cut.write_bytes(record.read_bytes()[:5000])
    binary = target / "binary.json"
    binary.write_bytes(b"\x80\x81\x82")
    return {
        "missing": (target / "nowhere.json", "cannot be read"),
        "folder": (target, "cannot be read"),
        "empty": (made["empty"], "not JSON"),
        "prose": (made["prose"], "not JSON"),
        "list": (made["list"], "neither a record nor a plan"),
        "other": (made["other"], "neither a record nor a plan"),
        "cut off": (cut, "was cut off"),
        "binary": (binary, "not stored as UTF-8"),
        "version": (change(record, target / "v.json", lambda tree: tree.update(version=99)), "version 99"),
        "setting": (
            change(record, target / "s.json", lambda tree: tree["tests"][0]["plan"]["audit"].update(step_size=-1)),
            "audit › step_size",
        ),
        "source": (
            change(record, target / "d.json", lambda tree: tree["tests"][0]["plan"]["data"].update(kind="oracle")),
            "setting in the record is wrong",
        ),
        "column": (
            change(record, target / "c.json", lambda tree: tree["tests"][0]["plan"]["roles"].update(outcome="z")),
            "no column",
        ),
    }


@pytest.mark.parametrize(
    "kind",
    [
        *("missing", "folder", "empty", "prose", "list", "other", "cut off", "binary"),
        *("version", "setting", "source", "column"),
    ],
)
def test_a_wrong_record_gets_a_sentence_and_no_traceback(
    cli: Cli, folder: Path, record: Path, tmp_path: Path, kind: str
) -> None:
    path, message = wrong_records(record, tmp_path)[kind]
    ran = cli("run", path, "--out", tmp_path / "out", *files(folder))
    assert ran.status == 2
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert "What to do: " in ran.err
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_named_with_its_fingerprint(
    cli: Cli, folder: Path, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    ran = cli("run", record, "--out", tmp_path / "out", "--file", folder / "people.csv")
    assert ran.status == 2
    assert "model.safetensors was not found" in ran.err
    assert read_plan(record.read_text()).model.file.sha256 in ran.err
    assert "--file" in ran.err


def test_a_changed_file_is_refused_with_both_fingerprints(cli: Cli, folder: Path, record: Path, tmp_path: Path) -> None:
    changed = tmp_path / "people.csv"
    changed.write_bytes((folder / "people.csv").read_bytes() + b"\n")
    ran = cli("run", record, "--out", tmp_path / "out", "--file", changed)
    assert ran.status == 2
    assert "none of those the record names" in ran.err
    assert read_plan(record.read_text()).data.file.sha256 in ran.err


def test_a_file_that_is_not_there_is_named(cli: Cli, record: Path, tmp_path: Path) -> None:
    ran = cli("run", record, "--out", tmp_path / "out", "--file", tmp_path / "gone.csv")
    assert ran.status == 2
    assert "gone.csv cannot be read" in ran.err


@pytest.mark.parametrize(("option", "value"), [("--delta", "0.5"), ("--alpha", "0.9"), ("--delta", "nan")])
def test_decision_settings_out_of_range_are_refused(
    cli: Cli, record: Path, tmp_path: Path, option: str, value: str
) -> None:
    ran = cli("run", record, "--out", tmp_path / "out", option, value)
    assert ran.status == 2
    assert f"{option} is out of range" in ran.err


def test_names_cannot_speak_to_the_terminal(cli: Cli, record: Path, tmp_path: Path) -> None:
    path = change(
        record, tmp_path / "r.json", lambda tree: tree["tests"][0]["plan"]["model"]["file"].update(name="\x1b[2Jmodel")
    )
    ran = cli("run", path, "--out", tmp_path / "out")
    assert ran.status == 2
    assert "\x1b" not in ran.err


def test_unknown_options_and_examples_are_refused(cli: Cli, record: Path, tmp_path: Path) -> None:
    assert cli("run", record, "--out", tmp_path, "--fail-on", "anything").status == 2
    assert cli("run").status == 2
    ran = cli("example", "nonsense", "--out", tmp_path)
    assert ran.status == 2
    assert "no example 'nonsense'" in ran.err


def test_the_examples_are_listed(cli: Cli) -> None:
    ran = cli("examples")
    assert ran.status == 0
    assert "hiring-baseline" in ran.out


def test_help_loads_no_heavy_library() -> None:
    program = (
        "import sys; sys.argv = ['core', '--help']\n"
        "from core.cli.app import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(*sorted({'torch', 'sklearn', 'pandas', 'plotly'} & set(sys.modules)), sep=',', end='!')"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("\n!")
