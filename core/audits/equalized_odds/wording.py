"""The words of the equalized odds test: its questions, its verdict, and what a reader can do next."""

from __future__ import annotations

import math

from core import sentences
from core.audits.equalized_odds.compared import gap_shares, shared_text, threshold_text
from core.audits.equalized_odds.evidence import MORE_THAN_NOTHING
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.settings import Asks
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording_means import cleared, difference_sentence
from core.inference.estimate import Verdict
from core.next_steps import MOST_TIMES, rounded_up
from core.phrases import count, lower_first, p_value, percent, points, without_stop

_QUESTIONS: dict[Asks, str] = {
    "equalized odds": "Do people with the same outcome get the same answers, whatever group they belong to?",
    "demographic parity": "Do all groups get the same answers, whatever the outcome?",
    "calibration": "Does the same answer mean the same in every group?",
}
_EXAMPLES: dict[tuple[Asks, bool], str] = {
    ("equalized odds", False): "For example: among those who should be admitted, is one group admitted as often and as "
    "surely as another?",
    ("equalized odds", True): "For example: among people whose care really cost the same, is the cost estimated lower "
    "in one group than in another?",
    ("demographic parity", False): "For example: is one group admitted as often as another? It asks so even where the "
    "outcomes themselves differ between the groups.",
    ("demographic parity", True): "For example: is the estimated cost as high in one group as in another? It asks so "
    "even where the true costs differ between the groups.",
    ("calibration", False): "For example: among people who were given a probability of 70%, does it come true as often "
    "in every group?",
    ("calibration", True): "For example: among people whose cost is estimated alike, is the true cost higher in one "
    "group than in another?",
}
_DEPENDS: dict[Asks, str] = {
    "equalized odds": "people with the same outcome get different answers",
    "demographic parity": "people get different answers",
    "calibration": "people with the same answer have different outcomes",
}
_MEANS: dict[Asks, str] = {
    "equalized odds": "Equal treatment here means the same answers for people with the same outcome in the table: a "
    "model that repeats biased outcomes, or gives everybody the same answer, passes by definition",
    "demographic parity": "Equal treatment here means the same answers in every group, right or wrong: a model that "
    "gives everybody the same answer passes by definition",
    "calibration": "Equal treatment here means that the same answer comes true as often in every group: a model that "
    "predicts biased outcomes well passes by definition",
}


def question(asks: Asks) -> str:
    """What the test asks, one plain sentence."""
    return _QUESTIONS[asks]


def example(asks: Asks, *, numbers: bool) -> str:
    """The question in an example, for answers that are numbers or classes; one or two sentences."""
    return _EXAMPLES[asks, numbers]


def asked(detail: EqualizedOddsDetail) -> str:
    """What the test asked, one plain sentence."""
    if detail.given:
        return f"Do people who are alike in {detail.shared} get the same answers, whatever group they belong to?"
    return question(detail.asks)


def _depends(detail: EqualizedOddsDetail) -> str:
    """What a violation shows, before the attributes."""
    return f"people alike in {detail.shared} get different answers" if detail.given else _DEPENDS[detail.asks]


def _means(detail: EqualizedOddsDetail) -> str:
    """What equal treatment "no violation" is about."""
    if detail.given:
        return (
            "Equal treatment here means the same answers in every group among people who are alike in "
            f"{detail.shared}: whether these may rightly matter is not tested"
        )
    return _MEANS[detail.asks]


def headline(finding: EqualizedOddsFinding) -> str:
    """The verdict in a few words, for the top of a card."""
    return sentences.headline(finding, "between these groups")


def sentence(finding: EqualizedOddsFinding) -> str:
    """The verdict in one or two plain sentences: p-values, the largest difference, its bounds and the tolerance."""
    told = {
        Verdict.VIOLATION: _violation,
        Verdict.NO_VIOLATION: _no_violation,
        Verdict.INSUFFICIENT: _insufficient,
    }[finding.verdict](finding)
    return f"{finding.headline}: {told}."


def next_steps(finding: EqualizedOddsFinding) -> tuple[str, ...]:
    """What would help where the evidence is insufficient, the most helpful first; empty where the verdict is clear."""
    if finding.verdict is not Verdict.INSUFFICIENT:
        return ()
    advice = [notice.advice for notice in finding.reasons if notice.advice]
    more = _more_rows(finding)
    steps = dict.fromkeys((*more, *advice))
    if more:
        steps.pop("Bring more rows.", None)
    return tuple(steps)


def gap_sentence(finding: EqualizedOddsFinding, place: int) -> str:
    """The largest difference between groups of an attribute: where, of whom, how large, how certain; no full stop."""
    gap, told = finding.gaps[place], gap_comparison(finding, place)
    if gap.stratum < 0:
        return told
    least = f"bounds {points(gap.low)} to" if finding.exact else "upper bound"
    sure = percent(1 - finding.decision.alpha)
    return f"{told}, {points(gap.value)} percentage points apart ({sure} {least} {points(gap.high)})"


