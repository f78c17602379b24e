"""How decision settings becomes a verdict, and what its reader has to know.

A lower bound above delta is a violation. "No violation" is said of exchanged words only, and asks for more than the
upper bound, since a wrong "fair" harms people:

* The bound must hold whatever the distribution of the shares that move, and for rare kinds of texts that so few texts
  may miss (:mod:`core.inference.bounded`).
* The share of texts whose predicted class changes must be shown to lie within the tolerance too.
* No group's own mean may be shown to exceed it.
* The words of the list must occur: a list that hardly fits the texts clears nobody.
* Exchanging them must change the group, as far as a protected status model that is not weak can tell: where it still
  sees the same group, the words exchanged ("the" and "a") are not those that tell it.
* Nor may the mean or the changed classes exceed the tolerance when copies of a text are counted as often as they occur.

The comparison with a second model never says "no violation": not to be more sensitive than another model, which may be
as biased, is no evidence of fairness. Neither does it claim a violation by a measure that rests on a weak protected
status model (papers/prediction-sensitivity.md, App. D), by the signed product, whose parts may cancel, or by a measure
in units that differ between the two models.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.audits.text_sensitivity.answers import column, of_different_texts, once
from core.errors import Notice, most_serious_first
from core.inference.bounded import upper_bound_within_one
from core.inference.estimate import Verdict
from core.inference.resampled import ResampledEstimate
from core.inference.tails import doubtful_tail

if TYPE_CHECKING:
    from core.audits.text_sensitivity.decision import Measure, TextSensitivityDecision
    from core.audits.text_sensitivity.result import TextSensitivityDetail

FEW_EXCHANGED = 0.05
"""Below this share of texts with an exchanged word the list hardly fits them (another language, another subject)."""
TURNED = 0.5
"""Below this share of probability that moves in the protected status model, exchanging words leaves people their group.
The shipped list moves 0.99 of it in the invented biographies, "the" and "a" 0.00."""
FEW_TO_COMPARE = 200
"""Below so many texts a skewed difference of two models is no violation: its bound misses too often."""
_NOTABLE_SHARE = 0.5
_MANY_CUT = 0.1
_CONFIDENCE = 0.05
"""From this difference of two models' mean confidence on, their sensitivities differ for that reason alone."""
OTHER_SIZE = 1.25
"""Word embeddings that differ in size by more than this factor have units of their own. The sample models with and
without bias differ by 2, so that P2 and P4 found next to no difference where P5 and exchanged words found a large
one."""
_SERIOUS_DRAWS = 9_999
_ERRORS = 2.0
"""A bound this many Monte-Carlo errors from delta could have fallen on its other side."""


