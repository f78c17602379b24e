"""How a task is run: what the hall's table of tasks and every room's own consist of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from core.audits import KINDS
from core.base.files import FileStore
from core.base.progress import OnProgress
from core.models import MODEL_FORMATS
from core.models.endpoint.settings import endpoints_in

GIGABYTE = 2**30

_LARGE = 4 * 2**20
"""Bytes of files from which on a task takes its time."""

LaneName = Literal["quick", "reading", "training", "long"]

_OF_ANY_TEST = ("scipy.stats", "sklearn.linear_model", "core.register.summary")

SUMMARY = "summary"
"""Where the answer of an audit, a selection or a mitigation holds what the register keeps of its result."""
CODE = "code"
"""The file beside a result that says which code found it."""


def no_results(arguments: dict[str, Any]) -> tuple[str, ...]:
    """For tasks that leave none."""
    return ()


@dataclass(frozen=True)
class Task:
    """How a task is run.

    Attributes:
        run: The work, without network: (arguments, files, on_progress) -> JSON answer.
        fetch: What has to be downloaded before the network is given up.
        lane: Tasks of one lane wait for each other, so that neither a long audit nor a training delays a page.
        seconds: The longest it may take, beside what its files add.
        seconds_per_megabyte: What every 2^20 bytes of the files it is asked about add.
        memory: Bytes it may allocate.
        results: Names of the results that it may read and leave, from its arguments.
        leaves_files: Whether it leaves files.
        leaves_weights: Whether it reads and leaves weights of protected status models.
        stays: Whether its child then waits for other questions of the same visitor about the same files, so that what
            takes long is read once: where it is ``small`` only if it came to hold little memory, so that the next
            question has what it may take and can tell what it took.
    """

    run: Callable[[dict[str, Any], FileStore, OnProgress], Any]
    fetch: Callable[[dict[str, Any], FileStore], None]
    lane: LaneName = "quick"
    seconds: float = 120
    seconds_per_megabyte: float = 2
    memory: int = 6 * GIGABYTE
    results: Callable[[dict[str, Any]], tuple[str, ...]] = no_results
    leaves_files: bool = False
    leaves_weights: bool = False
    stays: Literal["never", "small", "always"] = "never"

    def lane_for(self, arguments: dict[str, Any]) -> LaneName:
        """Where it waits: a quick task that is asked about large files, or asks a model behind an address, is none."""
        slow = bytes_named(arguments) > _LARGE or _patience(arguments) > 0
        return "reading" if self.lane == "quick" and slow else self.lane

    def longest(self, arguments: dict[str, Any]) -> float:
        """Seconds after which it is stopped."""
        return self.seconds + self.seconds_per_megabyte * bytes_named(arguments) / 2**20 + _patience(arguments)


def _patience(arguments: Any) -> float:
    """Seconds for which all the models behind addresses that JSON arguments name may be asked."""
    return sum(60 * endpoint.minutes for endpoint in set(endpoints_in(arguments)))


def bytes_named(arguments: Any) -> int:
    """Bytes of all the files that JSON arguments name, each mention counted."""
    if isinstance(arguments, dict):
        own = arguments["bytes"] if isinstance(arguments.get("bytes"), int) and "sha256" in arguments else 0
        return int(own) + sum(map(bytes_named, arguments.values()))
    return sum(map(bytes_named, arguments)) if isinstance(arguments, list) else 0


def sources_named(arguments: dict[str, Any]) -> list[Any]:
    """The tables that JSON arguments of a task name, those to learn from included."""
    plans = arguments["study"]["plans"] if "study" in arguments else []
    sources = [arguments["source"]] if "source" in arguments else [plan["data"] for plan in plans[:1]]
    statuses = [arguments.get("status"), *((given.get("audit") or {}).get("status") for given in (arguments, *plans))]
    return sources + [status["corpus"]["data"] for status in statuses if status and status.get("corpus")]


def libraries_named(arguments: Any) -> tuple[str, ...]:
    """Modules that take long to import and that models and tests named in JSON arguments need."""
    if isinstance(arguments, dict):
        kind = arguments.get("kind", "")
        source: Any = MODEL_FORMATS.get(kind)
        inside = tuple(name for value in arguments.values() for name in libraries_named(value))
        room = (*_OF_ANY_TEST, f"core.audits.{kind}.room", f"core.audits.{kind}.engine") if kind in KINDS else ()
        return (source.libraries if source else ()) + room + inside
    return tuple(name for value in arguments for name in libraries_named(value)) if isinstance(arguments, list) else ()


def opened_behind_the_wall(arguments: Any) -> tuple[str, ...]:
    """Modules with which files of models named in JSON arguments are opened (``core.wall``), each once."""
    if isinstance(arguments, dict):
        source: Any = MODEL_FORMATS.get(arguments.get("kind", ""))
        own = (source.inside,) if source and source.inside else ()
        found = (*own, *(name for value in arguments.values() for name in opened_behind_the_wall(value)))
    else:
        found = (
            tuple(name for value in arguments for name in opened_behind_the_wall(value))
            if isinstance(arguments, list)
            else ()
        )
    return tuple(dict.fromkeys(found))
