"""The headline of a column sensitivity test: how far answers move in another group, and whom that leaves out."""

from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.caveats.doubts import beyond_sentence
from core.claims import Claim
from core.claims_told import Said, at_most, beyond_tolerance, needed, tolerated, value_text
from core.language.phrases import percent
from core.language.told import say


def headline(finding: ColumnSensitivityFinding, claim: Claim, said: Said) -> str:
    """How far the same people's answers move in another group, or could; no full stop."""
    slope = finding.decision.measure == "slope"
    known = {"attribute": claim.who, "tolerated": tolerated(claim)}
    if said == "beyond":
        value = value_text(claim)
        return (
            say(
                "As steeply as they begin, the same people's answers would move by {value} on average in another group "
                "of {attribute}; {tolerated}",
                value=value,
                **known,
            )
            if slope
            else say(
                "In another group of {attribute}, the same people's answers would move by {value} on average; "
                "{tolerated}",
                value=value,
                **known,
            )
        )
    if said == "within":
        told = say(
            "In another group of {attribute}, the same people's answers would move by {bound} on average, with {sure} "
            "confidence; {tolerated}",
            bound=at_most(claim),
            sure=percent(1 - finding.decision.alpha),
            **known,
        )
    else:
        told = say(
            "Whether the same people's answers would move by {more} in another group of {attribute} is open: {missing}",
            attribute=claim.who,
            more=beyond_tolerance(claim),
            missing=needed(finding, claim),
        )
    return f"{told}{beyond_sentence(finding.beyond)}"
