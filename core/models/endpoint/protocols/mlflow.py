"""MLflow's scoring server (https://mlflow.org/docs/latest/ml/deployment/deploy-model-locally): ``/invocations``."""

import json

from core.base.errors import ModelError
from core.language.told import say
from core.models.endpoint.protocols.plain import inside
from core.models.endpoint.rows import Reply, Rows, answers_of, parse
from core.models.endpoint.settings import EndpointSettings


def request(endpoint: EndpointSettings, rows: Rows) -> tuple[str, bytes]:
    """The rows as pandas splits a table: names and rows of values."""
    body = {"dataframe_split": {"columns": rows.names, "data": rows.cells}}
    return f"{endpoint.path}/invocations", json.dumps(body).encode()


def reply(endpoint: EndpointSettings, content: bytes, asked: int) -> Reply:
    """The predictions: a value or a list of them for each row, or fields of which one is the answer.

    Raises:
        ModelError: There are no predictions, or they do not fit the rows.
    """
    told = parse(content, endpoint.called)
    if not isinstance(told, dict) or "predictions" not in told:
        raise ModelError(
            say("The answer is none of MLflow: it has no predictions."),
            where=endpoint.called,
            advice=say("Check the address, or choose another way to ask."),
        )
    path = ["predictions", "*", *filter(None, endpoint.answer.split("."))]
    return Reply(answers_of(inside(told, path, endpoint.called), asked, endpoint.called))
