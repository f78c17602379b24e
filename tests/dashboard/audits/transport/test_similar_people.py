"""The way of a reviewer who has predictions only: who is similar, what tells people apart, rules, and the verdict."""

import io
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.audits.transport.planning import TransportPilot
from core.audits.transport.settings import ByMetric, CellColumn, DifferOnlyIn, Transport
from core.base.files import FileRef
from core.data.roles import Roles
from core.metrics.expert import Expert
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.sources.upload.uploaded import UploadedTable
from dashboard.audits.transport import plan_words, review
from dashboard.audits.transport.previews import ColumnsProposal
from dashboard.draft import Draft
from dashboard.views.similar import metric
from tests.dashboard import walking
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    give_role,
    keys,
    named,
    settled,
    source,
    texts,
    with_model,
    with_tests,
)


def applicants(rows: int = 1200, **columns: Any) -> bytes:
    """Applicants of whom women are turned away twice as often as they should be; years and job matter to nobody."""
    rng = np.random.default_rng(5)
    woman = rng.random(rows) < 0.5
    good = rng.random(rows) < 0.6
    invited = np.where(woman & (rng.random(rows) < 0.5), False, good)
    table = pd.DataFrame(
        {
            "years": rng.integers(18, 66, rows),
            "job": rng.choice(["clerk", "driver", "cook"], rows, p=(0.6, 0.39, 0.01)),
            "sex": np.where(woman, "woman", "man"),
            "prediction": np.where(invited, "yes", "no"),
            "hired": np.where(good, "yes", "no"),
        }
    )
    return bytes(table.assign(**columns).to_csv(index=False).encode())


def with_predictions(table: bytes) -> AppTest:
    """The step of similar people for the transport test alone."""
    return walking.with_predictions(table, without=("equalized_odds", "group_fairness"))


@pytest.fixture(scope="module")
def page() -> AppTest:
    return with_predictions(applicants())


def test_a_plan_says_in_what_similar_people_agree_and_that_all_else_may_differ() -> None:
    source = PredictionColumns(columns=("p",))
    table = UploadedTable(file=FileRef(name="t.csv", sha256="0" * 64, bytes=1))
    roles = Roles(outcome="hired", favourable="yes", protected=("sex",), predictions=("p",))
    age, job, sex = CellColumn(name="age", edges=(30.0, 50.0)), CellColumn(name="job"), CellColumn(name="sex")
    told = {
        (): "similar people agree in the columns proposed in the step Similar people, and may differ in all else",
        (age, job, sex): "similar people agree in age in 3 bins and job, and may differ in all else",
        (sex,): "similar people have the same recorded outcome, and may differ in all else",
    }
    for columns, said in told.items():
        audit = Transport(columns=columns)
        plan = AuditPlan(data=table, roles=roles, model=source, audit=audit)
        assert plan_words.similar(plan, audit) == said


@pytest.mark.long
def test_with_predictions_only_next_and_run_lead_to_a_verdict_of_three_tests() -> None:
    app = walking.with_predictions(applicants())
    assert app.title[0].value == "Similar people"
    assert draft_of(app).tests == ("transport", "equalized_odds", "group_fairness")
    click(app, "step_next")
    assert_sound(app)
    assert "3.65 percentage points" in texts(app)
    found = {metric.label: metric.value for metric in app.metric}
    assert found["People to audit"] == "1,200"
    assert found["Time it will take"] == "less than a minute"
    assert "only a large violation will be certain" in texts(app), "people of a kind have different losses"
    click(app, "run_audit")
    assert_sound(app)
    assert "**Violation found**" in texts(app)


