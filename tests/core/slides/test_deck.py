"""A deck says what the audit found, in whole sentences that fit; a presenter changes order and captions, no more."""

import datetime
import re
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from core.base.errors import SettingsError, in_short
from core.claims import Claim
from core.figures.series import Span, Spans
from core.figures.svg import draw, plot
from core.figures.theme import VERDICT_MARKER
from core.inference.estimate import Verdict
from core.language.fitted import short, width, wrapped
from core.language.phrases import upper_first
from core.language.reader import speaking
from core.language.units import POINTS
from core.records.audits import AUDITS
from core.report.multiple_tests import Together
from core.report.others import not_settled
from core.report.pictures import Picture
from core.report.signature import SignedBy
from core.report.statement import Statement
from core.run import find
from core.slides import deck as deck_module
from core.slides import live as live_module
from core.slides.deck import ALONE, ROOM, Deck, Slide, beginning, build, fitting
from core.slides.layout import reading
from core.slides.live import live, tolerances
from core.slides.settings import DeckSettings, SlideSettings
from core.study import Study
from tests.core.slides.made import KINDS, audit, hostile, together
from tests.dashboard import results_made

STATED = Statement(
    system="Screening",
    version="3.2",
    purpose="It proposes whom to invite.",
    tolerance_reason="The works council agreed to it.",
    date=datetime.date(2026, 11, 23),
    decision="accept_with_conditions",
    conditions="The score is not used for applicants under 18. The vendor mends it by May.",
)


def test_others_that_ended_worse_stand_on_the_slide_of_the_verdict_and_at_its_own_tolerance_only() -> None:
    told = "1 other audit ended worse and was deleted, on 28 November 2026. Its verdict was: violation found."
    study, results = audit("several")
    shown = AUDITS.slides(study, results, others=told)
    assert shown.deck.slides[0].points[-1] == told
    assert told in shown.deck.slides[0].notes
    assert sum(map(width, shown.deck.slides[0].points)) <= ROOM
    tried = shown.tests[0].asked
    assert [told in one.deck.slides[0].points for one in tried] == [one.own for one in tried]
    without = AUDITS.slides(study, results).deck
    assert not any("ended worse" in point for slide in without.slides for point in slide.points)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_test_makes_the_six_slides(kind: str) -> None:
    found = together(kind)
    deck = build(audit(kind)[0], found)
    slides = {slide.key: slide for slide in deck.slides}
    assert list(slides) == ["verdict", "question", "sure-1", "who-1", "doubts", "proposal"]
    assert slides["question"].message.endswith("?")
    assert (slides["verdict"].message, slides["verdict"].verdict) == (found.told, found.verdict)
    assert found.findings[0].tolerance in " ".join(slides["question"].points)
    assert found.sentence in slides["verdict"].notes
    left_open = not_settled(found)
    besides = (found.qualified, " ".join(left_open))
    points = [one for one in slides["verdict"].points if one not in besides]
    assert " ".join(points) in found.sentence
    assert len(slides["verdict"].points) - len(points) == bool(found.qualified) + bool(left_open)
    assert set(left_open) <= set(slides["verdict"].notes)
    assert slides["sure-1"].picture is not None
    assert (slides["who-1"].picture is not None) is (kind != "transport")
    rooms = {"doubts": ALONE}
    assert all(sum(map(width, slide.points)) <= rooms.get(slide.key, ROOM) for slide in deck.slides)
    assert all(slide.notes for slide in deck.slides)
    assert all(limit in slides["doubts"].notes for limit in found.findings[0].assumptions)


