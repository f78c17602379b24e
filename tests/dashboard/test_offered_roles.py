"""Columns that may be protected are offered on the page of the roles, with the reason, and not taken."""

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from tests.dashboard.walking import assert_sound, click, draft_of, keys, open_app, texts, upload


def opened() -> AppTest:
    rng = np.random.default_rng(5)
    age = rng.integers(18, 70, 200)
    frame = pd.DataFrame(
        {
            "age": age,
            "age_cat": np.where(age < 25, "young", "old"),
            "sex": rng.choice(["woman", "man"], 200),
            "pay": rng.normal(size=200).round(3),
            "hired": rng.choice(["no", "yes"], 200),
        }
    )
    return upload(click(open_app(), "start"), "data.file", "people.csv", frame.to_csv(index=False).encode())


def test_an_age_and_its_bins_are_offered_and_taken_by_a_click() -> None:
    app = opened()
    assert_sound(app)
    assert draft_of(app).roles.protected == ("sex",)
    assert draft_of(app).roles.features == ("age", "pay")
    assert "age was not taken as protected. It is named like an age." in texts(app).replace("**", "")
    assert "age_cat was not taken as protected. It holds 'age' in bins." in texts(app).replace("**", "")

    click(app, "roles.protect.0")
    assert_sound(app)
    assert draft_of(app).roles.protected == ("sex", "age")
    assert draft_of(app).roles.features == ("age", "pay")
    click(app, "roles.protect.0")
    assert draft_of(app).roles.protected == ("sex", "age", "age_cat")
    assert draft_of(app).roles.features == ("age", "pay")
    assert "roles.protect.0" not in keys(app)


def test_one_that_may_make_a_difference_is_asked_about_once() -> None:
    app = click(opened(), "roles.not_protected.0")
    assert_sound(app)
    assert draft_of(app).roles.protected == ("sex",)
    assert draft_of(app).roles.features == ("age", "pay")
    assert "age was not taken" not in texts(app).replace("**", "")
    assert "age_cat was not taken as protected." in texts(app).replace("**", "")
