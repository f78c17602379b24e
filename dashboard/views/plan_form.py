"""What the forms of plans share: the step of the table, and the job that is made of a finished plan."""

import streamlit as st

from core.base.settings import Settings
from core.language.told import say
from dashboard import session
from dashboard.draft import Draft
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Needs
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.views.data import page as data


def choose_table(draft: Draft, missing: str) -> str:
    """The step of the table and its roles, folded where nothing is ``missing``; returns what it cannot go on with."""
    session.show_origin(draft)
    title = (
        say("Table and roles")
        if missing or draft.data is None
        else say("Table: {title}", title=literal(draft.data.title, 60))
    )
    with st.expander(title, expanded=bool(missing), icon=":material/table:"):
        return data.show(draft)


def put_to_work(page: str, job: str, plan: Settings, needs: Needs) -> None:
    """Run a plan, of which was told what it needs, and open the page that shows it."""
    written = plan.model_dump(mode="json")
    asked = {"plan": written, "source": written["data"]}
    submitted = jobs.submit(job, asked, again=True, after=session.draft().after, needs=needs)
    open_page(page, **{page: submitted.id})
