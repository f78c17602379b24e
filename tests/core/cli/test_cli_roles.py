"""Roles on the command line: every column is accounted for, nothing harmful is read, and what is open is asked once."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.sources.simulated.hiring import Hiring
from core.workflows.examples import SAMPLE_MODELS
from tests.command_line import Ran, command

ROWS = 400


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """People with a group, what a program decided, a score, and what is the outcome under another name."""
    rng = np.random.default_rng(0)
    skill = rng.normal(size=ROWS)
    hired = (skill + rng.normal(size=ROWS) > 0).astype(int)
    people = pd.DataFrame(
        {
            "group": rng.choice(["a", "b"], ROWS),
            "sex": rng.choice(["f", "m"], ROWS),
            "age": rng.integers(18, 70, ROWS),
            "marks": skill.round(2),
            "kept_on": np.where(rng.random(ROWS) < 0.02, 1 - hired, hired),
            "rating": (50 + 10 * skill + rng.normal(0, 4, ROWS)).round().astype(int),
            "decision": np.where(skill + rng.normal(size=ROWS) > 0, "admitted", "rejected"),
            "hired": hired,
        }
    )
    path = tmp_path_factory.mktemp("tables") / "people.csv"
    people.to_csv(path, index=False)
    return path


def audit(table: Path, out: Path, *more: object) -> Ran:
    return command("audit", "--table", table, "--out", out, "--tests", "group_fairness", *more)


def test_every_column_is_accounted_for_whatever_is_given(table: Path, tmp_path: Path) -> None:
    ran = audit(
        table, tmp_path, "--outcome", "hired", "--favourable", "1", "--protected", "group", "--predictions", "decision",
        "--answer-means", "admitted=1", "--answer-means", "rejected=0",
    )  # fmt: skip
    assert ran.status == 0, ran.err
    for name in pd.read_csv(table).columns:
        assert f"'{name}'" in ran.out
    assert "Not used: 'sex' is named like sex." in ran.out
    assert "Not used: 'kept_on' tells the outcome 'hired' in 9" in ran.out
    (line,) = [line for line in ran.out.splitlines() if line.startswith("Features: ")]
    assert "'age'" in line
    assert "'kept_on'" not in line


def test_a_named_feature_that_is_nearly_the_outcome_is_kept_and_said(table: Path, tmp_path: Path) -> None:
    given = ["--outcome", "hired", "--favourable", "1", "--predictions", "decision", "--features", "kept_on"]
    ran = audit(table, tmp_path, *given, "--answer-means", "admitted=1", "--answer-means", "rejected=0")
    assert ran.status == 0, ran.err
    assert "A feature because you named it: 'kept_on' tells the outcome" in ran.out
    caveats = json.loads((tmp_path / "record.json").read_text())["tests"][0]["caveats"]
    assert any("The feature 'kept_on' tells the outcome" in str(one) for one in caveats)


def test_a_column_of_numbers_as_decisions_is_asked_for_its_threshold_once(table: Path, tmp_path: Path) -> None:
    given = ["--no-outcome", "--predictions", "rating", "--protected", "group"]
    refused = audit(table, tmp_path, *given)
    assert refused.status == 2
    assert "from which one on people count as selected" in refused.err
    assert "--threshold" in refused.err
    ran = audit(table, tmp_path, *given, "--threshold", "55")
    assert ran.status == 0, ran.err


def test_decisions_of_people_are_told_nothing_of_training(table: Path, tmp_path: Path) -> None:
    given = ["--favourable", "admitted", "--predictions", "decision", "--protected", "group"]
    ran = audit(table, tmp_path / "one", "--no-outcome", *given)
    assert ran.status == 0, ran.err
    assert "trained" not in ran.out
    assert "how sure the model was" not in ran.out
    meanings = ["--outcome", "hired", "--answer-means", "admitted=1", "--answer-means", "rejected=0"]
    given = ["--favourable", "1", "--predictions", "decision", "--protected", "group", *meanings]
    assert "trained" in audit(table, tmp_path / "two", *given).out
    assert "trained" not in audit(table, tmp_path / "three", *given, "--by-people").out


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Applicants with the probability that the sample model gives them, to two decimals."""
    from core.data.roles import Roles
    from core.models.formats.safetensors.source import TorchMLP

    folder = tmp_path_factory.mktemp("answered")
    files = FileStore(folder / "files")
    people = Hiring(rows=600, part="test").load(files)
    model = SAMPLE_MODELS / "hiring_baseline.safetensors"
    roles: Roles = Hiring().roles(people)
    source = TorchMLP(file=files.put(model.read_bytes(), model.name))
    dataset = source.dataset(people, roles)
    loaded = source.load(files, dataset)
    given = loaded.predict_proba(loaded.encode(dataset))[:, loaded.classes.index("yes")]
    people.assign(p_hired=given.round(2), p_other=1 - given**2).to_csv(folder / "people.csv", index=False)
    people.assign(answer=given).head(10).to_csv(folder / "known.csv", index=False)
    return folder


