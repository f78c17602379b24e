"""A recurrent text classifier and its file: word embeddings, LSTM layers, pooling, one linear layer.

The file is a zip of ``lstm.json`` (:class:`LstmCard`), ``tokenizer.json`` and ``model.safetensors``. The tensors have
the names of torch's own layers: ``embedding.weight``, ``lstm.weight_ih_l0``, ..., ``head.weight``, ``head.bias``.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, model_validator

from core.base.errors import ModelError
from core.base.settings import Settings
from core.language.phrases import whole
from core.language.told import say
from core.text.network import AbstractTextNetwork
from core.text.tokeniser import Tokeniser
from core.text.tokens import Tokens

if TYPE_CHECKING:
    import torch

CARD_NAME = "lstm.json"
TOKENISER_NAME = "tokenizer.json"
WEIGHTS_NAME = "model.safetensors"
MAXIMUM_PARAMETERS = 100_000_000
_NO_DATE = (1980, 1, 1, 0, 0, 0)

Pooling = Literal["last", "mean", "max"]


class LstmCard(Settings):
    """What ``lstm.json`` says; the shape of every tensor follows from it.

    Attributes:
        format: Always "evenhand text lstm".
        version: Version of this format.
        vocabulary: Rows of the embedding table V; the tokeniser's numbers lie below it.
        embedding: Numbers a word embedding D.
        hidden: Width of a layer in one direction.
        layers: Layers one above the other.
        directions: 1: forwards only; 2: forwards and backwards.
        pooling: What the last linear layer reads of the topmost layer: the state after the last token of each
            direction, or the mean or the maximum over the tokens.
        classes: What the outputs stand for, first output first.
        longest: Tokens of a text that are read at most, special ones among them.
        about: How it was trained, in a few sentences; may be empty.
    """

    format: Literal["evenhand text lstm"] = "evenhand text lstm"
    version: Literal[1] = 1
    vocabulary: int = Field(ge=1, le=1_000_000)
    embedding: int = Field(ge=1, le=4096)
    hidden: int = Field(ge=1, le=4096)
    layers: int = Field(default=1, ge=1, le=8)
    directions: Literal[1, 2] = 1
    pooling: Pooling = "last"
    classes: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] = Field(min_length=2, max_length=100)
    longest: int = Field(default=256, ge=1, le=4096)
    about: str = Field(default="", max_length=4000)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(set(self.classes)) < len(self.classes):
            raise ValueError("a class is named twice")
        if self.parameters > MAXIMUM_PARAMETERS:
            raise ValueError(f"{self.parameters:,} weights; at most {MAXIMUM_PARAMETERS:,} are read")
        return self

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of every tensor."""
        shapes: dict[str, tuple[int, ...]] = {"embedding.weight": (self.vocabulary, self.embedding)}
        for layer in range(self.layers):
            reads = self.embedding if layer == 0 else self.pooled_width
            for suffix in ("", "_reverse")[: self.directions]:
                shapes[f"lstm.weight_ih_l{layer}{suffix}"] = (4 * self.hidden, reads)
                shapes[f"lstm.weight_hh_l{layer}{suffix}"] = (4 * self.hidden, self.hidden)
                shapes[f"lstm.bias_ih_l{layer}{suffix}"] = (4 * self.hidden,)
                shapes[f"lstm.bias_hh_l{layer}{suffix}"] = (4 * self.hidden,)
        return shapes | {
            "head.weight": (len(self.classes), self.pooled_width),
            "head.bias": (len(self.classes),),
        }

    @property
    def parameters(self) -> int:
        """How many weights these are."""
        return sum(map(math.prod, self.shapes.values()))

    @property
    def pooled_width(self) -> int:
        """H: the hidden width of all directions together."""
        return self.directions * self.hidden


