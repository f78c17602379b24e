"""Every text's counterpart: as the auditor wrote it, or with its listed words exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.audits.text_sensitivity.settings import Edit
from core.base.errors import Caveat
from core.language.phrases import first_few
from core.language.told import say, say_count
from core.text.swaps import exchange, names
from core.text.word_lists import WordList
from core.text.words import spans

MANY_NEUTRAL = 0.05
"""From this share of texts on, counterparts written by hand that exchange nothing change what the test says."""


@dataclass(frozen=True)
class Counterparts:
    """Where counterparts come from.

    Attributes:
        words: The words that name a group.
        written: Counterparts written by hand, by row number in the file (1 = first record).
    """

    words: WordList
    written: dict[int, str]

    @classmethod
    def of_settings(cls, words: WordList, edits: tuple[Edit, ...]) -> Counterparts:
        """As the settings say; of two edits of one record the later counts, and an empty one does not."""
        return cls(words.complete, {edit.record: edit.text for edit in edits if edit.text})

    def of(self, record: int, text: str, read: int) -> str:
        """The counterpart; empty if it does not differ within what the model reads, ``text[:read]``."""
        other = self.written.get(record) or exchange(text, self.words).text
        return "" if other[:read] == text[:read] and (other == text or read < len(text)) else other

    def caveats(self, texts: Mapping[int, str]) -> Iterator[Caveat]:
        """Edits of records that are not measured, and edits that leave every word that names a group as it was.

        Args:
            texts: The measured texts by row number.
        """
        kept = [record for record, other in self.written.items() if self._exchanges_nothing(texts.get(record), other)]
        if kept:
            yield Caveat(
                "serious" if len(kept) > MANY_NEUTRAL * len(texts) else "warning",
                say_count(
                    "{n} counterpart written by hand leaves every word that names a group as it was: row "
                    "{records}. Where no group is exchanged, nothing can be found.",
                    "{n} counterparts written by hand leave every word that names a group as it was: row "
                    "{records}. Where no group is exchanged, nothing can be found.",
                    len(kept),
                    records=first_few(list(map(str, sorted(kept))), 5),
                ),
                say("Write the text as it would read about a person of the other group."),
            )
        lost = list(set(self.written) - set(texts))
        if lost:
            yield Caveat(
                "warning",
                say_count(
                    "{n} counterpart written by hand belongs to a row that is not measured: {records}.",
                    "{n} counterparts written by hand belong to a row that is not measured: {records}.",
                    len(lost),
                    records=first_few(list(map(str, sorted(lost))), 5),
                ),
                say("The protected status model may have learned from it, or it was left out of the table."),
            )

    def _exchanges_nothing(self, text: str | None, other: str) -> bool:
        """Whether text and counterpart have the same words of the list, equally often, and the text has some."""
        named = [] if text is None else self._named(text)
        return bool(named) and named == self._named(other)

    def _named(self, text: str) -> list[str]:
        return sorted(word for word in names(text, spans(text), self.words) if word in self.words.counterparts)
