"""The explorer of subgroups: search, filters, order, and the row that is chosen."""

from typing import Any

import pytest
import streamlit.config
from streamlit.testing.v1 import AppTest

from core.audits.group_fairness.decision import GroupFairnessDecision
from core.audits.group_fairness.subgroups.verdicts import judge
from core.audits.group_fairness.wording_subgroups import described, worst_first
from tests.builders_fair_dummies import make_groups_result
from tests.dashboard.results_text import told, unescaped, written

streamlit.config.set_option("client.showErrorDetails", "full")
READING = GroupFairnessDecision()


def page(case: str = "two classes", **shape: Any) -> AppTest:
    def script(case: str, shape: dict[str, object]) -> None:
        from core.audits.group_fairness.decision import GroupFairnessDecision
        from core.audits.group_fairness.verdict import GroupFairnessFinding
        from dashboard.audits.group_fairness import results_subgroups
        from tests.builders_fair_dummies import make_groups_result

        results_subgroups.show(GroupFairnessFinding(make_groups_result(case, **shape), GroupFairnessDecision()))

    return AppTest.from_function(script, default_timeout=60, args=(case, shape))


def listed(app: AppTest) -> list[str]:
    return list(app.dataframe[0].value["Subgroup"])


@pytest.mark.parametrize("case", ["two classes", "numbers"])
def test_all_subgroups_are_listed_worst_first_and_the_first_is_shown(case: str) -> None:
    app = page(case).run()
    assert not app.exception
    scan = make_groups_result(case).detail.subgroups
    order = worst_first(scan, judge(scan, READING.delta, READING.alpha))
    assert listed(app) == [described(scan, place) for place in order]
    shown = told(app)
    for part in (f"{len(scan)} of {len(scan)} subgroups", "firmly flagged", "everybody else", "95% confidence"):
        assert part in shown
    assert f"**{described(scan, order[0])}**" in shown


def test_search_filters_and_order() -> None:
    app = page().run()
    everything = listed(app)
    app.text_input[0].set_value("female WHITE").run()
    assert listed(app) == [name for name in everything if "Female" in name and "White" in name] != []
    app.text_input[0].set_value("").run()
    app.multiselect[0].set_value(["sex", "race"]).run()
    assert listed(app) == [name for name in everything if "sex =" in name and "race =" in name] != []
    app.multiselect[0].set_value([]).run()
    app.get("button_group")[0].set_value(["certified"]).run()
    assert set(app.dataframe[0].value["What is said"]) == {"certified"}
    app.get("button_group")[0].set_value([]).run()
    app.selectbox[0].set_value("people").run()
    people = list(app.dataframe[0].value["People"])
    assert people == sorted(people, reverse=True)
    app.text_input[0].set_value("nobody is called this").run()
    assert not app.dataframe
    assert "No subgroup is like that" in told(app)
    assert not app.exception


def test_hostile_names_are_shown_letter_by_letter() -> None:
    app = page(hostile=True).run()
    assert not app.exception
    left = unescaped(written(app))
    for mark in ("<b", "<i", "<img", "](", "$", ":red", "~~", "`"):
        assert mark not in left
