"""ProPublica's COMPAS table, prepared as in App. G of the gradient-flow paper."""

from typing import Literal

import pandas as pd

from core.dataset import Roles
from core.files import FileStore
from core.settings import setting
from core.source import AbstractSource


class Compas(AbstractSource):
    """6,172 defendants of Broward County: is somebody charged again within two years?"""

    kind: Literal["compas"] = "compas"
    part: Literal["all", "train", "test"] = setting(
        "test", label="Rows", help="All 6,172 rows, the 4,937 a model is trained on, or the 1,235 it is judged on."
    )
    split_seed: int = setting(
        0, label="Split seed", help="Which rows are for training and which for testing.", ge=0, le=2**32 - 1
    )

    @property
    def title(self) -> str:
        """What people call it."""
        return "ProPublica COMPAS"

    def load(self, files: FileStore) -> pd.DataFrame:
        """The table in original units."""
        raise NotImplementedError

    def roles(self, frame: pd.DataFrame) -> Roles:
        """Sex and race are protected, and features too, as in App. G."""
        raise NotImplementedError
