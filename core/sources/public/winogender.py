"""Winogender schemas: the same sentence with she, he and they."""

from typing import ClassVar, Literal

import pandas as pd

from core.base.files import FileStore
from core.data.roles import Roles
from core.sources.public.fetch import AbstractPublished, PublicFile, fetch

_FILE = PublicFile(
    "winogender",
    "winogender_all_sentences.tsv",
    "https://raw.githubusercontent.com/rudinger/winogender-schemas/master/data/all_sentences.tsv",
    "bd69da16bf228cb8df63fd0843aec2d8b5c36a7f21bf8c7b168bcc83932556c8",
)


class Winogender(AbstractPublished):
    """720 sentences: 120 templates about 60 occupations, two participants and three pronouns each.

    Rudinger et al. (2018), MIT licence. The sentences come in triples that differ in the pronoun alone, so a model that
    answers a triple in three ways answers to the pronoun.
    """

    title: ClassVar[str] = "Winogender"
    published: ClassVar[tuple[PublicFile, ...]] = (_FILE,)

    kind: Literal["winogender"] = "winogender"

    def load(self, files: FileStore) -> pd.DataFrame:
        """The sentences, and what their identifiers say.

        Columns ``sentence``; ``occupation``; ``participant`` (the other person, or "someone"); ``pronoun of``
        ("occupation" or "participant": whom it stands for) and ``gender`` of the pronoun ("female", "male", "neutral").

        Raises:
            SourceError: The file could not be fetched, or is not the published one.
        """
        raw = pd.read_csv(fetch(_FILE), sep="\t", dtype="str", keep_default_na=False)
        parts = raw["sentid"].str.split(".", expand=True)
        return pd.DataFrame(
            {
                "sentence": raw["sentence"],
                "occupation": parts[0],
                "participant": parts[1],
                "pronoun of": parts[2].map({"0": "occupation", "1": "participant"}),  # verbatim
                "gender": parts[3],
            }
        )

    def roles(self, frame: pd.DataFrame) -> Roles:
        """The pronoun's gender is protected. No outcome: the sentences ask for nothing that a classifier answers."""
        return Roles(text="sentence", protected=("gender",))
