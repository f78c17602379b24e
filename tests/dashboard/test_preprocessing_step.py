"""The model step asks how a file reads numbers, and holds a form of the whole preprocessing."""

import json

import numpy as np
import pandas as pd

from core.data.encoder import CodeColumn, DroppedColumn, Encoder, NumericColumn, RawColumn
from dashboard.views.model.preprocessing import encoder_of, rows_of
from tests.dashboard.walking import assert_sound, click, draft_of, open_app, settled, texts, upload


def table() -> bytes:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {"balance": rng.integers(1, 9, 200) * 1_000, "job": rng.choice(["cook", "nurse", "smith"], 200)}
    )
    frame["sex"] = rng.choice(["f", "m"], 200)
    frame["hired"] = np.where(frame["balance"] + 2_000 * (frame["job"] == "nurse") > 5_000, "yes", "no")
    return frame.to_csv(index=False).encode()


def network(width: int) -> bytes:
    import torch
    from safetensors.torch import save

    weights = torch.zeros(1, width)
    weights[0, 0] = 0.001
    return save({"0.weight": weights, "0.bias": torch.tensor([-5.0])})


def test_numbers_are_asked_about_in_the_step_of_the_model() -> None:
    app = upload(click(open_app(), "start"), "data.file", "people.csv", table())
    app = upload(click(app, "step_next"), "model.file", "m.safetensors", network(4))
    assert "as they stand in the table, or standardised" in texts(app)
    assert app.button(key="step_next").disabled
    next(box for box in app.selectbox if box.label == "Numbers that the model reads").set_value("raw")
    app = settled(app)
    assert_sound(app)
    assert {metric.label: metric.value for metric in app.metric}["Accuracy"] > "8"
    assert "'hired = no', 'hired = yes', in ascending order" in texts(app)
    assert draft_of(app).model.numbers == "raw"


def test_a_preprocessing_is_filled_from_the_table_and_brought_again() -> None:
    app = upload(click(open_app(), "start"), "data.file", "people.csv", table())
    app = upload(click(app, "step_next"), "model.file", "m.safetensors", network(2))
    assert "reads 2 numbers a row and the prepared table has 4" in texts(app)
    app.toggle(key="model.encoding.declared").set_value(True)
    app = settled(app)
    assert "Choose under “Read as” how the model reads 'balance'." in texts(app)
    assert draft_of(app).model.encoder is None
    app.toggle(key="model.encoding.declared").set_value(False)
    app = settled(app)
    next(box for box in app.selectbox if box.label == "Numbers that the model reads").set_value("raw")
    app = settled(app)
    app.toggle(key="model.encoding.declared").set_value(True)
    app = click(settled(app), "model.encoding.again")
    assert "The model is given 4 numbers of each row" in [one.label for one in app.expander]
    filled = draft_of(app).model.encoder
    assert filled.names == ("balance", "job = cook", "job = nurse", "job = smith")
    assert filled.columns[0] == RawColumn(name="balance")
    declared = {"columns": [{"kind": "raw", "name": "balance"}, {"kind": "code", "name": "job", "categories": JOBS}]}
    app = upload(app, "model.encoding.file", "encoding.json", json.dumps(declared).encode())
    assert_sound(app)
    assert draft_of(app).model.encoder == Encoder.model_validate(declared)
    assert "The model is given 2 numbers of each row" in [one.label for one in app.expander]
    app = upload(app, "model.encoding.file", "wrong.json", b"{}")
    assert "The preprocessing cannot be read" in texts(app)
    app.toggle(key="model.encoding.declared").set_value(False)
    assert draft_of(settled(app)).model.encoder is None


JOBS = ["smith", "cook", "nurse"]


def test_rows_of_the_form_are_the_preprocessing_in_the_order_of_their_places() -> None:
    encoder = Encoder(
        columns=(
            NumericColumn(name="age", mean=40, scale=2),
            RawColumn(name="balance"),
            DroppedColumn(name="job", categories=tuple(JOBS)),
            CodeColumn(name="sex", categories=("m", "f")),
        )
    )
    rows = rows_of(encoder)
    assert encoder_of(rows) == encoder
    rows.loc[0, "place"] = 9
    turned = encoder_of(rows)
    assert isinstance(turned, Encoder)
    assert turned.features == ("balance", "job", "sex", "age")
    rows.loc[1, "kind"] = "categorical"
    assert encoder_of(rows) == "balance: it needs at least 1 entry."
    rows.loc[1, "kind"] = "numeric"
    assert isinstance(encoder_of(rows), Encoder)
    asked = rows_of(encoder, open_numbers=True)
    assert asked["kind"].isna().tolist() == [True, False, False, False]
    assert encoder_of(asked) == "Choose under “Read as” how the model reads 'age'."
    rows.loc[0, "scale"] = 0.0
    assert encoder_of(rows) == "age: it must be more than 0."
