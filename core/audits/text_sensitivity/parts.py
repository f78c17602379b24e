"""Parts of the texts that are looked at one by one: groups, and corners in which a bias may hide from the mean.

A model may treat everybody alike but in one predicted class, in one true class, or in the longest texts. Few texts are
there, so that the mean of all says nothing of them. The test of all parts at once does (:mod:`core.inference.excess`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.inference.excess import GroupSample
from core.inference.share import share_of
from core.text.copies import mean_of_copies

PREDICTED, TRUE, LENGTH = "predicted class", "true class", "length"
CORNERS = (PREDICTED, TRUE, LENGTH)
"""What parts are of that are no protected groups."""
TAILS = (0.1, 0.03)
"""The shares of the longest and of the shortest texts that are looked at."""


@dataclass(frozen=True)
class Part:
    """Some of the texts with exchanged words; those that count as one count once.

    Attributes:
        sample: How far their answers move.
        clusters: The family of each, shape (m,), int; None where each text stands for itself.
    """

    sample: GroupSample
    clusters: np.ndarray | None


def parts(detail: TextSensitivityDetail) -> tuple[Part, ...]:
    """Every group of every protected attribute, then every corner that holds a text."""
    scores = detail.audited
    moved = np.stack([scores.values("CF"), scores.flipped.astype(np.float64)])
    found = []
    for attribute, name, inside in _all(detail):
        rows = np.flatnonzero(inside & scores.exchanged)
        own, first = moved[:, rows], np.arange(len(rows))
        if detail.same is not None and len(rows):
            own, first = mean_of_copies(own, detail.same[rows]), np.unique(detail.same[rows], return_index=True)[1]
        families = detail.counted_families
        clusters = None if families is None else families[rows][first]
        found.append(Part(GroupSample(attribute, name, own[0], share_of(own[1] > 0, clusters)), clusters))
    return tuple(found)


def _all(detail: TextSensitivityDetail) -> Iterator[tuple[str, str, np.ndarray]]:
    """What each part is of, its name, and which texts are in it, shape (n,), bool."""
    for one in detail.memberships:
        for code, group in enumerate(one.groups):
            yield one.attribute, group, one.codes == code
    for attribute, codes in ((PREDICTED, detail.audited.predicted), (TRUE, detail.label)):
        for code in np.unique(codes[codes >= 0]).tolist():
            yield attribute, detail.classes[code], codes == code
    yield from _tails(detail)


def _tails(detail: TextSensitivityDetail) -> Iterator[tuple[str, str, np.ndarray]]:
    """The longest and the shortest texts with exchanged words, where they are not all of a length."""
    if detail.lengths is None or not (exchanged := detail.audited.exchanged).any():
        return
    lengths = detail.lengths[exchanged]
    longest = {int(np.quantile(lengths, 1 - share, method="higher")) for share in TAILS}
    shortest = {int(np.quantile(lengths, share, method="lower")) for share in TAILS}
    for words in sorted(longest - {int(lengths.min())}):
        yield LENGTH, f"{words:,} words or more", detail.lengths >= words
    for words in sorted(shortest - {int(lengths.max())}):
        yield LENGTH, f"{words:,} words or fewer", detail.lengths <= words
