"""Fairer models in the dashboard: from a table to what they cost, their files and an audit, and what goes wrong."""

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from streamlit.testing.v1 import AppTest

from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileRef, FileStore
from core.data.roles import Roles
from core.metrics import Metric
from core.metrics.expert import Expert
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models.formats.skops.source import SklearnFile
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.records.codec import load_result
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.workflows.comparison.result import ComparisonResult
from core.workflows.comparison.settings import ComparisonPlan
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import FairDummiesPenalty, MitigationPlan, Projection, Reductions
from dashboard import session
from dashboard.draft import Draft, RolesChoice
from dashboard.jobs import queue as jobs
from dashboard.text import literal
from dashboard.views.fairer.draft import MitigationDraft, metric_for
from dashboard.visitor import LOCAL
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    home_folder,
    job_of,
    keys,
    named,
    open_page,
    settled,
    texts,
)

ROLES = RolesChoice(outcome="passed", favourable="yes", protected=("group",), features=("score", "hours"))


def people(rows: int = 400, *, classes: int = 2, groups: int = 2, seed: int = 5) -> pd.DataFrame:
    """People whose group shifts their score at the same outcome, so that a baseline wrongs one of them."""
    rng = np.random.default_rng(seed)
    outcome, group = rng.integers(0, classes, rows), rng.integers(0, groups, rows)
    return pd.DataFrame(
        {
            "score": outcome + 1.5 * group + rng.normal(0, 0.7, rows),
            "hours": rng.normal(0, 1, rows),
            "group": [f"g{code}" for code in group],
            "passed": [("no", "yes", "later")[code] for code in outcome],
        }
    )


QUICK = MitigationDraft(methods=(FairDummiesPenalty(epochs=8),), strengths=(0.5, 0.97), dummies=199)


def started(frame: pd.DataFrame, roles: RolesChoice = ROLES, chosen: MitigationDraft = QUICK) -> AppTest:
    """The page with this table, these roles and these settings chosen before."""
    table = UploadedTable(file=FileStore().put(frame.to_csv(index=False).encode(), "people.csv"))
    session.save("0123456789abcdef", Draft(data=table, roles=roles))
    (home_folder() / "drafts" / LOCAL / "0123456789abcdef.fairer.json").write_text(chosen.model_dump_json())
    return open_page("fairer", draft="0123456789abcdef")


@pytest.fixture(scope="module")
def name() -> str:
    """A finished comparison, found by its id."""
    app = click(started(people()), "fairer_run")
    assert_sound(app)
    return job_of(app, "fairer")


def test_an_unknown_comparison_says_so_and_the_form_opens_with_a_table() -> None:
    app = open_page("fairer", fairer="0" * 16)
    assert_sound(app)
    assert "There is no comparison of this name" in texts(app)
    assert "fairer_run" not in keys(app)
    assert "The method comes next. Choose a table first." in texts(app)


def test_the_form_tells_every_method_and_how_long_it_will_take() -> None:
    app = started(people())
    assert_sound(app)
    assert not app.button(key="fairer_run").disabled
    assert [box.label for box in app.checkbox if "fairer.method" in str(box.key)] == [
        "Fair dummies",
        "Adversarial debiasing",
        "HGR correlation",
        "Reductions",
        "Reweighing",
        "A threshold for each group",
        "Projection: treat similar people alike",
        "SenSR: treat similar people alike",
        "Smoothing the answers of similar people (GLIF)",
    ]
    told = {metric.label: metric.value for metric in app.metric}
    assert told["Rows to try them on"] == "80"
    assert told["Models"] == "3"
    assert told["Time it will take"] == "less than a minute"


@pytest.mark.long
def test_what_it_costs_is_found_again_by_its_address(name: str) -> None:
    app = open_page("fairer", fairer=name)
    assert_sound(app)
    result = found(name)
    assert [fit.strength for fit in result.fits[1:]] == [0.5, 0.97]
    told = texts(app)
    assert "no proof of fairness" in told or "Each of these models" in told
    assert len(app.get("plotly_chart")) == 3
    assert len(app.table) >= 3
    names = ["baseline", "Fair dummies (λ = 0.5)", "Fair dummies (λ = 0.97)"]
    assert app.table[0].value.index.tolist() == [literal(one) for one in names]
    downloads = {element.proto.id.rpartition("-")[2] for element in app.get("download_button")}
    assert {"fairer_json", "fairer_file"} <= downloads
    again = click(app, "fairer_change")
    assert_sound(again)
    assert named(again.text_input, "fairer.strengths").value == "0.5, 0.97"
    assert named(again.number_input, "fairer.fair dummies.epochs").value == 8


