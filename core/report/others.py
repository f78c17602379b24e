"""Of whom tests say something besides the headline: who is beyond a tolerance too, who is within it, who is open."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.base.tables import NOT_GIVEN, Table
from core.claims import Claim, first_told
from core.claims_shown import pair
from core.claims_told import at_most, bounds_text, is_in_favour, needed, tolerated, value_text
from core.data.labels import compared_with
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.language.phrases import (
    LONGEST_VALUE,
    listed,
    lower_first,
    percent,
    quoted,
    shortened,
    up_to,
    whole,
)
from core.language.told import retold, say
from core.report.multiple_tests import Together
from core.result import DataSummary

Said = Literal["beyond", "within", "apart", "open"]
_Named = tuple[frozenset[str], bool]

_IS = " = "
_NAMED = 4
"""Comparisons of a test that are named in a sentence; further ones are counted."""
_NAMED_BRIEFLY = 2
"""The same beside a chart."""
_MOST_ROWS = 12

_STANDING: dict[Said, str] = {
    "beyond": say("beyond the tolerance"),
    "within": say("within the tolerance"),
    "apart": say("surely different; whether beyond the tolerance is open"),
    "open": say("open"),
}


@dataclass(frozen=True)
class Other:
    """Some people besides those of the headline, compared in one measure.

    Attributes:
        said: Whether they are beyond the tolerance or within it; what is open is told apart by whether they surely
            differ.
        who: Who they are, in words.
        measure: What they are compared in.
        found: By how much they differ, with bounds; empty where that is not told.
    """

    said: Said
    who: str
    measure: str
    found: str = ""


def others(together: Together) -> tuple[Other, ...]:
    """Everybody of whom tests say something besides the headline, those beyond their tolerance first.

    The bounds of a test hold for all of its claims together.
    """
    return (*_beyond(together), *_within(together), *_open(together))


def as_table(found: Sequence[Other]) -> Table | None:
    """One row each; of many the first, and how many more there are. None without any."""
    if not found:
        return None
    shown = [(one.who, retold(_STANDING[one.said]), one.found or NOT_GIVEN, one.measure) for one in found[:_MOST_ROWS]]
    if len(found) > len(shown):
        shown.append((say("{n} more", n=whole(len(found) - len(shown))), "", "", ""))
    header = (say("Besides the headline"), say("Tolerance"), say("Found"), say("Compared in"))
    return Table("", header, tuple(shown))


def in_sentences(found: Iterable[Other]) -> tuple[str, ...]:
    """The same as sentences, one for those beyond their tolerance, within it, surely different, and open, who are
    counted up without numbers.
    """
    of: dict[Said, dict[str, list[str]]] = {}
    for one in found:
        told = one.who if one.said == "open" else ", ".join(filter(None, (one.who, one.found)))
        of.setdefault(one.said, {}).setdefault(one.measure, []).append(told)
    return tuple(_sentence(said, _with_measures(measures)) for said, measures in of.items())


def _with_measures(of: dict[str, list[str]]) -> str:
    return "; ".join(f"{'; '.join(up_to(who, _NAMED))} ({measure})" for measure, who in of.items())


def _sentence(said: Said, who: str) -> str:
    if said == "beyond":
        return say("Beyond the tolerance too: {who}.", who=who)
    if said == "within":
        return say("Within the tolerance: {who}.", who=who)
    if said == "apart":
        return say("Surely different, but whether by more than tolerated is open: {who}.", who=who)
    return say("Not settled: {who}.", who=who)


def not_settled(together: Together) -> tuple[str, ...]:
    """Who is shown to be neither beyond the tolerance nor within it, and which tests settle nothing, in sentences."""
    return (*in_sentences(_open(together)), *still_open(together))


def still_open(together: Together) -> tuple[str, ...]:
    """What tests leave open that settle nothing although their claims are settled, or that are about nobody."""
    if len(together.names) == 1:
        return ()
    known = _beyond_in(together)
    told = []
    for name, finding, verdict in zip(together.names, together.shown, together.verdicts, strict=True):
        if verdict is Verdict.INSUFFICIENT and not _unsettled(finding, known):
            left = say("Not settled: {what} ({test})", what=retold(finding.kind.settles), test=name)
            told.append(f"{': '.join(filter(None, (left, _why_open(finding))))}.")
    return tuple(told)


def beyond_too(together: Together, drawn: Iterable[str] = ()) -> str:
    """Whom the test of the headline shows to be beyond its tolerance besides, in what its headline measures; or empty.

    Args:
        together: What the tests found.
        drawn: Whom a chart beside it draws, in words.
    """
    place, known = together.place, set(drawn)
    first = together.findings[place].headlined
    for name, finding, claims in _violations(together):
        if first is not None and name == together.names[place]:
            alike = [one for one in claims if _measure(finding, one) == _measure(finding, first)]
            further = _further(finding, alike, {_named(finding, first)})
            who = "; ".join(up_to([in_words(one) for one in further if pair(one) not in known], _NAMED_BRIEFLY))
            return _sentence("beyond", who) if who else ""
    return ""


def other_attributes(together: Together, *, within: bool = False) -> str:
    """How protected attributes besides the headline's stand; empty where it is of none.

    Beyond their tolerance by any test; else as they stand in what the headline says of its own.

    Args:
        together: What the tests found.
        within: Whether only those are told that are within the tolerance.
    """
    beyond, left = _attributes_beyond(together), _attributes_open(together)
    of: dict[str, list[str]] = {}
    for name, said, _ in _by_attribute(together):
        if name in beyond:
            how = retold(_STANDING["beyond"])
        elif said != "within":
            how = retold(_STANDING[said])
        elif name in left:
            how = say("within the tolerance in the same measure, but open in another (below)")
        else:
            how = say("within the tolerance in the same measure")
        if not within or (said == "within" and name not in beyond):
            of.setdefault(how, []).append(quoted(name))
    return "; ".join(say("{names} {standing}", names=listed(names), standing=how) for how, names in of.items())


def _attributes_beyond(together: Together) -> set[str]:
    """The protected attributes of which any test shows a group to be beyond its tolerance."""
    return {
        _attribute_of(one.who, finding.result.data)
        for _, finding, claims in _violations(together)
        for one in claims
        if one.decides
    }


def _attributes_open(together: Together) -> set[str]:
    """The protected attributes of which any test leaves something open."""
    known = _beyond_in(together)
    left = ((finding, one) for finding in together.shown for one in _unsettled(finding, known))
    return {_attribute_of(one.who, finding.result.data) for finding, one in left if one.decides}


def open_questions(together: Together) -> str:
    """What the tests leave open that settle nothing beside a violation, amid a sentence; empty where there are none."""
    if together.verdict is not Verdict.VIOLATION:
        return ""
    asked = [
        (retold(finding.kind.settles), verdict)
        for finding, verdict in zip(together.findings, together.verdicts, strict=True)
    ]
    found = {what for what, verdict in asked if verdict is not Verdict.INSUFFICIENT}
    return listed([what for what in dict.fromkeys(what for what, _ in asked) if what not in found])


def shown_instead(finding: AbstractFinding[Any, Any]) -> str:
    """What is found of the attribute that charts and tables show, where the headline is not about it; else empty."""
    shown, first = finding.pictured, finding.headlined
    if finding.unclaimed or shown is None or first is None or shown is finding.deciding:
        return ""
    found = f"{in_words(shown)} ({_measure(finding, shown)})"
    return "" if _named(finding, shown) == _named(finding, first) else say("Shown here: {found}.", found=found)


def sides(claim: Claim) -> str:
    """Whom a claim is about, and against whom; empty for everybody."""
    who = shortened(claim.who, LONGEST_VALUE)
    if not claim.against:
        return who
    against = shortened(compared_with(claim.who, claim.against), LONGEST_VALUE)
    return say("{who} against {against}", who=who, against=against)


def in_words(claim: Claim) -> str:
    """Whom a claim compares, and by how much they differ with bounds; no full stop."""
    return ", ".join(filter(None, (sides(claim), _found(claim))))


def in_brief(claim: Claim) -> str:
    """The same without bounds, where a picture draws them."""
    return ", ".join(filter(None, (sides(claim), _value(claim))))


def _value(claim: Claim) -> str:
    if not claim.defined:
        return ""
    value = value_text(claim)
    return say("a ratio of {ratio}", ratio=value) if claim.scale == "ratio" else value


def _found(claim: Claim) -> str:
    """By how much they differ, with bounds; empty where that is not known."""
    return ", ".join(filter(None, (_value(claim), bounds_text(claim)))) if claim.defined else ""


def _about(finding: AbstractFinding[Any, Any], claim: Claim, said: Said) -> Other:
    found = _found(claim)
    if claim.scale == "ratio":
        found = f"{found}; {tolerated(claim)}"
    return Other(said, sides(claim), _measure(finding, claim), found)


def _beyond(together: Together) -> Iterator[Other]:
    """Whom tests show to be treated beyond their tolerance besides those of the headline."""
    deciding = together.findings[together.place]
    first = deciding.headlined
    named = set() if first is None else {_named(deciding, first)}
    for _, finding, claims in _violations(together):
        yield from (_about(finding, one, "beyond") for one in _further(finding, claims, named))
        named |= {_named(finding, one) for one in claims}


def _further(finding: AbstractFinding[Any, Any], claims: Sequence[Claim], named: Container[_Named]) -> list[Claim]:
    """One claim for each two groups and kind of error not yet named, as a headline would choose among them."""
    beyond = {_named(finding, one): one for one in sorted(claims, key=first_told)}
    return [one for of, one in reversed(beyond.items()) if of not in named]


def _violations(together: Together) -> Iterator[tuple[str, AbstractFinding[Any, Any], list[Claim]]]:
    """Each test whose violation stands among all tests, and what it shows to be beyond its tolerance of somebody."""
    for name, finding, verdict in zip(together.names, together.findings, together.verdicts, strict=True):
        if verdict is Verdict.VIOLATION:
            yield name, finding, [one for one in finding.claims if one.beyond and one.who]


def _named(finding: AbstractFinding[Any, Any], claim: Claim) -> _Named:
    """Whom a claim compares, and whether in errors in people's favour, which are told beside those against them."""
    return frozenset((claim.who, claim.against)), is_in_favour(claim, finding.result.data)