@pytest.mark.parametrize("kind", [*KINDS, "several"])
def test_every_slide_of_a_trial_says_that_it_is_one_and_the_first_what_was_found_before(kind: str) -> None:
    ran, results = audit(kind)
    decisions = [plan.decision for plan in ran.plans]
    other = type(decisions[0]).model_validate({**decisions[0].model_dump(), "delta": decisions[0].delta * 1.5})
    tried = ran.read((other, *decisions[1:]))
    found = Together.of(tried, results)
    deck = build(tried, found, STATED)
    first, last = deck.slides[0], deck.slides[-1]
    assert first.points[0].startswith("A trial: read with another choice of")
    assert " instead of " in first.points[0], "which tolerance is tried"
    assert f"As it was run: {Together.of(ran, results).verdict.words}." in first.points[0]
    assert (first.verdict, "A trial" in first.message) == (found.verdict, False)
    assert {slide.asked for slide in deck.slides} == {"A trial: read otherwise than the audit was run."}
    assert "A trial is not decided on." in str(last.notes)
    assert STATED.conditions not in str(deck)
    assert deck.source.startswith("Trial · ")
    assert found.findings[0].tolerance in str(deck.slides[1])
    assert sum(map(width, first.points)) <= ROOM


def test_several_tests_have_a_verdict_together_and_evidence_each() -> None:
    deck = build(audit("several")[0], together("several"))
    assert [slide.key for slide in deck.slides] == [
        "verdict", "question", "sure-1", "who-1", "sure-2", "doubts", "proposal",
    ]  # fmt: skip
    verdicts = "Gradient-flow test and Transport test: violation found"
    assert deck.slides[0].points == (verdicts, together("several").qualified)
    assert deck.slides[4].test == "Transport test"


@pytest.mark.parametrize("kind", [*KINDS, "several"])
def test_what_speaks_most_against_a_test_stands_on_the_slide_that_says_what_it_shows(kind: str) -> None:
    found = together(kind)
    slides = {slide.key: slide for slide in build(audit(kind)[0], found).slides}
    against = [in_short(one.spoken) for one in found.findings]
    assert against[0] or kind != "several", "of these something is known"
    for place, told in enumerate(against, start=1):
        assert not told or slides[f"sure-{place}"].points[0] == told


@pytest.mark.parametrize("kind", KINDS)
def test_a_german_deck_says_no_less(kind: str) -> None:
    study, results = audit(kind)
    english = build(study, together(kind))
    with speaking("de"):
        german = build(study, Together.of(study, results))
    for here, there in zip(english.slides, german.slides, strict=True):
        assert len(there.points) >= len(here.points), here.key
    sure = {slide.key: slide for slide in german.slides}["sure-1"]
    if kind == "transport":
        assert any("wie die am schlechtesten beurteilten" in point for point in sure.points)


def test_whom_the_headlines_test_clears_stands_beside_whom_it_accuses(monkeypatch: pytest.MonkeyPatch) -> None:
    study, found = audit("group_fairness")[0], together("group_fairness")
    monkeypatch.setattr(deck_module, "beyond_too", lambda together, drawn: "Others too.")
    monkeypatch.setattr(deck_module, "other_attributes", lambda together, *, within: "“age” within the tolerance")
    slide = {slide.key: slide for slide in build(study, found).slides}["who-1"]
    assert slide.points == ("Others too. Other attributes: “age” within the tolerance.",)
    monkeypatch.setattr(deck_module, "other_attributes", lambda together, *, within: "")
    (told,) = {slide.key: slide for slide in build(study, found).slides}["who-1"].points
    assert told == "Others too. Compared: mean errors (answer less outcome).", "in what stands there in any case"
    monkeypatch.setattr(deck_module, "other_attributes", lambda together, *, within: "Too long. " * 40)
    assert {slide.key: slide for slide in build(study, found).slides}["who-1"].points == (told,)


