"""A declared fair metric: which columns may differ freely, and how much the others count."""

from typing import Annotated, Literal

from pydantic import Field

from core.metric import AbstractMetric
from core.settings import Settings, setting


class UploadedMatrix(Settings):
    """A square matrix from a file, as :func:`core.metrics.files.read_matrix` gives it."""

    columns: tuple[str, ...] = setting((), label="Columns", help="Encoded column names from the header, if it had one.")
    rows: tuple[tuple[float, ...], ...] = setting(label="Entries", help="One inner tuple a row.")


class Expert(AbstractMetric):
    """Similarity declared by an expert (Dwork et al.; papers/gradient-flow-test.md, section 4.1)."""

    kind: Literal["expert"] = "expert"
    free: tuple[str, ...] = setting(
        (), label="Columns that may differ freely", help="Two people who differ in these columns only count as the same."
    )
    weights: tuple[tuple[str, Annotated[float, Field(ge=0.0)]], ...] = setting(
        (), label="Weights", help="How much a difference in the other columns counts; 1 where nothing is said."
    )
    directions: tuple[tuple[float, ...], ...] = setting(
        (), label="Free directions", help="Directions in encoded space that are free too, one number per encoded column."
    )
    matrix: UploadedMatrix | None = setting(
        None, label="Own matrix", help="A symmetric positive semidefinite matrix over the encoded columns, instead."
    )
