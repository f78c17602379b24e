"""The dashboard's door: ``streamlit run dashboard/app.py``."""

import sys
from pathlib import Path

if (repository := str(Path(__file__).parents[1])) not in sys.path:
    sys.path.insert(0, repository)

import streamlit as st

from dashboard import jobs
from dashboard.pages import PAGES, page, prepare

st.set_page_config(page_title="Evenhand", page_icon=":material/balance:", layout="wide")
pages = {name: page(name) for name in PAGES}
chosen = st.navigation(list(pages.values()), position="hidden")
with st.container(horizontal=True, vertical_alignment="center", key="top"):
    st.page_link(pages["home"], label="**Evenhand**", icon=":material/balance:")
    st.page_link(pages["glossary"], label="Glossary", icon=":material/menu_book:")
chosen.run()
jobs.ensure_worker()
prepare()
