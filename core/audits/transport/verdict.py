"""The finding of a transport test: its verdict, and what its reader has to know.

A lower bound above delta is a violation. "No violation" is claimed only if the upper bound lies at or below delta and
nothing is known that makes the test blind, such as a protected attribute in which nobody was compared; everything else
is insufficient evidence. Groups are the combinations of all protected attributes' values, so that one comparison judges
them together. The upper bound, which people read as well, counts those who were not seen as treated as badly as they
may be (:mod:`core.audits.transport.unseen`). "No violation" is not claimed where the decision's method is known to put
it too low here (:mod:`core.inference.transport.doubts`).

Losses that differ within a cell are means of a few people, and the worst of several means is biased upwards. There the
lower bound counts only as far as the halves of the people confirm it (:class:`core.inference.resampled.Checked`). In
cells coarser than what the model reads, in which most people are alone, that noise cannot be seen: no claim is made.
The halves guard against chance, not against confounding: a difference between groups within such cells may come from
what the cells hide, and so may its absence. So the verdict states its condition, that it is about people who agree in
the columns declared; it is unconditional only where all that cells may hide fits within the tolerance
(:attr:`core.audits.transport.values.AbstractTransportFinding.conditional`). Of few people nothing is claimed.

Where no column but the protected ones tells people apart, everybody would count as similar to everybody of the same
outcome, and any difference between groups as unfair: no claim is made.

Nor is either claim made with a fair metric that was learned from rows: other rows would teach another, and how much
the rise would change is not known here, while the interval is given exactly this metric.

Where the kinds of one column are the answers, whoever agrees in it is treated alike by construction, which clears
nobody either.

Where the model is asked for the same people in every group, nobody is alone and no cell is mixed. But a model that
reads none of the attributes that were changed answers alike by construction, which clears nobody.
"""

import math
from collections.abc import Iterator
from functools import reduce

import numpy as np
import pandas as pd

from core.audits.transport.cell_caveats import nobody_told_apart
from core.audits.transport.flow_wording import flow_sentences
from core.audits.transport.loss_units import LOSS_UNITS, amount, tolerated
from core.audits.transport.robustness import with_wrong_costs
from core.audits.transport.settings import DifferOnlyIn
from core.audits.transport.unseen import largest_loss
from core.audits.transport.values import AbstractTransportFinding
from core.base.errors import Caveat, each_once, forbidding
from core.base.thresholds import FEWEST_ROWS
from core.caveats.doubts import close_to_delta
from core.claims import Claim
from core.inference.estimate import Verdict
from core.inference.resampled import Checked
from core.inference.transport.methods import PUBLISHED
from core.language.cached import cached_in_language
from core.language.phrases import count, listed, quoted, share_text, whole
from core.language.told import say, say_count

MOSTLY_ALONE = 0.5
"""From this share of people alone in cells coarser than the model reads, nothing is claimed."""
MANY_MIXED = 0.2
"""Above this share of people in mixed cells, what the cells hide may matter more than the groups."""
SMALL_PART = 0.1
"""Larger groups are not named where a wide tolerance covers whatever happens to them."""
FEWEST_WITH_MIXED = 500
"""Of fewer people with so many in mixed cells nothing is claimed: of 60 tables of 100 people of a fair program whose
scores cells cannot tell apart, and whose groups lie a standard deviation apart, 8 were called a violation."""


class TransportFinding(AbstractTransportFinding):
    """What a transport test found under decision settings; see the base class."""

    @cached_in_language
    def own_caveats(self) -> tuple[Caveat, ...]:
        """See the base class."""
        if self.undefined:
            return (Caveat("serious", self.undefined, _instead(self)),)
        within = self.seen.upper_bound(self.decision.alpha) <= self.decision.delta
        caveats: list[Caveat] = [
            *(forbidding("clearing", _blind(self)) if within else forbidding("any claim", _unreliable(self)))
        ]
        more_draws = say("Run the test with more bootstrap draws than {draws}.", draws=whole(self.detail.draws))
        close = close_to_delta(self.inference, self.decision, LOSS_UNITS[self.loss].told_in, more_draws)
        caveats += [*_unconfirmed(self), *close, *_unread(self), *_method(self), *_held_equal(self)]
        caveats += [*_mixed(self), *_covered(self), *_moved_within(self)]
        return each_once(caveats)

    @cached_in_language
    def parts(self) -> dict[str, tuple[Claim, ...]]:
        """The rise where costs may be wrong by a factor."""
        return {"transport costs": with_wrong_costs(self)}  # verbatim

    @cached_in_language
    def sentences(self) -> tuple[str, ...]:
        """The largest flows in words."""
        return tuple(flow_sentences(self))


def _instead(finding: TransportFinding) -> str:
    if finding.loss not in finding.detail.losses:
        return say("Read the {loss} loss instead.", loss=LOSS_UNITS[finding.detail.losses[0]].called)
    return say("Choose another budget, or run the test with other limits.")


