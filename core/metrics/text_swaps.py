"""A learned fair metric for texts: what changes when words that name a group are exchanged is free."""

import functools
from collections.abc import Callable
from typing import Literal

import numpy as np

from core.base.errors import Caveat, MetricError
from core.base.settings import setting
from core.contracts.metric import AbstractLearnedMetric, FittedMetric, chosen, or_none
from core.data.encoded import EncodedDataset
from core.language import phrases
from core.language.told import say
from core.metrics.comparable_pairs import PAIRS_PER_DIRECTION
from core.metrics.learned import DIRECTIONS, independence_caveat, learned_metric, one_thread
from core.metrics.subspace import leading
from core.text.data import EncodedTexts
from core.text.swaps import exchange
from core.text.word_lists import WordList

SMALL_MOVE = 0.25
"""Below this share of the distance of texts from their mean, what exchanged words change is mostly noise, spread over
many directions. Of the sample models the biased ones reach 0.47 and 0.55, the balanced ones 0.10 and 0.10."""


class TextSwaps(AbstractLearnedMetric):
    """Leading directions between the embeddings of texts and of their counterparts (factor model, Mukherjee 2020).

    A text and its counterpart, in which every word that names a group is exchanged, are comparable people: the right
    singular vectors of the differences of their pooled embeddings span the free subspace.
    """

    title = say("What the words for a group change")
    about = say(
        "Words that name a group are exchanged in the texts; what that changes for the model may differ freely."
    )
    reads = "texts"

    kind: Literal["text_swaps"] = "text_swaps"
    words: WordList = setting(WordList(), label=say("Words that name a group"), help=say("Exchanged for each other."))
    directions: int | None = DIRECTIONS
    explained_share: float = setting(
        0.9,
        label=say("Explained share"),
        help=say("Share of the squared differences that the free directions cover."),
        gt=0.0,
        le=1.0,
    )

    def fit(self, data: EncodedDataset, rng: np.random.Generator) -> FittedMetric:
        """Learn from the texts in which a word is exchanged; the others are counted.

        Raises:
            MetricError: The model reads no texts, no word is exchanged, or exchanges hardly move the embedding.
        """
        differences, changed = self._differences(data)
        with one_thread():
            return self._learned(data, differences[changed], self.directions)

    def learned_again(
        self, data: EncodedDataset, metric: FittedMetric, times: int, rng: np.random.Generator
    ) -> list[Callable[[], FittedMetric | None]]:
        """See the base class; the model embeds each counterpart once, and halves share what it says."""
        known = functools.cache(lambda: self._differences(data))

        def learn(half: np.ndarray) -> FittedMetric:
            differences, changed = known()
            with one_thread():
                return self._learned(data.take(np.flatnonzero(half)), differences[half & changed], metric.found)

        halves = [chosen(data.clusters, len(data), 0.5, rng) for _ in range(times)]
        return [or_none(functools.partial(learn, half)) for half in halves]

    def _differences(self, data: EncodedDataset) -> tuple[np.ndarray, np.ndarray]:
        """How far exchanging words moves each text's embedding, shape (n, H), and which texts change, (n,), bool."""
        if not isinstance(data, EncodedTexts):
            raise MetricError(
                say("This metric exchanges words in texts, and the model reads columns."),
                advice=say("Choose another way to say who counts as similar."),
            )
        texts = data.texts
        counterparts = [exchange(text, self.words).text for text in texts]
        changed = np.array([text != other for text, other in zip(texts, counterparts, strict=True)])
        if not changed.any():
            raise MetricError(
                say("None of {texts} to learn from holds a word of the list.", texts=phrases.count(len(texts), "text")),
                where=self.words.complete.name,
                advice=say("Bring another list of words, or hold out more texts."),
            )
        differences = np.zeros_like(data.x)
        with one_thread():
            embedded = data.embed([other for other, new in zip(counterparts, changed, strict=True) if new])
            differences[changed] = embedded - data.x[changed]
        return differences, changed

    def _learned(self, data: EncodedDataset, differences: np.ndarray, directions: int | None) -> FittedMetric:
        """The metric that these differences of texts of ``data`` with exchanged words teach, shape (m, H)."""
        _, values, vectors = np.linalg.svd(differences, full_matrices=False)
        if not values.any():
            raise MetricError(
                say("Exchanging words does not move the model's embedding at all, so no direction can be learned."),
                where=phrases.count(len(differences), "text"),
                advice=say("Bring another list of words, or choose another metric."),
            )
        _refuse_noise(differences, data.x)
        found = leading(values**2, vectors, directions, self.explained_share)
        return learned_metric(
            say("Learned from exchanged words"),
            data,
            found,
            include_protected_columns=False,
            spectrum=values,
            caveats=(
                *independence_caveat(self.learn_on),
                *_caveats(len(differences), len(data), len(found)),
            ),
        )


def _refuse_noise(differences: np.ndarray, x: np.ndarray) -> None:
    """A search moves along free directions without limit, however little the exchange itself moves there.

    Args:
        differences: Embeddings of counterparts less those of their texts, shape (m, H).
        x: Embeddings of all texts, shape (n, H).
    """
    moved, spread = np.sqrt((differences**2).sum(axis=1).mean()), np.sqrt(x.var(axis=0).sum())
    if moved < SMALL_MOVE * spread:
        raise MetricError(
            say(
                "Exchanging words moves the model's embedding by {moved} of the texts' distance from their mean, "
                "less than {least}: directions learned from so little are mostly noise, and a search along "
                "them would find violations where there are none.",
                moved=phrases.percent(round(float(moved / spread), 2)),
                least=phrases.percent(SMALL_MOVE),
            ),
            where=phrases.count(len(differences), "text"),
            advice=say("Let the sensitivity test judge the exchange itself, or learn the metric from the groups."),
        )


def _caveats(changed: int, texts: int, count: int) -> tuple[Caveat, ...]:
    caveats = []
    if changed < texts:
        what = say(
            "{some} of {texts} to learn from taught nothing, without a word of the list.",
            some=phrases.whole(texts - changed),
            texts=phrases.count(texts, "text"),
        )
        caveats.append(Caveat("info", what))
    if changed < PAIRS_PER_DIRECTION * count:
        what = say(
            "Only {found} for {directions}.",
            found=phrases.count(changed, "text"),
            directions=phrases.count(count, "free direction"),
        )
        caveats.append(
            Caveat(
                "warning",
                what,
                say("Bring {fewest} texts or more for each direction.", fewest=PAIRS_PER_DIRECTION),
            )
        )
    return tuple(caveats)