def verdict(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Verdict:
    """The verdict of decision settings."""
    found = detail.estimate(decision).verdict(decision.delta, decision.alpha)
    if found is Verdict.NO_VIOLATION and (decision.judged == "reference" or any(_blind(detail, decision))):
        return Verdict.INSUFFICIENT
    if found is Verdict.VIOLATION and any(unreliable(detail, decision)):
        return Verdict.INSUFFICIENT
    return found


def reasons(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> tuple[Notice, ...]:
    """Everything that speaks against taking the verdict at its word, most serious first."""
    estimate = detail.estimate(decision)
    if estimate.undefined:
        return (Notice("serious", estimate.undefined, _instead(detail, decision)),)
    found = estimate.verdict(decision.delta, decision.alpha)
    notices = [*unreliable(detail, decision)]
    if found is Verdict.NO_VIOLATION:
        notices += _blind(detail, decision)
    notices += [*_about_swaps(detail, decision)] if decision.judged == "swaps" else [*_about_models(detail, decision)]
    notices += [*_close_to_delta(detail, decision), *_skewed(detail, decision), *_cut(detail)]
    unique = {notice.what: notice for notice in notices}
    return most_serious_first(unique.values())


def _instead(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> str:
    if decision.judged == "swaps":
        return "Bring more texts, or a list of words that occur in them."
    if detail.reference is None:
        return "Name a second model, or let exchanged words decide."
    if decision.measure in ("P2", "P3"):
        return "Train or bring a protected status model, or read P4 or P5, which need a list of words only."
    return "Bring more texts, or read another measure."


def unreliable(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Iterator[Notice]:
    """Why no violation is claimed even if the lower bound lies above delta."""
    if decision.judged == "swaps":
        return
    weak = detail.status.weak if detail.status is not None else ""
    if weak and decision.measure in ("P2", "P3"):
        yield Notice(
            "serious",
            f"The protected status model is weak, so the words it points to say little about the group: {weak}",
            "Read P4 or P5, which take the words from a list, or bring a better status model.",
        )
    if decision.signed and decision.measure in ("P3", "P5"):
        yield Notice(
            "serious",
            "The signed product adds and subtracts, so that a larger sum does not mean more sensitivity.",
            "Read the measure with the embedding's size.",
        )
    yield from _few_and_skewed(detail, decision)
    yield from _other_units(detail, decision)


def _few_and_skewed(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Iterator[Notice]:
    """Of few texts whose differences are skewed, bounds at 5% were too high in up to 8% of simulated audits."""
    if detail.reference is None:
        return
    apart = column(detail.audited, decision.measure, False) - column(detail.reference, decision.measure, False)
    apart = np.abs(of_different_texts(detail, apart))
    apart = apart[apart > 0]
    if len(apart) < FEW_TO_COMPARE and doubtful_tail(apart) is not None:
        yield Notice(
            "serious",
            f"A few of only {len(apart)} texts carry the difference, which is too little to be sure of it.",
            f"Bring {FEW_TO_COMPARE} texts or more, or read another measure.",
        )


def _other_units(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Iterator[Notice]:
    """P1, P2 and P4 count per unit of the word embeddings, which differ in size from model to model.

    P5 is P4 times the embedding's size, as P3 is P2, so that the quotient of their means is the size, averaged over the
    words that count.
    """
    if detail.reference is None or decision.measure not in ("P1", "P2", "P4"):
        return
    pairs: tuple[tuple[Measure, Measure], ...] = (("P4", "P5"), ("P2", "P3"))
    for plain, sized in pairs:
        sizes = [
            float(np.nanmean(column(one, sized, False)) / np.nanmean(column(one, plain, False)))
            if np.nansum(column(one, plain, False)) > 0
            else math.nan
            for one in (detail.audited, detail.reference)
        ]
        factor = sizes[0] / sizes[1] if all(size > 0 for size in sizes) else math.nan
        if math.isfinite(factor):
            if not 1 / OTHER_SIZE <= factor <= OTHER_SIZE:
                yield Notice(
                    "serious",
                    f"The word embeddings of the audited model are {factor:.2g} times as large as the second model's, "
                    f"and {decision.measure} counts per unit of them, so that the two are not comparable by it.",
                    "Read P3 or P5, which know no such unit, or let exchanged words decide.",
                )
            return


def _blind(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Iterator[Notice]:
    """Why "no violation" is not claimed, though the upper bound lies at or below delta."""
    if decision.judged == "reference":
        yield Notice(
            "serious",
            "Not to lean more on protected information than a second model is no evidence of fairness: the second "
            "model may lean on it as much.",
            "Let exchanged words decide.",
        )
        return
    moved = column(detail.audited, "CF", False)
    exchanged = np.isfinite(moved)
    every, moved = moved[exchanged], once(moved[exchanged], None if detail.same is None else detail.same[exchanged])
    if len(every) < FEW_EXCHANGED * len(detail.label):
        yield Notice(
            "serious",
            f"Words could be exchanged in {len(every):,} of {len(detail.label):,} texts only, so the list hardly fits "
            "these texts.",
            "Bring a list of words that name a group in these texts.",
        )
    bound = upper_bound_within_one(np.clip(moved, 0.0, 1.0), decision.alpha, draws=_SERIOUS_DRAWS, seed=detail.seed)
    if bound > decision.delta:
        yield Notice(
            "serious",
            f"{len(moved):,} texts may miss a rare kind whose answer moves altogether: counting that, the bound "
            f"is {bound:.3g}, above the tolerance.",
            "Bring more texts.",
        )
    changed = detail.flips()
    if changed.upper_bound(decision.alpha) > decision.delta:
        yield Notice(
            "serious",
            f"The predicted class changes in {changed.count:,} of {changed.n:,} texts. Up to "
            f"{changed.upper_bound(decision.alpha):.1%} of texts may be decided otherwise, more than the tolerance.",
            "Bring more texts, or look at the texts whose class changes.",
        )
    yield from _same_group(detail)
    yield from _copies(detail, decision, every, detail.audited.flipped[exchanged])
    yield from _worse_groups(detail, decision)


def _same_group(detail: TextSensitivityDetail) -> Iterator[Notice]:
    """The protected status model sees the same group in a text and in its counterpart."""
    if detail.turned is None or detail.status is None or detail.status.weak:
        return
    known = np.isfinite(detail.turned)
    turned = once(detail.turned[known], None if detail.same is None else detail.same[known])
    if len(turned) and turned.mean() < TURNED:
        yield Notice(
            "serious",
            f"Exchanging words moves the protected status model by {turned.mean():.0%} on average: it sees the same "
            "group as before in most texts, so other words tell the group, and those were left as they are.",
            "Bring a list of the words that tell the group; the words with the largest share of what gives the group "
            "away are the first to look at.",
        )


def _copies(
    detail: TextSensitivityDetail, decision: TextSensitivityDecision, moved: np.ndarray, flipped: np.ndarray
) -> Iterator[Notice]:
    """Texts that occur often move, while each counts once."""
    if detail.same is not None and max(moved.mean(), flipped.mean()) > decision.delta:
        yield Notice(
            "serious",
            f"Counted as often as they occur, the texts move by {moved.mean():.1%} on average and "
            f"{flipped.mean():.1%} of them change the class; every different text counted once in the verdict.",
            "Look at the texts that occur most often.",
        )


def _worse_groups(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Iterator[Notice]:
    for one in detail.group_estimates("CF", alpha=decision.alpha):
        above = [i for i in range(len(one.groups)) if one.found.low[i] > decision.delta]
        if above:
            named = ", ".join(one.groups[i] for i in above[:3])
            yield Notice(
                "serious",
                f"Among texts of {one.attribute} {named} the mean exceeds the tolerance, though not over all texts.",
                "Look at the groups one by one.",
            )


def _about_swaps(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Iterator[Notice]:
    changed = detail.flips()
    found = detail.estimate(decision).verdict(decision.delta, decision.alpha)
    if changed.lower_bound(decision.alpha) > decision.delta and found is not Verdict.VIOLATION:
        yield Notice(
            "serious",
            f"The predicted class changes in {changed.value:.1%} of the texts when words are exchanged, more than the "
            "tolerance, although the answer moves less on average.",
            "Look at the texts whose class changes.",
        )
    share = changed.n / len(detail.label)
    if FEW_EXCHANGED <= share < _NOTABLE_SHARE:
        yield Notice(
            "warning",
            f"Words could be exchanged in {share:.0%} of the texts only; of the others the verdict says nothing.",
        )
    yield Notice(
        "info",
        "The verdict speaks of the words in the list. Other words that go with a group, such as names or hobbies, were "
        "left as they are.",
        "Look at the words with the most sensitivity, and compare P2 with a second model.",
    )


def _about_models(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Iterator[Notice]:
    """What makes two models' sensitivities hard to compare."""
    if detail.reference is None:
        return
    own, other = (float(one.confidence.mean()) for one in (detail.audited, detail.reference))
    if abs(own - other) > _CONFIDENCE:
        yield Notice(
            "warning",
            f"The models differ in confidence ({own:.0%} and {other:.0%} on average), and sensitivity grows with "
            "doubt: a part of the difference may be that one of them is less sure of everything.",
            "Let exchanged words decide, or compare models that are equally sure.",
        )
    if decision.measure in ("P2", "P3", "P4", "P5"):
        overall, chosen = detail.ratio("P1"), detail.ratio(decision.measure)
        if overall.undefined or chosen.undefined:
            return
        if overall.two_sided(decision.alpha).low > 1 and overall.value**2 >= chosen.value:
            yield Notice(
                "warning",
                f"The audited model is {overall.value:.2g} times as sensitive to words of any kind (P1), so the "
                "difference is for a good part not one about protected information.",
                "Let exchanged words decide.",
            )


def _close_to_delta(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Iterator[Notice]:
    """Other random draws could have put the bound on the other side of delta."""
    estimate = detail.estimate(decision)
    if not isinstance(estimate, ResampledEstimate):
        return
    bounds = (
        (estimate.lower_bound(decision.alpha), estimate.lower_error(decision.alpha), "lower"),
        (estimate.upper_bound(decision.alpha), estimate.upper_error(decision.alpha), "upper"),
    )
    for bound, error, name in bounds:
        if error > 0 and abs(bound - decision.delta) <= _ERRORS * error:
            yield Notice(
                "warning",
                f"The {name} bound {bound:.4g} is within its Monte-Carlo error ({error:.2g}) of the tolerance: other "
                "random draws may turn the verdict.",
            )


def _skewed(detail: TextSensitivityDetail, decision: TextSensitivityDecision) -> Iterator[Notice]:
    """A few texts carry the mean."""
    tail = doubtful_tail(column(detail.audited, "CF" if decision.judged == "swaps" else decision.measure, False))
    if tail is not None:
        yield Notice(
            "warning",
            f"A few texts carry the mean: the largest 1% hold {tail.share:.0%} of the sum.",
            "Look at these texts, and bring more.",
        )


def _cut(detail: TextSensitivityDetail) -> Iterator[Notice]:
    share = detail.cut_texts / max(1, len(detail.label))
    if share > _MANY_CUT:
        yield Notice(
            "warning",
            f"{detail.cut_texts:,} texts ({share:.0%}) are longer than the model reads; of {detail.cut_words:,} words "
            "nothing is said.",
        )
