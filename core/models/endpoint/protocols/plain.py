"""A server of one's own: a list of rows with fields goes in as JSON, and a path says where the answers lie."""

import json
from typing import Any

from core.base.errors import ModelError
from core.language.phrases import quoted
from core.language.told import say
from core.models.endpoint.rows import Reply, Rows, answers_of, parse
from core.models.endpoint.settings import EndpointSettings


def request(endpoint: EndpointSettings, rows: Rows) -> tuple[str, bytes]:
    """A list with one object a row, under the field that the settings name, if any."""
    listed = [dict(zip(rows.names, row, strict=True)) for row in rows.cells]
    return endpoint.path or "/", json.dumps({endpoint.rows_field: listed} if endpoint.rows_field else listed).encode()


def reply(endpoint: EndpointSettings, content: bytes, asked: int) -> Reply:
    """What lies at the end of the path.

    Raises:
        ModelError: The path leads nowhere, or what lies there does not fit the rows.
    """
    found = inside(
        parse(content, endpoint.called), endpoint.answer.split(".") if endpoint.answer else [], endpoint.called
    )
    return Reply(answers_of(found, asked, endpoint.called))


def inside(told: Any, path: list[str], where: str) -> Any:
    """What lies at the end of a path in a JSON document.

    Args:
        told: The document.
        path: Names of fields, or positions in lists; ``*`` stands for every entry of a list.
        where: How errors name the model.

    Raises:
        ModelError: A step leads nowhere.
    """
    for place, step in enumerate(path):
        if step == "*" and isinstance(told, list):
            return [inside(one, path[place + 1 :], where) for one in told]
        if isinstance(told, dict) and step in told:
            told = told[step]
        elif isinstance(told, list) and step.isdecimal() and int(step) < len(told):
            told = told[int(step)]
        else:
            place_of_it = f"{where}, {'.'.join(path)}"
            raise ModelError(
                say("The answer has no {step} where the path to it says so.", step=quoted(step)),
                where=say("{where}; there is {names}", where=place_of_it, names=", ".join(map(quoted, list(told)[:8])))
                if isinstance(told, dict) and told
                else place_of_it,
                advice=say("Correct the path to the answer."),
            )
    return told
