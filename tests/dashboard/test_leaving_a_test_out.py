"""A test that cannot be tried says so, and the audit goes on without it where there are others."""

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.views.review import expectation


@pytest.mark.parametrize(("waits", "others"), [(True, True), (False, True), (False, False)])
def test_what_failed_is_not_called_unfinished(monkeypatch: pytest.MonkeyPatch, *, waits: bool, others: bool) -> None:
    def script(tests: tuple[str, ...]) -> None:
        import streamlit as st

        from core.study import Study
        from dashboard.draft import Draft
        from dashboard.views.review import expectation
        from tests.builders_transport import make_transport_plan

        draft = Draft.of(Study(plans=(make_transport_plan(),))).model_copy(update={"tests": tests})
        st.markdown(expectation.show(draft, "transport", set())[0])

    left: dict[str, tuple[str, ...]] = {}
    monkeypatch.setattr("dashboard.session.change", left.update)
    monkeypatch.setattr(expectation, "pages_of", lambda _: SimpleNamespace(problem=lambda _: ""))
    monkeypatch.setattr(expectation, "answer", lambda *_: None)
    monkeypatch.setattr(expectation, "is_waiting", lambda: waits)
    tests = ("transport", *(("equalized_odds",) if others else ()))
    app = AppTest.from_function(script, default_timeout=60, kwargs={"tests": tests}).run()
    assert not app.exception
    told = app.markdown[0].value
    assert told.startswith("The test has to be tried" if waits else "The transport test cannot be run like this")
    assert [one.key for one in app.button] == (["leave_out_transport"] if others and not waits else [])
    if app.button:
        app.button[0].click().run()
        assert left == {"tests": ("equalized_odds",)}
