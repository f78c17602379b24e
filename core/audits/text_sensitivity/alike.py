"""Texts that belong together: as a column says, or because they are alike but for a word."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.audits.text_sensitivity.result import Families
from core.base.errors import Caveat
from core.language.phrases import count
from core.language.told import say
from core.text.families import families, frame
from core.text.word_lists import WordList

SHOWN = 10
"""Families that are kept with what their texts have in common."""
_FEWEST_TEXTS = 5
"""What fewer texts have in common is not told: it may say whose they are."""


def families_of(
    texts: Sequence[str], words: WordList, clusters: np.ndarray | None, *, independent: bool
) -> Families | None:
    """Which texts belong together; None where no column says it and no two are alike.

    Args:
        texts: n texts.
        words: The words that name a group.
        clusters: What a column says they belong to, shape (n,), int; None without such a column.
        independent: Whether the auditor says that texts are independent although they are alike.
    """
    if clusters is not None:
        return Families(np.unique(clusters, return_inverse=True)[1].astype(np.int64), "column", True, (), ())
    codes = families(texts, words)
    sizes = np.bincount(codes)
    if len(sizes) == len(texts):
        return None
    largest = [int(one) for one in np.argsort(-sizes, kind="stable")[:SHOWN] if sizes[one] >= _FEWEST_TEXTS]
    frames = tuple(
        frame([text for text, code in zip(texts, codes, strict=True) if code == one], words) for one in largest
    )
    return Families(codes, "words", not independent, tuple(int(sizes[one]) for one in largest), frames)


def about_families(found: Families | None) -> Iterator[Caveat]:
    """How many families there are, and whether they count."""
    if found is None or found.known == "column":
        return
    alike = say(
        "{texts} fall into {families} of texts that differ from another in one word or not at all",
        texts=count(len(found.codes), "measured text"),
        families=count(found.count, "family", "families"),
    )
    if found.counted:
        yield Caveat(
            "warning" if found.count < len(found.codes) / 2 else "info",
            say(
                "{alike}. Texts of a family are not independent of each other: they count together in intervals, "
                "bounds and tests.",
                alike=alike,
            ),
            say(
                "If a column says which texts belong together, give it that role; if these are independent all "
                "the same, say so in the settings of the test."
            ),
        )
    else:
        yield Caveat(
            "warning",
            say(
                "{alike}. You said that they are independent all the same: verdict and intervals hold only if "
                "that is so.",
                alike=alike,
            ),
            say("Let texts that are alike count together unless people wrote each of them independently."),
        )
