"""Groups and prediction sets in facts and tables, and what they cannot say."""

import math

import numpy as np

from core.audits.group_fairness.report import claims, coverage, groups
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording import nobody
from core.audits.group_fairness.wording_claims import answer_text, compared_in, had, how_much, side_text, tolerance_text
from core.audits.group_fairness.wording_groups import compared
from core.base.tables import NOT_GIVEN, Case, Fact, Table
from core.caveats.assumptions import chosen_tolerance, independent_rows, trying
from core.claims import Claim
from core.claims_shown import lines_of
from core.group_answers import GroupAnswers, whatever_the_outcome
from core.language.phrases import count, p_value, upper_first, whole
from core.language.told import localized, retold, say, say_as

_ERRORS = say(
    "Errors are counted against the outcome in the table, which is taken for right. Where groups "
    "were recorded or judged unfairly in the past, a model can err equally often in all of them and "
    "pass that on."
)
_NO_OUTCOME = say(
    "What really happened is not in the table, so nobody can say which decisions were right. "
    "Compared is only who is decided favourably. Groups may differ in what should count; where columns are at hand, "
    "the same is compared among people who are alike in them."
)
_DECISIONS = say(
    "The outcome in the table is itself a decision by people. Whoever made it may have treated groups unequally, and "
    "this test takes it for right."
)
_SETS = say("Prediction sets cover new people of a group as often as asked for on average, not each single person.")


def similar(finding: GroupFairnessFinding) -> tuple[Fact, ...]:
    """Who is compared with whom, and in what."""
    detail, decision, claim = finding.result.detail, finding.decision, finding.deciding
    against = ", ".join(decision.reference) or say("everybody else")
    facts = [
        Fact(say("Groups of {name}", name=one.name), ", ".join(map(retold, one.groups))) for one in detail.attributes
    ]
    facts.append(Fact(say("Each group is compared with"), against))
    if claim is not None:
        facts.append(Fact(say("In"), compared_in(finding, claim)))
    if finding.subjects.intersections:
        told = say("people who belong to several groups, with everybody else")
        facts.append(Fact(say("Intersections"), told))
    if decision.within:
        facts.append(Fact(say("Only people alike in"), ", ".join(decision.within)))
    return tuple(facts)


def statistics(finding: GroupFairnessFinding) -> Table:
    """The verdict, the comparison to tell first, and the lowest impact ratio."""
    decision, claim = finding.decision, finding.deciding
    rows = [(say("Verdict"), finding.verdict.words)]
    if claim is not None:
        much = claim.unit.axis(how_much(finding))
        if claim.scale == "ratio":
            much = say("Ratio of the shares that get {answer}", answer=answer_text(finding, claim.of))
        lines = lines_of(claim, finding.verdict, alpha=decision.alpha, rows=say("People"), estimate=much)
        del lines[say("p-value")], lines[say("Verdict")]
        rows += [(say("Group"), claim.who), (say("Compared with"), claim.against)]
        rows.append((say("Compared in"), compared_in(finding, claim)))
        rows += [(name, told) for name, told in lines.items() if told != NOT_GIVEN]
    judged: dict[tuple[str, str, str], list[Claim]] = {}
    for one in finding.claims:
        if one.judged and one.scale == "difference":
            judged.setdefault((one.who, one.against, one.of), []).append(one)
    rows += [
        (say("Comparisons judged"), whole(len(judged))),
        (say("Shown to be beyond the tolerance"), whole(sum(any(c.beyond for c in one) for one in judged.values()))),
        (say("Shown to be within the tolerance"), whole(sum(all(c.within for c in one) for one in judged.values()))),
    ]
    if below := sum(one.beyond for one in finding.claims if one.scale == "ratio"):
        rows.append((say("Ratios shown to be below the smallest one"), whole(below)))
    if not math.isnan(finding.p_value):
        of = say("p-value of “nobody fares worse than tolerated”")
        rows.append((of, p_value(finding.p_value, alpha=decision.alpha)))
    lowest = _lowest_impact(finding)
    if lowest:
        rows.append((say("Lowest impact ratio of a group"), lowest))
    caption = say(
        "Groups at tolerance δ = {tolerance} and a risk of a wrong verdict of α = {alpha}; accusing bounds and p-value "
        "hold for all comparisons together",
        tolerance=tolerance_text(finding),
        alpha=localized(f"{decision.alpha:g}"),
    )
    return Table(caption, ("", say_as("a value", "Found")), tuple(rows))


