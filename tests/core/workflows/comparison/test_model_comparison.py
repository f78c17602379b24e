"""A comparison of models: rates as libraries have them, paired differences, verdicts after choosing, and its record."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import MetricFrame, selection_rate
from scipy.stats import ttest_rel
from sklearn.metrics import accuracy_score, balanced_accuracy_score, recall_score

from core import Comparison, audit, compare, load_model, load_table
from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.group_fairness.settings import GroupFairness
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import CellColumn
from core.base.errors import EvenhandError, SettingsError
from core.base.files import FileRef, FileStore
from core.claims import Claim
from core.data.roles import Roles
from core.figures.series import Spans, Tiles
from core.figures.svg import plot
from core.inference.estimate import Verdict
from core.language.fitted import sentences
from core.language.units import PLAIN
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.records.codec import load_result
from core.records.repeat import repeat
from core.records.workflow import read_record
from core.run import find
from core.slides.html import render
from core.slides.powerpoint import write
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.workflows.comparison import tests as tests_of
from core.workflows.comparison import wording
from core.workflows.comparison.figures.apart import APART
from core.workflows.comparison.figures.tradeoff import TRADE_OFF, undominated
from core.workflows.comparison.overview import furthest_apart, overview
from core.workflows.comparison.page import page_of, rates_tables
from core.workflows.comparison.rates import largest_first, rates, sized
from core.workflows.comparison.record import COMPARISON
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparedModel, ComparisonPlan, on_column, other_columns
from core.workflows.examples import open_example
from core.workflows.table import WORKFLOWS
from tests.builders import make_result
from tests.builders_columns import make_column_result
from tests.builders_sensitivity import make_sensitivity_detail
from tests.command_line import command
from tests.core.audits.transport.cases import dataset_of
from tests.core.audits.transport.cases import run as run_transport
from tests.findings import found

HOSTILE = "<script>alert('x')</script>"
GIVEN: dict[str, Any] = {
    "outcome": "repaid",
    "favourable": "yes",
    "protected": ["sex"],
    "tests": "group_fairness",
    "progress": False,
}


def loans(rows: int = 900, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex, income = rng.choice(["female", "male"], rows, p=[0.4, 0.6]), rng.normal(50, 9, rows).round(1)
    repaid = np.where(rng.random(rows) < 1 / (1 + np.exp(-(income - 50) / 5)), "yes", "no")
    frame = pd.DataFrame({"sex": sex, "income": income, "repaid": repaid})
    frame["even"] = np.where(income > 50, "yes", "no")
    frame["odd"] = np.where(income > np.where(sex == "female", 56, 48), "yes", "no")
    frame["copy"] = frame["even"]
    return frame


MODELS = {"even": "even", "odd": "odd", "copy": "copy"}


@pytest.fixture(scope="module")
def compared() -> Comparison:
    return compare(loans(), MODELS, **GIVEN)


def test_a_difference_that_only_a_test_shows_is_told_and_not_denied(
    compared: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = Claim("copy", "even", what="Loss ratio", here=1.9, there=1.2, estimate=0.7, low=0.2, high=1.1)
    plan, result = compared._repeated.plan, compared._repeated.result
    before = wording.sentence(plan, result)
    monkeypatch.setattr(tests_of, "differences", lambda found, baseline, alpha: (("A test", apart),))
    told = wording.sentence(plan, result)
    assert "A test, loss ratio: 1.90 with copy, 1.20 with even, shown not to be chance." in told
    assert "No difference in fairness is shown" not in told
    assert before != told


def rate(compared: Comparison, key: str, name: str) -> float:
    found = compared.rates.query("key == @key and who == @name")
    return float(found["estimate"].iloc[0])


def test_beside_its_own_first_claim_a_model_shows_what_the_baseline_tells_first() -> None:
    """The other model's largest gap is of another pair than the one the baseline is accused of."""
    pairs = [Claim("a", "b", what="x", estimate=0.25, low=0.2), Claim("f", "m", what="x", estimate=0.05, low=0.01)]
    others = [replace(pairs[0], estimate=0.15, low=-0.1), replace(pairs[1], low=0.02)]

    def model(claims: list[Claim], first: int) -> Any:
        finding = SimpleNamespace(claims=claims, deciding=claims[first])
        return SimpleNamespace(alone=SimpleNamespace(names=("t",), findings=(finding,)))

    baseline, other = model(pairs, 0), model(others, 1)
    assert tests_of.claims_of(other, "t", baseline) == (others[1], others[0])
    assert tests_of.claims_of(baseline, "t", baseline) == (pairs[0],)
    assert tests_of.claims_of(model(others, 0), "t", baseline) == (others[0],)
    assert tests_of.claims_of(other, "no test", baseline) == ()


