"""The diabetes data of Efron, Hastie, Johnstone and Tibshirani (2004), as scikit-learn ships them."""

from typing import Literal

import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.contracts.source import AbstractSource
from core.data.roles import Roles
from core.language.told import say
from core.sources.public.split import PARTS, SPLIT_SEED, Part, part_of_rows

_NAMES = {
    "age": "age",
    "sex": "sex",
    "bmi": "body mass index",  # verbatim
    "bp": "blood pressure",  # verbatim
    "s1": "s1 total cholesterol",  # verbatim
    "s2": "s2 low-density lipoproteins",  # verbatim
    "s3": "s3 high-density lipoproteins",  # verbatim
    "s4": "s4 cholesterol ratio",  # verbatim
    "s5": "s5 perhaps log triglycerides",  # verbatim
    "s6": "s6 blood sugar",  # verbatim
}
FEATURES = tuple(_NAMES.values())
OUTCOME = "progression"
_SEXES = {1.0: "sex 1", 2.0: "sex 2"}


class Diabetes(AbstractSource):
    """442 people with diabetes: how far had the disease gone a year after these ten measurements?

    Real data, in their own units ("Least Angle Regression", Annals of Statistics 32(2), 2004). They come with
    scikit-learn, so nothing is fetched. The outcome is a quantitative measure of the progression of the disease, larger
    is worse, without a unit. What is known of the columns is what scikit-learn's description says: it does not say
    which sex the codes 1 and 2 stand for, and of s5 that it is "possibly" the logarithm of the triglycerides.
    """

    kind: Literal["diabetes"] = "diabetes"
    part: Part = setting(
        "test",
        names=PARTS,
        label=say("Rows"),
        help=say(
            "All 442 people, the three tenths that a model is trained on, or the rest, on whom it is judged: they are "
            "few, and a test needs more of them than a plain model does."
        ),
    )
    split_seed: int = SPLIT_SEED

    @property
    def title(self) -> str:
        """See the base class."""
        return say("Progression of diabetes")

    def load(self, files: FileStore) -> pd.DataFrame:
        """The ten measurements, sex as text and the rest numbers, and ``progression``; nothing is fetched."""
        from sklearn.datasets import load_diabetes

        raw = load_diabetes(as_frame=True, scaled=False).frame
        table = raw.rename(columns={**_NAMES, "target": OUTCOME})
        table["sex"] = table["sex"].map(_SEXES)
        return part_of_rows(table, self.part, self.split_seed, share=0.3)

    def roles(self, frame: pd.DataFrame) -> Roles:
        """Sex and age are protected, and a model reads them too, as it does the rest."""
        return Roles(outcome=OUTCOME, outcome_type="number", protected=("sex", "age"), features=FEATURES)
