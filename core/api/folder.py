"""Folders of Parquet files: some rows say what columns are for, then all are counted in what the tests read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self, TypeGuard

import numpy as np
import pandas as pd

from core.api.choices import Choices
from core.api.roles import check_names
from core.api.sampled import told_of_power
from core.audits import AuditSettings
from core.base.errors import DataError, SettingsError
from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.data.roles import Roles
from core.language.options import option
from core.language.phrases import count, listed, quoted
from core.models import ModelSource
from core.models.predictions import PredictionColumns
from core.models.proof import compared_columns
from core.sources.folder.asking import AskedModel, require_readable
from core.sources.folder.blocks import require_columns, require_limits
from core.sources.folder.counting import memory_to_count, name_of_count, processes_for, require_memory
from core.sources.folder.listing import SUFFIXES, is_large, list_folder
from core.sources.folder.looking import FEW, are_few_kinds, some_rows, with_few_kinds
from core.sources.folder.looking_over import columns_to_compare
from core.sources.folder.sampling import memory_to_draw, memory_to_go_through
from core.sources.folder.table import FolderTable, Ranges
from core.sources.upload.limits import MAXIMUM_ROWS

_MEGABYTE = 2**20
TEACHING = 100_000
"""Rows that are drawn to teach what is learned before all others are gone through."""
_HARDLY_ALIKE = 0.2
"""Kinds a row from which it is hopeless to count those of a much larger table."""


def is_read_where_it_lies(table: Path, chosen: Choices) -> bool:
    """Whether a table is a folder, or a Parquet file that is too large for memory or is to be counted in ranges."""
    if table.is_dir():
        return True
    parquet = table.suffix.lower() in SUFFIXES and table.is_file()
    named = [name for name in ("ranges", "sample") if getattr(chosen, name)]
    if named and not parquet:
        raise SettingsError(
            "Only the rows of Parquet files are counted in ranges or drawn at random.",
            where=option(named[0]),
            advice=f"Save the table as Parquet, or leave {option(named[0])} out.",
        )
    return parquet and (bool(named) or is_large(table))


def brought_folder(table: Path, chosen: Choices, files: FileStore) -> FolderTable:
    """A folder as a table; nothing of it is copied.

    Raises:
        EvenhandError: It holds no Parquet files of one table, or limits of ranges are none.
    """
    listing = list_folder(table)
    ref, ranges = listing.ref(table.resolve().name), ranges_of(chosen.ranges)
    source = FolderTable(folder=ref, ranges=ranges, sample=chosen.sample, seed=chosen.seed)
    require_columns(source.limits, listing)
    require_limits(source.limits)
    files.link(table, source.folder)
    return source


def ranges_of(given: Iterable[str] | Mapping[str, Sequence[float]]) -> tuple[Ranges, ...]:
    """Limits of columns, written as ``COLUMN=30,45`` or given by their names.

    Raises:
        SettingsError: They are no numbers.
    """
    told = given.items() if isinstance(given, Mapping) else (one.rpartition("=")[::2] for one in given)
    found = []
    for name, ends in told:
        try:
            limits = tuple(map(float, ends.split(",") if isinstance(ends, str) else ends))
            found.append(Ranges(column=name, limits=limits))
        except (TypeError, ValueError) as error:
            raise SettingsError(
                f"The limits {ends!r} of {quoted(name)} are no numbers.",
                where=option("ranges"),
                advice=f"Write them as {option('ranges', ('age', '30,45'))}.",
            ) from error
    return tuple(found)


def look(source: FolderTable, chosen: Choices, files: FileStore) -> pd.DataFrame:
    """Rows from all over the folder, from which roles are guessed.

    Raises:
        EvenhandError: They cannot be read, or lack a column that is named.
    """
    listing = source.listing(files)
    frame = some_rows(listing, source.limits)
    check_names(chosen, frame, source.title)
    for name in ("counts", "belongs_to", *(() if chosen.sample else ("text",))):
        if column := getattr(chosen, name):
            raise DataError(
                "Each row of a folder is one person by themselves, and rows that are counted keep no texts.",
                where=f"{option(name)}, column {quoted(column)}",
                advice=f"Leave {option(name)} out, or bring a smaller table in one file.",
            )
    return frame


def takes_no_counts(audit: AuditSettings, dataset: Dataset) -> str:
    """Why a test cannot be run on rows that were counted; empty where it can."""
    if audit.takes_counts(dataset):
        return ""
    return f"It needs a row for each person, and the rows of a folder are counted. {_draw()}"


def _draw() -> str:
    """How rows are drawn instead of counting all."""
    return f"To draw rows at random, add {option('sample', MAXIMUM_ROWS)}."


def is_counted(source: object) -> TypeGuard[FolderTable]:
    """Whether a table is a folder of which all rows are counted."""
    return isinstance(source, FolderTable) and not source.sample


def adds_up(named: Sequence[AuditSettings], model: AbstractModel, dataset: Dataset) -> bool:
    """Whether the tests that are named go through all rows in blocks.

    Raises:
        SettingsError: Some do, and others take counts; or one does not suit.
    """
    through = [one for one in named if one.adds_up]
    if why := next(filter(None, (one.is_compatible(model, dataset) for one in through)), ""):
        raise SettingsError(why, where=option("tests"), advice="Choose another test.")
    if through and len(through) < len(named):
        raise SettingsError(
            "Some of these tests take counts, and others go through all rows in blocks.",
            where=option("tests"),
            advice=f"Name {listed([one.kind for one in through])} in an audit without the others. {_draw()}",
        )
    return bool(through)


def gone_through(source: FolderTable, looked_at: Dataset) -> FolderTable:
    """The folder with rows drawn at random that teach what is learned, after which all others are gone through.

    Raises:
        DataError: Columns are cut into ranges, or hold texts.
    """
    if source.ranges or looked_at.all_roles.text:
        raise DataError(
            "Rows that are gone through are read as they are, with numbers and categories.",
            where=option("ranges") if source.ranges else option("text"),
            advice="Leave it out, or draw rows at random.",
        )
    return source.model_copy(update={"sample": TEACHING, "all_rows": True})


def too_many_kinds(audits: Mapping[str, AuditSettings], model: AbstractModel, dataset: Dataset) -> dict[str, str]:
    """Tests that tell people apart by so much that hardly two of some rows are alike, by kind, with the reason."""
    cells, found = dataset.all_cells, {}
    for kind, audit in audits.items():
        columns = list(dataset.all_roles.reading(audit.reads(model, dataset.all_roles)).columns)
        if (~cells.duplicated(columns)).sum() > _HARDLY_ALIKE * len(cells) > FEW:
            values = cells[columns].nunique()
            most = quoted(str(values.idxmax()))
            found[kind] = f"It reads {most}, which has too many values to be counted without ranges. {_draw()}"
    return found


@dataclass(frozen=True)
class AuditedFolder:
    """A folder, some of whose rows were looked at, and the model that is audited on it.

    Attributes:
        source: The folder.
        files: Where it lies.
        roles: What its columns are for.
        model: The model as it was brought, or the column of predictions.
        loaded: The model.
        dataset: The rows that were looked at.
    """

    source: FolderTable
    files: FileStore
    roles: Roles
    model: ModelSource
    loaded: AbstractModel
    dataset: Dataset

    def with_all_rows(
        self, named: Sequence[AuditSettings], frame: pd.DataFrame, data: EncodedDataset, answers: np.ndarray
    ) -> Self:
        """The folder with what is needed to take in all its rows, unless rows are drawn.

        Tests that go through rows in blocks learn from some. A model file that reads too much to be asked about kinds
        is asked about each row, and its answers are a column.

        Args:
            named: The tests that are named.
            frame: The rows that were looked at, with all columns.
            data: The same as the model reads them, n.
            answers: What it answers, shape (n, k).

        Raises:
            DataError: The rows cannot be read block by block as they were looked at.
            SettingsError: Some of the tests take counts, and others go through all rows.
        """
        source, model, loaded = self.source, self.model, self.loaded
        if source.sample:
            return self
        if adds_up(named, loaded, self.dataset):
            return replace(self, source=gone_through(source, self.dataset))
        roles, cells = data.dataset.all_roles, data.dataset.all_cells
        here = model.answers_in_the_table or model.only_here or not loaded.classes
        if here or are_few_kinds(cells, roles.reading(loaded.reads).columns):
            return self
        listing, column = source.listing(self.files), model.title
        while column in listing.schema.names:
            column += "_"
        read = roles.reading(loaded.reads).model_copy(update={"predictions": (), "labels": ()})
        asked = AskedModel(column=column, model=model, roles=read, reads=loaded.reads)
        require_readable(read, loaded.reads, listing, frame)
        answered = pd.Series(np.array(loaded.classes, dtype=object)[answers.argmax(axis=1)], data.dataset.frame.index)
        known = ("trained_on", "direction_confirmed")
        columns = PredictionColumns(columns=(column,), **{name: getattr(model, name) for name in known})
        roles = roles.model_copy(update={"predictions": (column,)})
        dataset = columns.dataset(frame.reset_index(drop=True).assign(**{column: answered}), roles)
        asking = source.model_copy(update={"asked": asked})
        return replace(
            self,
            source=asking,
            roles=roles,
            model=columns,
            loaded=columns.load(self.files, dataset),
            dataset=dataset,
        )

    def counted_or_drawn(self, tests: Sequence[AuditSettings]) -> tuple[FolderTable, Roles, tuple[str, ...]]:
        """The folder with the columns that are counted or drawn, the roles of these, and what is said of it.

        Raises:
            DataError: Rows are copies of others.
            SettingsError: A test needs a row for each person, or a column that was named has too many values.
        """
        source, roles, model, loaded, dataset = self.source, self.roles, self.model, self.loaded, self.dataset
        copies, listing = _told_of_copies(dataset), source.listing(self.files)
        source = source.model_copy(update={"compared": columns_to_compare(listing, dataset.brought, roles)})
        if source.sample:
            return replace(self, source=source)._drawn(tests, copies)
        for test in tests:
            if why := takes_no_counts(test, dataset):
                raise SettingsError(why, where=option("tests"), advice="Choose a test that works on counts.")
        reads = {name for test in tests for name in test.reads(loaded, roles)}
        besides, left = _looked_at(tests, reads, dataset)
        read = roles.reading((*reads, *besides))
        beside = [name for name in compared_columns(model, roles) if name in listing.schema.names]
        columns = tuple(dict.fromkeys((*read.columns, *beside)))
        source = source.model_copy(update={"columns": columns})
        processes = processes_for(listing, source.asked)
        memory = memory_to_count(listing, columns, processes, source.asked)
        beside_each_other = "one process" if processes == 1 else f"{processes} processes"
        told = [
            f"{count(listing.rows, 'row')} of {count(len(listing.parts), 'file')} are counted in "
            f"{listed([*map(quoted, columns)])}; roles were guessed from some of them.",
            f"Counting takes up to {memory / _MEGABYTE:,.0f} MB of memory, in {beside_each_other}.",
            copies,
        ]
        if source.asked is not None:
            told.insert(
                1,
                f"{quoted(source.asked.model.title)} is asked about each row, as it was fitted to the rows that were "
                "looked at. What is counted is its decision, the class with the highest probability.",
            )
        if left:
            told.append(
                f"Not counted: {listed([*map(quoted, left)])}, which would make too many combinations. To look within "
                f"them, cut numbers by {option('ranges', (left[0], '30,45'))}."
            )
        return source, read.model_copy(update={"counts": name_of_count(columns)}), tuple(told)

    def _drawn(self, tests: Sequence[AuditSettings], copies: str) -> tuple[FolderTable, Roles, tuple[str, ...]]:
        """The folder with the columns of rows that are drawn, and what that costs; ``copies`` is said of rows alike."""
        source, roles, looked_at, width = self.source, self.roles, self.dataset, self.loaded.encoder.width
        listing = source.listing(self.files)
        keeps, beside = max(one.keeps(roles) for one in tests), compared_columns(self.model, roles)
        columns = tuple(name for name in dict.fromkeys((*roles.columns, *beside)) if name in listing.schema.names)
        rows = min(source.sample, listing.rows)
        memory = memory_to_draw(listing, columns, rows, processes_for(listing))
        if source.all_rows:
            require_readable(roles, [name for name in roles.columns if name in columns], listing, looked_at.all_cells)
            needed = max(memory, memory_to_go_through(listing, columns, rows, width, keeps))
            require_memory(needed)
            cost = (
                f"{rows:,} of {count(listing.rows, 'row')} are drawn at random and teach what is learned; all others "
                "are then gone through in blocks.",
                f"This takes up to {needed / _MEGABYTE:,.0f} MB of memory.",
            )
        else:
            cost = (
                f"{rows:,} of {count(listing.rows, 'row')} are drawn at random: intervals are about "
                f"{(listing.rows / rows) ** 0.5:.1f} times as wide as those of all rows. "
                f"{told_of_power(looked_at, rows, listing.rows)}",
                f"Drawing takes up to {memory / _MEGABYTE:,.0f} MB of memory.",
            )
        return source.model_copy(update={"columns": columns}), roles, (*cost, copies)


def read_together(sources: Sequence[FolderTable], files: FileStore) -> tuple[FolderTable, str, str]:
    """One folder that several audits count or draw, in the columns of all of them.

    Returns:
        The folder, the name of the column that counts, and what reading takes.
    """
    columns = tuple(dict.fromkeys(name for one in sources for name in one.columns))
    source, listing = sources[0].model_copy(update={"columns": columns}), sources[0].listing(files)
    processes = processes_for(listing)
    memory = (
        memory_to_draw(listing, columns, source.sample, processes)
        if source.sample
        else memory_to_count(listing, columns, processes)
    )
    told = f"For all models together {listed([*map(quoted, columns)])} are read once, in up to"
    return source, name_of_count(columns), f"{told} {memory / _MEGABYTE:,.0f} MB of memory."


def _told_of_copies(rows: Dataset) -> str:
    """How many of the rows that were looked at repeat others, which neither counts nor rows drawn at random show.

    Raises:
        DataError: They are more than 5% beyond chance: copies say nothing new.
    """
    copies = rows.copies
    if copies is None:
        return "Whether rows repeat others was not looked at."
    if copies.too_many:
        raise DataError(
            f"Of {copies.rows:,} rows that were looked at {copies.repeated:,} are exact copies of an earlier one, far "
            "more than by chance: copies say nothing new.",
            where="rows from all over the folder, predictions left aside",
            advice="Take out the copies. If rows belong together, bring a table in one file and name the column that "
            f"tells: {option('belongs_to', 'COLUMN')}.",
        )
    return f"Of {copies.rows:,} rows that were looked at {copies.repeated:,} repeat an earlier one."


def _looked_at(
    tests: Sequence[AuditSettings], reads: Iterable[str], dataset: Dataset
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Columns that tests look at besides what they read: those that leave few combinations, and the others.

    Raises:
        SettingsError: One of the others was named.
    """
    roles = dataset.all_roles
    others = dict.fromkeys(name for test in tests for name in test.looks_at(roles) if name not in reads)
    taken, left = with_few_kinds(dataset.all_cells, roles.reading(tuple(reads)).columns, others)
    kept = roles.reading((*reads, *taken))
    if named := [name for test in tests for name in test.looks_at(kept) if name in left]:
        raise SettingsError(
            f"The column {quoted(named[0])} would make too many combinations to be counted.",
            where=option("columns"),
            advice=f"Cut its numbers by {option('ranges', (named[0], '30,45'))}, or leave it out.",
        )
    return taken, left
