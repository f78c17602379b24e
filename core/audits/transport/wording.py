"""The words of the transport test: its headline and verdict, what would help, what a budget buys, what a cell mixes."""

import math
from collections.abc import Iterator

import numpy as np

from core.audits.transport import maps
from core.audits.transport.binning import column_text
from core.audits.transport.loss_units import LOSS_UNITS, amount, tolerance
from core.audits.transport.settings import DifferOnlyIn, OwnCost
from core.audits.transport.verdict import TransportFinding, learned_metric, who_is_not_seen
from core.claims import Claim
from core.claims_told import Said, at_most, beyond_tolerance, needed, tolerance_number, tolerated, value_text
from core.inference.estimate import Verdict
from core.inference.resampled import Checked
from core.language.phrases import count, listed, number, percent, precision, quoted, ratio
from core.language.told import localized, retold, say
from core.language.units import POINTS
from core.models.predictions import PredictionModel
from core.one_estimate import BoundWords, conclusion, more_rows, no_number

_MUCH = 0.2
"""From this share of people on a lack is worth mending."""

_FEW = 0.5
"""Below this share of people who can be compared the strata are too fine."""

_PROVEN = 1e-9
"""A proof that is missed by no more than this is missed by rounding only."""
_MOST_BINS = 6
"""Bins of a column that are told one by one."""
_MOST_COLUMNS = 3
"""Columns that are named in a headline."""
_MOST_LEFT_OUT = 8
"""Columns that tell nobody apart and are named in a sentence; a table names all."""


def sentence(finding: TransportFinding) -> str:
    """The verdict in plain sentences, with people, estimate, bounds and tolerance."""
    if finding.undefined:
        return no_number(finding)
    words = BoundWords(
        tolerated=say("the {tolerance} tolerated", tolerance=tolerance(finding.decision)),
        shown=lambda value: _bound(finding, value),
        sure=say("it would rise by"),
        beyond=say("more than"),
        truth=say("the true rise"),
    )
    rest = conclusion(finding, _found(finding), words)
    return say(
        "{headline}: {found_and_concluded}{not_shown}{condition}{meaning}.",
        headline=finding.opening,
        found_and_concluded=rest,
        not_shown=_not_shown(finding),
        condition=_condition(finding),
        meaning=_meaning(finding),
    )


def deciding_text(finding: TransportFinding) -> str:
    """Where the estimate, each bound and the p-value come from."""
    found = finding.seen
    if not isinstance(found, Checked):
        return say("The estimate, both bounds and the p-value come from all people.")
    if found.confirmed_by.undefined:
        return say(
            "Nothing confirms that it is no chance, so no lower bound: {why}",
            why=retold(found.confirmed_by.undefined),
        )
    on_all = amount(finding.on_the_same_people, finding.loss)
    how = say(
        "from people who had no part in the search. {splits} times, people are split into halves at random; which "
        "similar people are judged worst is looked for in one half and measured on the other. The results are averaged",
        splits=len(found.confirmed_by.splits),
    )
    at_once = say(
        "from all people at once. Measured on the very people in whom it was looked for, the rise is {on_all}. That is "
        "too high in the mean, because the worst of several uncertain groups looks worse than it is. The number to "
        "repeat is the estimate, {estimate}",
        on_all=on_all,
        estimate=amount(found.value, finding.loss),
    )
    if found.decided_by_second(finding.decision.alpha):
        return say(
            "The estimate, the lower bound and the p-value come {how}. The upper bound comes {at_once}.",
            how=how,
            at_once=at_once,
        )
    return say("The estimate comes {how}. Both bounds and the p-value come {at_once}.", how=how, at_once=at_once)


def next_steps(finding: TransportFinding) -> tuple[str, ...]:
    """What would help, the most helpful first, a sentence or two each; empty where the verdict is clear."""
    if finding.verdict is not Verdict.INSUFFICIENT:
        return ()
    advice = tuple(caveat.advice for caveat in finding.reasons if caveat.advice)
    if finding.undefined:
        return advice
    more = more_rows(finding, "people")
    if any(learned_metric(finding)):
        return advice
    return (*_other_strata(finding), *_ask_the_model(finding), *more) or advice


