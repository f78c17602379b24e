"""A column sensitivity test in facts and tables, and what it cannot say."""

import math

import numpy as np

from core.audits.column_sensitivity.corners import PREDICTED
from core.audits.column_sensitivity.verdict import ColumnSensitivityFinding
from core.audits.column_sensitivity.wording import EQUAL_TREATMENT, changed_columns
from core.base.tables import Case, Fact, Table
from core.base.thresholds import FEWEST_ROWS
from core.caveats.assumptions import chosen_tolerance, independent_rows, read_once
from core.claims_told import answer
from core.data.labels import as_said, condition
from core.finding import tables_of_claims
from core.inference.excess import FIRM
from core.language.phrases import count, listed, number, p_value, percent, points, whole
from core.language.told import retold, say, say_count
from core.language.units import POINTS
from core.one_estimate import error_fact

_MOST_GROUPS = 3
"""Groups that are named where people of many would get another answer."""


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
    """What is claimed, who is shown to be beyond the tolerance, and what changes with the shown attribute."""
    told = tables_of_claims(finding)
    if finding.beyond:
        told["column sensitivity beyond"] = _beyond(finding)  # verbatim
    if finding.shifts:
        told["column sensitivity shifts"] = _shifts(finding)  # verbatim
    return told


def diagnostics(finding: ColumnSensitivityFinding) -> tuple[Fact, ...]:
    """How many would be decided otherwise, and how exact the numbers are."""
    facts = []
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


def _beyond(finding: ColumnSensitivityFinding) -> Table:
    columns = {
        say("Whose answers"): [condition(one.attribute, one.group) for one in finding.beyond],
        say("In other groups of"): [one.moved for one in finding.beyond],
        say("People"): [whole(one.rows) for one in finding.beyond],
        say("Mean change"): [POINTS.text(one.mean, beside=finding.decision.delta) for one in finding.beyond],
        say("Share decided otherwise"): [percent(round(one.changed.value, 3)) for one in finding.beyond],
        say("p-value"): [p_value(one.p_value) for one in finding.beyond],
    }
    return Table.of_columns(say("Groups and parts of the table that are shown to be beyond the tolerance"), columns)


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


def case(finding: ColumnSensitivityFinding) -> Case | None:
    """The group of the attribute shown whose answers change most; None where no group is large enough."""
    one = finding.scores
    means = {
        group: float(one.change[one.codes == g].mean())
        for g, group in enumerate(one.groups)
        if np.count_nonzero(one.codes == g) >= FEWEST_ROWS
    }
    if not means:
        return None
    group = max(means, key=means.__getitem__)
    flips = one.flips_of(one.groups.index(group))
    told = say(
        "{people} with {attribute} = {group}: were each of them of another group and otherwise the same, the "
        "model's answer would move by {mean} percentage points on average, and {count} of them "
        "({share}) would be decided otherwise.",
        people=count(flips.n, "person", "people"),
        attribute=one.attribute,
        group=group,
        mean=points(means[group]),
        count=whole(flips.count),
        share=percent(round(flips.value, 3)),
    )
    lost = _would_lose(finding)
    return Case(say("The group whose answers depend most on it"), f"{told} {lost}" if lost else told)


def _would_lose(finding: ColumnSensitivityFinding) -> str:
    """Which predicted outcome people of which group would no longer get; empty where not all predictions were kept."""
    one = finding.scores
    predicted = next((cut for cut in finding.result.detail.corners if retold(cut.name) == retold(PREDICTED)), None)
    if predicted is None or not one.flipped.any() or (predicted.codes[one.flipped] < 0).any():
        return ""
    told = []
    for place, value in enumerate(predicted.groups):
        rows = np.bincount(one.codes[one.flipped & (predicted.codes == place)], minlength=len(one.groups))
        groups = [
            say(
                "{people} with {who}",
                people=count(int(rows[g]), "person", "people"),
                who=as_said(condition(one.attribute, one.groups[g])),
            )
            for g in np.argsort(-rows, kind="stable")
            if rows[g]
        ]
        if more := len(groups[_MOST_GROUPS:]):
            groups[_MOST_GROUPS:] = [say("people of {n} more groups", n=whole(more))]
        if groups:
            known = {"people": listed(groups), "answer": answer(finding.result.data, value)}
            told.append(say("In another group {people} would no longer get {answer}.", **known))
    return " ".join(told)
