"""Where a table comes from, as settings: what the form asks for and what the record keeps."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import pandas as pd

from core.base.errors import Caveat
from core.base.files import FileStore
from core.base.progress import OnProgress
from core.base.settings import Settings
from core.data.roles import Roles


@dataclass(frozen=True)
class BlockOfRows:
    """Some rows of a table that is too large for memory.

    Attributes:
        where: Which these are, in words.
        frame: Those without a gap in the columns that were asked for, numbered from 0 within the block.
        read: How many rows there are with those that have a gap.
        gaps: How many have a gap in each column that has any.
    """

    where: str
    frame: pd.DataFrame
    read: int
    gaps: tuple[tuple[str, int], ...]


class AbstractRemaining(ABC):
    """The rows of a table besides those that :meth:`AbstractSource.load` gives.

    Attributes:
        rows: How many there are in each part that is gone through by itself.
    """

    rows: tuple[int, ...]

    @abstractmethod
    def blocks(self, part: int, columns: Sequence[str]) -> Iterator[BlockOfRows]:
        """Those of a part with these columns, always in the same blocks and order.

        Raises:
            DataError: They cannot be read (says which).
        """


class AbstractSource(Settings, ABC):
    """Settings of a data source. Subclasses add ``kind: Literal[...]`` and their own fields.

    Attributes:
        share_of_run: Share of a run that reading the table takes, about; 0 where it is soon read.
    """

    share_of_run: ClassVar[float] = 0.0

    def about_reading(self, files: FileStore) -> tuple[Caveat, ...]:
        """What a reader of a result has to know of how the table is read."""
        return ()

    def for_categories(self, known: Mapping[str, tuple[str, ...]], frame: pd.DataFrame, files: FileStore) -> Self:
        """How the table is read for a model that knows these categories of its columns; as it is, for most sources.

        Args:
            known: The categories by column.
            frame: The table as it is read now.
            files: Where uploads lie.
        """
        return self

    def remaining(self, files: FileStore) -> AbstractRemaining | None:
        """The rows that :meth:`load` leaves for a test that adds up blocks of rows; None for most sources."""
        return None

    @property
    def kept_as(self) -> tuple[str, ...]:
        """Names of the files in which what was read stays, so that it is read once; none for most sources."""
        return ()

    @property
    def content(self) -> str:
        """What holds the rows, the same whatever their columns are for and however a file is read."""
        return self.fingerprint

    @property
    @abstractmethod
    def title(self) -> str:
        """What people call it ("UCI Adult", "applicants.csv")."""

    def fetch(self) -> None:
        """Download what :meth:`load` reads, unless it is kept already; nothing for most sources.

        Raises:
            SourceError: It could not be fetched, or its checksum is wrong.
        """

    @abstractmethod
    def load(self, files: FileStore) -> pd.DataFrame:
        """The table: unique column names as text, one row a person, missing cells as NaN.

        Raises:
            DataError: The file is not a table, or is damaged (says where).
            SourceError: A built-in source could not be fetched, or its checksum is wrong.
        """

    def read_slowly(self, files: FileStore, on_progress: OnProgress) -> pd.DataFrame:
        """As :meth:`load`, telling how far it is where that takes long; ``on_progress`` may raise to stop."""
        return self.load(files)

    @abstractmethod
    def roles(self, frame: pd.DataFrame) -> Roles | None:
        """The roles a built-in source declares, or a guess from an uploaded table; None if nothing can be guessed."""
