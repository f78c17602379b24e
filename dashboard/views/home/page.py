"""The first page: what Evenhand does, some examples, and the way to an audit of one's own.

What needs pandas is imported where it is used, so that the first words of a cold server do not wait for it.
"""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import RecordError
from dashboard.jobs import queue as jobs
from dashboard.jobs.queue import Job
from dashboard.pages import open_page
from dashboard.text import literal
from dashboard.waiting import duration

if TYPE_CHECKING:
    from core.audits import AuditSettings
    from core.examples import Example

_SHOWN = ("hiring-baseline", "hiring-sensr", "hiring-predictions", "compas-faith", "diabetes")
_MOST_TEXTS = 2
"""Examples of text classifiers shown at once, the first of the table of examples."""
_RECENT = 6
_TO_BRING = """
You need

- **a table**, one row per person, with the true outcome, what the decision rests on, and at least one protected
  attribute such as sex or race (CSV, Parquet or Excel);
- **a model, or only its predictions**: a column of the table with its answers is enough. With the model itself
  (PyTorch weights as safetensors, ONNX, or scikit-learn as skops) more can be asked.

For a model that reads texts: **a table with a text in every row** and **the text classifier** (a Hugging Face folder as
zip, or an LSTM with its weights as safetensors). The true class and protected attributes help, but may be missing.
"""
_TO_CHOOSE = """
Several models, or none yet? Evenhand finds **the most accurate model that is not found unfair**: among models you
bring, or among 50 that it fits for you. Then it audits the choice on people who had no part in it.
"""
_TO_PAY = """
Evenhand fits models to your table that give **equalized odds** more and more weight, and shows what that costs in
accuracy, on people whom no model was fitted to.
"""
_STATES = {"done": "finished", "running": "running", "queued": "waiting"}


def page() -> None:
    """Say what this is, and offer the ways in."""
    st.title("Does your model treat similar people similarly?")
    st.write(
        "Evenhand looks, for every person in your table, for a similar person whom your model treats worse. "
        "For a model that reads texts, it finds how far the answer hangs on words that give a person's group away. "
        "For any predictions, classes or numbers, it asks whether people with the same outcome get the same answers in "
        "every group. Then it tells you, with a confidence interval, whether the difference is more than you tolerate."
    )
    own, examples = st.columns([2, 3], gap="large")
    with own:
        st.subheader("Start an audit")
        st.markdown(_TO_BRING)
        if st.button("Start an audit", type="primary", key="start", icon=":material/play_arrow:"):
            from dashboard import session

            open_page("data", draft=session.begin())
        st.caption("Five steps, about five minutes. Nothing leaves this machine.")
        with st.container(border=True, key="card_selection"):
            st.subheader("Choose among models")
            st.markdown(_TO_CHOOSE)
            if st.button("Choose a model", key="choose_model", icon=":material/tune:"):
                open_page("selection")
            st.caption("One page, about two minutes. No model is needed.")
        with st.container(border=True, key="card_fairer"):
            st.subheader("What would a fairer model cost?")
            st.markdown(_TO_PAY)
            if st.button("Fit fairer models", key="fit_fairer", icon=":material/balance:"):
                open_page("fairer")
            st.caption("One page, which says how long it will take. No model is needed.")
        _show_recent()
    with examples:
        st.subheader("Or look at an example")
        _show_examples()


def _show_examples() -> None:
    from core.audits import KINDS
    from core.examples import EXAMPLES, example

    texts = [one.key for one in EXAMPLES if any(KINDS[audit.kind].reads == "texts" for audit in one.audits)]
    shown = (*_SHOWN, *texts[:_MOST_TEXTS])
    for key in shown:
        _show_example(example(key))
    with st.expander("More examples", icon=":material/more_horiz:"):
        for more in EXAMPLES:
            if more.key not in shown:
                _show_example(more)


def _show_example(chosen: "Example") -> None:
    with st.container(border=True, key=f"card_{chosen.key}"):
        st.markdown(f"**{chosen.title}**")
        st.write(chosen.story)
        with st.container(horizontal=True, vertical_alignment="center", key=f"row_{chosen.key}"):
            if st.button("Run this example", key=f"example_{chosen.key}", icon=":material/play_circle:"):
                _run(chosen.key)
            tests = _tests(chosen.audits)
            brings = "with the model" if chosen.model else "with predictions only"
            network = "; fetches its table once" if chosen.needs_network else ""
            st.caption(f"{tests[:1].upper()}{tests[1:]} test, {brings}{network}.")


def _tests(audits: Iterable["AuditSettings"]) -> str:
    """What people call these tests, without the word "test"."""
    from core.audits import KINDS
    from core.phrases import listed

    return listed([KINDS[audit.kind].name_in_text for audit in audits])


def _run(key: str) -> None:
    from core.examples import open_example
    from core.files import FileStore

    study = open_example(key, FileStore())
    job = jobs.submit("audit", {"study": study.model_dump(mode="json")}, again=True)
    open_page("audit", audit=job.id)


def _show_recent() -> None:
    recent = jobs.recent("audit", _RECENT)
    if not recent:
        return
    st.subheader("Recent audits")
    for job in recent:
        with st.container(horizontal=True, vertical_alignment="center", key=f"recent_{job.id}"):
            if st.button(_name(job), key=f"open_{job.id}", type="tertiary", icon=":material/fact_check:"):
                open_page("audit", audit=job.id)
            ago = duration(time.time() - (job.finished or job.submitted))
            st.caption(f"{_STATES[job.state]}, {ago} ago")


def _name(job: Job) -> str:
    try:
        study = jobs.study_of(job)
    except RecordError:
        return "An audit by another version of Evenhand"
    first = study.plans[0]
    file = getattr(first.model, "file", None)
    tests = _tests([plan.audit for plan in study.plans])
    model = file.name if file is not None else "predictions"
    return f"{literal(first.data.title)} · {literal(model)} · {tests}"
