"""A folder of Parquet files, or a large one, as a table of counts."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import ClassVar, Literal, Self

import pandas as pd
from pydantic import model_validator

from core.base.errors import Caveat, DataError
from core.base.files import FileStore, FolderRef, write_whole
from core.base.progress import OnProgress, ignore_progress, part_of
from core.base.settings import Settings, setting
from core.contracts.source import AbstractRemaining, AbstractSource
from core.data.left_out import gaps_told
from core.data.roles import Roles
from core.language.phrases import first_few, quoted, whole
from core.language.told import localized, say
from core.sources.folder.asking import AskedModel, ToBeAsked
from core.sources.folder.blocks import require_columns, require_limits
from core.sources.folder.counting import count_kinds
from core.sources.folder.listing import Listing, list_folder
from core.sources.folder.looking import as_frame, first_rows
from core.sources.folder.looking_over import LookedOver, look_over
from core.sources.folder.sampling import Undrawn, draw_rows
from core.sources.upload.limits import MAXIMUM_ROWS

_COMPARING = 0.4
"""Share of reading that is for looking all rows over."""


class Ranges(Settings):
    """Where a column of numbers is cut into ranges."""

    column: str = setting(label=say("Column"), help=say("The column's name in the table."), min_length=1)
    limits: tuple[float, ...] = setting(
        label=say("Limits"), help=say("Ascending: each range begins at one of them."), min_length=1
    )


class FolderTable(AbstractSource):
    """A folder of Parquet files of up to 10^9 rows, each a person: its rows are counted where they lie, or drawn."""

    kind: Literal["folder"] = "folder"
    share_of_run: ClassVar[float] = 0.9

    folder: FolderRef = setting(label=say("Folder"), help=say("A folder of Parquet files, or one of them."))
    columns: tuple[str, ...] = setting(
        (), label=say("Columns that are counted"), help=say("Rows that agree in all of them are of one kind.")
    )
    ranges: tuple[Ranges, ...] = setting(
        (),
        label=say("Ranges"),
        help=say("Columns of numbers that are counted in ranges."),
        empty=say("each value is counted by itself"),
    )

    sample: int = setting(
        0,
        label=say("Rows drawn at random"),
        help=say("So many rows are audited, drawn at random; 0 counts all."),
        ge=0,
        le=MAXIMUM_ROWS,
    )
    seed: int = setting(0, label=say("Seed"), help=say("The same seed draws the same rows."), ge=0)
    compared: tuple[str, ...] = setting(
        (),
        label=say("Columns that are looked over"),
        help=say("Empty cells and ranges of all rows are told. Rows that agree in all of these columns are copies."),
        empty=say("none: rows are not looked over"),
    )
    all_rows: bool = setting(
        False,
        label=say("All rows are audited"),
        help=say("Rows drawn at random teach what is learned; all others are then gone through in blocks."),
    )
    asked: AskedModel | None = setting(
        None,
        label=say("Model that is asked about each row"),
        help=say("What it answers is counted as one of the columns."),
        empty=say("none"),
    )

    @model_validator(mode="after")
    def _no_column_twice(self) -> Self:
        names = [one.column for one in self.ranges]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise ValueError(say("The column {name} has limits twice.", name=quoted(twice)))
        return self

    @property
    def content(self) -> str:
        """See the base class; another draw of rows is of the same folder."""
        return self.folder.sha256

    @property
    def title(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def kept_as(self) -> tuple[str, str]:
        """See the base class: the rows as they were read, and what was seen in all."""
        read = self.model_copy(update={"compared": (), "all_rows": False})
        seen = FolderTable(folder=self.folder, compared=self.compared)
        return f"{self.folder.sha256}.{read.fingerprint}.kinds", f"{self.folder.sha256}.{seen.fingerprint}.seen"

    @property
    def limits(self) -> dict[str, tuple[float, ...]]:
        """The limits between ranges, by column."""
        return {one.column: one.limits for one in self.ranges}

    def about_reading(self, files: FileStore) -> tuple[Caveat, ...]:
        """How many rows repeat others, what was learned from some, and who was asked about each."""
        rows = whole(self.folder.rows)
        told = (
            say("{drawn} rows were drawn at random from the {rows} of the folder.", drawn=whole(self.sample), rows=rows)
            if 0 < self.sample < self.folder.rows and not self.all_rows
            else say("The {rows} rows of the folder were read where they lie.", rows=rows)
        )
        copies = say("Whether rows repeat others was looked at in some of them only.")
        found = self._seen(files) if self.compared else None
        if found is not None:
            copies = say(
                "Of {rows} rows that were compared with all others {repeated} repeat an earlier one.",
                rows=whole(found.copies.rows),
                repeated=whole(found.copies.repeated),
            )
        said = [Caveat("info", say("{told} {more}", told=told, more=copies))]
        if found is not None and found.empty:
            said.append(Caveat("info", say("Empty cells among all rows: {columns}.", columns=gaps_told(found.empty))))
        if found is not None and (ends := [one for one in found.ends if one[0] in self.columns]):
            columns = [
                say(
                    "{name} from {low} to {high}",
                    name=quoted(name),
                    low=localized(f"{low:g}"),
                    high=localized(f"{high:g}"),
                )
                for name, low, high in ends
            ]
            said.append(Caveat("info", say("Numbers among all rows: {columns}.", columns=first_few(columns, 6))))
        if self.all_rows:
            said.append(
                Caveat(
                    "info",
                    say(
                        "What is learned from rows, such as how columns are prepared, was learned from {drawn} rows "
                        "drawn at random. People who are shown are among them. All others were then gone through in "
                        "blocks.",
                        drawn=whole(min(self.sample, self.folder.rows)),
                    ),
                )
            )
        if self.asked is not None:
            said.append(
                Caveat(
                    "info",
                    say(
                        "{model} was fitted to some rows and then asked about each. What is judged is its decision, "
                        "the class with the highest probability.",
                        model=quoted(self.asked.model.title),
                    ),
                )
            )
        return tuple(said)

    def listing(self, files: FileStore) -> Listing:
        """The files of the folder.

        Raises:
            SourceError: It is not known where it lies.
            DataError: They cannot be read, or are not those that are named.
        """
        listing = list_folder(files.path(self.folder).resolve())
        if listing.ref(self.folder.name) != self.folder:
            raise DataError(
                say("The folder {name} was changed: its files are not those that were named.", name=self.folder.name),
                where=say("names, sizes and footers of its files"),
                advice=say("Bring the very files, or audit the folder again as it is."),
            )
        asked = () if self.asked is None else self.asked.reads
        require_columns((*(name for name in self.columns if not self.answers(name)), *self.limits, *asked), listing)
        require_limits(self.limits)
        return listing

    def answers(self, name: str) -> bool:
        """Whether a column holds what the model answers that is asked about each row."""
        return self.asked is not None and name == self.asked.column

    def load(self, files: FileStore) -> pd.DataFrame:
        """A row for each kind, and last a column that says how many rows of the files are of it; or rows drawn."""
        return self.read_slowly(files, ignore_progress)

    def read_slowly(self, files: FileStore, on_progress: OnProgress) -> pd.DataFrame:
        """See the base class; what was counted once stays with the files."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        listing = self.listing(files)
        if self.compared:
            self._look_over(listing, files, part_of(on_progress, 0.0, _COMPARING))
            on_progress = part_of(on_progress, _COMPARING, 1.0)
        known = files.root / self.kept_as[0]
        try:
            counted = pq.read_table(known)
        except (OSError, pa.ArrowException):
            if self.sample:
                counted = draw_rows(listing, self.columns, self.limits, (self.sample, self.seed), on_progress)
            else:
                asked = self.asked
                question = None if asked is None else ToBeAsked.of(asked, first_rows(listing, {}), files)
                try:
                    counted = count_kinds(listing, self.columns, self.limits, on_progress, question=question)
                finally:
                    if question is not None:
                        question.forget()
            stream = io.BytesIO()
            pq.write_table(counted, stream)
            write_whole(known, stream.getvalue())
        return as_frame(counted)

    def _look_over(self, listing: Listing, files: FileStore, on_progress: OnProgress) -> None:
        """Look over all rows, unless that was done, and refuse rows of which more than 5% are copies beyond chance.

        Raises:
            DataError: They are.
        """
        found = self._seen(files)
        if found is None:
            found = look_over(listing, self.compared, on_progress)
            write_whole(files.root / self.kept_as[1], found.to_json().encode())
        if found.copies.too_many:
            raise DataError(
                say(
                    "Of {rows} rows that were compared with all others {repeated} are exact copies of an earlier one, "
                    "far more than by chance: copies say nothing new.",
                    rows=whole(found.copies.rows),
                    repeated=whole(found.copies.repeated),
                ),
                where=say("all rows of the folder, predictions left aside"),
                advice=say(
                    "Take out the copies. If rows belong together, bring a table in one file and name the column that "
                    "tells."
                ),
            )

    def _seen(self, files: FileStore) -> LookedOver | None:
        """What was seen in all rows; None where nobody looked."""
        try:
            return LookedOver.from_json((files.root / self.kept_as[1]).read_bytes())
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def remaining(self, files: FileStore) -> AbstractRemaining | None:
        """The rows that are not drawn, where they are audited too."""
        if not self.all_rows:
            return None
        found = Undrawn(self.listing(files), (self.sample, self.seed))
        return found if sum(found.rows) else None

    def roles(self, frame: pd.DataFrame) -> Roles | None:
        """None: roles are chosen before the rows are counted."""
        return None


def limits_of(given: Sequence[tuple[str, tuple[float, ...]]]) -> tuple[Ranges, ...]:
    """Limits by column, as settings."""
    return tuple(Ranges(column=name, limits=ends) for name, ends in given)
