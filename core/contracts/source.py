"""Where a table comes from, as settings: what the form asks for and what the record keeps."""

from abc import ABC, abstractmethod

import pandas as pd

from core.base.files import FileStore
from core.base.settings import Settings
from core.data.roles import Roles


class AbstractSource(Settings, ABC):
    """Settings of a data source. Subclasses add ``kind: Literal[...]`` and their own fields."""

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

    @abstractmethod
    def roles(self, frame: pd.DataFrame) -> Roles | None:
        """The roles a built-in source declares, or a guess from an uploaded table; None if nothing can be guessed."""
