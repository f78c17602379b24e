"""``python -m core audit``: a table and a model or predictions become an audit, and what was guessed is said."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.api.choices import Choices
from core.base.files import FileStore
from core.base.settings import help_of
from core.data.roles import Roles
from core.language.options import spelling
from core.sources.simulated.hiring import SCREENED, Hiring
from core.study import Study
from core.workflows.examples import SAMPLE_MODELS
from tests.command_line import Ran, command
from tests.kinds import SHIPPED

PREPARED = ("--numbers", "standardised")


@pytest.fixture(scope="module")
def screened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Applicants with the answers of a biased program beside the outcome."""
    table = tmp_path_factory.mktemp("tables") / "applicants.csv"
    people = Hiring(rows=1_500, fair=True, screening="biased").load(FileStore())
    people.rename(columns={SCREENED: "hired_predicted"}).to_csv(table, index=False)
    return table


def audit(table: Path, out: Path, *more: object) -> Ran:
    return command("audit", "--table", table, "--out", out, *more)


def plans_in(out: Path) -> list[dict[str, object]]:
    return [test["plan"] for test in json.loads((out / "record.json").read_text())["tests"]]


def test_what_is_not_given_is_guessed_and_said_and_the_record_repeats(screened: Path, tmp_path: Path) -> None:
    ran = audit(screened, tmp_path / "out", "--fail-on", "violation", "--tests", "transport")
    assert ran.status == 3, ran.err
    assert "Guessed outcome: 'hired'" in ran.out
    assert "Guessed favourable value: 'yes'." in ran.out
    assert "Guessed protected attributes: " in ran.out
    assert "Guessed predictions: 'hired_predicted' (" in ran.out
    (plan,) = plans_in(tmp_path / "out")
    assert plan["roles"]["protected"] == ["gender", "ethnicity"]
    assert plan["audit"]["kind"] == "transport"
    repeated = command("run", tmp_path / "out" / "record.json", "--out", tmp_path / "again")
    assert "the same as in the record, to the last digit" in repeated.out


def test_what_is_given_counts(screened: Path, tmp_path: Path) -> None:
    given = ["--outcome", "hired", "--favourable", "yes", "--protected", "gender", "--predictions", "hired_predicted"]
    given += ["--features", "test score", "--tests", "group_fairness", "--delta", "0.2", "--seed", "7"]
    ran = audit(screened, tmp_path, *given)
    assert ran.status == 0, ran.err
    assert "Guessed" not in ran.out
    (plan,) = plans_in(tmp_path)
    assert (plan["roles"]["features"], plan["seed"], plan["decision"]["delta"]) == (["test score"], 7, 0.2)


def test_a_setting_of_a_test_is_chosen_in_the_plan_of_an_audit_that_was_run(screened: Path, tmp_path: Path) -> None:
    refused = audit(screened, tmp_path, "--draws", "99")
    assert refused.status == 2
    assert "--draws is no option but a setting of Transport test." in refused.err
    assert "write what record.json calls a test's plan into a file of its own" in refused.err
    assert "No such option: --widht" in audit(screened, tmp_path, "--widht", "2").err

    assert audit(screened, tmp_path / "first", "--tests", "transport").status == 0
    (plan,) = plans_in(tmp_path / "first")
    plan["audit"] |= {"draws": 1_001}  # type: ignore[operator]
    (tmp_path / "first" / "plan.json").write_text(json.dumps(plan))
    ran = command("run", tmp_path / "first" / "plan.json", "--out", tmp_path / "again")
    assert ran.status == 0, ran.err
    assert plans_in(tmp_path / "again") == [plan]


def test_a_model_file_gets_the_test_that_asks_most_of_it(tmp_path: Path) -> None:
    table = tmp_path / "applicants.csv"
    Hiring(rows=2_000, part="test").load(FileStore()).to_csv(table, index=False)
    ran = audit(table, tmp_path / "out", "--model", SAMPLE_MODELS / "hiring_baseline.onnx", *PREPARED)
    assert ran.status == 0, ran.err
    (plan,) = plans_in(tmp_path / "out")
    assert (plan["audit"]["kind"], plan["model"]["kind"]) == ("gradient_flow", "onnx")
    assert (tmp_path / "out" / "hiring_baseline.onnx").is_file(), "beside the record, so that it can be repeated"


