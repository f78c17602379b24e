"""What a sensitivity audit of texts keeps: every text's scores, the words behind them, and how good its helpers are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.audits.text_sensitivity import answers, verdicts
from core.audits.text_sensitivity.answers import Correlation, GroupMeans
from core.audits.text_sensitivity.decision import Measure, TextSensitivityDecision
from core.audits.text_sensitivity.judgements import Judged, judged
from core.audits.text_sensitivity.settings import TextSensitivity
from core.errors import Notice
from core.inference.estimate import Verdict
from core.inference.mean import RatioOfMeans
from core.inference.resampled import Answers
from core.inference.share import Share
from core.protected_status.model import StatusReport
from core.remembering import Remembering
from core.result import AuditResult

MEASURES: tuple[Measure, ...] = ("P1", "P2", "P3", "P4", "P5", "CF")


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


@dataclass(frozen=True)
class Membership:
    """Who belongs where by one protected attribute.

    Attributes:
        attribute: The attribute.
        groups: Its values, length g.
        codes: Group of each measured text, shape (n,), int.
    """

    attribute: str
    groups: tuple[str, ...]
    codes: np.ndarray


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
class TextSensitivityDetail(Remembering):
    """What one sensitivity audit found; n measured texts, K classes.

    Attributes:
        classes: The model's classes, length K.
        audited: The audited model's scores.
        reference: The second model's on the same texts; None without one.
        status: How good the protected status model is; None without one.
        matched: How v was laid over the model's tokens: "coordinates", "words", or empty without a status model.
        memberships: Protected groups; empty where the table has no protected attribute.
        label: True class of each text as an index into ``classes``, shape (n,), int; -1 where there is none.
        annotation: 1 where people found the model's answer biased, 0 where not, NaN where nobody said; (n,).
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
    """

    classes: tuple[str, ...]
    audited: TextScores
    reference: TextScores | None
    status: StatusReport | None
    matched: str
    memberships: tuple[Membership, ...]
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

    def estimate(self, decision: TextSensitivityDecision) -> Answers:
        """What the verdict rests on, with its interval, bounds and p-value by the studentised bootstrap.

        Swaps: the mean share of probability that moves, over texts in which a word was exchanged. Reference: the mean
        difference of the decision's measure, audited less second model, over texts to which it applies in both.
        """
        if decision.judged == "swaps":
            return self.measure_estimate("CF")
        return self._once(
            ("difference", decision.measure, decision.signed),
            lambda: answers.paired_difference(self, decision.measure, decision.signed),
        )

    def measure_estimate(self, measure: Measure, signed: bool = False, *, second: bool = False) -> Answers:
        """Mean of a measure over the texts it applies to, of the audited or of the second model."""
        scores = self.reference if second else self.audited
        if scores is None:
            return answers.undefined(0, answers.NO_REFERENCE)
        return self._once(
            ("mean", measure, signed, second), lambda: answers.mean_measure(self, scores, measure, signed)
        )

    def ratio(self, measure: Measure) -> RatioOfMeans:
        """How many times as sensitive as the second model the audited one is: the ratio of their mean measures."""
        return self._once(("ratio", measure), lambda: answers.ratio_to_reference(self, measure))

    def group_estimates(self, measure: Measure, signed: bool = False, alpha: float = 0.05) -> tuple[GroupMeans, ...]:
        """The audited model's measure by group, one entry a protected attribute; intervals hold together within it."""
        return self._once(("groups", measure, signed, alpha), lambda: answers.group_means(self, measure, signed, alpha))

    def flips(self, *, second: bool = False) -> Share:
        """Texts whose predicted class changes when words are exchanged, among those in which something is exchanged.

        Texts that count as one change together: if one of them does.
        """
        scores = self.reference if second else self.audited
        return Share(0, 0) if scores is None else answers.flips(scores, self.same)

    def with_confidence(self, measure: Measure, signed: bool = False) -> Correlation:
        """Rank correlation of a measure with the audited model's confidence."""
        return self._once(("confidence", measure, signed), lambda: answers.with_confidence(self, measure, signed))

    def judged(self, signed: bool = False, alpha: float = 0.05) -> tuple[Judged, ...]:
        """How each measure goes with what people found biased; empty where nobody judged a text."""
        return self._once(("judged", signed, alpha), lambda: judged(self, signed, alpha))

    def p_value(self, decision: TextSensitivityDecision) -> float:
        """One-sided p-value of "what the verdict rests on is at most delta"; NaN when undefined."""
        return self.estimate(decision).p_value(decision.delta)

    def verdict(self, decision: TextSensitivityDecision) -> Verdict:
        """Violation, no violation, or insufficient evidence; :meth:`reasons` says what lies behind it."""
        return verdicts.verdict(self, decision)

    def reasons(self, decision: TextSensitivityDecision) -> tuple[Notice, ...]:
        """What speaks against taking the verdict at its word under this decision settings, most serious first."""
        return verdicts.reasons(self, decision)


TextSensitivityResult = AuditResult[TextSensitivity, TextSensitivityDetail, None]
"""A result of this test."""
