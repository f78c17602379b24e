"""What people state about an audit is asked where its result is looked at, kept in the register, and named in files."""

import datetime
import hashlib
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.base.errors import StorageError
from core.register.entry import Entry, Status, Summary
from core.register.register import Register
from core.report.statement import Statement
from dashboard.jobs.registering import id_of
from dashboard.views.results.widgets import widget_key
from dashboard.visitor import LOCAL
from tests.builders import make_plan
from tests.dashboard.results_made import several
from tests.dashboard.results_text import told


@pytest.fixture
def job(request: pytest.FixtureRequest) -> str:
    """A job of this test only: all tests share the register."""
    return hashlib.sha256(request.node.name.encode()).hexdigest()[:16]


def page(job: str, *, opened: bool = True, view: str = "Record") -> AppTest:
    def script(job: str) -> None:
        from dashboard.views.results import page as results
        from tests.builders import make_result, make_study

        results.show(make_study(), (make_result(),), job)

    app = AppTest.from_function(script, default_timeout=60, kwargs={"job": job})
    app.session_state["statement_panel"] = opened
    app.session_state[widget_key("view", make_plan())] = view
    return app.run()


def enter(job: str, **values: object) -> None:
    kept = {
        "id": id_of(job, LOCAL),
        "owner": LOCAL,
        "job": job,
        "workflow": "audit",
        "made": 0.0,
        "plan": {},
        "summary": Summary(),
    }
    Register().enter(Entry.model_validate({**kept, **values}))


def kept(job: str) -> Statement:
    entry = Register().get(id_of(job, LOCAL), LOCAL)
    assert entry is not None
    return entry.statement


def field(app: AppTest, label: str) -> object:
    return next(one for one in (*app.text_input, *app.text_area) if one.label.removesuffix(" *") == label)


def save(app: AppTest) -> AppTest:
    return next(one for one in app.button if one.label == "Save the statement").click().run()


def test_what_is_stated_is_kept_in_the_register_and_names_the_files(job: str) -> None:
    enter(job, statement=Statement(date=datetime.date(2026, 11, 23)))
    app = page(job)
    assert {"Auditor *", "Reviewer *"} <= {one.label for one in app.text_input}
    field(app, "System").input("Credit model <2>")  # type: ignore[attr-defined]
    app = save(app)
    assert not app.exception
    assert kept(job).system == "Credit model <2>"
    assert any("credit-model-2_gradient-flow_2026-11-23_record.json" in one.value for one in app.code)


def test_the_reason_for_the_tolerance_is_given_where_it_is_chosen(job: str) -> None:
    enter(job)
    app = page(job, opened=False)
    field(app, "Why is a difference up to this tolerance acceptable?").input("So agreed.").run()  # type: ignore[attr-defined]
    assert kept(job) == Statement(tolerance_reason="So agreed.")


def test_a_signed_statement_cannot_be_changed_here(job: str) -> None:
    stated = Statement(system="Loans", tolerance_reason="So agreed.", reviewer="Ada")
    enter(job, status=Status.SIGNED, statement=stated, signed=1.7e9, signed_by=LOCAL)
    app = page(job)
    assert "Signed for Ada: identity not verified." in told(app)
    assert "This is not what Ada signed" not in told(app)
    app.slider[0].set_value(2.0).run()
    assert not app.exception
    assert "This is not what Ada signed on 14 November 2023, 22:13 UTC" in told(app)
    assert "Save the statement" not in {one.label for one in app.button}
    assert not [one for one in app.text_input if one.label.startswith("Why is a difference")]
    assert "to fill in" not in told(app)


@pytest.mark.parametrize("fault", [True, False])
def test_without_an_entry_it_is_kept_for_this_page(monkeypatch: pytest.MonkeyPatch, job: str, *, fault: bool) -> None:
    if fault:

        def locked(*_: object) -> None:
            raise StorageError("The register is locked.")

        monkeypatch.setattr(Register, "get", locked)
    app = page(job)
    assert "is not in your register" in told(app)
    field(app, "System").input("Loans")  # type: ignore[attr-defined]
    app = save(app)
    assert not app.exception
    assert any("run loans_gradient-flow_" in one.value for one in app.code)