def test_the_search_is_offered_with_the_reason_why_it_needs_the_model(page: AppTest) -> None:
    click(page, "step_tests")
    assert_sound(page)
    assert named(page.checkbox, "tests.gradient_flow").disabled
    assert named(page.checkbox, "tests.transport").value
    assert "Not available here. This test follows the model's gradients" in texts(page)
    named(page.checkbox, "tests.transport").set_value(False)
    settled(page)
    assert page.button(key="step_next").disabled
    assert "Choose at least one test." in texts(page)
    named(page.checkbox, "tests.transport").set_value(True)
    settled(page)
    click(page, "step_next")


def test_the_proposal_is_told_with_its_kinds_and_people(page: AppTest) -> None:
    found = {metric.label: metric.value for metric in page.metric}
    assert float(found["People who can be compared"].rstrip("%")) > 99
    assert "Similar people agree in **years** (" in texts(page)
    assert "They may differ in **sex** (" in texts(page)
    assert "), and in any column not named here. Who agrees in **sex** (" in texts(page)
    assert "differ only" not in texts(page)
    assert "woman: " in texts(page)
    assert len(page.get("plotly_chart")) == 1
    assert draft_of(page).settings(Transport).columns == (), "the proposal is no choice of the user's"


def test_limits_and_merged_values_change_the_kinds_and_the_proposal_comes_back(page: AppTest) -> None:
    named(page.text_input, "cells.years.edges").set_value("25, 45")
    settled(page)
    assert_sound(page)
    assert "under 25: " in texts(page)
    assert "25 to 44: " in texts(page)
    named(page.multiselect, "cells.job.merged").set_value(["driver", "cook"])
    settled(page)
    assert "Other (driver, cook): " in texts(page)
    assert "**job** (Other (driver, cook), clerk)" in texts(page), "who is put together is told where groups are"
    columns = {column.name: column for column in draft_of(page).settings(Transport).columns}
    assert columns["years"] == CellColumn(name="years", edges=(25.0, 45.0))
    assert columns["job"].merged == (("driver", "Other"), ("cook", "Other"))


def test_kinds_that_are_too_fine_are_told_and_the_proposal_is_one_click_away(page: AppTest) -> None:
    named(page.text_input, "cells.years.edges").set_value("")
    settled(page)
    named(page.multiselect, "cells.job.merged").set_value([])
    settled(page)
    assert_sound(page)
    assert not page.button(key="step_next").disabled
    fine = with_predictions(applicants(200, years=lambda table: table["years"] + np.arange(200) / 1000))
    named(fine.text_input, "cells.years.edges").set_value("")
    settled(fine)
    assert_sound(fine)
    assert "Nobody is like" in texts(fine)
    assert "Tell people apart more coarsely" in texts(fine)
    click(fine, "cells.use_proposal")
    assert_sound(fine)
    assert "Nobody is like" not in texts(fine)
    assert draft_of(fine).settings(Transport).columns == ()


@pytest.mark.parametrize(
    ("limits", "says"), [("45, 25", "do not ascend"), ("young", "it must be a number"), ("1e400", "finite")]
)
def test_limits_that_are_none_are_refused_in_words(page: AppTest, limits: str, says: str) -> None:
    before = named(page.text_input, "cells.years.edges").value
    named(page.text_input, "cells.years.edges").set_value(limits)
    settled(page)
    assert_sound(page)
    assert says in texts(page), texts(page)
    named(page.text_input, "cells.years.edges").set_value(before)
    settled(page)
    assert not page.error


def test_another_column_may_differ_too(page: AppTest) -> None:
    named(page.multiselect, "costs.differ").set_value(["sex", "job"])
    settled(page)
    assert_sound(page)
    assert draft_of(page).settings(Transport).similarity == DifferOnlyIn(columns=("sex", "job"))
    named(page.multiselect, "costs.differ").set_value(["sex"])
    settled(page)
    assert draft_of(page).settings(Transport).similarity == DifferOnlyIn()