def _measure(finding: AbstractFinding[Any, Any], claim: Claim) -> str:
    return lower_first(finding.room.measure(finding, claim))


def _by_attribute(together: Together) -> Iterator[tuple[str, Said, Claim]]:
    """Protected attributes besides that of the headline: how their groups stand in what it says, and the widest claim.

    Each upper bound holds by itself, so that the largest does (Berger 1982). Nothing where a verdict is withheld for
    what clearing would take.
    """
    finding, first = together.shown[together.place], together.shown[together.place].headlined
    if first is None or together.verdict is Verdict.NO_VIOLATION or finding.unclaimed:
        return
    attributes = {one.who: _attribute_of(one.who, finding.result.data) for one in finding.claims if one.decides}
    of: dict[str, list[Claim]] = {}
    for one in finding.claims:
        if one.who in attributes and one.of == first.of:
            of.setdefault(attributes[one.who], []).append(one)
    forbidden = any(one.forbids in ("clearing", "any claim") for one in finding.reasons)
    if "" in of or forbidden or finding.result.data.missing_goes_with:
        return
    for name, own in of.items():
        if name == attributes.get(first.who):
            continue
        yield name, _standing(own, first), max((one for one in own if one.decides), key=lambda one: one.times_possible)


def _standing(claims: Sequence[Claim], first: Claim) -> Said:
    """How the groups of an attribute stand in what a headline's claim says, who are within only if in ratios too."""
    alike = [one for one in claims if one.scale == first.scale]
    if any(one.beyond for one in alike):
        return "beyond"
    if all(one.within for one in claims):
        return "within"
    return "apart" if any(one.differs for one in alike) else "open"