def test_a_model_gives_the_answers_of_its_column_or_the_run_stops(answered: Path, tmp_path: Path) -> None:
    model = ["--model", SAMPLE_MODELS / "hiring_baseline.safetensors", "--outcome", "hired", "--favourable", "yes"]
    ran = audit(answered / "people.csv", tmp_path, *model, "--predictions", "p_hired")
    assert ran.status == 0, ran.err
    assert "The first 5 rows and the model's answers:" in ran.out
    rows = len(pd.read_csv(answered / "people.csv"))
    assert f"agree with 'p_hired' on {rows} of {rows} rows, compared as the probability of 'yes' to 2 dec" in ran.out
    recorded = json.loads((tmp_path / "record.json").read_text())["tests"][0]["model"]
    assert (recorded["known_answers"][0]["agree"], len(recorded["first_answers"])) == (rows, 5)
    assert "the same as in the record" in command("run", tmp_path / "record.json", "--out", tmp_path / "again").out
    stopped = audit(answered / "people.csv", tmp_path, *model, "--predictions", "p_other")
    assert stopped.status == 2
    assert "agree with 'p_other' on only" in stopped.err
    assert "--other-system p_other" in stopped.err
    given = [*model, "--predictions", "p_other", "--other-system", "p_other"]
    declared = audit(answered / "people.csv", tmp_path, *given)
    assert declared.status == 0, declared.err
    assert "'p_other' holds answers of another system" in declared.out


def test_rows_with_known_answers_prove_a_model_and_come_with_the_record(answered: Path, tmp_path: Path) -> None:
    model = ["--model", SAMPLE_MODELS / "hiring_baseline.safetensors", "--outcome", "hired", "--favourable", "yes"]
    model += ["--predictions", "p_hired", "--known-answers", answered / "known.csv"]
    ran = audit(answered / "people.csv", tmp_path, *model)
    assert ran.status == 0, ran.err
    assert "agree with 'answer' on 10 of 10 rows" in ran.out
    assert (tmp_path / "known.csv").is_file()
    again = command("run", tmp_path / "record.json", "--out", tmp_path / "again")
    assert "the same as in the record" in again.out


def test_labels_are_said_in_place_of_names_and_kept_in_the_record(table: Path, tmp_path: Path) -> None:
    written = tmp_path / "labels.json"
    written.write_text(json.dumps({"group": {"label": "school district", "values": {"a": "north: upper"}}}))
    given = ["--no-outcome", "--predictions", "decision", "--protected", "group", "--favourable", "admitted"]
    labels = ["--label", written, "--label", "group=b:south", "--label", "decision=admission", "--slides"]
    ran = audit(table, tmp_path / "out", *given, *labels)
    assert ran.status == 0, ran.err
    assert "South get the decision admission = admitted less often" in ran.out
    assert "north: upper" in ran.out
    page = (tmp_path / "out" / "report.html").read_text()
    assert "school district" in page
    assert "group = a" not in page
    record = json.loads((tmp_path / "out" / "record.json").read_text())
    roles = record["tests"][0]["plan"]["roles"]
    assert roles["protected"] == ["group"]
    assert {"column": "group", "value": "", "label": "school district"} in roles["labels"]
    plain = audit(table, tmp_path / "plain", *given)
    numbers = json.loads((tmp_path / "plain" / "record.json").read_text())["tests"][0]["numbers"]
    assert plain.status == 0
    assert numbers["p_value"] == record["tests"][0]["numbers"]["p_value"]
    wrong = audit(table, tmp_path / "out", *given, "--label", "groop=district")
    assert wrong.status == 2
    assert "does not say what a column is called" in wrong.err
