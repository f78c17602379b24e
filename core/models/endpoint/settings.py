"""Where a model is asked, in which protocol, and how patiently."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import ValidationError, field_validator

from core.base.settings import SECRETS, Settings, setting
from core.language.told import say

Protocol = Literal["open inference", "mlflow", "plain"]

_HOW = ("batch_rows", "requests_per_second", "seconds", "minutes", "retries", "secret", "secret_header")
"""Fields that do not change what is answered."""
_OUR_HEADERS = (
    *("accept", "accept-encoding", "connection", "content-length", "content-type", "host", "transfer-encoding"),
    *("expect", "te", "trailer", "upgrade"),
)


class FieldName(Settings):
    """A column of the table and the name under which the model reads it."""

    column: str = setting(label=say("Column"), help=say("The column of the table."), min_length=1)
    field: str = setting(label=say("Field"), help=say("The name under which the model reads it."), min_length=1)


class EndpointSettings(Settings):
    """A model that answers over HTTP."""

    protocol: Protocol = setting(
        "open inference",
        label=say("Protocol"),
        help=say(
            "Open Inference Protocol v2 is spoken by KServe, MLServer and Triton; /invocations by MLflow. "
            "Anything else that takes rows as JSON: plain."
        ),
        names={
            "open inference": say("Open Inference Protocol v2 (KServe, MLServer, Triton)"),
            "mlflow": "MLflow /invocations",
            "plain": say("Plain JSON"),
        },
    )
    url: str = setting(
        label=say("Address"),
        help=say(
            "Where the server is, without the path that the protocol adds (https://models.example.org). For "
            "plain JSON the whole address. No password and nothing behind a question mark: a secret is named "
            "below."
        ),
        max_length=2000,
    )
    model: str = setting("", label=say("Model name"), help=say("Under which name the server knows it."), max_length=200)
    version: str = setting(
        "",
        label=say("Model version"),
        help=say("Which version is asked."),
        empty=say("the server's choice"),
        max_length=200,
    )
    rows_as: Literal["columns", "matrix"] = setting(
        "columns",
        label=say("Rows are sent as"),
        help=say(
            "An input for each column, with its name, as pipelines read them; or one matrix of numbers, as "
            "networks do, which needs columns of numbers."
        ),
        names={"columns": say("An input for each column"), "matrix": say("One matrix of numbers")},
    )
    input_name: str = setting(
        "input-0", label=say("Name of the matrix"), help=say("What the server calls it."), max_length=200
    )
    datatype: Literal["FP64", "FP32"] = setting(
        "FP64", label=say("Numbers of the matrix"), help=say("64 or 32 bits, as the model was made.")
    )
    rows_field: str = setting(
        "rows",
        label=say("Field for the rows"),
        help=say("The field of the request that holds the list of rows."),
        empty=say("the request is the list itself"),
        max_length=200,
    )
    fields: tuple[FieldName, ...] = setting(
        (), label=say("Other names"), help=say("Columns that the model knows under another name."), max_length=2000
    )
    answer: str = setting(
        "",
        label=say("Answer field or output"),
        help=say(
            "Open Inference: the name of the output (predict_proba). MLflow: the field of a row's "
            "prediction, where it has fields. Plain JSON: the way to it, with * for the rows "
            "(results.*.probability)."
        ),
        empty=say("the only one"),
        max_length=500,
    )
    batch_rows: int = setting(200, label=say("Rows in a request"), help=say("At most so many."), ge=1, le=10_000)
    requests_per_second: float = setting(
        20.0,
        label=say("Requests a second"),
        help=say("Never more, so that the server can serve others."),
        gt=0,
        le=1000,
    )
    seconds: float = setting(
        30.0,
        label=say("Longest wait for a request"),
        help=say("Then it counts as not answered."),
        unit="s",
        gt=0,
        le=600,
    )
    minutes: float = setting(
        60.0,
        label=say("Longest wait for all"),
        help=say("All requests of one run together."),
        unit=say("minutes"),
        gt=0,
        le=360,
    )
    retries: int = setting(
        4,
        label=say("Retries"),
        help=say(
            "How often a request is sent again that was answered too late, with 429 (too many requests) or "
            "with an error of the server."
        ),
        ge=0,
        le=20,
    )
    secret: str = setting(
        "",
        label=say("Name of the secret"),
        help=say(
            "The name of the environment variable of this server that holds it, beginning with {secrets}. "
            "Never the secret itself, which stands in no record, log or error.",
            secrets=SECRETS,
        ),
        empty=say("none"),
        pattern=rf"^({SECRETS}[A-Z0-9_]{{1,80}})?$",
    )
    secret_header: str = setting(
        "Authorization",
        label=say("Header for the secret"),
        help=say("Where the secret is sent, as it stands in the variable (“Bearer …”)."),
        pattern=r"^[A-Za-z0-9-]{1,80}$",
    )
    asked_as_of: str = setting(
        "",
        label=say("Answers as of"),
        help=say(
            "Answers are saved under this mark, so that repeating an audit does not contact the server. With "
            "another mark the model is asked again."
        ),
        empty=say("no mark"),
        max_length=40,
    )

    @field_validator("url")
    @classmethod
    def _plain_address(cls, url: str) -> str:
        try:
            parts = urlsplit(url.strip())
            port = parts.port
        except ValueError as error:
            raise ValueError(
                say("the address is none; it begins with https:// or http://, then the server's name")
            ) from error
        if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
            raise ValueError(say("the address is none; it begins with https:// or http://, then the server's name"))
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ValueError(
                say(
                    "the address may hold no password and nothing behind ? or #; name the variable that holds the "
                    "secret"
                )
            )
        if any(not character.isprintable() or character.isspace() for character in url.strip()):
            raise ValueError(say("the address holds a blank or a character that cannot be printed"))
        return url.strip().rstrip("/")

    @field_validator("secret_header")
    @classmethod
    def _header_of_its_own(cls, header: str) -> str:
        if header.lower() in _OUR_HEADERS:
            raise ValueError(
                say("the header {header} says something else to a server; a secret needs one of its own", header=header)
            )
        return header

    @property
    def host(self) -> str:
        """The server's name or number, lower case."""
        return (urlsplit(self.url).hostname or "").lower()

    @property
    def port(self) -> int:
        """The server's port; 443 or 80 where the address names none."""
        parts = urlsplit(self.url)
        return parts.port or (443 if parts.scheme == "https" else 80)

    @property
    def path(self) -> str:
        """The address behind the server's name, without a slash at its end."""
        return urlsplit(self.url).path.rstrip("/")

    @property
    def encrypted(self) -> bool:
        """Whether it is asked over TLS."""
        return urlsplit(self.url).scheme == "https"

    @property
    def identity(self) -> str:
        """SHA-256 (hex) of what decides the answers, under which they are kept; not of patience, pace or secrets."""
        deciding = {name: value for name, value in self.model_dump(mode="json").items() if name not in _HOW}
        return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()

    @property
    def called(self) -> str:
        """What people call the model."""
        return " version ".join(filter(None, (self.model, self.version))) or f"{self.host}{self.path}"


def endpoints_in(tree: Any) -> Iterator[EndpointSettings]:
    """Every endpoint that a JSON tree names."""
    if isinstance(tree, dict):
        if tree.keys() == EndpointSettings.model_fields.keys():
            with suppress(ValidationError):
                yield EndpointSettings.model_validate(tree)
        tree = list(tree.values())
    if isinstance(tree, list | tuple):
        for one in tree:
            yield from endpoints_in(one)
