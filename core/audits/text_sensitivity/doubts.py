"""What a reader of a text sensitivity test has to know before taking its verdict at its word."""

import math
from collections.abc import Iterator

import numpy as np

from core.audits.text_sensitivity.decision import TextMeasure, TextSensitivityDecision
from core.audits.text_sensitivity.estimates import Estimates
from core.audits.text_sensitivity.measures import unit_of
from core.audits.text_sensitivity.reach import LEAST_EXCHANGED, LEAST_TOLD, GroupReach
from core.audits.text_sensitivity.result import TextSensitivityDetail
from core.base.errors import Caveat
from core.base.thresholds import DOUBT, FEWEST_CLUSTERS, FEWEST_ROWS
from core.caveats.doubts import close_to_delta, decided_otherwise, few_carry_the_mean, worse_groups
from core.inference.excess import GroupExcess
from core.inference.tails import doubtful_tail
from core.language.phrases import count, first_few, number, share_text, whole
from core.language.told import localized, retold, say, say_as, say_count

FEW_EXCHANGED = 0.05
"""Below this share of texts with an exchanged word the list hardly fits them (another language, another subject)."""
TURNED = 0.5
"""Below this share of probability that moves in the protected status model, exchanging words leaves people their group.
The shipped list moves 0.99 of it in the invented biographies, "the" and "a" 0.00."""
FEW_TO_COMPARE = 200
"""Below so many texts a skewed difference of two models is no violation: its bound misses too often."""
MOST_NAMED = 5
"""Groups that are too small are named; of more it is said how many."""
MOST_MISSED = 5
"""Groups the list does not reach are named; of more it is said how many."""
_NOTABLE_SHARE = 0.5
_MANY_CUT = 0.1
_CONFIDENCE = 0.05
"""From this difference of two models' mean confidence on, their sensitivities differ for that reason alone."""
OTHER_SIZE = 1.25
"""Word embeddings that differ in size by more than this factor have units of their own. The sample models with and
without bias differ by 2, so that P2 and P4 found next to no difference where P5 and exchanged words found a large
one."""


def instead(estimates: Estimates, decision: TextSensitivityDecision) -> str:
    """What to do where there is no estimate."""
    if (families := estimates.detail.counted_families) is not None and len(np.unique(families)) < FEWEST_CLUSTERS:
        return say("Bring texts of other templates, or say that these are independent all the same if they are.")
    if decision.judged == "swaps":
        return say("Bring more texts, or a list of words that occur in them.")
    if estimates.detail.reference is None:
        return say("Name a second model, or base the verdict on swapping words such as he and she.")
    if decision.measure in ("P2", "P3"):
        return say("Train or bring a protected status model, or read P4 or P5, which need a list of words only.")
    return say("Bring more texts, or read another measure.")


