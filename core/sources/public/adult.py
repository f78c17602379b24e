"""UCI Adult, prepared as in App. F.1 of the gradient-flow paper."""

from typing import ClassVar, Literal

import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.data.roles import Roles
from core.language.told import say
from core.sources.public.fetch import AbstractPublished, PublicFile, fetch
from core.sources.public.split import PARTS, Part, part_of_rows

_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/"
_TRAIN = PublicFile(
    "adult", "adult.data", _UCI + "adult.data", "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"
)
_TEST = PublicFile(
    "adult", "adult.test", _UCI + "adult.test", "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05"
)
_NAMES = """
age workclass fnlwgt education education-num marital-status occupation relationship
race sex capital-gain capital-loss hours-per-week native-country income
"""  # verbatim
COLUMNS = tuple(_NAMES.split())
CONTINUOUS = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")
CATEGORICAL = ("workclass", "marital-status", "occupation", "relationship")


class Adult(AbstractPublished):
    """45,222 people of the 1994 US census: does somebody earn more than 50,000 dollars a year?"""

    title: ClassVar[str] = "UCI Adult"  # verbatim
    published: ClassVar[tuple[PublicFile, ...]] = (_TRAIN, _TEST)

    kind: Literal["adult"] = "adult"
    part: Part = setting(
        "test",
        names=PARTS,
        label=say("Rows"),
        help=say("All 45,222 rows, the 36,177 a model is trained on, or the 9,045 it is judged on."),
    )
    split_seed: int = setting(
        51668,
        label=say("Split seed"),
        help=say("Which rows are for training and which for testing."),
        ge=0,
        le=2**32 - 1,
    )

    def load(self, files: FileStore) -> pd.DataFrame:
        """The table in original units, as App. F.1 prepares it.

        UCI's training file is followed by its test file; rows with any missing entry go (in whatever column), the
        columns fnlwgt, education and native-country go, and race becomes White or Non-white. Encoded, the five
        numbers and four categories give 39 columns.

        Raises:
            SourceError: A file could not be fetched, or is not the published one.
        """
        raw = pd.concat([_read(_TRAIN, skip=0), _read(_TEST, skip=1)], ignore_index=True).dropna(ignore_index=True)
        table = raw[[*CONTINUOUS, *CATEGORICAL]].assign(
            sex=raw["sex"],
            race=raw["race"].where(raw["race"] == "White", "Non-white"),
            income=raw["income"].str.removesuffix("."),
        )
        return part_of_rows(table, self.part, self.split_seed)

    def roles(self, frame: pd.DataFrame) -> Roles:
        """Sex and race are protected and no features."""
        return Roles(
            outcome="income", favourable=">50K", protected=("sex", "race"), features=(*CONTINUOUS, *CATEGORICAL)
        )


def _read(file: PublicFile, skip: int) -> pd.DataFrame:
    return pd.read_csv(
        fetch(file), header=None, names=list(COLUMNS), na_values="?", skipinitialspace=True, skiprows=skip
    )