class LstmNetwork(AbstractTextNetwork):
    """A recurrent classifier, frozen and in eval mode; padding changes no answer and gets no gradient.

    A text without tokens has the pooled embedding 0.

    Args:
        card: Its description.
        tokeniser: How it reads texts.
        weights: Its tensors, named and shaped as ``card.shapes`` says; they are kept, not copied.

    Attributes:
        card: As given.
        tokeniser: As given.
        module: The layers ``embedding``, ``lstm`` and ``head``; for training, thaw them and freeze them again.

    Raises:
        ModelError: The tokeniser has numbers beyond the embedding table, or a text has no room beside its closing
            tokens.
    """

    def __init__(self, card: LstmCard, tokeniser: Tokeniser, weights: dict[str, torch.Tensor]) -> None:
        import torch
        from torch import nn

        if tokeniser.size > card.vocabulary:
            raise ModelError(
                say(
                    "The tokeniser numbers its tokens up to {size} and the network has embeddings for {vocabulary}.",
                    size=whole(tokeniser.size - 1),
                    vocabulary=whole(card.vocabulary),
                ),
                where=tokeniser.name,
                advice=say("Bring the tokeniser that the network was trained with."),
            )
        self.card = card
        self.tokeniser = tokeniser
        self.vocabulary = tokeniser.vocabulary
        self.unknown = tokeniser.unknown
        self.width = card.embedding
        self.pooled_width = card.pooled_width
        self.classes = card.classes
        # drawing its numbers there would import for a second
        embeddings = torch.empty((card.vocabulary, card.embedding), device="meta")
        self.module = nn.ModuleDict(
            {
                "embedding": nn.Embedding.from_pretrained(embeddings),  # type: ignore[no-untyped-call]
                "lstm": nn.LSTM(
                    card.embedding,
                    card.hidden,
                    card.layers,
                    batch_first=True,
                    bidirectional=card.directions == 2,
                    device="meta",
                ),
                "head": nn.Linear(card.pooled_width, len(card.classes), device="meta"),
            }
        )
        self.module.load_state_dict(weights, assign=True)
        self.module.eval().requires_grad_(False)
        self.read([""], card.longest)

    @classmethod
    def fresh(cls, card: LstmCard, tokeniser: Tokeniser, generator: torch.Generator) -> LstmNetwork:
        """A network that has learned nothing.

        Embeddings are drawn from a normal law with standard deviation 0.1, every other weight uniformly from
        ±1/√(width it reads), as torch does; the forget gates begin open (bias 1; Jozefowicz et al., 2015, 2.2).

        Args:
            card: Its description.
            tokeniser: How it reads texts.
            generator: Every random number comes from it.

        Raises:
            ModelError: As the class.
        """
        import torch

        weights = {}
        for name, shape in card.shapes.items():
            if name == "embedding.weight":
                weights[name] = 0.1 * torch.randn(shape, generator=generator)
                continue
            reads = card.hidden if name.startswith("lstm") else card.pooled_width
            weights[name] = (2 * torch.rand(shape, generator=generator) - 1) / reads**0.5
            if "bias_ih" in name:
                weights[name][card.hidden : 2 * card.hidden] = 1.0
        return cls(card, tokeniser, weights)

    def read(self, texts: Sequence[str], longest: int | None = None) -> tuple[Tokens, ...]:
        """The tokens of each text, cut to what the network reads; see the base class."""
        return self.tokeniser.read(texts, self.card.longest if longest is None else longest)

    def word_embeddings(self, ids: torch.Tensor) -> torch.Tensor:
        """Rows of the embedding table: (B, N) int64 -> (B, N, D)."""
        embedded: torch.Tensor = self.module["embedding"](ids)
        return embedded

    def pooled(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """What the last linear layer reads: (B, N, D) and (B, N) bool, False on padding at the end -> (B, H)."""
        import torch

        if not embeddings.shape[1]:
            return embeddings.new_zeros(len(embeddings), self.pooled_width)
        lengths = mask.sum(dim=1)
        empty = (lengths == 0)[:, None]
        states, last = self._states(embeddings, lengths)
        if self.card.pooling == "last":
            pooled = last
        elif self.card.pooling == "mean":
            pooled = (states * mask[:, :, None]).sum(dim=1) / lengths.clamp(min=1)[:, None]
        else:
            pooled = states.masked_fill(~mask[:, :, None], -torch.inf).amax(dim=1)
        return torch.where(empty, torch.zeros_like(pooled), pooled)

    def _states(self, embeddings: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The topmost layer's states at every token (B, N, H), and its directions' last states side by side (B, H)."""
        from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

        lstm, count = self.module["lstm"], embeddings.shape[1]
        if bool((lengths == count).all()):
            states, (last, _) = lstm(embeddings)
        else:
            packed = pack_padded_sequence(
                embeddings, lengths.clamp(min=1).cpu(), batch_first=True, enforce_sorted=False
            )
            answer, (last, _) = lstm(packed)
            states, _ = pad_packed_sequence(answer, batch_first=True, total_length=count)
        return states, last[-self.card.directions :].transpose(0, 1).flatten(1)

    def head(self) -> torch.nn.Module:
        """The last linear layer: (B, H) -> logits (B, K)."""
        return self.module["head"]

    def parts(self) -> tuple[torch.nn.Module, ...]:
        """All layers."""
        return (self.module,)


def write_archive(network: LstmNetwork, about: str | None = None) -> bytes:
    """The network as the bytes of a zip that :func:`core.models.formats.lstm.source.read_archive` reads; the same
    network gives the same bytes.

    Args:
        network: The network.
        about: How it was trained; what its card says if None.
    """
    import torch
    from safetensors.torch import save

    card = network.card if about is None else LstmCard(**(network.card.model_dump() | {"about": about}))
    weights = {
        name: value.detach().to("cpu", torch.float32).contiguous()
        for name, value in network.module.state_dict().items()
    }
    files = {
        CARD_NAME: json.dumps(card.model_dump(mode="json"), indent=1, sort_keys=True).encode(),
        TOKENISER_NAME: network.tokeniser.content,
        WEIGHTS_NAME: save(weights),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _NO_DATE)
            entry.external_attr = 0o100644 << 16
            entry.create_system = 3
            archive.writestr(entry, content)
    return stream.getvalue()
