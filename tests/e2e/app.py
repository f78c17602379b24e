"""The dashboard's server as ``dashboard/app.py`` makes it, with finished tests at ``?finished=`` beside its pages."""

import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
if str(REPOSITORY) not in sys.path:
    sys.path.insert(0, str(REPOSITORY))

import streamlit as st  # noqa: E402
from starlette.middleware import Middleware  # noqa: E402

import dashboard.app  # noqa: E402, F401 - what it does to Streamlit and to the process
from dashboard.door import Door  # noqa: E402
from dashboard.messages import show_fault  # noqa: E402
from dashboard.pages import prepare  # noqa: E402

app = st.App(
    Path(__file__).with_name("results_app.py"),
    lifespan=prepare,
    middleware=[Middleware(Door)],
    on_script_error=show_fault,
)
