"""What a browser is told by a page that waits, when the server is too busy to tell it at once."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest

from dashboard import needed
from dashboard.jobs import queue
from dashboard.jobs.job import Job


def waiting_for_an_audit() -> None:
    from dashboard.jobs.job import Job
    from dashboard.views.audit import waiting as audit_waiting

    audit_waiting.show(Job("0" * 16, "audit", {}, "running", 0.3, "Testing", 0.0, 1.0, None, None, None))


def waiting_for_an_answer() -> None:
    import streamlit as st

    from dashboard import waiting
    from dashboard.jobs.job import Job

    st.title("Model")
    waiting.watch(Job("1" * 16, "table", {}, "queued", 0.0, "Waiting", 0.0, None, None, None, None), "DecisionSettings")
    st.caption("What stands below.")


def left_to_streamlit() -> None:
    import streamlit as st

    st.title("Model")

    @st.fragment(run_every=0.5)
    def follow() -> None:
        st.write("The bar.")

    follow()
    st.caption("What stands below.")


def messages(script: Callable[[], None]) -> list[ForwardMsg]:
    """Everything the first run of a page tells the browser, in order."""
    told: list[ForwardMsg] = []

    def keep(message: ForwardMsg) -> None:
        copy = ForwardMsg()
        copy.CopyFrom(message)
        told.append(copy)

    ForwardMsgQueue.on_before_enqueue_msg(keep)
    try:
        app = AppTest.from_function(script).run()
    finally:
        ForwardMsgQueue.on_before_enqueue_msg(None)
    assert not app.exception
    return told


def interrupted(told: list[ForwardMsg]) -> Iterator[list[ForwardMsg]]:
    """What arrives if the fragment runs again when so many messages are sent, one case each."""
    (start,) = (place for place, message in enumerate(told) if message.HasField("auto_rerun"))
    fragment = told[start].auto_rerun.fragment_id
    own = [message for message in told if message.HasField("delta") and message.delta.fragment_id == fragment]
    assert own
    for sent in range(start + 1, len(told)):
        queue = ForwardMsgQueue()
        for message in told[sent:]:
            queue.enqueue(message)
        queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[fragment])
        yield [*told[:sent], *queue.flush(), *own]


def is_in_order(told: list[ForwardMsg]) -> bool:
    """Whether every place comes after those before it, without which the browser's page ends (``Bad delta path``)."""
    filled: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for message in told:
        if not message.HasField("delta"):
            continue
        *above, last = message.metadata.delta_path
        if last > filled[tuple(above)]:
            return False
        filled[tuple(above)] = max(filled[tuple(above)], last + 1)
    return True


@pytest.mark.parametrize("script", [waiting_for_an_audit, waiting_for_an_answer])
def test_a_page_that_waits_is_told_in_order_whenever_its_bar_moves(script: Callable[[], None]) -> None:
    told = messages(script)
    assert is_in_order(told)
    assert all(map(is_in_order, interrupted(told)))


def test_streamlit_by_itself_tells_what_stands_below_too_early() -> None:
    """Once this fails, Streamlit does without :func:`dashboard.waiting.again_and_again`."""
    told = messages(left_to_streamlit)
    assert is_in_order(told)
    assert not all(map(is_in_order, interrupted(told)))


def waiting_for_its_turn() -> None:
    from dashboard.jobs.job import Job
    from dashboard.views.audit import waiting as audit_waiting

    audit_waiting.show(Job("2" * 16, "audit", {}, "queued", 0.0, "Waiting", 0.0, None, None, None, None, ahead=2))


def waiting_for_somebody() -> None:
    import time

    from dashboard.jobs.job import Job
    from dashboard.views.audit import waiting as audit_waiting

    begins = time.time() + 240.5
    audit_waiting.show(Job("2" * 16, "audit", {}, "queued", 0.0, "Waiting", 0.0, None, None, None, None, 2, begins))


def test_an_audit_that_waits_for_its_turn_says_when_it_will_start() -> None:
    app = AppTest.from_function(waiting_for_somebody).run()
    assert app.caption[0].value.endswith("; two runs are before yours, about 4 minutes until it starts.")


def test_an_audit_that_waits_for_its_turn_says_how_many_come_first() -> None:
    app = AppTest.from_function(waiting_for_its_turn).run()
    assert app.header[0].value == "The audit waits for its turn"
    assert app.caption[0].value.startswith("It has waited ")
    assert app.caption[0].value.endswith("; two runs are before yours.")
    assert len(app.get("plotly_chart")) == 1, "the browser fetches ahead what draws charts"


