"""Which outcome each label of a column probably means, where labels are not named as outcomes are."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.data.cells import as_text
from core.data.dataset import Dataset
from core.language.phrases import quoted, share_text
from core.language.told import Retelling, say
from core.models.predictions import Meaning

MOST_LABELS = 20
"""A column with more different values holds no labels that anybody could say the meaning of."""


@dataclass(frozen=True)
class ProposedMeaning(Retelling):
    """A label, the outcome that it goes with, and why.

    Attributes:
        meaning: Both.
        reason: What the table says for it, one sentence.
    """

    meaning: Meaning
    reason: str


def propose_meanings(dataset: Dataset, column: str) -> tuple[ProposedMeaning, ...]:
    """For each label of a column the outcome that is most over-represented among its rows.

    It takes for granted that the answers are right more often than chance has it, so somebody has to confirm it.

    Args:
        dataset: The table; its outcome holds classes.
        column: The column of labels.

    Returns:
        One entry a label, sorted; empty where every label is an outcome, and where there are more than 20.
    """
    labels, classes = as_text(dataset.frame[column]), dataset.labels
    if not dataset.roles.outcome or not classes:
        return ()
    names = sorted(labels.unique())
    if set(names) <= set(classes) or len(names) > MOST_LABELS:
        return ()
    counts = (
        pd.crosstab(labels, as_text(dataset.frame[dataset.roles.outcome]))
        .reindex(index=names, columns=list(classes), fill_value=0)
        .to_numpy(dtype=np.float64)
    )
    overall = counts.sum(axis=0) / counts.sum()
    shares = counts / counts.sum(axis=1, keepdims=True)
    likeliest = (shares / overall).argmax(axis=1)
    return tuple(
        ProposedMeaning(
            Meaning(label=name, outcome=name if name in classes else classes[place]),
            say("{name} is an outcome", name=quoted(name))
            if name in classes
            else say(
                "of the rows with {label}, {share} have the outcome {outcome}; of all rows, {overall}",
                label=quoted(name),
                share=share_text(float(shares[row, place])),
                outcome=quoted(classes[place]),
                overall=share_text(float(overall[place])),
            ),
        )
        for row, (name, place) in enumerate(zip(names, likeliest, strict=True))
    )
