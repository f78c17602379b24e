"""A draft outlives the browser's session: it lies on disk under the name in the address."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import CellColumn, Transport
from core.base.errors import RecordError, SettingsError
from core.plan import AuditPlan
from core.sources.simulated.hiring import Hiring
from core.study import Study
from dashboard import session
from dashboard.draft import Draft, RolesChoice
from dashboard.visitor import LOCAL
from tests.builders import make_plan
from tests.dashboard.walking import (
    draft_of,
    give_role,
    home_folder,
    open_app,
    with_built_in_table,
)


def app() -> None:
    import streamlit as st

    from dashboard import session

    st.session_state["seen"] = session.draft()
    if st.button("change", key="change"):
        session.change(seed=7)


def test_a_refresh_finds_everything_again() -> None:
    at = AppTest.from_function(app).run()
    at.button(key="change").click().run()
    refreshed = AppTest.from_function(app)
    refreshed.query_params["draft"] = at.query_params["draft"]
    assert refreshed.run().session_state["seen"].seed == 7


def test_the_name_comes_back_into_an_address_that_lost_it() -> None:
    at = AppTest.from_function(app).run()
    name = at.query_params["draft"]
    at.query_params.clear()
    assert at.run().query_params["draft"] == name


@pytest.mark.parametrize("name", ["../../etc/passwd", "x", "", "0" * 17, "ABCDEF0123456789"])
def test_a_name_that_is_no_draft_names_no_file(name: str) -> None:
    at = AppTest.from_function(app)
    at.query_params["draft"] = name
    at.run()
    assert not at.exception
    found = at.query_params["draft"]
    assert (found[0] if isinstance(found, list) else found) != name


def test_two_browsers_have_drafts_of_their_own() -> None:
    first, second = AppTest.from_function(app).run(), AppTest.from_function(app).run()
    first.button(key="change").click().run()
    assert second.run().session_state["seen"].seed == 0


def test_a_damaged_draft_is_put_aside_in_words_and_the_next_one_is_new() -> None:
    session.save("0" * 16, Draft(seed=3))
    assert session.load("0" * 16).seed == 3
    (home_folder() / "drafts" / LOCAL / f"{'0' * 16}.json").write_text('{"seed": "many"}')
    with pytest.raises(RecordError, match="cannot be read"):
        session.load("0" * 16)
    assert session.load("0" * 16) == Draft()
    assert (home_folder() / "drafts" / LOCAL / f"{'0' * 16}.unreadable").read_text() == '{"seed": "many"}'


def test_a_finished_study_becomes_the_draft_it_came_from() -> None:
    study = both_tests()
    draft = Draft.of(study)
    assert draft.study == study
    assert Draft.model_validate_json(draft.model_dump_json()) == draft


def test_a_draft_remembers_a_test_that_is_not_chosen_now() -> None:
    draft = Draft.of(both_tests())
    alone = draft.model_copy(update={"tests": ("transport",)})
    assert [plan.audit.kind for plan in alone.study.plans] == ["transport"]
    assert alone.model_copy(update={"tests": draft.tests}).study == draft.study


def test_tests_come_in_one_order_whatever_the_order_of_the_ticks() -> None:
    draft = Draft.of(both_tests())
    turned = draft.model_copy(update={"tests": draft.tests[::-1]})
    assert turned.study == draft.study


def both_tests() -> Study:
    """The gradient-flow test and the transport test, each with choices of its own."""
    plan = make_plan()
    audit = Transport(columns=(CellColumn(name="age", edges=(25.0, 45.0)),), draws=500)
    decision = TransportDecision(delta=0.1, loss="log")
    return Study(plans=(plan, AuditPlan.model_validate({**dict(plan), "audit": audit, "decision": decision})))


UNTOLD = {"gradient_flow": "Say who counts as similar."}


@pytest.mark.parametrize(
    ("draft", "says"),
    [
        (Draft(data=Hiring()), "No test is chosen"),
        (Draft(data=Hiring(), tests=("transport",)), "A step is not finished"),
        (
            Draft.of(Study(plans=(make_plan(),))).model_copy(update={"missing": UNTOLD}),
            "Say who",
        ),
    ],
)
def test_an_unfinished_draft_has_no_study_and_says_why(draft: Draft, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        _ = draft.study


@pytest.mark.parametrize(
    ("roles", "says"),
    [
        (RolesChoice(), "outcome column"),
        (RolesChoice(outcome="y"), "good for the person"),
        (RolesChoice(outcome="y", favourable="1"), "protected attribute"),
        (RolesChoice(outcome="y", favourable="1", protected=("g",)), "features"),
        (RolesChoice(outcome="y", favourable="1", protected=("y",), features=("x",)), "cannot also be"),
    ],
)
def test_roles_say_what_is_still_to_be_chosen(roles: RolesChoice, says: str) -> None:
    assert says in roles.problem
    assert roles.roles is None


def test_a_refresh_in_the_middle_of_the_steps_loses_nothing(tmp_path: Path) -> None:
    before = with_built_in_table()
    give_role(before, "feature", *(name for name in draft_of(before).roles.protected if name != "gender"))
    kept = session.load(before.session_state["draft"])
    assert kept.data == Hiring()
    assert kept.roles.protected == ("gender",)
    after = open_app(draft=before.session_state["draft"])
    assert after.title[0].value.startswith(("Does your model", "Your audits"))
