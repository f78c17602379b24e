"""A result as slides in words and numbers, before any layout: aggregates only, never a row of the table.

Whatever a room says in full stands in the speaker's notes; a slide shows as many whole sentences of it as can be read
from the back of a room.
"""

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from core.base.errors import in_short
from core.claims import Claim
from core.claims_shown import pair
from core.claims_told import shares, sure_text, tolerated
from core.data.labels import condition
from core.data.roles import MODELS_ANSWER
from core.figures.series import Series, Span, Spans
from core.figures.svg import plot
from core.figures.theme import ORANGE
from core.finding import AbstractFinding
from core.inference.estimate import Verdict
from core.language.fitted import plain, sentences, short, width
from core.language.phrases import by_name, day, listed, lower_first, upper_first, whole
from core.language.told import retold, say
from core.report.multiple_tests import Together
from core.report.names import system_of
from core.report.others import beyond_too, in_brief, not_settled, other_attributes
from core.report.pictures import Picture, pictured, worst
from core.report.statement import DECISIONS, Statement
from core.report.summary import (
    about_whom,
    answers_described,
    beside_the_headline,
    how_often_wrong,
    shown_worse,
    what_p_says,
    what_to_do,
)
from core.study import Study

LONGEST_MESSAGE = 260
ABOVE_PICTURE = 140
ROOM = 520
"""Letters of a message, of one above a picture, and of all points below one, which fit on a slide."""
BESIDE_PICTURE = 320
"""Letters of the lines between a message and a picture."""
LOW_PICTURE = 180
"""Height of the rows of a picture that leaves room for a line above it, in pixels of a slide."""
ALONE = 1000
"""Letters of points without a message, in any language."""
ONE_POINT = 300
"""Letters of one of several points."""
OTHERS = 380
"""Letters of what is told of other audits."""
MOST_POINTS = 6
LONGEST_SOURCE = 84
_MOST_NAMED = 3
_LONGEST_REASON = 140
NO_PROOF = say("That no violation is found is no proof that there is none.")
_LONGEST_TRIAL = 200
_LONGEST_SIMILAR = 170


@dataclass(frozen=True)
class Slide:
    """One message.

    Attributes:
        key: Its name in the deck, the same for every result of these tests.
        caption: Its heading; a presenter may write another.
        message: What it says, in large letters; may be empty.
        points: What belongs to it, a sentence or two each.
        picture: The one chart that shows it.
        alt: The chart in words.
        verdict: Colours the slide of a verdict; None for others.
        test: What people call the test it is about; empty for the whole audit.
        notes: What the speaker may say, a paragraph each.
        asked: At which tolerance it is told, where somebody asked for another one, or that it is a trial; empty in the
            audit's own deck.
    """

    key: str
    caption: str
    message: str = ""
    points: tuple[str, ...] = ()
    picture: Series | None = None
    alt: str = ""
    verdict: Verdict | None = None
    test: str = ""
    notes: tuple[str, ...] = ()
    asked: str = ""

    @property
    def heading(self) -> str:
        """The caption, and the test it is about, on one line."""
        return short(" · ".join(filter(None, (self.caption, self.test))), 72)


@dataclass(frozen=True)
class Deck:
    """The slides of a result.

    Attributes:
        title: What was audited.
        source: What stands at the foot of every slide.
        slides: In the order in which they are shown.
        author: Who audited it.
        date: When it was audited; None where nobody says so.
    """

    title: str
    source: str
    slides: tuple[Slide, ...]
    author: str = "Evenhand"
    date: datetime.date | None = None


