"""Real biographies with occupation and gender: a sample of Bias in Bios."""

from typing import ClassVar, Literal

import pandas as pd

from core.base.files import FileStore
from core.data.roles import Roles
from core.language.told import say
from core.sources.public.fetch import AbstractPublished, PublicFile, fetch

_FILE = PublicFile("bios", "bios.csv", "", "7507abcb8a44a7aa09e43a6a2be4725d5b4c2e74a2eb4f55a19481eae9fd0f3a")


class Bios(AbstractPublished):
    """People of 28 occupations, in the words of their web pages (De-Arteaga et al., 2019; MIT licence).

    1,278 biographies without their first sentence, which names the occupation: 1,008 of accountants, ten of each other
    occupation. The sample was put together from files of a public repository; no address gives the one file, so
    everybody brings it, and it is checked by its SHA-256. The full corpus is ``LabHC/bias_in_bios`` on the Hugging Face
    hub; any table of it can be uploaded instead.
    """

    published: ClassVar[tuple[PublicFile, ...]] = (_FILE,)

    kind: Literal["bios"] = "bios"

    @property
    def title(self) -> str:
        """See the base class."""
        return say("Bias in Bios (sample)")

    def load(self, files: FileStore) -> pd.DataFrame:
        """The file's rows: ``hard_text``, ``profession`` and ``gender`` ("Female", "Male").

        Raises:
            SourceError: The file is not there, or is not the one expected.
        """
        return pd.read_csv(fetch(_FILE), keep_default_na=False, dtype="str")

    def roles(self, frame: pd.DataFrame) -> Roles:
        """A model tells the profession from the text; gender is protected."""
        return Roles(text="hard_text", outcome="profession", protected=("gender",))
