"""The Open Inference Protocol v2 (https://github.com/kserve/open-inference-protocol), over HTTP."""

import json
import math
from typing import Any
from urllib.parse import quote

from core.base.errors import ModelError
from core.language.phrases import listed, quoted
from core.language.told import say, say_count
from core.models.endpoint.rows import LARGEST_WHOLE, Cell, Reply, Rows, answers_of, is_number, parse
from core.models.endpoint.settings import EndpointSettings

_MOST_SIZES = 8
"""Of a shape; a product of thousands would take long."""


def request(endpoint: EndpointSettings, rows: Rows) -> tuple[str, bytes]:
    """Columns as inputs of shape [n, 1] with MLServer's mark for tables, or one matrix of shape [n, d]."""
    body: dict[str, Any]
    if endpoint.rows_as == "matrix":
        body = {"inputs": [_matrix(endpoint, rows)]}
    else:
        inputs = [_column(name, rows.column(place)) for place, name in enumerate(rows.names)]
        body = {"parameters": {"content_type": "pd"}, "inputs": inputs}
    if endpoint.answer:
        body["outputs"] = [{"name": endpoint.answer}]
    return f"{about(endpoint)}/infer", json.dumps(body).encode()


def reply(endpoint: EndpointSettings, content: bytes, asked: int) -> Reply:
    """The output that is named in the settings, or the only one.

    Raises:
        ModelError: There is no such output, or its shape, type and data do not fit each other or the rows.
    """
    where = endpoint.called
    told = parse(content, where)
    outputs = told.get("outputs") if isinstance(told, dict) else None
    if not isinstance(outputs, list) or not all(isinstance(one, dict) for one in outputs):
        raise ModelError(
            say("The answer does not follow the Open Inference Protocol: it has no outputs."),
            where=where,
            advice=say("Check the address, or choose another way to ask."),
        )
    named = {str(one.get("name")): one for one in outputs}
    if endpoint.answer not in named and (endpoint.answer or len(named) != 1):
        raise ModelError(
            say("The model has no output {answer}.", answer=quoted(endpoint.answer))
            if endpoint.answer
            else say("The model has {named} outputs, so one of them has to be chosen.", named=len(named)),
            where=f"{where}: {', '.join(list(named)[:8])}",
            advice=say("Name the output that holds the answer."),
        )
    version = told.get("model_version")
    output = named.get(endpoint.answer) or next(iter(named.values()))
    answers = answers_of(_unfolded(output, asked, where), asked, where)
    return Reply(answers, version if isinstance(version, str) else "")


def about(endpoint: EndpointSettings) -> str:
    """The model's own path."""
    version = f"/versions/{quote(endpoint.version, safe='')}" if endpoint.version else ""
    return f"{endpoint.path}/v2/models/{quote(endpoint.model, safe='')}{version}"


def version_in(content: bytes) -> str:
    """The versions that the server has of the model."""
    told = parse(content, say("the server's description of the model"))
    versions = told.get("versions") if isinstance(told, dict) else None
    return ", ".join(map(str, versions[:20])) if isinstance(versions, list) else ""


def _matrix(endpoint: EndpointSettings, rows: Rows) -> dict[str, Any]:
    texts = [name for place, name in enumerate(rows.names) if not all(map(is_number, rows.column(place)))]
    if texts:
        raise ModelError(
            say_count(
                "{columns} holds no numbers, so the rows are no matrix of numbers.",
                "{columns} hold no numbers, so the rows are no matrix of numbers.",
                len(texts),
                columns=listed([quoted(name) for name in texts[:3]]),
            ),
            where=endpoint.called,
            advice=say("Send an input for each column, or take columns of text out of the features."),
        )
    data = [float(cell) for row in rows.cells for cell in row]
    shape = [len(rows), len(rows.names)]
    return {"name": endpoint.input_name, "datatype": endpoint.datatype, "shape": shape, "data": data}


def _column(name: str, cells: tuple[Cell, ...]) -> dict[str, Any]:
    if all(isinstance(cell, bool) for cell in cells):
        kind, data = "BOOL", list(cells)
    elif all(isinstance(cell, int) and abs(cell) <= LARGEST_WHOLE for cell in cells):
        kind, data = "INT64", [int(cell) for cell in cells]
    elif all(map(is_number, cells)):
        kind, data = "FP64", [float(cell) for cell in cells]
    else:
        kind, data = "BYTES", [str(cell) for cell in cells]
    return {
        "name": name,
        "datatype": kind,
        "shape": [len(cells), 1],
        "data": data,
        "parameters": {"content_type": "str" if kind == "BYTES" else "np"},
    }


def _unfolded(output: dict[str, Any], asked: int, where: str) -> list[Any]:
    """The data of an output, one entry a row: a value, or as many as its shape says."""
    shape, data = output.get("shape"), _flat(output.get("data"))
    listed_sizes = shape if isinstance(shape, list) and len(shape) <= _MOST_SIZES else []
    sizes = [n for n in listed_sizes if isinstance(n, int)]
    if not data or sizes != shape or sizes[:1] != [asked] or math.prod(sizes) != len(data):
        raise ModelError(
            say(
                "The server was sent {asked} rows and returned {values} values of shape {shape}.",
                asked=asked,
                values=len(data),
                shape=f"{shape!r:.80}",
            ),
            where=say("{where}, output {name}", where=where, name=quoted(str(output.get("name")))),
            advice=say("Name the output that holds one answer for each row."),
        )
    width = math.prod(sizes[1:])
    return [data[start : start + width] for start in range(0, len(data), width)]


def _flat(data: Any, depth: int = 4) -> list[Any]:
    """The values of a list of values or of lists of them, in order; of anything else, or of deeper ones, none."""
    if not isinstance(data, list) or depth == 0:
        return []
    nested = any(isinstance(one, list) for one in data)
    return [value for one in data for value in _flat(one, depth - 1)] if nested else data
