"""From texts to tokens with their places, by a stranger's tokenizer.json, under limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from core.base.errors import ModelError
from core.language.told import say
from core.text.tokeniser_file import check
from core.text.tokeniser_process import TokeniserProcess
from core.text.tokens import Tokens

LONGEST_TEXT = 100_000
"""Characters of a text that are tokenised at most; what follows counts as not read."""
_AT_ONCE = 500_000
_MOST_TEXTS = 2_000
_NURSE = "She is a nurse, isn't she?"  # verbatim
_PROBES = ("", " ", _NURSE, "é ﬁ 👩‍⚕️ ١٢ 護士 \u0301\u200b\ufeff\x00", "a" * 3_000, ". " * 1_000)
_SURROGATE = re.compile("[\ud800-\udfff]")
_LAST_SPACE = re.compile(r"\s\S*\Z")


class Tokeniser:
    """A tokeniser of the tokenizers library.

    The library runs in a process of its own, with limits of time and memory, and is tried on a few texts at once.

    Args:
        content: The bytes of a tokenizer.json.
        name: How errors name it.

    Attributes:
        content: The bytes.
        name: How errors name it.
        vocabulary: SHA-256 of everything that decides the tokens; truncation and padding do not.
        size: Largest token number plus one.
        unknown: Number of the token that stands for what the vocabulary lacks; -1 if there is none.
        keeps_end: Whether the file says that of long texts the end is read; :meth:`read` reads their beginning.

    Raises:
        ModelError: The file is refused or damaged, or fails on the texts it is tried on.
    """

    def __init__(self, content: bytes, name: str = "tokenizer.json") -> None:
        file = check(content, name)
        self.content = content
        self.name = name
        self.vocabulary = file.vocabulary
        self.size = file.size
        self.unknown = file.unknown
        self.keeps_end = file.keeps_end
        self._process = TokeniserProcess(file, name)
        self._process.open()
        self._tokenise(_PROBES, LONGEST_TEXT)

    def __reduce__(self) -> tuple[type[Tokeniser], tuple[bytes, str]]:
        return Tokeniser, (self.content, self.name)

    def __deepcopy__(self, memo: dict[int, object]) -> Tokeniser:
        return self

    def read(self, texts: Sequence[str], longest: int) -> tuple[Tokens, ...]:
        """The tokens of each text, at most ``longest``; closing tokens are kept when a text is cut.

        Offsets are those of the visible characters of each token in the text as given; a token of spaces alone has
        an empty place. A tokeniser that adds nothing gives an empty text no token at all.

        Args:
            texts: The texts.
            longest: The most tokens of a text, special ones among them.

        Raises:
            ModelError: The tokeniser fails on a text, needs too long, or gives a token number beyond :attr:`size`.
        """
        found: list[Tokens] = []
        for block in _blocks(texts):
            found += self._tokenise(block, longest)
        return tuple(found)

    def _tokenise(self, texts: Sequence[str], longest: int) -> list[Tokens]:
        begun = [_beginning(text) for text in texts]
        flat = self._process.tokenise([_SURROGATE.sub("\ufffd", text) for text in begun], longest)
        counts, covered = flat[: len(texts)], flat[len(texts) : 2 * len(texts)]
        total = int(counts.sum())
        if len(flat) != 2 * len(texts) + 4 * total:
            raise ModelError(
                say("The model's tokeniser gives an answer that does not fit its question."), where=self.name
            )
        ids, start, end, special = flat[2 * len(texts) :].reshape(4, total)
        if total and (ids.min() < 0 or ids.max() >= self.size):
            raise ModelError(
                say(
                    "The model's tokeniser gives the token number {number}, which its vocabulary does not have.",
                    number=int(ids.max()),
                ),
                where=self.name,
                advice=say("Save the tokeniser again with a current version of the library."),
            )
        edges = [0, *accumulate(map(int, counts))]
        return [
            _tokens(text, ids[a:b], start[a:b], end[a:b], special[a:b] == 1, int(read))
            for text, a, b, read in zip(begun, edges, edges[1:], covered, strict=False)
        ]


def _blocks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    first, characters = 0, 0
    for place, text in enumerate(texts):
        length = min(len(text), LONGEST_TEXT)
        if place > first and (characters + length > _AT_ONCE or place - first >= _MOST_TEXTS):
            yield texts[first:place]
            first, characters = place, 0
        characters += length
    if first < len(texts):
        yield texts[first:]


def _beginning(text: str) -> str:
    """The part of a text that is tokenised, with no word cut in two where it has spaces."""
    if len(text) <= LONGEST_TEXT:
        return text
    part = text[:LONGEST_TEXT]
    space = _LAST_SPACE.search(part, LONGEST_TEXT - 1_000)
    return part[: space.start()] if space else part


def _tokens(  # noqa: PLR0917
    text: str, ids: np.ndarray, start: np.ndarray, end: np.ndarray, special: np.ndarray, read: int
) -> Tokens:
    begin, stop = _visible(text, start.clip(0, len(text)), end.clip(0, len(text)))
    return Tokens(ids.copy(), np.where(special, 0, begin), np.where(special, 0, stop), special, read)


def _visible(text: str, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places without the spaces around them: ``" she"`` of a byte-level tokeniser stands where ``she`` stands."""
    shown = np.array([not sign.isspace() for sign in text], dtype=bool)
    place = np.arange(len(text))
    following = np.full(len(text) + 1, len(text), dtype=np.int64)
    following[:-1] = np.minimum.accumulate(np.where(shown, place, len(text))[::-1])[::-1]
    ended = np.zeros(len(text) + 1, dtype=np.int64)
    ended[1:] = np.maximum.accumulate(np.where(shown, place + 1, 0))
    begin = np.minimum(following[start], end)
    return begin, np.maximum(ended[end], begin)
