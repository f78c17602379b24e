"""Pieces of work done by the workers of a Dask scheduler; what befalls them costs pieces, not the whole."""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from core.base.apart import AbstractCarrier, OnAnswer, carried_by, read_answer
from core.base.device import DEVICE, chosen
from core.base.errors import AuditError, EvenhandError, SettingsError, StorageError
from core.base.progress import OnProgress, Progress
from core.cluster.address import Scheduler
from core.cluster.worker import PROCESSOR, own_versions, serve
from core.language.told import localized, packed, say, unpacked

Client: TypeAlias = Any
Future: TypeAlias = Any
"""Dask's, which has no types."""

LEAST_MEMORY = 2**30
"""Bytes that a worker has to have for each piece, whatever the piece says."""
_QUIET = 60.0
"""Seconds without a word after which a worker, or the scheduler, counts as gone."""
_LONGEST_GREETING, _LONGEST_PART = 30.0, 60.0
"""Seconds that workers have to say who they are, and to keep a part of a file."""
_PART = 4 * 2**20
_TRIES = 3
_PAUSE = 0.1


@contextmanager
def computing_on(given: str | Scheduler = "") -> Iterator[None]:
    """Within this block pieces are done by the workers of a scheduler; here where none is chosen.

    Args:
        given: The scheduler, or its address; if empty what the environment says (:meth:`Scheduler.chosen`).

    Raises:
        SettingsError: The scheduler cannot be taken, does not answer, or refuses our certificate.
    """
    if (scheduler := Scheduler.chosen(given)) is None:
        yield
        return
    cluster = Cluster(scheduler)
    try:
        with carried_by(cluster):
            yield
    finally:
        cluster.close()


class Cluster(AbstractCarrier):
    """The workers of one scheduler.

    Args:
        scheduler: Where it is.
        quiet: Seconds without a word after which a worker, or the scheduler, counts as gone.
        opens: For a job of a page, whose pieces stand behind walls there: modules with which model files are opened.

    Raises:
        SettingsError: It does not answer, or refuses our certificate.
    """

    def __init__(self, scheduler: Scheduler, quiet: float = _QUIET, opens: Sequence[str] | None = None) -> None:
        from distributed import Client
        from distributed.security import Security

        scheduler.greet()
        for name in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told in sentences
        security = None
        if scheduler.is_encrypted:
            own = {"tls_client_cert": scheduler.cert, "tls_client_key": scheduler.key}
            security = Security(tls_ca_file=scheduler.ca, require_encryption=True, **own)
        self._scheduler, self._quiet = scheduler, quiet
        self._opens = None if opens is None else list(opens)
        try:
            self._client = Client(scheduler.address, security=security, timeout=quiet / 2, set_as_default=False)
        except (OSError, ValueError) as error:
            raise SettingsError(
                say("What answers is no scheduler of Dask, or one of another version."),
                where=scheduler.address,
                advice=say("Check address and port, and that the same version of Dask runs there."),
            ) from error

    def close(self) -> None:
        """Leave the scheduler; pieces that are still done there are stopped."""
        with suppress(Exception):
            self._client.close(timeout=5)

    def carry(
        self, module: str, pieces: Sequence[Any], on_progress: OnProgress, on_answer: OnAnswer
    ) -> dict[int, Any | EvenhandError]:
        """See the base class."""
        on_progress(Progress(0.0, say("Asking the workers who they are")))
        asked = {"module": module, "environment": _environment(), "opens": self._opens}
        _require_fit(self._client, self._scheduler, pieces, asked)
        run = _Run(self._client, module, pieces, on_progress, on_answer, quiet=self._quiet, opens=self._opens)
        return run.done()


def _workers(client: Client, seconds: float) -> dict[str, float]:
    """Every worker with the time when the scheduler last heard of it, on the scheduler's clock.

    Raises:
        OSError: The scheduler does not say.
    """
    told: Any = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=seconds)
    return {address: float(one["last_seen"]) for address, one in told["workers"].items()}


def _environment() -> dict[str, str]:
    """Variables for the processes of pieces: machines compute alike, also where they could differ."""
    return {DEVICE: "accelerator" if chosen() == "accelerator" else "processor"}  # verbatim


