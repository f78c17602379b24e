"""A text classifier as a model that can be audited: its texts become the embedding its last layer reads."""

from __future__ import annotations

import copy
import hashlib
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.base.errors import Caveat, ModelError
from core.base.files import FileStore
from core.contracts.model import AbstractModel, AbstractModelSource, Origin
from core.data.cells import as_text
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.encoder import CoordinateColumn, Encoder
from core.language.options import where_chosen
from core.language.phrases import count, share_text, whole
from core.language.told import say
from core.models.checked import class_order, model_fingerprint
from core.models.module import probabilities
from core.text import words
from core.text.data import EncodedTexts
from core.text.network import AbstractTextNetwork, computing_with
from core.text.tokens import Tokens, batches, padded

if TYPE_CHECKING:
    import torch

TOKENS_AT_ONCE = 8192
"""Tokens computed in one go, padding among them, so that memory does not grow with the table."""
_TEXTS_AT_ONCE = 2000
_UNKNOWN_SHARE = 0.2


class TextModel(AbstractModel):
    """A network that reads one text column.

    To audits that work on rows of numbers it is its last layer, which reads the pooled embedding (``encoder`` names
    its coordinates); audits that look into texts take :attr:`network`.

    Args:
        network: The network.
        text: Name of the column it reads.
        classes: The outcome each output stands for, length K >= 2.
        name: What people call the model.
        origin: Where it comes from.
    """

    def __init__(
        self, network: AbstractTextNetwork, text: str, classes: tuple[str, ...], name: str, origin: Origin
    ) -> None:
        self.network = network
        self.text = text
        self.classes = classes
        self.name = name
        self.kind = origin.kind
        self.fingerprint = origin.fingerprint
        self.caveats = origin.caveats
        self.gives = "logits"
        self.encoder = _coordinates(network)
        self._known: dict[str, np.ndarray] = {}

    @property
    def reads(self) -> tuple[str, ...]:
        """The text column."""
        return (self.text,)

    def encode(self, dataset: Dataset) -> EncodedTexts:
        """The pooled embedding of every text; what was remembered of them is forgotten then.

        Raises:
            DataError: An outcome is none of the classes.
            ModelError: The tokeniser or the network fails on a text.
        """
        encoded = self.unanswered(dataset)
        encoded = replace(encoded, x=self.embed(encoded.texts))
        self._known.clear()
        return encoded

    def unanswered(self, dataset: Dataset) -> EncodedTexts:
        """The texts without their embedding, which is NaN: see the base class."""
        return EncodedTexts(
            dataset=dataset,
            encoder=self.encoder,
            x=np.broadcast_to(np.nan, (len(dataset), self.network.pooled_width)),
            y=dataset.label_codes(self.classes),
            classes=self.classes,
            embed=self.embed,
        )

    def remember(self, text: str, pooled: np.ndarray) -> None:
        """Keep the pooled embedding of a text, shape (H,), that was computed on the way to something else."""
        self._known[text] = pooled

    @contextmanager
    def knowing_nothing(self) -> Iterator[None]:
        """Within this block nothing is remembered from before, and after it nothing from within."""
        before, self._known = self._known, {}
        try:
            yield
        finally:
            self._known = before

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """The pooled embedding of m texts, shape (m, H), float64; texts of like length are computed together.

        Those that are remembered are not computed again.
        """
        import torch

        found = np.empty((len(texts), self.network.pooled_width))
        new = np.array([place for place, text in enumerate(texts) if text not in self._known], dtype=np.int64)
        for place, text in enumerate(texts):
            if text in self._known:
                found[place] = self._known[text]
        for first in range(0, len(new), _TEXTS_AT_ONCE):
            places = new[first : first + _TEXTS_AT_ONCE]
            tokens = self.network.read([texts[place] for place in places])
            for rows in batches(tokens, TOKENS_AT_ONCE):
                with torch.no_grad(), computing_with(self.network):
                    ids, mask = padded([tokens[row] for row in rows], self.network.device)
                    pooled = self.network.pooled(self.network.word_embeddings(ids), mask)
                found[places[rows]] = pooled.cpu().double().numpy()
        return found

    def answers(self, data: EncodedDataset) -> np.ndarray:
        """Softmax of the last layer's logits, shape (n, K), float64."""
        return probabilities(self.module(), data.x, len(self.classes))

    def module(self) -> torch.nn.Module:
        """The last layer, frozen, on the processor: (n, H) -> logits (n, K); one logit z as [0, z]."""
        from core.models.layers import two_logits

        head = self.network.head()
        if self.network.accelerated:
            head = copy.deepcopy(head).cpu()
        return two_logits(head) if outputs(self.network) == 1 else head


