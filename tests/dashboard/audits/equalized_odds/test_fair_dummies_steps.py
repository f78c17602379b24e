"""The way of a reviewer to the fair-dummies test: the only one for numbers, one of several for classes."""

import io

import pytest

from core.audits.equalized_odds.settings import EqualizedOdds
from core.audits.group_fairness.settings import GroupFairness
from core.base.files import FileStore
from core.caveats.assumptions import SIGNED_TOLERANCE
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.language.told import retold
from core.workflows.proposing import begun, proposed, unsuited
from dashboard.jobs import queue as jobs
from dashboard.waiting import size
from tests.builders_fair_dummies import Case, make_people
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    job_of,
    keys,
    named,
    open_app,
    say_what_high_means,
    settled,
    texts,
    upload,
)
from tests.kinds import SHIPPED


def table(case: Case, rows: int = 400) -> bytes:
    written = io.BytesIO()
    make_people(case, rows=rows).frame.to_csv(written, index=False)
    return written.getvalue()


def test_numbers_from_upload_to_verdict() -> None:
    """Every step is made with what is proposed: the outcome is seen to be a number, its column of answers found."""
    app = upload(click(open_app(), "start"), "data.file", "costs.csv", table("numbers", rows=200))
    assert_sound(app)
    roles = draft_of(app).roles
    assert (roles.outcome, roles.outcome_type, roles.favourable) == ("outcome", "number", None)
    named(app.selectbox, "roles.good_end.outcome").set_value("high")
    settled(app)
    for _ in range(3):
        click(app, "step_next")
        assert_sound(app)
    assert draft_of(app).tests == ("equalized_odds", "group_fairness")
    assert "people whose care really cost the same" in texts(app)
    named(app.multiselect, "groups.columns.columns").set_value(["region"])
    settled(app)
    assert draft_of(app).settings(GroupFairness).columns == ("region",)
    click(app, "step_next")
    assert_sound(app)
    found = {metric.label: metric.value for metric in app.metric}
    assert found["People to audit"] == "200"
    assert found["Time it will take"] == "less than a minute"
    memory = [metric.value for metric in app.metric if metric.label == "Memory it will take"]
    assert "no legal threshold" in texts(app)
    assert retold(SIGNED_TOLERANCE) in texts(app)
    assert "How much is tolerated, and how sure a verdict has to be" in [one.value for one in app.header]
    facts = app.table[0].value.iloc[:, 0].to_dict()
    assert facts["Good for the person"] == "high numbers"
    assert "Smallest ratio of rates" not in [one.label for one in app.number_input]
    assert named(app.selectbox, "review.fair_dummies.resampling").value == "conditional permutation"
    click(app, "run_audit")
    assert_sound(app)
    assert "get answers that err more to their disadvantage than" in texts(app)
    job = jobs.find(job_of(app, "audit"))
    assert job is not None
    assert len(memory) == 2
    assert f"about {size(job.needs.memory)}" in memory, "by which the worker reserves it: the largest of both tests"
    assert "add_test" not in keys(app), "no other test takes numbers"
    assert "say_good_end" not in keys(app), "it is said"
    click(app, "change_roles")
    named(app.selectbox, "roles.good_end.outcome").set_value("not said")
    settled(app)
    for _ in range(4):
        click(app, "step_next")
    click(app, "run_audit")
    assert "Say which end of outcome is good for the person" in texts(app)
    click(app, "say_good_end")
    assert_sound(app)
    assert named(app.selectbox, "roles.good_end.outcome").value == "not said", "the first step, as the audit was run"


def test_the_question_is_kept_and_told_in_plain_words() -> None:
    app = upload(click(open_app(), "start"), "data.file", "admissions.csv", table("two classes"))
    named(app.selectbox, "roles.favourable.outcome").set_value("yes")
    settled(app)
    click(app, "step_next")
    click(say_what_high_means(app), "step_next")
    for kind in ("transport", "equalized_odds", "group_fairness"):
        named(app.checkbox, f"tests.{kind}").set_value(False)
        settled(app)
    for kind in ("transport", "equalized_odds"):
        assert not named(app.checkbox, f"tests.{kind}").value, "a click ticks nothing else, which the next would untick"
        named(app.checkbox, f"tests.{kind}").set_value(True)
        settled(app)
    assert draft_of(app).tests == ("transport", "equalized_odds")
    assert "Best run beside what is ticked, and not ticked: Group fairness test." in texts(app)
    named(app.checkbox, "tests.transport").set_value(False)
    settled(app)
    assert draft_of(app).tests == ("equalized_odds",)
    click(app, "step_next")
    assert "among those who should be admitted" in texts(app)
    named(app.radio, "fair_dummies.asks").set_value("calibration")
    settled(app)
    assert_sound(app)
    assert draft_of(app).settings(EqualizedOdds).asks == "calibration"
    assert "does it come true as often in every group?" in texts(app)


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (
            Roles(outcome="y", outcome_type="number", protected=("sex",), features=("age",)),
            ["equalized_odds", "group_fairness"],
        ),
        (
            Roles(outcome="y", favourable="1", protected=("sex",), features=("age",)),
            ["gradient_flow", "transport", "column_sensitivity", "equalized_odds", "group_fairness"],
        ),
    ],
    ids=["number", "classes"],
)
def test_it_is_thinkable_for_numbers_and_classes(roles: Roles, expected: list[str]) -> None:
    assert [name for name, kind in SHIPPED.items() if kind.takes(roles)] == expected


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("numbers", ("equalized_odds", "group_fairness")),
        ("two classes", ("transport", "equalized_odds", "group_fairness")),
    ],
)
def test_it_is_ticked_beside_the_test_of_means_which_may_hide_one_group(case: Case, expected: tuple[str, ...]) -> None:
    people = make_people(case, rows=400)
    dataset = Dataset.build(people.frame, people.roles)
    model = people.model.load(FileStore(), dataset)
    audits = begun(model, dataset)
    assert proposed(audits, unsuited(audits, model, dataset), model, dataset) == expected
