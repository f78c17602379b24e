"""One model on every text: its measures and the words behind them, a text at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.audits.text_sensitivity.at_words import AtWords, Words, by_word, differentiate_at_words
from core.audits.text_sensitivity.counterparts import Counterparts
from core.audits.text_sensitivity.gradients import at_once, softmax
from core.audits.text_sensitivity.measures import by_coordinates, by_words, matching, measure, swapped
from core.base.arrays import arrays_from_text, arrays_to_text
from core.base.errors import ModelError
from core.base.progress import OnProgress, Progress
from core.language.told import say
from core.models.text import TextModel
from core.protected_status.training import probabilities
from core.text.network import AbstractTextNetwork, computing_with
from core.text.tokens import Tokens, batches
from core.text.word_lists import WordList
from core.text.words import unread

READ_AHEAD = 1024
"""Texts of a block, among which those of like length are put together; tokens of others are not kept."""
_OF_TEXTS, _OF_WORDS = ("measures", "signed", "probabilities"), ("cut", "task", "status", "by_class")
"""Arrays that a block holds one of for each text, and those that have a row for each word."""


def blocks(texts: int) -> range:
    """Where the blocks of so many texts begin."""
    return range(0, texts, READ_AHEAD)


@dataclass(frozen=True)
class TextScoring:
    """One model on one text of W words; K classes in the order of the audited model.

    Attributes:
        words: The text and its words.
        exchanged: The text with its words exchanged; empty where nothing is exchanged in what the model reads.
        measures: P1 to P5 and CF, shape (6,); NaN where not applicable.
        signed: P3 and P5 with the embedding itself, shape (2,).
        flipped: Whether the exchange changes the predicted class.
        turned: Share of probability that the exchange moves in the protected status model; NaN where not applicable.
        probabilities: f(x), shape (K,).
        cut: Whether the model reads nothing of each word, shape (W,), bool.
        task: wᵀJ of each word, summed over its tokens and coordinates, shape (W,); NaN if cut.
        status: v of each word, shape (W,); NaN if cut, or without v.
        by_class: Σ|∂f_k/∂x| over the word's tokens and coordinates, shape (W, K); 0 if cut.
        pooled: What the model's last layer read of the text, shape (1, H), or (0, H) where it reads no word.
    """

    words: Words
    exchanged: str
    measures: np.ndarray
    signed: np.ndarray
    flipped: bool
    turned: float
    probabilities: np.ndarray
    cut: np.ndarray
    task: np.ndarray
    status: np.ndarray
    by_class: np.ndarray
    pooled: np.ndarray


@dataclass(frozen=True)
class SubjectModel:
    """A model that is measured.

    Attributes:
        model: The model.
        order: Which of its outputs stands for each of the audited model's K classes, shape (K,), int.
        weights: w of each of the model's outputs, summing to one, shape (K,).
        status: The protected status model; None without one.
        counterparts: The words that name a group, and every text's counterpart.
    """

    model: TextModel
    order: np.ndarray
    weights: np.ndarray
    status: AbstractTextNetwork | None
    counterparts: Counterparts

    @property
    def matched(self) -> str:
        """How v is laid over the model's tokens; empty without a protected status model."""
        return "" if self.status is None else matching(self.model.network, self.status)

    def sensitivities(
        self, texts: Sequence[str], records: np.ndarray, on_progress: OnProgress, first: int = 0
    ) -> list[TextScoring]:
        """Every text of one block once, in an order that keeps texts of like length together.

        What is found does not depend on other blocks.

        Args:
            texts: All n texts.
            records: Their row numbers in the file (1 = first record), shape (n,), int.
            on_progress: Told before every batch; may raise to stop.
            first: The first text of the block, one of :func:`blocks`.

        Raises:
            AuditError: A derivative is not a finite number.
            ModelError: A tokeniser or a network fails on a text, or an answer is not a finite number.
        """
        phase = say("Measuring {name}", name=self.model.name)
        block = [
            Words.of(row, int(records[row]), texts[row], self.counterparts.words)
            for row in range(first, min(first + READ_AHEAD, len(texts)))
        ]
        found: list[TextScoring] = []
        with computing_with(self.model.network), self.model.knowing_nothing():
            tokens = self.model.network.read([one.text for one in block])
            for places in batches(tokens, at_once(self.model.network)):
                on_progress(Progress(len(found) / len(block), phase))
                batch = places.tolist()
                found += self._batch([block[place] for place in batch], [tokens[place] for place in batch])
        on_progress(Progress(1.0, phase))
        return found

    def _batch(self, texts: Sequence[Words], tokens: Sequence[Tokens]) -> Iterator[TextScoring]:
        own, answers = differentiate_at_words(
            self.model.network, texts, tokens, self.weights, whose=say("the model {name}", name=self.model.name)
        )
        for one, words in zip(own, texts, strict=True):
            if one is not None:
                self.model.remember(words.text, one.pooled)
        before = self._completed(answers, texts)
        exchanged = [
            self.counterparts.of(one.record, one.text, read.read) for one, read in zip(texts, tokens, strict=True)
        ]
        after = before.copy()
        some = [place for place, one in enumerate(exchanged) if one]
        if some:
            after[some] = self._answers([exchanged[place] for place in some], [texts[place] for place in some])
        moved = np.where([bool(one) for one in exchanged], swapped(before, after), np.nan)
        flipped = before.argmax(axis=1) != after.argmax(axis=1)
        of_status, groups = self._status(texts)
        turned = self._turned(groups, exchanged)
        for place, (one, status) in enumerate(zip(own, of_status, strict=True)):
            words, other, f = texts[place], exchanged[place], before[place]
            measures, signed, task, v, by_class = _of_one(one, status, words, self.matched, len(f))
            cut = unread(words.spans, tokens[place].read)
            yield TextScoring(
                words=words,
                exchanged=other,
                measures=np.append(measures, moved[place]),
                signed=signed,
                flipped=bool(flipped[place]),
                turned=float(turned[place]),
                probabilities=f[self.order],
                cut=cut,
                task=np.where(cut, np.nan, task),
                status=np.where(cut, np.nan, v),
                by_class=by_class[:, self.order],
                pooled=np.zeros((0, self.model.network.pooled_width)) if one is None else one.pooled[None],
            )

    def _status(self, texts: Sequence[Words]) -> tuple[list[AtWords | None], np.ndarray]:
        """Derivatives and answers of the protected status model, (B, g); None and NaN for texts without a token.

        Without such a model nothing but that, with one column.
        """
        if self.status is None:
            return [None] * len(texts), np.full((len(texts), 1), np.nan)
        tokens = self.status.read([one.text for one in texts])
        with computing_with(self.status):
            return differentiate_at_words(self.status, texts, tokens, whose=say("the protected status model"))

    def _turned(self, groups: np.ndarray, exchanged: Sequence[str]) -> np.ndarray:
        """How far exchanging words moves the protected status model's answers ``groups``, (B, g); shape (B,)."""
        turned = np.full(len(exchanged), np.nan)
        if self.status is None:
            return turned
        tokens = self.status.read(exchanged)
        known = np.isfinite(groups).all(axis=1)
        some = [place for place, one in enumerate(exchanged) if one and known[place] and len(tokens[place])]
        if some:
            after = probabilities(self.status, [tokens[place] for place in some])
            turned[some] = swapped(groups[some], after)
        return turned

    def _completed(self, answers: np.ndarray, texts: Sequence[Words]) -> np.ndarray:
        """Answers with those to texts without a token, about which there was nothing to differentiate."""
        empty = np.flatnonzero(np.isnan(answers).any(axis=1)).tolist()
        if not empty:
            return answers
        asked = self._answers([texts[place].text for place in empty], [texts[place] for place in empty])
        completed = np.full((len(texts), asked.shape[1]), np.nan)
        completed[:] = answers
        completed[empty] = asked
        return completed

    def _answers(self, texts: Sequence[str], instead_of: Sequence[Words]) -> np.ndarray:
        """Probabilities of texts, shape (m, K); ``instead_of`` are the records they belong to."""
        import torch

        pooled = self.model.embed(texts)
        with torch.no_grad():
            answers: np.ndarray = softmax(self.model.module()(torch.from_numpy(pooled).float())).double().numpy()
        bad = [instead_of[place].record for place in np.flatnonzero(~np.isfinite(answers).all(axis=1)).tolist()]
        if bad:
            raise ModelError(
                say("The model's answer is not a finite number."),
                where=say("row {records}", records=", ".join(map(str, sorted(bad)[:5]))),
                advice=say("Look at these texts and their counterparts for something unusual, or leave them out."),
            )
        return answers


