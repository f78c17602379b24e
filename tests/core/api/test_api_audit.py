"""``core.audit``: the numbers of the command line, all that an audit says, and errors that name keywords."""

import ast
import gc
import html
import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import core
from core import Audit, audit, load_table
from core.api.choices import Choices
from core.audits import KINDS
from core.base.errors import (
    DataError,
    EvenhandError,
    MetricError,
    RecordError,
    SettingsError,
    SourceError,
    in_short,
)
from core.base.settings import help_of
from core.claims import Claim
from core.inference.estimate import Verdict
from core.metrics.sensitive_subspace import SensitiveSubspace
from tests.command_line import command
from tests.kinds import SHIPPED

HOSTILE = "<script>alert('x')</script>"


def loans(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    black = rng.choice(["yes", "no"], rows)
    deny = np.where(rng.random(rows) < 0.4, "yes", "no")
    said = np.where(rng.random(rows) < np.where(black == "yes", 0.7, 0.2), "yes", "no")
    return pd.DataFrame({"black": black, "income": rng.normal(50, 9, rows).round(1), "deny": deny, "deny_hat": said})


GIVEN: dict[str, Any] = {
    "predictions": "deny_hat",
    "outcome": "deny",
    "favourable": "no",
    "protected": ["black"],
    "tests": "group_fairness",
    "direction_confirmed": True,
}


@pytest.fixture(scope="module")
def audited() -> Audit:
    return audit(loans(), **{**GIVEN, "direction_confirmed": False, "tests": ("transport", "group_fairness")}, seed=3)


def timeless(record: str) -> Any:
    """A record without the seconds that its runs took."""
    document = json.loads(record)
    for test in document["tests"]:
        test.pop("seconds")
    return document


def test_it_gives_the_record_that_the_command_line_gives(tmp_path: Path) -> None:
    table = tmp_path / "loans.csv"
    loans().to_csv(table, index=False)
    given = ["--predictions", "deny_hat", "--outcome", "deny", "--favourable", "no", "--protected", "black"]
    given += ["--tests", "group_fairness", "--tests", "transport", "--delta", "transport=0.2", "--seed", "7"]
    ran = command("audit", "--table", table, "--out", tmp_path / "out", *given)
    assert ran.status == 0, ran.err
    choices = {**GIVEN, "tests": ["group_fairness", "transport"], "direction_confirmed": False}
    a = audit(table, **choices, delta={"transport": 0.2}, seed=7)
    assert timeless(a.record) == timeless((tmp_path / "out" / "record.json").read_text())
    assert [line for line in a.guesses if line not in ran.out] == [], "the same is said of what was guessed"


def test_a_record_of_files_is_repeated_by_the_command_line(audited: Audit, tmp_path: Path) -> None:
    folder = audited.write(tmp_path / "audit")
    assert (folder / "record.json").read_text() == audited.record
    ran = command("run", folder / "record.json", "--out", tmp_path / "again")
    assert "The numbers are the same as in the record, to the last digit." in ran.out


def test_the_same_call_gives_the_same_record() -> None:
    assert timeless(audit(loans(), **GIVEN).record) == timeless(audit(loans(), **GIVEN).record)
    assert timeless(audit(loans(), **GIVEN, seed=1).record) != timeless(audit(loans(), **GIVEN).record)


def test_an_audit_shows_its_verdict_claims_and_pictures(audited: Audit, tmp_path: Path) -> None:
    assert isinstance(audited.verdict, Verdict)
    assert list(audited) == ["transport", "group_fairness"]
    assert audited.headline in repr(audited)
    assert f"{audited.sentence}\nAmong all people, " in repr(audited)
    assert repr(audited).endswith("\nTests run: Transport test, Group fairness test.")
    found = audited["transport"]
    assert repr(found) == found.sentence
    assert "map" in found.pictures
    assert found.pictures["map"].to_dict() == found.pictures["transport map"].to_dict()
    assert "verdict" in " ".join(found.statistics.index).lower()
    assert audited.report(tmp_path / "audit.html").read_text().startswith("<!")
    with pytest.raises(KeyError, match="transport, group_fairness"):
        audited["magic"]
    with pytest.raises(KeyError, match="map"):
        found.pictures["magic"]


def test_what_is_serious_is_printed_in_short_between_headline_and_sentence(audited: Audit) -> None:
    grave = [one for one in audited._together.noted() if one.level == "serious"]
    assert grave
    headline, whom, *serious, sentence, _, _ = repr(audited).split("\n")
    assert audited.headline in headline
    assert whom.startswith("Audited: deny_hat (Predictions in the table); ")
    assert sentence == audited.sentence
    assert serious == [f"  serious: {in_short([one])}" for one in grave]


def test_claims_are_those_of_the_findings_one_line_each(audited: Audit) -> None:
    claims = audited.claims
    assert len(claims) > 0
    assert all(isinstance(one, Claim) for one in claims)
    frame = claims.to_frame()
    assert len(frame) == len(claims)
    assert set(frame.test) <= {audited[name].title for name in audited}
    told = audited["group_fairness"].claims
    assert frame[frame.test == audited["group_fairness"].title].estimate.tolist() == [one.estimate for one in told]
    rates = audited["group_fairness"].parts["groups rates"].to_frame()
    assert {"who", "what", "estimate", "interval_low", "people"} <= set(rates)
    assert "Selection rate" in set(rates.what)


def test_another_tolerance_is_another_reading_of_the_same_results(audited: Audit) -> None:
    strict, lax = audited.under(delta={"transport": 0.0}), audited.under(delta={"transport": 0.9})
    assert strict["transport"].result is audited["transport"].result
    assert strict["transport"].tolerance != lax["transport"].tolerance
    assert json.loads(lax.record)["tests"][0]["plan"]["decision"]["delta"] == 0.9
    assert strict["transport"].p_value < lax["transport"].p_value
    with pytest.raises(SettingsError, match="steps"):
        audited.under(steps=3)
    chosen = audited.under(measure={"group_fairness": "selection rate", "column_sensitivity": "slope"})
    assert [getattr(one.decision, "measure", None) for one in chosen.study.plans] == [None, "selection rate"]


def test_a_notebook_shows_words_a_table_and_a_picture_that_need_no_network_and_run_nothing() -> None:
    table = loans().rename(columns={"black": HOSTILE})
    table[HOSTILE] = table[HOSTILE].map({"yes": "<b>", "no": '"&'})
    a = audit(table, **{**GIVEN, "protected": HOSTILE, "direction_confirmed": False})
    for shown in (a._repr_html_(), a["group_fairness"]._repr_html_(), a.claims._repr_html_()):
        assert "<script" not in shown
        assert "<b>" not in shown
        assert "http" not in shown
    assert a["group_fairness"].headline.replace("<", "&lt;").split("&lt;")[0] in a._repr_html_()
    assert "<table>" in a._repr_html_()
    assert 'src="data:image/svg+xml;base64,' in a._repr_html_()
    assert len(a._repr_html_()) < 100_000


WRONG: dict[str, tuple[dict[str, Any], type[EvenhandError], str, str]] = {
    "no such column": ({"outcome": "dny"}, DataError, "The table has no column 'dny'.", "Its columns are"),
    "no such test": ({"tests": "magic"}, SettingsError, "There is no test 'magic'.", "transport"),
    "answers that go against the outcomes": (
        {"predictions": "turned"},
        SettingsError,
        "The answers go against the outcomes.",
        "add answer_means={'yes': 'no', 'no': 'yes'}. If they are right as they are, add direction_confirmed=True",
    ),
    "a score without its threshold": (
        {"predictions": "income"},
        SettingsError,
        "counts? as selected",
        "Add threshold ",
    ),
    "two models": ({"predictions": ["deny_hat", "turned"]}, SettingsError, "2 columns", "predictions=['deny_hat']"),
    "a number that is none": ({"seed": "x"}, SettingsError, "The choice seed cannot be taken", "The same seed"),
    "no such setting": ({"budgets": 3}, SettingsError, "There is no choice 'budgets'", "Did you mean budget"),
    "a keyword that is nearly one": ({"test": "transport"}, SettingsError, "no choice 'test'", "Did you mean tests"),
    "a setting of another test": ({"budget": 3}, SettingsError, "none of these tests: Group fairness test", "alpha"),
    "out of range": (
        {"alpha": 3},
        SettingsError,
        "alpha of the group fairness test cannot be taken: it must be at most",
        "How often",
    ),
    "a tolerance of another test": ({"delta": {"transport": 0.1}}, SettingsError, "no test of this audit", "group"),
    "a metric for a test without": (
        {"metric": core.SensitiveSubspace()},
        SettingsError,
        "'metric' is none of these tests",
        "",
    ),
    "a model's choice without one": ({"other_system": "turned"}, SettingsError, "there is none", "Add model "),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_the_same_sentence_with_the_keyword(case: str) -> None:
    changes, kind, what, advice = WRONG[case]
    table = loans()
    table["deny_hat"] = np.where(np.random.default_rng(1).random(len(table)) < 0.8, table.deny, table.deny_hat)
    table["turned"] = table.deny.map({"yes": "no", "no": "yes"})
    with pytest.raises(kind, match=what) as caught:
        audit(table, **{**GIVEN, "direction_confirmed": False, **changes})
    said = caught.value
    assert advice in said.advice
    assert "--" not in f"{said.what} {said.where} {said.advice}"


def test_an_outcome_that_is_not_sure_is_asked_for_by_its_keyword() -> None:
    rng = np.random.default_rng(1)
    frame = {"sex": rng.choice(["f", "m"], 300), "income": rng.choice(["low", "mid", "high"], 300)}
    with pytest.raises(SettingsError, match="cannot be told for sure") as caught:
        audit(pd.DataFrame(frame | {"answer": rng.choice(["no", "yes"], 300)}), predictions="answer")
    assert caught.value.where == "outcome"
    assert caught.value.advice == "Add outcome='income', or no_outcome=True if there are decisions only."


def test_a_proposed_test_that_cannot_learn_who_is_similar_is_left_out_unless_it_was_asked_for() -> None:
    table = loans().drop(columns="deny_hat")
    table["points"] = table.income + np.random.default_rng(1).normal(0, 9, len(table))
    model = LogisticRegression().fit(table[["income", "points"]], table.deny)
    given: dict[str, Any] = {"model": model, "outcome": "deny", "favourable": "no", "protected": "black"}
    given |= {"features": ["income", "points"], "direction_confirmed": True, "progress": False}
    a = audit(table, **given)
    assert [one for one in a if one in SHIPPED] == ["transport", "equalized_odds", "group_fairness"]
    (said,) = (line for line in a.guesses if line.startswith("Left out: Gradient-flow test. "))
    assert "'black' better than by chance" in said
    assert said.endswith("declare who counts as similar.")
    *_, told = repr(a).partition("\nTests run: ")
    ran, *others = told.split("\n")
    assert ran == f"{', '.join(KINDS[kind].title for kind in a)}; left out:"
    left = ", ".join(line.strip().partition(" (")[0] for line in others).split(", ")
    assert [name for name, kind in SHIPPED.items() if kind.title in left] == [
        "gradient_flow", "text_sensitivity", "column_sensitivity",
    ]  # fmt: skip
    assert "'black' better than by chance" in others[0]
    for asked in ({"tests": "gradient_flow"}, {"steps": 40}, {"metric": SensitiveSubspace()}, {"delta": 1.3}):
        with pytest.raises(MetricError, match="better than by chance"):
            audit(table, **given, **asked)


def test_all_runs_every_test_that_can_be_run_and_no_other() -> None:
    a = audit(loans(), **GIVEN | {"tests": "all", "direction_confirmed": False})
    assert [one for one in a if one in SHIPPED] == ["transport", "equalized_odds", "group_fairness"]
    assert [*a.left_out] == [KINDS[one].title for one in KINDS if one not in a]
    assert not any(line.startswith("Tests proposed") for line in a.guesses)
    proposed = audit(loans().assign(deny_hat=lambda rows: rows.deny), **GIVEN | {"tests": ()})
    assert set(proposed) <= set(a)
    with pytest.raises(SettingsError, match="There is no test 'all'") as caught:
        audit(loans(), **GIVEN | {"tests": ["all", "transport"]})
    assert caught.value.advice.endswith("or all alone.")


def test_what_can_be_run_and_is_not_proposed_is_said_with_how_to_run_it() -> None:
    rng, table = np.random.default_rng(0), loans(600).drop(columns="deny_hat")
    table["grade"] = np.where(table.black == "yes", -1, 1) + rng.normal(0, 1, len(table))
    model = LogisticRegression().fit(table[["income", "grade"]], table.deny)
    given = {"model": model, "outcome": "deny", "favourable": "no", "protected": "black"}
    a = audit(table, **given, features=["income", "grade"], direction_confirmed=True, progress=False)
    assert list(a) == ["gradient_flow"]
    (told,) = (line for line in repr(a).split("\n") if line.startswith("  Transport test, "))
    assert "Group fairness test" in told.partition(" (can be run and is not proposed unasked: ")[0]
    assert " (can be run and is not proposed unasked: name it, or add tests=['all'])" in told


def test_files_that_are_not_there_are_sentences(tmp_path: Path) -> None:
    for given in ({"table": tmp_path / "none.csv"}, {"table": loans(), "model": tmp_path / "none.onnx"}):
        with pytest.raises(SourceError, match=r"The file cannot be read."):
            audit(**{**GIVEN, **given})
    with pytest.raises(DataError, match="A list is no table"):
        audit([1, 2], **GIVEN)
    with pytest.raises(SourceError, match=r"The file cannot be read."):
        core.load_model(tmp_path / "none.onnx")


def test_what_was_noticed_is_shown_in_the_notebook(audited: Audit) -> None:
    assert audited.caveats
    told = html.unescape(audited._repr_html_())
    assert [one for one in audited.caveats if one not in told] == []


def test_a_report_that_cannot_be_written_and_a_seed_below_nothing_are_sentences(audited: Audit) -> None:
    with pytest.raises(RecordError, match="cannot be written"):
        audited.report("/nonexistent/report.html")
    with pytest.raises(SettingsError, match="at least 0"):
        Choices.of({"seed": -1})
    with pytest.raises(SettingsError, match="decides what is run"):
        audited.under(seed=3)


def test_a_single_test_with_settings_stands_for_a_list_of_one() -> None:
    assert Choices.of({"tests": core.GroupFairness()}) == Choices.of({"tests": [core.GroupFairness()]})


def test_every_choice_is_a_keyword_with_the_default_and_the_help_of_its_setting() -> None:
    taken = inspect.signature(audit).parameters
    named = [name for name in Choices.model_fields if name != "settings"]
    assert set(named) <= set(taken)
    assert {name: taken[name].default for name in named} == {name: Choices.model_fields[name].default for name in named}
    told = inspect.getdoc(audit) or ""
    assert [name for name in named if f"{name}: {help_of(Choices.model_fields[name])}" not in told] == []


def test_every_name_at_the_door_is_there_and_the_door_is_light() -> None:
    tree = ast.parse(Path(str(core.__file__)).read_text(encoding="utf-8"))
    names = [one.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for one in node.names]
    assert {"audit", "load_table", "load_model", "Audit"} <= set(names)
    assert all(callable(getattr(core, name)) for name in names if name not in ("TYPE_CHECKING", "Any", "import_module"))
    with pytest.raises(AttributeError, match="magic"):
        core.magic  # noqa: B018
    code = "import sys, core; print(sorted({'pandas', 'torch', 'pydantic'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_built_in_table_is_named(tmp_path: Path) -> None:
    hiring = load_table("hiring")
    assert {"gender", "hired"} <= set(hiring)
    hiring.head(50).to_csv(tmp_path / "t.csv", index=False)
    assert load_table(tmp_path / "t.csv").shape == (50, hiring.shape[1])


def test_how_far_it_is_is_shown_where_somebody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    audit(loans(), **GIVEN)
    assert capsys.readouterr().err == "", "a pipe is nobody"
    audit(loans(), **GIVEN, progress=True)
    assert "%|" in capsys.readouterr().err


def test_its_files_go_with_it() -> None:
    a = audit(loans(), **GIVEN)
    folder = a._files.root
    assert folder.is_dir()
    del a
    gc.collect()
    assert not folder.exists()
