"""A new kind of test is a room of two files and its name in one table: proved with one, in a copy of the house."""

from tests.house.conftest import HERE, Run

FILES = sorted((HERE / "room").rglob("*.py"))

PROGRAM = """
import tempfile
from pathlib import Path

from core.audits import KINDS
from core.audits.shared_answers import SharedAnswers
from core.base.files import FileStore
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.records.codec import load_result, save_result
from core.report.html import render
from core.run import find
from core.study import Study
from core.workflows.examples import open_example

store = FileStore(Path(tempfile.mkdtemp()))
first = open_example("hiring-predictions", store).plans[0]
first = first.model_copy(update={"data": first.data.model_copy(update={"rows": 600})})
shared = {"data": first.data, "roles": first.roles, "model": first.model, "seed": 1}
study = Study(plans=(AuditPlan(**shared, audit=SharedAnswers()), first))
results = AUDITS.run(study, store)
finding = find(results[0], study.plans[0].decision)
assert "answer of their group's own" in finding.sentence, finding.sentence
save_result(results[0], store.root / "kept")
assert (load_result(store.root / "kept").detail.alone == results[0].detail.alone).all()
page = render(study, results)
assert "Shared answers test" in page
assert AUDITS.read(AUDITS.to_json(study, results)).plan == study

import core

roles = first.roles
by_itself = core.audit(
    first.data.load(store),
    predictions=roles.predictions,
    outcome=roles.outcome,
    favourable=roles.favourable,
    protected=roles.protected,
    tests=[core.SharedAnswers(decimals=1)],
)
assert by_itself.verdict.words, by_itself

from streamlit.testing.v1 import AppTest

from dashboard.audits import ROOMS
from dashboard.draft import Draft, RolesChoice
from dashboard.steps import SIMILAR, STEPS
from dashboard.views.audit.page import _similar_called

assert _similar_called(study) == "Change who counts as similar", "of the shipped test beside it"
assert _similar_called(Study(plans=study.plans[:1])) == "", "there is nothing to change"
assert list(ROOMS) == list(KINDS)
draft = Draft(data=first.data, model=first.model, tests=("shared_answers",), roles=RolesChoice(**dict(first.roles)))
assert draft.settings(SharedAnswers) == SharedAnswers()
assert next(step for step in STEPS if step.name == SIMILAR).called(draft) == "Who counts as similar"


def results_page(study, results):
    from dashboard.views.results import page

    page.show(study, results)


def review(draft):
    import streamlit as st

    from core.audits import KINDS
    from dashboard.audits.generic import pages_of
    from dashboard.views.review import expectation

    pages = pages_of(KINDS["shared_answers"])
    st.session_state["shut"] = pages.setup(draft)
    st.session_state["audit"] = pages.settings(draft)
    st.session_state["facts"] = pages.facts(draft.study.plans[0])
    st.session_state["problem"], _ = expectation.show(draft, "shared_answers", set())


app = AppTest.from_function(review, args=(draft,), default_timeout=60).run()
assert not app.exception, app.exception
assert app.session_state["shut"] == app.session_state["problem"] == ""
assert app.session_state["audit"] == SharedAnswers()
assert app.session_state["facts"]["Shared answers test"].endswith("confidence; Decimals: 2")
assert app.number_input[0].label == "Decimals"
assert "nothing to try" in app.caption[0].value

app = AppTest.from_function(results_page, args=(study, results), default_timeout=60).run()
assert not app.exception, app.exception
assert any("% of people" in one.value for one in app.markdown)
(tolerance,) = (one for one in app.slider if one.key == f"delta-{study.plans[0].result_fingerprint[:6]}")
assert tolerance.value == 10.0
tolerance.set_value(90.0).run()
assert not app.exception, app.exception
assert any("90 are tolerated" in one.value for one in app.markdown)
"""


