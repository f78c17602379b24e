"""How a model reads and answers a table."""

import streamlit as st

from core.models.inspection import ModelReport
from core.models.predictions import PredictionModel
from core.words import percent
from dashboard.messages import show_facts, show_notices
from dashboard.text import literal

_GIVES = {"logits": "scores that become probabilities (logits)", "labels": "decisions"}


def show(report: ModelReport) -> None:
    """The inspection as a table of facts, what was noticed, and a few rows."""
    st.subheader("How the model answers")
    with st.container(horizontal=True, key="inspection"):
        st.metric("Accuracy", percent(round(report.accuracy, 3)), border=True)
        st.metric(
            "Guessing the most frequent",
            percent(round(report.majority_share, 3)),
            border=True,
            help="The accuracy of giving everybody the most frequent outcome. A useful model is clearly above it.",
        )
        st.metric(
            "Balanced accuracy",
            percent(round(report.balanced_accuracy, 3)),
            border=True,
            help="The share answered correctly, averaged over the outcomes, so that a rare one counts as much.",
        )
    show_notices(report.notices)
    show_facts(_facts(report))
    if not _only_predictions(report):
        with st.expander("Columns in the order the model reads them", icon=":material/view_column:"):
            st.write(", ".join(literal(name) for name in report.inputs))
    with st.expander("Some rows with the model's answers", icon=":material/table_rows:"):
        st.dataframe(report.examples, key="model.examples")


def _only_predictions(report: ModelReport) -> bool:
    """Whether nobody knows what the model reads, for only its answers were brought."""
    return report.kind == PredictionModel.kind


def _facts(report: ModelReport) -> dict[str, str]:
    facts = {
        "Format": report.kind,
        "Gives": _GIVES.get(report.gives, report.gives),
        "Outcomes, in order": ", ".join(report.classes),
        "Rows tried": f"{report.rows:,}",
    }
    if not _only_predictions(report):
        facts["Columns read"] = f"{len(report.features)}, prepared as {report.width} numbers"
        facts["Search for similar people"] = report.no_gradients or "possible"
    return facts
