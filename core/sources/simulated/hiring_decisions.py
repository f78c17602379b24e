"""Decisions of a simulated screening, and nothing about who would have done well: the table of most bias audits."""

from typing import Literal

import numpy as np
import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.contracts.source import AbstractSource
from core.data.roles import Roles
from core.language.told import say
from core.sources.simulated.hiring import FEATURES, GROUPS, OUTCOME, SCREENED, Hiring


class HiringDecisions(AbstractSource):
    """Applicants of the invented company and whom its biased program invites; some do not state their ethnicity."""

    kind: Literal["hiring_decisions"] = "hiring_decisions"
    rows: int = setting(
        5_000,
        label=say("Applicants"),
        unit=say("rows"),
        help=say("Number of simulated applicants."),
        ge=100,
        le=1_000_000,
    )
    not_stated: float = setting(
        0.03,
        label=say("Share who do not state their ethnicity"),
        help=say("Their ethnicity is left empty, at random."),
        ge=0.0,
        le=0.5,
    )
    seed: int = setting(0, label=say("Seed"), help=say("The same seed gives the same applicants."), ge=0)

    @property
    def title(self) -> str:
        """What people call it."""
        return say("Simulated hiring, invitations without outcomes")

    def load(self, files: FileStore) -> pd.DataFrame:
        """The applicants; nothing is fetched or read."""
        frame = Hiring(fair=True, rows=self.rows, seed=self.seed, screening="biased").load(files)
        unstated = np.random.default_rng((self.seed, 1)).random(len(frame)) < self.not_stated
        frame["ethnicity"] = frame["ethnicity"].mask(unstated)
        return frame.drop(columns=OUTCOME)

    def roles(self, frame: pd.DataFrame) -> Roles:
        """Gender and ethnicity are protected; who did not state it is counted and not compared."""
        return Roles(
            favourable="yes",
            protected=tuple(GROUPS),
            features=FEATURES,
            predictions=(SCREENED,),
            missing="own category",  # verbatim
        )
