"""The two groups that differ most, told beside the verdict."""

from core.audits.equalized_odds.compared import gap_shares, threshold_text
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording import among
from core.base.tables import Case, Table
from core.language.phrases import share_to_tenths
from core.language.told import say


def case(finding: EqualizedOddsFinding) -> Case | None:
    """The difference to tell of the attribute shown; None where no two groups can be compared."""
    detail, place = finding.result.detail, finding.place
    gap, one = finding.beyond[place][0], detail.attributes[place]
    if gap.stratum < 0:
        return None
    told = among(finding, gap.stratum)
    share = say("Share with {detail}", detail=threshold_text(detail, gap, finding.outcome))
    rows = zip(gap.groups, gap_shares(detail, place, gap), strict=True)
    cells = tuple((f"{one.name} = {one.groups[group]}", share_to_tenths(value)) for group, value in rows)
    beside = Table("", (say("Group"), share), cells)
    return Case(say("The two groups that differ most clearly"), f"{told[:1].upper()}{told[1:]}.", beside)
