"""What is claimed of a protected attribute that is only guessed: bounds, which accuse and never clear."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.audits.group_fairness.settings import GroupFairness
from core.base.errors import Caveat, SettingsError
from core.base.thresholds import FEWEST_ROWS
from core.claims import Claim
from core.data.attribute import Attribute
from core.inference.estimate import Interval
from core.inference.guessed_group import GuessedGroup
from core.language.phrases import quoted, several
from core.language.told import retold, say
from core.language.units import POINTS

NEVER = float("inf")
"""The bound that would clear: a guess clears nobody."""


@dataclass(frozen=True)
class Guess:
    """A protected attribute of two groups to which people are only guessed to belong.

    Attributes:
        attribute: Its name.
        group: The group whose accuracy is known.
        other: The other one.
        counts: Guesses, answers, and how often guesses are right.
        together: Whether rows belong together, so that counts of them are not those of independent people.
    """

    attribute: str
    group: str
    other: str
    counts: GuessedGroup
    together: bool

    @property
    def problem(self) -> str:
        """Why nothing can be said, a sentence; empty where bounds exist."""
        counts = self.counts
        if self.together:
            return say("rows belong together, and bounds of a guess are known for independent people only")
        if min(counts.group[1], counts.others[1]) < FEWEST_ROWS:
            return say("fewer than {n} people are guessed to belong to one of both groups", n=FEWEST_ROWS)
        if not np.isfinite(counts.membership):
            return say("guesses so often wrong do not fit how many people are guessed to belong to each group")
        return ""


def guess_of(
    audit: GroupFairness,
    attributes: tuple[Attribute, ...],
    chosen: np.ndarray,
    *,
    together: bool,
    times: np.ndarray | None = None,
) -> tuple[Guess | None, tuple[Attribute, ...]]:
    """The guess that the settings name, and the attributes with its groups called what they are.

    Args:
        audit: The settings.
        attributes: The protected attributes.
        chosen: Who gets the favourable answer, shape (n,), bool.
        together: Whether rows belong together.
        times: People that each row stands for, shape (n,), int64; one each if None.

    Raises:
        SettingsError: The attribute is not protected, or has not two groups of which one is named.
    """
    if not audit.guessed:
        return None, attributes
    found = {one.name: one for one in attributes}
    where = say("setting 'Attribute that is only guessed'")
    if audit.guessed not in found:
        raise SettingsError(
            say("{name} is no protected attribute of this table.", name=quoted(audit.guessed)),
            where=where,
            advice=say("Choose among {names}.", names=several(list(found))),
        )
    one = found[audit.guessed]
    there = [group for place, group in enumerate(one.groups) if (one.codes == place).any()]
    if len(there) != 2 or audit.guessed_group not in map(retold, there) or one.continuous or (one.codes < 0).any():
        raise SettingsError(
            say(
                "A guess has exactly two groups, of which one is named, and is known for all; {name} has {groups}.",
                name=quoted(one.name),
                groups=several(list(map(retold, there))),
            ),
            where=where,
            advice=say("Merge the values to two, leave out rows without a guess, and name one of the groups."),
        )
    group, other = sorted(there, key=lambda name: retold(name) != audit.guessed_group)
    inside = one.codes == one.groups.index(group)
    people = np.ones(len(inside), dtype=np.int64) if times is None else times
    counts = GuessedGroup(
        group=(int(people @ (chosen & inside)), int(people @ inside)),
        others=(int(people @ (chosen & ~inside)), int(people @ ~inside)),
        found=_pair(audit.guessed_right),
        excluded=_pair(audit.others_right),
    )
    told = replace(one, groups=tuple(say("{group}, by the guess", group=name) for name in one.groups))
    return Guess(one.name, group, other, counts, together), tuple(told if each is one else each for each in attributes)


def _pair(counts: tuple[int, ...]) -> tuple[int, int]:
    right, of = counts
    return right, of


def claims(guess: Guess, favourable: str, delta: float, alpha: float, share: float) -> tuple[Claim, ...]:
    """Each group beside the other: estimates if errors do not depend on the answer, bounds however guesses err.

    Args:
        guess: The guess.
        favourable: The favourable answer.
        delta: The tolerance.
        alpha: The error rate of all claims.
        share: The part of it that these take.
    """
    counts, people = guess.counts, guess.counts.group[1] + guess.counts.others[1]
    known: dict[str, Any] = {"what": "selection rate", "of": favourable, "tolerance": delta, "unit": POINTS}
    who, other = (
        say("{attribute} = {group} (guessed)", attribute=guess.attribute, group=retold(one))
        for one in (guess.group, guess.other)
    )
    if guess.problem:
        known |= {"people": counts.group[1], "others": counts.others[1]}
        return (Claim(who, other, judged=False, estimate=-counts.if_right, why=guess.problem, **known),)
    ours, theirs = counts.if_unrelated
    low, high = counts.limits(alpha * share)
    own = max(1, round(people * counts.membership))
    found = []
    for turned in (False, True):
        here, there = (theirs, ours) if turned else (ours, theirs)
        ends = (low, high) if turned else (-high, -low)
        p = min(counts.p_value(delta, larger=turned) / share, 1.0)
        size = (people - own, own) if turned else (own, people - own)
        found.append(
            Claim(
                who=other if turned else who,
                against=who if turned else other,
                here=here,
                there=there,
                people=size[0],
                others=size[1],
                estimate=there - here,
                low=ends[0],
                high=NEVER,
                interval=Interval(*ends, 1 - alpha),
                p_value=p,
                **known,
            )
        )
    return tuple(found)


def readings(guess: Guess, favourable: str, delta: float, alpha: float, share: float) -> tuple[Claim, ...]:
    """How much worse the named group fares by what is taken for granted of the guess, from least to most."""
    if guess.problem:
        return ()
    counts = guess.counts
    ours, theirs = counts.if_unrelated
    apart, (low, high), (least, most) = theirs - ours, counts.identified, counts.limits(alpha * share)
    name, p = retold(guess.group), min(counts.p_value(delta, larger=False) / share, 1.0)
    known: dict[str, Any] = {"unit": POINTS, "tolerance": delta, "decides": False, "of": favourable}
    told = (
        (say("{group}: however the guess errs", group=name), apart, (-most, -least), p),
        (say("{group}: the same, counts taken as exact", group=name), apart, (-high, -low), math.nan),
        (say("{group}: errors do not depend on the answer", group=name), apart, None, math.nan),
        (say("{group}: the guess is always right", group=name), -counts.if_right, None, math.nan),
    )
    return tuple(
        Claim.with_ends(
            who,
            say("How much worse"),
            value,
            None if ends is None else Interval(*ends, 1 - alpha),
            p_value=shown,
            **known,
        )
        for who, value, ends, shown in told
    )


def caveats(guess: Guess, within: tuple[str, ...]) -> tuple[Caveat, ...]:
    """That a guess clears nobody, and what its numbers take for granted; ``within`` as in the decision settings."""
    right, wrong = (f"{count} / {of}" for count, of in (guess.counts.found, guess.counts.excluded))
    alike = Caveat(
        "warning",
        say("Of people alike in a column nothing is said by {attribute}, which is guessed.", attribute=guess.attribute),
        say("Compare all people."),
    )
    return (
        *((alike,) if within else ()),
        Caveat(
            "serious",
            say(
                "{attribute} is not recorded but guessed, so that no difference between its groups is ruled out.",
                attribute=quoted(guess.attribute),
            ),
            say("Record the attribute for a part of the people, or bring a better guess."),
            forbids="clearing",
        ),
        Caveat(
            "warning",
            say(
                "Bounds hold however the guess errs, as long as it is right here as often as where it was checked: "
                "{right} and {wrong}. Shares of both groups are told as if its errors did not depend on the answer.",
                right=right,
                wrong=wrong,
            ),
            say("Check the guess on people like these, drawn at random."),
        ),
    )
