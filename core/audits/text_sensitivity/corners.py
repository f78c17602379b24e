"""The corners of a corpus that a text test looks into beside the groups, where a bias may hide from the mean.

A model may treat everybody alike but in one predicted class, in one true class, or in the longest texts. Few texts are
there, so that the mean of all says nothing of them. The test of all parts at once does (:mod:`core.inference.excess`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.base.grouping import Grouping
from core.inference.excess import GroupSample
from core.inference.share import share_of
from core.language.phrases import whole
from core.language.told import retold, say
from core.text.copies import mean_of_copies

CORNERS = (say("predicted class"), say("true class"), say("length"))
"""What parts are of that are no protected groups."""
TAILS = (0.1, 0.03)
"""The shares of the longest and of the shortest texts that are looked at."""


@dataclass(frozen=True)
class TextPart:
    """Some of the texts with exchanged words; those that count as one count once.

    Attributes:
        sample: How far their answers move.
        clusters: The family of each, shape (m,), int; None where each text stands for itself.
        corner: Whether it is no protected group.
    """

    sample: GroupSample
    clusters: np.ndarray | None
    corner: bool


def parts(detail: TextSensitivityDetail) -> tuple[TextPart, ...]:
    """Every group of every protected attribute, then every corner that holds a text."""
    scores = detail.audited
    moved = np.stack([scores.values("CF"), scores.flipped.astype(np.float64)])
    found = []
    for place, one in enumerate((*detail.memberships, *_corners(detail))):
        for name, inside in one.members():
            rows = inside[scores.exchanged[inside]]
            own, first = moved[:, rows], np.arange(len(rows))
            if detail.same is not None and len(rows):
                own, first = mean_of_copies(own, detail.same[rows]), np.unique(detail.same[rows], return_index=True)[1]
            families = detail.counted_families
            clusters = None if families is None else families[rows][first]
            sample = GroupSample(one.name, name, own[0], share_of(own[1] > 0, clusters))
            found.append(TextPart(sample, clusters, place >= len(detail.memberships)))
    return tuple(found)


def _corners(detail: TextSensitivityDetail) -> Iterator[Grouping]:
    predicted, true, length = map(retold, CORNERS)
    for name, codes in ((predicted, detail.audited.predicted), (true, detail.label)):
        occur = np.unique(codes[codes >= 0])
        parts = tuple(detail.classes[code] for code in occur.tolist())
        yield Grouping(name, parts, np.where(codes < 0, -1, np.searchsorted(occur, codes)))
    yield from _tails(detail, length)


def _tails(detail: TextSensitivityDetail, name: str) -> Iterator[Grouping]:
    """The longest and the shortest texts with exchanged words, where they are not all of a length."""
    if detail.lengths is None or not (exchanged := detail.audited.exchanged).any():
        return
    lengths = detail.lengths[exchanged]
    longest = {int(np.quantile(lengths, 1 - share, method="higher")) for share in TAILS}
    shortest = {int(np.quantile(lengths, share, method="lower")) for share in TAILS}
    for words in sorted(longest - {int(lengths.min())}):
        yield Grouping(
            name,
            (say("{words} words or more", words=whole(words)),),
            np.where(detail.lengths >= words, 0, -1),
        )
    for words in sorted(shortest - {int(lengths.max())}):
        yield Grouping(
            name,
            (say("{words} words or fewer", words=whole(words)),),
            np.where(detail.lengths <= words, 0, -1),
        )
