"""The pages of a kind of test without pages of its own, drawn here from the shipped kinds and their settings."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.audits import KINDS
from core.report.settings_table import setting_sections
from tests.dashboard import results_made as made

MADE = {
    "transport": made.transport,
    "text_sensitivity": made.sensitivity,
    "column_sensitivity": made.columns,
    "equalized_odds": made.fair_dummies,
    "group_fairness": made.groups,
}


def results(kind: str) -> None:
    import streamlit as st

    from core.audits import KINDS
    from core.run import find
    from dashboard.audits.generic import generic
    from tests.dashboard.audits.test_generic import MADE

    plan, result = MADE[kind]()
    view = generic(KINDS[kind]).view
    decision = view.controls(plan, plan.decision, result, lambda: plan.decision.alpha)
    st.session_state["decision"] = decision
    finding = find(result, decision)
    for tab in view.tabs_of(result):
        view.show(tab, plan, finding)
    st.markdown(view.p_values(finding))


@pytest.mark.parametrize("kind", MADE)
def test_every_shipped_result_can_be_shown_by_the_generic_page(kind: str) -> None:
    app = AppTest.from_function(results, default_timeout=60, kwargs={"kind": kind}).run()
    assert not app.exception
    plan, _ = MADE[kind]()
    assert app.session_state["decision"] == plan.decision
    assert app.table
    folds = [one.label for one in app.expander]
    assert len(folds) == len(set(folds)), folds


def test_moving_the_tolerance_moves_it_in_the_unit_that_people_read() -> None:
    app = AppTest.from_function(results, default_timeout=60, kwargs={"kind": "column_sensitivity"}).run()
    (tolerance,) = (one for one in app.slider if one.key.startswith("delta"))
    assert "percentage points" in tolerance.label
    tolerance.set_value(25.0).run()
    assert app.session_state["decision"].delta == 0.25


def review(kind: str) -> None:
    import streamlit as st

    from core.audits import KINDS
    from dashboard.audits.generic import generic
    from dashboard.draft import Draft, RolesChoice
    from tests.dashboard.audits.test_generic import MADE

    plan, _ = MADE[kind]()
    draft = Draft(tests=(kind,), roles=RolesChoice(**dict(plan.roles))).having(plan.audit, plan.decision)
    pages = generic(KINDS[kind])
    st.session_state["shut"] = pages.setup(draft)
    st.session_state["audit"] = pages.settings(draft)
    st.session_state["facts"] = pages.facts(plan)


@pytest.mark.parametrize("kind", MADE)
def test_settings_are_drawn_and_given_back(kind: str) -> None:
    app = AppTest.from_function(review, default_timeout=60, kwargs={"kind": kind}).run()
    assert not app.exception
    plan, _ = MADE[kind]()
    assert app.session_state["shut"] == ""
    assert app.session_state["audit"] == plan.audit
    told: dict[str, Any] = app.session_state["facts"]
    assert all("confidence" in value for value in told.values())
    first = next(row for section in setting_sections(plan.audit) for row in section.rows)
    assert f"; {first.label}: {first.value}" in told[KINDS[kind].title]
