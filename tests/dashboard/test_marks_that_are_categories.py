"""A mark for a missing value that the model knows as a category: the table is read again, and says so."""

import numpy as np
import pandas as pd
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from core.sources.upload.uploaded import UploadedTable
from tests.dashboard.walking import assert_sound, click, draft_of, open_app, texts, upload


def people() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    job, pay = rng.choice(["clerk", "cook", "?"], 300, p=[0.5, 0.4, 0.1]), rng.normal(50, 9, 300).round(1)
    hired = np.where(pay + 9 * (job == "cook") + rng.normal(0, 5, 300) > 53, "yes", "no")
    return pd.DataFrame({"pay": pay, "job": job, "sex": rng.choice(["woman", "man"], 300), "hired": hired})


def test_the_table_is_read_as_the_model_knows_it() -> None:
    table = people()
    prepared = make_column_transformer((StandardScaler(), ["pay"]), (OneHotEncoder(), ["job"]))
    model = make_pipeline(prepared, LogisticRegression()).fit(table[["pay", "job"]], table["hired"])
    app = upload(click(open_app(), "start"), "data.file", "people.csv", table.to_csv(index=False).encode())
    app = upload(click(app, "step_next"), "model.file", "model.skops", skops.io.dumps(model))
    assert_sound(app)
    data = draft_of(app).data
    assert isinstance(data, UploadedTable)
    assert data.kept_marks == (("job", "?"),)
    assert "300" in texts(app), "no row is left out"
    assert "Cells of 'job' that hold '?' are not missing" in texts(click(app, "step_back"))
