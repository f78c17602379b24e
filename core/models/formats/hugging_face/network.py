"""A text classifier of the transformers library with its parts laid open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.base.errors import Caveat, ModelError
from core.language.phrases import whole
from core.language.told import say
from core.text.network import AbstractTextNetwork
from core.text.tokeniser import Tokeniser
from core.text.tokens import Tokens

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel


@dataclass(frozen=True)
class TextReading:
    """How a network reads texts.

    Attributes:
        tokeniser: What makes tokens of them.
        longest: Tokens of a text that are read, special ones among them.
        keeps_end: Whether it was made to read the end of long texts. Here the beginning is read, so that texts that are
            too long are refused.
    """

    tokeniser: Tokeniser
    longest: int
    keeps_end: bool = False


class HuggingFaceNetwork(AbstractTextNetwork):
    """A transformer, frozen and in eval mode; padding changes no answer and gets no gradient.

    Word embeddings go in as the library's ``inputs_embeds``: positions, token types and normalisation come after them.
    A text that spells out the padding token itself has it at a position of its own; RoBERTa's kinds and MPNet, given
    numbers, would skip it.

    Args:
        body: The classifier with its last linear layer taken out, so that its logits are what that layer reads.
        head: The last linear layer as one of K >= 2 logits.
        reading: How it reads texts.
        classes: What the file calls the K outputs; empty where it does not say.
        caveats: What a reader of the result has to know of the file.

    Attributes:
        body: As given.
        reading: As given.
        tokeniser: That of ``reading``.
        caveats: As given.

    Raises:
        ModelError: The tokeniser has numbers beyond the embedding table, or adds no opening token.
    """

    def __init__(
        self,
        body: PreTrainedModel,
        head: torch.nn.Module,
        reading: TextReading,
        *,
        classes: tuple[str, ...],
        caveats: tuple[Caveat, ...] = (),
    ) -> None:
        tokeniser = reading.tokeniser
        self.body = body
        self.reading = reading
        self.tokeniser = tokeniser
        self.classes = classes
        self.caveats = caveats
        self.vocabulary = tokeniser.vocabulary
        self.unknown = tokeniser.unknown
        self._head = head
        table: Any = body.get_input_embeddings()
        self._embedding: torch.nn.Embedding = table
        self.width = self._embedding.embedding_dim
        self.pooled_width = int(next(head.parameters()).shape[1])
        if tokeniser.size > self._embedding.num_embeddings:
            raise ModelError(
                say(
                    "The tokeniser numbers its tokens up to {size} and the network has embeddings for {embeddings}.",
                    size=whole(tokeniser.size - 1),
                    embeddings=whole(self._embedding.num_embeddings),
                ),
                where=tokeniser.name,
                advice=say("Bring the tokeniser that the network was trained with."),
            )
        if not len(self.read([""])[0]):
            raise ModelError(
                say(
                    "The tokeniser adds no opening token such as [CLS], from which this kind of network takes its "
                    "answer."
                ),
                where=tokeniser.name,
                advice=say("Save the tokeniser again: AutoTokenizer.from_pretrained(folder).save_pretrained(folder)."),
            )

    def read(self, texts: Sequence[str]) -> tuple[Tokens, ...]:
        """The tokens of each text, cut to what the network reads; see the base class.

        Raises:
            ModelError: The tokeniser fails; or a text is too long for a network that reads the end of such texts.
        """
        longest = self.reading.longest
        tokens = self.tokeniser.read(texts, longest)
        if self.reading.keeps_end and any(one.read < len(text) for one, text in zip(tokens, texts, strict=True)):
            raise ModelError(
                say(
                    "The model reads the end of texts that are longer than {longest} tokens (truncation_side is left), "
                    "and here the beginning would be read. Its answers would be others than in use.",
                    longest=whole(longest),
                ),
                where=self.tokeniser.name,
                advice=say(
                    "Shorten the texts of the table to their ends, as the model reads them, or bring its answers as a "
                    "column."
                ),
            )
        return tokens

    def word_embeddings(self, ids: torch.Tensor) -> torch.Tensor:
        """Rows of the embedding table: (B, N) int64 -> (B, N, D)."""
        embedded: torch.Tensor = self._embedding(ids)
        return embedded

    def pooled(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """What the last linear layer reads: (B, N, D) and (B, N) bool, False on padding at the end -> (B, H)."""
        answer: torch.Tensor = self.body(inputs_embeds=embeddings, attention_mask=mask.long(), return_dict=True).logits
        return answer

    def head(self) -> torch.nn.Module:
        """The last linear layer: (B, H) -> logits (B, K); one logit z as [0, z]."""
        return self._head

    def parts(self) -> tuple[torch.nn.Module, ...]:
        """The body and the last layer."""
        return self.body, self._head
