"""Where a table comes from, as settings: what the form asks for and what the record keeps."""

from abc import ABC, abstractmethod
from typing import ClassVar

import pandas as pd

from core.base.errors import Caveat
from core.base.files import FileStore
from core.base.progress import OnProgress
from core.base.settings import Settings
from core.data.roles import Roles


class AbstractSource(Settings, ABC):
    """Settings of a data source. Subclasses add ``kind: Literal[...]`` and their own fields.

    Attributes:
        share_of_run: Share of a run that reading the table takes, about; 0 where it is soon read.
    """

    share_of_run: ClassVar[float] = 0.0

    @property
    def about_reading(self) -> tuple[Caveat, ...]:
        """What a reader of a result has to know of how the table is read."""
        return ()

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
