"""A small model server on the loopback that speaks every protocol, and misbehaves as it is told."""

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from core.models.endpoint.settings import EndpointSettings

Row = dict[str, Any]


def by_income(row: Row) -> float:
    """A probability that rises with income and falls a little for women."""
    return round(min(max(row["income"] / 100 - 0.05 * (row.get("sex") == "f"), 0.01), 0.99), 6)


@dataclass
class ModelServer:
    """What the server does, and what it was asked.

    Attributes:
        answer: The probability of a row.
        version: The version it says it is.
        faults: What it does instead of the next answers, first one first: a status, a number of seconds by which it is
            late, bytes to say instead, or "drip": half of an answer, and the rest a byte at a time.
        rows: How many rows it was asked about.
        requests: Path and headers of each request.
        retry_after: What it says in this header with a status.
    """

    answer: Callable[[Row], Any] = by_income
    version: str = "1"
    faults: list[int | float | bytes | str] = field(default_factory=list)
    rows: int = 0
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    retry_after: str = ""
    port: int = 0

    @property
    def posts(self) -> int:
        """How often it was asked about rows."""
        return sum("invo" in path or "infer" in path or "score" in path for path, _ in self.requests)

    def settings(self, protocol: str = "plain", **changes: Any) -> EndpointSettings:
        """How to ask it."""
        own = {
            "plain": {"answer": "results.*.p", "rows_field": "rows", "path": "/score"},
            "mlflow": {},
            "open inference": {"answer": "p", "model": "income"},
        }[protocol]
        url = f"http://127.0.0.1:{self.port}{own.pop('path', '')}"
        pace = {"requests_per_second": 1000.0, "retries": 2, "seconds": 5.0}
        return EndpointSettings(**{"protocol": protocol, "url": url, **own, **pace, **changes})

    def respond(self, path: str, body: Any) -> Any:
        """What it says to a request."""
        if path == "/score":
            return {"results": [{"p": p, "model": "x"} for p in self._answers(body["rows"])]}
        if path == "/invocations":
            split = body["dataframe_split"]
            return {
                "predictions": self._answers([dict(zip(split["columns"], row, strict=True)) for row in split["data"]])
            }
        if path.endswith("/infer"):
            columns = {one["name"]: one["data"] for one in body["inputs"]}
            rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
            found = self._answers(rows)
            width = len(found[0]) if isinstance(found[0], list) else 1
            flat = [value for one in found for value in (one if isinstance(one, list) else [one])]
            output = {"name": "p", "datatype": "FP64", "shape": [len(found), width], "data": flat}
            return {"model_name": "income", "model_version": self.version, "outputs": [output]}
        return {"name": "income", "versions": [self.version], "platform": "test"}

    def _answers(self, rows: list[Row]) -> list[Any]:
        self.rows += len(rows)
        return [self.answer(row) for row in rows]


@contextmanager
def serving(server: ModelServer, certificate: Path | None = None) -> Iterator[ModelServer]:
    """The server, while it runs; over TLS with a file of its key and its certificate."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append((self.path, dict(self.headers)))
            fault = server.faults.pop(0) if server.faults else None
            if isinstance(fault, float):
                time.sleep(fault)
            if isinstance(fault, int):
                self._say(fault, b'{"error": "Bearer hush is no key"}')
            elif isinstance(fault, bytes):
                self._say(200, fault)
            elif fault == "drip":
                self._say(200, b"{" + b" " * 99, whole=False)
                for _ in range(50):
                    time.sleep(0.05)
                    self.wfile.write(b" ")
            else:
                self._say(200, json.dumps(server.respond(self.path, body)).encode())

        def do_GET(self) -> None:
            server.requests.append((self.path, dict(self.headers)))
            self._say(200, json.dumps(server.respond(self.path, None)).encode())

        def _say(self, status: int, content: bytes, *, whole: bool = True) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(content) if whole else 2 * len(content)))
            if 300 <= status < 400:
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            if server.retry_after:
                self.send_header("Retry-After", server.retry_after)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: Any) -> None:
            """Nobody listens any more: the client was told to be impatient."""

    with Quiet(("127.0.0.1", 0), Handler) as http:
        server.port = http.server_address[1]
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            http.socket = context.wrap_socket(http.socket, server_side=True)
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