def _require_fit(client: Client, scheduler: Scheduler, pieces: Sequence[Any], coming: dict[str, Any]) -> None:
    """See to it that workers are what this machine is; one that does not say so now is asked with each piece.

    Raises:
        SettingsError: There is none, one has other versions or too little memory, or one is spoken to in the open.
    """
    try:
        client.wait_for_workers(1, timeout=_LONGEST_GREETING)
        workers = list(_workers(client, _LONGEST_GREETING))
    except OSError as error:
        raise SettingsError(
            say("No worker has joined the scheduler."),
            where=scheduler.address,
            advice=say("Start workers, or leave the scheduler out to compute on this machine."),
        ) from error
    asked = json.dumps({"ask": "about", **coming})
    futures = {one: client.submit(serve, asked, workers=[one], pure=False, priority=10) for one in workers}
    needs = max([LEAST_MEMORY, *(int(one.get("memory", 0)) for one in pieces if isinstance(one, dict))])
    until = time.monotonic() + _LONGEST_GREETING
    for address, future in futures.items():
        try:
            told = json.loads(future.result(timeout=max(until - time.monotonic(), 0.1)))
        except ImportError as error:
            raise SettingsError(
                say("A worker cannot import Evenhand, or has another version of it."),
                where=address,
                advice=say("Install the same version there, and start the worker again."),
            ) from error
        except Exception:
            told = None  # it died or is busy: it is asked again with the first piece
        if told is None:
            continue
        _require_same(told, address)
        if told["memory"] < needs:
            raise SettingsError(
                say(
                    "A worker has {has} GB of memory for a part of the work that may take {needs} GB.",
                    has=localized(f"{told['memory'] / 2**30:.1f}"),
                    needs=localized(f"{needs / 2**30:.1f}"),
                ),
                where=address,
                advice=say("Start it with more memory, or with fewer threads."),
            )


def _require_same(told: dict[str, Any], address: str) -> None:
    """See to it that a worker computes what this machine would, and that nobody hears it.

    Raises:
        SettingsError: It does not.
    """
    if not told["safe"]:
        raise SettingsError(
            say("A worker on another machine is spoken to by tls:// only."),
            where=address,
            advice=say("Start scheduler and workers with certificates."),
        )
    ours, theirs = own_versions(), told["versions"]
    for name in (*ours, *theirs):
        if ours.get(name) != theirs.get(name):
            none = say("none")
            raise SettingsError(
                say(
                    "A worker has {name} {theirs}, and this machine {ours}.",
                    name=name,
                    theirs=theirs.get(name, none),
                    ours=ours.get(name, none),
                ),
                where=address,
                advice=say("Use machines with processors of the same kind, so that the numbers are the same.")
                if name == PROCESSOR
                else say("Install the same versions everywhere, so that the numbers are the same."),
            )


