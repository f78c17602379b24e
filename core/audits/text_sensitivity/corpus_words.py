"""The words of a corpus: sensitivities summed on the way, a text at a time."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.result import WordScores
from core.audits.text_sensitivity.scoring import TextScoring
from core.text.word_lists import WordList
from core.text.words import key, spans

FEWEST_TEXTS = 5
"""Words in fewer texts are not told: they may say whose text it was."""
MOST_TOLD = 20
SMALLEST_SHARE = 0.001
"""A word counts if it occurs in so many texts, and in this share of them; this bounds how many words are summed."""

MOST_BY_EACH = 100
"""Words kept by sensitivity of the model, by the protected status model's, and of those that name a group."""


@dataclass(frozen=True)
class Word:
    """One word of at least five texts: its mean share of a text's wᵀJ and of v."""

    word: str
    texts: int
    task: float
    status: float
    listed: bool


def told(scores: WordScores) -> tuple[Word, ...]:
    """The words with most sensitivity."""
    known = np.flatnonzero(scores.texts >= FEWEST_TEXTS)
    order = known[np.argsort(-scores.task[known], kind="stable")][:MOST_TOLD]
    return tuple(
        Word(
            scores.words[i],
            int(scores.texts[i]),
            float(scores.task[i]),
            float(scores.status[i]),
            bool(scores.listed[i]),
        )
        for i in order
    )


class CorpusWords:
    """Sums over texts for each word that occurs in enough of them.

    Args:
        words: The words to sum for, in lower case.
        classes: K.
        names_a_group: The list of words that name a group.
    """

    def __init__(self, words: Iterable[str], classes: int, names_a_group: WordList) -> None:
        self._place = {word: place for place, word in enumerate(words)}
        self._names_a_group = names_a_group
        size = len(self._place)
        self._texts, self._with_status = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        self._task, self._status = np.zeros(size), np.zeros(size)
        self._by_class = np.zeros((size, classes))

    def add(self, one: TextScoring) -> None:
        """Add a text; one whose answer depends on none of its words has no shares and is left out."""
        total = np.nansum(one.task)
        if not total > 0:
            return
        places = np.array([self._place.get(word, -1) for word in one.words.lower], dtype=np.int64)
        counts = ~one.cut & (places >= 0)
        distinct, of = np.unique(places[counts], return_inverse=True)
        self._texts[distinct] += 1
        self._task[distinct] += np.bincount(of, one.task[counts] / total, minlength=len(distinct))
        np.add.at(self._by_class, places[counts], one.by_class[counts])
        if not np.isnan(one.status[counts]).any():
            self._with_status[distinct] += 1
            self._status[distinct] += np.bincount(of, one.status[counts], minlength=len(distinct))

    def scores(self) -> WordScores:
        """Means over texts, of the words with most sensitivity, by either model, and those that name a group."""
        words = np.array(list(self._place), dtype=np.str_)
        with np.errstate(divide="ignore", invalid="ignore"):
            task, status = self._task / self._texts, self._status / self._with_status
            by_class = self._by_class / self._texts[:, None]
        listed = np.array([word in self._names_a_group.listed for word in words], dtype=bool)
        often = self._texts >= FEWEST_TEXTS
        chosen = [
            _most(task, often),
            _most(status, often & ~np.isnan(status)),
            _most(task, often & listed),
        ]
        kept = np.unique(np.concatenate(chosen)).astype(np.int64)
        kept = kept[np.lexsort((words[kept], -task[kept]))]
        return WordScores(
            words=tuple(map(str, words[kept])),
            texts=self._texts[kept],
            task=task[kept],
            status=status[kept],
            by_class=by_class[kept],
            listed=listed[kept],
        )


def frequent_words(texts: Iterable[str]) -> list[str]:
    """Words, in lower case, that occur in enough of the texts to say something about them; in alphabetical order."""
    found: Counter[str] = Counter()
    count = 0
    for text in texts:
        found.update({key(text[start:end]) for start, end in spans(text)})
        count += 1
    least = max(FEWEST_TEXTS, SMALLEST_SHARE * count)
    return sorted(word for word, occurs in found.items() if occurs >= least)


def _most(values: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Places of the largest values among these, at most ``MOST_BY_EACH``."""
    places = np.flatnonzero(among)
    return places[np.argsort(-values[places], kind="stable")][:MOST_BY_EACH]