def build(
    study: Study,
    together: Together,
    statement: Statement | None = None,
    *,
    signed: bool = False,
    others: str = "",
) -> Deck:
    """The slides of an audit: the verdict, the question, how sure, who is affected, what could be wrong, what follows.

    Args:
        study: What was run; a trial, which every slide says, where it is read otherwise than it was run.
        together: What it found.
        statement: What people state about it.
        signed: Whether somebody signed that; until then its decision is a proposal.
        others: That other audits of the same model on the same rows ended worse.
    """
    stated = statement or Statement()
    called, data = system_of(stated.system, study, together.findings[0].result.model.name), study.plans[0].data.title
    system = " ".join(filter(None, (called, stated.version.strip())))
    slides = [_verdict(together, others), _question(together, stated, called, data)]
    alone = len(together.names) == 1
    for place in together.headline_first:
        name = together.names[place]
        shown = any(chart.slide == "who" for chart in together.findings[place].room.charts.values())
        sure, who = _sure(together, place, name), _who(together, place, name)
        slides += [sure, who] if (shown or alone) and (who.picture is None or who.picture != sure.picture) else [sure]
    slides += [_doubts(together), _proposal(together, Statement() if together.trial else stated, signed=signed)]
    if together.trial:
        told = say("A trial: read otherwise than the audit was run.")
        slides = [replace(slide, asked=told) for slide in slides]
    dated = f" · {day(stated.date)}" if stated.date else ""
    kind = say("Trial") if together.trial else say("Draft") if stated.decision == "undecided" or not signed else ""
    source = short(" · ".join(filter(None, (kind, f"{short(system, 40)}{dated}", data))), LONGEST_SOURCE)
    return Deck(system, source, tuple(slides), stated.auditor.strip() or "Evenhand", stated.date)


def fitting(texts: Iterable[str], room: int = ROOM, most: int = MOST_POINTS) -> tuple[str, ...]:
    """As many texts as fit, whole sentences each; the first is cut where it alone is too long."""
    kept: list[str] = []
    for text in map(plain, texts):
        left = room - sum(map(width, kept))
        if len(kept) == most or (kept and width(text) > left):
            break
        kept.append(short(text, room) if not kept else text)
    return tuple(kept)


def beginning(text: str, room: int = ONE_POINT) -> str:
    """As many whole sentences from the beginning of a text as fit, at least one."""
    first, *others = map(plain, sentences(text) or [""])
    for one in others:
        if width(first) + 1 + width(one) > room:
            break
        first = f"{first} {one}"
    return first


def _question(together: Together, stated: Statement, system: str, data: str) -> Slide:
    findings = together.findings
    rows = by_name(together.names, [one.result.data.rows for one in findings])
    alone = len(findings) == 1
    message = (
        findings[0].question
        if alone
        else say("What do {tests} tests of fairness say about {system}?", tests=len(findings), system=short(system, 60))
    )
    about = findings[0].result.data
    judged = about.outcome or (about.decision if about.decision != MODELS_ANSWER else "")
    predicts = say("System: {system}, which predicts {outcome}", system=short(system, 70), outcome=short(judged, 60))
    tolerances = [
        say("Tolerated: up to {tolerance}", tolerance=one.tolerance)
        if alone
        else say("Tolerated by the {test}: up to {tolerance}", test=name, tolerance=one.tolerance)
        for name, one in zip(together.names, findings, strict=True)
    ]
    reason, similar = stated.tolerance_reason.strip(), findings[together.place].similar_people
    points = (
        *([] if alone else [say("Tests: {names}", names=", ".join(together.names))]),
        predicts if about.outcome else say("System: {system}", system=short(system, 70)),
        *([say("Favourable: {outcome}", outcome=condition(judged, about.favourable))] if about.favourable else []),
        say("Data: {data}, {rows}", data=short(data, 60), rows=rows),
        *([say("Protected attributes: {attributes}", attributes=listed(about.protected))] if about.protected else []),
        *([say("Similar: {people}", people=short(similar, _LONGEST_SIMILAR))] if similar else []),
        *([say("Why this much is tolerated: {reason}", reason=beginning(reason, _LONGEST_REASON))] if reason else []),
        *([say("Auditor: {name}", name=short(stated.auditor, 80))] if stated.auditor.strip() else []),
        *(tolerances if alone else []),
    )
    notes = (
        *(f"{name}: {one.question} {one.kind.about}" for name, one in zip(together.names, findings, strict=True)),
        *([say("What the system is for: {purpose}", purpose=stated.purpose.strip())] if stated.purpose.strip() else []),
        *(f"{told}." for told in tolerances),
        *([say("Why this much is tolerated: {reason}", reason=reason)] if reason else []),
    )
    return Slide("question", say("The question"), beginning(message, LONGEST_MESSAGE), fitting(points), notes=notes)


