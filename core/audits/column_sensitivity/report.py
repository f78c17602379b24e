"""A column sensitivity test in facts and tables, and what it cannot say."""

import math

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.audits.column_sensitivity.wording import changed_columns, flips_sentence
from core.estimate_report import error_fact, statistics_table
from core.limits import INDEPENDENT_ROWS, chosen_tolerance, read_once
from core.phrases import count, number, p_value, percent, precision, ratio, share_interval, share_text
from core.settings import name_of_choice
from core.tables import NOT_GIVEN, Fact, Table
from core.thresholds import FEWEST_ROWS


def similar(finding: ColumnSensitivityFinding) -> tuple[Fact, ...]:
    """Who is put where, what changes with that, and where it is known from."""
    detail = finding.result.detail
    names = ", ".join(one.attribute for one in detail.attributes)
    facts = [Fact("Similar", f"the same person in every other group of {names}")]
    facts += [
        Fact(f"What changes with {one.attribute}", changed_columns(finding.result, one)) for one in detail.attributes
    ]
    if detail.learned_on:
        facts.append(Fact("Differences learned from", f"{count(detail.learned_on, 'row')}, which were not measured"))
    facts.append(Fact("People measured", f"{len(detail.attributes[0].codes):,}"))
    return tuple(facts)


def statistics(finding: ColumnSensitivityFinding) -> Table:
    """Estimate, interval, bounds and p-value."""
    ends = finding.interval.low, finding.interval.high
    decimals = precision(100 * ends[0], 100 * ends[1])
    return statistics_table(
        finding,
        name_of_choice(ColumnSensitivityDecision, "measure", finding.decision.measure),
        "Mean share of probability that moves",
        share_text(finding.estimate, decimals),
        share_interval(*ends),
        bound=lambda value: f"{ratio(100 * value, beside=100 * finding.decision.delta, decimals=decimals)}%",
        rows="People",
        test=f"The test of {finding.attribute}",
    )


def tables(finding: ColumnSensitivityFinding) -> dict[str, Table]:
    """Every attribute, the groups of the read one, and the columns that change with it."""
    told = {"column sensitivity interval": _attributes(finding)}
    if finding.groups:
        told["column sensitivity groups"] = _groups(finding)
    if finding.shifts:
        told["column sensitivity shifts"] = _shifts(finding)
    return told


def diagnostics(finding: ColumnSensitivityFinding) -> tuple[Fact, ...]:
    """How many would be decided otherwise, and how exact the numbers are."""
    facts = [Fact("Predicted outcome", flips_sentence(finding.scores, finding.decision.alpha))]
    if not finding.undefined:
        facts.append(error_fact(finding, share_text))
    if math.isfinite(finding.groups_p):
        facts.append(Fact("p-value that all groups move alike", p_value(finding.groups_p)))
    return tuple(facts)


def limits(finding: ColumnSensitivityFinding) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this audit."""
    carried = (
        (
            "Features that carry the attribute were shifted by the mean difference between the groups, the same for "
            "everybody. A difference need not come from the group itself, and need not be the same for all people; "
            "which differences should not count was chosen by the auditor.",
            "A shifted person need not exist: a feature may leave the range it has in the table.",
        )
        if finding.result.detail.through
        else ()
    )
    several = (
        (
            "The verdict is about one protected attribute. Going through several until one gives the wanted verdict "
            "makes errors more frequent than stated; the table of attributes holds p-values adjusted for that.",
        )
        if len(finding.result.detail.attributes) > 1
        else ()
    )
    return (
        "Only the columns named here were changed. A model may lean on others that go with a group, and this audit "
        "does not see it.",
        *carried,
        "The slope says how fast the answer begins to move, not how far it moves: a model may be flat where people "
        "stand and jump between the groups, or begin steeply and level off.",
        INDEPENDENT_ROWS,
        chosen_tolerance(f"{percent(finding.decision.delta)} of the answer's probability"),
        *several,
        read_once(finding.decision.alpha, "measures and tolerances"),
    )


def _attributes(finding: ColumnSensitivityFinding) -> Table:
    confidence = percent(1 - finding.decision.alpha)
    rows = tuple(
        (
            one.attribute,
            "yes" if one.read else "no",
            share_text(one.change),
            share_interval(one.change_low, one.change_high),
            p_value(one.adjusted_p),
            share_text(one.slope) if math.isfinite(one.slope) else NOT_GIVEN,
            share_interval(one.slope_low, one.slope_high) if math.isfinite(one.slope) else "no gradients",
            f"{one.flipped:,} ({share_interval(one.flipped_low, one.flipped_high)})",
        )
        for one in finding.attributes
    )
    header = (
        "Attribute",
        "Read by the model",
        "Mean change",
        f"{confidence} interval of the change",
        "p-value, adjusted",
        "Mean slope",
        f"{confidence} interval of the slope",
        "Decided otherwise",
    )
    return Table("The protected attributes that were changed; p-values of the change, adjusted (Holm)", header, rows)


def _groups(finding: ColumnSensitivityFinding) -> Table:
    rows = tuple(
        (
            one.group,
            f"{one.people:,}",
            share_text(one.mean) if one.people else NOT_GIVEN,
            share_interval(one.low, one.high) if one.people >= FEWEST_ROWS else "too few people",
        )
        for one in finding.groups
    )
    header = (finding.attribute, "People", "Mean", f"{percent(1 - finding.decision.alpha)} interval")
    name = name_of_choice(ColumnSensitivityDecision, "measure", finding.decision.measure)
    return Table(f"{name} by people's own group; the intervals hold together", header, rows)


def _shifts(finding: ColumnSensitivityFinding) -> Table:
    rows = tuple(
        (one.column, one.group, f"{one.shift:+.0%}" if one.indicator else _signed(one.shift)) for one in finding.shifts
    )
    caption = "What changes on average when everybody else is put into a group; columns of yes and no in shares"
    return Table(caption, ("Column", f"Put into {finding.attribute}", "Mean change"), rows)


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{number(abs(value))}"