def test_rates_are_those_of_libraries(compared: Comparison) -> None:
    frame = loans()
    for name in MODELS:
        assert rate(compared, "accuracy", name) == pytest.approx(accuracy_score(frame.repaid, frame[name]))
        assert rate(compared, "balanced accuracy", name) == pytest.approx(
            balanced_accuracy_score(frame.repaid, frame[name])
        )
        chosen = frame[name] == "yes"
        by_sex = MetricFrame(
            metrics={"selected": selection_rate, "true": recall_score},
            y_true=frame.repaid == "yes",
            y_pred=chosen,
            sensitive_features=frame.sex,
        ).by_group
        apart = by_sex.loc["female"] - by_sex.loc["male"]
        assert rate(compared, "SPD", name) == pytest.approx(apart["selected"])
        assert rate(compared, "EOD", name) == pytest.approx(apart["true"])


def test_a_copy_differs_in_nothing_and_the_other_in_fairness(compared: Comparison) -> None:
    found = compared.differences.set_index(["who", "key"])
    assert (found.loc["copy"]["estimate"] == 0).all()
    assert (found.loc["copy"]["p_value"] == 1).all()
    assert found.loc[("odd", "SPD"), "p_value"] < 1e-6
    assert compared.headline == (
        "odd is beyond the tolerance of 10 percentage points (37.7), even may be on either side of it (4.83), copy may "
        "be on either side of it (4.83). No difference in how often they are right is shown"
    )
    assert (
        "Groups differed more in favourable answers among people with repaid = yes: sex = female 37.7 points behind "
        "male with odd, 4.83 ahead with even." in compared.sentence
    )
    assert "Group fairness test: shown to differ from even: odd." in compared.sentence, "no sign to be decoded"
    n = f"{compared.differences.shown.sum()} of {len(compared.differences)}"
    assert f"{n} differences between models are shown not to be chance" in compared.sentence
    page = page_of(compared._repeated.plan, compared._repeated.result)
    assert page.steps[0].startswith(
        "In this table even is better than odd in: Group fairness test; favourable answers among all people by sex; "
    )
    assert not any(step.startswith(("In this table copy", "In this table odd")) for step in page.steps)
    assert not found.loc["copy", "shown"].any()
    assert found.loc[("odd", "SPD"), "shown"]
    assert "different tests" not in compared.sentence
    of_tests = compared.differences_of_tests.set_index("who")
    assert "how much worse for sex = female than for male" in of_tests.loc["odd", "what"].iloc[0]
    assert of_tests.loc["copy", "low"] == of_tests.loc["copy", "high"] == 0
    assert (of_tests.loc["odd", ["low", "high"]].prod(axis=1) > 0).all()


def test_which_tests_judged_which_model_is_said_where_they_differ() -> None:
    given = {name: value for name, value in GIVEN.items() if name != "tests"}
    found = compare(loans(400), MODELS, **given)
    tests = {name: [found[name][kind].title for kind in found[name]] for name in found}
    assert tests["even"] == tests["copy"] != tests["odd"]
    assert found.sentence.startswith(f"Verdicts are by different tests: even and copy by {tests['even'][0]}")
    assert f"; odd by {tests['odd'][0]}" in found.sentence
    assert found.sentence in repr(found)


