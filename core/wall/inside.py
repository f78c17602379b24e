"""What the confined child of a model file is to whoever asks it: the one contract of all formats inside the wall.

Each format has one module with ``open_file(path, asked) -> Inside``. It alone imports the library that wrote the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


class Inside(Protocol):
    """A model file that has been opened."""

    @property
    def said(self) -> Mapping[str, Any]:
        """What the file says of itself, JSON."""
        ...

    @property
    def arrays(self) -> Mapping[str, np.ndarray]:
        """Arrays of numbers that leave with it, such as weights, by name."""
        ...

    def answer(self, frame: pd.DataFrame) -> np.ndarray:
        """The model's answers, shape (n, k), float64.

        Args:
            frame: n rows, with the columns that the format sends.

        Raises:
            RefusedError: It cannot answer these rows.
        """
        ...


class OpenFile(Protocol):
    """``open_file`` of a format."""

    def __call__(self, path: Path, asked: Mapping[str, Any]) -> Inside:
        """Open a file.

        Raises:
            RefusedError: It is not opened.
        """
        ...


class RefusedError(Exception):
    """A file is not opened, or rows are not answered; it reaches whoever asked as a ``ModelError`` that names the file.

    Args:
        what: Why, one sentence.
        advice: What to do about it, one sentence.
        where: The place in the file, if there is more than one candidate.
    """

    def __init__(self, what: str, advice: str = "", where: str = "") -> None:
        super().__init__(what, advice, where)
        self.what, self.advice, self.where = what, advice, where
