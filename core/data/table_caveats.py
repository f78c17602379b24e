"""What is to be said about a table with its roles: what was left out, filled or read as missing."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd

from core.base.errors import Caveat
from core.base.settings import name_of_choice
from core.data.bins import is_continuous
from core.data.cells import as_text
from core.data.clusters import about_clusters
from core.data.dataset import Dataset
from core.data.left_out import FILL_IN, as_a_group, gaps_told, level_of
from core.data.look_alikes import about_look_alikes
from core.data.roles import Roles
from core.language.phrases import count, quoted, whole
from core.language.told import retold, say


def caveats_of(dataset: Dataset) -> tuple[Caveat, ...]:
    """What was left out and filled, for the record."""
    said = [
        *_about_counts(dataset),
        *_about_missing(dataset, dataset.rows_left_out - dataset.texts_empty),
        *_about_texts(dataset),
        *_about_cells(dataset),
    ]
    if dataset.clusters is not None:
        said += about_clusters(dataset.frame[dataset.roles.belongs_to], dataset.clusters)
    return *said, *_about_look_alikes(dataset)


def _about_counts(dataset: Dataset) -> Iterator[Caveat]:
    if dataset.table is not None and dataset.counted is not None:
        yield from dataset.counted.caveats(by_person=dataset.table.by_person)
        if not dataset.table.by_person:
            yield from dataset.counted.tells_persons(dataset.table.brought)


def _about_missing(dataset: Dataset, rows: int) -> Iterator[Caveat]:
    """Rows left out for missing cells, and those of them whose group is not known.

    New York's Local Law 144 asks for the latter (Rules of the City of New York, title 6, section 5-301).
    """
    roles = dataset.roles
    if rows:
        level = level_of(dataset.left_out, dataset.rows_left_out, dataset.rows_read)
        yield Caveat(
            level,
            say(
                "Left out {n} of {rows} for missing cells. Empty: {columns}.",
                n=whole(rows),
                rows=count(dataset.rows_read, "row"),
                columns=gaps_told(tuple(one for one in dataset.gaps if one[0] != roles.text)),
            ),
            "" if level == "info" else retold(FILL_IN),
        )
    for name, unknown in dataset.gaps:
        if name in roles.protected:
            yield Caveat(
                "info",
                say(
                    "Left out {rows} whose {name} is missing, so that no group counts them.",
                    rows=count(unknown, "row"),
                    name=quoted(name),
                ),
                as_a_group(roles),
            )


def _about_texts(dataset: Dataset) -> Iterator[Caveat]:
    if dataset.texts_empty:
        yield Caveat(
            "info",
            say(
                "Left out {n} of {texts}: empty, or nothing but blanks.",
                n=whole(dataset.texts_empty),
                texts=count(dataset.rows_read, "text"),
            ),
        )
    if dataset.roles.text and len(dataset.labels) == 1:
        yield Caveat(
            "warning",
            say(
                "Every text has the same outcome, {outcome}: how well the model tells outcomes apart cannot be seen.",
                outcome=quoted(dataset.labels[0]),
            ),
        )
    known = dataset.frame[list(dataset.roles.annotation)].notna().any(axis=1)
    if dataset.roles.annotation and (judged := int(known.sum())) < len(dataset):
        yield Caveat(
            "info",
            say(
                "People judged {n} of {texts}; nobody said about the rest.",
                n=whole(judged),
                texts=count(len(dataset), "text"),
            ),
        )


def _about_cells(dataset: Dataset) -> Iterator[Caveat]:
    how = name_of_choice(Roles, "missing", dataset.roles.missing)
    for name, filled in dataset.cells_imputed:
        cells = count(filled, "missing cell")
        yield Caveat("info", say("Filled {cells} of {name} ({how}).", cells=cells, name=quoted(name), how=how))
    for name, no_numbers in dataset.cells_not_numbers:
        cells = count(no_numbers, "cell")
        yield Caveat("info", say("Read {cells} of {name} as missing, being no number.", cells=cells, name=quoted(name)))


def _about_look_alikes(dataset: Dataset) -> Iterator[Caveat]:
    roles = dataset.roles
    favourable = {roles.outcome: roles.favourable} if roles.outcome and dataset.labels else {}
    for name in (*favourable, *roles.protected):
        if not is_continuous(dataset.frame[name]):
            yield from about_look_alikes(name, _rows_of(dataset, name), favourable=favourable.get(name))


def _rows_of(dataset: Dataset, name: str) -> Counter[str]:
    """How often each value of a column occurs."""
    codes, values = pd.factorize(as_text(dataset.frame[name]))
    people = np.bincount(codes, dataset.times).astype(np.int64)
    return Counter(dict(zip(map(str, values), people.tolist(), strict=True)))
