"""What processes of their own are asked to do in the tests of :mod:`core.base.apart`."""

import os
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.base.errors import DataError
from core.base.progress import OnProgress, Progress
from core.language.told import say


def work(asked: Any, on_progress: OnProgress) -> Any:
    """Its square and the process it was worked out in; some numbers go wrong."""
    on_progress(Progress(0.5, say("Trying the models")))
    if isinstance(asked, dict) and "reach" in asked:
        return [_said(lambda path=path: Path(path).read_text()) for path in asked["reach"]] + [
            _said(lambda: socket.create_connection(("127.0.0.1", asked["port"]))),
            _said(lambda: (Path(tempfile.gettempdir()) / "own").write_text("mine")),
            _said(lambda: (Path(asked["files"]) / "other").write_text("mine")),
        ]
    if isinstance(asked, dict):
        return (Path(asked["files"]) / asked["needs"][0]).read_text()
    if isinstance(asked, list):
        time.sleep(asked[0])
        return asked[1]
    if asked == "stay":
        time.sleep(60)
    if asked == "end":
        os._exit(1)
    if asked < 0:
        raise DataError(say("Choose a table first."), where="row 3", advice=say("Bring more rows."))
    print("noise")
    return {"square": asked**2, "process": os.getpid()}


def _said(reach: Callable[[], Any]) -> str:
    try:
        return str(reach())
    except OSError as error:
        return type(error).__name__
