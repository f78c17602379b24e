"""A page that shows a finished fair-dummies test at once, for tests in a browser; ``?shape=`` chooses it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import streamlit as st

from core.study import Study
from dashboard.views.results import page as results
from tests.dashboard.results_made import fair_dummies

SHAPES = {
    "usual": {},
    "four": {"case": "four classes", "continuous": True},
    "two": {"case": "two classes", "violation": 0.0, "small": True},
    "parity": {"case": "four classes", "asks": "demographic parity", "violation": 0.0, "rows": 20_000},
    "calibration": {"asks": "calibration"},
    "hostile": {"case": "four classes", "hostile": True},
}

st.set_page_config(layout="wide")
plan, result = fair_dummies(**SHAPES[st.query_params.get("shape", "usual")])
results.show(Study(plans=(plan,)), (result,))