GROUPS = """
import numpy as np
import pandas as pd

import core
from core.run import find

n = 300
frame = pd.DataFrame({"sex": np.repeat(["f", "m", "x"], [n, n, 20]), "home": np.arange(2 * n + 20) // 2})
frame["p"] = np.where(np.arange(len(frame)) % n < np.where(frame.sex == "f", 120, 30), 0.95, 0.5)
frame["hired"] = np.where(np.arange(len(frame)) % 2, "yes", "no")
known = {"predictions": "p", "outcome": "hired", "favourable": "yes", "protected": ["sex"]}
alone = core.audit(frame, tests=[core.SureAnswers()], **known)
together = core.audit(frame, tests=[core.SureAnswers()], belongs_to="home", **known)
one = alone["sure_answers"]
women, men, few = one.claims
assert (women.here, women.there) == (0.4, 50 / 320), women
assert (women.low, women.high) != (together["sure_answers"].claims[0].low, together["sure_answers"].claims[0].high)
assert (women.beyond, men.within, few.judged, few.why) == (True, True, False, "too few people")
assert one.headline.startswith("Share with a sure answer is 40% for people with sex = f and 16% for everybody else: 24")
assert "40.0% for people with sex = f and 15.6% for everybody else, a difference of 24.4 percentage" in one.sentence
assert "Difference in share with a sure answer, in percentage points" in one.statistics.to_string()
made = find(one.result, core.audits.KINDS["sure_answers"].decision())
assert made.drawing("claim").alt.startswith("Difference in share with a sure answer, sex = f: 24.4 percentage points")
assert made.affected == "Shown to be treated worse than tolerated: sex = f."
"""


FURTHER = """
import tempfile
from pathlib import Path

from core.audits.rare_answers import RareAnswers, RareAnswersDecision
from core.base.files import FileStore
from core.base.progress import ignore_progress
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.report.html import render
from core.run import find
from core.study import Study
from core.workflows.examples import open_example
from dashboard.audits.generic import pages_of
from dashboard.audits.rare_answers.pages import RareAnswersView
from dashboard.draft import Draft, RolesChoice
from dashboard.jobs.answers import unpack
from dashboard.jobs.tasks import TASKS

store = FileStore(Path(tempfile.mkdtemp()))
first = open_example("hiring-predictions", store).plans[0]
first = first.model_copy(update={"data": first.data.model_copy(update={"rows": 600})})
shared = {"data": first.data, "roles": first.roles, "model": first.model, "seed": 1}
study = Study(plans=(AuditPlan(**shared, audit=RareAnswers()),))
results = AUDITS.run(study, store)
finding = find(results[0], RareAnswersDecision())
assert "people with a rare answer" in finding.sentence, finding.sentence
drawing = finding.drawing("answers")
assert drawing.alt.count("pe") == len(finding.tables["answers"].rows) == len(drawing.figure.data[0].x)
assert "How many people get each answer" in render(study, results)

draft = Draft(data=first.data, model=first.model, tests=("rare_answers",), roles=RolesChoice(**dict(first.roles)))
arguments = draft.about_model | {"audit": RareAnswers().model_dump(mode="json"), "decision": {}, "seed": 1}
tried = unpack(TASKS["pilot"].run(arguments, store, ignore_progress)["tried"], finding.room.pilot.gives)
pages = pages_of(finding.kind)
assert isinstance(pages.view, RareAnswersView)
told = pages.expectation(draft, tried)
assert [tile.name for tile in told.rows] == ["Rows to audit", "Different answers"]
assert told.seconds > 0

from streamlit.testing.v1 import AppTest


def page(study, results):
    from dashboard.views.results import page

    page.show(study, results)


app = AppTest.from_function(page, args=(study, results), default_timeout=60).run()
assert not app.exception, app.exception
assert [tab.label for tab in app.tabs][:2] == ["Result", "Answers"]
assert app.toggle, "the decision setting of its own"
"""


def test_two_files_and_one_name_are_enough(house: Run) -> None:
    house(PROGRAM)


def test_a_room_that_compares_groups_gives_evidence_and_names_the_rest(house: Run) -> None:
    house(GROUPS)


def test_a_room_may_have_a_try_a_chart_and_pages_of_its_own(house: Run) -> None:
    house(FURTHER)


def test_the_worked_example_stays_small() -> None:
    assert len(FILES) <= 2
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FILES) <= 120