def running(done: float) -> None:
    import time

    from dashboard.jobs.job import Job
    from dashboard.views.audit import waiting as audit_waiting

    began = time.time() - 10.0
    audit_waiting.show(Job("3" * 16, "audit", {}, "running", done, "Testing", 0.0, began, None, None, None))


def test_the_end_of_an_audit_is_seen_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Job("3" * 16, "audit", {}, "done", 1.0, "Done", 0.0, 1.0, 2.0, None, None)
    jobs: dict[str, Job] = {}

    def wait(job: Job, seconds: float) -> Job:
        assert 0 < seconds < 0.5, "less than until the next look"
        jobs[job.id] = ended
        return ended

    monkeypatch.setattr(queue, "find", jobs.get)
    monkeypatch.setattr(queue, "wait", wait)
    app = AppTest.from_function(running_until_it_ends, args=(jobs,)).run()
    assert not app.exception
    assert [one.value for one in app.title] == ["The result"]


def running_until_it_ends(jobs: dict[str, object]) -> None:
    import streamlit as st

    from dashboard.jobs.job import Job
    from dashboard.views.audit import waiting as audit_waiting

    if jobs:
        st.title("The result")
    else:
        audit_waiting.show(Job("3" * 16, "audit", {}, "running", 0.3, "Testing", 0.0, 1.0, None, None, None))


@pytest.mark.parametrize(("done", "share"), [(0.0, 0), (0.29, 29), (0.296, 30), (0.67, 67), (1.0, 99)])
def test_bar_and_words_say_the_same_share(done: float, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "wait", lambda job, seconds: job)
    app = AppTest.from_function(running, args=(done,)).run()
    (bar,) = app.get("progress")
    assert bar.proto.value == share
    assert any(f"{share}% done after" in one.value for one in app.caption)


def waiting_for_two_of_a_kind() -> None:
    from dashboard import waiting
    from dashboard.jobs.job import Job

    for name in ("4" * 16, "5" * 16):
        job = Job(name, "pilot", {}, "running", 0.5, "Trying", 0.0, 0.0, None, None, None, visitors=("local",))
        waiting.watch(job, "Trying the test")


def test_two_jobs_of_a_kind_are_waited_for_on_one_page() -> None:
    app = AppTest.from_function(waiting_for_two_of_a_kind).run()
    assert not app.error
    assert [button.label for button in app.button] == ["Stop", "Stop"]


def asking_two_slow_tasks() -> None:
    from dashboard import waiting

    waiting.begin()
    waiting.known("slow", {})
    waiting.answer("slower", {}, "Trying the test")


def test_a_page_waits_for_all_its_answers_together_no_longer_than_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    def wait(job: Job, seconds: float) -> Job:
        waited.append(seconds)
        time.sleep(seconds)
        return job

    unfinished = Job("6" * 16, "slow", {}, "running", 0.5, "Trying", 0.0, 0.0, None, None, None)
    monkeypatch.setattr(queue, "submit", lambda kind, arguments, needs=None: unfinished)
    monkeypatch.setattr(queue, "wait", wait)
    app = AppTest.from_function(asking_two_slow_tasks).run()
    assert waited[0] > 0
    assert waited[1] == 0
    app.run()
    assert waited[2:] == waited[:2], "the next run of the page is as patient"


def too_large(gigabytes: float) -> None:
    import streamlit as st

    from dashboard import needed
    from dashboard.jobs.job import Needs

    st.write(needed.too_large(Needs(memory=int(gigabytes * 1e9))))


@pytest.mark.parametrize(
    ("gigabytes", "problem", "told"),
    [
        (0.2, "", ""),
        (3, "", "This takes about 3.0 GB of memory, and 500 MB are free now. It waits until there is enough."),
        (9, "This takes about 9.0 GB of memory, and a run may take 4.0 GB on this machine. Bring fewer rows.", ""),
    ],
)
def test_a_test_that_does_not_fit_is_refused_and_one_that_does_not_fit_now_waits(
    gigabytes: float, problem: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needed, "available_memory", lambda: 500 * 10**6)
    monkeypatch.setattr(needed, "memory_of_a_run", lambda: 4 * 10**9)
    app = AppTest.from_function(too_large, kwargs={"gigabytes": gigabytes}).run()
    assert [one.value for one in app.markdown] == [problem]
    assert [one.value for one in app.info] == ([told] if told else [])
