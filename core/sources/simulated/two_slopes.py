"""The simulated population of section 1.1 of papers/fair-dummies.md: another column matters in each group."""

from typing import Literal

import numpy as np
import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.contracts.source import AbstractSource
from core.data.roles import Roles
from core.language.told import say
from core.sources.public.split import PARTS, SPLIT_SEED, Part, part_of_rows

MINORITY_SHARE = 0.1
SLOPE = 3.0
"""What the column that matters adds to the outcome per unit; it also is that column's standard deviation."""


class TwoSlopes(AbstractSource):
    """Two groups whose outcomes are equally easy to predict, each from a column of its own.

    In the majority (A = 0 in the paper) the outcome is 3 x2 plus standard normal noise, and x2 has the standard
    deviation 3, x1 has 1. In the minority (A = 1), a tenth, the two columns change places. One linear model for
    everybody follows the majority and errs about the minority.
    """

    kind: Literal["two_slopes"] = "two_slopes"
    rows: int = setting(10_000, label=say("Rows"), help=say("People to simulate."), ge=100, le=1_000_000)
    seed: int = setting(0, label=say("Seed of the population"), help=say("The same seed gives the same people."), ge=0)
    part: Part = setting(
        "all",
        names=PARTS,
        label=say("Rows"),
        help=say("All people, the four fifths a model is trained on, or the fifth it is judged on."),
    )
    split_seed: int = SPLIT_SEED

    @property
    def title(self) -> str:
        """See the base class."""
        return say("Two simulated groups, another column matters in each")

    def load(self, files: FileStore) -> pd.DataFrame:
        """Columns ``x1``, ``x2`` (numbers), ``group`` ("majority", "minority") and ``y`` (a number)."""
        rng = np.random.default_rng(self.seed)
        minority = rng.random(self.rows) < MINORITY_SHARE
        matters, other = SLOPE * rng.standard_normal(self.rows), rng.standard_normal(self.rows)
        table = pd.DataFrame(
            {
                "x1": np.where(minority, matters, other),
                "x2": np.where(minority, other, matters),
                "group": np.where(minority, "minority", "majority"),
                "y": SLOPE * matters + rng.standard_normal(self.rows),
            }
        )
        return part_of_rows(table, self.part, self.split_seed)

    def roles(self, frame: pd.DataFrame) -> Roles:
        """A model reads both columns and not the group, which is protected."""
        return Roles(outcome="y", outcome_type="number", protected=("group",), features=("x1", "x2"))
