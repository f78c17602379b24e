"""The first step with a column that may hold a model's answers: it is asked about, and nothing runs before."""

from streamlit.testing.v1 import AppTest

from tests.core.data.test_roles_guess_answers import applicants
from tests.dashboard.walking import assert_sound, click, draft_of, open_app, texts, upload

COLUMNS = ["high", "skill", "car", "sex", "hired"]


def opened() -> AppTest:
    people = applicants()
    people["high"] = (people["high"] == "yes").astype(int)
    return upload(click(open_app(), "start"), "data.file", "people.csv", people[COLUMNS].to_csv(index=False).encode())


def test_whether_a_column_holds_answers_is_asked_and_both_answers_are_taken() -> None:
    app = opened()
    assert_sound(app)
    assert "Does **high** hold a model's answers, or did the model read it? It agrees with 'hired' in " in texts(app)
    assert "Say whether the column 'high' holds a model's answers." in texts(app)
    assert app.button(key="step_next").disabled
    told = click(app, "roles.answers.0")
    assert draft_of(told).roles.predictions == ("high",)
    assert "Does **high**" not in texts(told)
    read = click(opened(), "roles.no_answers.0")
    assert_sound(read)
    assert "high" in draft_of(read).roles.features
    assert "Does **high**" not in texts(read)
    assert not draft_of(read).roles_problem
