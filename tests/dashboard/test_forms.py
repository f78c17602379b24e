"""Forms drawn from the settings' own schema: every class of the tables draws and gives back what it was given."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.audits import KINDS
from core.audits.equalized_odds.decision import EqualizedOddsDecision
from core.audits.gradient_flow.decision import GradientFlowDecision
from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import CellColumn
from core.base.files import FileRef
from core.metrics import METRICS
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models import MODEL_FORMATS
from core.models.endpoint.settings import EndpointSettings
from core.sources import SOURCES

FILE = FileRef(name="a.csv", sha256="0" * 64, bytes=1)
NEEDED: dict[str, dict[str, Any]] = {
    "table": {"file": FILE},
    "torch_mlp": {"file": FILE},
    "onnx": {"file": FILE},
    "sklearn": {"file": FILE},
    "trees": {"file": FILE},
    "hugging_face": {"file": FILE},
    "text_lstm": {"file": FILE},
    "predictions": {"columns": ("answer",)},
    "endpoint": {"endpoint": EndpointSettings(url="https://models.example.org", model="income")},
    "comparable_pairs": {"pairs": ((0, 1),)},
    "cell column": {"name": "age", "edges": (25.0, 44.5)},
    "gradient_flow": {"metric": SensitiveSubspace(), "rotations": (5.0, 10.5)},
}
READINGS = {
    "gradient_flow reading": GradientFlowDecision,
    "transport reading": TransportDecision,
    "equalized odds decision": EqualizedOddsDecision,
}
CLASSES = {
    **SOURCES,
    **MODEL_FORMATS,
    **METRICS,
    **{kind.name: kind.settings for kind in KINDS.values()},
    **READINGS,
    "cell column": CellColumn,
}


def app(kind, values):  # type: ignore[no-untyped-def]
    import streamlit as st

    from dashboard import forms

    st.session_state["drawn"] = forms.draw(kind, values, "form")


def draw(name: str, **values: Any) -> AppTest:
    given = NEEDED.get(name, {}) | values
    return AppTest.from_function(app, kwargs={"kind": CLASSES[name], "values": given}).run()


@pytest.mark.parametrize("name", CLASSES)
def test_every_settings_class_draws_and_gives_back_what_it_was_given(name: str) -> None:
    at = draw(name)
    assert not at.exception
    assert not at.error
    assert at.session_state["drawn"] == CLASSES[name](**NEEDED.get(name, {}))


@pytest.mark.parametrize("name", CLASSES)
def test_every_widget_has_a_plain_label_and_a_tooltip(name: str) -> None:
    at = draw(name)
    assert not at.exception
    widgets = [*at.selectbox, *at.number_input, *at.text_input, *at.multiselect, *at.toggle]
    for widget in widgets:
        assert widget.label[0].isupper()
        assert "_" not in widget.label
        assert widget.help, widget.label


def test_label_unit_symbol_and_limits_come_from_the_field() -> None:
    steps = draw("gradient_flow").number_input(key="form.steps")
    assert steps.label == "Length of the search (steps)"
    assert "Symbol: T." in steps.help
    assert (steps.min, steps.max) == (1, 20_000)


def test_a_changed_widget_changes_the_settings() -> None:
    at = draw("gradient_flow")
    at.number_input(key="form.step_size").set_value(0.02)
    at.selectbox(key="form.integrator").set_value("etd1")
    at.text_input(key="form.rotations").set_value("5, 20")
    at.run()
    drawn = at.session_state["drawn"]
    assert (drawn.step_size, drawn.integrator, drawn.rotations) == (0.02, "etd1", (5.0, 20.0))


def app_in_points(kind, values):  # type: ignore[no-untyped-def]
    import streamlit as st

    from core.language.units import POINTS
    from dashboard import forms

    st.session_state["drawn"] = forms.draw(kind, values, "form", fields=("delta",), units={"delta": POINTS})


def test_a_tolerance_is_entered_in_the_unit_in_which_it_is_told() -> None:
    """3.65 on the page is 0.0365 in the settings, to the last digit; at most everybody."""
    given = {"kind": TransportDecision, "values": dict(TransportDecision())}
    at = AppTest.from_function(app_in_points, kwargs=given).run()
    [widget] = at.number_input
    assert (widget.label, widget.value, widget.max) == (
        "Tolerance: rise of the overall error (percentage points)",
        3.65,
        100,
    )
    assert widget.help.endswith("At least 0, at most 100.")
    assert at.session_state["drawn"] == TransportDecision()
    widget.set_value(2.9).run()
    assert at.session_state["drawn"].delta == 0.029


def test_an_optional_number_may_stay_empty() -> None:
    at = draw("protected_status")
    assert at.session_state["drawn"].directions is None
    at.number_input(key="form.directions").set_value(2)
    at.run()
    assert at.session_state["drawn"].directions == 2


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("form.step_size", 0.0, "Step size: it must be more than 0"),
        ("form.rotations", "5, many", "Metric rotations (degrees): it must be a number"),
        ("form.rotations", "0", "is not zero"),
    ],
)
def test_what_is_not_valid_is_said_in_words(key: str, value: Any, says: str) -> None:
    at = draw("gradient_flow")
    widget = at.number_input(key=key) if isinstance(value, float) else at.text_input(key=key)
    widget.set_value(value)
    at.run()
    assert not at.exception
    assert at.session_state["drawn"] is None
    assert says in at.error[0].value.replace("\\", "")