class TextModelSource(AbstractModelSource):
    """Settings of a text model: a table with a text column is what it reads."""

    @abstractmethod
    def load(self, files: FileStore, dataset: Dataset) -> TextModel:
        """Read the model and fit it to the table; see the base class."""

    @abstractmethod
    def load_network(self, files: FileStore) -> AbstractTextNetwork:
        """Read the network alone, for a protected status model.

        Raises:
            ModelError: The file is refused or damaged.
        """


def fit_to_table(
    settings: TextModelSource, network: AbstractTextNetwork, dataset: Dataset, name: str, *, kind: str
) -> TextModel:
    """A network as the model of a table: which column it reads, what its outputs stand for, what is lost on the way.

    Args:
        settings: What the model was loaded by; ``classes`` goes before what the file says.
        network: The network.
        dataset: The table.
        name: What people call the model.
        kind: Plain-language format.

    Raises:
        ModelError: The table has no text column, the classes do not fit its outcomes, or the tokeniser fails.
    """
    if not dataset.roles.text:
        raise ModelError(
            say("This model reads texts, and no column of the table is chosen as the text."),
            where=name,
            advice=say("Choose the text column {where}.", where=where_chosen("text")),
        )
    needed = max(outputs(network), 2)
    own = network.classes if len(network.classes) == needed else ()
    classes, caveats = class_order(settings.classes, own, dataset, needed, name)
    defines = f"{model_fingerprint(settings, _coordinates(network))}{dataset.roles.text}"
    caveats += reading_caveats(network, as_text(dataset.frame[dataset.roles.text]).tolist())
    origin = Origin(kind, hashlib.sha256(defines.encode()).hexdigest(), caveats)
    return TextModel(network, dataset.roles.text, classes, name, origin)


def outputs(network: AbstractTextNetwork) -> int:
    """How many logits the last layer gives."""
    import torch

    head = network.head()
    like = next(head.parameters(), torch.zeros(0))
    with torch.no_grad():
        return int(head(like.new_zeros(1, network.pooled_width)).shape[1])


def reading_caveats(network: AbstractTextNetwork, texts: Sequence[str]) -> tuple[Caveat, ...]:
    """What a network does not see of these texts: what is cut off, empty or unknown to it.

    Raises:
        ModelError: The tokeniser fails on a text.
    """
    lost = _Lost()
    for first in range(0, len(texts), _TEXTS_AT_ONCE):
        block = texts[first : first + _TEXTS_AT_ONCE]
        lost = lost.plus(network, block, network.read(block))
    return tuple(lost.caveats(len(texts)))


@dataclass(frozen=True)
class _Lost:
    """Counts over texts: cut ones and their words not read, empty ones, tokens, and unknown ones among them."""

    cut: int = 0
    words: int = 0
    empty: int = 0
    tokens: int = 0
    unknown: int = 0

    def plus(self, network: AbstractTextNetwork, texts: Sequence[str], tokens: Sequence[Tokens]) -> _Lost:
        cut = [(text, one.read) for text, one in zip(texts, tokens, strict=True) if one.read < len(text)]
        missed = [int(words.unread(words.spans(text), read).sum()) for text, read in cut]
        real = [one.ids[~one.special] for one in tokens]
        return _Lost(
            cut=self.cut + sum(words > 0 for words in missed),
            words=self.words + sum(missed),
            empty=self.empty + sum(not len(ids) or not text.strip() for text, ids in zip(texts, real, strict=True)),
            tokens=self.tokens + sum(map(len, real)),
            unknown=self.unknown + sum(int((ids == network.unknown).sum()) for ids in real),
        )

    def caveats(self, texts: int) -> Iterator[Caveat]:
        if self.cut:
            yield Caveat(
                "warning" if 10 * self.cut > texts else "info",
                say(
                    "{cut} of {texts} are longer than the model reads: {words} at their ends played no part.",
                    cut=whole(self.cut),
                    texts=count(texts, "text"),
                    words=count(self.words, "word"),
                ),
                say("What stands there can neither be judged nor found biased. Shorten the texts as they are in use."),
            )
        if self.empty:
            yield Caveat(
                "warning",
                say(
                    "{empty} of {texts} are empty, or hold nothing that the model can read; it answers them all alike.",
                    empty=whole(self.empty),
                    texts=count(texts, "text"),
                ),
                say("Leave these rows out unless such texts occur in use."),
            )
        if self.tokens and self.unknown > _UNKNOWN_SHARE * self.tokens:
            yield Caveat(
                "warning",
                say(
                    "The model does not know {share} of what it reads ({unknown} of {tokens} are unknown to it).",
                    share=share_text(self.unknown / self.tokens, 0),
                    unknown=whole(self.unknown),
                    tokens=count(self.tokens, "token"),
                ),
                say(
                    "Are the texts in another language or spelling than it was trained on, or full of emoji? Its "
                    "answers then rest on little."
                ),
            )


def _coordinates(network: AbstractTextNetwork) -> Encoder:
    return Encoder(
        columns=tuple(CoordinateColumn(name=f"embedding {i + 1}") for i in range(network.pooled_width))  # verbatim
    )