def test_the_largest_difference_that_is_shown_stands_first_and_says_whom_each_model_disfavours() -> None:
    frame = loans()
    frame["sex"] = np.where(np.random.default_rng(3).random(len(frame)) < 0.15, "other", frame["sex"])
    frame["third"] = np.where((frame.sex == "other") & (frame.income < 62), "no", frame["odd"])
    found = compare(frame, {"even": "even", "third": "third"}, **GIVEN)
    plan, result = found._repeated.plan, found._repeated.result
    ordered = [claim for _, claim in largest_first(result, plan.alpha)]
    sizes = [abs(claim.estimate) for claim in ordered if claim.p_value <= plan.alpha]
    assert len({claim.p_value for claim in ordered[: len(sizes)]}) > 1
    assert sizes == sorted(sizes, reverse=True)
    assert [claim.p_value > plan.alpha for claim in ordered] == sorted(claim.p_value > plan.alpha for claim in ordered)
    one = ordered[0]
    differences, _ = rates_tables(plan, result)
    told = f"sex = other {100 * abs(one.here):.3g} points behind male"
    assert told in differences.rows[0]
    assert "in favour of sex = male over other" in differences.rows[0]
    assert f"{told} with third" in found.sentence
    assert "more often" not in found.sentence, "nobody hears that the others are favoured"
    drawn = APART.draw(plan, result).series
    assert isinstance(drawn, Spans)
    assert drawn.rows[0].called.startswith("accuracy, ")
    assert drawn.rows[1].value == pytest.approx(100 * abs(one.estimate))
    assert drawn.rows[1].called == "in favour of sex = male over other", "which way is said, not signed"


def test_models_that_differ_in_accuracy_alone_are_not_said_to_differ_in_fairness(compared: Comparison) -> None:
    told = "No difference in fairness is shown."
    assert told not in str(compared)
    frame = loans()
    frame["noisy"] = np.where(np.random.default_rng(5).random(len(frame)) < 0.3, "no", frame["even"])
    frame["noisy"] = frame["noisy"].sample(frac=1, random_state=1).to_numpy()
    assert told in str(compare(frame, {"even": "even", "noisy": "noisy"}, **GIVEN))


def test_the_baseline_only_turns_the_signs(compared: Comparison) -> None:
    turned = compare(loans(), MODELS, baseline="odd", **GIVEN).differences.set_index(["who", "key"])
    found = compared.differences.set_index(["who", "key"])
    assert turned.loc["even"]["estimate"].tolist() == pytest.approx((-found.loc["odd"]["estimate"]).tolist())


def test_each_model_is_audited_as_alone(compared: Comparison) -> None:
    alone = audit(loans().drop(columns=["even", "copy"]), predictions="odd", **GIVEN)
    assert compared["odd"].claims.to_frame().equals(alone.claims.to_frame())
    assert compared["odd"].verdict is alone.verdict is Verdict.VIOLATION
    assert list(compared) == list(MODELS)


def test_who_is_picked_among_many_is_cleared_at_a_smaller_error_rate() -> None:
    """At a tolerance which one model alone just clears it is not cleared beside five others."""
    frame = loans(2_000)
    many = {f"copy {place}": f"copy {place}" for place in range(5)}
    for name in many:
        frame[name] = frame["even"]
    pair = compare(frame, {"even": "even", "copy": "copy"}, **GIVEN)
    claims = pair["even"].claims.to_frame()
    just = float(claims.query("decides and scale == 'difference'")["high"].max()) + 0.001
    assert pair["even"].under(delta=just).verdict is Verdict.NO_VIOLATION
    all_of_them = compare(frame, {"even": "even"} | many, delta=just, **GIVEN)
    assert all_of_them["even"].verdict is Verdict.NO_VIOLATION
    assert set(all_of_them.verdicts.values()) == {Verdict.INSUFFICIENT}


def test_the_record_repeats_and_the_result_is_kept(compared: Comparison, tmp_path: Path) -> None:
    compared.write(tmp_path / "out", slides=True)
    record = read_record((tmp_path / "out" / "record.json").read_bytes(), WORKFLOWS)
    again = repeat(record, tmp_path / "out")
    assert again.differences == ()
    kept = load_result(tmp_path / "out" / "result", ComparisonResult)
    assert kept.names == tuple(MODELS)
    assert np.array_equal(kept.answers, again.result.answers)
    assert kept.audits[1][0].model.name == "odd"
    assert (tmp_path / "out" / "slides.html").stat().st_size > 10_000


