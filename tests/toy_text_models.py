"""Small text networks whose every part is known, for tests of what is computed from networks."""

import re
import zlib
from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch

from core.contracts.model import Origin
from core.data.dataset import Dataset, Roles
from core.models.text import TextModel
from core.text.data import EncodedTexts
from core.text.network import AbstractTextNetwork
from core.text.tokens import Tokens

_PIECE = re.compile(r"\w+|[^\w\s]")


class ToyNetwork(AbstractTextNetwork):
    """Attention over word pieces, one tanh layer, one linear layer.

    Args:
        classes: What the outputs stand for, K.
        outputs: Logits; K unless given (1 for a single logit).
        piece: Letters a token; a word of seven letters is three pieces of three.
        longest: Tokens read, special ones among them.
        special: Whether texts begin with a special token.
        deaf: Words (all their pieces) whose embeddings do not reach the answer.
        shortcut: Words that push the first class, by how much.
        scale: Size of the logits.
        width: D.
        dtype: Precision.
        seed: Draws the weights.
    """

    def __init__(
        self,
        classes: tuple[str, ...] = ("no", "yes"),
        *,
        outputs: int = 0,
        piece: int = 3,
        longest: int = 64,
        special: bool = True,
        deaf: tuple[str, ...] = (),
        shortcut: dict[str, float] | None = None,
        scale: float = 1.0,
        width: int = 6,
        dtype: torch.dtype = torch.float32,
        seed: int = 0,
    ) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.classes, self.width, self.pooled_width = classes, width, 5
        self.vocabulary = f"pieces of {piece}, {'with' if special else 'without'} a special token"
        self.piece, self.longest, self.special = piece, longest, special
        self.deaf = frozenset(number for word in deaf for number in self._pieces(word))
        rows = 0.6 * torch.randn(4096, width, generator=generator, dtype=torch.float64)
        mix = torch.randn(width, 5, generator=generator, dtype=torch.float64)
        for word, push in (shortcut or {}).items():
            for number in self._pieces(word):
                rows[number] = push * torch.linalg.pinv(mix)[0]
        self.table, self.mix = rows.to(dtype), mix.to(dtype)
        self.attend = torch.randn(width, generator=generator, dtype=torch.float64).to(dtype)
        last = torch.nn.Linear(5, outputs or len(classes), dtype=dtype)
        weight = torch.randn(last.weight.shape, generator=generator, dtype=torch.float64)
        if shortcut:
            weight[:, 0] = 0.0
            weight[0, 0] = 3.0
        last.weight.data = (scale * weight).to(dtype)
        last.bias.data.zero_()
        self.last = last.requires_grad_(False).eval()

    def read(self, texts: Sequence[str]) -> tuple[Tokens, ...]:
        """Pieces of words; see the base class."""
        return tuple(map(self._read, texts))

    def word_embeddings(self, ids: torch.Tensor) -> torch.Tensor:
        """Rows of the table."""
        return self.table[ids]

    def pooled(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """A weighted mean of the tokens and of their neighbours, so that order matters."""
        hears = mask
        if self.deaf:
            heard = torch.stack([(self.table[number] != embeddings.detach()).any(2) for number in self.deaf]).all(0)
            hears = mask & heard
        kept = torch.where(hears.unsqueeze(2), embeddings, torch.zeros_like(embeddings))
        scores = (kept @ self.attend).masked_fill(~mask, -torch.inf)
        share = scores.softmax(1)
        before = torch.nn.functional.pad(kept, (0, 0, 1, 0))[:, :-1]
        return torch.tanh((share.unsqueeze(2) * (kept + 0.5 * before.sin())).sum(1) @ self.mix)

    def head(self) -> torch.nn.Module:
        """The last layer."""
        return self.last

    def _pieces(self, word: str) -> list[int]:
        cut = [word.lower()[at : at + self.piece] for at in range(0, len(word), self.piece)]
        return [2 + zlib.crc32(one.encode()) % 4094 for one in cut]

    def _read(self, text: str) -> Tokens:
        found = [(1, 0, 0, True)] if self.special else []
        for match in _PIECE.finditer(text):
            for place, number in enumerate(self._pieces(match.group())):
                start = match.start() + place * self.piece
                found.append((number, start, min(start + self.piece, match.end()), False))
        read = found[self.longest][1] if len(found) > self.longest else len(text)
        ids, start, end, special = zip(*found[: self.longest], strict=True) if found else ((), (), (), ())
        return Tokens(
            np.array(ids, dtype=np.int64),
            np.array(start, dtype=np.int64),
            np.array(end, dtype=np.int64),
            np.array(special, dtype=bool),
            read,
        )


def toy_model(network: AbstractTextNetwork, classes: tuple[str, ...] = (), name: str = "toy.zip") -> TextModel:
    """The network as a model of the column ``text``."""
    return TextModel(network, "text", classes or network.classes, name, Origin("Toy", "f" * 64))


def toy_texts(texts: Sequence[str], model: TextModel, **columns: Sequence[object]) -> EncodedTexts:
    """Texts as the model reads them; ``columns`` may hold ``label``, ``gender`` and ``biased``."""
    frame = pd.DataFrame({"text": pd.array(list(texts), dtype="str"), **columns})
    roles = Roles(
        text="text",
        outcome="label" if "label" in columns else "",
        favourable=str(columns["label"][0]) if "label" in columns else "",
        protected=("gender",) if "gender" in columns else (),
        annotation=tuple(name for name in columns if name.startswith("biased")),
    )
    return model.encode(Dataset(frame, roles, len(frame)))


def biographies(count: int, rng: np.random.Generator) -> tuple[list[str], list[str]]:
    """Short texts about women and men, and their gender."""
    who = rng.choice(["F", "M"], count)
    words = {"F": ("She", "her", "sister"), "M": ("He", "his", "brother")}
    jobs, places = ("nurse", "surgeon", "poet", "engineer"), ("Leeds", "Porto", "Oslo", "a small town near Turin")
    texts = []
    for one in who:
        subject, owner, sibling = words[one]
        job, place, years = rng.choice(jobs), rng.choice(places), rng.integers(2, 40)
        told = f"{subject} works as a {job} in {place} and has done so for {years} years."
        if rng.random() < 0.5:
            told += (
                f" In {owner} own words: “it's what {owner} {sibling} wanted”, 😀 and {subject.lower()}'d not change."
            )
        texts.append(told)
    return texts, list(who)
