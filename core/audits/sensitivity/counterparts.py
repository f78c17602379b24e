"""Every text's counterpart: as the auditor wrote it, or with its listed words exchanged."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from core.audits.sensitivity.settings import Edit
from core.cells import counted
from core.errors import Notice
from core.text.swaps import exchange
from core.text.word_lists import WordList


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

    def notices(self, records: Collection[int]) -> Iterator[Notice]:
        """Edits of records that are not measured.

        Args:
            records: Row numbers of the measured texts.
        """
        lost = sorted(set(self.written) - set(records))
        if lost:
            yield Notice(
                "warning",
                f"{counted(len(lost), 'counterpart')} written by hand {'belongs' if len(lost) == 1 else 'belong'} to "
                f"a record that is not measured: {', '.join(map(str, lost[:5]))}{', …' if len(lost) > 5 else ''}.",
                "The protected status model may have learned from it, or it was left out of the table.",
            )