class _Run:
    """Pieces of one module on their way.

    Args:
        client: To the scheduler.
        module: Where ``work`` is.
        pieces: What it is asked.
        on_progress: Told how far all of them are.
        on_answer: Told each answer.
        quiet: As for :class:`Cluster`.
        opens: As for :class:`Cluster`.
    """

    def __init__(
        self,
        client: Client,
        module: str,
        pieces: Sequence[Any],
        on_progress: OnProgress,
        on_answer: OnAnswer,
        *,
        quiet: float,
        opens: list[str] | None,
    ) -> None:
        self._opens = opens
        self._client, self._module, self._pieces = client, module, pieces
        self._on_progress, self._on_answer, self._quiet = on_progress, on_answer, quiet
        self._topic = f"evenhand-{secrets.token_hex(8)}"
        self._found: dict[int, Any | EvenhandError] = {}
        self._left: set[int] = set()
        self._open: dict[Future, int] = {}
        self._done, self._phase = [0.0] * len(pieces), packed(say("Handing out the work"))
        self._heard: dict[int, tuple[float, str]] = {}
        self._tries: Counter[int] = Counter()
        self._avoided: dict[int, set[str]] = {}
        self._wake = threading.Event()
        self._asked, self._answered = time.monotonic(), time.monotonic()
        self._seen: dict[str, tuple[float, float]] = {}
        self._alive: set[str] = set()

    def done(self) -> dict[int, Any | EvenhandError]:
        """What came of each piece, by its place; those that are left to this machine lack."""
        self._client.subscribe_topic(self._topic, self._hear)
        try:
            self._ask_who_is_there()
            for place in range(len(self._pieces)):
                self._submit(place)
            while len(self._found) + len(self._left) < len(self._pieces):
                self._wake.wait(_PAUSE)
                self._wake.clear()
                self._on_progress(Progress(sum(self._done) / len(self._pieces), unpacked(self._phase)))
                for future, place in list(self._open.items()):
                    if place in self._found or place in self._left:
                        self._drop(future)
                    elif future.done():
                        del self._open[future]
                        self._take(place, future)
                self._look_around()
        finally:
            for future in list(self._open):
                self._drop(future)
            with suppress(Exception):
                self._client.unsubscribe_topic(self._topic)
        return self._found

    def _drop(self, future: Future) -> None:
        del self._open[future]
        with suppress(Exception):
            self._client.cancel([future], force=True)

    def _submit(self, place: int) -> None:
        asked = {"ask": "do", "module": self._module, "piece": self._pieces[place], "environment": _environment()}
        told = {"topic": self._topic, "place": place, "versions": own_versions(), "opens": self._opens}
        avoided = self._avoided.get(place, set())
        fit = sorted(self._alive - avoided) if avoided else None
        if fit == []:
            self._left.add(place)
            return
        self._heard.pop(place, None)
        try:
            key = f"{self._topic}-{place}-{secrets.token_hex(4)}"
            future = self._client.submit(
                serve, json.dumps(asked | told), key=key, workers=fit, allow_other_workers=False, pure=False
            )
        except Exception:  # the scheduler is gone for good
            self._left.add(place)
            return
        self._open[future] = place
        future.add_done_callback(lambda _: self._wake.set())

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        told = event[1]
        place = told["place"]
        self._heard[place] = (time.monotonic(), told["worker"])
        if told["done"] >= self._done[place]:
            self._done[place], self._phase = told["done"], told["phase"]

    def _take(self, place: int, future: Future) -> None:
        """Look what came of a piece, and have it done again where nothing did."""
        if future.status == "finished":
            try:
                said = json.loads(future.result(timeout=self._quiet))
            except Exception:
                self._again(place)
                return
            self._take_said(place, said)
        elif future.status == "error":  # its worker died several times, or cannot even begin
            self._tries[place] = _TRIES
            self._again(place)
        elif self._client.status == "closed":
            self._left.add(place)
        else:  # the scheduler has forgotten it: it was started again
            self._client.subscribe_topic(self._topic, self._hear)
            self._submit(place)

    def _take_said(self, place: int, said: dict[str, Any]) -> None:
        worker = said.pop("worker")
        if "lacks" in said:
            if self._send_files(worker, self._pieces[place]["files"], said["lacks"]):
                self._submit(place)
            else:
                self._avoid(place, worker)
        elif "other" in said:
            if not self._alive - {worker}:
                _require_same(said["other"], worker)
            self._avoid(place, worker)
        elif "ended" in said:
            self._again(place)
        else:
            self._keep(place, read_answer(said))

    def _keep(self, place: int, answer: Any | EvenhandError) -> None:
        self._found[place], self._done[place] = answer, 1.0
        self._on_answer(place, answer)

    def _avoid(self, place: int, worker: str) -> None:
        self._avoided.setdefault(place, set()).add(worker)
        self._submit(place)

    def _again(self, place: int) -> None:
        """Try a piece again that ended its process or its worker, unless it did so too often."""
        self._tries[place] += 1
        if self._tries[place] < _TRIES:
            self._submit(place)
            return
        piece = self._pieces[place]
        called = piece.get("called", "") if isinstance(piece, dict) else ""
        part = say("part {n} of {all}", n=place + 1, all=len(self._pieces))
        self._keep(
            place,
            AuditError(
                say("A part of the work ended its process each of {tries} times.", tries=_TRIES),
                where=unpacked(called) if called else part,
                advice=say("See what the workers have printed, try fewer rows, or compute on this machine."),
            ),
        )

    def _send_files(self, worker: str, folder: str, lacks: list[str]) -> bool:
        """Send a worker the files that it lacks; whether it keeps them.

        Raises:
            StorageError: Its disk has no room.
        """
        for sha256 in lacks:
            size = (path := Path(folder) / sha256).stat().st_size
            with path.open("rb") as source:
                sent = 0
                while sent < size or not size:
                    part = source.read(_PART)
                    sent += len(part)
                    asked = json.dumps({"ask": "keep", "sha256": sha256, "last": sent >= size})
                    try:
                        future = self._client.submit(
                            serve, asked, part, workers=[worker], allow_other_workers=False, pure=False, priority=10
                        )
                        said = json.loads(future.result(timeout=_LONGEST_PART))
                    except Exception:
                        return False
                    if "disk" in said:
                        raise StorageError(
                            say("A worker cannot keep a file: {reason}.", reason=said["disk"]),
                            where=worker,
                            advice=say("Free some room on its disk, or start it with another local directory."),
                        )
                    self._on_progress(Progress(sum(self._done) / len(self._pieces), say("Sending files to a worker")))
                    if not size:
                        break
        return True

    def _look_around(self) -> None:
        """Have pieces done elsewhere of which nothing is heard, and give up a scheduler that is gone."""
        if self._client.status == "closed":
            self._left |= set(range(len(self._pieces))) - self._found.keys()
            return
        now = time.monotonic()
        if now - self._asked > min(self._quiet / 4, 5.0):
            self._ask_who_is_there()
            if not self._alive and now - self._answered > self._quiet:
                self._left |= set(range(len(self._pieces))) - self._found.keys()
                return
        for place, (when, worker) in list(self._heard.items()):
            if place not in self._found and place not in self._left and now - when > self._quiet:
                self._avoid(place, worker)

    def _ask_who_is_there(self) -> None:
        """Which workers have been heard of lately."""
        self._asked = time.monotonic()
        try:
            told = _workers(self._client, min(self._quiet, 10.0))
        except Exception:
            told = {}
        now = time.monotonic()
        before, self._seen = self._seen, {}
        for worker, when in told.items():
            same = worker in before and before[worker][0] == when
            self._seen[worker] = before[worker] if same else (when, now)
        self._alive = {worker for worker, (_, since) in self._seen.items() if now - since < self._quiet}
        if self._alive:
            self._answered = now