def price_sentence(finding: TransportFinding) -> str:
    """What more budget would buy."""
    measure = LOSS_UNITS[finding.loss]
    if not finding.budget_matters:
        return say("The size of the budget has no effect here: every useful comparison costs nothing.")
    budget, price, curve = finding.budget, finding.price, finding.curve
    if price <= 0:
        return say(
            "A budget above {budget} would change nothing: nobody has similar people judged worse beyond it.",
            budget=number(budget),
        )
    step = 10.0 ** math.floor(math.log10((budget or float(curve.budgets[-1])) / 5))
    rest = float(curve.values[-1] - curve.at(np.array([budget]))[0])
    further, gain = localized(f"{step:,g}"), amount(min(price * step, rest), finding.loss)
    if budget > 0:
        return say(
            "A further {step} of budget beyond {budget} raises {what} by up to {gain}.",
            step=further,
            budget=number(budget),
            what=measure.name,
            gain=gain,
        )
    return say("A further {step} of budget raises {what} by up to {gain}.", step=further, what=measure.name, gain=gain)


def mixed_sentence(finding: TransportFinding) -> str:
    """How many people are in cells whose members have different losses, and what that means."""
    share = finding.part.mixed
    if share == 0:
        return say("People who agree in all these columns have the same loss, so it is known, not estimated.")
    return say(
        "{share} of people agree with others in the columns that tell people apart here, but the model treats "
        "them differently, because it goes by other columns too or by finer differences. Their average "
        "stands for each of them. What that leaves uncertain is part of the interval, and makes it wide "
        "where they are many.",
        share=percent(round(share, 3)) if share >= 0.0005 else say("Less than 0.1%"),
    )


def proof_text(certificate: float) -> str:
    """What is proven of the moves, by the largest amount by which a condition of an optimum is missed."""
    if certificate <= _PROVEN:
        return say("proven: no other comparison with similar people raises the loss more")
    return say("proven but for {certificate} of the loss", certificate=localized(f"{certificate:.1e}"))


def _found(finding: TransportFinding) -> str:
    measure = LOSS_UNITS[finding.loss]
    within = say(", within a budget of {budget},", budget=number(finding.budget)) if finding.budget_matters else ""
    value = _bound(finding, finding.estimate)
    attributes = _compared_across(finding)
    across = say(", {attributes} aside,", attributes=listed(attributes)) if attributes else ""
    people = count(finding.n, "audited person", "audited people")
    return say(
        "if{within} people were judged like similar people{across} on whom the model does worse, {what} "
        "would rise by {value}{unit} ({people})",
        within=within,
        across=across,
        what=measure.name,
        value=value,
        unit=measure.unit,
        people=people,
    )


def _compared_across(finding: TransportFinding) -> tuple[str, ...]:
    """The attributes in any combination of which people are compared; none where costs decide about groups too."""
    similarity, protected = finding.result.audit.similarity, finding.detail.cells.protected
    if isinstance(similarity, OwnCost):
        return ()
    return (similarity.columns if isinstance(similarity, DifferOnlyIn) else ()) or protected


def _meaning(finding: TransportFinding) -> str:
    """What equal treatment "no violation" means, as the end of a sentence; empty for another verdict."""
    if finding.verdict is not Verdict.NO_VIOLATION:
        return ""
    across, similarity = listed(_compared_across(finding)), finding.result.audit.similarity
    if isinstance(similarity, OwnCost):
        who = say("people whom the given costs call similar")
    elif isinstance(similarity, DifferOnlyIn):
        asked = finding.detail.asked is not None
        who = (
            say("people who are the same but for their {attributes}", attributes=across) if asked else agreeing(finding)
        )
    else:
        who = say("people who are near each other by the fair metric, {attributes} aside,", attributes=across)
    return say(
        ". Equal treatment means here that among people with the same recorded {outcome}, {who} {alike}. "
        "Whether the records themselves are right is not tested",
        outcome=finding.result.data.outcome,
        who=who,
        alike=LOSS_UNITS[finding.loss].alike,
    )


def agreeing(finding: TransportFinding) -> str:
    """Who is compared where people may differ in some columns at no cost: "people who agree in age in 3 bins"."""
    free = finding.differ_in or ()
    columns = [column_text(one) for one in finding.detail.cells.columns if one.name not in free]
    return say("people who agree in {columns}", columns=listed(columns)) if columns else say("all people")


