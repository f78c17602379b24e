"""How far a running audit is, with the time left and a way to stop it."""

import time

import streamlit as st

from core.language.phrases import percent
from core.language.told import say, unpacked
from dashboard.drawings import fetch_ahead
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Job
from dashboard.text import literal
from dashboard.waiting import again_and_again, duration, run_again_at_its_end, time_left

_NEARLY_ALL = 0.99
"""The most that is told of a run that goes on."""


def show(job: Job) -> None:
    """Follow the audit until it has ended; then the page runs again."""

    def follow() -> None:
        now = jobs.find(job.id) or job
        if not now.unfinished:
            st.rerun()
        st.header(say("The audit is running") if now.state == "running" else say("The audit waits for its turn"))
        share = min(max(round(now.done, 2), 0.0), _NEARLY_ALL)
        st.progress(round(100 * share), text=literal(unpacked(now.phase)))
        so_far = duration(time.time() - (now.started or now.submitted))
        done = (
            say("{share} done after {time}", share=percent(share), time=so_far)
            if now.state == "running"
            else say("It has waited {time}", time=so_far)
        )
        left = time_left(now)
        st.caption(f"{done}; {left}." if left else f"{done}.")
        if jobs.is_own(now) and st.button(say("Stop the audit"), key="stop_audit", icon=":material/stop_circle:"):
            jobs.cancel(job.id)
        run_again_at_its_end(now)

    bar = st.container()
    st.caption(
        say(
            "You can close this page: the audit goes on, and the address above finds it again, in any "
            "browser on this machine."
        )
    )
    fetch_ahead()
    with bar:
        again_and_again(follow)