def _verdict(together: Together, others: str) -> Slide:
    """The verdict with what qualifies it, which has its place before what each test says."""
    pictured = _two_numbers(together)
    if len(together.findings) == 1:
        points = [] if pictured else sentences(together.sentence)
    else:
        said: dict[str, list[str]] = {}
        for name, verdict in zip(together.names, together.verdicts, strict=True):
            said.setdefault(verdict.words, []).append(name)
        points = [f"{listed(names)}: {words}" for words, names in said.items()]
    trial = beginning(together.trial, _LONGEST_TRIAL)
    points = [trial, *points] if trial else points
    left_open = not_settled(together)
    told = " ".join(fitting(sentences(others), OTHERS))
    room = min(ONE_POINT, ROOM - sum(map(width, (together.qualified, trial, told))))
    said_open = " ".join(fitting(left_open, room)) if together.verdict is not Verdict.INSUFFICIENT else ""
    below = tuple(filter(None, (together.qualified, said_open, told)))
    return Slide(
        "verdict",
        say("The verdict"),
        beginning(replace(together, trial="").told, LONGEST_MESSAGE),
        (*fitting(points, ROOM - sum(map(width, below))), *fitting(below)),
        picture=pictured,
        alt=together.headline if pictured else "",
        verdict=together.verdict,
        notes=(
            f"{together.told}.",
            *beside_the_headline(together),
            *filter(None, (others,)),
            together.sentence,
            *(f"{one.title}: {one.sentence}" for one in together.shown if len(together.shown) > 1),
        ),
    )


def _two_numbers(together: Together) -> Spans | None:
    """The two numbers of the headline beside each other, with how many people each is of; None where it has no two."""
    finding = together.findings[together.place]
    claim = finding.headlined
    found = finding.room.sides(finding, claim) if claim is not None else None
    if claim is None or found is None or together.verdict is not Verdict.VIOLATION:
        return None
    what, here, there = found
    told = shares(claim, here, there)
    people = retold(finding.room.rows)
    rows = (
        Span(_counted(claim.who, claim.people, people), told[0], 100 * here, colour=ORANGE, symbol="square"),
        Span(_counted(claim.against, claim.others, people), told[1], 100 * there, symbol="square"),
    )
    return Spans(rows, say("{what}, in %", what=what), level=0.0)


def _counted(who: str, people: int, noun: str) -> str:
    return say("{who}: {n} {people}", who=who, n=whole(people), people=lower_first(noun)) if people else who


def _sure(together: Together, place: int, name: str) -> Slide:
    """What a test shows for certain, and what speaks most against it, which its page says beside it."""
    finding, verdict = together.shown[place], together.verdicts[place]
    wrong, claim = how_often_wrong(verdict, together.alphas[place]), finding.headlined
    told = sure_text(claim, together.alphas[place]) if claim is not None and verdict is finding.by_claims else ""
    if claim is not None and told:
        told = _of_whom(finding, claim, told)
    wrong = wrong[0].upper() + wrong[1:]
    picture = _headlined(pictured(finding, "sure"), claim) or worst(_headlined(pictured(finding, "who"), claim))
    message = short(told or wrong, ABOVE_PICTURE)
    return Slide(
        f"sure-{place + 1}",
        say("How sure are we?"),
        message,
        fitting((*filter(None, (in_short(finding.spoken),)), *_compared(finding, picture, message)), BESIDE_PICTURE),
        verdict=verdict,
        test=name if len(together.names) > 1 else "",
        notes=(
            finding.explanation,
            wrong,
            *filter(None, (what_p_says(together.adjusted[place], together.alphas[place], together.adjusted_tests),)),
            *_read(picture),
        ),
        **_drawn(picture),
    )