def who_is_alike(finding: TransportFinding) -> str:
    """Who is compared where people may differ in some columns at no cost, with what counts as alike in the others.

    ``people with the same job, and in the same range of age (under 30; 30 to 44; 45 and over)``; of a column of many
    bins their number is told.
    """
    cells, alike, near = finding.detail.cells, [], []
    for one in cells.columns:
        if one.name not in finding.agree_in:
            continue
        if not 0 < len(one.edges) < _MOST_BINS:
            alike.append(column_text(one))
            continue
        bins = maps.levels(maps.texts(cells.frame[one.name]))
        within = "; ".join(maps.value_told(cells, one.name, each) for each in bins)
        near.append(say("{column} ({alike})", column=one.name, alike=within))
    if alike and near:
        return say(
            "people with the same {columns}, and in the same range of {ranges}",
            columns=listed(alike),
            ranges=listed(near),
        )
    if near:
        return say("people in the same range of {ranges}", ranges=listed(near))
    return say("people with the same {columns}", columns=listed(alike)) if alike else say("all people")


def _not_shown(finding: TransportFinding) -> str:
    """Whom the table does not show, where they alone leave the verdict open, as the end of a sentence."""
    seen, decision = finding.seen.upper_bound(finding.decision.alpha), finding.decision
    if finding.verdict is not Verdict.INSUFFICIENT or not seen <= decision.delta < finding.upper_bound:
        return ""
    return say(". The upper bound counts those whom the table does not show: {who}", who=who_is_not_seen(finding))


def _condition(finding: TransportFinding) -> str:
    """Among whom it holds, where the model treats people of one kind differently, as the end of a sentence."""
    if not finding.conditional or not finding.told_apart:
        return ""
    return say(
        ". The result holds on average among people who agree in {columns}{left_out}. {share} of the people agree in "
        "them with others whom the model treats differently{by}",
        columns=listed(finding.agree_in),
        left_out=_may_differ(finding),
        share=percent(round(finding.part.mixed, 3)),
        by=_told_apart_by(finding),
    )


def _may_differ(finding: TransportFinding) -> str:
    """In which other columns they may differ, as the end of a sentence; empty where there are none."""
    if not (columns := finding.left_out):
        return ""
    return say("; they may differ in {columns}", columns=listed(columns, _MOST_LEFT_OUT))


def _told_apart_by(finding: TransportFinding) -> str:
    """The column that would tell mixed kinds apart, as the end of a sentence."""
    if not finding.detail.hides:
        return say(", and no feature of the table explains why")
    column = finding.detail.hides
    if column in finding.agree_in:
        return say(", mostly by finer differences in {column}", column=quoted(column))
    return say(", mostly by {column}", column=quoted(column))


def mixed_limit(finding: TransportFinding) -> Iterator[str]:
    """What a verdict about mixed kinds leaves open."""
    if finding.conditional and finding.told_apart:
        yield say(
            "{share} of the people agree in all these columns with others whom the model treats differently{by}. The "
            "result is about averages of people who agree in {columns}. Among them groups may be treated alike or "
            "not.",
            share=percent(round(finding.part.mixed, 3)),
            by=_told_apart_by(finding),
            columns=listed(finding.agree_in),
        )


def unseen_text(finding: TransportFinding) -> str:
    """What of the upper bound is about people whom the table does not show."""
    who = who_is_not_seen(finding)
    if not who:
        return say("nobody: everybody was looked at")
    added = finding.upper_bound - max(0.0, finding.seen.upper_bound(finding.decision.alpha))
    if not math.isfinite(added):
        return say("{who}; the loss has no largest value", who=who)
    return say("{added} of the upper bound: {who}", added=amount(added, finding.loss), who=who)


def _bound(finding: TransportFinding, value: float) -> str:
    """A value with the digits that tell it from the tolerance, and both bounds from each other."""
    measure = LOSS_UNITS[finding.loss]
    return ratio(
        measure.shown(value),
        beside=measure.factor * finding.decision.delta,
        decimals=precision(measure.shown(finding.lower_bound), measure.shown(finding.upper_bound)),
    )