def _unreliable(finding: TransportFinding) -> Iterator[Caveat]:
    """Why neither claim is made."""
    detail, people, alone = finding.detail, finding.detail.independent, finding.detail.alone
    together = finding.result.data.belongs_to if people < finding.cells.people else ""
    yield from learned_metric(finding)
    if finding.decision.method in PUBLISHED:
        for why in finding.doubts:
            yield Caveat("serious", why, say("Read the directional-derivative bootstrap."))
    if not finding.told_apart:
        yield Caveat("serious", nobody_told_apart(), say("Add the columns that may rightly make a difference."))
    if people < FEWEST_ROWS:
        yield Caveat(
            "serious",
            say(
                "The audited rows belong to {n} different {column}; a verdict needs at least {fewest}, because rows "
                "of one are not independent.",
                n=people,
                column=quoted(together),
                fewest=FEWEST_ROWS,
            )
            if together
            else say_count(
                "Only {n} person was audited; a verdict needs at least {fewest}.",
                "Only {n} people were audited; a verdict needs at least {fewest}.",
                people,
                fewest=FEWEST_ROWS,
            ),
            say("Bring more rows, or hold fewer of them out for the metric."),
        )
    if detail.coarse and alone >= MOSTLY_ALONE:
        yield Caveat(
            "serious",
            say(
                "{alone} of the people are like nobody else here, and the model reads more than these columns: the "
                "loss of one person stands for all who are like them, and how far it is off cannot be seen.",
                alone=share_text(alone, 0),
            ),
            say(
                "Tell people apart more coarsely, so that others are like them, or by every value of every column "
                "the model reads."
            ),
        )
    mixed = finding.part.mixed
    if mixed > MANY_MIXED and people < FEWEST_WITH_MIXED:
        yield Caveat(
            "serious",
            say(
                "{n} independent people are too few where similar people are treated differently: {mixed} of them "
                "agree in all these columns with people whom the model treats differently.",
                n=whole(people),
                mixed=share_text(mixed, 0),
            )
            if together
            else say(
                "{n} people are too few where similar people are treated differently: {mixed} of them agree in all "
                "these columns with people whom the model treats differently.",
                n=whole(people),
                mixed=share_text(mixed, 0),
            ),
            say(
                "Bring at least {fewest} rows, tell people apart by what the model reads, or bring the model.",
                fewest=FEWEST_WITH_MIXED,
            ),
        )


def learned_metric(finding: TransportFinding) -> Iterator[Caveat]:
    """The metric was learned from rows, and how much of the result is chance in who taught it is not known."""
    metric = finding.result.metric
    if metric is not None and metric.learned_on:
        yield Caveat(
            "serious",
            say(
                "The fair metric was learned from {rows} and is itself an estimate: learned from other "
                "rows it would call other people similar. This test does not try how much that changes, and all "
                "its numbers are given exactly this metric, so no verdict rests on them.",
                rows=count(metric.learned_on, "row"),
            ),
            say("Declare who counts as similar."),
        )


def _blind(finding: TransportFinding) -> Iterator[Caveat]:
    """Why "no violation" is not claimed, though the upper bound lies at or below delta."""
    yield from _unread(finding, serious_only=True)
    yield from _decided(finding)
    yield from _held_equal(finding)
    yield from _unreliable(finding)
    decision = finding.decision
    if math.isinf(finding.unseen.room):
        yield Caveat(
            "serious",
            say(
                "The {loss} loss has no largest value, so that few people whom the sample misses may exceed any "
                "tolerance.",
                loss=LOSS_UNITS[decision.loss].called,
            ),
            say("Read the 0-1 loss or the squared error to exclude a violation."),
        )
    elif finding.upper_bound > decision.delta:
        yield from _not_seen(finding)
    yield from _method_doubts(finding)
    if finding.budget == 0 and finding.budget_matters:
        yield Caveat(
            "serious",
            say("A budget of 0 compares nobody with people at any distance."),
            say("Choose a budget above 0."),
        )


