"""The table of protocols. A new one adds its module and its line here; none of them opens a connection."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.models.endpoint.protocols import mlflow, open_inference, plain
from core.models.endpoint.rows import Reply, Rows
from core.models.endpoint.settings import EndpointSettings, Protocol


@dataclass(frozen=True)
class Codec:
    """How rows are written and answers are read.

    Attributes:
        request: The path behind the server's name and what is posted there, for some rows.
        reply: The answers in what came back for so many rows; raises a ModelError that says what is wrong with it.
        about: The path that tells of the model; None where there is none.
        version_in: What lies there says of the model's versions, as text.
    """

    request: Callable[[EndpointSettings, Rows], tuple[str, bytes]]
    reply: Callable[[EndpointSettings, bytes, int], Reply]
    about: Callable[[EndpointSettings], str] | None = None
    version_in: Callable[[bytes], str] = str


PROTOCOLS: Mapping[Protocol, Codec] = {
    "open inference": Codec(
        open_inference.request, open_inference.reply, open_inference.about, open_inference.version_in
    ),
    "mlflow": Codec(mlflow.request, mlflow.reply),
    "plain": Codec(plain.request, plain.reply),
}
