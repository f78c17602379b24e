"""A learned fair metric: what a small network uses to tell protected groups apart is free."""

from typing import Literal

from core.metric import AbstractLearnedMetric
from core.settings import setting


class ProtectedStatus(AbstractLearnedMetric):
    """Protected Status Model for tables (papers/prediction-sensitivity.md, 6.4.2; Mukherjee et al. 2020)."""

    kind: Literal["protected_status"] = "protected_status"
    protected: tuple[str, ...] = setting(
        (), label="Protected attributes", help="Attributes to predict; empty means all of them."
    )
    hidden: int = setting(32, label="Hidden units", help="Width of the network's hidden layer.", ge=2, le=1024)
    epochs: int = setting(
        60, label="Longest training", unit="epochs", help="Training stops earlier once it no longer helps.", ge=1, le=1000
    )
    directions: int | None = setting(
        None, label="Free directions", help="How many directions are free; empty lets the share below decide.", ge=1
    )
    explained_share: float = setting(
        0.9, label="Explained share", help="Share of the squared gradients that the free directions cover.", gt=0, le=1
    )
    include_protected_columns: bool = setting(
        True, label="Free the protected columns themselves", help="Where the model reads a protected attribute."
    )
