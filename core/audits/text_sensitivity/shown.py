"""Texts kept word by word for reading: half of them the most sensitive, half drawn at random."""

import heapq
from dataclasses import replace

import numpy as np

from core.audits.text_sensitivity.decision import MEASURES
from core.audits.text_sensitivity.result import ShownTexts
from core.audits.text_sensitivity.scoring import TextScoring

_DECIDES = [MEASURES.index(name) for name in ("P2", "P4", "P1")]


class Reader:
    """Keeps as many texts as it may show, however many there are.

    Args:
        count: Texts measured, n.
        shown: Texts to show.
        rng: Draws the others.
    """

    def __init__(self, count: int, shown: int, rng: np.random.Generator) -> None:
        self._shown = min(shown, count)
        drawn = rng.permutation(count)[: self._shown]
        self._place_drawn = {int(row): place for place, row in enumerate(drawn)}
        self._drawn: dict[int, TextScoring] = {}
        self._most: list[tuple[tuple[float, ...], int, TextScoring]] = []

    def add(self, one: TextScoring) -> None:
        """Look at a text.

        Most sensitive are those with the largest P2; where it is not applicable P4 decides, then P1, then which text
        comes earlier in the file.
        """
        row, one = one.words.row, replace(one, by_class=np.zeros((0, 0)), pooled=np.zeros((0, 0)))
        if row in self._place_drawn:
            self._drawn[row] = one
        if self._shown < 2:
            return
        key = tuple(float(value) for value in np.nan_to_num(one.measures[_DECIDES], nan=-np.inf))
        push = heapq.heappush if len(self._most) < self._shown // 2 else heapq.heappushpop
        push(self._most, (key, -row, one))

    def texts(self) -> ShownTexts:
        """The most sensitive texts, and others in the order in which they were drawn until there are enough."""
        kept = {-row: one for _, row, one in self._most}
        for row in sorted(self._drawn, key=self._place_drawn.__getitem__):
            if len(kept) == self._shown:
                break
            kept.setdefault(row, self._drawn[row])
        texts = [kept[row] for row in sorted(kept)]

        def joined(parts: list[np.ndarray], kind: type) -> np.ndarray:
            return np.concatenate([np.zeros(0, dtype=kind), *parts]).astype(kind)

        return ShownTexts(
            rows=np.array([one.words.row for one in texts], dtype=np.int64),
            records=np.array([one.words.record for one in texts], dtype=np.int64),
            texts=tuple(one.words.text for one in texts),
            exchanged=tuple(one.exchanged for one in texts),
            first=np.cumsum([0, *(len(one.words) for one in texts)], dtype=np.int64),
            start=joined([one.words.spans[:, 0] for one in texts], np.int64),
            end=joined([one.words.spans[:, 1] for one in texts], np.int64),
            task=joined([one.task for one in texts], np.float64),
            status=joined([one.status for one in texts], np.float64),
            listed=joined([one.words.listed for one in texts], np.bool_),
            cut=joined([one.cut for one in texts], np.bool_),
        )
