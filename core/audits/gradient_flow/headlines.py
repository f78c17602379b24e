"""The headline of a gradient-flow test: how much worse the model does on a similar person."""

from core.audits.gradient_flow.verdict import GradientFlowFinding
from core.claims import Claim
from core.claims_told import Said, at_most, beyond_tolerance, needed, tolerance_number, value_text, whom
from core.language.phrases import percent
from core.language.told import say


def headline(finding: GradientFlowFinding, claim: Claim, said: Said) -> str:
    """How many times as large the model's error is, or can be, for a similar person; no full stop."""
    size, tolerance = finding.decision.statistic == "loss ratio", tolerance_number(claim)
    if said == "beyond":
        return say("{found}; {tolerance} times is tolerated", found=_beyond(finding, claim), tolerance=tolerance)
    if said == "within":
        known = {"sure": percent(1 - finding.decision.alpha), "bound": at_most(claim), "tolerance": tolerance}
        return (
            say(
                "With {sure} confidence, the model's error is {bound} times as large on average for a similar person "
                "we could find; {tolerance} times is tolerated",
                **known,
            )
            if size
            else say(
                "With {sure} confidence, the model errs {bound} times as often about a similar person we could find; "
                "{tolerance} times is tolerated",
                **known,
            )
        )
    more, missing = beyond_tolerance(claim), needed(finding, claim)
    return (
        say(
            "Whether the model's error is {more} times as large for similar people is open: {missing}",
            **_both(more, missing),
        )
        if size
        else say(
            "Whether the model errs {more} times as often about similar people is open: {missing}",
            **_both(more, missing),
        )
    )


def _beyond(finding: GradientFlowFinding, claim: Claim) -> str:
    """What was found over everybody, and of the group in which it is clearest if one can be told apart."""
    size, group = finding.decision.statistic == "loss ratio", next(iter(finding.groups_beyond), None)
    known = {"value": value_text(claim)}
    if group is None:
        return (
            say(
                "Over everybody, the model's error is {value} times as large on average for the worst-treated similar "
                "person we could find",
                **known,
            )
            if size
            else say(
                "Over everybody, the model errs {value} times as often about the worst-treated similar person we could "
                "find",
                **known,
            )
        )
    known |= {"more": value_text(group), "who": whom(group.who)}
    return (
        say(
            "For the worst-treated similar person we could find, the model's error is {value} times as large on "
            "average, {more} times for {who}",
            **known,
        )
        if size
        else say(
            "About the worst-treated similar person we could find, the model errs {value} times as often, {more} times "
            "for {who}",
            **known,
        )
    )


def _both(more: str, missing: str) -> dict[str, str]:
    return {"more": more, "missing": missing}
