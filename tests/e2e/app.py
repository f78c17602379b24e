"""The dashboard's server as ``dashboard/app.py`` makes it, with finished tests at ``?finished=`` beside its pages."""

import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
if str(REPOSITORY) not in sys.path:
    sys.path.insert(0, str(REPOSITORY))

import streamlit as st  # noqa: E402

from dashboard.app import HOW  # noqa: E402

app = st.App(Path(__file__).with_name("results_app.py"), **HOW)
