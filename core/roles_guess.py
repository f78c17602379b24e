"""What each column of a table is probably for, guessed from its name and its values; the user has the last word."""

from dataclasses import dataclass

import pandas as pd

from core.dataset import Roles


@dataclass(frozen=True)
class RolesGuess:
    """A guess that may be partial.

    Attributes:
        outcome: The outcome column; None when no column looks like one.
        favourable: Its favourable value as text; None without an outcome.
        protected: Columns that look like protected attributes.
        features: Everything else a model could read.
        predictions: Columns that look like a model's answers.
        ignored: Columns left without a role, each with the reason.
    """

    outcome: str | None
    favourable: str | None
    protected: tuple[str, ...]
    features: tuple[str, ...]
    predictions: tuple[str, ...]
    ignored: tuple[tuple[str, str], ...]

    @property
    def roles(self) -> Roles | None:
        """The guess as roles; None unless it has an outcome and a protected attribute."""
        if self.outcome is None or self.favourable is None or not self.protected:
            return None
        return Roles(
            outcome=self.outcome,
            favourable=self.favourable,
            protected=self.protected,
            features=self.features,
            predictions=self.predictions,
        )


def guess_roles(frame: pd.DataFrame) -> RolesGuess:
    """Guess a role for every column of ``frame``."""
    raise NotImplementedError