def test_who_is_similar_is_said_in_columns_that_the_fitted_models_read() -> None:
    def told(chosen: Metric, *protected: str, attribute: str = "") -> tuple[Metric, str]:
        roles = RolesChoice(outcome="passed", favourable="yes", protected=protected, features=("score", "hours"))
        return metric_for(Draft(roles=roles).having(GradientFlow(metric=chosen)), attribute)

    learned, read = SensitiveSubspace(), Expert(free=("hours",))
    assert told(learned, "group") == (learned, "")
    assert told(read, "group") == (read, "")
    metric, why = told(Expert(free=("group",), weights=(("score", 2.0),)), "group")
    assert metric == learned
    assert "Your audit says who is similar by 'group', which the fitted models do not read." in why
    metric, why = told(learned, "group", "sex")
    assert metric == SensitiveSubspace(protected=("group",))
    assert told(metric, "group", "sex", attribute="sex")[0] == SensitiveSubspace(protected=("sex",))
    assert why.startswith("Who counts as similar is learned from group alone")
    own = SensitiveSubspace(strength=3.0)
    assert told(own, "group", "sex") == (own, "")


def test_before_it_is_run_the_page_says_what_is_fitted_and_who_is_similar() -> None:
    frame = people().assign(sex=np.tile(["f", "m"], 200))
    roles = ROLES.model_copy(update={"protected": ("group", "sex")})
    app = started(frame, roles, QUICK.model_copy(update={"methods": (Projection(),)}))
    assert_sound(app)
    assert "a new linear model that Evenhand fits to 2 columns of this table, without 'group' and 'sex'" in texts(app)
    assert "Who counts as similar is learned from group alone" in texts(app)
    assert not app.button(key="fairer_run").disabled


def test_a_fitted_model_is_audited_on_rows_it_never_saw(name: str) -> None:
    app = click(open_page("fairer", fairer=name), "fairer_audit")
    assert_sound(app)
    assert set(draft_of(app).tests) >= {"equalized_odds", "group_fairness", "gradient_flow"}
    assert "text_sensitivity" not in draft_of(app).tests
    assert "column_sensitivity" not in draft_of(app).tests, "the model reads no protected column, and none is named"
    job = jobs.find(name)
    assert job is not None
    rows = pd.read_parquet(FileStore().path(FileRef.model_validate(job.answer["rows"])))
    assert len(rows) == found(name).rows[1:, 0].sum() == 160
    data = draft_of(app).data
    assert isinstance(data, UploadedTable)
    assert data.file == FileRef.model_validate(job.answer["rows"])


def test_a_fitted_model_is_compared_with_ones_own_by_one_click() -> None:
    rng = np.random.default_rng(6)
    frame = people()
    frame["own"] = np.where(rng.random(len(frame)) < 0.2, "no", frame["passed"])
    app = click(started(frame), "fairer_run")
    fairer = job_of(app, "fairer")
    assert "fairer_compare" not in keys(app), "no other model was audited yet"
    assert "None of these models is" not in texts(app)
    fitting = jobs.find(fairer)
    assert fitting is not None
    table = MitigationPlan.model_validate(fitting.arguments["plan"]).data
    roles = Roles(outcome="passed", favourable="yes", protected=("group",), predictions=("own",))
    plan = AuditPlan(data=table, roles=roles, model=PredictionColumns(columns=("own",)), audit=GroupFairness())
    study = Study(plans=(plan,)).model_dump(mode="json")
    audited = jobs.wait(jobs.submit("audit", {"study": study, "source": table.model_dump(mode="json")}), 60)
    assert audited.state == "done", audited.failure
    app = open_page("fairer", fairer=fairer)
    assert f"None of these models is {plan.model.title}" in texts(app).replace("\\", "")
    app = click(app, "fairer_compare")
    assert_sound(app)
    job = jobs.find(job_of(app, "comparison"))
    assert job is not None
    compared = ComparisonPlan.model_validate(job.arguments["plan"])
    own, fitted = (one.study.plans[0] for one in compared.models)
    assert own.model == plan.model
    assert fitted.model.kind == "torch_mlp"
    assert compared.alpha == fitted.decision.alpha == pytest.approx(0.05 / 3)
    assert own.decision.alpha == 0.05, "these rows had no part in choosing it"
    result = load_result(home_folder() / "results" / job.answer["comparison"], ComparisonResult)
    assert result.answers.shape == (2, 160)