def always(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[Caveat]:
    """What is said beside every verdict."""
    about = _about_swaps if decision.judged == "swaps" else _about_models
    yield from about(estimates, decision)
    if decision.judged == "swaps":
        yield from _too_small(estimates)
    yield from close_to_delta(estimates.of_verdict(decision), decision, unit_of(decision.verdict_measure))
    values = estimates.detail.audited.values(decision.verdict_measure)
    yield from few_carry_the_mean(values, say("texts"), say_as("of texts", "more"))
    yield from _cut(estimates.detail)


def unreliable(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[Caveat]:
    """Why no violation is claimed even if the lower bound lies above delta."""
    if decision.judged == "swaps":
        return
    status = estimates.detail.status
    weak = retold(status.weak) if status is not None else ""
    if weak and decision.measure in ("P2", "P3"):
        yield Caveat(
            "serious",
            say(
                "The protected status model is weak, so the words it points to say little about the group: {weak}",
                weak=weak,
            ),
            say("Read P4 or P5, which take the words from a list, or bring a better status model."),
        )
    if decision.signed and decision.measure in ("P3", "P5"):
        yield Caveat(
            "serious",
            say("The signed product adds and subtracts, so that a larger sum does not mean more sensitivity."),
            say("Read the measure with the embedding's size."),
        )
    yield from _few_and_skewed(estimates, decision)
    yield from _other_units(estimates, decision)


def _few_and_skewed(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[Caveat]:
    """Of few texts whose differences are skewed, bounds at 5% were too high in up to 8% of simulated audits."""
    detail = estimates.detail
    if detail.reference is None:
        return
    apart = detail.audited.values(decision.measure) - detail.reference.values(decision.measure)
    apart = np.abs(detail.different(apart))
    apart = apart[apart > 0]
    if len(apart) < FEW_TO_COMPARE and doubtful_tail(apart) is not None:
        yield Caveat(
            "serious",
            say(
                "A few of only {texts} carry the difference, which is too little to be sure of it.",
                texts=count(len(apart), "text"),
            ),
            say("Bring {few_to_compare} texts or more, or read another measure.", few_to_compare=FEW_TO_COMPARE),
        )


def _other_units(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[Caveat]:
    """P1, P2 and P4 count per unit of the word embeddings, which differ in size from model to model.

    P5 is P4 times the embedding's size, as P3 is P2, so that the quotient of their means is the size, averaged over the
    words that count.
    """
    detail = estimates.detail
    if detail.reference is None or decision.measure not in ("P1", "P2", "P4"):
        return
    pairs: tuple[tuple[TextMeasure, TextMeasure], ...] = (("P4", "P5"), ("P2", "P3"))
    for plain, sized in pairs:
        sizes = [
            float(np.nanmean(one.values(sized)) / np.nanmean(one.values(plain)))
            if np.nansum(one.values(plain)) > 0
            else math.nan
            for one in (detail.audited, detail.reference)
        ]
        factor = sizes[0] / sizes[1] if all(size > 0 for size in sizes) else math.nan
        if math.isfinite(factor):
            if not 1 / OTHER_SIZE <= factor <= OTHER_SIZE:
                yield Caveat(
                    "serious",
                    say(
                        "The word embeddings of the audited model are {factor} times as large as the second model's, "
                        "and {measure} counts per unit of them, so that the two are not comparable by it.",
                        factor=localized(f"{factor:.2g}"),
                        measure=decision.measure,
                    ),
                    say(
                        "Read P3 or P5, which know no such unit, or base the verdict on swapping words such as he and "
                        "she."
                    ),
                )
            return


def blind(estimates: Estimates, decision: TextSensitivityDecision, beyond: tuple[GroupExcess, ...]) -> Iterator[Caveat]:
    """Why "no violation" is not claimed, though the upper bound lies at or below delta.

    Args:
        estimates: The estimates.
        decision: The decision settings.
        beyond: The groups shown to be beyond the tolerance.
    """
    if decision.judged == "reference":
        yield Caveat(
            "serious",
            say(
                "Not to lean more on protected information than a second model is no evidence of fairness: the "
                "second model may lean on it as much."
            ),
            say("Base the verdict on exchanged words such as he and she."),
        )
        return
    detail, changed = estimates.detail, estimates.flips()
    if (exchanged := int(detail.audited.exchanged.sum())) < FEW_EXCHANGED * len(detail.label):
        yield Caveat(
            "serious",
            say(
                "Words could be exchanged in {exchanged} of {texts} texts only, so the list hardly fits these texts.",
                exchanged=whole(exchanged),
                texts=whole(len(detail.label)),
            ),
            say("Bring a list of words that name a group in these texts."),
        )
    yield from _out_of_reach(detail)
    yield from decided_otherwise(
        changed,
        decision,
        say(
            "The predicted class changes in {changed} of {texts} texts. Up to",
            changed=whole(changed.count),
            texts=whole(changed.n),
        ),
        say("of texts may be decided otherwise"),
        say("Bring more texts, or look at the texts whose class changes."),
    )
    yield from _same_group(detail)
    yield from _copies(detail, decision.delta)
    yield from worse(beyond, decision.delta)


def worse(beyond: tuple[GroupExcess, ...], delta: float) -> Iterator[Caveat]:
    """Groups are shown to be beyond the tolerance."""
    yield from worse_groups(beyond, delta, say("texts"), say("of them change the class"))


def _out_of_reach(detail: TextSensitivityDetail) -> Iterator[Caveat]:
    """Protected groups that the list of words misses, so that nothing can be said of them."""
    known = {(one.attribute, one.group): one for one in detail.reach}
    missed = [
        (f"{membership.name} {membership.groups[code]}", one)
        for membership in detail.memberships
        for code in np.unique(membership.codes[membership.codes >= 0])
        if (one := known.get((membership.name, membership.groups[code]))) is None or not one.reached
    ]
    for group, one in missed[:MOST_MISSED]:
        yield Caveat(
            "serious",
            say("The list of words does not speak for {group}: {reason}.", group=group, reason=_why_missed(one)),
            say(
                "Choose a list of words that names this group, such as first names or terms of identity, or add "
                "pairs of your own, with the words of one group in the same column; then run the test again."
            ),
        )
    if (more := len(missed) - MOST_MISSED) > 0:
        yield Caveat(
            "serious",
            say_count(
                "The list of words does not speak for {n} more group.",
                "The list of words does not speak for {n} more groups.",
                more,
            ),
            say("See the table of groups."),
        )


def _why_missed(one: GroupReach | None) -> str:
    if one is None:
        return say("this was not looked at when the test was run")
    if one.share < LEAST_EXCHANGED:
        return say(
            "words are exchanged in {share} of its texts, and {least_exchanged} are needed",
            share=share_text(one.share, 0),
            least_exchanged=share_text(LEAST_EXCHANGED, 0),
        )
    if not math.isfinite(one.told):
        return say("there is no other group to compare it with")
    if one.left > LEAST_TOLD:
        return say("names or terms of identity that are not in the list tell it too, and were left as they are")
    return say(
        "they tell its texts from others with an AUC of {told} ({low} to {high}; .5 is guessing, 1 is "
        "knowing), and it must be shown to be above {least_told}",
        told=number(one.told, 2),
        low=number(one.low, 2),
        high=number(one.high, 2),
        least_told=number(LEAST_TOLD, 2),
    )


def _same_group(detail: TextSensitivityDetail) -> Iterator[Caveat]:
    """The protected status model sees the same group in a text and in its counterpart."""
    if detail.turned is None or detail.status is None or detail.status.weak:
        return
    turned = detail.different(detail.turned)
    if len(turned) and turned.mean() < TURNED:
        yield Caveat(
            "serious",
            say(
                "Exchanging words moves the protected status model by {mean} on average: it sees the same group "
                "as before in most texts, so other words tell the group, and those were left as they are.",
                mean=share_text(float(turned.mean()), 0),
            ),
            say(
                "Bring a list of the words that tell the group; the words with the largest share of what gives "
                "the group away are the first to look at."
            ),
        )


def _too_small(estimates: Estimates) -> Iterator[Caveat]:
    """Groups of so few texts that only a very large excess would show."""
    small = [
        f"{one.sample.attribute} {one.sample.group} ({count(len(one.sample.values), 'text')})"
        for one in estimates.parts
        if not one.corner and 0 < len(one.sample.values) < FEWEST_ROWS
    ]
    if small:
        yield Caveat(
            "warning",
            say(
                "Too few texts with exchanged words to judge: {groups}. That answers to a few texts move "
                "little says nothing of their group; only a large excess would have shown.",
                groups=first_few(small, MOST_NAMED),
            ),
            say("Bring {fewest_rows} texts or more of each group.", fewest_rows=FEWEST_ROWS),
        )


def _copies(detail: TextSensitivityDetail, delta: float) -> Iterator[Caveat]:
    """Texts that occur often move, while each counts once."""
    if detail.same is None:
        return
    exchanged = detail.audited.exchanged
    moved, flipped = (float(one[exchanged].mean()) for one in (detail.audited.values("CF"), detail.audited.flipped))
    if max(moved, flipped) > delta:
        yield Caveat(
            "serious",
            say(
                "Counted as often as they occur, the texts move by {moved} on average and {flipped} of them "
                "change the class; every different text counted once in the verdict.",
                moved=share_text(moved, 1),
                flipped=share_text(flipped, 1),
            ),
            say("Look at the texts that occur most often."),
        )


def _about_swaps(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[Caveat]:
    changed = estimates.flips()
    accused = estimates.of_verdict(decision).lower_bound(decision.alpha) > decision.delta
    if changed.lower_bound(DOUBT) > decision.delta and not accused:
        yield Caveat(
            "serious",
            say(
                "The predicted class changes in {share} of the texts when words are exchanged, more than the "
                "tolerance, although the answer moves less on average.",
                share=share_text(changed.value, 1),
            ),
            say("Look at the texts whose class changes."),
        )
    share = changed.n / len(estimates.detail.label)
    if FEW_EXCHANGED <= share < _NOTABLE_SHARE:
        yield Caveat(
            "warning",
            say(
                "Words could be exchanged in {share} of the texts only; of the others the verdict says nothing.",
                share=share_text(share, 0),
            ),
        )
    yield Caveat(
        "info",
        say(
            "The verdict speaks of the words in the list. Other words that go with a group, such as names or "
            "hobbies, were left as they are."
        ),
        say("Look at the words with the most sensitivity, and compare P2 with a second model."),
    )


def _about_models(estimates: Estimates, decision: TextSensitivityDecision) -> Iterator[Caveat]:
    """What makes two models' sensitivities hard to compare."""
    detail = estimates.detail
    if detail.reference is None:
        return
    own, other = (float(one.confidence.mean()) for one in (detail.audited, detail.reference))
    if abs(own - other) > _CONFIDENCE:
        yield Caveat(
            "warning",
            say(
                "The models differ in confidence ({own} and {other} on average), and sensitivity grows with "
                "doubt: a part of the difference may be that one of them is less sure of everything.",
                own=share_text(own, 0),
                other=share_text(other, 0),
            ),
            say("Base the verdict on exchanged words such as he and she, or compare models that are equally sure."),
        )
    if decision.measure in ("P2", "P3", "P4", "P5"):
        overall, chosen = estimates.ratio("P1"), estimates.ratio(decision.measure)
        if overall.undefined or chosen.undefined:
            return
        if overall.two_sided(decision.alpha).low > 1 and overall.value**2 >= chosen.value:
            yield Caveat(
                "warning",
                say(
                    "The audited model is {times} times as sensitive to words of any kind (P1), so the difference is "
                    "for a good part not one about protected information.",
                    times=localized(f"{overall.value:.2g}"),
                ),
                say("Base the verdict on exchanged words such as he and she."),
            )


def _cut(detail: TextSensitivityDetail) -> Iterator[Caveat]:
    share = detail.cut_texts / max(1, len(detail.label))
    if share > _MANY_CUT:
        yield Caveat(
            "warning",
            say_count(
                "{n} text ({share}) is longer than the model reads; of {words} nothing is said.",
                "{n} texts ({share}) are longer than the model reads; of {words} nothing is said.",
                detail.cut_texts,
                share=share_text(share, 0),
                words=count(detail.cut_words, "word"),
            ),
        )
