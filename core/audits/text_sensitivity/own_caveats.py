"""What a reader has to know about the texts before looking at any measure."""

from collections.abc import Iterator

import numpy as np

from core.audits.text_sensitivity.scoring import TextScoring
from core.base.errors import Caveat
from core.language.phrases import count, whole
from core.language.told import say

REFLEXIVE = frozenset({"herself", "himself", "themself", "themselves"})
"""Words that only point back to whoever was named before."""
_MANY_REFLEXIVE = 0.05


class TextCounts:
    """Counts texts about which something cannot be said, or not all.

    Attributes:
        texts: All of them.
        wordless: Texts without a word that the model reads.
        listed: Texts with a word that names a group.
        exchanged: Texts in which a word was exchanged.
        reflexive: Those of them with no other listed word than "himself" or its like.
        cut_texts: Texts longer than the model reads.
        cut_words: Words of them that it does not read.
        still: Texts with words to none of which the model's answer reacts.
        without_status: Texts with words to none of which the protected status model reacts.
    """

    def __init__(self) -> None:
        self.texts = self.wordless = self.listed = self.exchanged = self.reflexive = 0
        self.cut_texts = self.cut_words = self.still = self.without_status = 0

    def add(self, one: TextScoring) -> None:
        """Count a text."""
        wordless = bool(np.isnan(one.measures[0]))
        self.texts += 1
        self.wordless += wordless
        self.listed += bool(one.words.listed.any())
        self.exchanged += bool(one.exchanged)
        self.reflexive += bool(one.exchanged) and one.words.named <= REFLEXIVE
        self.cut_texts += bool(one.cut.any())
        self.cut_words += int(one.cut.sum())
        self.still += one.measures[0] == 0
        self.without_status += not wordless and bool(np.isnan(one.measures[1]))

    def caveats(self, name: str) -> Iterator[Caveat]:
        """What follows for the model of this name."""
        if self.still:
            yield Caveat(
                "warning",
                say(
                    "The answer of {name} reacts to no word of {texts}, to the precision of the computation; its "
                    "sensitivity there is 0.",
                    name=name,
                    texts=count(self.still, "text"),
                ),
                say("Check that the model file is the right one.") if self.still > self.texts / 2 else "",
            )

    def caveats_of_texts(self, *, with_status: bool, by_words: bool) -> Iterator[Caveat]:
        """What follows from the texts, whichever model is measured.

        Args:
            with_status: Whether there is a protected status model.
            by_words: Whether its weights were laid over words, because the models read different tokens.
        """
        if self.wordless:
            yield Caveat(
                "warning",
                say(
                    "{texts} without a word that the model reads cannot be measured; they are left out of every "
                    "mean of P1 to P5.",
                    texts=count(self.wordless, "text"),
                ),
            )
        if not self.listed:
            yield Caveat(
                "warning",
                say("No text holds a word of the list, so P4, P5 and exchanged words are not applicable."),
                say("Use a list of words in the language of the texts."),
            )
        elif self.listed < self.texts:
            yield Caveat(
                "info",
                say(
                    "{without} of {texts} texts hold no word of the list; P4, P5 and exchanged words are not "
                    "applicable to them.",
                    without=whole(self.texts - self.listed),
                    texts=whole(self.texts),
                ),
            )
        if self.reflexive:
            yield Caveat(
                "warning" if self.reflexive > _MANY_REFLEXIVE * self.exchanged else "info",
                say(
                    "In {texts} nothing is exchanged but a word such as “himself”. Whoever it points to, often a "
                    "name, stays, so that the text may still tell the same group.",
                    texts=count(self.reflexive, "text"),
                ),
                say("Take the names into the list: choose several lists, and names by gender among them."),
            )
        if with_status and self.without_status:
            yield Caveat(
                "warning",
                say(
                    "The protected status model reacts to no word of {texts}; P2 and P3 are not applicable to them.",
                    texts=count(self.without_status, "text"),
                ),
            )
        if by_words:
            yield Caveat(
                "info",
                say(
                    "The protected status model reads texts in other pieces than the model, so its weights were "
                    "summed to words and spread evenly over the model's pieces of each word."
                ),
            )