def _not_seen(finding: TransportFinding) -> Iterator[Caveat]:
    """The bound lies within the tolerance for the people who were looked at, and not for everybody."""
    decision, unseen = finding.decision, finding.unseen
    missed = unseen.missed(decision.alpha)
    if missed * unseen.room > decision.delta:
        yield Caveat(
            "serious",
            say(
                "{people} people may miss groups of similar people that make up {missed} of the population, enough to "
                "exceed the tolerance.",
                people=whole(unseen.people),
                missed=share_text(missed, 1),
            ),
            say("Bring at least {n} rows.", n=whole(math.ceil(missed * unseen.people * unseen.room / decision.delta)))
            if decision.delta > 0
            else say("A tolerance of 0 cannot be shown to hold."),
        )
        return
    yield Caveat(
        "serious",
        say(
            "Among the people who were looked at the rise is at most {seen}. The upper bound of {bound} also counts "
            "those whom the table does not show, treated as badly as they may be: {who}.",
            seen=amount(max(0.0, finding.seen.upper_bound(decision.alpha)), decision.loss, beside=decision.delta),
            bound=amount(finding.upper_bound, decision.loss, beside=decision.delta),
            who=who_is_not_seen(finding),
        ),
        say("Bring more rows, or tell people apart more coarsely.")
        if finding.result.audit.space == "all groups"  # verbatim
        else say(
            "Bring more rows, tell people apart more coarsely, or compare with the same people in every "
            "group if the model can be asked."
        ),
    )


def who_is_not_seen(finding: TransportFinding) -> str:
    """Whom a bound from the people who were looked at does not see, with their shares; "" for nobody."""
    unseen = finding.unseen
    apart, missed = 1.0 - finding.cells.comparable, unseen.missed(finding.decision.alpha) if unseen.room else 0.0
    who = (
        (apart, say("{share} who can be compared with nobody of another protected group", share=share_text(apart, 1))),
        (
            unseen.lacking,
            say("{share} who have nobody like them in one group by chance", share=share_text(unseen.lacking, 1)),
        ),
        (unseen.alone, say("about {share} who are like nobody in the table", share=share_text(unseen.alone, 1))),
        (missed, say("up to {share} whom so few rows can miss", share=share_text(missed, 2))),
    )
    told = [told for share, told in who if share > 0]
    return listed(told) if told else ""


def _unread(finding: TransportFinding, *, serious_only: bool = False) -> Iterator[Caveat]:
    """Attributes the model does not read: the same person in another group is the same person to it."""
    asked = finding.detail.asked
    if asked is None or not asked.unread:
        return
    unread = reduce(lambda first, last: say("{first} or {last}", first=first, last=last), asked.unread)
    if not asked.read:
        yield Caveat(
            "serious",
            say(
                "The model does not read {unread}, so its answers about the same people in other groups are the "
                "same by construction. That says nothing about other columns that reveal a person's group.",
                unread=unread,
            ),
            say('Compare with "People in the table".'),
        )
    elif not serious_only:
        yield Caveat(
            "warning",
            say_count(
                "The model does not read {unread}: a difference that comes in through other columns which give "
                "it away is not seen by this comparison.",
                "The model does not read {unread}: a difference that comes in through other columns which give "
                "them away is not seen by this comparison.",
                len(asked.unread),
                unread=unread,
            ),
            say('Compare with "People in the table" as well.'),
        )


def _decided(finding: TransportFinding) -> Iterator[Caveat]:
    """A column whose kinds are the answers: people who agree in it are treated alike whatever the model does."""
    if column := finding.decided_by:
        yield Caveat(
            "serious",
            say(
                "{column} alone decides the answers, so people who agree in it are treated alike by construction. "
                "Whether {column} itself puts a group at a disadvantage was not tested.",
                column=quoted(column),
            ),
            say("Tell people apart without {column}, or by limits that the model does not use.", column=quoted(column)),
        )


def _moved_within(finding: TransportFinding) -> Iterator[Caveat]:
    """Protected attributes in which costs let people differ, and nobody is judged like people who do."""
    cells, found = finding.detail.cells, finding.moves
    if isinstance(finding.result.audit.similarity, DifferOnlyIn) or not found.total:
        return
    values = {name: cells.frame[name].to_numpy() for name in cells.protected if name in cells.frame}
    if same := [name for name, of in values.items() if (of[found.source] == of[found.target]).all()]:
        yield Caveat(
            "serious",
            say(
                "Everybody is judged like people of the same {attributes} here: by these costs a difference in "
                "{attributes} counts, and nobody is compared across it.",
                attributes=listed(same),
            ),
            say("Let people differ in {attributes} at no cost.", attributes=listed(same)),
        )


def _held_equal(finding: TransportFinding) -> Iterator[Caveat]:
    """Protected attributes that everybody compared has in common, so that nothing is judged by them."""
    similarity, protected = finding.result.audit.similarity, finding.detail.cells.protected
    if not isinstance(similarity, DifferOnlyIn) or not similarity.columns:
        return
    if equal := [name for name in protected if name not in similarity.columns]:
        yield Caveat(
            "serious",
            say_count(
                "People were compared with people of the same {equal} only, so how the model treats it was not judged.",
                "People were compared with people of the same {equal} only, so how the model treats them was not "
                "judged.",
                len(equal),
                equal=listed(equal),
            ),
            say_count(
                "Let people differ in {equal} too, or do not name it as protected.",
                "Let people differ in {equal} too, or do not name them as protected.",
                len(equal),
                equal=listed(equal),
            ),
        )


