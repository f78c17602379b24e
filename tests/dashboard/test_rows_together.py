"""The first step with rows that belong together: proposed, chosen, counted; and with rows that were copied."""

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from dashboard.draft import Draft
from tests.dashboard.walking import (
    assert_sound,
    click,
    draft_of,
    give_role,
    open_app,
    texts,
    upload,
)

PERSONS = 90


def applications() -> pd.DataFrame:
    """Three applications of everybody, of which the last is like the first."""
    rng = np.random.default_rng(5)
    once = pd.DataFrame(
        {
            "applicant": np.arange(PERSONS),
            "income": rng.standard_normal(PERSONS).round(3),
            "sex": rng.choice(["woman", "man"], PERSONS),
            "hired": rng.choice(["yes", "no"], PERSONS),
        }
    )
    again = once.assign(income=rng.standard_normal(PERSONS).round(3))
    return pd.concat([once, again, once], ignore_index=True)


def with_table(frame: pd.DataFrame) -> AppTest:
    return upload(click(open_app(), "start"), "data.file", "people.csv", frame.to_csv(index=False).encode())


def test_a_column_is_proposed_and_once_it_is_chosen_its_rows_count_together() -> None:
    app = with_table(applications())
    assert_sound(app)
    assert draft_of(app).roles.belongs_to is None
    assert "Perhaps applicant says which rows belong together: its 270 cells hold 90 different values" in texts(app)
    assert "90 of 270 rows are exact copies of an earlier one, where by chance" in texts(app)
    app = give_role(app, "belongs_to", "applicant")
    assert_sound(app)
    roles = draft_of(app).roles
    assert roles.belongs_to == "applicant"
    assert "applicant" not in roles.features
    assert roles.roles is not None
    assert "Perhaps" not in texts(app)
    assert "270 rows of 90 different 'applicant': rows of one count together." in texts(app)
    assert "exact copies" not in texts(app)
    assert not app.button(key="step_next").disabled
    assert Draft.model_validate_json(draft_of(app).model_dump_json()).roles.roles == roles.roles
