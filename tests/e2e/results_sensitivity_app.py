"""A page that shows a finished sensitivity audit at once, for tests in a browser; ``?shape=`` chooses which."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import streamlit as st

from core.study import Study
from dashboard.views.results import page as results
from tests.dashboard.results_made import sensitivity, with_texts

SHAPES = {
    "usual": {"attributes": 2},
    "hostile": {"hostile": True, "attributes": 2},
    "long": {"long": True, "classes": 28, "cut": False},
    "cut": {"cut": True, "classes": 2},
    "fair": {"bias": 0.0, "status": "weak"},
    "bare": {
        "reference": False,
        "status": "none",
        "annotation": False,
        "attributes": 0,
        "labels": False,
        "exchanged": False,
    },
}

st.set_page_config(layout="wide")
chosen = st.query_params.get("shape", "usual")
if chosen == "several":
    results.show(*with_texts())
else:
    plan, result = sensitivity(**SHAPES[chosen])
    results.show(Study(plans=(plan,)), (result,))
