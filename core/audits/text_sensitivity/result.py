"""What a text sensitivity test keeps: every text's scores, the words behind them, and how good its helpers are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.audits.text_sensitivity.decision import MEASURES, SIGNED, TextMeasure
from core.audits.text_sensitivity.reach import GroupReach
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.grouping import Grouping
from core.protected_status.model import StatusReport
from core.result import AuditResult
from core.text.copies import mean_of_copies


@dataclass(frozen=True)
class TextScores:
    """One model on the n measured texts.

    Attributes:
        name: The model's file.
        measures: P1 to P5 with the embedding's size, and CF = half the L1 distance between the answers to a text and
            to the text with its words exchanged; columns as ``MEASURES``; NaN where not applicable; shape (n, 6).
        signed: P3 and P5 with the embedding itself; shape (n, 2).
        flipped: Whether exchanging words changes the predicted class; False where nothing is exchanged; (n,), bool.
        predicted: Predicted class, shape (n,), int.
        confidence: Its probability, shape (n,).
    """

    name: str
    measures: np.ndarray
    signed: np.ndarray
    flipped: np.ndarray
    predicted: np.ndarray
    confidence: np.ndarray

    def values(self, measure: TextMeasure, *, signed: bool = False) -> np.ndarray:
        """A measure of every text, shape (n,); NaN where not applicable. ``signed`` matters to P3 and P5 only."""
        if signed and measure in SIGNED:
            return self.signed[:, SIGNED.index(measure)]
        return self.measures[:, MEASURES.index(measure)]

    @property
    def exchanged(self) -> np.ndarray:
        """Whether something is exchanged in each text, shape (n,), bool."""
        exchanged: np.ndarray = np.isfinite(self.values("CF"))
        return exchanged


@dataclass(frozen=True)
class ShownTexts:
    """Texts kept word by word for reading; m texts with W words in all.

    Attributes:
        rows: Position of each among the n measured texts, ascending; shape (m,), int.
        records: Its row number in the file (1 = first record), shape (m,), int.
        texts: The texts.
        exchanged: The same with their words exchanged; empty where nothing is exchanged.
        first: Where each text's words begin among all W, and W at the end; shape (m + 1,), int.
        start: Where each word begins in its text, in characters; shape (W,), int.
        end: Where it ends, shape (W,), int.
        task: wᵀJ of the audited model summed over the word's tokens and coordinates; NaN if cut off; shape (W,).
        status: v of the protected status model, summed likewise, so that a text's words share 1; NaN if cut off or
            without such a model; shape (W,).
        listed: Whether the word names a group, shape (W,), bool.
        cut: Whether the model does not read it, shape (W,), bool.
    """

    rows: np.ndarray
    records: np.ndarray
    texts: tuple[str, ...]
    exchanged: tuple[str, ...]
    first: np.ndarray
    start: np.ndarray
    end: np.ndarray
    task: np.ndarray
    status: np.ndarray
    listed: np.ndarray
    cut: np.ndarray


@dataclass(frozen=True)
class WordScores:
    """Words (in lower case) that occur in several texts; V words, those with most sensitivity.

    Attributes:
        words: The words.
        texts: In how many texts each occurs, shape (V,), int.
        task: Mean share of its text's wᵀJ that lies on the word, over these texts; shape (V,).
        status: Mean share of v, shape (V,); NaN without a protected status model.
        by_class: Mean over these texts of Σ|∂f_k/∂x| over the word's tokens and coordinates; shape (V, K).
        listed: Whether it names a group, shape (V,), bool.
    """

    words: tuple[str, ...]
    texts: np.ndarray
    task: np.ndarray
    status: np.ndarray
    by_class: np.ndarray
    listed: np.ndarray


@dataclass(frozen=True)
class Families:
    """Texts that are not independent of each other.

    Attributes:
        codes: The family of each of the n measured texts, shape (n,), int.
        known: Why they are known to belong together: a column says so, or their words are alike.
        counted: Whether statistics go by families; False where the auditor says that texts are independent.
        sizes: Texts of the largest families, largest first.
        frames: What the texts of each of these have in common (:func:`core.text.families.frame`).
    """

    codes: np.ndarray
    known: Literal["column", "words"]
    counted: bool
    sizes: tuple[int, ...]
    frames: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(np.unique(self.codes))


@dataclass(frozen=True)
class TextSensitivityDetail:
    """What one text sensitivity test found; n measured texts, K classes.

    Attributes:
        classes: The model's classes, length K.
        audited: The audited model's scores.
        reference: The second model's on the same texts; None without one.
        status: How good the protected status model is; None without one.
        matched: How v was laid over the model's tokens: "coordinates", "words", or empty without a status model.
        memberships: Protected groups; empty where the table has no protected attribute.
        label: True class of each text as an index into ``classes``, shape (n,), int; -1 where there is none.
        annotation: 1 where most people found the model's answer biased, 0 where most did not, NaN where nobody said or
            most could not tell; (n,).
        shown: Texts for reading.
        words: The words of the corpus.
        listed_texts: Texts with a word that names a group.
        exchanged_texts: Texts in which a word was exchanged.
        cut_texts: Texts longer than the model reads.
        cut_words: Words of them that it does not read.
        draws: Bootstrap draws.
        seed: Seed of the bootstrap.
        same: Equal for texts that count as one (:func:`core.text.copies.same_texts`), shape (n,), int; None where all
            differ.
        turned: Share of probability that moves in the protected status model when words are exchanged, shape (n,);
            NaN where nothing is exchanged; None without such a model.
        reach: How far the list of words reaches each protected group; empty in results of earlier versions.
        families: Which texts belong together; None where no column says it and no two are alike.
        lengths: Words of each text, shape (n,), int; None in results of earlier versions.
        annotators: Columns of those who judged, length a.
        judged: What each of them said: 1 biased, 0 not, 2 cannot tell, NaN not asked; shape (a, n); None without any.
        records: Row number in the file of each text (1 = first record), shape (n,), int; None likewise.
    """

    classes: tuple[str, ...]
    audited: TextScores
    reference: TextScores | None
    status: StatusReport | None
    matched: str
    memberships: tuple[Grouping, ...]
    label: np.ndarray
    annotation: np.ndarray
    shown: ShownTexts
    words: WordScores
    listed_texts: int
    exchanged_texts: int
    cut_texts: int
    cut_words: int
    draws: int
    seed: int
    same: np.ndarray | None = None
    turned: np.ndarray | None = None
    reach: tuple[GroupReach, ...] = ()
    families: Families | None = None
    lengths: np.ndarray | None = None
    annotators: tuple[str, ...] = ()
    judged: np.ndarray | None = None
    records: np.ndarray | None = None

    def different(self, values: np.ndarray) -> np.ndarray:
        """Mean of each different text over its copies, texts without a value left out; shape (..., n) -> (..., m).

        Copies of a text, and a text beside its own counterpart, are no independent evidence: ten of each would make
        every interval three times too narrow. Of several rows of values a text needs all.
        """
        known = _known(values)
        values = values[..., known]
        return values if self.same is None else mean_of_copies(values, self.same[known])

    @property
    def counted_families(self) -> np.ndarray | None:
        """The family of each text, shape (n,), int; None where each text stands for itself."""
        return self.families.codes if self.families is not None and self.families.counted else None

    def clusters(self, values: np.ndarray) -> np.ndarray | None:
        """The family of each text that :meth:`different` gives of the same values, shape (m,), int.

        None where each text stands for itself.
        """
        if (families := self.counted_families) is None:
            return None
        known = _known(values)
        codes: np.ndarray = families[known]
        if self.same is not None:
            codes = codes[np.unique(self.same[known], return_index=True)[1]]
        return codes


def _known(values: np.ndarray) -> np.ndarray:
    """Texts that have a value in every row, shape (..., n) -> (n,), bool."""
    known: np.ndarray = np.isfinite(values).reshape(-1, values.shape[-1]).all(axis=0)
    return known


TextSensitivityResult = AuditResult[TextSensitivity, TextSensitivityDetail, None]
"""A result of this test."""
