"""Answers that take a moment: asked of the worker, with a bar that moves while the page waits."""

import math
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import streamlit as st

from core.base.errors import StorageError
from core.base.files import FileRef, FileStore
from core.base.memory import available_memory
from core.language.phrases import whole
from core.language.told import localized, retold, say, say_count
from dashboard import pace
from dashboard.jobs import queue as jobs
from dashboard.jobs.job import Job, Needs
from dashboard.messages import guarded, show_failure

_PATIENCE = 0.4
"""Seconds for which one run of a page waits, for all its answers together, before it shows bars instead."""
_EVERY, _LOOK = 0.5, 0.4
"""Seconds from one look at a job to the next, and for how long it is looked at each time: its end is seen at once."""
_WAITING, _PATIENCE_LEFT, _FORECASTS = "waiting", "patience_left", "forecasts"
_UNMENTIONED = 2.0
"""Seconds of waiting that are called starting."""
_NUMBERS = {
    2: say("two"),
    3: say("three"),
    4: say("four"),
    5: say("five"),
    6: say("six"),
    7: say("seven"),
    8: say("eight"),
    9: say("nine"),
    10: say("ten"),
}
_WORTH_ANOTHER_TRY = ("Killed", "Unexpected", "CancelledError", "SourceError", "StorageError")


def answer(
    kind: str, arguments: dict[str, Any], waiting: str, *, patience: float | None = None, needs: Needs | None = None
) -> Any:
    """What the task answers; None while it works or after it failed, which this shows.

    Args:
        kind: The task's name.
        arguments: Its arguments.
        waiting: What is being done, for the bar ("Reading the table").
        patience: Seconds to wait without a bar; None for what the run of the page has left.
        needs: What it was told to take, for what takes long.
    """
    try:
        job = jobs.submit(kind, arguments, needs=needs)
        job = _wait(job) if patience is None else jobs.wait(job, patience)
    except StorageError as error:
        show_failure(error)
        return None
    if job.state == "done" and _is_lost(job.answer):
        jobs.forget(job.id)
        job = _wait(jobs.submit(kind, arguments, again=True))
    if job.state == "done":
        return job.answer
    if job.unfinished:
        watch(job, waiting)
        return None
    show_stopped(job)
    return None


def known(kind: str, arguments: dict[str, Any]) -> Any:
    """What the task answers at once; None, without a word, while it works or where it failed."""
    try:
        job = _wait(jobs.submit(kind, arguments))
    except StorageError:
        return None
    return job.answer if job.state == "done" else None


def _wait(job: Job) -> Job:
    """The job when it has ended, or as it stands once this run of the page has no patience left."""
    began, left = time.monotonic(), st.session_state.get(_PATIENCE_LEFT, _PATIENCE)
    job = jobs.wait(job, left)
    st.session_state[_PATIENCE_LEFT] = max(0.0, left - (time.monotonic() - began))
    return job


def _is_lost(answer: Any) -> bool:
    """Whether the answer names a table that is no longer kept, or its first rows are not."""
    kept = [answer.get(name) for name in ("table", "first")] if isinstance(answer, dict) else []
    return not all(FileStore().holds(FileRef.model_validate(one)) for one in kept if one is not None)


def begin() -> None:
    """Say that this run of the page waits for nothing yet."""
    st.session_state[_WAITING], st.session_state[_PATIENCE_LEFT] = "", _PATIENCE


def is_waiting() -> bool:
    """Whether an answer is still worked on that this run of the page asked for."""
    return bool(st.session_state.get(_WAITING))


def what_for() -> str:
    """What is being done for this run of the page, such as "Reading the table"; empty while it waits for nothing."""
    return str(st.session_state.get(_WAITING, ""))


def watch(job: Job, waiting: str) -> None:
    """A bar that follows the job, and a button that stops it; the page runs again when it has ended."""
    st.session_state[_WAITING] = what_for() or waiting
    looks = count()

    def follow() -> None:
        now = jobs.find(job.id) or job
        if not now.unfinished:
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center", key=f"wait_{job.id}"):
            st.progress(min(max(now.done, 0.0), 1.0), text=f"{waiting}… {time_left(now)}")
            if jobs.is_own(now) and st.button(say("Stop"), key=f"stop_{job.id}", icon=":material/stop_circle:"):
                jobs.cancel(job.id)
        if next(looks):  # the first is part of a run of the page, which goes on below
            run_again_at_its_end(now)

    again_and_again(follow)


