"""A page that shows finished tests at once, for tests in a browser; ``?shape=`` chooses which."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import streamlit as st

from core.study import Study
from dashboard.views.results import page as results
from tests.dashboard.results_made import columns, fair_dummies, groups, sensitivity, several

STYLE = Path(__file__).parents[2] / "assets" / "style.css"
KINDS = {"columns": columns, "odds": fair_dummies, "groups": groups}
TEXTS = {"usual": {}, "hostile": {"hostile": True}}

st.set_page_config(layout="wide")
st.html(f"<style>{STYLE.read_text()}</style>")
shape = st.query_params.get("shape")
if shape is None:
    results.show(*several(similarity="metric"))
else:
    plan, result = KINDS[shape]() if shape in KINDS else sensitivity(attributes=2, **TEXTS[shape])
    results.show(Study(plans=(plan,)), (result,))
