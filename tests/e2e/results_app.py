"""The dashboard, or finished tests at once: ``?finished=1`` those of a model, ``?finished=1&shape=`` one of a shape."""

import runpy
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
if str(REPOSITORY) not in sys.path:
    sys.path.insert(0, str(REPOSITORY))

import streamlit as st  # noqa: E402

STYLE = REPOSITORY / "assets" / "style.css"
TEXTS = {"usual": {}, "hostile": {"hostile": True}}


def show_finished(shape: str | None) -> None:
    from core.study import Study
    from dashboard.views.results import page as results
    from tests.dashboard.results_made import columns, fair_dummies, groups, sensitivity, several

    kinds = {"columns": columns, "odds": fair_dummies, "groups": groups}
    st.set_page_config(layout="wide")
    st.html(f"<style>{STYLE.read_text()}</style>")
    if shape is None:
        results.show(*several(similarity="metric"))
    else:
        plan, result = kinds[shape]() if shape in kinds else sensitivity(attributes=2, **TEXTS[shape])
        results.show(Study(plans=(plan,)), (result,))


if "finished" in st.query_params:
    show_finished(st.query_params.get("shape"))
else:
    runpy.run_path(str(REPOSITORY / "dashboard" / "script.py"), run_name="__main__")
