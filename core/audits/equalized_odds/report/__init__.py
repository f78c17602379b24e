"""An equalized odds test in facts and tables, and what it cannot say."""

import math

from core.audits.equalized_odds.compared import alike, gap_shares, threshold_text
from core.audits.equalized_odds.dummies import FairDummies
from core.audits.equalized_odds.report.assumptions import assumptions
from core.audits.equalized_odds.report.tables import tables
from core.audits.equalized_odds.result import EqualizedOddsDetail
from core.audits.equalized_odds.verdict import EqualizedOddsFinding
from core.audits.equalized_odds.wording import among, tolerance_text
from core.audits.equalized_odds.wording_asked import asked, resampled
from core.base.tables import NOT_GIVEN, Case, Fact, Table
from core.claims import Claim
from core.claims_shown import lines_of
from core.claims_told import amount
from core.data.labels import condition
from core.inference.estimate import Verdict
from core.judge import judge
from core.language.phrases import count, number, p_value, percent, share_to_tenths, whole
from core.language.told import localized, retold, say

__all__ = ["assumptions", "case", "diagnostics", "similar", "statistics", "tables"]


def similar(finding: EqualizedOddsFinding) -> tuple[Fact, ...]:
    """The question, who is compared with whom, and in which groups."""
    detail = finding.result.detail
    facts = [
        Fact(say("Asked"), asked(detail)),
        Fact(say("Compared with each other"), _compared(detail)),
    ]
    for one in detail.attributes:
        groups = ", ".join(one.groups)
        told = say("a number; for tables cut into {bins}", bins=groups) if one.continuous else groups
        facts.append(Fact(say("Groups of {name}", name=one.name), told))
    return tuple(facts)


def statistics(finding: EqualizedOddsFinding) -> Table:
    """A column for each protected attribute: what is claimed of it, and its fair dummies."""
    alpha, tolerated = finding.decision.alpha, tolerance_text(finding)
    columns = [_lines(finding, *both) for both in zip(finding.of_attributes, finding.attributes, strict=True)]
    names = [name for name in columns[0] if any(lines[name] != NOT_GIVEN for lines in columns)]
    caption = say(
        "{question} At tolerance δ = {tolerance} and a risk of a wrong verdict of α = {alpha}; {people}",
        question=asked(finding.result.detail),
        tolerance=tolerated,
        alpha=localized(f"{alpha:g}"),
        people=count(finding.n, "person", "people"),
    )
    header = ("", *(one.attribute for one in finding.attributes))
    return Table(caption, header, tuple((name, *(lines[name] for lines in columns)) for name in names))


def _lines(finding: EqualizedOddsFinding, claims: tuple[Claim, ...], one: FairDummies) -> dict[str, str]:
    alpha, tolerated = finding.decision.alpha, tolerance_text(finding)
    claim = claims[0]
    found = lines_of(claim, judge(claims), alpha=alpha, rows=say("People"), estimate=say("Clearest difference"))
    del found[say("p-value")]
    return {
        say("p-value of “at most {tolerance} apart”, adjusted for all attributes", tolerance=tolerated): p_value(
            claim.p_value, alpha=alpha
        ),
        say("p-value of “no difference”, adjusted likewise"): p_value(one.different_p, alpha=alpha),
        say("p-value of the fair dummies alone"): p_value(one.p_value, alpha=alpha),
        say("Its Monte-Carlo standard error"): number(one.p_error),
        say("Group"): claim.who,
        say("Compared with"): claim.against or NOT_GIVEN,
        say("Compared in"): claim.what or NOT_GIVEN,
        say("Their value"): claim.unit.number(claim.here) if math.isfinite(claim.here) else NOT_GIVEN,
        say("Value of the others"): claim.unit.number(claim.there) if math.isfinite(claim.there) else NOT_GIVEN,
        **found,
        say("Why the evidence is insufficient"): _why_open(claims) or NOT_GIVEN,
        say("Loss with people's own groups (t*)"): number(one.statistic),
        say("Loss with drawn groups, mean"): number(one.null_mean),
        say("Random splits into rows to learn from and to test"): whole(one.splits) if one.splits else NOT_GIVEN,
        say("Drawn anew (K), in each split"): whole(one.dummies),
        say("Rows tested"): whole(one.tested),
    }


