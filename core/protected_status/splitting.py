"""Which texts a protected status model learns from, which stop its training, and which are left to be measured."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.base.errors import DataError
from core.language.phrases import count
from core.language.told import say
from core.metrics.learned import stratified_folds

LEAST_TEXTS = 10
"""Different texts of each group to learn from, at least; with fewer a network learns names of people."""

MOST_TEXTS = 10_000
"""Different texts of each group to learn from, at most; more make training slower and hardly better."""

_STOPPING = 5
"""One text of so many is not trained on, and decides when training stops."""


@dataclass(frozen=True)
class TextSplit:
    """Positions of texts; a text that occurs several times is in one part with all its copies.

    Attributes:
        trained: Different texts to train on, one copy each, in an order that does not depend on the table's.
        stopping: Different texts that decide when to stop, likewise.
        left: Every text that has nothing to do with training, ascending.
        surplus: Different texts that were to be learned from and are too many; they are among ``left``.
    """

    trained: np.ndarray
    stopping: np.ndarray
    left: np.ndarray
    surplus: int

    @property
    def learned_from(self) -> int:
        """Different texts that training has seen."""
        return len(self.trained) + len(self.stopping)


def split_texts(
    texts: Sequence[str],
    usable: np.ndarray,
    codes: np.ndarray,
    *,
    groups: tuple[str, ...],
    share: float,
    rng: np.random.Generator,
) -> TextSplit:
    """A random share of each group's different texts to learn from; the rest is left.

    The same texts in another order are parted in the same way.

    Args:
        texts: The texts, length n.
        usable: Texts that something can be learned from, shape (n,), bool.
        codes: Group of each, shape (n,), int.
        groups: Names of the groups.
        share: Share to learn from, 0 to 1.
        rng: Draws the parts.

    Raises:
        DataError: A group has too few different texts to learn from.
    """
    copies = _copies(texts, usable)
    stratum = np.array([codes[places].min() for places in copies], dtype=np.int64)
    size = np.bincount(stratum, minlength=len(groups))
    drawn = rng.permutation(len(copies))
    order = drawn[np.argsort(stratum[drawn], kind="stable")]
    within = np.arange(len(order)) - np.repeat(np.cumsum(size) - size, size)
    wanted = np.floor(share * size + 1e-9).astype(np.int64)
    taken = np.sort(order[within < np.minimum(wanted, MOST_TEXTS)[stratum[order]]])
    enough = np.bincount(stratum[taken], minlength=len(groups))
    if enough.min() < LEAST_TEXTS:
        short = int(enough.argmin())
        raise DataError(
            say(
                "The group {group} has {texts}, of which {enough} would be learned from; a protected status "
                "model needs at least {fewest} of each group.",
                group=repr(groups[short]),
                texts=count(int(size[short]), "different text"),
                enough=int(enough[short]),
                fewest=LEAST_TEXTS,
            ),
            where=say("protected status model"),
            advice=say("Learn from a larger share, bring more texts, merge small groups, or use word lists only."),
        )
    fold = stratified_folds(stratum[taken], _STOPPING, rng)
    trained, stopping = (
        _one_each([copies[text] for text in chosen], codes) for chosen in (taken[fold != 0], taken[fold == 0])
    )
    used = np.concatenate([copies[text] for text in taken])
    return TextSplit(
        trained=trained,
        stopping=stopping,
        left=np.setdiff1d(np.arange(len(texts)), used),
        surplus=int(np.maximum(wanted - MOST_TEXTS, 0).sum()),
    )


def _copies(texts: Sequence[str], usable: np.ndarray) -> list[np.ndarray]:
    """Positions of each different text, in an order that depends on what the texts are and not on where they stand."""
    places: dict[bytes, list[int]] = {}
    for place in np.flatnonzero(usable).tolist():
        digest = hashlib.sha256(texts[place].encode("utf-8", "surrogatepass")).digest()
        places.setdefault(digest, []).append(place)
    return [np.array(places[digest], dtype=np.int64) for digest in sorted(places)]


def _one_each(copies: list[np.ndarray], codes: np.ndarray) -> np.ndarray:
    """One position of each text; if its copies belong to several groups, one for each of these."""
    found = [places[np.unique(codes[places], return_index=True)[1]] for places in copies]
    return np.concatenate(found)
