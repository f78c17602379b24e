"""Models compared in the dashboard: from finished audits to their differences, and what stands in the way."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileStore
from core.data.roles import Roles
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.records.codec import load_result
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.workflows.comparison.result import ComparisonResult
from core.workflows.examples import open_example
from dashboard.jobs import queue as jobs
from dashboard.jobs.registering import summary_of
from dashboard.views.comparison.setup import FinishedAudit
from dashboard.views.register import words
from tests.core.register.made import make_entry
from tests.core.workflows.comparison.test_model_comparison import loans
from tests.dashboard.walking import assert_sound, click, home_folder, job_of, open_page, settled, texts


def audited(column: str, **roles: Any) -> str:
    """A finished audit of a column with answers; returns its job."""
    table = UploadedTable(file=FileStore().put(loans().to_csv(index=False).encode(), "loans.csv"))
    given = {"outcome": "repaid", "favourable": "yes", "protected": ("sex",), "predictions": (column,)}
    plan = AuditPlan(
        data=table,
        roles=Roles(**{**given, **roles}),
        model=PredictionColumns(columns=(column,)),
        audit=GroupFairness(),
    )
    study = Study(plans=(plan,)).model_dump(mode="json")
    job = jobs.submit("audit", {"study": study, "source": table.model_dump(mode="json")})
    done = jobs.wait(job, 60)
    assert done.state == "done", done.failure
    return done.id


@pytest.fixture(scope="module")
def compared() -> AppTest:
    first = audited("even", predictions=("even", "copy"))
    audited("odd")
    audited("copy", missing="own category")
    app = open_page("comparison", audit=first)
    assert_sound(app)
    others, columns = app.multiselect
    assert others.options == ["odd on loans.csv"]
    assert columns.options == ["copy"]
    columns.set_value(["copy"])
    return click(settled(app), "comparison_run")


def test_models_audited_on_one_table_are_compared(compared: AppTest) -> None:
    assert_sound(compared)
    assert "odd is beyond the tolerance of 10 percentage points" in texts(compared)
    assert compared.button(key="present").label == "Present"
    saved = [one.key for one in compared.get("download_button")]
    assert saved.index("comparison_html") < saved.index("comparison_json") < len(saved)
    job = jobs.find(job_of(compared, "comparison"))
    assert job is not None
    result = load_result(home_folder() / "results" / job.answer["comparison"], ComparisonResult)
    assert result.names == ("even", "odd", "copy")
    assert (result.answers[2] == result.answers[0]).all()
    found = summary_of(job)
    listed = words.verdict(make_entry(workflow="comparison").model_copy(update={"summary": found}))
    assert "**violation found** with odd" in listed, "a list says of which models the verdict is"


@pytest.mark.usefixtures("compared")
def test_two_models_of_one_name_are_told_so() -> None:
    app = open_page("comparison", audit=audited("even"))
    app.text_input[1].set_value(app.text_input[0].value)
    app = settled(app)
    assert_sound(app)
    assert "Two models are called" in texts(app)
    assert app.button(key="comparison_run").disabled


@pytest.mark.usefixtures("compared")
def test_the_model_audited_first_is_the_baseline_and_the_audit_asked_for_is_among_the_others() -> None:
    asked = audited("copy", predictions=("even", "copy"), protected=("sex",))
    app = open_page("comparison", audit=asked)
    assert_sound(app)
    assert app.selectbox(key="comparison_first").value.model == "even"
    assert asked in {one.id for one in app.multiselect[0].value}


def test_a_model_goes_by_its_file_without_the_ending() -> None:
    study = open_example("hiring-sensr", FileStore())
    assert FinishedAudit("1", study).called == "hiring_sensr"
    column = study.plans[0].model_copy(update={"model": PredictionColumns(columns=("p.hired",))})
    assert FinishedAudit("2", Study.model_construct(plans=(column,))).called == "p.hired"


def test_a_comparison_of_no_such_name_says_so() -> None:
    app = open_page("comparison", comparison="0" * 16)
    assert_sound(app)
    assert "There is no comparison of this name" in texts(app)
