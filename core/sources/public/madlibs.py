"""Madlibs: sentences of a few templates that name a group, kind and unkind ones alike."""

import re
from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.data.roles import Roles
from core.language.told import say
from core.sources.public.fetch import AbstractPublished, PublicFile, fetch

_FILE = PublicFile(
    "madlibs",
    "bias_madlibs_77k.csv",
    "https://raw.githubusercontent.com/conversationai/unintended-ml-bias-analysis/"
    "ff0f436f0c3bf336702f80644b935b9bcc296cb4/unintended_ml_bias/eval_datasets/bias_madlibs_77k.csv",
    "aac542254cf158415ec74623d54fa76176f26a7e7d8ef20788e1748a05ba5b4c",
)

NOBODY = "(none)"
IDENTITIES = {
    "age": "young younger old older elderly teenage aged millennial millenial senior adult",  # verbatim
    "disability": "blind deaf paralyzed disabled autistic mute",  # verbatim
    "gender": "male female woman man nonbinary trans transgender intersex cisgender",  # verbatim
    "orientation": "gay lesbian bisexual heterosexual homosexual straight queer lgbt lgbtq asexual",  # verbatim
    "origin": "african american asian european mexican canadian chinese japanese indian korean arab latino latina "
    "latinx hispanic black white german french italian turkish eastern nigerian brazilian",  # verbatim
    "religion": "christian muslim jewish buddhist catholic protestant sikh taoist hindu atheist mormon",  # verbatim
}
"""Our own words for groups of people, by what they are groups of; written in lower case, as in the templates."""

_SEVERAL = {"african american": "origin", "middle eastern": "origin", "middle aged": "age"}  # verbatim
_KINDS = {word: kind for kind, words in IDENTITIES.items() for word in words.split()} | _SEVERAL
_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_KINDS, key=len, reverse=True))})\b")


class Madlibs(AbstractPublished):
    """76,564 short sentences for and against 50 groups (Dixon et al., 2018; Apache-2.0): half BAD, half NOT_BAD.

    Every group is named equally often in kind and in unkind sentences, so a filter that is right about the sentences
    treats all groups alike.
    """

    title: ClassVar[str] = "Madlibs (77k)"  # verbatim
    published: ClassVar[tuple[PublicFile, ...]] = (_FILE,)

    kind: Literal["madlibs"] = "madlibs"
    rows: int = setting(
        3_000,
        label=say("Sentences"),
        unit=say("rows"),
        help=say("So many sentences, drawn at random without repetition; 76,564 are all of them."),
        ge=100,
        le=76_564,
    )
    seed: int = setting(0, label=say("Seed"), help=say("The same seed draws the same sentences."), ge=0)

    def load(self, files: FileStore) -> pd.DataFrame:
        """The sentences drawn, in the file's order.

        Columns ``Text``, ``Label`` ("BAD", "NOT_BAD") and ``Template`` of the file; ``identity``, the group that is
        named, and ``identity kind``, what it is a group of (:data:`IDENTITIES`); "(none)" for the 864 sentences that
        name an occupation.

        Raises:
            SourceError: The file could not be fetched, or is not the published one.
        """
        raw = pd.read_csv(fetch(_FILE), keep_default_na=False, dtype="str")
        drawn = np.sort(np.random.default_rng(self.seed).permutation(len(raw))[: self.rows])
        table = raw.iloc[drawn].reset_index(drop=True)
        found = [match.group() if (match := _WORD.search(text)) else NOBODY for text in table["Text"]]
        return table.assign(
            **{"identity": found, "identity kind": [_KINDS.get(identity, NOBODY) for identity in found]}  # verbatim
        )

    def roles(self, frame: pd.DataFrame) -> Roles:
        """A model tells whether a sentence is bad; what kind of group it names is protected."""
        return Roles(text="Text", outcome="Label", favourable="NOT_BAD", protected=("identity kind",))  # verbatim
