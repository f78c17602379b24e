"""What a model file may say about itself: its classes and the preprocessing it was trained with."""

from typing import Literal, TypeVar

from pydantic import ValidationError

from core.base.errors import ModelError
from core.base.settings import Settings
from core.data.encoder import Encoder
from core.language.settings_words import what_is_wrong
from core.language.told import say

CARD_KEY = "evenhand"
"""The key of the card in the metadata of a safetensors or ONNX file; its value is the card as JSON."""

Activation = Literal["relu", "leaky relu", "elu", "gelu", "silu", "softplus", "tanh", "sigmoid", "identity"]
Output = Literal["logits", "single logit", "probability", "number"]
Description = TypeVar("Description", bound=Settings)


class NetworkCard(Settings):
    """A file's own description. Settings override it; what it leaves open is judged from weights and table.

    Attributes:
        classes: The outcome each output stands for, first output first; empty for a model that answers with a number.
        activation: The function between a perceptron's layers; an ONNX graph needs none.
        output: What a perceptron's last layer gives; an ONNX graph needs none, save "number" to say that its answer
            stands for no class.
        encoder: The preprocessing it was trained with.
    """

    classes: tuple[str, ...] = ()
    activation: Activation | None = None
    output: Output | None = None
    encoder: Encoder | None = None


def read_card(metadata: dict[str, str], name: str) -> NetworkCard:
    """The card in a file's metadata; an empty one where there is none.

    Raises:
        ModelError: There is one and it cannot be read.
    """
    text = metadata.get(CARD_KEY)
    if text is None:
        return NetworkCard()
    return read_description(
        NetworkCard,
        text,
        say("{name}, metadata {card_key}", name=name, card_key=repr(CARD_KEY)),
        say(
            "Write the file again with core.models.formats.safetensors.source.write_mlp, or leave the description out."
        ),
    )


def read_description(kind: type[Description], content: str | bytes, where: str, advice: str) -> Description:
    """What a file says of its network, in JSON.

    Args:
        kind: What may be said, and within which limits.
        content: The JSON.
        where: How errors name it.
        advice: What to do if it cannot be read.

    Raises:
        ModelError: It is no JSON of this kind.
    """
    try:
        return kind.model_validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ModelError(
            say("The file's own description of the network cannot be read: {first}.", first=what_is_wrong(first)),
            where=f"{where}, {place[:80]}" if place else where,
            advice=advice,
        ) from error