def test_rules_are_added_told_and_removed(page: AppTest) -> None:
    page.selectbox(key="rules.forbidden.origin").set_value(("sex", "man"))
    settled(page)
    click(page, "rules.forbidden.add")
    assert_sound(page)
    assert "people of “man” are never compared with people of “woman”" in texts(page)
    page.number_input(key="rules.limits.at_most").set_value(0.1)
    settled(page)
    click(page, "rules.limits.add")
    assert "at most 10% of all people, all of this group, are compared with others" in texts(page)
    page.number_input(key="rules.label_budgets.budget").set_value(0.5)
    settled(page)
    click(page, "rules.label_budgets.add")
    rules = draft_of(page).settings(Transport)
    assert (len(rules.forbidden), len(rules.limits), len(rules.label_budgets)) == (1, 1, 1)
    for name in ("forbidden", "limits", "label_budgets"):
        click(page, f"rules.{name}.remove.0")
    assert_sound(page)
    rules = draft_of(page).settings(Transport)
    assert (rules.forbidden, rules.limits, rules.label_budgets) == ((), (), ())


def test_limits_that_cannot_be_met_are_named_before_the_run(page: AppTest) -> None:
    page.number_input(key="rules.limits.at_most").set_value(1.0)
    page.number_input(key="rules.limits.at_least").set_value(0.95)
    settled(page)
    click(page, "rules.limits.add")
    click(page, "step_next")
    assert_sound(page)
    assert "cannot all be met" in texts(page)
    assert page.button(key="run_audit").disabled
    click(page, "step_back")
    click(page, "rules.limits.remove.0")
    assert not page.button(key="step_next").disabled


def test_a_fair_metric_says_who_is_similar(page: AppTest) -> None:
    named(page.radio, "costs.way").set_value("by_metric")
    settled(page)
    assert_sound(page)
    assert "gives no verdict" in texts(page)
    page.radio(key="costs.metric.kind").set_value("expert")
    settled(page)
    assert_sound(page)
    assert not page.button(key="step_next").disabled, texts(page)
    assert draft_of(page).settings(Transport).similarity.kind == "by_metric"
    chosen = draft_of(page).settings(Transport).similarity
    named(page.radio, "costs.way").set_value("differ_only_in")
    settled(page)
    assert draft_of(page).settings(Transport).similarity == DifferOnlyIn()
    named(page.multiselect, "costs.differ").set_value(["sex", "years"])
    settled(page)
    named(page.radio, "costs.way").set_value("by_metric")
    settled(page)
    assert page.radio(key="costs.metric.kind").value == "expert"
    assert draft_of(page).settings(Transport).similarity == chosen
    named(page.radio, "costs.way").set_value("differ_only_in")
    settled(page)
    assert named(page.multiselect, "costs.differ").value == ["sex", "years"], "each as it was left"
    named(page.multiselect, "costs.differ").set_value(["sex"])
    settled(page)


