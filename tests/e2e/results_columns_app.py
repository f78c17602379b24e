"""A page that shows a finished sensitivity audit of columns at once, for tests in a browser; ``?shape=`` chooses it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import streamlit as st

from core.study import Study
from dashboard.views.results import page as results
from tests.dashboard.results_made import columns

SHAPES = {
    "usual": {},
    "hostile": {"hostile": True},
    "fair": {"bias": 0.0, "rows": 2_000, "attributes": 1, "through": False},
    "blind": {"gradients": False},
}

st.set_page_config(layout="wide")
plan, result = columns(**SHAPES[st.query_params.get("shape", "usual")])
results.show(Study(plans=(plan,)), (result,))