def tables(finding: GroupFairnessFinding) -> dict[str, Table]:
    """The tables of groups, intersections, columns and prediction sets."""
    return {**claims.tables(finding), **groups.tables(finding), **coverage.tables(finding)}


def diagnostics(finding: GroupFairnessFinding) -> tuple[Fact, ...]:
    """How many people there were, and what was drawn."""
    sets = finding.shown_sets
    facts = [Fact(say("People"), whole(finding.result.detail.people))]
    if sets is not None:
        facts.append(
            Fact(
                say("Prediction sets"),
                say(
                    "calibrated on {people}, judged on {n} others",
                    people=count(int(sets.calibrated.sum()), "person", "people"),
                    n=whole(sets.people),
                ),
            )
        )
    return tuple(facts)


def assumptions(finding: GroupFairnessFinding) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this audit."""
    detail, decision = finding.result.detail, finding.decision
    return (
        retold(_ERRORS if detail.has_outcomes else _NO_OUTCOME),
        independent_rows(finding.result.data.independent),
        *([retold(_DECISIONS)] if detail.has_outcomes and decision.outcome == "a decision" else []),
        *([] if all(one.one_sided for one in finding.measures) else [nobody(finding)]),
        say(
            "A verdict is about groups of the protected attributes named here, and about people who belong to several "
            "of them. “No violation” is about groups of single attributes; what stays open is said beside it."
        ),
        say(
            "Columns that are not protected accuse nobody. Among people who are alike in one of them the difference "
            "may be larger or smaller; whether the column may rightly matter is for people to say."
        ),
        *([] if finding.shown_sets is None else [retold(_SETS)]),
        chosen_tolerance(tolerance_text(finding), decision),
        trying(say("columns and tolerances")),
    )


def _lowest_impact(finding: GroupFairnessFinding) -> str:
    """The group that is chosen least often, of one attribute or two, with its impact ratio; empty without one."""
    found = [
        (float(impact.values[g]), f"{table.family.named(g)}: {compared(impact, g)}")
        for table in finding.group_tables
        for impact in table.impacts[:1]
        for g in range(len(table.family.groups))
        if math.isfinite(impact.values[g])
    ]
    return min(found)[1] if found else ""


def case(finding: GroupFairnessFinding) -> Case | None:
    """Both sides of the comparison that decides, or of the largest difference; None where there are no two groups."""
    claim = finding.deciding
    if claim is None:
        return None
    if not claim.beyond:
        claim = max(claims.shown(finding, decides=True), key=lambda one: (one.judged, one.estimate), default=claim)
    header = upper_first(compared_in(finding.under(within=()), claim))
    cells = (
        (claim.who, side_text(finding, claim, claim.here)),
        (claim.against, side_text(finding, claim, claim.there)),
    )
    known = {
        "who": claim.who,
        "people": count(claim.people, "person", "people"),
        "against": claim.against,
        "others": count(claim.others, "person", "people"),
    }
    where = had(finding, claim)
    told = (
        say("{where}: {who}, {people}; {against}, {others}.", where=upper_first(where), **known)
        if where
        else say("{who}: {people}. {against}: {others}.", **known)
    )
    return Case(
        say("The comparison that decides") if claim.beyond else say("The largest difference of a single group"),
        " ".join(filter(None, (told, _whatever_the_outcome(finding, claim)))),
        Table("", (say("Who"), header), cells),
    )


def _whatever_the_outcome(finding: GroupFairnessFinding, claim: Claim) -> str:
    """How often a group gets the favourable answer beside the group that gets it most often, one sentence.

    Empty where the claim is about that itself, or nothing is favourable.
    """
    for table in finding.group_tables if claim.what != "selection rate" else ():
        rate, impact = table.measure("selection rate"), table.impact("selection rate")
        if rate is None or impact is None or impact.highest < 0:
            continue
        for g in np.flatnonzero(impact.values < 1):
            if table.family.named(int(g)) == claim.who:
                return whatever_the_outcome(
                    claim.who,
                    float(rate.values[g]),
                    table.family.named(impact.highest),
                    float(rate.values[impact.highest]),
                    GroupAnswers.of(finding.result).good,
                )
    return ""