@pytest.mark.parametrize("kind", ["group_fairness", "several"])
def test_the_slide_of_the_verdict_names_whom_the_audit_could_not_settle(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, found = audit(kind)[0], together(kind)
    before, notes = build(study, found).slides[0].points, build(study, found).slides[0].notes
    assert set(not_settled(found)) <= set(notes)
    told = ("Not settled for one.", "Not settled for another.", f"Not settled for {'many ' * 60}.")
    monkeypatch.setattr(deck_module, "not_settled", lambda together: told)
    slide = build(study, found).slides[0]
    assert slide.points[-1] == "Not settled for one. Not settled for another.", "one line, of whole sentences"
    assert len(slide.points) <= len(before) + 1
    monkeypatch.setattr(deck_module, "not_settled", lambda together: told[2:])
    slide = build(study, found).slides[0]
    assert slide.points[-1].startswith("Not settled for many"), "cut rather than left out"
    assert sum(map(width, slide.points)) <= ROOM


def test_where_the_evidence_is_insufficient_the_message_says_what_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    study, found = audit("gradient_flow")[0], together("gradient_flow")
    monkeypatch.setattr(deck_module, "not_settled", lambda together: ("Not settled for one.",))
    open_too = {verdict: [] for verdict in Verdict}
    for verdict in Verdict:
        monkeypatch.setattr(Together, "verdict", verdict)
        open_too[verdict] = [one for one in build(study, found).slides[0].points if one == "Not settled for one."]
    assert [len(open_too[verdict]) for verdict in (Verdict.VIOLATION, Verdict.NO_VIOLATION)] == [1, 1]
    assert not open_too[Verdict.INSUFFICIENT]


def test_a_difference_says_what_it_is_of_unless_headings_do() -> None:
    slides = {slide.key: slide for slide in build(audit("group_fairness")[0], together("group_fairness")).slides}
    finding = together("group_fairness").findings[0]
    told = f"Compared: {finding.room.measure(finding, finding.headlined)}."
    assert slides["sure-1"].points == (told,)
    assert slides["who-1"].points == (
        "Beyond the tolerance too: sex = Female and race = Asian against everybody else, 4.34, at least 2.98; sex = "
        "Male and race = Asian against everybody else, 3.88, at least 2.46; 3 more. Other attributes: 'race' within "
        "the tolerance in the same measure.",
    )
    odds = build(audit("equalized_odds")[0], together("equalized_odds")).slides
    assert not any(point.startswith("Compared: ") for slide in odds if slide.key == "who-1" for point in slide.points)


def test_a_test_that_compares_nobody_says_who_is_not_settled_beside_who_is_beyond(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [
        Span(name, "said", 1.8, 1.3, 2.0, symbol=VERDICT_MARKER[verdict])
        for name, verdict in zip("abc", (Verdict.VIOLATION, Verdict.INSUFFICIENT, Verdict.NO_VIOLATION), strict=True)
    ]
    picture = Picture("Groups", "", Spans(tuple(rows), "axis", (1.25,)), "")
    monkeypatch.setattr(deck_module, "pictured", lambda finding, slide: picture if slide == "who" else None)
    slides = {slide.key: slide for slide in build(audit("gradient_flow")[0], together("gradient_flow")).slides}
    assert slides["who-1"].message.endswith("for better or worse: sex = Male and sex = Female. Not settled: b.")


def test_rows_that_the_headline_names_are_drawn_whatever_differs_more() -> None:
    rows = tuple(
        Span(name, "said", value, value - 1, value + 1) for name, value in zip("abcdefgh", range(8), strict=True)
    )
    spans = Spans(rows, "axis", (3.0,))
    assert [row.name for row in plot(spans).rows] == ["b", "c", "d", "e", "f", "g", "h"]
    named = replace(spans, first=("a",))
    assert [row.name for row in plot(named).rows] == ["a", "c", "d", "e", "f", "g", "h"]
    long = replace(spans, rows=(*rows[:-1], replace(rows[-1], name="h" * 50)))
    assert [row.name[0] for row in plot(long).rows] == ["d", "e", "f", "g", "h"], "two lines take more room"
    assert "7 of 8 rows: the headline's, then those whose bounds lie furthest out." in reading(named)


def test_of_ratios_the_smallest_for_certain_is_the_worst() -> None:
    spans = Spans((Span("a", "", 0.7, 0.6, 0.8), Span("b", "", 0.9, 0.85, 0.95)), "axis", (0.8,), level=1.0)
    assert spans.most_telling(spans.rows) == [0, 1]
    assert replace(spans, tolerances=(1.2,)).most_telling(spans.rows) == [1, 0]


def test_the_two_numbers_of_the_headline_stand_beside_each_other() -> None:
    plan, result = results_made.groups(case="two classes")
    study = Study(plans=(plan,))
    found = Together.of(study, (result,))
    claim = found.findings[0].headlined
    verdict = build(study, found).slides[0]
    for row, who, people in zip(
        verdict.picture.rows, (claim.who, claim.against), (claim.people, claim.others), strict=True
    ):
        assert row.name == f"{who}: {people:,} people"
        assert row.said in found.headline
        assert row.said == f"{row.value:.0f}%"


def test_how_sure_is_told_of_the_claim_and_not_of_the_test() -> None:
    deck = build(audit("group_fairness")[0], together("group_fairness"))
    sure = {slide.key: slide for slide in deck.slides}["sure-1"]
    assert sure.message == "sex = Female beside sex = Male: at least 5.31, with 95% confidence; 1.76 is tolerated."
    assert any("would still find a violation in at most 5% of cases" in note for note in sure.notes)


def test_a_deck_that_nobody_decided_on_says_so() -> None:
    study, found = audit("gradient_flow")[0], together("gradient_flow")
    draft = build(study, found)
    assert draft.source.startswith("Draft · ")
    assert draft.slides[-1].message == "", "which would stand above what to do like advice"
    assert draft.slides[-1].notes[0].startswith("Nobody has decided about the system yet")


def test_what_people_state_stands_on_the_slides() -> None:
    study, found = audit("gradient_flow")[0], together("gradient_flow")
    deck = build(study, found, STATED, signed=True)
    said = {slide.key: slide for slide in deck.slides}
    assert deck.source.startswith("Screening 3.2 · 23 November 2026 · ")
    assert (said["proposal"].caption, said["proposal"].message) == (
        "What was decided", "Use the system under conditions"
    )  # fmt: skip
    assert said["proposal"].points == (
        "The score is not used for applicants under 18.", "The vendor mends it by May."
    )  # fmt: skip
    assert any("works council" in note for note in said["question"].notes)


def test_a_decision_is_a_proposal_until_it_is_signed() -> None:
    (study, results), found = audit("gradient_flow"), together("gradient_flow")
    draft = build(study, found, STATED)
    assert draft.source.startswith("Draft · Screening 3.2")
    last = draft.slides[-1]
    assert last.caption == "Proposed decision"
    assert last.message == "Proposed, not signed yet: Use the system under conditions"
    signature = SignedBy("Ben", 1.0, verified=False, took_part=True, alone=False)
    moved = replace(signature, differs="Tolerance")
    said = [
        AUDITS.slides(study, results, STATED, signed).deck.slides[-1].caption for signed in (signature, moved, None)
    ]
    assert said == ["What was decided", "Proposed decision", "Proposed decision"]


def test_no_sentence_is_cut_where_whole_ones_fit() -> None:
    texts = ["a" * 200, "b" * 200, "c" * 200]
    assert fitting(texts) == tuple(texts[:2])
    assert fitting(["d" * 900]) == (f"{'d' * (ROOM - 1)}…",)
    assert width(short("日本" * 40, 31)) <= 31
    assert short("from what the kinds hide, not from the group", 40) == "from what the kinds hide, not from the…"
    assert beginning("One is whole. Two is too long for it.", 20) == "One is whole."
    assert beginning("A first sentence is never cut. Two.", 5) == "A first sentence is never cut."
    assert wrapped("with 95\u00a0% or more", 8) == ("with", "95\u00a0% or…"), "no line begins with a unit"
    assert short("a \u202eevil\u2067 b", 20) == "a evil b"


def test_of_many_groups_those_that_are_worst_for_certain_are_shown() -> None:
    spans = hostile().slides[1].picture
    shown = plot(spans)
    assert [row.value for row in shown.rows] == [194, 195, 196, 197, 198]
    assert shown.left_out == 195
    assert shown.low <= -5
    assert shown.high > 199


def test_no_row_beyond_the_tolerance_is_left_out_for_one_that_is_not() -> None:
    """Six violations of two quantities and a row within the tolerance: all six stand below their headings."""
    looks = {"symbol": VERDICT_MARKER[Verdict.VIOLATION]}
    rows = [
        Span(f"{name} of {under}", "said", 20.0 + place, 15.0 + place, 30.0, under=under, called=name, **looks)
        for under in ("one error", "its opposite")
        for place, name in enumerate("abc")
    ]
    shown = plot(Spans((*rows, Span("e", "said", 2.0, 0.0, 6.0, under="its opposite", called="e")), "axis", (10.0,)))
    assert [row.name for row in shown.rows] == ["one error", *"abc", "its opposite", *"abc"]
    assert (shown.left_out, shown.worse_left_out) == (1, 0)
    many = plot(Spans(tuple(replace(row, called="a" * 46) for row in rows), "axis", (10.0,)))
    assert [row.under for row in many.rows if not row.heads] == ["one error", "one error", "its opposite"]
    assert (many.left_out, many.worse_left_out) == (3, 3)


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0.0, 10.3, ["0", "5", "10"]),
        (1.0, 1.64, ["1.0", "1.2", "1.4", "1.6"]),
        (-0.001, 0.0002, ["-0.0010", "-0.0005", "0.0000"]),
        (3.0, 3.0, ["3", "4", "5"]),
    ],
)
def test_axes_have_round_numbers(low: float, high: float, texts: list[str]) -> None:
    shown = plot(Spans((Span("a", "", low), Span("b", "", high)), "axis"))
    assert [text for _, text in shown.ticks][: len(texts)] == texts
    assert shown.low <= low


