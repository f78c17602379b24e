"""A model known only by its answers, which lie in columns of the table."""

from __future__ import annotations

from typing import Literal

from core.model import AbstractModelSource
from core.settings import setting


class PredictionColumns(AbstractModelSource):
    """Answers that are already in the table: labels, a probability, a score, or a probability for each class."""

    kind: Literal["predictions"] = "predictions"
    columns: tuple[str, ...] = setting(
        label="Prediction columns",
        help="The column with the model's answers; for a probability of each class one column per class, in the "
        "order of the classes.",
        min_length=1,
    )
    holds: Literal["labels", "probability", "score", "class probabilities"] = setting(
        "labels",
        label="The column holds",
        help="Outcomes as the outcome column writes them; the probability of the favourable outcome, 0 to 1; a score "
        "that is compared with a threshold; or one probability for each class.",
    )
    threshold: float | None = setting(
        None, label="Threshold", help="Scores at or above it count as high. Needed for a score only."
    )
    high_scores: Literal["favourable", "unfavourable"] = setting(
        "favourable", label="High scores are", help="Whether a high score is good or bad for the person."
    )