def _of_whom(finding: AbstractFinding[Any, Any], claim: Claim, known: str) -> str:
    """What is known of a claim with whom it is of, or else of what, as much as fits above a picture.

    What is tolerated stands in the picture too.
    """
    tolerance, lower = tolerated(claim), f"{known[:1].lower()}{known[1:]}"
    what = map(upper_first, (finding.room.measure(finding, claim), claim.what))
    of = (pair(claim),) if claim.who else tuple(what)
    told = (line for one in of for line in (f"{one}: {lower}; {tolerance}.", f"{one}: {lower}."))
    return next((line for line in told if width(line) <= ABOVE_PICTURE), f"{known}; {tolerance}.")


def _who(together: Together, place: int, name: str) -> Slide:
    finding, verdict = together.shown[place], together.verdicts[place]
    picture = _headlined(pictured(finding, "who"), finding.headlined)
    beside = _beside(together, picture) if place == together.place else ()
    return Slide(
        f"who-{place + 1}",
        say("Who is affected?"),
        short(beginning(_affected(verdict, finding, picture), ABOVE_PICTURE), ABOVE_PICTURE),
        beside or fitting(_compared(finding, picture)),
        test=name if len(together.names) > 1 else "",
        notes=(
            about_whom(finding.result.data),
            *_case(finding),
            *_read(picture),
        ),
        **_drawn(picture),
    )


def _beside(together: Together, picture: Picture | None) -> tuple[str, ...]:
    """Who else is beyond the tolerance and not drawn, and whom the test clears, each in what, as much as fits."""
    spans = picture.spans if picture is not None else None
    drawn = [row.called or row.name for row in spans.rows] if spans is not None else []
    finding, too = together.shown[together.place], beyond_too(together, drawn)
    alike = other_attributes(together, within=True)
    within = say("Other attributes: {attributes}.", attributes=alike) if alike else ""
    what = _measured(finding, finding.headlined) if finding.headlined is not None else ""
    answered = (" ".join(answers_described(together, brief=True, most=most)) for most in (2, 1))
    lines = (f"{too} {within or what}", f"{too} {what}", too) if too else (within, *answered)
    return tuple(line for line in lines if 0 < width(line) <= BESIDE_PICTURE)[:1]


def _measured(finding: AbstractFinding[Any, Any], claim: Claim) -> str:
    return say("Compared: {measure}.", measure=lower_first(finding.room.measure(finding, claim)))


def _compared(finding: AbstractFinding[Any, Any], picture: Picture | None, message: str = "") -> Iterator[str]:
    """What two groups are compared in, where a picture draws their difference, has no headings and leaves a line; what
    is measured of everybody, where the message had no room for all of it.
    """
    claim, spans = finding.headlined, picture.spans if picture is not None else None
    if claim is None or spans is None:
        return
    shown, measure = plot(spans), lower_first(finding.room.measure(finding, claim))
    drawn = any(row.name == pair(claim) and not row.under for row in spans.rows)
    if shown.row_height * len(shown.rows) > LOW_PICTURE:
        return
    if claim.against and drawn:
        yield _measured(finding, claim)
    elif message and not claim.who and measure not in lower_first(message):
        yield say("Measured: {measure}.", measure=measure)


def _headlined(picture: Picture | None, claim: Claim | None) -> Picture | None:
    """The picture that draws the groups of a headline whatever else it leaves out."""
    if picture is None or picture.spans is None or claim is None:
        return picture
    return replace(picture, series=replace(picture.spans, first=(claim.who, claim.against, pair(claim))))