def run_again_at_its_end(job: Job) -> None:
    """Run the page again as soon as a job has ended, if that is before it is looked at the next time."""
    if not jobs.wait(job, _LOOK).unfinished:
        st.rerun()


def again_and_again(draw: Callable[[], None]) -> None:
    """Draw now and every half second from now on, in a container with nothing else in it.

    When a fragment runs again before a busy server has sent what it drew the first time, Streamlit (1.67,
    ``ForwardMsgQueue.clear``) drops that and sends it anew, behind what stands below the fragment on the page. The
    browser then is told of a fourth element before the third, and shows a blank page from then on. Alone in its
    container the fragment has nothing behind it.
    """
    with st.container():
        st.fragment(guarded()(draw), run_every=_EVERY)()


def show_stopped(job: Job) -> None:
    """Why a job has no answer, and a button that puts it again where that may help."""
    if job.failure is not None:
        show_failure(job.failure)
    if _may_help(job) and st.button(say("Try again"), key=f"again_{job.id}", icon=":material/refresh:"):
        jobs.submit(job.kind, job.arguments, again=True, needs=job.needs)
        st.rerun()


def _may_help(job: Job) -> bool:
    """Whether the same question may be answered the next time, as by a server that failed."""
    from core.models.endpoint.settings import endpoints_in

    asks_a_server = next(endpoints_in(job.arguments), None) is not None
    return job.failure is None or job.failure.kind in _WORTH_ANOTHER_TRY or asks_a_server


def time_left(job: Job) -> str:
    """``about 40 seconds left``; its place in the queue while it waits; empty where nothing can be said yet."""
    if job.state == "queued":
        return _turn(job) if time.time() - job.submitted > _UNMENTIONED else say("starting")
    if job.seconds_left is None or job.started is None:
        return ""
    seen = st.session_state.setdefault(_FORECASTS, {})
    told = seen[job.id] = pace.forecast(seen.get(job.id), time.time(), job.started, job.seconds_left)
    if told.takes_longer:
        return say("about {time} left, as this part takes longer than those before", time=duration(told.left))
    return say("about {time} left", time=duration(told.left))


def _turn(job: Job) -> str:
    """Where a job stands that waits, and when it will start or why that cannot be said."""
    place = place_in_queue(job)
    if job.starts is not None and job.starts - time.time() >= 1:
        return say("{place}, about {time} until it starts", place=place, time=duration(job.starts - time.time()))
    if job.starts is None and job.needs.memory > available_memory():
        return say("{place}, once {size} of memory are free", place=place, size=size(job.needs.memory))
    return place


def place_in_queue(job: Job) -> str:
    """``two runs are before yours``, for a job that waits."""
    if job.ahead == 0:
        return say("yours is the next to start")
    if job.ahead == 1:
        return say("one run is before yours")
    number = _NUMBERS.get(job.ahead) or whole(job.ahead)
    return say("{number} runs are before yours", number=retold(number))


def size(memory: float) -> str:
    """Bytes of memory as people say them: ``300 MB``, ``2.4 GB``; upwards, so that no less is told than is meant."""
    if memory < 0.95e9:
        return say("{size} MB", size=whole(max(1, math.ceil(memory / 1e7)) * 10))
    return say("{size} GB", size=localized(f"{math.ceil(memory / 1e8) / 10:.1f}"))


def foretold(seconds: float) -> str:
    """How long a run will take, as people say it: before it runs, no second of it is certain."""
    if seconds < 30:
        return say("less than a minute")
    return say("about a minute") if seconds < 90 else say("about {time}", time=duration(seconds))


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    if seconds < 1:
        return say("a second")
    if seconds < 90:
        return say_count("{n} second", "{n} seconds", round(seconds))
    if seconds < 5400:
        return say("{minutes} minutes", minutes=whole(round(seconds / 60)))
    return say("{hours} hours", hours=localized(f"{seconds / 3600:.1f}"))