def _of_one(
    own: AtWords | None, status: AtWords | None, words: Words, matched: str, classes: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """P1 to P5, the signed P3 and P5, and by word: wᵀJ, v (NaN without), and Σ|∂f_k/∂x| of every class."""
    nothing = np.full(len(words), np.nan)
    if own is None or not len(own.word):
        return np.full(5, np.nan), np.full(2, np.nan), np.zeros(len(words)), nothing, np.zeros((len(words), classes))
    v = None
    if status is not None and matched == "coordinates":
        v = by_coordinates(status.weighted, len(own.word))
    elif status is not None:
        v = by_words(status.weighted, status.word, own.word, len(words), own.weighted.shape[1])
    measures, signed = measure(own.weighted, own.embeddings, v, words.listed[own.word])
    return (
        measures,
        signed,
        by_word(own.weighted, own.word, len(words)).sum(axis=1),
        nothing if v is None else by_word(v, own.word, len(words)).sum(axis=1),
        by_word(own.by_class, own.word, len(words)),
    )


def written(block: Sequence[TextScoring]) -> dict[str, Any]:
    """The scorings of a block as JSON; words are found again."""
    arrays = {name: np.stack([getattr(one, name) for one in block]) for name in _OF_TEXTS}
    arrays |= {name: np.concatenate([getattr(one, name) for one in block]) for name in (*_OF_WORDS, "pooled")}
    arrays |= {
        "row": np.array([one.words.row for one in block]),
        "flipped": np.array([one.flipped for one in block]),
        "turned": np.array([one.turned for one in block]),
        "known": np.array([len(one.pooled) for one in block]),
    }
    return {**arrays_to_text(arrays), "exchanged": [one.exchanged for one in block]}


def read(told: dict[str, Any], texts: Sequence[str], records: np.ndarray, words: WordList) -> list[TextScoring]:
    """The scorings of a block of these texts again.

    Args:
        told: What :func:`written` made of them.
        texts: All n texts.
        records: Their row numbers, shape (n,), int.
        words: The list of words that name a group.
    """
    arrays = arrays_from_text({name: content for name, content in told.items() if name != "exchanged"})
    rows = arrays["row"].tolist()
    of = [Words.of(row, int(records[row]), texts[row], words) for row in rows]
    ends = np.cumsum([len(one) for one in of])[:-1]
    by_word = {name: np.split(arrays[name], ends) for name in _OF_WORDS}
    pooled = np.split(arrays["pooled"], np.cumsum(arrays["known"])[:-1])
    return [
        TextScoring(
            words=of[place],
            exchanged=told["exchanged"][place],
            flipped=bool(arrays["flipped"][place]),
            turned=float(arrays["turned"][place]),
            pooled=pooled[place],
            **{name: arrays[name][place] for name in _OF_TEXTS},
            **{name: by_word[name][place] for name in _OF_WORDS},
        )
        for place in range(len(rows))
    ]
