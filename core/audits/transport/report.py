"""A transport test in facts and tables, and what it cannot say."""

from collections.abc import Iterator
from typing import get_args

from core.audits.transport.binning import column_text
from core.audits.transport.decision import CONVENTION, TransportDecision, by_convention
from core.audits.transport.flow_wording import flow_sentences, people_text
from core.audits.transport.loss_units import LOSS_UNITS, amount, tolerated
from core.audits.transport.maps import group_name
from core.audits.transport.result import TransportResult
from core.audits.transport.settings import ByMetric, DifferOnlyIn
from core.audits.transport.verdict import TransportFinding
from core.audits.transport.wording import (
    deciding_text,
    mixed_limit,
    mixed_sentence,
    price_sentence,
    proof_text,
    unseen_text,
    who_is_alike,
)
from core.base.settings import name_of_choice
from core.base.tables import Case, Fact, Table
from core.caveats.assumptions import chosen_tolerance, independent_rows, read_once
from core.claims_shown import each
from core.inference.transport.methods import Method
from core.language.phrases import count, interval_text, listed, p_value, percent, precision, ratio, upper_first, whole
from core.language.told import retold, say, say_as
from core.one_estimate import error_fact

METHODS: tuple[Method, ...] = get_args(Method)

ONE_OF_SEVERAL = say("Other similar people may be judged as badly; the same table always gives the same ones.")
"""What a reader has to know where who is judged like whom is not unique."""

LARGEST_AT_ONCE: dict[Method, float] = {
    "m out of n": 1e8,  # verbatim
    "m out of n, chosen from the data": 3e6,  # verbatim
    "directional derivative": 1e8,  # verbatim
    "Efron": 1e8,
    "m out of n, as published": 1e8,  # verbatim
    "numerical": 5e5,
}
"""Draws times kinds of people up to which a way takes less than half a minute; the closed form draws nothing."""


def similar(finding: TransportFinding) -> tuple[Fact, ...]:
    """Whom people are compared with, and by what they are told apart."""
    audit, detail = finding.result.audit, finding.detail
    return (
        Fact(say("Similar"), _similarity(finding)),
        Fact(*_columns_told(finding.result)),
        *_left_out(finding),
        Fact(
            say("Kinds of people"),
            say("{n}, each of one protected group and one recorded outcome", n=whole(len(detail.cells))),
        ),
        Fact(say("Compared with"), _compared_with(audit.space)),
        Fact(
            say("Forbidden comparisons"),
            ", ".join(
                say(
                    "{attribute} = {origin} with {attribute} = {target}",
                    attribute=one.attribute,
                    origin=one.origin,
                    target=one.target,
                )
                for one in audit.forbidden
            )
            or say_as("forbidden comparisons", "none"),
        ),
    )


def _compared_with(space: str) -> str:
    return say("people in the table") if space == "observed" else say("the same people in every group")


def tables(finding: TransportFinding) -> dict[str, Table]:
    """Flows between groups, and every way to the interval."""
    if finding.undefined:
        return {}
    cells = finding.detail.cells
    told = {name: group_name(cells, group) for group, name in enumerate(cells.groups)}
    rows = tuple((told[one.origin], told[one.target], people_text(one.people)) for one in finding.flows)
    header = (say("People of"), say("With similar people judged worse among"), say("People"))
    return {
        "transport flows": Table(say("Who has similar people judged worse, by group"), header, rows),  # verbatim
        "transport interval": _ways(finding),  # verbatim
        **_wrong_costs(finding),
    }


def _wrong_costs(finding: TransportFinding) -> dict[str, Table]:
    name = "transport costs"  # verbatim
    if not (claims := finding.parts[name]):
        return {}
    caption = say("{rise} where costs may be wrong by a factor", rise=finding.what)
    return {name: each(claims, alpha=finding.decision.alpha, rows=say("People"), caption=caption)}


def diagnostics(finding: TransportFinding) -> tuple[Fact, ...]:
    """How exact the numbers are, how far people share their stratum, and what the budget does."""
    if finding.undefined:
        return ()
    return (
        error_fact(finding, lambda error: amount(error, finding.loss)),
        Fact(say("Where the bounds come from"), deciding_text(finding)),
        Fact(say("People whom the table does not show"), unseen_text(finding)),
        Fact(say("Largest rise there is"), proof_text(finding.certificate)),
        *_strata(finding),
        Fact(say("Budget"), price_sentence(finding)),
        Fact(
            say("Who has similar people judged worse"),
            " ".join(finding.sentences) or say("nobody has similar people judged worse"),
        ),
    )


