"""The simulated population of App. E.1: two groups that differ along one direction."""

from typing import Literal

import numpy as np
import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.contracts.source import AbstractSource
from core.data.roles import Roles
from core.language.told import say


class TwoGroups(AbstractSource):
    """Eq. E.1: a minority of 10% whose first coordinate is shifted by three, and an outcome that uses it unfairly.

    The outcome rule is applied to each group's centred coordinates. As printed, without the centring, the rule gives
    every person the outcome 1; the authors' own sample (Fig. 1) follows the centred rule, with half of each group at 1.
    """

    kind: Literal["two_groups"] = "two_groups"
    rows: int = setting(
        400, label=say("Rows"), help=say("People to simulate; the paper uses 400."), ge=30, le=1_000_000
    )
    seed: int = setting(0, label=say("Seed of the population"), help=say("The same seed gives the same people."), ge=0)

    @property
    def title(self) -> str:
        """See the base class."""
        return say("Two simulated groups")

    def load(self, files: FileStore) -> pd.DataFrame:
        """Columns ``x1``, ``x2`` (numbers), ``group`` ("majority", "minority") and ``y`` (0 or 1)."""
        rng = np.random.default_rng(self.seed)
        minority = rng.random(self.rows) < 0.1
        sign = np.where(minority, 1.0, -1.0)
        centred = 0.25 * rng.standard_normal((self.rows, 2))
        x = centred + np.column_stack([1.5 * sign, np.zeros(self.rows)])
        score = 0.2 * sign * centred[:, 0] - 0.01 * centred[:, 1] + 0.01 * rng.standard_normal(self.rows)
        return pd.DataFrame(
            {
                "x1": x[:, 0],
                "x2": x[:, 1],
                "group": np.where(minority, "minority", "majority"),
                "y": (score > 0).astype(np.int64),
            }
        )

    def roles(self, frame: pd.DataFrame) -> Roles:
        """A model reads both coordinates; the group is protected."""
        return Roles(outcome="y", favourable="1", protected=("group",), features=("x1", "x2"))
