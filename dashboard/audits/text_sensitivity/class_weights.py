"""How much each class counts in the test."""

import pandas as pd
import streamlit as st

from core.audits.text_sensitivity.settings import ClassWeight, TextSensitivity
from core.base.settings import help_of
from core.language.told import say
from dashboard.draft import Draft
from dashboard.views.model.preview import preview_of


def choose(draft: Draft) -> tuple[ClassWeight, ...]:
    """How much each class counts: all alike, or a number for each."""
    kept, seen = draft.settings(TextSensitivity).weights, preview_of(draft)
    if seen is None:
        return kept
    classes = seen.report.classes
    alike = st.toggle(
        say("All classes count alike"),
        value=not kept,
        key="review.weights.alike",
        help=help_of(TextSensitivity.model_fields["weights"]),
    )
    if alike:
        return ()
    before = {weight.outcome: weight.weight for weight in kept}
    st.caption(say("1 is the usual weight; 0 leaves a class out."))
    edited = st.data_editor(
        pd.DataFrame({"Class": classes, "Weight": [before.get(name, 1.0 if not before else 0.0) for name in classes]}),
        hide_index=True,
        disabled=["Class"],
        key="review.weights.table",
        column_config={
            "Class": st.column_config.TextColumn(say("Class")),
            "Weight": st.column_config.NumberColumn(say("Weight"), min_value=0.0, max_value=1e6, required=True),
        },
    )
    weights = zip(classes, map(float, edited["Weight"]), strict=True)
    return tuple(ClassWeight(outcome=name, weight=weight) for name, weight in weights)
