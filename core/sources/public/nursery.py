"""UCI Nursery, an outcome of four classes, as in section 4.2 of the fair-dummies paper."""

from typing import ClassVar, Literal

import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.data.roles import Roles
from core.language.told import say
from core.sources.public.fetch import AbstractPublished, PublicFile, fetch
from core.sources.public.split import PARTS, SPLIT_SEED, Part, part_of_rows

_FILE = PublicFile(
    "nursery",
    "nursery_data.csv",
    "https://archive.ics.uci.edu/ml/machine-learning-databases/nursery/nursery.data",
    "8e0389c3dd37590248a921c2726d869ee96b817761a35eb8416afa24f31f931d",
)
FEATURES = ("parents", "has_nurs", "form", "children", "housing", "social", "health")
_COLUMNS = (*FEATURES[:5], "finance", *FEATURES[5:], "class")
_DROPPED = "recommend"


class Nursery(AbstractPublished):
    """12,958 applications to nursery schools of Ljubljana in the 1980s: how are they ranked?

    UCI's table has 12,960 rows and five classes. Section 4.2 of papers/fair-dummies.md has four: its authors' code
    leaves out the two rows with the class "recommend", and so is it done here. Financial standing ("convenient" or
    "inconv") is the protected attribute and no feature. The authors number the values of five features (parents: 0, 1,
    2); here every value has an indicator of its own, so that a linear model may weigh each.
    """

    title: ClassVar[str] = "UCI Nursery"  # verbatim
    published: ClassVar[tuple[PublicFile, ...]] = (_FILE,)

    kind: Literal["nursery"] = "nursery"
    part: Part = setting(
        "test",
        names=PARTS,
        label=say("Rows"),
        help=say(
            "All 12,958 applications, the 60% that a model is trained on, or the 40% on which it is judged: half of "
            "these to learn where to look for differences, half to test, as in the paper."
        ),
    )
    split_seed: int = SPLIT_SEED

    def load(self, files: FileStore) -> pd.DataFrame:
        """The seven features, financial standing and the class, as text.

        Raises:
            SourceError: The file could not be fetched, or is not the published one.
        """
        raw = pd.read_csv(fetch(_FILE), header=None, names=list(_COLUMNS), dtype=str)
        table = raw[raw["class"] != _DROPPED][[*FEATURES, "finance", "class"]].reset_index(drop=True)
        return part_of_rows(table, self.part, self.split_seed, share=0.6)

    def roles(self, frame: pd.DataFrame) -> Roles:
        """Financial standing is protected and no feature; a special priority is the best that can come out."""
        return Roles(
            outcome="class",
            favourable="spec_prior",
            protected=("finance",),
            features=FEATURES,
            categorical=("children",),
        )
