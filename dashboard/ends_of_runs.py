"""Let a page hear the end of a run before a part of it runs again, for which Streamlit (1.67) does not wait.

A fragment that is asked to run while the run of the whole page has ended, but not all of it has been told, gets a
runner of its own; what the one before has not told yet is then dropped (``AppSession.request_rerun`` says so of one
case). On a busy server a page so lost its end and the timers of its fragments, and showed a bar that never moved again.
"""

from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

_EVERY = 0.02
_TRIES = 150
"""For three seconds; a run that was stopped and does not end is then left behind, as it always was."""


def wait_for_ends_of_runs() -> None:
    """From now on fragments wait for what a run that has ended still has to tell."""
    ask = AppSession.request_rerun

    def request_rerun(session: Any, client_state: Any, tries: int | None = None) -> None:
        left = _TRIES if tries is None else tries
        runner = session._scriptrunner
        ended = runner is not None and runner._requests._state is ScriptRequestType.STOP
        if left and ended and client_state and client_state.fragment_id:
            session._event_loop.call_later(_EVERY, request_rerun, session, client_state, left - 1)
        else:
            ask(session, client_state)

    AppSession.request_rerun = request_rerun  # type: ignore[assignment]