def test_protected_attributes_that_the_model_reads_may_be_named_though_they_are_no_features(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = SimpleNamespace(report=SimpleNamespace(features=("job", "sex")))
    monkeypatch.setattr(metric, "known", lambda kind, arguments: kind)
    monkeypatch.setattr(metric, "unpack", lambda found, kind: seen)
    roles = Roles(protected=("sex", "race"), features=("job",))
    draft: Any = SimpleNamespace(roles=roles, model="a file", about_model={})
    assert metric._read(draft) == ("job", "sex")
    assert metric._read(SimpleNamespace(roles=roles, model=None)) == ("job",)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hides", "offer", "taken"),
    [
        ("job", "Tell people apart by 'job' too", ("job", "years", "sex")),
        ("years", "Take finer limits of 'years'", ("years", "sex")),
        ("sex", "", ()),
        ("", "", ()),
    ],
)
def test_a_click_takes_the_column_that_explains_what_the_proposal_hides(
    hides: str, offer: str, taken: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    coarse, fine = CellColumn(name="years", edges=(40.0,)), CellColumn(name="years", edges=(30.0, 50.0))
    job, sex = CellColumn(name="job"), CellColumn(name="sex")
    seen = SimpleNamespace(columns=[SimpleNamespace(column=one) for one in (coarse, sex)])
    monkeypatch.setattr(review.cells, "look", lambda draft: seen)
    proposed = ColumnsProposal(together=(coarse, sex), each=(fine, job, sex), left_out=())
    monkeypatch.setattr(review.cells, "proposal", lambda draft: proposed)
    told, columns = review._told_apart_by(Draft(), hides)
    assert (told, tuple(one.name for one in columns)) == (offer, taken)
    assert coarse not in columns or hides != "years"


@pytest.mark.parametrize(("metric", "told"), [(SensitiveSubspace(), True), (Expert(), False)])
def test_what_to_expect_with_a_learned_metric_is_no_verdict(
    metric: Any, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review, "_kinds_of_people", lambda draft: ())
    pilot = TransportPilot(people=500, audited=500, seconds=1.0, memory=10**6, spread=0.3, mixed=0.0, hides="")
    draft = Draft(audits={"transport": Transport(similarity=ByMetric(metric=metric))})
    expected = review.expectation(draft, pilot)
    assert ("give no verdict" in expected.warning) is told
    assert bool(expected.needed) is not told


def cost_table(size: int, **cells: float) -> bytes:
    matrix = pd.DataFrame(np.ones((size, size)) - np.eye(size))
    for place, value in cells.items():
        row, column = map(int, place.removeprefix("c").split("_"))
        matrix.iloc[row, column] = value
    return bytes(matrix.to_csv(index=False, header=False, na_rep="nan").encode())


def test_a_table_of_costs_of_ones_own_is_used_or_refused_in_words() -> None:
    app = with_predictions(applicants())
    size = int(app.metric[0].value.replace(",", ""))
    named(app.radio, "costs.way").set_value("own_cost")
    settled(app)
    assert app.button(key="step_next").disabled
    assert "Upload the table of costs" in texts(app)
    for content, says in (
        (cost_table(size - 1), f"there are {size} groups"),
        (cost_table(size, c0_1=-1.0), "negative"),
        (cost_table(size, c0_1=float("nan")), "NaN"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "What to do"),
    ):
        named(app.file_uploader, "costs.file").upload("costs.csv", content, "text/csv")
        settled(app)
        assert_sound(app)
        assert says in texts(app), texts(app)
        assert "What to do" in app.error[0].value
        assert app.button(key="step_next").disabled
    named(app.file_uploader, "costs.file").upload("costs.csv", cost_table(size), "text/csv")
    settled(app)
    assert_sound(app)
    assert not app.error, texts(app)
    click(app, "step_next")
    assert_sound(app)
    assert "similar by the costs in costs" in str([table.value for table in app.table])


@pytest.mark.long
def test_a_model_gets_the_search_and_may_have_both_tests() -> None:
    app = click(with_model(), "step_next")
    assert named(app.checkbox, "tests.gradient_flow").value
    assert not named(app.checkbox, "tests.transport").value
    named(app.checkbox, "tests.transport").set_value(True)
    settled(app)
    assert "Several tests are several chances of a false alarm" in texts(app)
    click(app, "step_next")
    assert_sound(app)
    assert [tab.label for tab in app.tabs][:2] == ["Gradient-flow test", "Transport test"]
    named(app.radio, "rules.space").set_value("all groups")
    settled(app)
    assert_sound(app)
    click(click(app, "step_next"), "preset_quick")
    assert_sound(app)
    click(app, "run_audit")
    assert_sound(app)
    assert draft_of(app).settings(Transport).space == "all groups"


def test_adding_a_test_runs_only_that_one_and_keeps_the_other() -> None:
    app = click(click(with_tests(), "step_next"), "preset_quick")
    click(app, "run_audit")
    first = {path.name for path in results()}
    click(app, "add_test")
    assert app.title[0].value == "Tests"
    named(app.checkbox, "tests.transport").set_value(True)
    settled(app)
    for beside in ("equalized_odds", "group_fairness"):
        named(app.checkbox, f"tests.{beside}").set_value(False)
    settled(app)
    stamps = {path.name: path.stat().st_mtime_ns for path in results()}
    click(click(app, "step_next"), "step_next")
    click(app, "run_audit")
    assert_sound(app)
    assert "add_test" in keys(app)  # the sensitivity test of columns is left
    assert len({path.name for path in results()} - first) == 1
    assert {path.name: path.stat().st_mtime_ns for path in results() if path.name in stamps} == stamps


def results() -> list[Any]:
    from tests.dashboard.walking import home_folder

    return [path for path in (home_folder() / "results").iterdir() if not path.name.startswith(".")]


def test_where_the_model_does_equally_well_by_all_of_a_kind_the_smallest_violation_is_told() -> None:
    table = pd.read_csv(io.BytesIO(applicants()))
    table["prediction"] = np.where(table["sex"] == "man", "yes", "no")
    app = click(with_predictions(bytes(table.to_csv(index=False).encode())), "step_next")
    assert_sound(app)
    found = {metric.label: metric.value for metric in app.metric}
    assert found["Size it finds four times in five"].startswith("rise by ")
    assert "people would be needed" in texts(app)


def test_hostile_names_are_shown_letter_by_letter_wherever_kinds_are_told() -> None:
    table = pd.read_csv(io.BytesIO(applicants()))
    table["sex"] = table["sex"].replace({"woman": "*w* :red[x]", "man": "$m$ <b>"})
    table = table.rename(columns={"job": "**:red[job]** <b>", "sex": "gender $x$"})
    app = with_predictions(bytes(table.to_csv(index=False).encode()))
    app.selectbox(key="rules.forbidden.origin").set_value(("gender $x$", "$m$ <b>"))
    settled(app)
    click(app, "rules.forbidden.add")
    assert "**:red[job]** <b>" in texts(app)
    assert "people of “$m$ <b>” are never compared with people of “*w* :red[x]”" in texts(app)
    click(app, "step_next")
    assert_sound(app)
    for page in (app, click(app, "step_back")):
        assert ":red[" not in source(page)
        assert "$m$" not in source(page)


def test_what_was_chosen_survives_columns_that_change_their_role() -> None:
    app = with_predictions(applicants())
    named(app.multiselect, "cells.columns").set_value(["years", "job"])
    settled(app)
    named(app.multiselect, "costs.differ").set_value(["sex", "job"])
    settled(app)
    click(app, "step_data")
    give_role(app, "none", "sex")
    give_role(app, "protected", "job")
    for _ in range(3):
        click(app, "step_next")
    assert_sound(app)
    assert app.title[0].value == "Similar people"
    assert "sex" not in [column.name for column in draft_of(app).settings(Transport).columns]


def test_a_model_that_reads_no_protected_attribute_is_compared_with_people_in_the_table() -> None:
    """The model of the hiring example reads neither gender nor ethnicity: asked about both it would answer alike."""
    app = click(with_model(), "step_next")
    assert draft_of(app).settings(Transport).space == "observed"


def test_a_column_that_is_not_proposed_is_named_and_taken_in_by_a_click() -> None:
    """Of eight more columns of nine values each not all leave enough people to compare with."""
    rng = np.random.default_rng(8)
    app = with_predictions(applicants(**{f"more {i}": rng.integers(10, 19, 1200) for i in range(8)}))
    (offered,) = [one for one in app.get("button_group") if one.label == "Take one in"]
    told = texts(app).partition("Left out: ")[2]
    assert all(name in told for name in offered.options)
    name = offered.options[0]
    offered.set_value(name)
    assert_sound(walking.settled(app))
    assert name in {one.name for one in draft_of(app).settings(Transport).columns}