def gap_comparison(finding: EqualizedOddsFinding, place: int) -> str:
    """Who is compared where the groups of an attribute differ most, and their shares; no full stop."""
    detail = finding.result.detail
    gap, one = finding.gaps[place], detail.attributes[place]
    if gap.stratum < 0:
        about = "" if detail.strata.exact else "about "
        shared = f" with {about}the same {detail.shared}" if detail.shared else ""
        return f"no two groups of {one.name} have 30 people each{shared}"
    shares = gap_shares(detail, place, gap)
    first, second = (f"{one.name} = {one.groups[group]}" for group in gap.groups)
    return (
        f"{among(finding, gap.stratum)}, the share with {threshold_text(detail, gap, finding.outcome)} is "
        f"{points(shares[0])}% for {first} and {points(shares[1])}% for {second}"
    )


def _violation(finding: EqualizedOddsFinding) -> str:
    detail, delta = finding.result.detail, finding.decision.delta
    places = finding.violated
    names = [f"{detail.attributes[place].name} ({_p_of(finding, place, delta)})" for place in places]
    beyond = f", by more than the {tolerance_text(finding)} tolerated" if delta > 0 else ""
    told = f"{_depends(detail)} depending on {_listed(names)}{beyond}"
    if finding.effects:
        return f"{told}. {_in_units(finding, places)}"
    compared = [place for place in places if finding.gaps[place].stratum >= 0]
    if not compared:
        return f"{told}. How large the difference is cannot be said: {gap_sentence(finding, places[0])}"
    most = max(compared, key=lambda place: finding.gaps[place].value)
    verb = "" if len(detail.attributes) == 1 else " is by" if len(places) > 1 else " by"
    by = f"{verb} {detail.attributes[most].name}" if verb else ""
    return f"{told}. {_largest(finding, most, by)}"


def _largest(finding: EqualizedOddsFinding, place: int, by: str = "") -> str:
    """The largest difference; that it need not be the one the fair dummies see where its bound shows none."""
    told = gap_sentence(finding, place)
    if finding.gaps[place].low > MORE_THAN_NOTHING:
        return f"The largest difference{by}: {told}"
    return f"Which groups make it is not shown; among groups of 30 people or more the largest difference{by} is: {told}"


def tolerance_text(finding: EqualizedOddsFinding) -> str:
    """The tolerance with its unit: ``10 percentage points``, ``2,300 units of salary``."""
    unit, delta = finding.unit, finding.decision.delta
    return f"{unit.number(delta)} {unit.name}" if finding.effects else unit.tolerance(delta)


def _plain_tolerance(finding: EqualizedOddsFinding) -> str:
    """The tolerance beside a bound whose unit is told."""
    return finding.unit.number(finding.decision.delta) if finding.effects else points(finding.decision.delta)


def _in_units(finding: EqualizedOddsFinding, places: tuple[int, ...]) -> str:
    """The difference of means that shows most, and beside it the gap in shares; no full stop."""
    measured = [place for place in places if finding.shown(place)]
    if not measured:
        return f"How large the difference is cannot be said: {difference_sentence(finding, places[0])}"
    most = max(measured, key=lambda place: max(one.low for one in finding.differences(place)))
    told = difference_sentence(finding, most)
    told = told[:1].upper() + told[1:]
    if finding.gaps[most].stratum < 0:
        return told
    return f"{told}. In shares of people: {gap_sentence(finding, most)}"


def _p_of(finding: EqualizedOddsFinding, place: int, delta: float) -> str:
    several = "adjusted " if len(finding.evidence) > 1 else ""
    return f"{several}p-value {p_value(finding.evidence[place].p_value(delta), alpha=finding.decision.alpha)}"


def _no_violation(finding: EqualizedOddsFinding) -> str:
    bound = cleared(finding) if finding.effects else _cleared(finding)
    told = f"{bound}, within the {_plain_tolerance(finding)} tolerated"
    if finding.different:
        told += f". {_treated(finding)}, if by no more than that"
    on_average = (
        "; groups with the same mean pass, however differently they spread around it" if finding.effects else ""
    )
    return f"{told}. {_means(finding.result.detail)}{on_average}"


def _cleared(finding: EqualizedOddsFinding) -> str:
    """By how much shares differ at most, of whom and with what confidence; no full stop."""
    detail = finding.result.detail
    kinds = {
        kind: [one.name for one in detail.attributes if one.continuous == (kind == "bins")]
        for kind in ("groups", "bins")
    }
    among = " and ".join(f"the {kind} of {_listed(names)}" for kind, names in kinds.items() if names)
    return (
        f"{_given(detail)} differ between {among} by at most {points(finding.bound)} percentage points "
        f"({percent(1 - finding.decision.alpha)} confidence)"
    )


