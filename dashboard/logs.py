"""What the server and its worker log: one line of JSON an event, and nothing of anybody's data.

A line holds when something happened, where, and how it went. It holds no name of a file, column, person or session, no
value of a table, and of a run's name only the beginning, for the whole of it opens the run where nobody signs in.
"""

import datetime
import json
import logging
import os
import re
import sys
import threading
from types import TracebackType
from typing import Any

from core.base.errors import EvenhandError, how_it_came

SETTING = "EVENHAND_LOG"
JSON = "json"
"""Its value with which everything that the server logs is such lines, those of its worker among them."""

_SESSION = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_DIGITS_OF_A_RUN = 8
_LOG = logging.getLogger("evenhand")
_FACTS = "facts"


def log(
    event: str, *, level: int = logging.INFO, run: str = "", error: BaseException | None = None, **facts: Any
) -> None:
    """Log an event.

    Args:
        event: What happened: a name, the same each time.
        level: As in :mod:`logging`.
        run: The run's name, of which the beginning is logged.
        error: What was raised: its class, where it is a fault also where it came from, and not what it says.
        facts: Numbers, and words that the code itself says; those that are None are left out.
    """
    own: dict[str, Any] = {"run": run[:_DIGITS_OF_A_RUN] or None, **facts}
    if error is not None:
        trace = None if isinstance(error, EvenhandError) else how_it_came(error)
        own |= {"error": type(error).__name__, "trace": trace}
    known = {name: fact for name, fact in own.items() if fact is not None}
    _LOG.log(level, event, extra={_FACTS: known}, stacklevel=2)


def begin(process: str) -> None:
    """Log to standard error from now on, faults that nobody caught among it.

    Args:
        process: ``server`` or ``worker``.
    """
    _leave_out_sessions()
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines(process))
    _LOG.handlers[:] = [handler]
    _LOG.setLevel(logging.INFO)
    logging.raiseExceptions = False  # who reads the log may have gone
    sys.excepthook = _log_fault
    threading.excepthook = lambda told: _log_fault(told.exc_type, told.exc_value, told.exc_traceback)
    take_in_libraries()


def take_in_libraries() -> None:
    """Have what libraries log written as our own is, where the setting says so; called again once more of them log."""
    if not as_json():
        return
    lines = _LOG.handlers[0].formatter
    logging.captureWarnings(True)
    logging.getLogger("py.warnings").handlers[:] = _LOG.handlers
    named = [logging.getLogger(name) for name in list(logging.root.manager.loggerDict)]
    for handler in (logging.lastResort, *(handler for one in (logging.root, *named) for handler in one.handlers)):
        if isinstance(handler, logging.StreamHandler):
            handler.setFormatter(lines)


def as_json() -> bool:
    """Whether everything that is logged is lines of JSON."""
    return os.environ.get(SETTING, "") == JSON


class _Lines(logging.Formatter):
    """Writes a record as a line of JSON.

    Of a line of a library, which may quote a table, only the sentence with its gaps is written.

    Args:
        process: ``server`` or ``worker``.
    """

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process = process

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        time = datetime.datetime.fromtimestamp(record.created, datetime.UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": time, "level": record.levelname.lower(), "process": self._process}
        if (facts := getattr(record, _FACTS, None)) is not None:
            return json.dumps({**line, "event": record.msg, **facts})
        line |= {"event": "library", "logger": record.name, "where": f"{record.module}:{record.lineno}"}
        if record.args:
            line["said"] = str(record.msg)
        if record.exc_info and record.exc_info[1] is not None:
            line |= {"error": type(record.exc_info[1]).__name__, "trace": how_it_came(record.exc_info[1])}
        return json.dumps(line)


def _log_fault(_: type[BaseException], error: BaseException | None, __: TracebackType | None) -> None:
    if error is not None and not isinstance(error, KeyboardInterrupt | SystemExit):
        log("uncaught_fault", level=logging.ERROR, error=error)


def _leave_out_sessions() -> None:
    """Let no line that this process logs name a session, whose name is as good as a key to it."""
    before = logging.getLogRecordFactory()

    def made(*args: object, **kwargs: object) -> logging.LogRecord:
        record = before(*args, **kwargs)
        said = record.getMessage()
        if _SESSION.search(said):
            record.msg, record.args = _SESSION.sub("…", said), ()
        return record

    logging.setLogRecordFactory(made)
