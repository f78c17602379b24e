"""Rows in, answers out: what is kept is not asked again, and a model that changes meanwhile is found."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from core.base.errors import Caveat, ModelError
from core.base.progress import OnProgress, Progress
from core.base.settings import Settings
from core.language.phrases import count, listed
from core.language.told import say
from core.models.endpoint.client import Client
from core.models.endpoint.kept import History, KeptAnswers, file_name
from core.models.endpoint.protocols import PROTOCOLS
from core.models.endpoint.rows import Answer, Cell, Rows, is_number
from core.models.endpoint.settings import EndpointSettings, endpoints_in

ASKED_AGAIN = 50
"""Rows that are asked again at the end. A change that shows in 6% of the rows is found with 95% certainty."""
_AGREEMENT = 1e-6
"""Answers that differ by less are the same: servers compute in 32 bits, and in batches."""


class AbstractAsker(ABC):
    """Asks one endpoint, wherever the connection is held."""

    @abstractmethod
    def ask(self, rows: Rows, on_progress: OnProgress) -> list[Answer]:
        """The answers about ``rows``, in order: kept ones, and for other rows the model's, which are then kept.

        Raises:
            ModelError: The model cannot be asked, its answers make no sense, or it is another than before.
        """

    @abstractmethod
    def conclude(self) -> History:
        """Ask some rows again if any were asked since this was last called, and say what is kept.

        Raises:
            ModelError: The model is another than before.
        """


class Asker(AbstractAsker):
    """Asks from this process.

    Args:
        endpoint: Whom to ask.
        connect: Makes the client, when a row is to be asked.
        kept: The answers that are kept; those in Evenhand's folder by default.
    """

    def __init__(
        self,
        endpoint: EndpointSettings,
        connect: Callable[[EndpointSettings], Client] = Client,
        kept: KeptAnswers | None = None,
    ) -> None:
        self._endpoint, self._connect = endpoint, connect
        self._codec = PROTOCOLS[endpoint.protocol]
        self._kept = KeptAnswers(endpoint.identity) if kept is None else kept
        self._client: Client | None = None
        self._told = ""
        self._unchecked = False
        self._sample: dict[bytes, tuple[Cell, ...]] = {}
        self._names: tuple[str, ...] = ()

    def ask(self, rows: Rows, on_progress: OnProgress) -> list[Answer]:
        """See the base class."""
        self._refuse_two_models()
        keys = rows.keys
        found = self._kept.get(list(dict.fromkeys(keys)))
        first = {key: place for place, key in reversed(list(enumerate(keys)))}
        missing = sorted(place for key, place in first.items() if key not in found)
        self._remember(rows, first)
        size, phase = self._endpoint.batch_rows, say("Asking the model about {rows}", rows=count(len(missing), "row"))
        for start in range(0, len(missing), size):
            on_progress(Progress(start / len(missing), phase))
            some = missing[start : start + size]
            answers, version = self._fetch(rows.take(some))
            self._kept.put([keys[place] for place in some], answers, version)
            self._unchecked = True
            self._refuse_two_models()
        if missing:
            on_progress(Progress(1.0, phase))
            found = self._kept.get(list(first))
        return [found[key] for key in keys]

    def conclude(self) -> History:
        """See the base class."""
        if self._unchecked:
            self._check()
            self._unchecked = False
        self._refuse_two_models()
        return self._kept.history

    def _fetch(self, rows: Rows) -> tuple[tuple[Answer, ...], str]:
        """Answers that are asked for now, and the version of the model."""
        if self._client is None:
            self._client = self._connect(self._endpoint)
            self._told = self._version()
        path, body = self._codec.request(self._endpoint, rows)
        reply = self._codec.reply(self._endpoint, self._client.post(path, body), len(rows))
        return reply.answers, reply.version or self._told

    def _version(self) -> str:
        if self._codec.about is None or self._client is None:
            return ""
        return self._codec.version_in(self._client.get(self._codec.about(self._endpoint)))

    def _remember(self, rows: Rows, first: dict[bytes, int]) -> None:
        """Keep the rows of the smallest keys of all that were asked about: a random sample that does not depend on
        their order, for a key is a hash.
        """
        some = sorted(first)[:ASKED_AGAIN]
        together = self._sample | {key: rows.cells[first[key]] for key in some}
        self._sample = {key: together[key] for key in sorted(together)[:ASKED_AGAIN]}
        self._names = rows.names

    def _check(self) -> None:
        """Ask the sample again: answers that differ from the kept ones and then stay are those of another model.

        A model that cannot be asked any more is not checked, which is told.
        """
        kept = self._kept.get(list(self._sample))
        before = list(kept.values())
        rows = Rows(self._names, tuple(self._sample[key] for key in kept))
        try:
            now, again = self._version(), self._again(rows)
            others = [place for place in range(len(rows)) if not _alike(before[place], again[place])]
            third = self._again(rows) if others else again
        except ModelError:
            return
        if now != self._told:
            raise self._changed(say("it said it was version {before}, and then {now}", before=self._told, now=now))
        restless = sum(not _alike(again[place], third[place]) for place in others)
        self._kept.note(len(rows), len(others), restless)

    def _again(self, rows: Rows) -> list[Answer]:
        size = self._endpoint.batch_rows
        parts = (rows.take(range(start, min(start + size, len(rows)))) for start in range(0, len(rows), size))
        return [answer for part in parts for answer in self._fetch(part)[0]]

    def _refuse_two_models(self) -> None:
        history = self._kept.history
        if len(history.versions) > 1:
            versions = listed(list(history.versions))
            raise self._changed(say("its answers are of the versions {versions}", versions=versions))
        if history.others and not history.restless:
            raise self._changed(
                say(
                    "{others} of {rows} sent a second time got another answer",
                    others=history.others,
                    rows=count(history.checked, "row"),
                )
            )

    def _changed(self, how: str) -> ModelError:
        return ModelError(
            say("The model changed during the audit: {how}. An audit cannot mix the answers of two models.", how=how),
            where=self._endpoint.called,
            advice=say(
                "Ask again once the model no longer changes (“Answers as of” gets a new mark), or name a version."
            ),
        )


def caveats(endpoint: EndpointSettings, history: History) -> tuple[Caveat, ...]:
    """When the model was asked, under which name and version, and what was found when rows were asked again."""
    if not history.rows:
        return ()
    asked = {"model": endpoint.called, "host": _host(endpoint, history), "when": _when(history)}
    said = [
        Caveat(
            "info",
            say(
                "The answers come from the model {model} at {host}, asked {when}. {rows} sent a second time got the "
                "same answer. They are saved, so repeating the audit does not contact the server.",
                **asked,
                rows=count(history.checked, "row"),
            )
            if history.checked and not history.others
            else say(
                "The answers come from the model {model} at {host}, asked {when}. They are saved, so repeating the "
                "audit does not contact the server.",
                **asked,
            ),
        )
    ]
    if history.unchecked:
        said.append(
            Caveat(
                "warning",
                say(
                    "The server could not be asked a second time at the end, so a change of the model during the last "
                    "{answers} would not have been noticed.",
                    answers=count(history.unchecked, "answer"),
                ),
                say("Ask again when the server is back."),
            )
        )
    if history.restless:
        said.append(
            Caveat(
                "serious",
                say(
                    "The model gives different answers for the same row: {others} of {rows} sent a second time got "
                    "another answer.",
                    others=history.others,
                    rows=count(history.checked, "row"),
                ),
                say(
                    "The audit used the first answer of each row. Have the randomness of the model switched off, and "
                    "ask again."
                ),
            )
        )
    return tuple(said)


def _host(endpoint: EndpointSettings, history: History) -> str:
    if not history.versions:
        return endpoint.host
    return say("{host} (the server names it version {version})", host=endpoint.host, version=history.versions[0])


def _when(history: History) -> str:
    first, last = (datetime.fromtimestamp(moment, UTC) for moment in (history.first, history.last))
    if first.strftime("%F %R") == last.strftime("%F %R"):
        return say("on {day} at {time} UTC", day=f"{first:%Y-%m-%d}", time=f"{first:%H:%M}")
    end = "%H:%M" if first.date() == last.date() else "%Y-%m-%d %H:%M"
    return say("between {first} and {last} UTC", first=f"{first:%Y-%m-%d %H:%M}", last=f"{last:{end}}")


def _alike(one: Answer, other: Answer) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) <= _AGREEMENT * max(1.0, abs(a)) if is_number(a) and is_number(b) else a == b  # type: ignore[operator,arg-type]
        for a, b in zip(one, other, strict=True)
    )


_connections: dict[str, AbstractAsker] = {}
_how: list[Callable[[EndpointSettings], AbstractAsker]] = [Asker]


def asker_of(endpoint: EndpointSettings) -> AbstractAsker:
    """The asker of an endpoint, one a process, so that the end of a run knows what its beginning asked."""
    key = endpoint.fingerprint
    if key not in _connections:
        _connections[key] = _how[-1](endpoint)
    return _connections[key]


def ask_through(how: Callable[[EndpointSettings], AbstractAsker]) -> None:
    """Let this process ask otherwise from now on: one without network asks through one that has it."""
    _how.append(how)
    _connections.clear()


def answers_beside(plan: Settings, beside: Path, folder: Path) -> dict[str, KeptAnswers]:
    """Let this process ask the endpoints of a plan through answers of their own, by the name of their file.

    Args:
        plan: Whatever names endpoints.
        beside: Where a file with answers that were given before may lie.
        folder: Where the answers lie meanwhile, if there is such a file.

    Raises:
        RecordError: A file is damaged, or is of another model.
    """
    found = {}
    for endpoint in endpoints_in(plan.model_dump(mode="json")):
        name = file_name(endpoint.identity)
        given = beside / name
        kept = KeptAnswers(endpoint.identity, folder if given.is_file() else None)
        if given.is_file() and name not in found:
            kept.take(given.read_bytes(), name)
        _connections[endpoint.fingerprint] = Asker(endpoint, kept=kept)
        found[name] = kept
    return found
