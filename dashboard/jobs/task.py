"""How a task is run: what the hall's table of tasks and every room's own consist of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from core.files import FileStore
from core.progress import OnProgress

GIGABYTE = 2**30


@dataclass(frozen=True)
class Task:
    """How a task is run.

    Attributes:
        run: The work, without network: (arguments, files, on_progress) -> JSON answer.
        fetch: What has to be downloaded before the network is given up.
        lane: Tasks of one lane wait for each other, so that neither a long audit nor a training delays a page.
        seconds: The longest it may take.
        memory: Bytes it may allocate.
    """

    run: Callable[[dict[str, Any], FileStore, OnProgress], Any]
    fetch: Callable[[dict[str, Any], FileStore], None]
    lane: Literal["quick", "training", "long"] = "quick"
    seconds: float = 900
    memory: int = 6 * GIGABYTE