def test_an_audit_that_is_not_entered_yet_counts_as_many_fields_as_its_entry_will(
    monkeypatch: pytest.MonkeyPatch, job: str
) -> None:
    ran = SimpleNamespace(finished=1.8e9, submitted=1.8e9)
    monkeypatch.setattr("dashboard.views.results.stating.jobs.find", lambda _: ran)
    monkeypatch.setattr("dashboard.views.results.stating.way.offer", lambda _: None)
    before = page(job)
    enter(job, statement=Statement(date=datetime.date.fromtimestamp(1.8e9)))
    labels = [[one.label for one in app.expander if "to fill in" in one.label] for app in (before, page(job))]
    assert labels[0] == labels[1] != []


def test_what_was_signed_in_another_browser_is_not_called_unsigned(job: str) -> None:
    signed = {"status": Status.SIGNED, "signed": 1.8e9, "signed_by": "ben", "statement": Statement(reviewer="Ben")}
    enter(job, id=id_of(job, "ben"), owner="ben", **signed)
    app = page(job)
    assert "Signed for Ben: identity not verified." in told(app)
    assert "It was signed on 15 January 2027, 08:00 UTC, with these numbers" in told(app)
    assert not any(words in told(app) for words in ("not what Ben signed", "to fill in"))
    assert not [one for one in app.text_input if one.label.startswith("Why is a difference")]
    app.slider[0].set_value(2.0).run()
    assert "This is not what Ben signed on 15 January 2027, 08:00 UTC: it is read with another choice" in told(app)
    assert Register().of_run(job, LOCAL) is None, "it is told that it was signed; the entry is not read"


def test_what_another_browser_ran_says_where_it_is_signed_and_deleted(
    monkeypatch: pytest.MonkeyPatch, job: str
) -> None:
    ran = SimpleNamespace(id=job, finished=1.8e9, submitted=1.8e9, visitors=("ben",), gone=())
    monkeypatch.setattr("dashboard.views.results.stating.jobs.find", lambda _: ran)
    where = "This was run in another browser: *Review and sign* and *Delete* stand there."
    assert any(where in one.value for one in page(job).caption)
    ran.visitors = (LOCAL,)
    assert not any(where in one.value for one in page(job).caption)


def test_charts_can_be_saved_under_a_name_and_the_statement_waits_until_it_is_opened(job: str) -> None:
    app = page(job, opened=False, view="Why")
    app.session_state["chart_format"] = "SVG"
    app.run()
    assert not app.text_area
    config = app.get("plotly_chart")[0].proto.config
    assert '"format": "svg"' in config
    assert '"filename": "gradient_flow_' in config


def test_each_of_several_tests_is_asked_for_its_own_reason(job: str) -> None:
    def script(job: str) -> None:
        from dashboard.views.results import page as results
        from tests.dashboard.results_made import several

        results.show(*several(), job)

    enter(job, plan=several()[0].model_dump(mode="json"))
    app = AppTest.from_function(script, default_timeout=60, kwargs={"job": job})
    app.session_state["statement_panel"] = True
    app.run()
    asked = [one for one in app.text_input if one.label.startswith("Why is a difference")]
    assert len(asked) == 2
    asked[1].input("One in 27.").run()
    assert kept(job) == Statement(tolerance_reasons={"gradient_flow": "", "transport": "One in 27."})
    labels = [one.label.removesuffix(" *") for one in app.text_area]
    assert "Reason for the tolerance" not in labels
    field(app, next(one for one in labels if "flow" in one)).input("So agreed.")  # type: ignore[attr-defined]
    app = save(app)
    assert not app.exception
    assert kept(job).tolerance_reasons == {"gradient_flow": "So agreed.", "transport": "One in 27."}
    assert "Give the reason for the tolerance" not in told(app)
