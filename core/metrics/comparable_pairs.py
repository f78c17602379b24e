"""A learned fair metric: what differs between people the auditor calls comparable is free."""

from typing import Annotated, Literal

from pydantic import Field

from core.metric import AbstractMetric
from core.settings import setting

RowNumber = Annotated[int, Field(ge=0)]


class ComparablePairs(AbstractMetric):
    """Leading directions of the differences between comparable pairs (Mukherjee et al. 2020)."""

    kind: Literal["comparable_pairs"] = "comparable_pairs"
    pairs: tuple[tuple[RowNumber, RowNumber], ...] = setting(
        label="Comparable pairs", help="Rows of people who deserve the same answer, by number in the file (0 = first)."
    )
    directions: int | None = setting(
        None, label="Free directions", help="How many directions are free; empty lets the share below decide.", ge=1
    )
    explained_share: float = setting(
        0.9, label="Explained share", help="Share of the pairs' differences that the free directions cover.", gt=0, le=1
    )
    learn_on: Literal["paired rows", "audited rows"] = setting(
        "paired rows",
        label="Paired rows",
        help="Rows named in a pair are not audited, which keeps the test exact; or they are audited too.",
    )
    include_protected_columns: bool = setting(
        True, label="Free the protected columns themselves", help="Where the model reads a protected attribute."
    )
