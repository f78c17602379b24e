"""A column sensitivity test in facts and tables, and what it cannot say."""

import math

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.audits.column_sensitivity.wording import EQUAL_TREATMENT, changed_columns, flips_sentence
from core.base.settings import name_of_choice
from core.base.tables import NOT_GIVEN, Fact, Table
from core.base.thresholds import FEWEST_ROWS
from core.caveats.assumptions import chosen_tolerance, independent_rows, read_once
from core.inference.excess import FIRM, LEVEL
from core.language.phrases import count, number, p_value, percent, share_interval, whole
from core.language.told import retold, say, say_count
from core.language.units import POINTS
from core.one_estimate import error_fact


def similar(finding: ColumnSensitivityFinding) -> tuple[Fact, ...]:
    """Who is put where, what changes with that, and where it is known from."""
    detail = finding.result.detail
    names = ", ".join(one.attribute for one in detail.attributes)
    facts = [Fact(say("Similar"), say("the same person in every other group of {names}", names=names))]
    facts += [
        Fact(say("What changes with {attribute}", attribute=one.attribute), changed_columns(finding.result, one))
        for one in detail.attributes
    ]
    if detail.learned_on:
        facts.append(
            Fact(
                say("Differences learned from"),
                say_count("{n} row, which were not measured", "{n} rows, which were not measured", detail.learned_on),
            )
        )
    facts.append(Fact(say("People measured"), whole(len(detail.attributes[0].codes))))
    return tuple(facts)


def tables(finding: ColumnSensitivityFinding) -> dict[str, Table]:
    """Every attribute, the groups of the read one, and the columns that change with it."""
    told = {"column sensitivity interval": _attributes(finding)}  # verbatim
    if finding.groups:
        told["column sensitivity groups"] = _groups(finding)  # verbatim
    if finding.shifts:
        told["column sensitivity shifts"] = _shifts(finding)  # verbatim
    return told


def diagnostics(finding: ColumnSensitivityFinding) -> tuple[Fact, ...]:
    """How many would be decided otherwise, and how exact the numbers are."""
    facts = [
        Fact(
            say("Predicted outcome and {attribute}", attribute=one.attribute),
            flips_sentence(one, finding.decision.alpha),
        )
        for one in finding.result.detail.attributes
    ]
    if not finding.undefined:
        facts.append(error_fact(finding, POINTS.text))
    if math.isfinite(finding.groups_p):
        name = say("p-value that all groups of {attribute} move alike", attribute=finding.scores.attribute)
        facts.append(Fact(name, p_value(finding.groups_p)))
    return tuple(facts)


def assumptions(finding: ColumnSensitivityFinding) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this audit."""
    carried = (
        (
            say(
                "Features that carry the attribute were shifted by the mean difference between the groups, the "
                "same for everybody. A difference need not come from the group itself, and need not be the same "
                "for all people; which differences should not count was chosen by the auditor."
            ),
            say("A shifted person need not exist: a feature may leave the range it has in the table."),
        )
        if finding.result.detail.through
        else ()
    )
    several = (
        (
            say(
                "The verdict is about all protected attributes: their lower bounds and p-values are adjusted, so "
                'that the chance of a false violation by any of them stays at the error rate; "no violation" '
                "takes all of them."
            ),
        )
        if len(finding.estimates) > 1
        else ()
    )
    looked = (
        (
            say(
                "Beside the groups, {parts} of the table were looked into, by {names}; bias in a part that is not "
                "among them may go unseen. At most {firm} of tests call a part beyond the tolerance that is not.",
                parts=count(sum(len(one.groups) for one in corners), "part"),
                names=", ".join(retold(one.name) for one in corners),
                firm=percent(FIRM),
            ),
        )
        if (corners := finding.result.detail.corners)
        else ()
    )
    return (
        say(
            "Only the columns named here were changed. A model may lean on others that go with a group, and "
            "this audit does not see it; a feature that tells the attribute forbids to say that no violation "
            "was found."
        ),
        *looked,
        *carried,
        say(
            "The slope says how fast the answer begins to move, not how far it moves: a model may be flat "
            "where people stand and jump between the groups, or begin steeply and level off."
        ),
        independent_rows(finding.result.data.independent),
        f"{retold(EQUAL_TREATMENT)}.",
        chosen_tolerance(POINTS.tolerance(finding.decision.delta), finding.decision),
        *several,
        read_once(finding.decision.alpha, say("measures and tolerances")),
    )


def _attributes(finding: ColumnSensitivityFinding) -> Table:
    confidence = percent(1 - finding.decision.alpha)
    rows = tuple(
        (
            one.attribute,
            say("yes") if one.read else say("no"),
            POINTS.number(one.change),
            POINTS.interval(one.change_low, one.change_high),
            p_value(one.adjusted_p),
            POINTS.number(one.slope) if math.isfinite(one.slope) else NOT_GIVEN,
            POINTS.interval(one.slope_low, one.slope_high) if math.isfinite(one.slope) else say("no gradients"),
            f"{whole(one.flipped)} ({share_interval(one.flipped_low, one.flipped_high)})",
        )
        for one in finding.attributes
    )
    header = (
        say("Attribute"),
        say("Read by the model"),
        POINTS.axis(say("Mean change")),
        say("{confidence} interval of the change", confidence=confidence),
        say("p-value, adjusted"),
        POINTS.axis(say("Mean slope")),
        say("{confidence} interval of the slope", confidence=confidence),
        say("Decided otherwise"),
    )
    caption = say(
        "The protected attributes that were changed; the intervals of the change hold together, its "
        "p-values are adjusted (Holm)"
    )
    return Table(caption, header, rows)


def _groups(finding: ColumnSensitivityFinding) -> Table:
    rows = tuple(
        (
            f"{finding.scores.attribute} = {one.group}",
            whole(one.people),
            POINTS.number(one.mean) if one.people else NOT_GIVEN,
            POINTS.interval(one.low, one.high) if one.people >= FEWEST_ROWS else say("too few people"),
            whole(one.flipped),
            say("shown") if one.beyond else say("not shown"),
            p_value(one.p_value, alpha=LEVEL),
        )
        for one in finding.groups
    )
    header = (
        finding.scores.attribute,
        say("People"),
        POINTS.axis(say("Mean")),
        say("{confidence} interval", confidence=percent(1 - finding.decision.alpha)),
        say("Decided otherwise"),
        say("Beyond the tolerance"),
        say("p-value, adjusted"),
    )
    name = name_of_choice(ColumnSensitivityDecision, "measure", finding.decision.measure)
    caption = say(
        "{name} by people's own group; the intervals hold together. Beyond the tolerance: the mean "
        "change or the share of people decided otherwise, adjusted for all groups of all attributes, at "
        "{level} whatever the error rate",
        name=name,
        level=percent(LEVEL),
    )
    return Table(caption, header, rows)


def _shifts(finding: ColumnSensitivityFinding) -> Table:
    rows = tuple(
        (one.column, one.group, _percent(one.shift) if one.indicator else _signed(one.shift)) for one in finding.shifts
    )
    caption = say("What changes on average when everybody else is put into a group; columns of yes and no in shares")
    return Table(
        caption,
        (say("Column"), say("Put into {attribute}", attribute=finding.scores.attribute), say("Mean change")),
        rows,
    )


def _percent(share: float) -> str:
    return f"{'+' if share >= 0 else '-'}{percent(round(abs(share), 2))}"


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{number(abs(value))}"