def _within(together: Together) -> Iterator[Other]:
    """The attributes none of whose groups fares worse than is tolerated in what the headline says of others."""
    finding = together.shown[together.place]
    for name, said, widest in _by_attribute(together):
        if said == "within":
            sure = percent(1 - finding.decision.alpha)
            found = say("{bound}, with {sure} confidence", bound=at_most(widest), sure=sure)
            who = say("every group of {attribute}", attribute=quoted(name))
            yield Other("within", who, _measure(finding, widest), found)


def _attribute_of(who: str, data: DataSummary) -> str:
    """The protected attribute of a group in words; empty where it is not known."""
    if (name := who.partition(_IS)[0]) in data.protected:
        return name
    columns = {one.column: one.label for one in data.labels if not one.value}
    return next((columns.get(one.column, one.column) for one in data.labels if one.value and one.label == who), "")


def _beyond_in(together: Together) -> set[tuple[str, str]]:
    """Who is shown to be beyond a tolerance, and in what."""
    return {(one.who, _measure(finding, one)) for _, finding, claims in _violations(together) for one in claims}


def _unsettled(finding: AbstractFinding[Any, Any], beyond: Container[tuple[str, str]]) -> list[Claim]:
    """What a test leaves open of somebody who is beyond no tolerance in the same measure.

    Of several attributes together it is told only if they differ by more than tolerated, as far as was found.
    """
    told = (one for one in finding.claims if one.decides or one.stands_out)
    still = [] if finding.unclaimed else [one for one in told if not one.settled]
    return [one for one in still if one.who and (one.who, _measure(finding, one)) not in beyond]


def _open(together: Together) -> Iterator[Other]:
    """Who is shown to be neither beyond the tolerance nor within it; first those who surely differ, each but once.

    No ratio is told below the difference of the same shares.
    """
    headlined, known = together.shown[together.place].headlined, _beyond_in(together)
    seen = {_same(headlined)} if headlined is not None and together.verdict is not Verdict.NO_VIOLATION else set()
    apart, left = list[Other](), list[Other]()
    for finding in together.shown:
        told = set[tuple[str, str, str]]()
        for one in _unsettled(finding, known):
            of = (one.who, one.against, one.of)
            if one.scale == "ratio" and of in told:
                continue
            told.add(of)
            if not one.differs:
                who = say("{who}, among others", who=sides(one)) if finding.claims_widest_only else sides(one)
                left.append(replace(_about(finding, one, "open"), who=who))
            elif _same(one) not in seen:
                apart.append(_about(finding, one, "apart"))
                seen.add(_same(one))
    return iter((*dict.fromkeys(apart), *dict.fromkeys(left)))


def _same(claim: Claim) -> tuple[str, str, str, float]:
    """What two claims share that are of one difference, which several tests may look at."""
    return claim.who, claim.against, claim.scale, round(claim.estimate, 9)


def _why_open(finding: AbstractFinding[Any, Any]) -> str:
    """Why a test that is about nobody by name settles nothing, in a few words; empty where its page says it."""
    claim = finding.headlined
    if finding.unclaimed or claim is None:
        return ""
    return needed(finding, claim)