def _unconfirmed(finding: TransportFinding) -> Iterator[Caveat]:
    """The bound exceeds delta, but the halves of the people do not confirm it."""
    estimate, decision = finding.seen, finding.decision
    if finding.by_claims is Verdict.VIOLATION or not isinstance(estimate, Checked):
        return
    if estimate.estimate.lower_bound(decision.alpha) > decision.delta:
        yield Caveat(
            "warning",
            say(
                "Searched for among all people, the largest rise is {searched}; but the worst of several uncertain "
                "groups looks worse than it is. Measured on people who had no part in the search, it is {value}.",
                searched=finding.unit.text(estimate.estimate.value),
                value=finding.unit.text(finding.estimate),
            ),
            "" if finding.part.mixed > MANY_MIXED else say("Tell people apart more coarsely."),
        )


def _method(finding: TransportFinding) -> Iterator[Caveat]:
    """What speaks against the decision's way to the interval, or that another was taken."""
    yield from _method_doubts(finding)
    if finding.detail.constrained is not None and finding.decision.method not in (
        "m out of n",  # verbatim
        "directional derivative",  # verbatim
    ):
        yield Caveat(
            "info", say("With limits this method is not offered; the bounds are those of the m-out-of-n bootstrap.")
        )


def _method_doubts(finding: TransportFinding) -> Iterator[Caveat]:
    """Why the method's upper bound may be too low: it ignores a kink, or the draws are not normal."""
    for why in finding.doubts:
        yield Caveat("warning", why, say("Read the directional-derivative bootstrap."))


def _covered(finding: TransportFinding) -> Iterator[Caveat]:
    """Groups so small that the tolerance of the mean covers whatever happens to them."""
    if finding.by_claims is not Verdict.NO_VIOLATION:
        return
    cells, masses, losses = finding.detail.cells, finding.part.sample.masses, finding.part.sample.losses
    room = np.where(masses > 0, masses * (largest_loss(finding.loss, len(cells.labels)) - losses), 0.0)
    for attribute in cells.protected:
        codes, names = pd.factorize(cells.frame[attribute], sort=True)
        most, people = np.bincount(codes, room), np.bincount(codes, cells.people).astype(np.int64)
        if small := [
            f"{quoted(str(name))} ({whole(int(number))})"
            for name, number, rise in zip(names, people, most, strict=True)
            if 0 < number <= SMALL_PART * cells.people.sum() and rise <= finding.decision.delta
        ]:
            yield Caveat(
                "warning",
                say_count(
                    "Of {attribute}, {small} is so small a part of the people that nothing done to them could "
                    "raise the mean by more than {tolerance}: that the tolerance is kept says nothing about them.",
                    "Of {attribute}, {small} are so small a part of the people that nothing done to them could "
                    "raise the mean by more than {tolerance}: that the tolerance is kept says nothing about them.",
                    len(small),
                    attribute=quoted(attribute),
                    small=listed(small),
                    tolerance=tolerated(finding.decision),
                ),
                say("Look at them by a test that compares groups, or bring more rows of them."),
            )


def _mixed(finding: TransportFinding) -> Iterator[Caveat]:
    """Cells in which losses differ hide something on which the model decides."""
    share = finding.part.mixed
    if share == 0:
        return
    told = say(
        "{share} of the people agree with others whom the model treats differently, so their mean losses are "
        "estimates; the interval counts their noise, and a violation must hold for people who had "
        "no part in the search.",
        share=share_text(share, 0),
    )
    if not finding.conditional:
        yield Caveat("info", told)
        return
    cleared, much = finding.by_claims is Verdict.NO_VIOLATION, share > MANY_MIXED
    yield Caveat(
        "serious" if much and not cleared else "warning",
        _otherwise(share_text(share, 0), finding.detail.hides),
        _what_would_tell_apart(finding),
    )
    yield Caveat("info", told)


def _otherwise(share: str, hides: str) -> str:
    """That people are compared whom the model treats differently for a reason of its own; ``hides`` may be empty."""
    if hides:
        return say(
            "{share} of the people are compared with others who differ in {column}, which the model goes by. That may "
            "explain a difference between groups, or hide one.",
            share=share,
            column=quoted(hides),
        )
    return say(
        "{share} of the people are compared with some whom the model treats differently for another reason. That "
        "reason may lie behind a difference between groups, or hide one.",
        share=share,
    )


def _what_would_tell_apart(finding: TransportFinding) -> str:
    """What to do about kinds that hide something: the column it lies in, or finer limits of one that is taken."""
    hides = finding.detail.hides
    if not hides:
        return say("Tell people apart more finely.")
    if hides in finding.agree_in:
        return say("Tell people apart by finer limits of {column}.", column=quoted(hides))
    return say("Tell people apart by {column} too.", column=quoted(hides))