def _doubts(together: Together) -> Slide:
    """What reads otherwise, reasons against the verdict, what is known of all rows, then what each test cannot say.

    As much of it as fits; all of it in the notes. The test of the headline comes first.
    """
    findings = [together.findings[place] for place in together.headline_first]
    names = [together.names[place] for place in together.headline_first]
    beside = [one for one in (findings[0].reservations,) if one and together.verdict is Verdict.VIOLATION]
    beside += [retold(NO_PROOF)] if together.verdict is Verdict.NO_VIOLATION else []
    told = [one.what for one in together.noted()]
    assumed = [one.assumptions for one in findings]
    of_all = set(assumed[0]).intersection(*assumed)
    named = [
        tuple(one if one in of_all else f"{name}: {one}" for one in each)
        for name, each in zip(names, assumed, strict=True)
    ]
    assumptions = [each for rank in _in_turn(named) for each in rank]
    of_rows = [one.what for one in reversed(findings[0].result.caveats) if one.level == "info"]
    first, *others = (sentences(one)[0] for one in assumptions)
    shown = [*beside, *map(beginning, told[:2]), first, *of_rows, *others]
    return Slide(
        "doubts",
        say("What could be wrong?"),
        points=fitting(dict.fromkeys(shown), ALONE),
        notes=tuple(dict.fromkeys((*beside, *told, *of_rows, *assumptions))),
    )


def _proposal(together: Together, stated: Statement, *, signed: bool) -> Slide:
    steps = what_to_do(together)
    said = sentences(stated.conditions.strip()) + sentences(stated.rationale.strip())
    decided = stated.decision != "undecided"
    advice = [sentence for step in steps for sentence in sentences(step)]
    undecided = (
        say("A trial is not decided on. What was decided stands in the report of the audit as it was run.")
        if together.trial
        else say("Nobody has decided about the system yet; this is what Evenhand advises.")
    )
    decision = retold(DECISIONS[stated.decision]) if decided else ""
    caption = say("What was decided") if signed else say("Proposed decision")
    return Slide(
        "proposal",
        caption if decided else say("What to do next"),
        decision if signed or not decided else say("Proposed, not signed yet: {decision}", decision=decision),
        fitting(said if decided and said else advice, most=4),
        notes=(
            *(
                [say("Conditions: {conditions}", conditions=stated.conditions.strip())]
                if stated.conditions.strip()
                else []
            ),
            *([say("Reasons: {reasons}", reasons=stated.rationale.strip())] if stated.rationale.strip() else []),
            *([] if decided else [undecided]),
            *steps,
        ),
    )


def _affected(verdict: Verdict, finding: AbstractFinding[Any, Any], picture: Picture | None) -> str:
    """Who is shown to be treated worse; where the verdict names nobody, whom the chart marks.

    Who is not settled is told here of a test that compares nobody with anybody; of others beside the verdict.
    """
    rows = picture.spans.rows if picture and picture.spans else ()
    marked = [row.name for row in rows if row.beyond]
    if marked and len(marked) == len(rows) > 1 and not finding.named:
        return say("Every group is beyond the tolerance, so that none is told apart: it is about everybody.")
    if finding.named or finding.unclaimed or not marked:
        told = " ".join(shown_worse(verdict, (finding,)))
    else:
        told = say("Beyond the tolerance, for better or worse: {groups}.", groups=listed(marked, _MOST_NAMED))
    claim = finding.headlined
    if claim is not None and claim.differs and not claim.settled:
        return say("{told} Surely different: {who}.", told=told, who=in_brief(claim))
    left = [row.called or row.name for row in rows if row.unsettled]
    if not left or claim is None or claim.against:
        return told
    return say("{told} Not settled: {groups}.", told=told, groups=listed(left, _MOST_NAMED))


def _case(finding: AbstractFinding[Any, Any]) -> tuple[str, ...]:
    """The group that shows it; no person or text, since files with slides go from hand to hand."""
    case = finding.case
    if case is None or case.personal:
        return ()
    beside = "; ".join(": ".join(row) for row in case.beside.rows) if case.beside else ""
    return (f"{case.title}: {case.told} {beside}".rstrip(),)


def _in_turn(lists: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The first of each, then the second of each, and so on."""
    for rank in range(max(map(len, lists), default=0)):
        yield tuple(one[rank] for one in lists if rank < len(one))


def _read(picture: Picture | None) -> tuple[str, ...]:
    if picture is None:
        return ()
    return (
        say("How to read the chart: {caption}", caption=picture.caption),
        say("In words: {alt}", alt=picture.alt),
    )


def _drawn(picture: Picture | None) -> dict[str, Any]:
    return {} if picture is None else {"picture": picture.series, "alt": picture.alt}
