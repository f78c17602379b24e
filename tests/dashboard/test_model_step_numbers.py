"""The model step where the outcome is a number."""

import numpy as np
import pandas as pd

from tests.dashboard.walking import assert_sound, click, open_app, settled, texts, upload


def table() -> bytes:
    rng = np.random.default_rng(2)
    years = rng.integers(0, 30, 120)
    frame = pd.DataFrame({"years": years, "sex": rng.choice(["f", "m"], 120)})
    frame["target"] = (2000 + 90.5 * years + rng.normal(0, 200, 120)).round(2)
    frame["prediction"] = (2100 + 85.25 * years).round(2)
    return frame.to_csv(index=False).encode()


def test_a_column_of_predicted_numbers_is_tried_and_told_by_its_error() -> None:
    app = upload(click(open_app(), "start"), "data.file", "pay.csv", table())
    frame = pd.read_csv(pd.io.common.BytesIO(table()))
    assert_sound(app)
    app = click(app, "step_next")
    assert_sound(app)
    assert "with the numbers it predicts" in texts(app)
    metrics = {metric.label: metric.value for metric in app.metric}
    error = float(np.sqrt(((frame["target"] - frame["prediction"]) ** 2).mean()))
    assert metrics["Typical error"] == f"{error:,.0f}"
    assert metrics["Guessing the mean"] == f"{frame['target'].std(ddof=0):,.0f}"
    assert metrics["Variance explained (R²)"] == f"{1 - error**2 / frame['target'].var(ddof=0):.2f}"
    assert not any("holds" in str(box.key) for box in app.selectbox)
    app.radio(key="model.way").set_value("A model file")
    app = settled(app)
    assert_sound(app)