def test_decisions_without_an_outcome_are_compared_between_groups(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], 400)
    invited = np.where(rng.random(400) < np.where(sex == "m", 0.6, 0.2), "yes", "no")
    table = tmp_path / "decisions.csv"
    pd.DataFrame({"sex": sex, "years": rng.integers(0, 30, 400), "invited": invited}).to_csv(table, index=False)
    ran = audit(table, tmp_path / "out", "--no-outcome", "--predictions", "invited", "--favourable", "yes")
    assert ran.status == 0, ran.err
    assert "Demographic parity test" in ran.out
    kinds = [plan["audit"]["kind"] for plan in plans_in(tmp_path / "out")]
    assert [kind for kind in kinds if kind in SHIPPED] == ["equalized_odds", "group_fairness"]


def test_without_outcome_and_decisions_a_model_is_judged_by_its_own_answers(tmp_path: Path) -> None:
    people = Hiring(rows=2_000, part="test").load(FileStore())
    people.drop(columns="hired").to_csv(tmp_path / "applicants.csv", index=False)
    read = [column for column in people if column not in ("hired", "gender", "ethnicity")]
    given = [part for column in read for part in ("--features", column)]
    given += ["--no-outcome", "--model", SAMPLE_MODELS / "hiring_baseline.onnx", *PREPARED]
    asked = audit(tmp_path / "applicants.csv", tmp_path / "out", *given)
    assert asked.status == 2
    assert "Add --favourable with one of 'class 0' and 'class 1'." in asked.err
    ran = audit(tmp_path / "applicants.csv", tmp_path / "out", *given, "--favourable", "class 1")
    assert ran.status == 0, ran.err
    (proposed,) = (line for line in ran.out.splitlines() if line.startswith("Tests proposed: "))
    shipped = [kind.title for name, kind in SHIPPED.items() if name != "equalized_odds"]
    assert [title for title in ("Demographic parity test", *shipped) if title in proposed] == [
        "Demographic parity test",
        "Group fairness test",
    ]
    assert "model's answer = class 1" in ran.out
    assert {plan["roles"]["favourable"] for plan in plans_in(tmp_path / "out")} == {"class 1"}


