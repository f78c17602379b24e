"""Groups, subgroups and prediction sets in facts and tables, and what they cannot say."""

import math

from core.audits.group_fairness.report import coverage, groups, subgroups
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_groups import SCREENING, compared
from core.audits.group_fairness.wording_subgroups import excess_text, tolerance_text, unit
from core.language.told import localized, retold, say, say_as
from core.limits import chosen_tolerance, independent_rows, trying
from core.phrases import count, p_value, percent, whole
from core.tables import Fact, Table

_ERRORS = say(
    "Errors are counted against the outcome in the table, which is taken for right. Where groups "
    "were recorded or judged unfairly in the past, a model can err equally often in all of them and "
    "pass that on."
)
_NO_OUTCOME = say(
    "What really happened is not in the table, so nobody can say which decisions were right. "
    "Compared is only who is decided favourably, and a subgroup fares worse where more of its people "
    "are not. Groups may differ in what should count; whether that explains a difference was not "
    "asked."
)
_SETS = say("Prediction sets cover new people of a group as often as asked for on average, not each single person.")


def similar(finding: GroupFairnessFinding) -> tuple[Fact, ...]:
    """Which groups and subgroups are compared with whom."""
    detail, audit = finding.result.detail, finding.result.audit
    return (
        Fact(say("Groups"), say("every group of an attribute, and of two attributes, with the others")),
        *(Fact(say("Groups of {name}", name=one.name), ", ".join(one.groups)) for one in detail.attributes),
        Fact(
            say("Subgroups"),
            say(
                "people with the same values in up to {n_columns} of {columns}, with everybody else",
                n_columns=count(audit.depth, "column"),
                columns=", ".join(detail.subgroups.columns),
            ),
        ),
    )


def statistics(finding: GroupFairnessFinding) -> Table:
    """What is said about subgroups, the largest excess found, and the lowest impact ratio."""
    scan, found, decision = finding.result.detail.subgroups, finding.subgroups, finding.decision
    rows = [
        (say("Verdict"), finding.verdict.words),
        (say("Subgroups judged"), whole(found.judged)),
        (say("Flagged as worse than tolerated; of these firmly"), f"{whole(found.flagged)}; {whole(found.firm)}"),
        (say("Certified as not worse than tolerated"), whole(found.certified)),
    ]
    if found.judged:
        rows.append(
            (
                say("Largest excess found, {unit}", unit=unit(scan)),
                excess_text(scan, finding.judged, int(scan.excess.argmax())),
            )
        )
    if not math.isnan(finding.p_value):
        of = say("p-value of “no subgroup of a protected attribute fares worse than tolerated”")
        rows.append((of, p_value(finding.p_value, alpha=decision.alpha)))
    lowest = _lowest_impact(finding)
    if lowest:
        rows.append((say("Lowest impact ratio of a group"), lowest))
    caption = say(
        "Subgroups at tolerance δ = {tolerance} and error rate α = {alpha}; bounds and p-value hold for all "
        "subgroups together",
        tolerance=tolerance_text(scan.shares, decision.delta),
        alpha=localized(f"{decision.alpha:g}"),
    )
    return Table(caption, ("", say_as("a value", "Found")), tuple(rows))


def tables(finding: GroupFairnessFinding) -> dict[str, Table]:
    """The tables of groups, subgroups and prediction sets."""
    return {**groups.tables(finding), **subgroups.tables(finding), **coverage.tables(finding)}


def diagnostics(finding: GroupFairnessFinding) -> tuple[Fact, ...]:
    """How many people there were, and what was drawn."""
    audit, sets = finding.result.audit, finding.shown_sets
    facts = [
        Fact(say("People"), whole(len(finding.result.detail.outcome))),
        Fact(say("Bootstrap draws for the bounds of all subgroups together"), whole(audit.draws)),
    ]
    if sets is not None:
        facts.append(
            Fact(
                say("Prediction sets"),
                say(
                    "calibrated on {people}, judged on {n} others",
                    people=count(int(sets.calibrated.sum()), "person", "people"),
                    n=whole(len(sets.codes)),
                ),
            )
        )
    return tuple(facts)


def limits(finding: GroupFairnessFinding) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this audit."""
    scan, decision = finding.result.detail.subgroups, finding.decision
    return (
        independent_rows(finding.result.data.independent),
        retold(_ERRORS if finding.result.detail.has_outcomes else _NO_OUTCOME),
        say(
            "Rates and impact ratios have intervals, not verdicts: {screening} is a screening ratio, a "
            "reason to look closer and no proof. Groups may differ in what should count.",
            screening=localized(f"{SCREENING:g}"),
        ),
        say(
            "Subgroups are combinations of the columns named here. A subgroup that other columns make, or "
            "one with fewer than 30 people, is not judged."
        ),
        *([retold(_SETS)] if finding.result.detail.coverage else []),
        chosen_tolerance(tolerance_text(scan.shares, decision.delta), decision),
        say(
            "Of the flags at most {alpha} are wrong on average; a firm flag, or a certificate, is wrong with "
            "a probability of at most {alpha}. {trying}",
            alpha=percent(decision.alpha),
            trying=trying(say("columns and tolerances")),
        ),
    )


def _lowest_impact(finding: GroupFairnessFinding) -> str:
    """The group of a single attribute that is chosen least often, with its impact ratio; empty without one."""
    found = [
        (float(impact.values[g]), f"{table.family.named(g)}: {compared(impact, g)}")
        for table in finding.group_tables
        if len(table.family.attributes) == 1
        for impact in table.impacts[:1]
        for g in range(len(table.family.groups))
        if math.isfinite(impact.values[g])
    ]
    return min(found)[1] if found else ""
