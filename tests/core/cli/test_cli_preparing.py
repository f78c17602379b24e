"""``python -m core audit`` is told how a model file reads rows, and asks where the file does not say it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.command_line import Ran, command

RNG = np.random.default_rng(4)
PEOPLE = pd.DataFrame(
    {
        "income": RNG.integers(1, 9, 300) * 1_000,
        "sector": RNG.choice(["farm", "shop", "town"], 300),
        "sex": RNG.choice(["f", "m"], 300),
    }
)
PEOPLE["paid"] = np.where(PEOPLE["income"] + 2_000 * (PEOPLE["sector"] == "town") > 5_000, "yes", "no")
ROLES = ("--outcome", "paid", "--favourable", "yes", "--protected", "sex", "--tests", "group_fairness")
FEATURES = ("--features", "income", "--features", "sector")


@pytest.fixture
def brought(tmp_path: Path) -> Path:
    """A table, and a network that reads income as it is and sectors as numbers: shop 0, town 1, farm 2."""
    import torch
    from safetensors.torch import save_file

    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    weights = {"0.weight": torch.tensor([[0.001, 0.0]]), "0.bias": torch.tensor([-5.0])}
    save_file(weights, tmp_path / "m.safetensors")
    return tmp_path


def audit(folder: Path, *more: object) -> Ran:
    given = ("--table", folder / "people.csv", "--model", folder / "m.safetensors", "--out", folder / "out")
    return command("audit", *given, *ROLES, *FEATURES, *more)


def test_a_preprocessing_is_written_corrected_and_declared(brought: Path) -> None:
    ran = audit(brought)
    assert ran.status == 2
    assert "reads 2 numbers a row and the prepared table has 4" in ran.err
    assert "--encoding" in ran.err
    out = brought / "encoding.json"
    ran = command("encoding", "--table", brought / "people.csv", *FEATURES, "--numbers", "raw", "--out", out)
    assert ran.status == 0, ran.err
    assert "income, sector = farm, sector = shop, sector = town" in ran.out
    declared = json.loads(out.read_text())
    assert declared["columns"][0] == {"kind": "raw", "name": "income"}
    declared["columns"][1] = {"kind": "code", "name": "sector", "categories": ["shop", "town", "farm"]}
    out.write_text(json.dumps(declared))
    ran = audit(brought, "--encoding", out)
    assert ran.status == 0, ran.err
    assert "'paid = no', 'paid = yes', in ascending order" in ran.out
    record = json.loads((brought / "out" / "record.json").read_text())
    assert record["tests"][0]["plan"]["model"]["encoder"] == declared
    repeated = command("run", brought / "out" / "record.json", "--out", brought / "again")
    assert "the same as in the record, to the last digit" in repeated.out


def test_numbers_are_asked_about_and_said(brought: Path) -> None:
    import torch
    from safetensors.torch import save_file

    save_file({"0.weight": torch.ones(1, 4), "0.bias": torch.zeros(1)}, brought / "m.safetensors")
    ran = audit(brought)
    assert ran.status == 2
    assert "'income' as they stand in the table, or standardised" in ran.err
    assert "--numbers raw" in ran.err
    ran = audit(brought, "--numbers", "standardised")
    assert ran.status == 0, ran.err


def test_what_means_nothing_for_a_file_is_refused(brought: Path) -> None:
    ran = audit(brought, "--audited-label", "toxic")
    assert ran.status == 2
    assert "--audited-label" in ran.err
    (brought / "no.json").write_text("nothing")
    ran = audit(brought, "--encoding", brought / "no.json")
    assert ran.status == 2
    assert "it is not valid JSON" in ran.err
    ran = audit(brought, "--encoding", brought / "nowhere.json")
    assert "cannot be read" in ran.err
