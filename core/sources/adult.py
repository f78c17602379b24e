"""UCI Adult, prepared as in App. F.1 of the gradient-flow paper."""

from typing import Literal

import pandas as pd

from core.dataset import Roles
from core.files import FileStore
from core.settings import setting
from core.source import AbstractSource


class Adult(AbstractSource):
    """45,222 people of the 1994 US census: does somebody earn more than 50,000 dollars a year?"""

    kind: Literal["adult"] = "adult"
    part: Literal["all", "train", "test"] = setting(
        "test", label="Rows", help="All 45,222 rows, the 36,177 a model is trained on, or the 9,045 it is judged on."
    )
    split_seed: int = setting(
        51668, label="Split seed", help="Which rows are for training and which for testing.", ge=0, le=2**32 - 1
    )

    @property
    def title(self) -> str:
        """What people call it."""
        return "UCI Adult"

    def load(self, files: FileStore) -> pd.DataFrame:
        """The table in original units."""
        raise NotImplementedError

    def roles(self, frame: pd.DataFrame) -> Roles:
        """Sex and race are protected and no features."""
        raise NotImplementedError
