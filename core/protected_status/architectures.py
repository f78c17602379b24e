"""Networks that a protected status model may be: a small one of its own, or the audited model's layers."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.base.errors import DataError
from core.language.phrases import whole
from core.language.told import say
from core.models.formats.lstm.network import LstmCard, LstmNetwork
from core.protected_status.settings import Architecture
from core.protected_status.training import Recipe
from core.text.network import AbstractTextNetwork

if TYPE_CHECKING:
    import torch

    from core.models.formats.hugging_face.network import HuggingFaceNetwork

EMBEDDING = 32
HIDDEN = 32
"""Widths of the small network: word embeddings, and the recurrent layer in each direction."""

LONGEST = 4096
"""Tokens of a text that the small network reads at most."""

_SAME = say("The audited model's layers, its word embeddings kept")
_HEAD_SPREAD = 0.02
_STEP = 0.02
"""Learning rate of a transformer times its width: 2.6e-5 at BERT's 768, as Devlin et al. (2019) fine-tune."""

_MOST_GROUPS = 100
_LONGEST_GROUP = 200


@dataclass(frozen=True)
class Untrained:
    """A network about to be trained.

    Attributes:
        network: The network.
        module: Everything in it that has weights; those to be trained want gradients.
        recipe: How to train it.
        name: What people call it ("Small recurrent network").
    """

    network: AbstractTextNetwork
    module: torch.nn.Module
    recipe: Recipe
    name: str


def untrained(
    architecture: Architecture, model: AbstractTextNetwork, groups: tuple[str, ...], recipe: Recipe, seed: int
) -> Untrained:
    """A network that reads the tokens of ``model`` and has an output for each group.

    Args:
        architecture: "small" or "as the model".
        model: The audited network; it is not touched.
        groups: What the outputs stand for.
        recipe: How it is to be trained; a transformer takes smaller steps.
        seed: Seed of the weights that are drawn.

    Raises:
        DataError: There are more groups than a network may have outputs, or a group's name is too long.
    """
    if len(groups) > _MOST_GROUPS or max(map(len, groups)) > _LONGEST_GROUP:
        raise DataError(
            say(
                "The protected attribute has {groups} groups, the longest name with {characters} characters; at most "
                "{most} groups and {longest} characters can be learned.",
                groups=whole(len(groups)),
                characters=whole(max(map(len, groups))),
                most=_MOST_GROUPS,
                longest=_LONGEST_GROUP,
            ),
            where=say("protected status model"),
            advice=say("Merge or rename groups, choose another attribute, or use word lists only."),
        )
    from core.models.formats.hugging_face.network import HuggingFaceNetwork

    if not isinstance(model, LstmNetwork | HuggingFaceNetwork):
        raise TypeError(f"{type(model).__name__} cannot lend its tokeniser")
    if architecture == "small":
        return _small(model, groups, recipe, seed)
    if isinstance(model, LstmNetwork):
        return _same_lstm(model, groups, recipe, seed)
    return _same_transformer(model, groups, recipe, seed)


def _small(model: LstmNetwork | HuggingFaceNetwork, groups: tuple[str, ...], recipe: Recipe, seed: int) -> Untrained:
    card = LstmCard(
        vocabulary=model.tokeniser.size,
        embedding=EMBEDDING,
        hidden=HIDDEN,
        directions=2,
        pooling="max",
        classes=groups,
        longest=min(_longest(model), LONGEST),
    )
    network = LstmNetwork.fresh(card, model.tokeniser, _generator(seed))
    network.module.requires_grad_(True)
    return Untrained(network, network.module, recipe, say("Small recurrent network"))


def _same_lstm(model: LstmNetwork, groups: tuple[str, ...], recipe: Recipe, seed: int) -> Untrained:
    card = LstmCard(**(model.card.model_dump() | {"classes": groups, "about": ""}))
    drawn = LstmNetwork.fresh(card, model.tokeniser, _generator(seed)).module.state_dict()
    kept = {name: value.clone() for name, value in model.module.state_dict().items() if not name.startswith("head.")}
    network = LstmNetwork(card, model.tokeniser, drawn | kept)
    network.module.requires_grad_(True)
    network.module["embedding"].requires_grad_(False)
    return Untrained(network, network.module, recipe, _SAME)


def _same_transformer(model: HuggingFaceNetwork, groups: tuple[str, ...], recipe: Recipe, seed: int) -> Untrained:
    import torch

    from core.models.formats.hugging_face.network import HuggingFaceNetwork

    body = copy.deepcopy(model.body).requires_grad_(True)
    head = torch.nn.Linear(model.pooled_width, len(groups))
    with torch.no_grad():
        head.weight.normal_(std=_HEAD_SPREAD, generator=_generator(seed))
        head.bias.zero_()
    network = HuggingFaceNetwork(body, head, replace(model.reading, keeps_end=False), classes=groups)
    body.get_input_embeddings().requires_grad_(False)
    recipe = recipe.model_copy(update={"learning_rate": _STEP / model.width, "patience": 3, "left_out": 0.0})
    return Untrained(network, torch.nn.ModuleDict({"body": body, "head": head}), recipe, _SAME)


def _longest(model: LstmNetwork | HuggingFaceNetwork) -> int:
    return model.card.longest if isinstance(model, LstmNetwork) else model.reading.longest


def _generator(seed: int) -> torch.Generator:
    import torch

    return torch.Generator().manual_seed(seed)
