"""What the equalized odds test asks, what its verdict is about, and how groups were drawn anew, in words."""

from core.audits.equalized_odds.compared import alike
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.settings import Asks
from core.language.told import retold, say

_QUESTIONS: dict[Asks, str] = {
    "equalized odds": say("Do people with the same outcome get the same answers, whatever group they belong to?"),
    "demographic parity": say("Do all groups get the same answers, whatever the outcome?"),
    "calibration": say("Does the same answer mean the same in every group?"),
}
_EXAMPLES: dict[tuple[Asks, bool], str] = {
    ("equalized odds", False): say(
        "For example: among those who should be admitted, is one group admitted as often and as surely as another?"
    ),
    ("equalized odds", True): say(
        "For example: among people whose care really cost the same, is the cost estimated lower in one "
        "group than in another?"
    ),
    ("demographic parity", False): say(
        "For example: is one group admitted as often as another? It asks so even where the outcomes "
        "themselves differ between the groups."
    ),
    ("demographic parity", True): say(
        "For example: is the estimated cost as high in one group as in another? It asks so even where "
        "the true costs differ between the groups."
    ),
    ("calibration", False): say(
        "For example: among people who were given a probability of 70%, does it come true as often in every group?"
    ),
    ("calibration", True): say(
        "For example: among people whose cost is estimated alike, is the true cost higher in one group than in another?"
    ),
}
_DEPENDS: dict[Asks, str] = {
    "equalized odds": say("people with the same outcome get different answers"),
    "demographic parity": say("people get different answers"),
    "calibration": say("people with the same answer have different outcomes"),
}
_MEANS: dict[Asks, str] = {
    "equalized odds": say(
        "Equal treatment here means the same answers for people with the same outcome in the table: a "
        "model that repeats biased outcomes, or gives everybody the same answer, passes by definition"
    ),
    "demographic parity": say(
        "Equal treatment here means the same answers in every group, right or wrong: a model that gives "
        "everybody the same answer passes by definition"
    ),
    "calibration": say(
        "Equal treatment here means that the same answer comes true as often in every group: a model "
        "that predicts biased outcomes well passes by definition"
    ),
}


def question(asks: Asks) -> str:
    """What the test asks, one plain sentence."""
    return retold(_QUESTIONS[asks])


def example(asks: Asks, *, numbers: bool) -> str:
    """The question in an example, for answers that are numbers or classes; one or two sentences."""
    return retold(_EXAMPLES[asks, numbers])


def asked(detail: EqualizedOddsDetail) -> str:
    """What the test asked, one plain sentence."""
    if detail.given:
        return say(
            "Do people who are alike in {columns} get the same answers, whatever group they belong to?",
            columns=detail.shared,
        )
    return question(detail.asks)


def violated(detail: EqualizedOddsDetail) -> str:
    """What a violation shows, before the attributes."""
    if detail.given:
        return say("people alike in {columns} get different answers", columns=detail.shared)
    return retold(_DEPENDS[detail.asks])


def equal_treatment(detail: EqualizedOddsDetail) -> str:
    """What equal treatment "no violation" is about."""
    if detail.given:
        return say(
            "Equal treatment here means the same answers in every group among people who are alike in "
            "{columns}: whether these may rightly matter is not tested",
            columns=detail.shared,
        )
    return retold(_MEANS[detail.asks])


def _within(detail: EqualizedOddsDetail) -> str:
    """Among whom groups are compared, where that is not everybody."""
    if detail.strata.exact:
        return alike(detail)
    return say(
        "{with_the_same} (cut into {n} parts)", with_the_same=alike(detail, about=True), n=len(detail.strata.names)
    )


def shares_of(detail: EqualizedOddsDetail) -> str:
    """The shares that "no violation" is about."""
    if not detail.shared:
        return say("whatever threshold is set, the shares of people with an answer above it")
    if detail.asks == "calibration" and not detail.numbers:
        return say(
            "the shares of people {with_the_same} who have the outcome {name}",
            with_the_same=_within(detail),
            name=detail.classes[detail.asked],
        )
    if detail.asks == "calibration":
        return say(
            "whatever threshold is set, the shares of people {with_the_same} who have an outcome above it",
            with_the_same=_within(detail),
        )
    return say(
        "whatever threshold is set, the shares of people {with_the_same} who have an answer above it",
        with_the_same=_within(detail),
    )


def resampled(way: str) -> str:
    """How groups were drawn anew, in words."""
    return {
        "permutation": say("exchanged among the people who are compared with each other, which is exact"),
        "conditional permutation": say(
            "exchanged among people with the same value where it occurs often, which is exact, and among all "
            "others likelier where their values are alike (conditional permutation)"
        ),
        "density": say(
            "exchanged among people with the same value where it occurs often, which is exact, and drawn "
            "afresh for all others from the learned probabilities"
        ),
    }[way]
