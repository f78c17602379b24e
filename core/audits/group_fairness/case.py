"""The comparison to tell first, beside the verdict."""

from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_claims import compared_in, side_text
from core.base.tables import Case, Table
from core.language.phrases import count, upper_first
from core.language.told import say


def case(finding: GroupFairnessFinding) -> Case | None:
    """Both sides of the comparison; None where there are no two groups."""
    claim = finding.deciding
    if claim is None:
        return None
    header = upper_first(compared_in(finding.under(within=()), claim))
    cells = (
        (claim.who, side_text(finding, claim, claim.here)),
        (claim.against, side_text(finding, claim, claim.there)),
    )
    return Case(
        say("The comparison that decides") if claim.beyond else say("The largest difference"),
        say(
            "{people} of {who} and {others} of {against}.",
            people=count(claim.people, "person", "people"),
            who=claim.who,
            others=count(claim.others, "person", "people"),
            against=claim.against,
        ),
        Table("", (say("Who"), header), cells),
    )
