"""Texts with a protected attribute, which a protected status model learns: the table's own, or another table's."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.base.errors import DataError
from core.base.files import FileStore
from core.data.cells import as_text
from core.language.options import where_chosen
from core.language.told import say
from core.protected_status.settings import Corpus, TrainedStatus
from core.text.data import EncodedTexts


@dataclass(frozen=True)
class LabelledTexts:
    """Texts with a protected attribute, to learn it from.

    Attributes:
        title: What people call the table.
        attribute: The attribute.
        texts: The texts, length n.
        codes: Group of each, shape (n,), int.
        groups: Names of the groups.
    """

    title: str
    attribute: str
    texts: tuple[str, ...]
    codes: np.ndarray
    groups: tuple[str, ...]


def own_texts(source: TrainedStatus, data: EncodedTexts) -> LabelledTexts:
    """The table's own texts with the attribute to learn.

    Raises:
        DataError: The table has no protected attribute, or not this one.
    """
    protected = data.dataset.roles.protected
    if not protected or (source.attribute and source.attribute not in protected):
        what = (
            say(
                "{attribute} is no protected attribute of this table, so no protected status model can be trained on "
                "it.",
                attribute=repr(source.attribute),
            )
            if protected
            else say("The table has no protected attribute, so no protected status model can be trained on it.")
        )
        raise DataError(
            what,
            where=say("protected status model"),
            advice=say(
                "Choose a protected attribute {where}, learn from other texts, or use word lists only.",
                where=where_chosen("protected"),
            ),
        )
    attribute = source.attribute or protected[0]
    codes, groups = data.dataset.groups(attribute)
    return _labelled(say("this table"), attribute, data.texts, codes, groups)


def other_texts(corpus: Corpus, files: FileStore) -> LabelledTexts:
    """The texts of another table; rows with an empty cell are left out.

    Raises:
        DataError: A column is missing, or everybody belongs to one group.
        SourceError: The table could not be fetched.
    """
    frame = corpus.data.load(files)
    for name in (corpus.text, corpus.attribute):
        if name not in frame.columns:
            raise DataError(
                say("The table to learn from has no column {name}.", name=repr(name)),
                where=corpus.data.title,
                advice=say("Choose among {names}.", names=", ".join(map(repr, list(map(str, frame.columns))[:8]))),
            )
    kept = frame[[corpus.text, corpus.attribute]].dropna()
    codes, groups = pd.factorize(as_text(kept[corpus.attribute]), sort=True)
    texts = tuple(map(str, as_text(kept[corpus.text])))
    return _labelled(corpus.data.title, corpus.attribute, texts, codes, tuple(map(str, groups)))


def _labelled(
    title: str, attribute: str, texts: tuple[str, ...], codes: np.ndarray, groups: tuple[str, ...]
) -> LabelledTexts:
    if len(groups) < 2:
        raise DataError(
            say("Every text belongs to the group {group}, so there is nothing to tell apart.", group=repr(groups[0]))
            if groups
            else say("No text has both words and a group, so there is nothing to learn."),
            where=say("column {attribute} of {title}", attribute=repr(attribute), title=title),
            advice=say("Choose another protected attribute, learn from other texts, or use word lists only."),
        )
    return LabelledTexts(title, attribute, texts, codes.astype(np.int64), groups)
