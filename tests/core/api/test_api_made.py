"""Models that are trained to be fairer, or chosen, from Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import skops.io

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


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: fairer(people(), **FAST | {"methods": "magic"}), "methods cannot be taken: its kind must be one of"),
        (lambda: fairer(people(), strength=1, **GIVEN), "no choice 'strength'.*strengths"),
        (lambda: choose(people(), [fitted(["age"])] * 2, **GIVEN), "Save each model as a file"),
    ],
)
def test_what_is_wrong_is_a_sentence(call: Any, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        call()