@pytest.mark.parametrize("kind", KINDS)
def test_the_deck_at_another_tolerance_says_what_the_test_says_there(kind: str) -> None:
    study, results = audit(kind)
    finding = together(kind).findings[0]
    grid = tolerances(finding)
    (test,) = live(study, together(kind))
    assert finding.decision.delta in grid
    assert list(grid) == sorted(set(grid))
    assert [asked.own for asked in test.asked] == [delta == finding.decision.delta for delta in grid]
    for delta, asked in zip(grid[::6], test.asked[::6], strict=True):
        fresh = find(results[0], finding.decision.model_copy(update={"delta": delta}))
        said = next(slide for slide in asked.deck.slides if slide.key == "verdict")
        assert (said.verdict, said.message) == (fresh.verdict, f"{upper_first(fresh.verdict.words)}. {fresh.headline}")
    assert test.asked[-1].deck.slides[0].verdict is not Verdict.VIOLATION


def test_each_slide_says_at_which_tolerance_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One test moved: its slides and those of all tests name it, the other keeps its own, and none stays as it was."""
    study, found = audit("several")[0], together("several")
    first, other = found.headline_first
    cleared = Slide("cleared", "What is within the tolerance?", "All of it.", test=found.names[first])
    own = build(study, found, STATED)
    monkeypatch.setattr(
        live_module, "build", lambda *given, **more: _with(build(*given, **more), cleared, given[1] is found)
    )
    moved = live(study, found, STATED)[0]
    assert moved.name == found.names[first]
    asked = next(one for one in moved.asked if not one.own)
    slides = {slide.key: slide for slide in asked.deck.slides}
    assert list(slides) == [*[slide.key for slide in own.slides], "cleared"]
    of_test = f"{found.names[first]} at {asked.told}; in the audit {found.findings[first].tolerance}."
    assert {slides[key].asked for key in ("verdict", "question", f"sure-{first + 1}", "doubts", "cleared")} == {of_test}
    assert slides[f"sure-{other + 1}"].asked == f"At {found.findings[other].tolerance}, as in the audit."
    assert slides["cleared"].message == "Nothing is shown of this at the tolerance asked for."
    assert slides["proposal"].asked == "Said at the tolerance of the audit."
    assert not any("works council" in point for point in slides["question"].points), "a reason for another tolerance"
    assert not any(slide.asked for one in moved.asked if one.own for slide in one.deck.slides)


def _with(deck: Deck, slide: Slide, there: bool) -> Deck:
    return replace(deck, slides=(*deck.slides, slide)) if there else deck


def test_a_ratio_that_stays_beyond_what_is_asked_for_is_said_whatever_difference_is_tolerated() -> None:
    plan, result = results_made.groups(case="two classes")
    study = Study(plans=(plan,))
    (moved,) = live(study, Together.of(study, (result,)))
    claim = find(result, plan.decision.model_copy(update={"delta": 1.0})).headlined
    said = (
        f"Whatever difference is tolerated, a ratio is judged too, {claim.who} beside {claim.against}: "
        f"{claim.estimate:.2f}; at least 0.8 is asked for."
    )
    last = {slide.key: slide for slide in moved.asked[-1].deck.slides}
    assert said in last["verdict"].points
    assert said not in moved.asked[0].deck.slides[0].points
    assert last["who-1"].picture.tolerances == last["sure-1"].picture.tolerances == (0.8,)
    assert all(row.beyond is (row.high < 0.8) for row in last["who-1"].picture.rows)


def test_slides_at_another_tolerance_keep_which_end_of_a_number_is_good() -> None:
    plan, result = results_made.groups(case="numbers")
    study = Study(plans=(plan.model_copy(update={"roles": plan.roles.model_copy(update={"good_end": "low"})}),))
    found = Together.of(study, (result,))
    (test,) = live(study, found)
    assert "to their disadvantage" in found.headline
    said = [slide.message for one in test.asked for slide in one.deck.slides if slide.key == "verdict"]
    accusing = [message for message in said if message.startswith("Violation found")]
    assert len(accusing) > 1
    assert all("to their disadvantage" in message for message in accusing)


def test_a_ratio_asks_for_no_further_tolerances_of_differences() -> None:
    plan, result = results_made.groups(case="two classes")
    finding = Together.of(Study(plans=(plan,)), (result,)).findings[0]
    shown = max(one.low for one in finding.claims if one.scale == "difference" and one.judged)
    assert shown < tolerances(finding)[-1] < 4 * shown


def test_a_chart_without_a_tolerance_shows_the_rows_that_differ_most_below_their_conditions() -> None:
    values = (50.0, 52.0, 60.0, 70.0, 90.0)
    rows = tuple(
        Span(f"{under}, {name}", "said", value, value - 1, value + 1, under=under, called=name)
        for under in ("repaid", "not repaid")
        for name, value in zip("abcde", values, strict=True)
    )
    spans = Spans(rows, "Share, in %")
    shown = [row.name for row in plot(spans).rows]
    assert shown == ["repaid", "a", "b", "d", "e", "not repaid", "a", "b", "d", "e"]
    assert "8 of 10 rows: of each kind those that differ most." in reading(spans)
    tolerated = reading(replace(spans, tolerances=(60.0,)))
    assert "6 of 10 rows: those whose bounds lie furthest out." in tolerated


def test_rows_without_a_number_are_not_said_to_differ_less() -> None:
    known = tuple(Span(f"{one} of x", "5", 5.0, 4.0, 6.0, under="x", called=one) for one in "abcd")
    none = tuple(Span(f"{one} of {x}", "too few people", under=x, called=one) for x in "xy" for one in "ef")
    more = tuple(replace(one, name=f"{one.called} of y", under="y") for one in known)
    assert "8 of 12 rows; of the others too few people are known." in reading(Spans((*known, *more, *none), "Share"))


def test_lines_of_a_chart_go_through_in_one_stroke_and_headings_stand_over_them() -> None:
    rows = tuple(Span(f"{under}{i}", "said", 5.0, 1.0, 9.0, under=under, called=f"{i}") for under in "ab" for i in "12")
    spans = Spans(rows, "axis", (3.0,), "tolerance 3", 0.0)
    shown = plot(spans)
    drawn = draw(spans, "alt")
    top, bottom = 44.0, 44.0 + shown.row_height * len(shown.rows)
    lines = re.findall(r'y1="([\d.]+)" x2="[\d.]+" y2="([\d.]+)" class="(tick|level|tolerance)"', drawn)
    ends = {of: {(float(a), float(b)) for a, b, name in lines if name == of} for of in ("tick", "level", "tolerance")}
    assert [row.heads for row in shown.rows] == [True, False, False, True, False, False]
    assert ends == {"tick": {(top, bottom + 6)}, "level": {(top, bottom)}, "tolerance": {(top, bottom)}}
    assert drawn.rindex('class="tolerance"') < drawn.index('class="heading"')


def test_headings_of_two_lines_keep_their_distance_from_the_rows_above_and_below() -> None:
    long = "share with the prediction “approved” where the outcome was turned down: an error in favour of group {}"
    rows = tuple(
        Span(
            "",
            "said",
            5.0,
            1.0,
            9.0,
            under=long.format(under),
            called="people of a group with a rather long name, 3 of 4",
        )
        for under in "ab"
    )
    spans = Spans(rows, "axis", (3.0,), "tolerance 3", 0.0)
    drawn = draw(spans, "alt")
    lines = [float(y) for y in re.findall(r'<text x="0" y="([\d.]+)"', drawn)]
    assert [row.heads for row in plot(spans).rows] == [True, False, True, False]
    apart = [after - before for before, after in pairwise(lines)]
    assert apart == [28, 44, 28, 44, 28, 44, 28], "a gap of more than half a line between rows"
    covers = [float(y) for y in re.findall(r'<rect x="0" y="([\d.]+)"', drawn)]
    assert len(covers) == 2, "no line goes through a heading"


def test_a_message_says_whole_sentences_and_leaves_bounds_to_the_picture() -> None:
    known = {"against": "Applicants who are not Black", "what": "x", "tolerance": 0.1, "unit": POINTS}
    claim = Claim("Black applicants", estimate=0.111, low=0.0464, high=0.169, **known)
    open_ = "Whether any group is beyond the tolerance is open."
    finding: Any = SimpleNamespace(named="", unclaimed=False, headlined=claim, affected=open_)
    told = deck_module._affected(Verdict.INSUFFICIENT, finding, None)
    assert told == f"{open_} Surely different: Black applicants against Applicants who are not Black, 11.1 points."
    longer = told.replace("Black applicants", "Black applicants of the eastern part of the town")
    assert beginning(longer, deck_module.ABOVE_PICTURE) == open_


def test_order_captions_and_hiding_are_the_presenters() -> None:
    deck = build(audit("gradient_flow")[0], together("gradient_flow"))
    chosen = DeckSettings(
        slides=(
            SlideSettings(key="verdict", caption=" What we \n found "),
            SlideSettings(key="question", hidden=True),
            SlideSettings(key="gone"),
        )
    )
    shown = chosen.applied(deck)
    assert [slide.key for slide in shown.slides] == ["verdict", "sure-1", "who-1", "doubts", "proposal"]
    assert shown.slides[0].caption == "What we found"
    assert DeckSettings.of(deck).applied(deck) == deck
    spoken = replace(deck, slides=tuple(replace(one, caption=f"{one.caption} auf Deutsch") for one in deck.slides))
    assert DeckSettings.of(deck).applied(spoken) == spoken, "captions that nobody wrote follow the language"
    assert DeckSettings.model_validate_json(chosen.model_dump_json()) == chosen
    with pytest.raises(SettingsError, match="All slides are hidden"):
        DeckSettings(slides=tuple(SlideSettings(key=one.key, hidden=True) for one in deck.slides)).applied(deck)
