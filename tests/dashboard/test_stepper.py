"""Next waits with the user: a click that meets a working page is neither lost nor obeyed against a problem."""

import dataclasses

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import stepper


def step_page() -> None:
    import streamlit as st

    from dashboard import stepper, waiting
    from dashboard.draft import Draft

    place = stepper.header(Draft(), "data")
    assert place is not None
    if st.session_state.get("busy", True):
        st.session_state[waiting._WAITING] = "Reading the table"
    stepper.footer(place, Draft(), "data", st.session_state.get("problem", ""))


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that the page went to; no step has a problem of its own."""
    steps = tuple(dataclasses.replace(step, problem=lambda draft: "") for step in stepper.STEPS)
    monkeypatch.setattr(stepper, "STEPS", steps)
    went: list[str] = []
    monkeypatch.setattr(stepper, "go", went.append)
    return went


def clicked_while_busy() -> AppTest:
    app = AppTest.from_function(step_page)
    app.session_state["problem"] = "The table is not read yet."
    app.run()
    assert not app.button(key="step_next").disabled
    return app.button(key="step_next").click().run()


def test_a_click_while_the_page_works_goes_on_when_the_answer_has_come(gone: list[str]) -> None:
    app = clicked_while_busy()
    assert gone == []
    assert app.caption[0].value.startswith("Reading the table… ")
    assert "as soon as this is ready" in app.caption[0].value
    app.session_state["busy"], app.session_state["problem"] = False, ""
    app.run()
    assert gone == ["model"]
    app.run()
    assert gone == ["model"]


def test_a_page_that_measures_says_what_it_measures_and_not_that_something_is_wrong(gone: list[str]) -> None:
    app = AppTest.from_function(step_page)
    app.session_state["problem"] = "The table is not read yet."
    assert [caption.value for caption in app.run().caption] == ["Reading the table…"]
    app.session_state["busy"] = False
    assert [caption.value.replace("\\", "") for caption in app.run().caption] == ["The table is not read yet."]


def test_a_click_is_forgotten_when_the_answer_is_a_problem(gone: list[str]) -> None:
    app = clicked_while_busy()
    app.session_state["busy"] = False
    app.run()
    assert app.button(key="step_next").disabled
    app.session_state["problem"] = ""
    app.run()
    assert gone == []


def plan_page() -> None:
    import streamlit as st

    from dashboard import main_button, waiting

    page, busy = st.session_state.get("page", "fairer"), st.session_state.get("busy", True)
    main_button.begin(page)
    st.session_state[waiting._WAITING] = "Trying the models" if busy else ""
    if main_button.clicked(
        page, "Run", "Still tried." if busy else "", key=f"{page}_run", icon=":material/play_arrow:"
    ):
        st.session_state["ran"] = page


@pytest.mark.parametrize(("by_way_of", "ran"), [("fairer", True), ("selection", False)])
def test_a_click_is_forgotten_on_another_page(by_way_of: str, ran: bool) -> None:
    app = AppTest.from_function(plan_page).run()
    app.button(key="fairer_run").click().run()
    app.session_state["page"] = by_way_of
    app.run()
    app.session_state["page"], app.session_state["busy"] = "fairer", False
    app.run()
    assert ("ran" in app.session_state) == ran
