"""A scikit-learn model saved with skops: linear models and perceptrons become torch modules, others answer only."""

from __future__ import annotations

from typing import Literal

from core.files import FileRef
from core.model import AbstractModelSource
from core.settings import setting


class SklearnFile(AbstractModelSource):
    """A scikit-learn estimator or pipeline saved with skops."""

    kind: Literal["sklearn"] = "sklearn"
    file: FileRef = setting(label="skops file", help="A .skops file written by skops.io.dump.")