def test_names_of_models_are_text_on_the_page(tmp_path: Path) -> None:
    found = compare(loans(), {HOSTILE: "even", "b": "odd"}, **GIVEN)
    page = found.report(tmp_path / "report.html").read_text()
    assert HOSTILE not in page
    assert "alert" in page


def test_a_model_file_stands_beside_a_column(tmp_path: Path) -> None:
    people = load_table("hiring").head(600)
    people["by test"] = np.where(people["test score"] > 60, "yes", "no")
    network = load_model("sample_models/hiring_baseline.onnx", numbers="standardised")
    given = GIVEN | {"outcome": "hired", "protected": "gender"}
    found = compare(people, {"network": network, "column": "by test"}, **given)
    assert set(found.differences["key"]) == {"accuracy", "balanced accuracy", "SPD", "EOD", "AOD"}
    found.write(tmp_path)
    record = read_record((tmp_path / "record.json").read_bytes(), WORKFLOWS)
    assert repeat(record, tmp_path).differences == ()


def test_rows_that_one_model_cannot_answer_are_counted() -> None:
    frame = loans()
    frame.loc[:49, "odd"] = None
    found = compare(frame, {"even": "even", "odd": "odd"}, **GIVEN)
    result = found._repeated.result
    assert result.answers.shape == (2, 850)
    assert "'even' 50" in result.caveats[0].what


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ({"even": "even"}, "two models or more"),
        ({"even": "even", "odd": None}, "A model is missing"),
        ({"even": "even", "odd": "no such file.onnx"}, "cannot be read"),
        ({"even": "even", "odd": "income"}, "odd"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(models: dict[str, Any], said: str) -> None:
    with pytest.raises(EvenhandError) as caught:
        compare(loans(), models, **GIVEN)
    assert said in str(caught.value)


def test_a_baseline_that_is_no_model_is_refused() -> None:
    with pytest.raises(SettingsError, match="No model is called 'best'"):
        compare(loans(), {"even": "even", "odd": "odd"}, baseline="best", **GIVEN)


def test_the_command_line_compares_columns(tmp_path: Path) -> None:
    loans().to_csv(tmp_path / "loans.csv", index=False)
    given = ["--table", tmp_path / "loans.csv", "--out", tmp_path / "out", "--outcome", "repaid", "--favourable", "yes"]
    given += ["--protected", "sex", "--tests", "group_fairness", "--fail-on", "violation"]
    ran = command("compare", *given, "--predictions", "even", "--predictions", "odd")
    assert ran.status == 3
    assert "odd is beyond the tolerance of 10 percentage points" in ran.out
    numbers = json.loads((tmp_path / "out" / "record.json").read_text())["numbers"]
    assert numbers["models"]["odd"]["verdict"] == "violation found"


def test_numbers_of_other_kinds_of_people_do_not_stand_side_by_side() -> None:
    """A model within whose own limit everybody is alike looks fair, and one judged by other kinds does not."""
    frame = loans().assign(pay=lambda one: one["income"].round(), says=lambda one: one["even"])
    table = dataset_of(frame.assign(good=frame["repaid"]), features=("pay",), protected=("sex",))
    kinds = {"even": (51.0,), "odd": (45.0,), "copy": (45.0,)}
    columns = {name: (CellColumn(name="pay", edges=edges),) for name, edges in kinds.items()}
    findings = {n: found(run_transport(table, columns=one)[0], TransportDecision()) for n, one in columns.items()}
    together = [SimpleNamespace(names=("cells",), findings=(one,)) for one in findings.values()]
    tested = tuple(map(tests_of.Tested, findings, together, [Verdict.INSUFFICIENT] * 3))
    assert tests_of.asked_otherwise(tested, 1, "cells") == ("even",)
    assert {one.who for one in tests_of.beside(tested, 1, "cells")} <= {"odd", "copy"}
    (told,) = tests_of.caveats(tested, 1, 0.05)
    assert "even and odd" in told.what
    assert {one.who for _, one in tests_of.differences(tested, 1, 0.05)} <= {"copy"}


def test_that_nothing_bounds_a_difference_is_said_with_what_would() -> None:
    """Nobody is like anybody else, so that each model alone could treat similar people in any way."""
    frame = loans(60).assign(pay=lambda one: one["income"].rank(method="first"))
    columns = (CellColumn(name="pay"),)
    findings = {}
    for name in ("even", "odd"):
        table = dataset_of(frame.assign(good=frame["repaid"], says=frame[name]), features=("pay",), protected=("sex",))
        findings[name] = found(run_transport(table, columns=columns)[0], TransportDecision())
    together = [SimpleNamespace(names=("alike",), findings=(one,)) for one in findings.values()]
    tested = tuple(map(tests_of.Tested, findings, together, [Verdict.INSUFFICIENT] * 2))
    ((_, apart),) = tests_of.differences(tested, 0, 0.05)
    assert (apart.low, apart.high) == (-1.0, 1.0)
    assert tests_of.unbounded(apart)
    assert not tests_of.unbounded(replace(apart, high=0.99))
    assert not tests_of.unbounded(replace(apart, unit=PLAIN))
    (told,) = tests_of.caveats(tested, 0, 0.05)
    assert told.what.startswith("alike: nothing bounds by how much odd and even differ")
    assert "more people" in told.advice
    assert "wider limits" in told.advice


def test_all_models_are_measured_by_the_kinds_that_were_proposed_for_the_baseline() -> None:
    """Proposed for each by itself they are cut by other columns; so they are where a model's tests name other kinds."""
    rng, given = np.random.default_rng(1), GIVEN | {"tests": "transport", "features": ["income", "years"]}
    frame = loans()[["sex", "income", "repaid"]].assign(years=rng.integers(0, 30, 900))
    for name, score in (("by income", frame["income"] - 50), ("by years", (frame["years"] - 15) / 2)):
        frame[name] = np.where(score + rng.normal(0, 0.3, 900) > 0, "yes", "no")
    beside = compare(frame, {name: name for name in ("by income", "by years")}, **given)
    alone = audit(frame.drop(columns="by income"), predictions="by years", **given)
    first, second = (one[0].detail.cells.columns for one in beside._repeated.result.audits)
    assert first == second != alone["transport"].result.detail.cells.columns


def test_whatever_a_test_estimates_stands_beside_that_of_the_other_models() -> None:
    details = {"even": make_sensitivity_detail(texts=60, shown=0), "odd": make_sensitivity_detail(texts=60, seed=1)}
    findings = {name: found(one, TextSensitivityDecision()) for name, one in details.items()}
    together = [SimpleNamespace(names=("texts",), findings=(one,)) for one in findings.values()]
    told = tests_of.beside(tuple(map(tests_of.Tested, findings, together, [Verdict.INSUFFICIENT] * 2)), 0, "texts")
    assert {one.who for one in told} == {"even", "odd"}
    values = {(one.who, one.what): one.estimate for one in told}
    assert len(values) == len(told)
    for name, finding in findings.items():
        for claim in finding.parts["sensitivity interval"]:
            assert values[name, f"{claim.what}, {claim.who}"] == claim.estimate


def few(kind: str) -> Callable[[int], Any]:
    """A finding of a kind of test about few rows, by its seed."""
    made: dict[str, Callable[[int], Any]] = {
        "texts": lambda seed: found(
            make_sensitivity_detail(texts=60, shown=0, bias=1 - seed / 2), TextSensitivityDecision()
        ),
        "columns": lambda seed: find(
            make_column_result(rows=200, bias=0.12 + 0.1 * seed, attributes=1, through=False),
            ColumnSensitivityDecision(),
        ),
        "gradient flow": lambda seed: found(
            replace(make_result(seed=seed).detail, relearned=None, rows=np.arange(360)), GradientFlowDecision()
        ),
    }
    return made[kind]


@pytest.mark.parametrize("kind", ["texts", "columns", "gradient flow"])
def test_means_over_rows_are_compared_row_by_row(kind: str) -> None:
    """Beside scipy's paired t test; equal models differ by nothing, for certain."""
    one, other = few(kind)(0), few(kind)(1)
    mine, theirs = (finding.each_row(finding.deciding) for finding in (one, other))
    assert mine.values.mean() == pytest.approx(one.deciding.estimate, rel=1e-9)
    models = {"a": one, "b": other, "a again": one}
    together = [SimpleNamespace(names=("test",), findings=(finding,)) for finding in models.values()]
    tested = tuple(map(tests_of.Tested, models, together, [Verdict.INSUFFICIENT] * 3))
    told = {claim.who: claim for _, claim in tests_of.differences(tested, 0, 0.05)}
    again, apart = told["a again"], told["b"]
    assert (again.estimate, again.low <= 0 <= again.high, again.p_value) == (0, True, 1)
    assert not tests_of.differs(again, 0.05)
    assert apart.estimate == pytest.approx(other.deciding.estimate - one.deciding.estimate)
    by_t, filled = (
        ttest_rel(theirs.values, mine.values).confidence_interval(0.975),
        3.5 * (mine.largest or 0) / len(mine.rows),
    )
    assert 0 <= (apart.high - apart.low) - (by_t.high - by_t.low) <= 0.05 * (by_t.high - by_t.low) + 2 * filled
    assert apart.low <= apart.estimate <= apart.high
    assert tests_of.differs(apart, 0.05) == (apart.p_value <= 0.05)


def test_every_claim_that_could_lead_is_counted() -> None:
    """Of two attributes the one with the larger change leads, which is picked from the rows that are compared."""
    one, other = (
        find(make_column_result(rows=200, bias=bias, attributes=2, through=False), ColumnSensitivityDecision())
        for bias in (0.12, 0.15)
    )
    models = {"a": one, "b": other}
    together = [SimpleNamespace(names=("test",), findings=(finding,)) for finding in models.values()]
    (_, claim), *_ = tests_of.differences(
        tuple(map(tests_of.Tested, models, together, [Verdict.INSUFFICIENT] * 2)), 0, 0.05
    )
    assert claim.interval is not None
    assert claim.interval.confidence == pytest.approx(1 - 0.05 / 2)


def test_rows_that_are_not_the_same_are_not_compared_one_by_one() -> None:
    one, other = few("columns")(0), few("columns")(1)
    missing = replace(other.result, data=replace(other.result.data, rows_left_out=3))
    assert find(missing, other.decision).each_row(other.deciding) is None
    models = {"a": one, "b": find(missing, other.decision)}
    together = [SimpleNamespace(names=("test",), findings=(finding,)) for finding in models.values()]
    tested = tuple(map(tests_of.Tested, models, together, [Verdict.INSUFFICIENT] * 2))
    (_, claim), *_ = tests_of.differences(tested, 0, 0.05)
    assert np.isnan(claim.p_value)
    assert tests_of.differs(claim, 0.05) == (claim.low > 0 or claim.high < 0)


def test_the_tests_of_an_audit_are_put_to_other_columns_of_its_table() -> None:
    roles = Roles(outcome="repaid", favourable="yes", protected=("sex",), predictions=("a", "b", "c"), features=("x",))
    table = UploadedTable(file=FileRef(name="loans.csv", sha256="c" * 64, bytes=60))
    audits = (GroupFairness(depth=1), EqualizedOdds(), ColumnSensitivity())
    read = PredictionColumns(columns=("a",), holds="score", threshold=0.4)
    study = Study(plans=tuple(AuditPlan(data=table, roles=roles, model=read, audit=one) for one in audits))
    assert other_columns(study) == ("b", "c")
    other = on_column(study, "b")
    assert [plan.audit for plan in other.plans] == list(audits[:2])
    assert other.plans[0].model == read.model_copy(update={"columns": ("b",)})
    assert other.plans[0].roles.predictions == ("b",)
    ComparisonPlan(models=(ComparedModel(name="a", study=study), ComparedModel(name="b", study=other)))
    alone = Study(plans=(AuditPlan(data=table, roles=roles, model=read, audit=ColumnSensitivity()),))
    assert other_columns(alone) == ()


def test_names_of_models_at_one_place_stand_below_each_other(compared: Comparison) -> None:
    written = [trace.text for trace in TRADE_OFF.draw(compared._repeated.plan, compared._repeated.result).figure.data]
    assert written == [("even<br>copy",), ("odd",), ("",)]


def test_names_of_models_are_written_towards_the_middle_where_there_is_room(compared: Comparison) -> None:
    marks = TRADE_OFF.draw(compared._repeated.plan, compared._repeated.result).figure.data
    left, right = (end(marks, key=lambda one: one.x[0]) for end in (min, max))
    assert left.x[0] < right.x[0]
    assert (left.textposition, right.textposition) == ("top right", "top left")


def test_undominated_models_are_beaten_by_none_in_both() -> None:
    right, unfair = np.array([0.8, 0.9, 0.8, 0.7]), np.array([0.1, 0.2, 0.1, 0.15])
    assert undominated(right, unfair).tolist() == [True, True, True, False]


def test_a_mark_that_all_models_would_have_is_left_out(compared: Comparison) -> None:
    frame = loans()
    frame["strict"] = np.where((frame.sex == "female") & (frame.income > 54) | (frame.income > 60), "yes", "no")
    found = compare(frame, {"odd": "odd", "strict": "strict"}, **GIVEN)._repeated
    for one, symbols in ((found, {"circle"}), (compared._repeated, {"circle", "diamond"})):
        drawing = TRADE_OFF.draw(one.plan, one.result)
        assert {trace.marker.symbol for trace in drawing.figure.data} == symbols
        assert "SPD" not in drawing.alt
        assert "AOD" not in drawing.alt


def test_more_models_than_can_be_told_one_by_one_stand_in_lists() -> None:
    frame, rng = loans(), np.random.default_rng(0)
    names = {f"m{place}": f"m{place}" for place in range(6)}
    for place, name in enumerate(names):
        frame[name] = np.where(rng.random(len(frame)) < place / 12, "no", frame["even" if place % 2 else "odd"])
    found = compare(frame, names, **GIVEN)
    assert found.headline.startswith("Beyond the tolerance of 10 percentage points: m0 (37.7), m2 (")
    assert "; not settled: m1 (" in found.headline
    assert found.headline.endswith("Right less often than m0: m2, m3, m4 and 1 more")
    assert "Group fairness test: shown to differ from m0: m1, m3 and m5." in found.sentence


def test_each_model_stands_with_its_number_and_the_groups_that_differ_most(compared: Comparison) -> None:
    plan, result, frame = compared._repeated.plan, compared._repeated.result, loans()
    table = overview(plan, result)
    assert [row[0] for row in table.rows] == ["even", "odd", "copy"]
    assert table.rows[1][1] == "Violation found"
    assert table.rows[1][2].startswith("37.7 points, sex = female against male")
    assert table.rows[0][3] == f"{100 * accuracy_score(frame.repaid, frame.even):.2f}%"
    assert table.header[4] == "sex = female / male"
    by_sex = (frame.odd == "yes").groupby(frame.sex).mean()
    ratio = by_sex.female / by_sex.male
    assert table.rows[1][4] == f"{100 * by_sex.female:.1f}% / {100 * by_sex.male:.1f}% ({ratio:.2f} times)"
    (apart,) = furthest_apart(result)
    assert apart.shares[1] == pytest.approx([by_sex.female, by_sex.male])
    counted = replace(result, times=np.where(result.memberships[0] == 0, 3, 1).astype(np.int64))
    assert furthest_apart(counted)[0].shares == pytest.approx(apart.shares), (
        "shares of each group, whoever stands for many"
    )


def test_an_interval_says_in_words_where_a_group_may_be_ahead(compared: Comparison) -> None:
    spd = next(rate for rate in rates(compared._repeated.result) if rate.key == "SPD")
    assert spd.told(-0.1, -0.15, -0.05) == "sex = female 10.0 points behind male (5.00 to 15.0)"
    assert spd.told(0.1, -0.05, 0.25) == "sex = male 10.0 points behind female (25.0 behind to 5.00 ahead)"
    apart = next(claim for _, claim in largest_first(compared._repeated.result, 0.05) if claim.estimate < 0)
    turned = sized(apart)
    assert (turned.estimate, turned.ends) == (-apart.estimate, tuple(-end for end in reversed(apart.ends)))


@pytest.fixture(scope="module")
def hired(tmp_path_factory: pytest.TempPathFactory) -> tuple[ComparisonPlan, ComparisonResult]:
    """The two hiring examples of the first page."""
    files = FileStore(tmp_path_factory.mktemp("files"))
    models = tuple(
        ComparedModel(name=study.plans[0].model.short_title, study=study)
        for study in (open_example(key, files) for key in ("hiring-baseline", "hiring-sensr"))
    )
    plan = ComparisonPlan(models=models)
    return plan, COMPARISON.run(plan, files)


def test_who_presents_two_models_can_say_which_is_within_the_tolerance_and_what_it_costs(
    hired: tuple[ComparisonPlan, ComparisonResult],
) -> None:
    headline, told = COMPARISON.told(*hired)
    assert headline == (
        "hiring_sensr is within the tolerance of 1.25 times as far off (1.18), hiring_baseline is beyond it (1.95). "
        "hiring_sensr is right 1.60 points less often"
    )
    assert words(headline) <= 30
    left_open, but, less, *others = sentences(told)
    assert left_open == (
        "With hiring_sensr, whether too many people would be misjudged is open (1.22 times as many, at most 1.30)."
    )
    assert less.startswith(
        "Groups differed less in favourable answers among all people: ethnicity = Hispanic 2.88 points behind White "
    )
    assert but == (
        "But groups differed more in favourable answers among people with hired = yes: ethnicity = White "
        "15.6 points behind Black with hiring_sensr, 2.62 with hiring_baseline."
    )
    assert max(map(words, (less, but, *others))) <= 25
    table = overview(*hired)
    assert [row[4].partition("(")[2] for row in table.rows] == ["0.70 times)", "0.93 times)"]
    assert [row[3] for row in table.rows] == ["76.95%", "75.35%"], "their difference is the one that is told"


def words(text: str) -> int:
    return sum(any(map(str.isalnum, word)) for word in text.split())


def test_the_first_slide_says_what_the_page_says_first_and_the_third_begins_with_accuracy(
    hired: tuple[ComparisonPlan, ComparisonResult],
) -> None:
    deck = COMPARISON.slides(*hired).deck
    first, _, third, _, last = deck.slides
    assert first.message == COMPARISON.told(*hired)[0]
    assert any(point.startswith("But groups differed more") for point in first.points)
    assert isinstance(first.picture, Tiles)
    assert first.picture.rows == ("hiring_baseline", "hiring_sensr")
    assert [row[1] for row in first.picture.texts] == ["1.95", "1.18"]
    assert isinstance(third.picture, Spans)
    drawn = [row.name for row in plot(third.picture).rows if not row.heads]
    assert drawn[:2] == ["accuracy, lower", "in favour of ethnicity = Black over White"]
    assert len(drawn) >= 5
    assert [point.partition(" in:")[0] for point in last.points[:3]] == [
        "If the tolerance decides, use hiring_sensr; what that costs stands beside it.",
        "In this table hiring_sensr is better than hiring_baseline",
        "In this table hiring_baseline is better than hiring_sensr",
    ]
    assert "1.95" in render(deck)
    assert write(deck)


def test_answers_in_two_columns_are_held_against_one_tolerance_which_stands_once() -> None:
    given = {**GIVEN, "no_outcome": True}
    del given["outcome"]
    found = compare(loans().drop(columns=["repaid", "copy"]), {"even": "even", "odd": "odd"}, **given)
    assert found.headline.startswith(
        "even is within the tolerance of 10 percentage points (0.13), odd is beyond it (34.9)"
    )
    table = overview(found._repeated.plan, found._repeated.result)
    assert table.header[2] == "Its number (10 are tolerated)"
    assert [cell.partition(": ")[2] for cell in (row[2] for row in table.rows)] == [
        "0.13 points, sex = female against male",
        "34.9 points, sex = female against male",
    ]
    assert "Right answers" not in table.header