@pytest.mark.parametrize("beside", [(GroupFairness(),), ()])
def test_a_test_that_the_fitted_model_cannot_be_put_to_is_left_out_of_a_comparison_and_said(
    beside: tuple[GroupFairness, ...],
) -> None:
    frame = people(seed=7 + len(beside))
    read = ["score", "hours", "group"]
    prepared = ColumnTransformer([("group", OneHotEncoder(), ["group"])], remainder="passthrough")
    fitted = make_pipeline(prepared, LogisticRegression()).fit(frame[read], frame["passed"])
    fairer = job_of(click(started(frame), "fairer_run"), "fairer")
    fitting = jobs.find(fairer)
    assert fitting is not None
    table = MitigationPlan.model_validate(fitting.arguments["plan"]).data
    roles = Roles(outcome="passed", favourable="yes", protected=("group",), features=tuple(read))
    model = SklearnFile(file=FileStore().put(skops.io.dumps(fitted), "own.skops"))
    tests = (ColumnSensitivity(), *beside)
    study = Study(plans=tuple(AuditPlan(data=table, roles=roles, model=model, audit=one) for one in tests))
    asked = {"study": study.model_dump(mode="json"), "source": table.model_dump(mode="json")}
    audited = jobs.wait(jobs.submit("audit", asked), 60)
    assert audited.state == "done", audited.failure
    app = open_page("fairer", fairer=fairer)
    assert_sound(app)
    assert "Column sensitivity test: " in texts(app)
    if not beside:
        assert "fairer_compare" not in keys(app)
        assert "own.skops cannot be compared with the fitted model by any test of your audit" in texts(app)
        return
    assert "Left out of a comparison with own.skops, as the fitted model cannot be put to it" in texts(app)
    app = click(app, "fairer_compare")
    assert_sound(app)
    job = jobs.find(job_of(app, "comparison"))
    assert job is not None
    assert job.state == "done", job.failure
    compared = ComparisonPlan.model_validate(job.arguments["plan"])
    assert [[test.audit.kind for test in one.study.plans] for one in compared.models] == [["group_fairness"]] * 2


def _nine_models() -> None:
    from core.base.files import FileStore
    from dashboard.views.fairer import results
    from tests.core.workflows.mitigation.test_told_first import nine

    results.show(*nine(), FileStore().put(b"x\n1\n", "rows.csv"), lambda: None)


def test_cost_and_models_begin_at_the_model_that_the_summary_names() -> None:
    app = AppTest.from_function(_nine_models, default_timeout=60).run()
    assert_sound(app)
    chosen = {box.key: box.value for box in app.selectbox}
    assert "Projection (λ = 0.99) treats similar people more alike" in texts(app).replace("\\", "")
    assert (chosen["fairer_drawn"], chosen["fairer_answers_of"], chosen["fairer_model"]) == ("projection", 3, 4)
    assert "it is the model that the summary above names" in texts(app)


@pytest.mark.long
def test_a_lost_result_is_offered_again(name: str) -> None:
    job = jobs.find(name)
    assert job is not None
    path = home_folder() / "results" / job.answer["fairer"] / "result.json"
    path.write_text(path.read_text()[:-40])
    import streamlit

    streamlit.cache_resource.clear()
    app = open_page("fairer", fairer=name)
    assert_sound(app)
    assert "The saved result is damaged." in texts(app)
    click(app, "fairer_rerun")
    assert_sound(app)
    assert len(app.table) >= 3


def test_predictions_alone_do_not_suffice() -> None:
    frame = people().assign(said="yes")
    app = started(frame, ROLES.model_copy(update={"features": (), "predictions": ("said",)}))
    assert_sound(app)
    assert "its predictions do not suffice" in texts(app)
    assert "fairer_run" not in keys(app)


def test_too_few_rows_are_refused_before_anything_is_run() -> None:
    app = started(people(60))
    assert_sound(app)
    assert "Too few rows are left for the part 'held out'" in texts(app)
    assert app.button(key="fairer_run").disabled


def test_one_group_is_refused_with_the_table() -> None:
    app = started(people(groups=1))
    assert_sound(app)
    assert "What to do: Choose another protected attribute, or bring rows of other groups." in texts(app).replace(
        "**", ""
    )
    assert "fairer_run" not in keys(app)


def test_reductions_refuse_three_classes_and_have_linear_models_only() -> None:
    app = started(people(classes=3), chosen=QUICK.model_copy(update={"methods": (Reductions(),)}))
    assert_sound(app)
    assert "Reductions know equalized odds of two classes, and there are 3." in texts(app)
    assert app.button(key="fairer_run").disabled
    assert named(app.selectbox, "fairer.base.linear.kind").options == ["Linear"]


def test_strengths_out_of_their_range_are_named() -> None:
    app = started(people())
    named(app.text_input, "fairer.strengths").set_value("0.5, 1.5")
    settled(app)
    assert_sound(app)
    assert "Strengths: it must be at most 1." in texts(app)
    assert app.button(key="fairer_run").disabled


def found(name: str) -> MitigationResult:
    job = jobs.find(name)
    assert job is not None
    return load_result(home_folder() / "results" / job.answer["fairer"], MitigationResult)
