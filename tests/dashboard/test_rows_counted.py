"""The first step with a table of counts: the column is asked about, and once it counts, its people are audited."""

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.draft import Draft
from dashboard.tables import summarise
from dashboard.views.data.column_roles import roles_for
from tests.core.data.counts import TITANIC
from tests.dashboard.walking import assert_sound, click, draft_of, give_role, open_app, texts, upload


def with_counts() -> AppTest:
    content = TITANIC.to_csv(index=False).encode()
    return upload(click(open_app(), "start"), "data.file", "titanic.csv", content)


def test_a_column_that_counts_is_asked_about_and_its_people_are_audited() -> None:
    app = with_counts()
    assert_sound(app)
    assert draft_of(app).roles.counts is None
    assert "Does **Freq** say how many people each row stands for? It may: its numbers come to 2,201" in texts(app)
    assert "Say whether the column 'Freq' counts people." in texts(app)
    assert app.button(key="step_next").disabled
    app = click(app, "roles.counts")
    app = give_role(app, "prediction", "Survived")
    assert_sound(app)
    roles = draft_of(app).roles
    assert roles.counts == "Freq"
    assert "Freq" not in roles.features
    assert "Does **Freq**" not in texts(app)
    assert "32 rows stand for 2,201 people, whom 'Freq' counts." in texts(app)
    assert "Left out 8 rows of which 'Freq' counts nobody." in texts(app)
    assert Draft.model_validate_json(draft_of(app).model_dump_json()).roles.roles == roles.roles


def test_whoever_says_that_each_row_is_one_person_is_not_asked_again() -> None:
    app = click(with_counts(), "roles.no_counts")
    assert_sound(app)
    assert "Freq" in draft_of(app).roles.features
    app = give_role(app, "none", "Freq")
    assert "Does **Freq**" not in texts(app)
    app = give_role(app, "prediction", "Survived")
    queries = [one.value for one in app.code]
    assert [query.splitlines()[-1].strip() for query in queries] == [
        '"Survived";',
        '"Survived";',
        "`Survived`;",
        "`Survived`;",
    ]


@pytest.mark.parametrize(("name", "may"), [("Freq", True), ("PWGTP", False), ("sample_weight", False)])
def test_weights_are_never_offered_as_counts(name: str, may: bool) -> None:
    table = summarise(TITANIC.rename(columns={"Freq": name}))
    assert ("counts" in roles_for(table.column(name))) is may
    assert "counts" not in roles_for(table.column("Sex"))