def _why_open(claims: tuple[Claim, ...]) -> str:
    """The comparison that keeps the claims of an attribute open, with its bounds; empty where they are settled."""
    if judge(claims) is not Verdict.INSUFFICIENT:
        return ""
    if widest := max((one for one in claims if one.defined and not one.within), key=lambda one: one.high, default=None):
        return say(
            "{who} beside {against}, {what}, may lie up to {high} apart",
            who=widest.who,
            against=widest.against,
            what=widest.what,
            high=amount(widest, widest.high),
        )
    return next((retold(one.why) for one in claims if one.why), say("no two groups to compare"))


def diagnostics(finding: EqualizedOddsFinding) -> tuple[Fact, ...]:
    """How groups were drawn anew, and what looked for differences."""
    facts = []
    for one in finding.attributes:
        if not one.tested:
            facts.append(Fact(one.attribute, say("not tested, since people who are compared are all of one group")))
            continue
        facts.append(
            Fact(say("{attribute}: how groups were drawn anew", attribute=one.attribute), resampled(one.resampling))
        )
        if math.isfinite(one.other_p):
            facts.append(
                Fact(say("{attribute}: p-value if drawn the other way", attribute=one.attribute), p_value(one.other_p))
            )
        if math.isfinite(one.calibration_p):
            p = p_value(one.calibration_p)
            facts.append(
                Fact(
                    say("{attribute}: who belongs to which group, as learned", attribute=one.attribute),
                    say("contradicted by the rows (p-value {p})", p=p)
                    if one.calibration_p < 0.01
                    else say("not contradicted by the rows (p-value {p})", p=p),
                )
            )
        facts.append(Fact(say("{attribute}: what looked for differences", attribute=one.attribute), found_by(one)))
    return tuple(facts)


def found_by(one: FairDummies) -> str:
    """What looked for differences, where it learned, and how much of the answers it explains."""
    explained = percent(round(max(one.learner_r2, 0.0), 3))
    if one.resampling == "permutation":
        return say(
            "{learner}, learned anew from each set of drawn groups; it explains {share} of the variance",
            learner=one.learner,
            share=explained,
        )
    return say(
        "{learner}, learned from {rows} that were not tested; it explains {share} of the variance on those that were",
        learner=one.learner,
        rows=count(one.learned, "row"),
        share=explained,
    )


def _compared(detail: EqualizedOddsDetail) -> str:
    if not detail.shared:
        return say("everybody")
    if detail.strata.exact:
        names = map(detail.strata.name, range(len(detail.strata.names)))
        return say("people {with_the_same}: {values}", with_the_same=alike(detail), values=", ".join(names))
    return say(
        "people {with_the_same}; tables and the largest difference cut it into {n} parts of about equally many people",
        with_the_same=alike(detail, about=True),
        n=len(detail.strata.names),
    )


def case(finding: EqualizedOddsFinding) -> Case | None:
    """The difference of the headline, else that of the attribute shown; None where no two groups can be compared."""
    shown, claim = finding.told_of, finding.headlined
    place = next((place for place, (first, *_) in enumerate(shown.of_attributes) if first == claim), finding.place)
    detail = shown.result.detail
    gap, one = shown.beyond[place][0], detail.attributes[place]
    if gap.stratum < 0:
        return None
    told = among(finding, gap.stratum)
    share = say("Share with {detail}", detail=threshold_text(detail, gap, finding.result.data))
    rows = zip(gap.groups, gap_shares(detail, place, gap), strict=True)
    cells = tuple((condition(one.name, one.groups[group]), share_to_tenths(value)) for group, value in rows)
    beside = Table("", (say("Group"), share), cells)
    return Case(say("The two groups that differ most clearly"), f"{told[:1].upper()}{told[1:]}.", beside)
