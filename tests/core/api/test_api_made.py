"""Models that are trained to be fairer, or chosen, from Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import skops.io
import torch

from core import choose, fairer
from core.base.errors import SettingsError
from core.workflows.mitigation.wording import headline
from core.workflows.selection.settings import SelectionPlan
from tests.command_line import command
from tests.core.api.test_api_guesses import fitted, people

GIVEN: dict[str, Any] = {"outcome": "insured", "favourable": "yes", "protected": "sex", "progress": False}
FAST: dict[str, Any] = {**GIVEN, "methods": "reweighing", "strengths": [1.0], "dummies": 99}


def test_a_fairer_model_is_trained_and_repeated_from_its_record(tmp_path: Path) -> None:
    f = fairer(people(600), **FAST)
    plan, result = f._repeated.plan, f._repeated.result
    assert f.headline == headline(plan, result)
    assert repr(f).startswith(f.headline.removesuffix("."))
    assert [name for one in f.tables.values() for name in one.index][:2] == ["baseline", "Reweighing (λ = 1)"]
    assert "Features: 'age' and 'region'." in f.guesses
    folder = f.write(tmp_path / "out")
    assert {*f.files, "record.json", "report.html"} <= {path.name for path in folder.iterdir()}
    ran = command("run", folder / "record.json", "--out", tmp_path / "again")
    assert ran.status == 0, ran.err
    again, first = (json.loads((tmp_path / of / "record.json").read_text())["numbers"] for of in ("again", "out"))
    assert again == first


def test_a_model_is_chosen_among_files_or_fitted_ones(tmp_path: Path) -> None:
    files = []
    for columns in (["age", "region"], ["age", "sex", "region"]):
        files.append(tmp_path / f"model{len(columns)}.skops")
        skops.io.dump(fitted(columns), files[-1])
    among = choose(people(600), files, **GIVEN, decision={"delta": 0.5})
    assert isinstance(among._repeated.plan, SelectionPlan)
    assert among._repeated.plan.decision.delta == 0.5
    assert list(among.tables["The candidates"].index) == ["model2.skops", "model3.skops"]
    path = choose(people(600), **GIVEN, candidates={"kind": "logistic_path", "points": 3})
    assert len(path.tables["The candidates"]) == 3


def test_models_in_memory_and_columns_of_answers_are_candidates_as_files_are(tmp_path: Path) -> None:
    simple, reads_sex, table = fitted(["age", "region"]), fitted(["age", "sex", "region"]), people(600)
    files = [tmp_path / "simple.skops", tmp_path / "reads_sex.skops"]
    for model, file in zip((simple, reads_sex), files, strict=True):
        skops.io.dump(model, file)
    table_with = table.assign(simple=simple.predict(table))
    candidates: dict[str, tuple[pd.DataFrame, list[Any]]] = {
        "files": (table, files),
        "objects": (table, [simple, reads_sex]),
        "functions": (table, [simple.predict_proba, reads_sex.predict]),
        "a column and an object": (table_with, ["simple", reads_sex]),
    }
    found = {
        name: choose(frame, given, **GIVEN, audit={"columns": ["region"]}, decision={"delta": 0.5})
        for name, (frame, given) in candidates.items()
    }
    assert list(found["objects"].tables["The candidates"].index) == ["Pipeline (1)", "Pipeline (2)"]
    assert list(found["a column and an object"].tables["The candidates"].index) == ["simple", "Pipeline"]
    measured = {name: [one.confusion.tolist() for one in c._repeated.result.candidates] for name, c in found.items()}
    assert all(one == measured["files"] for one in measured.values())
    assert {c._repeated.result.chosen for c in found.values()} == {1}
    roles = found["a column and an object"]._repeated.plan.roles
    assert (roles.features, roles.predictions) == (("age", "region"), ("simple",))
    found["objects"].write(tmp_path / "out")
    ran = command("run", tmp_path / "out" / "record.json", "--out", tmp_path / "again")
    assert "an object in memory, which is not on record" in ran.err


def test_a_network_in_memory_reads_the_audited_rows_in_the_units_of_the_whole_table() -> None:
    networks = [torch.nn.Sequential(torch.nn.Linear(4, 2)) for _ in range(2)]
    with torch.no_grad():
        for network, more in zip(networks, (0.0, 1.0), strict=True):
            network[0].weight.copy_(torch.tensor([[-1.0, 0, 0, 0], [1.0, more, 0, 0]]))
            network[0].bias.zero_()
    c = choose(people(600), networks, numbers="standardised", **GIVEN, decision={"delta": 0.5})
    result = c._repeated.result
    assert result.audit is not None
    age = result.audit.model.encoder.columns[0]
    assert (age.name, age.mean) == ("age", pytest.approx(people(600)["age"].mean()))


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: fairer(people(), **FAST | {"methods": "magic"}), "methods cannot be taken: its kind must be one of"),
        (lambda: fairer(people(), strength=1, **GIVEN), "no choice 'strength'.*strengths"),
        (lambda: choose(people(), [fitted(["age"])] * 2, **GIVEN), "The same model is named twice"),
        (lambda: choose(people(), {"simple": fitted(["age"])}, **GIVEN), "Give a list, the simplest first"),
        (lambda: choose(people(), delta=0.1, **GIVEN), "no choice 'delta'.*decision"),
    ],
)
def test_what_is_wrong_is_a_sentence(call: Any, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        call()
