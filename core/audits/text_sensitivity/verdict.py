"""The finding of a text sensitivity test: its verdict, what its reader has to know, and every number.

A lower bound above delta is a violation. "No violation" is said of exchanged words only, and asks for more than the
upper bound, since a wrong "fair" harms people:

* The share of texts whose predicted class changes must be shown to lie within the tolerance too.
* No group may be shown to be beyond it, by its mean or by its share of changed classes, however small the group is.
  Nor may a corner: the texts of one predicted or true class, the longest or the shortest texts.
* The words of the list must occur: a list that hardly fits the texts clears nobody.
* It must reach every group of every protected attribute: words are exchanged in most of its texts, and tell it.
* Exchanging them must change the group, as far as a protected status model that is not weak can tell: where it still
  sees the same group, the words exchanged ("the" and "a") are not those that tell it.
* Nor may the mean or the changed classes exceed the tolerance when copies of a text are counted as often as they occur.

The comparison with a second model never says "no violation": not to be more sensitive than another model, which may be
as biased, is no evidence of fairness. Neither does it claim a violation by a measure that rests on a weak protected
status model (papers/prediction-sensitivity.md, App. D), by the signed product, whose parts may cancel, or by a measure
in units that differ between the two models.
"""

from functools import cached_property

import numpy as np

from core.audits.text_sensitivity import KIND, claims, doubts
from core.audits.text_sensitivity.corpus_words import Word, told
from core.audits.text_sensitivity.decision import Judged, TextMeasure, TextSensitivityDecision, measure_name
from core.audits.text_sensitivity.estimates import Estimates
from core.audits.text_sensitivity.result import TextSensitivityDetail, TextSensitivityResult
from core.base.errors import Caveat, each_once, forbidding
from core.claims import Claim
from core.inference.estimate import Verdict
from core.inference.evidence import Estimated
from core.inference.excess import LEVEL, GroupExcess, shown_beyond
from core.inference.paired import EachRow
from core.judge import judge
from core.language.cached import cached_in_language
from core.language.told import say
from core.moved_answers import open_share
from core.one_estimate import OneEstimateFinding


class TextSensitivityFinding(OneEstimateFinding[TextSensitivityResult, TextSensitivityDecision]):
    """What a text sensitivity test found under decision settings; see the base class."""

    kind = KIND
    copies_count = False
    recorded = (
        "judged", "measure", *OneEstimateFinding.recorded, "texts", "listed_texts", "exchanged_texts", "cut_texts",
        "cut_words", "confidence", "words", "reach",
    )  # fmt: skip

    @property
    def reads_outcomes(self) -> bool:
        """Never: answers are held against each other."""
        return False

    @property
    def detail(self) -> TextSensitivityDetail:
        """What the test kept."""
        return self.result.detail

    @cached_property
    def estimates(self) -> Estimates:
        """What can be estimated whatever the tolerance."""
        return Estimates(self.result)

    @cached_property
    def inference(self) -> Estimated:
        """See the base class."""
        return self.estimates.of_verdict(self.decision)

    @property
    def what(self) -> str:
        """See the base class."""
        if self.judged == "swaps":
            return say("Mean change of the answer")
        measure = measure_name(self.measure, self.decision)
        return say("Difference of {measure}, audited less second model", measure=measure)

    @property
    def headlined(self) -> Claim | None:
        """See the base class; the share of texts decided otherwise, where only that is open."""
        return open_share(self, "", self.estimates.flips()) or super().headlined

    def each_row(self, claim: Claim) -> EachRow | None:
        """By how much exchanging words moves each different text; None where a second model is judged."""
        detail = self.detail
        if self.judged != "swaps" or detail.records is None:
            return None
        moved = detail.audited.values("CF")
        first = detail.different(np.where(np.isfinite(moved), detail.records, np.nan))
        return EachRow(first, detail.different(moved), 1.0, detail.clusters(moved))

    @cached_property
    def unreliable(self) -> tuple[Caveat, ...]:
        """Why no violation is claimed even if the lower bound lies above delta."""
        return forbidding("accusing", doubts.unreliable(self.estimates, self.decision))

    @cached_property
    def blind(self) -> tuple[Caveat, ...]:
        """Why "no violation" is not claimed although the bounds say so; empty where they do not."""
        if self.by_claims is not Verdict.NO_VIOLATION:
            return ()
        return forbidding("clearing", doubts.blind(self.estimates, self.decision, self.beyond))

    @cached_in_language
    def excesses(self) -> tuple[GroupExcess, ...]:
        """Whether exchanging words moves any group beyond the tolerance; empty where a second model is judged."""
        return self.estimates.excesses(self.decision.delta) if self.judged == "swaps" else ()

    @cached_in_language
    def beyond(self) -> tuple[GroupExcess, ...]:
        """The groups and corners shown to be beyond the tolerance, all at once.

        Always at 5%: at the reader's error rate a larger one would take back what a smaller one says.
        """
        return shown_beyond(self.excesses, LEVEL)

    @cached_property
    def own_caveats(self) -> tuple[Caveat, ...]:
        """See the base class."""
        if self.undefined:
            return (Caveat("serious", self.undefined, doubts.instead(self.estimates, self.decision)),)
        worse = (
            ()
            if judge(self.claims, self.unreliable) is Verdict.VIOLATION
            else doubts.worse(self.beyond, self.decision.delta)
        )
        caveats = (*self.unreliable, *self.blind, *worse, *doubts.always(self.estimates, self.decision))
        return each_once(caveats)

    @property
    def judged(self) -> Judged:
        """What the verdict is about."""
        return self.decision.judged

    @property
    def measure(self) -> TextMeasure:
        """The measure that the verdict rests on."""
        return self.decision.verdict_measure

    @property
    def texts(self) -> int:
        """Measured texts."""
        return len(self.detail.label)

    @cached_in_language
    def parts(self) -> dict[str, tuple[Claim, ...]]:
        """Every measure, groups, changed classes, the protected status model, and what people found biased."""
        known = self.estimates, self.decision
        correlations, information = claims.judgements(*known)
        return {
            "sensitivity interval": tuple(claims.means(*known)),  # verbatim
            "sensitivity flips": tuple(claims.flips(*known, self.excesses)),  # verbatim
            "sensitivity groups": tuple(claims.groups(*known, self.excesses)),  # verbatim
            "sensitivity differences": tuple(claims.differences(*known)),  # verbatim
            "sensitivity status": claims.status(self.detail.status),  # verbatim
            "sensitivity agreement": claims.agreed(self.detail, self.decision.alpha),  # verbatim
            "sensitivity annotations": correlations,  # verbatim
            "sensitivity information": information,  # verbatim
        }

    @cached_property
    def confidence(self) -> float:
        """Rank correlation of the chosen measure with the model's confidence."""
        return self.estimates.with_confidence(self.decision.measure, signed=self.decision.signed).value

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words with most sensitivity."""
        return told(self.detail.words)
