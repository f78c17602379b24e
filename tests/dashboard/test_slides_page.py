"""The page of the slides: order, captions, hiding, and an address that nobody wrote."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.base.files import home
from core.records.audits import AUDITS
from core.records.codec import save_result
from core.register.register import Register
from core.register.summary import summarise
from core.study import Study
from dashboard.jobs.table import JobTable
from dashboard.views.results.widgets import widget_key
from dashboard.views.slides.way import as_read, reading
from dashboard.visitor import LOCAL
from tests.core.register.made import VIOLATION, make_entry
from tests.dashboard import results_made
from tests.dashboard.walking import click, job_of, open_page, texts


def page() -> AppTest:
    def script() -> None:
        import datetime

        from core.records.audits import AUDITS
        from core.report.names import FileNames
        from dashboard.views.slides import page as slides
        from tests.core.slides.made import audit

        names = FileNames.of("model", "audit", datetime.date(2026, 11, 23))
        slides.show(slides.Presented(AUDITS, *audit("gradient_flow"), names, job="somebody"))

    app = AppTest.from_function(script, default_timeout=60)
    app.session_state["slides_arranging"] = True
    return app.run()


def keys(app: AppTest) -> list[str]:
    """The slides in the frame, in their order."""
    return [part.partition('"')[0] for part in frame(app).split('<section class="slide" id="')[1:]]


def frame(app: AppTest) -> str:
    return str(app.get("iframe")[0].proto.srcdoc)


def test_slides_are_moved_renamed_and_hidden() -> None:
    app = page()
    assert keys(app) == ["verdict", "question", "sure-1", "who-1", "doubts", "proposal"]
    app.text_input(key="slide_caption_verdict").input("What we <b>found</b>")
    app.button(key="slide_down_verdict").click().run()
    app.toggle(key="slide_shown_doubts").set_value(False).run()
    assert keys(app) == ["question", "verdict", "sure-1", "who-1", "proposal"]
    assert "What we &lt;b&gt;found&lt;/b&gt;" in frame(app)
    assert not app.exception
    for key in ("question", "verdict", "sure-1", "who-1", "proposal"):
        app.toggle(key=f"slide_shown_{key}").set_value(False).run()
    assert "All slides are hidden" in app.error[0].value
    assert not app.get("iframe")


def test_an_address_of_nothing_says_so() -> None:
    def script() -> None:
        from dashboard.views.slides import page as slides

        slides.page()

    app = AppTest.from_function(script, default_timeout=60).run()
    assert "no finished result" in app.info[0].value


def test_a_trial_is_presented_as_the_trial_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    monkeypatch.setattr("dashboard.jobs.queue.ensure_worker", lambda: None)
    plan, result = results_made.transport()
    save_result(result, home() / "results" / plan.result_fingerprint)
    table = JobTable()
    job = table.add("audit", {"study": Study(plans=(plan,)).model_dump(mode="json")}, "code", LOCAL)
    table.finish(job.id, "done", {"results": [plan.result_fingerprint]})
    ran = click(open_page("audit", audit=job.id), "present")
    assert "A trial" not in frame(ran)
    app = open_page("audit", audit=job.id)
    tolerance = app.slider(key=widget_key("tolerance", plan))
    tolerance.set_value(tolerance.max).run()
    assert "A trial: read with another choice of" in texts(app)
    click(app, "present")
    assert "A trial: read with another choice of" in frame(app)
    assert f"up to {tolerance.max:g}" in frame(app)
    again = open_page("slides", audit=job.id, read=job_of(app, "read"))
    assert frame(again) == frame(app), "the address alone says how it is read"
    wrong = open_page("slides", audit=job.id, read='[{"delta": "much"}]')
    assert "cannot be made out of the address" in texts(wrong)
    assert not wrong.get("iframe")


def test_slides_say_that_another_audit_of_the_same_ended_worse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path))
    study, results = results_made.several(excess=0.05, bias=0.0)
    for plan, result in zip(study.plans, results, strict=True):
        save_result(result, home() / "results" / plan.result_fingerprint)
    table = JobTable()
    job = table.add("audit", {"study": study.model_dump(mode="json")}, "code", LOCAL)
    table.finish(job.id, "done", {"results": [plan.result_fingerprint for plan in study.plans]})
    told = "of this model on these rows ended worse"
    assert told not in frame(open_page("slides", audit=job.id))
    worse = summarise(AUDITS, study, results).model_copy(update={"verdict": VIOLATION})
    register = Register()
    register.enter(make_entry("e2", LOCAL).model_copy(update={"summary": worse}))
    assert told in frame(open_page("slides", audit=job.id))
    register.delete("e2", LOCAL)
    assert f"{told} and was deleted, on" in frame(open_page("slides", audit=job.id))


def test_an_address_says_what_is_read_otherwise_and_nothing_else() -> None:
    study, _ = results_made.several()
    first, *others = (plan.decision for plan in study.plans)
    read = study.read((first.model_copy(update={"delta": 2 * first.delta}), *others))
    assert reading(study, study) == ""
    assert reading(study, read) == f'[{{"delta":{2 * first.delta}}},{{}}]'
    assert as_read(study, reading(study, read)) == read
    assert as_read(study, "") == study
