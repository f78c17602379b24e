"""ProPublica's COMPAS table, prepared as in App. G of the gradient-flow paper or as in the FaiTH paper."""

from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.data.roles import Roles
from core.language.told import say
from core.sources.public.fetch import AbstractPublished, PublicFile, fetch
from core.sources.public.split import PARTS, SPLIT_SEED, Part, part_of_rows

_FILE = PublicFile(
    "compas",
    "compas-scores-two-years.csv",
    "https://raw.githubusercontent.com/propublica/compas-analysis/master/compas-scores-two-years.csv",
    "c451db85908b2f7fef1d83203bedf6b71ecda0d5af468d82ae62178f91d0cc7d",
)
FEATURES = ("sex", "race", "priors_count", "age_cat", "c_charge_degree")

PRIORS = ("none", "1 to 3", "more than 3")  # verbatim
"""Values of ``priors`` in the FaiTH paper's table."""
FAITH_FEATURES = ("sex", "race", "age_cat", "priors", "c_charge_degree")
"""Every combination of these and the outcome: 2 x 2 x 3 x 3 x 2 x 2 = 144 kinds of people."""

Preparation = Literal["gradient-flow paper", "FaiTH paper"]  # verbatim


class Compas(AbstractPublished):
    """Defendants of Broward County: is somebody charged again within two years?

    Prepared as in the gradient-flow paper (6,172 rows) and learned by the encoder, the features are App. G's seven
    columns in its order: one indicator for sex (1 = Male), one for race (1 = Not-Caucasian), standardised
    ``priors_count``, three indicators for ``age_cat``, and one for ``c_charge_degree``. The last marks M where App. G
    marks F; mirroring an indicator changes no distance.

    Prepared as in the FaiTH paper (5,278 rows): African-American and Caucasian defendants only, ``priors`` in three
    classes, and a split 70 to 30. It follows the preprocessing of the AIF360 toolkit, which that paper compares with;
    with it Table 1 of papers/faith.md comes out again.
    """

    title: ClassVar[str] = "ProPublica COMPAS"  # verbatim
    published: ClassVar[tuple[PublicFile, ...]] = (_FILE,)

    kind: Literal["compas"] = "compas"
    part: Part = setting(
        "test",
        names=PARTS,
        label=say("Rows"),
        help=say(
            "All rows, those a model is trained on (80%; 70% in the FaiTH paper), or the rest, on which it is judged."
        ),
    )
    split_seed: int = SPLIT_SEED
    preparation: Preparation = setting(
        "gradient-flow paper",  # verbatim
        names={
            "gradient-flow paper": say("gradient-flow paper"),  # verbatim
            "FaiTH paper": say("FaiTH paper"),  # verbatim
        },
        label=say("Prepared as in"),
        help=say(
            "Gradient-flow paper: 6,172 people, Caucasian or not, with the number of prior charges. FaiTH paper: "
            "5,278 African-American or Caucasian people, with prior charges in three classes."
        ),
    )

    def load(self, files: FileStore) -> pd.DataFrame:
        """The table in original units: 6,172 of ProPublica's 7,214 rows, or the 5,278 of them the FaiTH paper keeps.

        ProPublica's filters, in this order: the screening lies at most 30 days before or after the arrest
        (``days_b_screening_arrest``), the case was found (``is_recid`` is not -1), the charge is no ordinary traffic
        offence (``c_charge_degree`` is not O), and a score was given (``score_text`` is not N/A). In this file the
        last three remove nobody beyond the first. Race becomes Caucasian or Not-Caucasian; for the FaiTH paper
        everybody but African-American and Caucasian people goes. ProPublica's own ``decile_score`` (1 to 10, high
        means likely to be charged again) is kept as a score to audit.

        Raises:
            SourceError: The file could not be fetched, or is not the published one.
        """
        kept = kept_rows()
        if self.preparation == "FaiTH paper":  # verbatim
            return part_of_rows(_prepared_for_faith(kept), self.part, self.split_seed, share=0.7)
        table = kept[[*FEATURES, "decile_score", "two_year_recid"]].assign(
            race=kept["race"].where(kept["race"] == "Caucasian", "Not-Caucasian")
        )
        return part_of_rows(table, self.part, self.split_seed)

    def roles(self, frame: pd.DataFrame) -> Roles:
        """Sex and race are protected, and features too, as in both papers; not being charged again is favourable."""
        features = FAITH_FEATURES if self.preparation == "FaiTH paper" else FEATURES  # verbatim
        return Roles(outcome="two_year_recid", favourable="0", protected=("sex", "race"), features=features)


def kept_rows() -> pd.DataFrame:
    """ProPublica's rows, with all their columns, that pass its filters; see :meth:`Compas.load`.

    Raises:
        SourceError: The file could not be fetched, or is not the published one.
    """
    raw = pd.read_csv(fetch(_FILE))
    return raw[
        raw["days_b_screening_arrest"].between(-30, 30)
        & (raw["is_recid"] != -1)
        & (raw["c_charge_degree"] != "O")
        & raw["score_text"].notna()
    ].reset_index(drop=True)


def black_or_white(kept: pd.DataFrame) -> pd.DataFrame:
    """The rows of African-American and Caucasian people."""
    return kept[kept["race"].isin(["African-American", "Caucasian"])].reset_index(drop=True)


def _prepared_for_faith(kept: pd.DataFrame) -> pd.DataFrame:
    table = black_or_white(kept)
    classes = np.digitize(table["priors_count"], [1, 4])
    return table.assign(priors=np.array(PRIORS)[classes])[[*FAITH_FEATURES, "decile_score", "two_year_recid"]]
