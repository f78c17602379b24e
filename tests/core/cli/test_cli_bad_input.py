"""Bad tables, models and settings on the command line: a message with its advice, status 2, and nothing written."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.gradient_flow.settings import GradientFlow
from core.base.files import FileStore
from core.cli.app import main
from core.data.roles import Roles
from core.metrics.expert import Expert
from core.models import MODEL_FORMATS
from core.plan import AuditPlan
from core.sources.upload.uploaded import UploadedTable
from tests.dashboard import bad_files as bad

Cli = Callable[[Path], str]

TABLES: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "empty": ("a.csv", lambda: b"", "The file is empty"),
    "header only": ("a.csv", lambda: b"age,sex,income,hired\n", "a header but no records"),
    "ragged": ("a.csv", lambda: bad.GOOD + b"1,f,2,yes,extra\n", "record 121"),
    "text among numbers": ("a.csv", lambda: bad.people(age=lambda i: "abc" if i == 7 else i), "row 8"),
    "infinite": ("a.csv", lambda: bad.people(income=lambda i: "inf" if i == 7 else i), "row 8"),
    "one outcome": ("a.csv", lambda: bad.people(hired=lambda i: "yes"), "the same outcome"),
    "one group": ("a.csv", lambda: bad.people(sex=lambda i: "f"), "the same group"),
    "few rows": ("a.csv", lambda: bad.people(29), "at least 30"),
    "not what its name says": ("a.xlsx", lambda: bad.GOOD, "named like a"),
    "a category for everybody": ("a.csv", lambda: bad.people(20_000, age=lambda i: f"n{i}"), "too many categories"),
    "too large to standardise": ("a.csv", lambda: bad.people(income=lambda i: (-1) ** i * 1e308), "too large"),
    "outcome without a class": ("a.csv", lambda: bad.people(hired=lambda i: ("yes", "no", "perhaps")[i % 3]), "3 out"),
}

MODELS: dict[str, tuple[str, Callable[[str], bytes], str]] = {
    "pickle": ("torch_mlp", bad.evil_pickle, "pickle"),
    "joblib": ("sklearn", bad.compressed_joblib, "joblib"),
    "checkpoint": ("torch_mlp", bad.torch_checkpoint, "save_file"),
    "TorchScript": ("torch_mlp", lambda _: bad.torchscript(), "TorchScript"),
    "pt2": ("onnx", lambda _: bad.pt2(), "torch.export"),
    "zip bomb": ("sklearn", lambda _: bad.skops_bomb(), "times its size"),
    "untrusted skops": ("sklearn", lambda _: bad.untrusted_skops(), "not on the fixed list"),
    "lying header": ("torch_mlp", lambda _: bad.lying_safetensors(), "What to do"),
    "truncated": ("torch_mlp", lambda _: bad.network(2)[:150], "What to do"),
    "external data": ("onnx", lambda _: bad.external_onnx(), "in another file"),
    "wrong width": ("torch_mlp", lambda _: bad.network(7), "reads 7 numbers a row"),
    "not a number": ("torch_mlp", lambda _: bad.network(2, fill=float("nan")), "not "),
    "foreign labels": ("sklearn", lambda _: bad.foreign_labels(), "no class for the outcome"),
}

SETTINGS: dict[str, tuple[tuple[str, str, Any], str]] = {
    "unstable": (("audit", "step_size", 1.0), "unstable"),
    "negative weight": (("audit", "regularisation", -1.0), "regularisation"),
    "no weight at all": (("audit", "regularisation", 1e9), "regularisation"),
    "no steps": (("audit", "steps", 0), "steps"),
    "small tolerance": (("decision", "delta", 0.5), "delta"),
    "tolerance that is no number": (("decision", "delta", "many"), "delta"),
}


@pytest.fixture
def refuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a record and return what was said; it must be refused."""

    def run(record: Path) -> str:
        monkeypatch.setattr(sys, "argv", ["core", "run", str(record), "--out", str(tmp_path / "out")])
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr().err
        assert end.value.code == 2
        assert "Error: " in said
        assert "What to do: " in said
        assert "Traceback" not in said
        assert not (tmp_path / "out").exists()
        return said

    return run


def record(
    folder: Path,
    table: tuple[str, bytes] = ("people.csv", bad.GOOD),
    model: tuple[str, bytes] | None = None,
    change: tuple[str, str, Any] | None = None,
) -> Path:
    """A plan with its files beside it; ``change`` sets a field of a part, however wrong."""
    kind, content = model if model is not None else ("torch_mlp", bad.network(2))
    store = FileStore(folder / "store")
    reads = {"numbers": "standardised"} if kind in ("torch_mlp", "onnx") else {}
    plan = AuditPlan(
        data=UploadedTable(file=store.put(table[1], table[0])),
        roles=Roles(outcome="hired", favourable="yes", protected=("sex",), features=("age", "income")),
        model=MODEL_FORMATS[kind](file=store.put(content, "model.bin"), **reads),
        audit=GradientFlow(metric=Expert(free=("age",)), steps=5, step_size=0.01, integrator="euler"),
        decision=GradientFlowDecision(),
        seed=1,
    )
    (folder / table[0]).write_bytes(table[1])
    (folder / "model.bin").write_bytes(content)
    tree = json.loads(plan.model_dump_json())
    if change is not None:
        tree[change[0]][change[1]] = change[2]
    (folder / "audit.json").write_text(json.dumps(tree))
    return folder / "audit.json"


@pytest.mark.parametrize("case", TABLES)
def test_a_bad_table_is_refused(refuse: Cli, tmp_path: Path, case: str) -> None:
    name, make, says = TABLES[case]
    assert says in refuse(record(tmp_path, (name, make())))


@pytest.mark.parametrize("case", MODELS)
def test_a_bad_model_is_refused_and_runs_nothing(refuse: Cli, tmp_path: Path, case: str) -> None:
    kind, make, says = MODELS[case]
    sentinel = tmp_path / "executed"
    assert says in refuse(record(tmp_path, model=(kind, make(str(sentinel)))))
    assert not sentinel.exists()


@pytest.mark.parametrize("case", SETTINGS)
def test_a_setting_out_of_range_is_refused(refuse: Cli, tmp_path: Path, case: str) -> None:
    change, says = SETTINGS[case]
    assert says in refuse(record(tmp_path, change=change))


@pytest.mark.parametrize("name", ["../../../etc/passwd.csv", "/etc/passwd.csv", "\u202egnp.csv", "a" * 300 + ".csv"])
def test_a_file_name_in_a_record_is_never_a_path(refuse: Cli, tmp_path: Path, name: str) -> None:
    change = ("data", "file", {"name": name, "sha256": "0" * 64, "bytes": 10})
    assert "was not found" in refuse(record(tmp_path, change=change))
