"""The words of one text, with each model's sensitivity to them as shares of the text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.result import ShownTexts


@dataclass(frozen=True)
class ReadWords:
    """The W words of one text.

    Attributes:
        text: The text.
        found: Where they stand, rows (begin, end), shape (W, 2), int.
        task: Share of the audited model's sensitivity on each, so that the text's words share 1; NaN if the model
            does not read the word; shape (W,).
        task_size: The sensitivity itself, wᵀJ summed over the word's tokens and coordinates; shape (W,).
        status: Share of the protected status model's; NaN if cut off or without such a model; shape (W,).
        listed: Whether the word names a group, shape (W,), bool.
        cut: Whether the model does not read it, shape (W,), bool.
    """

    text: str
    found: np.ndarray
    task: np.ndarray
    task_size: np.ndarray
    status: np.ndarray
    listed: np.ndarray
    cut: np.ndarray

    @classmethod
    def of(cls, shown: ShownTexts, place: int) -> ReadWords:
        """Text number ``place`` of those kept for reading."""
        part = slice(int(shown.first[place]), int(shown.first[place + 1]))
        return cls(
            text=shown.texts[place],
            found=np.column_stack((shown.start[part], shown.end[part])),
            task=_shares(shown.task[part]),
            task_size=shown.task[part],
            status=_shares(shown.status[part]),
            listed=shown.listed[part],
            cut=shown.cut[part],
        )

    @property
    def words(self) -> tuple[str, ...]:
        """The words themselves."""
        return tuple(self.text[start:end] for start, end in self.found)

    @property
    def with_status(self) -> bool:
        """Whether there is a protected status model."""
        return bool(np.isfinite(self.status).any())


def _shares(values: np.ndarray) -> np.ndarray:
    total = np.nansum(values)
    return np.asarray(values / total if total > 0 else values)