def assumptions(finding: TransportFinding) -> tuple[str, ...]:
    """One plain sentence or two for each limit that applies to this test."""
    asked, decision = finding.detail.asked, finding.decision
    kinds = (
        say(
            "The verdict holds for one definition of similar and one choice of columns and bins. Coarser "
            "bins call more people similar; finer ones compare fewer."
        )
        if asked is None
        else say(
            "The verdict holds for one definition of similar: the same person, all else the model reads "
            "being equal. Differences that come in through columns which go with a group are not seen. Bins "
            "only serve to show people."
        )
    )
    space = (
        say(
            "People are compared with people who occur in the table. How the model would judge people who do "
            "not occur is not known to this test."
        )
        if finding.result.audit.space == "observed"
        else say(
            "The model was asked how it would judge the same people in other groups. Not every such person need exist."
        )
    )
    common = (
        kinds,
        *mixed_limit(finding),
        space,
        independent_rows(finding.result.data.independent),
        *([retold(ONE_OF_SEVERAL)] if finding.one_of_several else []),
        chosen_tolerance(tolerated(decision), decision),
        *([retold(CONVENTION)] if by_convention(decision) else []),
        read_once(decision.alpha, say("settings")),
        say(
            "A loss says how far the model is from the recorded outcome. If the outcomes were themselves "
            "recorded with prejudice, this test does not see it."
        ),
    )
    if isinstance(finding.result.audit.similarity, DifferOnlyIn):
        return common
    return (*common, say("The budget sets how far apart people may be and still be compared; a larger one finds more."))


def ways_at_once(finding: TransportFinding) -> tuple[Method, ...]:
    """The ways that are quick enough to stand beside the one that is read, which is always among them."""
    work, read = len(finding.detail.cells) * finding.detail.draws, finding.decision.method
    return tuple(method for method in METHODS if method == read or work <= LARGEST_AT_ONCE.get(method, work))


def told_by_one_way(finding: TransportFinding) -> tuple[str, str, str]:
    """Interval, lower bound and p-value by the decision's way, as a row of a table says them."""
    measure, decision = LOSS_UNITS[finding.loss], finding.decision
    low, high = measure.shown(finding.interval.low), measure.shown(finding.interval.high)
    bound = ratio(
        measure.shown(finding.lower_bound), beside=measure.factor * decision.delta, decimals=precision(low, high)
    )
    return interval_text(low, high), bound, p_value(finding.p_value, alpha=decision.alpha)


def _ways(finding: TransportFinding) -> Table:
    at_once = ways_at_once(finding)
    later = say(
        "not computed: it takes minutes with {groups}",
        groups=count(len(finding.detail.cells), "group of similar people", "groups of similar people"),
    )
    rows = tuple(
        (
            name_of_choice(TransportDecision, "method", method),
            *(told_by_one_way(finding.under(method=method)) if method in at_once else (later, "", "")),
        )
        for method in METHODS
    )
    confidence = percent(1 - finding.decision.alpha)
    header = (
        say("Method for the bounds"),
        say("{confidence} interval", confidence=confidence),
        say("Lower bound"),
        say("p-value"),
    )
    return Table(say("Every method for the bounds, {of_what}", of_what=LOSS_UNITS[finding.loss].axis), header, rows)


def _strata(finding: TransportFinding) -> tuple[Fact, ...]:
    asked, cells = finding.detail.asked, finding.cells
    if asked is None:
        return (
            Fact(say("People who are like nobody else"), percent(round(cells.alone, 3))),
            Fact(say("People who can be compared across groups"), percent(round(cells.comparable, 3))),
            Fact(say("Similar people treated differently"), mixed_sentence(finding)),
        )
    return (
        Fact(
            say("Protected attributes changed when asking"), ", ".join(asked.read) or say("none that the model reads")
        ),
        Fact(say("Not read by the model"), ", ".join(asked.unread) or say("none of them")),
        Fact(
            say("Similar people treated differently"),
            say("none: everybody was asked about with all that the model reads"),
        ),
    )


def _columns_told(result: TransportResult) -> tuple[str, str]:
    columns = ", ".join(map(column_text, result.detail.cells.columns))
    if result.detail.asked is None:
        return say("Columns that tell people apart"), columns
    return say("Columns shown"), say(
        "{columns}; people are told apart by all that the model reads, unbinned", columns=columns
    )


def _left_out(finding: TransportFinding) -> Iterator[Fact]:
    """The columns that tell nobody apart, and what that means; nothing where there are none."""
    if finding.left_out:
        told = say("{columns}. People who differ only there count as similar", columns=", ".join(finding.left_out))
        yield Fact(say("Columns left out"), told)


def _similarity(finding: TransportFinding) -> str:
    result = finding.result
    chosen = result.audit.similarity
    if isinstance(chosen, DifferOnlyIn):
        if result.detail.asked is not None:
            return say("the same person in every other group of {columns}", columns=listed(finding.differ_in or ()))
        return say("{who}; in all else they may differ", who=who_is_alike(finding))
    if isinstance(chosen, ByMetric):
        name = result.metric.name if result.metric is not None else say("fair metric")
        return say("the nearer by the fair metric, the cheaper to compare ({name})", name=name)
    return say("by the cost matrix {name}", name=chosen.file.name)


def case(finding: TransportFinding) -> Case | None:
    """The group most of whom have similar people judged worse; None where nobody has."""
    for told in flow_sentences(finding, 1, brief=True):
        sentence = f"{upper_first(told)} {retold(ONE_OF_SEVERAL)}" if finding.one_of_several else upper_first(told)
        return Case(say("Similar people judged worse"), sentence)
    return None
