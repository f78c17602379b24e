"""What the server's log leaves out: names of sessions, which are as good as keys to them."""

import logging
import re

_SESSION = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


def leave_out_sessions() -> None:
    """Let no line that this process logs name a session."""
    before = logging.getLogRecordFactory()

    def made(*args: object, **kwargs: object) -> logging.LogRecord:
        record = before(*args, **kwargs)
        said = record.getMessage()
        if _SESSION.search(said):
            record.msg, record.args = _SESSION.sub("…", said), ()
        return record

    logging.setLogRecordFactory(made)
