"""What the equalized odds test assumes and what it cannot say, in plain words."""

from core.audits.equalized_odds.settings import Asks
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording import tolerance_text
from core.caveats.assumptions import chosen_tolerance, independent_rows, no_good_end, read_once
from core.language.told import retold, say, say_as

_ASKS: dict[Asks, str] = {
    "equalized odds": say(
        "Equalized odds is about groups: it says nothing about whether similar individuals are treated "
        "alike, and takes the outcome in the table for right. Where groups were recorded or judged "
        "unfairly in the past, a model can meet it and pass that on."
    ),
    "demographic parity": say(
        "Demographic parity is about groups: it says nothing about whether similar individuals are "
        "treated alike, and asks for the same answers even where outcomes differ. Whether that is wanted "
        "is for the auditor to decide."
    ),
    "calibration": say(
        "Calibration is about groups: it says nothing about whether similar individuals are treated "
        "alike. A model can be calibrated in every group and still err more often in one of them."
    ),
}
_GIVEN = say(
    "Whether what people were compared by may rightly matter is a legal judgement, and a group that "
    "has less of it through no fault of its own is not helped by it. Write down who approved it and "
    "why, and report the rates of all people beside it. Numbers were compared in bins: within a bin "
    "people may differ."
)
_TOGETHER = say(
    "Equalized odds and calibration within groups cannot both hold where the groups' rates of the "
    "outcome differ, unless the model is always right. A model that passes one of the two tests must "
    "then fail the other."
)

_BY_THEMSELVES = say(
    "Each attribute is judged by itself; combinations of attributes are not looked at. People of two groups at once, "
    "such as women of one race, can be treated worse than either group: the group fairness test judges them."
)
_EITHER = say("The test shows that groups are treated differently. It does not say which of them is harmed.")
_TOLD = say(
    "Where several differences exceed the tolerance, the sentence names the one that concerns most people beyond it; "
    "the largest may be that of a tiny group. A table lists them all."
)
_PRICE = say(
    "Because differences within a part can cancel, parts clear nothing once the test shows that groups differ at all. "
    "The more rows there are, the smaller a difference it shows: of many rows even a harmless one gives insufficient "
    "evidence."
)


def assumptions(finding: EqualizedOddsFinding) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this audit."""
    detail, decision = finding.result.detail, finding.decision
    exact = (
        say(
            "Groups were permuted among people who have exactly the same value, so the p-value is right for "
            "any number of rows, any model and whatever looked for the differences."
        )
        if detail.strata.exact
        else say(
            "People whose value occurs often, as round numbers do, were exchanged among each other, which is "
            "exact. Hardly two of the others have the same value, so the test learned from a part of the "
            "rows who might belong to which group. For them the p-value is right only as far as that was "
            "learned well. The results say how well in tenths of these people."
        )
    )
    parts = (
        ()
        if detail.strata.exact
        else (
            say(
                "The largest difference compares people whose values are near each other, in {n} parts of about "
                "equally many people. Groups that lie differently within a part can show a difference that is not "
                "the model's, and differences in opposite directions within a part cancel.",
                n=len(detail.strata.names),
            ),
        )
    )
    bins = tuple(
        say(
            "The largest difference compares bins of {name}; what differs within a bin it does not show.", name=one.name
        )
        for one in detail.attributes
        if one.continuous
    )
    by_own_outcome = len(detail.classes) > 2 and detail.asks == "equalized odds"
    return (
        independent_rows(finding.result.data.independent),
        retold(_ASKS[detail.asks]),
        *(_means(finding) if finding.effects else parts),
        *bins,
        *((retold(_BY_THEMSELVES),) if len(detail.attributes) > 1 else ()),
        exact,
        say(
            "The test asks twice whether groups are treated differently at all. First, whether they are "
            "answered differently on average, by the probability of each person's own outcome; a model looks for "
            "that. Second, how large the largest difference is. Twice the smaller p-value counts. A large one never "
            "counts as fair."
        )
        if by_own_outcome
        else say(
            "The test asks twice whether groups are treated differently at all. First, whether they are "
            "answered differently on average; a model looks for that. Second, how large the largest "
            "difference is. Twice the smaller p-value counts. A large one never counts as fair."
        ),
        say(
            "The verdict holds the bounds of the largest difference against the tolerance. Lower bounds hold "
            "together for all attributes, groups and thresholds. An upper bound of all differences needs no "
            "such correction."
        ),
        *_harmed(finding),
        *(() if finding.effects or not detail.strata.exact else (retold(_TOLD),)),
        *((retold(_GIVEN),) if detail.given else ()),
        *((retold(_TOGETHER),) if detail.asks != "demographic parity" else ()),
        chosen_tolerance(tolerance_text(finding), decision),
        read_once(decision.alpha, say("questions, attributes and tolerances"), say("question")),
    )


def _harmed(finding: EqualizedOddsFinding) -> tuple[str, ...]:
    """That it is not known who is harmed, and of numbers why; nothing where it is known."""
    if not finding.effects:
        return (retold(_EITHER),)
    return (no_good_end(finding.outcome),) if finding.good_end == "not said" else ()


def _means(finding: EqualizedOddsFinding) -> tuple[str, ...]:
    """What differences of means say, and of whom."""
    average = say(
        "The verdict is about means: groups whose answers are as large on average, but further apart "
        "from each other, pass."
    )
    spread = say(
        "The tolerance is a share of how far the outcomes of this table are spread (their standard deviation), and the "
        "verdict is about that number of units: {tolerance}. In another table the same share is another number.",
        tolerance=tolerance_text(finding),
    )
    if finding.result.detail.asks == "demographic parity":
        return average, spread
    given = say_as("in the", "answer") if finding.result.detail.asks == "calibration" else finding.outcome
    return (
        average,
        spread,
        say(
            "People are compared with neighbours in {given}, and straight lines in it are taken out; where "
            "groups hardly overlap, few people count. A difference is held against the tolerance in three to "
            "ten parts, from low to high; differences in opposite directions within a part cancel.",
            given=given,
        ),
        *(() if finding.exact else (retold(_PRICE),)),
    )