def _treated(finding: EqualizedOddsFinding) -> str:
    """What is shown of attributes whose groups differ, however little."""
    detail, places = finding.result.detail, finding.different
    names = [detail.attributes[place].name for place in places]
    shown = [_p_of(finding, place, 0.0) for place in places]
    told = "The same answer does not mean the same in all groups of" if detail.asks == "calibration" else "Groups of"
    end = "" if detail.asks == "calibration" else " are treated differently"
    if len(places) == 1:
        return f"{told} {names[0]}{end} ({shown[0]})"
    return f"{told} {_listed([f'{name} ({p})' for name, p in zip(names, shown, strict=True)])}{end}"


def _insufficient(finding: EqualizedOddsFinding) -> str:
    delta, bound = finding.decision.delta, finding.bound
    serious = [notice.what for notice in finding.reasons if notice.level == "serious"]
    because = f"since {lower_first(without_stop(serious[0]))}" if serious else ""
    if finding.different:
        told = lower_first(_treated(finding))
        if bound <= delta:
            return f"{told}; that they differ by no more than is tolerated cannot be said, {because}"
        than = f"more than the {tolerance_text(finding)} tolerated"
        neither = f"{told}; that they differ by {than} is neither shown nor excluded"
        if finding.effects:
            return f"{neither}. {_in_units(finding, finding.different)}"
        most = max(finding.different, key=lambda place: finding.gaps[place].value)
        return f"{neither}. {_largest(finding, most)}"
    nothing = f"no difference between the groups was shown ({_smallest(finding)}), which is no evidence of fairness"
    if bound <= delta:
        return f"{nothing}, {because}"
    where = "" if finding.effects else "at some threshold "
    return (
        f"{nothing}: {where}there could be one {_up_to(finding)}, more than the {_plain_tolerance(finding)} tolerated"
    )


def _up_to(finding: EqualizedOddsFinding) -> str:
    """How large a difference may be."""
    if _unbounded(finding):
        return "of any size"
    size = finding.unit.number(finding.bound) if finding.effects else f"{points(finding.bound)} percentage points"
    return f"of up to {size}"


def _unbounded(finding: EqualizedOddsFinding) -> bool:
    return math.isinf(finding.bound) if finding.effects else finding.bound >= 1


def _smallest(finding: EqualizedOddsFinding) -> str:
    return f"p-value {p_value(finding.p_different, alpha=finding.decision.alpha)}"


def _more_rows(finding: EqualizedOddsFinding) -> tuple[str, ...]:
    """How many rows bring the bound below the tolerance if nothing differs: bounds shrink with the root of n."""
    delta, bound = finding.decision.delta, finding.bound
    if not bound > delta > 0:
        return ()
    if finding.different:
        return ("Bring more rows: four times as many halve the distance between the bounds.",)
    rows, times = finding.n, (bound / delta) ** 2
    if _unbounded(finding) or times > MOST_TIMES:
        return ("Bring many more rows, or merge small groups and outcomes: with these, hardly any bound can be given.",)
    needed = count(rounded_up(times * rows), "row")
    return (
        f"Bring more rows: about {needed} instead of {rows:,} would show that every difference is within "
        "the tolerance, if there is none; more, if there is a small one.",
    )


def among(finding: EqualizedOddsFinding, stratum: int) -> str:
    """Who is compared in a stratum: ``among people with outcome = yes``."""
    shared = shared_text(finding.result.detail, stratum, finding.outcome)
    return f"among people with {shared}" if shared else "among all people"


def _within(detail: EqualizedOddsDetail) -> str:
    """Among whom groups are compared."""
    if not detail.shared:
        return "of all people"
    if detail.strata.exact:
        return f"with the same {detail.shared}"
    return f"with about the same {detail.shared} (cut into {len(detail.strata.names)} parts)"


def _given(detail: EqualizedOddsDetail) -> str:
    """The shares that "no violation" is about."""
    if not detail.shared:
        return "whatever threshold is set, the shares of people with an answer above it"
    if detail.asks == "calibration" and not detail.numbers:
        return f"the shares of people {_within(detail)} who have the outcome {detail.classes[detail.asked]}"
    told = "an outcome" if detail.asks == "calibration" else "an answer"
    return f"whatever threshold is set, the shares of people {_within(detail)} who have {told} above it"


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def resampled(way: str) -> str:
    """How groups were drawn anew, in words."""
    return {
        "permutation": "exchanged among the people who are compared with each other, which is exact",
        "conditional permutation": "exchanged among people with the same value where it occurs often, which is exact, "
        "and among all others likelier where their values are alike (conditional permutation)",
        "density": "exchanged among people with the same value where it occurs often, which is exact, and drawn afresh "
        "for all others from the learned probabilities",
    }[way]
