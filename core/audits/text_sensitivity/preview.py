"""What a list of words finds in a table's texts, before an audit."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity.reach import GroupReach, left_by, reach_of, sides_of
from core.audits.text_sensitivity.settings import Edit
from core.base.errors import SettingsError
from core.base.grouping import Grouping
from core.data.cells import as_text
from core.data.dataset import Dataset
from core.language.told import say
from core.text.swaps import exchange, names
from core.text.word_lists import WordList
from core.text.words import spans

TEXTS_SHOWN = 100
LONGEST_SHOWN = 20_000
"""Characters; longer texts are counted and not shown."""


@dataclass(frozen=True)
class WordsLook:
    """What a list of words finds in n texts; V listed words.

    Attributes:
        texts: n.
        listed_texts: Texts with a listed word.
        exchanged_texts: Texts in which a word has a counterpart to be exchanged for.
        words: The listed words in lower case, those in most texts first.
        counts: Texts that contain each, shape (V,), int.
        records: Row number in the file (1 = first record) of each text shown, ascending; shape (m,), int.
        shown: Texts in which words are exchanged, drawn at random.
        reach: How far the list reaches each protected group.
    """

    texts: int
    listed_texts: int
    exchanged_texts: int
    words: tuple[str, ...]
    counts: np.ndarray
    records: np.ndarray
    shown: tuple[str, ...]
    reach: tuple[GroupReach, ...] = ()


def look_at_words(dataset: Dataset, words: WordList, rng: np.random.Generator) -> WordsLook:
    """Count listed words in the texts of ``dataset``, and draw some texts in which words are exchanged.

    Raises:
        SettingsError: The table has no text column.
    """
    if not dataset.roles.text:
        raise SettingsError(say("The table has no text column."), advice=say("Choose one that holds texts."))
    texts = tuple(map(str, as_text(dataset.frame[dataset.roles.text])))
    found, listed_texts, exchanged = Counter(dict.fromkeys(sorted(words.listed), 0)), 0, []
    for row, text in enumerate(texts):
        places = spans(text)
        named = set(names(text, places, words)) - {""}
        found.update(named)
        listed_texts += bool(named)
        if not named.isdisjoint(words.counterparts):
            exchanged.append(row)
    able = np.array([row for row in exchanged if len(texts[row]) <= LONGEST_SHOWN], dtype=np.int64)
    chosen = np.sort(rng.permutation(able)[:TEXTS_SHOWN])
    ranked = sorted(found, key=lambda word: (-found[word], word))
    return WordsLook(
        texts=len(texts),
        listed_texts=listed_texts,
        exchanged_texts=len(exchanged),
        words=tuple(ranked),
        counts=np.array([found[word] for word in ranked], dtype=np.int64),
        records=dataset.frame.index.to_numpy()[chosen].astype(np.int64) + 1,
        shown=tuple(texts[row] for row in chosen),
        reach=reach_of(
            [Grouping(attribute, *reversed(dataset.groups(attribute))) for attribute in dataset.roles.protected],
            sides_of(texts, words),
            np.isin(np.arange(len(texts)), exchanged),
            sides_of(texts, left_by(words)),
            dataset.clusters,
        ),
    )


def with_edit(edits: tuple[Edit, ...], record: int, text: str, words_exchanged: str) -> tuple[Edit, ...]:
    """The edits with this counterpart of a record; without one where it is what exchanging words gives anyway."""
    others = tuple(edit for edit in edits if edit.record != record)
    if text == words_exchanged:
        return others
    return tuple(sorted((*others, Edit(record=record, text=text)), key=lambda edit: edit.record))


def counterpart(edits: tuple[Edit, ...], record: int, text: str, words: WordList) -> str:
    """The counterpart of a record's text: as written by hand, or with its words exchanged."""
    written = {edit.record: edit.text for edit in edits}
    return written.get(record) or exchange(text, words).text