def _other_strata(finding: TransportFinding) -> Iterator[str]:
    """Finer strata where they hide what the model goes by; coarser ones where people are alone in theirs."""
    detail, mixed = finding.detail, finding.part.mixed
    if mixed > _MUCH:
        yield (
            say(
                "Tell people apart by other columns: {mixed} of people agree in these with others whom the model "
                "treats differently{by}. Add the columns it goes by, or limits where its answers change.",
                mixed=percent(round(mixed, 2)),
                by=_told_apart_by(finding),
            )
        )
    if not detail.by_distance and detail.alone > _MUCH:
        yield (
            say(
                "Tell people apart by fewer columns or wider bins: {alone} of people are like nobody else.",
                alone=percent(round(detail.alone, 2)),
            )
        )
    elif detail.comparable_share < _FEW:
        yield (
            say(
                "Tell people apart by fewer columns or wider bins: only {comparable} of people have "
                "somebody like them in another group.",
                comparable=percent(round(detail.comparable_share, 2)),
            )
        )


def _ask_the_model(finding: TransportFinding) -> Iterator[str]:
    """Asking the model itself, where people in the table do not settle it."""
    model = finding.result.model
    if finding.detail.asked is not None or finding.part.mixed <= _MUCH:
        return
    if retold(model.kind) == retold(PredictionModel.kind):
        yield (
            say(
                "Ask for the model itself: with it everybody can be compared with themselves in every other "
                "group, and nothing is hidden by averages."
            )
        )
    elif set(model.encoder.features) & set(finding.result.data.protected):
        yield (
            say("Count as similar who differ in protected attributes only: the model is then asked about everybody.")
            if finding.result.audit.space == "all groups"  # verbatim
            else say("Compare with the same people in every group: the model can be asked about them.")
        )
    else:
        yield say("Run the gradient-flow test too: it learns which columns reveal a person's group.")


def measure(finding: TransportFinding, claim: Claim) -> str:
    """What a number is of: the rise, and under which condition."""
    if claim.unit == POINTS:
        return say("Extra wrong decisions per 100 people, if each were judged like the similar people judged worst")
    return say("{rise} if all were judged like the similar people judged worst", rise=claim.what)


def headline(finding: TransportFinding, claim: Claim, said: Said) -> str:
    """By how much the mean loss would rise, or could; no full stop."""
    rise, tolerance = _rise(finding, claim, said), tolerated(claim)
    if said == "open":
        return say(
            "It is open whether, if everybody were judged like the similar people judged worst, {rise}: {missing}",
            rise=rise,
            missing=needed(finding, claim),
        )
    if said == "within":
        told = say(
            "If everybody were judged like the similar people judged worst, {rise}, with {sure} confidence; "
            "{tolerated}",
            rise=rise,
            sure=percent(1 - finding.decision.alpha),
            tolerated=tolerance,
        )
    else:
        told = say(
            "If everybody were judged like the similar people judged worst, {rise}; {tolerated}",
            rise=rise,
            tolerated=tolerance,
        )
    return f"{told}{_condition_in_short(finding)}"


def _rise(finding: TransportFinding, claim: Claim, said: Said) -> str:
    """What would happen then: how many more would be judged wrongly, or by how much another loss would rise."""
    if finding.loss == "0-1":
        counts = {
            "beyond": claim.unit.number(claim.estimate, beside=claim.tolerance),
            "within": say("at most {bound}", bound=claim.unit.number(claim.high, beside=claim.tolerance)),
            "open": say("more than {n}", n=tolerance_number(claim)),
        }
        return say("{n} more in 100 would be judged wrongly", n=counts[said])
    sizes = {"beyond": value_text(claim), "within": at_most(claim), "open": beyond_tolerance(claim)}
    return say("{what} would rise by {size}", what=LOSS_UNITS[finding.loss].name, size=sizes[said])


def _condition_in_short(finding: TransportFinding) -> str:
    """Among whom it holds, where the model treats people of one kind differently, as a sentence of its own."""
    if not finding.conditional or not finding.told_apart:
        return ""
    columns = finding.agree_in
    if len(columns) > _MOST_COLUMNS:
        return say(". Similar people are those alike in {n} columns; what these hide may matter", n=len(columns))
    return say(". Similar people are those alike in {columns}; what these hide may matter", columns=listed(columns))
