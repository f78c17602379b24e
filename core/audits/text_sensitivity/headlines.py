"""The headline of a text sensitivity test: how far answers move when words are exchanged, or beside a second model."""

from core.audits.text_sensitivity.verdict import TextSensitivityFinding
from core.audits.text_sensitivity.wording import REACTS_TO, list_name, not_worse
from core.caveats.doubts import beyond_sentence
from core.claims import Claim
from core.claims_told import Said, at_most, beyond_tolerance, needed, tolerated, value_text
from core.language.phrases import percent
from core.language.told import retold, say


def headline(finding: TextSensitivityFinding, claim: Claim, said: Said) -> str:
    """How far the answer moves when words are exchanged, or could; no full stop."""
    if finding.judged == "reference":
        return _beside_the_second_model(finding, claim, said)
    words = list_name(finding.result)
    if said == "beyond":
        return say(
            "Exchanging {words} changes the model's answer by {value} on average; {tolerated}",
            words=words,
            value=value_text(claim),
            tolerated=tolerated(claim),
        )
    if said == "within":
        told = say(
            "Exchanging {words} changes the model's answer by {bound} on average, with {sure} confidence; {tolerated}",
            words=words,
            bound=at_most(claim),
            sure=percent(1 - finding.decision.alpha),
            tolerated=tolerated(claim),
        )
    else:
        told = say(
            "Whether exchanging {words} changes the model's answer by {more} on average is open: {missing}",
            words=words,
            more=beyond_tolerance(claim),
            missing=needed(finding, claim),
        )
    return f"{told}{beyond_sentence(finding.beyond)}"


def _beside_the_second_model(finding: TextSensitivityFinding, claim: Claim, said: Said) -> str:
    words = retold(REACTS_TO[finding.measure])
    if said == "beyond":
        return say(
            "The model reacts more strongly than the second one to {words}, by {value}; {tolerated}",
            words=words,
            value=value_text(claim),
            tolerated=tolerated(claim),
        )
    if not_worse(finding):
        return say("Not worse than the second model, but both may be unfair")
    return say(
        "Whether the model reacts more strongly than the second one to {words} is open: {missing}",
        words=words,
        missing=needed(finding, claim),
    )
