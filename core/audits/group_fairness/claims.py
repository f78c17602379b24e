"""What is said of every group besides the verdict: rates and errors, impact ratios, and how far groups lie apart.

Nothing is held against any of them.
"""

from collections.abc import Iterator, Sequence

from core.audits.group_fairness.table import GroupMeasure, GroupTable
from core.audits.group_fairness.wording_groups import NUMBERS, difference_name, measure_name
from core.claims import Claim
from core.group_answers import GroupAnswers
from core.inference.estimate import Interval
from core.language.phrases import upper_first
from core.language.told import say
from core.language.units import PLAIN, POINTS, SHARES


def parts(
    tables: Sequence[GroupTable], alpha: float, answers: GroupAnswers, *, shares: bool
) -> dict[str, tuple[Claim, ...]]:
    """Every number of every group, by the tables and charts that show them.

    Args:
        tables: Groups of every attribute, and of every two.
        alpha: The error rate.
        answers: What people get.
        shares: Whether mean predictions, outcomes and errors are shares too, as those of classes are.
    """
    measures = [(table, one) for table in tables for one in table.measures]
    rates = (
        claim for table, one in measures if not one.of for claim in _measure(table, one, alpha, answers, shares=shares)
    )
    classes = (
        claim for table, one in measures if one.of for claim in _measure(table, one, alpha, answers, shares=True)
    )
    return {
        "groups rates": tuple(rates),  # verbatim
        "groups classes": tuple(classes),  # verbatim
        "groups impact": tuple(_impacts(tables, alpha)),  # verbatim
        "groups differences": tuple(_differences(tables, alpha, answers, shares=shares)),  # verbatim
    }


def _measure(
    table: GroupTable, one: GroupMeasure, alpha: float, answers: GroupAnswers, *, shares: bool
) -> Iterator[Claim]:
    """A measure of each group, each interval by itself; who deserves a favourable answer is told as who gets none."""
    family, known = table.family, {"of": one.of, "unit": SHARES if shares or one.name not in NUMBERS else PLAIN}
    what = say("Decided: {name}", name=one.of) if one.of else upper_first(measure_name(one.name, answers))
    numbers = (one.values, one.low, one.high)
    if one.name == "true-positive rate":
        numbers = (1 - one.values, 1 - one.high, 1 - one.low)
    for g, (value, low, high, rows) in enumerate(zip(*numbers, one.rows, strict=True)):
        ends, judged = Interval(float(low), float(high), 1 - alpha), bool(family.judged[g])
        yield Claim.with_ends(family.named(g), what, float(value), ends, people=int(rows), judged=judged, **known)


def _impacts(tables: Sequence[GroupTable], alpha: float) -> Iterator[Claim]:
    """Each group's rate over the highest one's; intervals hold together for all groups."""
    for table in tables:
        for one in table.impacts:
            what = say("Impact ratio of the {rate}", rate=measure_name(one.of))
            for g, (value, low, high) in enumerate(zip(one.values, one.low, one.high, strict=True)):
                ends = Interval(float(low), float(high), 1 - alpha)
                yield Claim.with_ends(table.family.named(g), what, float(value), ends, people=int(table.family.rows[g]))


def _differences(tables: Sequence[GroupTable], alpha: float, answers: GroupAnswers, *, shares: bool) -> Iterator[Claim]:
    """The largest differences between groups; intervals of one measure hold together for all attributes."""
    for table in tables:
        for one in table.differences:
            who, against = table.family.name, ""
            if one.highest >= 0:
                who, against = table.family.named(one.highest), table.family.named(one.lowest)
            unit = POINTS if shares or one.name not in NUMBERS else PLAIN
            ends = Interval(one.low, one.high, 1 - alpha)
            known = {"against": against, "unit": unit, "why": "" if one.highest >= 0 else say("insufficient evidence")}
            yield Claim.with_ends(who, difference_name(one.name, answers), one.value, ends, **known)
