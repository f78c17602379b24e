"""One connection to one host: paced, patient within limits, and told nothing it need not know."""

import os
import re
import socket
import time
from collections.abc import Callable
from contextlib import closing

import urllib3
from urllib3.util import Retry, Timeout

from core.base.errors import ModelError
from core.language.told import localized, say
from core.models.endpoint.address import Resolve, pinned
from core.models.endpoint.connection import Deadline, EncryptedPool, Pool
from core.models.endpoint.settings import EndpointSettings

MOST_BYTES = 64 << 20
"""Of one answer."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
_AT_ONCE = 1 << 16
_SHORTEST = 1e-3
"""Seconds; no request is given less, so that the last one ends as too slow rather than at once."""
_WORTH_ANOTHER_TRY = (429, 500, 502, 503, 504)


class Client:
    """Asks one endpoint; connects to nothing else.

    Args:
        endpoint: Whom to ask.
        resolve: Looks up the host's number, once.
        clock: Seconds that only grow.
        sleep: Waits so many seconds.

    Raises:
        ModelError: The host may not be asked, or the secret's variable is not set.
    """

    def __init__(
        self,
        endpoint: EndpointSettings,
        *,
        resolve: Resolve = socket.getaddrinfo,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint, self._clock, self._sleep = endpoint, clock, sleep
        self._secret = _secret(endpoint)
        self._deadline = Deadline()
        self._pool = _pool(endpoint, pinned(endpoint, resolve), self._deadline)
        self._left = 60 * endpoint.minutes
        self._until = self._next = clock()

    def post(self, path: str, body: bytes) -> bytes:
        """What the server answers to ``body``; sent again where that may help.

        Raises:
            ModelError: It does not answer, refuses, sends elsewhere, fails again and again, or says too much.
        """
        return self._ask("POST", path, body)

    def get(self, path: str) -> bytes:
        """What lies at ``path``; see :meth:`post`."""
        return self._ask("GET", path, None)

    def _ask(self, method: str, path: str, body: bytes | None) -> bytes:
        """Only the time of asking counts, not what is computed in between."""
        began = self._clock()
        self._until = began + self._left
        try:
            return self._tries(method, path, body)
        finally:
            self._left -= self._clock() - began

    def _tries(self, method: str, path: str, body: bytes | None) -> bytes:
        failure = self._out_of_time()
        for tried in range(self._endpoint.retries + 1):
            self._wait(max(self._next - self._clock(), 0.0))
            self._next = self._clock() + 1 / self._endpoint.requests_per_second
            pause = min(_FIRST_PAUSE * 2**tried, _LONGEST_PAUSE)
            try:
                status, content, asked_for = self._once(method, path, body)
            except _TooSlowError:
                self._wait(0.0)
                failure = self._failed(
                    say(
                        "The model did not answer within {seconds} seconds",
                        seconds=localized(f"{self._endpoint.seconds:g}"),
                    ),
                    tried,
                    say("Send fewer rows in a request, or wait longer for one."),
                )
            except urllib3.exceptions.HTTPError as error:
                failure = self._unreachable(error, tried)
                if not isinstance(error, urllib3.exceptions.ProtocolError):
                    raise failure from None
            else:
                if 200 <= status < 300:
                    return content
                failure = self._said_no(status, content, tried)
                if status not in _WORTH_ANOTHER_TRY:
                    raise failure
                pause = max(pause, asked_for)
            if tried < self._endpoint.retries:
                self._wait(pause)
        raise failure

    def _once(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes, float]:
        """Status, content, and the seconds after which the server wants to be asked again."""
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "Host": self._host}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        headers |= {self._endpoint.secret_header: self._secret} if self._secret else {}
        seconds = min(self._endpoint.seconds, max(self._until - self._clock(), _SHORTEST))
        self._deadline.begin(seconds)
        try:
            response = self._pool.urlopen(
                method,
                path,
                body=body,
                headers=headers,
                redirect=False,
                retries=False,
                preload_content=False,
                decode_content=False,
                timeout=Timeout(total=seconds),
            )
            with closing(response):
                content = self._read(response)
        except urllib3.exceptions.HTTPError as error:
            late = isinstance(error, urllib3.exceptions.TimeoutError) or self._deadline.passed
            if not late or isinstance(error, urllib3.exceptions.NewConnectionError):
                raise
            raise _TooSlowError from None
        return response.status, content, _asked_for(response)

    def _read(self, response: urllib3.BaseHTTPResponse) -> bytes:
        """What is left of a response; a whole one gives its connection back, what is cut off ends it."""
        content = bytearray()
        while part := response.read1(_AT_ONCE):
            content += part
            if len(content) > MOST_BYTES:
                raise ModelError(
                    say("The model's answer is longer than {most} MB.", most=MOST_BYTES >> 20),
                    where=self._endpoint.url,
                    advice=say("Send fewer rows in a request, or name the output that holds the answer."),
                )
        response.release_conn()
        return bytes(content)

    @property
    def _host(self) -> str:
        host = f"[{self._endpoint.host}]" if ":" in self._endpoint.host else self._endpoint.host
        usual = 443 if self._endpoint.encrypted else 80
        return host if self._endpoint.port == usual else f"{host}:{self._endpoint.port}"

    def _wait(self, seconds: float) -> None:
        if self._clock() + seconds > self._until:
            raise self._out_of_time()
        if seconds > 0:
            self._sleep(seconds)

    def _out_of_time(self) -> ModelError:
        return ModelError(
            say(
                "Asking the model took longer than the {minutes} minutes it may take.",
                minutes=localized(f"{self._endpoint.minutes:g}"),
            ),
            where=self._endpoint.url,
            advice=say("Answers received so far are saved: try again to go on, or send more rows in a request."),
        )

    def _failed(self, what: str, tried: int, advice: str) -> ModelError:
        return ModelError(
            say("{what}, asked {tried} times.", what=what, tried=tried + 1) if tried else say("{what}.", what=what),
            where=self._endpoint.url,
            advice=say("{advice} Answers received so far are saved.", advice=advice),
        )

    def _unreachable(self, error: urllib3.exceptions.HTTPError, tried: int) -> ModelError:
        if isinstance(error, urllib3.exceptions.SSLError):
            return self._failed(
                say("The server's certificate is not one that this machine trusts"),
                tried,
                say("Check the address, or have the server's certificate authority installed on this machine."),
            )
        if isinstance(error, urllib3.exceptions.NewConnectionError):
            return self._failed(
                say("Nothing answers at this address"),
                tried,
                say("Check that the server runs and the address is right."),
            )
        return self._failed(
            say("The connection to the model broke off"), tried, say("Check that the server runs, and try again.")
        )

    def _said_no(self, status: int, content: bytes, tried: int) -> ModelError:
        said = self._quoted(content)
        if 300 <= status < 400:
            return self._failed(
                say(
                    "The server redirects to another address (status {status}), and redirects are not followed",
                    status=status,
                ),
                tried,
                say("Give the address at which the model itself answers."),
            )
        if status in (401, 403):
            name = self._endpoint.secret or say("none is named")
            return self._failed(
                say("The server refuses to answer without the right secret (status {status})", status=status),
                tried,
                say("Check what the variable of the secret holds ({name}), and its header.", name=name),
            )
        if status == 404:
            return self._failed(
                say("The server has no model at this path (status 404){said}", said=said),
                tried,
                say("Check the model's name and version, and the address."),
            )
        if status == 429:
            return self._failed(
                say("The server gets too many requests (status 429)"), tried, say("Send fewer requests a second.")
            )
        if status < 500:
            return self._failed(
                say("The server does not accept the rows (status {status}){said}", status=status, said=said),
                tried,
                say("Check the columns, their names and how the rows are sent."),
            )
        return self._failed(
            say("The server fails (status {status}){said}", status=status, said=said),
            tried,
            say(
                "Look into its log: a column that the model reads may be missing or have another name. Or send "
                "fewer rows in a request."
            ),
        )

    def _quoted(self, content: bytes) -> str:
        """The beginning of what the server said, without the secret."""
        text = content[:4000].decode("utf-8", "replace")
        for part in {self._secret, *self._secret.split()} - {""}:
            text = text.replace(part, "…")
        text = re.sub(r"\s+", " ", "".join(one for one in text if one.isprintable() or one.isspace())).strip()
        return f": “{text[:160]}”" if text else ""


class _TooSlowError(Exception):
    """A request took longer than it may."""


def _pool(endpoint: EndpointSettings, number: str, deadline: Deadline) -> urllib3.HTTPConnectionPool:
    if not endpoint.encrypted:
        return Pool(number, endpoint.port, deadline=deadline)
    return EncryptedPool(
        number, endpoint.port, deadline=deadline, server_hostname=endpoint.host, assert_hostname=endpoint.host
    )


def _asked_for(response: urllib3.BaseHTTPResponse) -> float:
    """The seconds after which the server wants to be asked again; 0 where it does not say so in a way to be read."""
    try:
        return Retry().get_retry_after(response) or 0.0
    except (urllib3.exceptions.InvalidHeader, ValueError, OverflowError):
        return 0.0


def _secret(endpoint: EndpointSettings) -> str:
    """What the variable holds; empty if none is named.

    Raises:
        ModelError: The variable is not set, or cannot stand in a header.
    """
    if not endpoint.secret:
        return ""
    value = os.environ.get(endpoint.secret, "").strip()
    if not value or not value.isascii() or not value.isprintable():
        raise ModelError(
            say("The environment variable {secret} holds no header.", secret=endpoint.secret)
            if value
            else say("The environment variable {secret} is not set.", secret=endpoint.secret),
            where=endpoint.url,
            advice=say("Whoever runs Evenhand sets it and starts it again."),
        )
    return value
