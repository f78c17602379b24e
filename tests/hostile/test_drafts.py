"""Names of drafts in the address: only issued ones are taken, and nobody changes what another browser chose."""

import pytest
from streamlit.testing.v1 import AppTest

from core.sources.simulated.hiring import Hiring
from dashboard import session
from dashboard.draft import Draft
from tests.dashboard.walking import home_folder, job_of, open_page, texts

NOBODY = "a" * 16


def app() -> None:
    import streamlit as st

    from dashboard import session

    now = session.draft()
    session.show_origin(now)
    st.session_state["seen"] = now.seed
    if st.button("change", key="change"):
        session.change(seed=now.seed + 1)


def opened(visitor: str, name: str = "") -> AppTest:
    at = AppTest.from_function(app)
    at.session_state["visitor"] = visitor
    if name:
        at.query_params["draft"] = name
    return at.run()


def name_in(at: AppTest) -> str:
    return job_of(at, "draft")


def test_a_name_that_nobody_issued_is_not_taken() -> None:
    at = opened("first", NOBODY)
    assert name_in(at) != NOBODY
    assert "you begin anew" in at.info[0].value
    assert not list((home_folder() / "drafts").rglob(f"{NOBODY}*"))


def test_the_page_says_so_too() -> None:
    page = open_page("data", draft=NOBODY)
    assert "Nothing was chosen under this address, so you begin anew." in texts(page)
    assert name_in(page) != NOBODY


def test_a_refresh_and_a_second_tab_of_the_same_browser_see_the_same_draft() -> None:
    first = opened("first")
    first.button(key="change").click().run()
    again = opened("first", name_in(first))
    assert name_in(again) == name_in(first)
    assert again.session_state["seen"] == 1
    assert not again.info


def test_another_browser_gets_a_copy_once_and_changes_nothing_of_the_first() -> None:
    first = opened("first")
    first.button(key="change").click().run()
    second = opened("second", name_in(first))
    assert second.session_state["seen"] == 1
    assert "copy of your own" in second.info[0].value
    second.button(key="change").click().run()
    assert name_in(second) != name_in(first)
    assert first.run().session_state["seen"] == 1
    assert opened("second", name_in(first)).session_state["seen"] == 2


def test_the_copy_has_the_choices_of_pages_of_their_own() -> None:
    first = opened("first")
    folder = home_folder() / "drafts" / "first"
    (folder / f"{name_in(first)}.selection.json").write_text("{}")
    second = name_in(opened("second", name_in(first)))
    assert (home_folder() / "drafts" / "second" / f"{second}.selection.json").read_text() == "{}"


def test_a_draft_from_before_there_were_visitors_is_copied_for_whoever_has_its_address() -> None:
    (home_folder() / "drafts").mkdir(parents=True, exist_ok=True)
    (home_folder() / "drafts" / f"{'b' * 16}.json").write_text(Draft(seed=4, data=Hiring()).model_dump_json())
    assert opened("first", "b" * 16).session_state["seen"] == 4


@pytest.mark.parametrize("name", ["*", "?" * 16, "../" * 5, "..", "a/../b", "\0", "é" * 16, "A" * 16])
def test_a_pattern_or_a_path_in_the_address_names_no_file(name: str) -> None:
    session.save("c" * 16, Draft(seed=9))
    at = opened("first", name)
    assert not at.exception
    assert at.session_state["seen"] == 0
