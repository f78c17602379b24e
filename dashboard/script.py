"""What runs in every browser's session: the navigation, the page that is open, and the worker behind it."""

import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
if str(REPOSITORY) not in sys.path:
    sys.path.insert(0, str(REPOSITORY))

import streamlit as st  # noqa: E402

from core.language.told import say  # noqa: E402
from dashboard import language  # noqa: E402
from dashboard.jobs import queue as jobs  # noqa: E402
from dashboard.messages import guarded  # noqa: E402
from dashboard.pages import PAGES, first_page_drawn, page  # noqa: E402
from dashboard.sign_in import let_in, offer_out  # noqa: E402
from dashboard.views.register import waiting  # noqa: E402
from dashboard.visitor import people_sign_in  # noqa: E402

st.set_page_config(page_title="Evenhand", page_icon=str(REPOSITORY / "assets" / "icon.png"), layout="wide")
st.html(f"<style>{(REPOSITORY / 'assets' / 'style.css').read_text()}</style>")
language.listen()
pages = {name: page(name) for name in PAGES}
chosen = st.navigation(list(pages.values()), position="hidden")
if chosen is pages["shared"]:
    chosen.run()
    st.stop()
if not let_in():
    st.stop()
with st.container(horizontal=True, vertical_alignment="center", key="top"):
    st.page_link(pages["home"], label="**Evenhand**", icon=":material/balance:")
    st.page_link(pages["register"], label=f"{say('Register')}{waiting.badge()}", icon=":material/inventory_2:")
    if people_sign_in():
        st.page_link(pages["projects"], label=say("Projects"), icon=":material/group:")
    st.page_link(pages["glossary"], label=say("Glossary"), icon=":material/menu_book:")
    st.page_link(pages["papers"], label=say("Case studies"), icon=":material/science:")
    language.offer()
    offer_out()
if not language.begins_anew():
    chosen.run()
first_page_drawn()
with guarded():
    jobs.ensure_worker()