def test_what_may_be_protected_is_said_with_how_to_add_it_and_not_taken(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    sex, age = rng.choice(["f", "m"], 400), rng.integers(18, 70, 400)
    frame = {
        "sex": sex,
        "age": age,
        "age group": np.where(age < 40, "young", "old"),
        "native country": rng.choice(list("ab"), 400),
    }
    decided = {"invited": rng.choice(["yes", "no"], 400)}
    pd.DataFrame(frame | decided).to_csv(tmp_path / "t.csv", index=False)
    given = ["--no-outcome", "--predictions", "invited", "--favourable", "yes", "--tests", "group_fairness"]
    ran = audit(tmp_path / "t.csv", tmp_path / "out", *given)
    assert ran.status == 0, ran.err
    (plan,) = plans_in(tmp_path / "out")
    assert plan["roles"]["protected"] == ["sex"]
    (said,) = [line for line in ran.out.splitlines() if line.startswith("Not taken as protected")]
    assert said == (
        "Not taken as protected: 'native country' (is named like nationality), 'age' (is named like an age) and "
        "'age group' (holds 'age' in bins); to add one, name it with the others: --protected sex --protected "
        "'native country'."
    )
    added = audit(tmp_path / "t.csv", tmp_path / "more", *given, "--protected", "sex", "--protected", "age group")
    assert added.status == 0, added.err
    assert "Not taken as protected" not in added.out
    pd.DataFrame({key: frame[key] for key in ("age",)} | decided).to_csv(tmp_path / "u.csv", index=False)
    none = audit(tmp_path / "u.csv", tmp_path / "none", *given)
    assert none.status == 2
    assert "No column is surely a protected attribute." in none.err
    assert "Add --protected age, if it is meant: 'age' (is named like an age)." in none.err


def test_every_choice_of_an_audit_is_an_option_with_its_help() -> None:
    shown = " ".join(command("audit", "--help").out.split())
    names = [name for name in Choices.model_fields if name not in ("metric", "settings")]
    assert [name for name in names if f" {spelling(name)} " not in shown] == []
    assert help_of(Roles.model_fields["belongs_to"])[:60] in shown


def test_what_only_pages_chose_is_chosen_here_too(screened: Path, tmp_path: Path) -> None:
    given = [
        "--trained-on",
        "other rows",
        "--missing",
        "own category",
        "--categorical",
        "languages",
        "--letters",
        "utf-8",
    ]
    ran = audit(screened, tmp_path, "--tests", "group_fairness", *given)
    assert ran.status in (0, 3), ran.err
    (plan,) = plans_in(tmp_path)
    assert (plan["model"]["trained_on"], plan["data"]["encoding"]) == ("other rows", "utf-8")
    assert (plan["roles"]["missing"], plan["roles"]["categorical"]) == ("own category", ["languages"])


WRONG = {
    "no such column": (["--outcome", "dny"], "The table has no column 'dny'."),
    "no such test": (["--tests", "magic"], "There is no test 'magic'."),
    "an unsuited test": (["--tests", "gradient_flow"], "The gradient-flow test does not suit: "),
    "no such table": (["--table", "nowhere.csv"], "The file cannot be read."),
    "no such model": (["--model", "nowhere.onnx"], "The file cannot be read."),
    "a preprocessing without a model": (["--numbers", "raw"], "how the file of a model is read"),
    "a role twice": (["--protected", "hired", "--outcome", "hired"], "cannot also be a protected attribute"),
    "a score without its threshold": (["--predictions", "test score"], "threshold"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_a_sentence(case: str, screened: Path, tmp_path: Path) -> None:
    more, said = WRONG[case]
    ran = audit(screened, tmp_path, *more)
    assert ran.status == 2
    assert said in ran.err
    assert "What to do: " in ran.err
    assert "Traceback" not in ran.err


def few_numbers(folder: Path) -> Path:
    """Visits counted 0, 1, 2, 3, 7 or 12 times, and the number a model predicts: one more for women."""
    rng = np.random.default_rng(0)
    sex, visits = rng.choice(["f", "m"], 600), rng.choice([0, 1, 2, 3, 7, 12], 600)
    predicted = (visits + rng.normal(0, 1, 600) + (sex == "f")).round(3)
    table = folder / "visits.csv"
    pd.DataFrame({"sex": sex, "visits": visits, "predicted": predicted}).to_csv(table, index=False)
    return table


def test_an_outcome_of_few_numbers_is_a_number_where_that_is_said(tmp_path: Path) -> None:
    given = ["--outcome", "visits", "--predictions", "predicted"]
    table = few_numbers(tmp_path)
    asked = audit(table, tmp_path / "asked", *given)
    assert asked.status == 2
    assert "holds 6 different numbers" in asked.err
    assert "Add --outcome-type number" in asked.err
    ran = audit(table, tmp_path / "out", *given, "--outcome-type", "number", "--good-end", "low")
    assert ran.status == 0, ran.err
    assert "of visits tolerated" in ran.out
    plan, *_ = plans_in(tmp_path / "out")
    assert [plan["roles"][name] for name in ("outcome_type", "favourable", "good_end")] == ["number", "", "low"]
    assert plan["model"]["holds"] == "number"
    classes = audit(table, tmp_path, *given, "--outcome-type", "classes", "--favourable", "0", "--threshold", "5")
    assert "One number a row cannot answer 6 outcomes." in classes.err


def test_a_number_has_no_favourable_value_and_words_are_no_number(tmp_path: Path) -> None:
    table, number = few_numbers(tmp_path), ["--predictions", "predicted", "--outcome-type", "number"]
    good = audit(table, tmp_path, "--outcome", "visits", *number, "--favourable", "0")
    assert "no value of a number is the favourable one" in good.err
    words = audit(table, tmp_path, "--outcome", "sex", *number, "--protected", "visits")
    assert "The outcome 'sex' holds no numbers." in words.err
    assert (good.status, words.status) == (2, 2)


def three_classes(folder: Path, *names: str) -> Path:
    """Grades with the probability of each in a column of these names, in the order high, low, mid."""
    rng = np.random.default_rng(3)
    grade, sex = rng.choice(["high", "low", "mid"], 400), rng.choice(["f", "m"], 400)
    shares = rng.dirichlet([1, 1, 1], 400) + 2 * (grade[:, None] == np.array(["high", "low", "mid"]))
    shares = (shares / shares.sum(axis=1, keepdims=True)).round(4)
    columns = {name: shares[:, place] for place, name in enumerate(names)}
    table = folder / "grades.csv"
    pd.DataFrame({"sex": sex, "grade": grade, **columns}).to_csv(table, index=False)
    return table


GRADES = ("--outcome", "grade", "--favourable", "high", "--protected", "sex", "--tests", "equalized_odds")


def test_two_columns_of_predictions_are_two_models_and_an_audit_is_of_one(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    sex, hired = rng.choice(["f", "m"], 400), rng.choice(["no", "yes"], 400)
    unfair = np.where((sex == "f") & (rng.random(400) < 0.6), "no", hired)
    pd.DataFrame({"sex": sex, "hired": hired, "a": hired, "b": unfair}).to_csv(tmp_path / "t.csv", index=False)
    given = ["--outcome", "hired", "--favourable", "yes", "--protected", "sex", "--fail-on", "violation"]
    both = audit(tmp_path / "t.csv", tmp_path / "both", *given, "--predictions", "a", "--predictions", "b")
    assert both.status == 2
    assert "2 columns of predictions are named, and an audit is of one model." in both.err
    assert "a run with --predictions a, another with --predictions b" in both.err
    assert not (tmp_path / "both").exists()
    one = audit(tmp_path / "t.csv", tmp_path / "one", *given, "--features", "a", "--predictions", "b")
    assert one.status == 3, one.err


def test_guessed_predictions_beside_the_audited_ones_are_said(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    sex, hired = rng.choice(["f", "m"], 400), rng.choice(["no", "yes"], 400)
    frame = pd.DataFrame({"sex": sex, "hired": hired, "hired_predicted": hired, "hired_predicted_2": hired})
    frame.to_csv(tmp_path / "t.csv", index=False)
    ran = audit(tmp_path / "t.csv", tmp_path / "out", "--outcome", "hired", "--favourable", "yes")
    assert ran.status == 0, ran.err
    assert "Audited: 'hired_predicted'. Not audited: 'hired_predicted_2'; audit each by itself" in ran.out


def test_a_probability_for_each_class_is_matched_by_name(tmp_path: Path) -> None:
    table = three_classes(tmp_path, "p_high", "p_low", "p_mid")
    given = [part for name in ("p_mid", "p_high", "p_low") for part in ("--predictions", name)]
    ran = audit(table, tmp_path / "out", *GRADES, *given)
    assert ran.status == 0, ran.err
    told = "'p_high' of 'high', 'p_low' of 'low' and 'p_mid' of 'mid'"
    assert f"Read as the probability of each class, by their names: {told}." in ran.out
    (plan,) = plans_in(tmp_path / "out")
    assert (plan["model"]["holds"], plan["model"]["columns"]) == ("class probabilities", ["p_high", "p_low", "p_mid"])


def test_probabilities_without_names_are_taken_in_the_order_given(tmp_path: Path) -> None:
    table = three_classes(tmp_path, "q1", "q2", "q3")
    given = [part for name in ("q1", "q2", "q3") for part in ("--predictions", name)]
    ran = audit(table, tmp_path / "out", *GRADES, *given)
    assert ran.status == 0, ran.err
    assert "in the order given: 'q1' of 'high', 'q2' of 'low' and 'q3' of 'mid'." in ran.out


def test_three_probabilities_that_do_not_add_up_are_three_models(tmp_path: Path) -> None:
    table = three_classes(tmp_path, "q1", "q2", "q3")
    pd.read_csv(table).assign(q3=0.5).to_csv(table, index=False)
    given = [part for name in ("q1", "q2", "q3") for part in ("--predictions", name)]
    ran = audit(table, tmp_path / "out", *GRADES, *given)
    assert ran.status == 2
    assert "an audit is of one model" in ran.err


def test_an_outcome_that_is_not_sure_is_asked_for(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frame = {"sex": rng.choice(["f", "m"], 300), "income": rng.choice(["low", "mid", "high"], 300)}
    pd.DataFrame(frame | {"answer": rng.choice(["no", "yes"], 300)}).to_csv(tmp_path / "t.csv", index=False)
    ran = audit(tmp_path / "t.csv", tmp_path / "out", "--predictions", "answer")
    assert ran.status == 2
    assert "cannot be told for sure" in ran.err
    assert "--no-outcome" in ran.err
    assert not (tmp_path / "out").exists()


def test_the_schema_of_a_plan_is_printed() -> None:
    ran = command("schema")
    assert ran.status == 0
    assert json.loads(ran.out) == Study.model_json_schema()


@pytest.fixture(scope="module")
def loans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Applicants with a probability of being denied, with decisions in words of their own, and turned decisions."""
    table, rng = tmp_path_factory.mktemp("loans") / "loans.csv", np.random.default_rng(0)
    sex, income = rng.choice(["f", "m"], 800), rng.normal(size=800)
    chance = 1 / (1 + np.exp(-1.5 * income - 0.8 * (sex == "m")))
    granted = rng.random(800) < chance
    columns = {"sex": sex, "income": income, "granted": np.where(granted, "yes", "no"), "denial": 1 - chance}
    decided = {"risk": np.where(chance > 0.5, "low risk", "high risk"), "turned": np.where(chance > 0.5, "no", "yes")}
    pd.DataFrame(columns | decided).to_csv(table, index=False)
    return table


LOANS = ["--outcome", "granted", "--favourable", "yes", "--protected", "sex", "--features", "income"]
LOANS += ["--tests", "group_fairness"]
MEANT = ["--answer-means", "high risk=no", "--answer-means", "low risk=yes"]

STOPPED = {
    "a probability of the other outcome": (["--predictions", "denial"], "add --high-means no."),
    "turned labels": (["--predictions", "turned"], "add --answer-means no=yes --answer-means yes=no."),
    "labels that are no outcomes": (
        ["--predictions", "risk"],
        "add --answer-means 'high risk=no' --answer-means 'low risk=yes' (of the rows with ",
    ),
    "an outcome that does not occur": (["--predictions", "denial", "--high-means", "maybe"], "among 'no' and 'yes'"),
    "no score": (["--predictions", "turned", "--high-means", "no"], "for a score or a probability"),
    "no labels": (["--predictions", "denial", "--answer-means", "high=no"], "by --high-means"),
    "two meanings": (["--predictions", "risk", *MEANT, "--answer-means", "low risk=no"], "Name each label once."),
    "a column's option for a file": (["--model", SAMPLE_MODELS / "hiring_baseline.onnx", *MEANT], "by --classes."),
    "no meaning": (["--predictions", "risk", "--answer-means", "high risk"], "Write --answer-means LABEL=OUTCOME"),
}


@pytest.mark.parametrize("case", STOPPED)
def test_answers_whose_direction_is_open_stop_the_audit_and_the_option_is_said(
    case: str, loans: Path, tmp_path: Path
) -> None:
    more, said = STOPPED[case]
    ran = audit(loans, tmp_path / "out", *LOANS, *more)
    assert ran.status == 2
    assert said in ran.err, ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "out").exists()


READ = {
    "by the outcome that a high value stands for": ["--predictions", "denial", "--high-means", "no"],
    "by what labels mean": ["--predictions", "risk", *MEANT],
}


@pytest.mark.parametrize("case", READ)
def test_answers_are_read_as_they_are_said_to_be(case: str, loans: Path, tmp_path: Path) -> None:
    ran = audit(loans, tmp_path / "out", *LOANS, *READ[case])
    assert ran.status == 0, ran.err
    assert "nothing is claimed" not in ran.out
    repeated = command("run", tmp_path / "out" / "record.json", "--out", tmp_path / "again")
    assert "the same as in the record, to the last digit" in repeated.out, repeated.err


def test_who_confirms_the_direction_gets_an_audit_that_claims_nothing(loans: Path, tmp_path: Path) -> None:
    given = [*LOANS, "--predictions", "denial", "--direction-confirmed", "--fail-on", "insufficient"]
    ran = audit(loans, tmp_path / "out", *given)
    assert ran.status == 4, ran.err
    assert "High values of 'denial' are taken to stand for 'yes' (where one of two rows" in ran.out
    assert "Answers go against the outcomes, so nothing is claimed." in ran.out
    assert "the model is right" not in ran.out
    record = json.loads((tmp_path / "out" / "record.json").read_text())
    assert record["tests"][0]["plan"]["model"]["direction_confirmed"] is True
    assert "nothing is claimed" in (tmp_path / "out" / "report.html").read_text()


def test_a_plan_whose_answers_go_against_the_outcomes_is_refused_until_somebody_confirms_it(
    loans: Path, tmp_path: Path
) -> None:
    audit(loans, tmp_path / "out", *LOANS, "--predictions", "denial", "--direction-confirmed")
    plan = json.loads((tmp_path / "out" / "record.json").read_text())["tests"][0]["plan"]
    plan["model"]["direction_confirmed"] = False
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    files = ["--out", tmp_path / "again", "--file", loans]
    ran = command("run", tmp_path / "plan.json", *files)
    assert ran.status == 2
    assert "The answers go against the outcomes." in ran.err
    assert '"direction_confirmed": true' in ran.err


def test_the_order_of_a_models_classes_is_said_and_its_reverse_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "applicants.csv"
    Hiring(rows=600, part="test").load(FileStore()).to_csv(table, index=False)
    given = ["--model", SAMPLE_MODELS / "hiring_baseline.onnx", *PREPARED, "--tests", "group_fairness"]
    ran = audit(table, tmp_path / "out", *given)
    assert "The model's outputs are taken to stand for 'no' and 'yes' (where one of two rows" in ran.out
    turned = audit(table, tmp_path / "other", *given, "--classes", "yes", "--classes", "no")
    assert turned.status == 2
    assert "add --classes no --classes yes." in turned.err
