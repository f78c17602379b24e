"""What speaks against any result with this model and these rows, whichever way the test turns out."""

from collections.abc import Iterator

import numpy as np

from core.base.errors import Caveat
from core.contracts.metric import FittedMetric
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.guess_copies import about_the_same, same_among_features
from core.data.quality.giving_away import about_features, giving_away
from core.data.quality.unexplained import unexplained
from core.language.phrases import quoted, whole
from core.language.told import localized, say, say_as
from core.models.inspection import about_accuracy
from core.result import ModelSummary

LARGEST_SPREAD = 10.0
"""Standardised columns have a standard deviation of 1, indicators at most 0.5. A search over encoded units moves a
column by its gradient: in units c times smaller it moves people c squared times less."""
FREE_SHARE = 0.01
"""A column takes part in the free directions if they hold more than this share of its axis."""

MANY_COPIES = 0.05
"""From this share of repeated texts on the reader is warned."""


def cautions(
    model: ModelSummary, data: EncodedDataset, metric: FittedMetric | None, dataset: Dataset | None = None
) -> Iterator[Caveat]:
    """What a reader has to know about how model, rows and metric fit together.

    Args:
        model: The model's answers on the audited rows.
        data: The audited rows.
        metric: Who is similar, for tests that search by it; None for others.
        dataset: The table with all its columns, read by the test or not; the audited rows' if None.
    """
    table = data.dataset if dataset is None else dataset
    if not model.against_outcomes:
        yield from about_accuracy(model, model.direction, say_as("in", "the audited rows"))
        yield from model.fit.caveats(say_as("in", "the audited rows"))
    if metric is not None:
        yield from _raw_units(data, metric)
    yield from _repeated(data)
    yield from about_the_same(same_among_features(table))
    yield from unexplained(table)
    yield from about_features(giving_away(table, table.roles.features))


def _repeated(data: EncodedDataset) -> Iterator[Caveat]:
    """Rows that occur several times, which the test takes for independent ones.

    Nothing is said where rows belong together or stand for several people.
    """
    frame, text = data.dataset.all_cells, data.dataset.roles.text
    if data.clusters is not None or data.dataset.counted is not None:
        return
    if text:
        copies = int(frame[text].duplicated().sum())
        if copies:
            yield Caveat(
                "warning" if copies > MANY_COPIES * len(data) else "info",
                say(
                    "{copies} of {all} texts are the same as an earlier one. The sensitivity test counts each once; "
                    "the intervals of other tests are narrower than they should be.",
                    copies=whole(copies),
                    all=whole(len(data)),
                ),
                say("Remove repeated texts, unless they were written independently of each other."),
            )
        return
    repeated = int(frame.duplicated().sum())
    if repeated:
        yield Caveat(
            "info",
            say(
                "{repeated} of {all} audited rows repeat an earlier one in every column with a role.",
                repeated=whole(repeated),
                all=whole(len(data)),
            ),
            say(
                "If the same people occur twice, remove them, or say which column names the person that a "
                "row belongs to: the test counts each row as a person."
            ),
        )


def _raw_units(data: EncodedDataset, metric: FittedMetric) -> Iterator[Caveat]:
    spread = data.x.std(axis=0)
    searched = (metric.free**2).sum(axis=0) > FREE_SHARE
    coarse = np.flatnonzero(searched & (spread > LARGEST_SPREAD))
    if len(coarse):
        first = coarse[spread[coarse].argmax()]
        if data.encoder.is_embedding:
            yield Caveat(
                "warning",
                say(
                    "The embedding's coordinates have standard deviations up to {spread}, where the search expects "
                    "about 1: it hardly moves texts along the longest of them, so that a violation may go unseen.",
                    spread=localized(f"{spread[first]:,.3g}"),
                ),
                say("Repeat the test with larger steps, and compare."),
            )
            return
        yield Caveat(
            "serious",
            say(
                "The model reads {column} in raw units, standard deviation {spread}, where the search expects "
                "about 1: it hardly moves people along this column, so that a violation may go unseen.",
                column=quoted(metric.columns[first]),
                spread=localized(f"{spread[first]:,.3g}"),
            ),
            say(
                "Bring the model with its standardisation as preprocessing, so that the search sees standardised "
                "columns."
            ),
        )
