"""The words of the column sensitivity test: its verdict, who is put where, and what a reader can do next."""

from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityResult
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.caveats.doubts import beyond_clause, beyond_sentence
from core.claims import Claim
from core.claims_told import Said, at_most, beyond_tolerance, needed, tolerated, value_text
from core.data.quality.giving_away import named_features
from core.finding import verdict_headline
from core.inference.estimate import Verdict
from core.language.phrases import count, listed, percent, whole
from core.language.told import retold, say
from core.moved_answers import how_far, share_told
from core.one_estimate import no_number

EQUAL_TREATMENT = say(
    "Equal treatment means here that the same person gets nearly the same answer in another group. "
    "Whether answers are right, and what other columns reveal of the group, was not tested: a model "
    "that gives everybody one answer passes"
)
"""What "no violation" means."""


def opening(finding: ColumnSensitivityFinding) -> str:
    """The verdict in a few words, with the groups beyond the tolerance and who would be decided otherwise."""
    verdict = verdict_headline(finding, say("in the columns that were changed"))
    if finding.verdict is not Verdict.NO_VIOLATION and len(finding.claims) > 1:
        beyond = [claim.who for claim in finding.claims if claim.beyond]
        verdict = say("{verdict} for {attribute}", verdict=verdict, attribute=listed(beyond or [finding.attribute]))
    if finding.verdict is not Verdict.VIOLATION:
        verdict += beyond_clause(finding.beyond) + _told(finding)
    return verdict + _decided_otherwise(finding)


def sentence(finding: ColumnSensitivityFinding) -> str:
    """The verdict in plain words, with people, estimate, bounds and tolerance."""
    if finding.undefined:
        return no_number(finding, say("this measure"))
    rest = how_far(finding, lambda estimate: _changes(finding, estimate), ("person", "people"))
    meant = f". {retold(EQUAL_TREATMENT)}" if finding.verdict is Verdict.NO_VIOLATION else ""
    return f"{finding.opening}: {rest}{meant}."


def affected(finding: ColumnSensitivityFinding) -> str:
    """The attributes whose bounds lie beyond the tolerance, one sentence."""
    names = [claim.who for claim in finding.claims if claim.beyond]
    return say("The same people would get other answers in another group of {attributes}.", attributes=listed(names))


def changed_columns(result: ColumnSensitivityResult, one: AttributeScores) -> str:
    """What changes with a group, in words."""
    own = say("the column {attribute} itself", attribute=one.attribute) if one.read else ""
    through = ", ".join(name for name in result.detail.through)
    carried = say("{through}, by the mean difference between the groups", through=through) if through else ""
    return "; ".join(filter(None, (own, carried)))


def flips_sentence(one: AttributeScores, alpha: float) -> str:
    """How many people would be decided otherwise in some other group."""
    return say(
        "{count} of {people} would get another predicted outcome in some other group of {attribute}, {share} "
        "({confidence} interval {interval}).",
        count=whole(one.flips.count),
        people=count(one.flips.n, "person", "people"),
        attribute=one.attribute,
        **share_told(one.flips, alpha),
    )


def _told(finding: ColumnSensitivityFinding) -> str:
    """The features that tell an attribute and did not change with it."""
    tells = finding.result.detail.tells
    if not tells:
        return ""
    names = dict.fromkeys(one.features for one in tells)
    attributes = listed(list(dict.fromkeys(one.attribute for one in tells)))
    features = named_features(tells)
    return (
        say("; {features} tells {attributes} and did not change with it", features=features, attributes=attributes)
        if len(names) == 1
        else say("; {features} tell {attributes} and did not change with it", features=features, attributes=attributes)
    )


def _decided_otherwise(finding: ColumnSensitivityFinding) -> str:
    """How many would be decided otherwise, by the attribute for which most would, and in which group above all."""
    one, flips = finding.most_flips
    if not flips.count:
        return ""
    alpha = finding.decision.alpha
    of_groups = [(one.flips_of(g), name) for g, name in enumerate(one.groups)]
    level = alpha / len(of_groups)
    among = [(share.value, name) for share, name in of_groups if share.lower_bound(level) > flips.value]
    found = say(
        "; {share} of people would be decided otherwise in another group of {attribute} ({confidence} "
        "interval {interval})",
        attribute=one.attribute,
        **share_told(flips, alpha),
    )
    if not among:
        return found
    share, group = max(among)
    return say("{found}, above all {group} ({share})", found=found, group=group, share=percent(round(share, 3)))


def _changes(finding: ColumnSensitivityFinding, estimate: str) -> str:
    """How far the answer moves on average, of the attribute that decides."""
    known, other = {"attribute": finding.attribute, "estimate": estimate}, len(finding.decides.groups) == 2
    if finding.decision.measure == "change":
        return (
            say(
                "putting people into the other group of {attribute} changes the answer by {estimate} on average",
                **known,
            )
            if other
            else say(
                "putting people into the other groups of {attribute} changes the answer by {estimate} on average",
                **known,
            )
        )
    return (
        say(
            "as steeply as it begins, putting people into the other group of {attribute} would change the answer by "
            "{estimate} on average",
            **known,
        )
        if other
        else say(
            "as steeply as it begins, putting people into the other groups of {attribute} would change the answer by "
            "{estimate} on average",
            **known,
        )
    )


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
