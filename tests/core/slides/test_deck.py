"""A deck says what the audit found, in whole sentences that fit; a presenter changes order and captions, no more."""

import datetime

import pytest

from core.base.errors import SettingsError
from core.figures.svg import plot
from core.inference.estimate import Verdict
from core.language.fitted import short, width
from core.language.phrases import upper_first
from core.report.statement import Statement
from core.run import find
from core.slides.deck import ROOM, build, fitting
from core.slides.live import live, tolerances
from core.slides.settings import DeckSettings, SlideSettings
from tests.core.slides.made import KINDS, audit, hostile, together

STATED = Statement(
    system="Screening",
    version="3.2",
    purpose="It proposes whom to invite.",
    tolerance_reason="The works council agreed to it.",
    date=datetime.date(2026, 11, 23),
    decision="accept_with_conditions",
    conditions="The score is not used for applicants under 18. The vendor mends it by May.",
)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_test_makes_the_six_slides(kind: str) -> None:
    found = together(kind)
    deck = build(audit(kind)[0], found)
    slides = {slide.key: slide for slide in deck.slides}
    assert list(slides) == ["question", "verdict", "sure-1", "who-1", "doubts", "proposal"]
    assert slides["question"].message.endswith("?")
    assert (slides["verdict"].message, slides["verdict"].verdict) == (found.told, found.verdict)
    assert found.findings[0].tolerance in " ".join(slides["question"].points)
    assert found.sentence in slides["verdict"].notes
    assert " ".join(slides["verdict"].points) in found.sentence
    assert slides["sure-1"].picture is not None
    assert slides["who-1"].picture is not None
    assert all(slide.notes and sum(map(width, slide.points)) <= ROOM for slide in deck.slides)
    assert all(limit in slides["doubts"].notes for limit in found.findings[0].assumptions)


def test_several_tests_have_a_verdict_together_and_evidence_each() -> None:
    deck = build(audit("several")[0], together("several"))
    assert [slide.key for slide in deck.slides] == [
        "question", "verdict", "sure-1", "who-1", "sure-2", "who-2", "doubts", "proposal",
    ]  # fmt: skip
    assert deck.slides[1].points == ("Gradient-flow test: violation found", "Transport test: violation found")
    assert deck.slides[4].test == "Transport test"


def test_what_people_state_stands_on_the_slides() -> None:
    study, found = audit("gradient_flow")[0], together("gradient_flow")
    deck = build(study, found, STATED)
    said = {slide.key: slide for slide in deck.slides}
    assert deck.source.startswith("Screening 3.2 · 23 November 2026 · ")
    assert said["proposal"].message == "Use the system under conditions"
    assert said["proposal"].points == (
        "The score is not used for applicants under 18.", "The vendor mends it by May."
    )  # fmt: skip
    assert any("works council" in note for note in said["question"].notes)


def test_no_sentence_is_cut_where_whole_ones_fit() -> None:
    texts = ["a" * 200, "b" * 200, "c" * 200]
    assert fitting(texts) == tuple(texts[:2])
    assert fitting(["d" * 900]) == (f"{'d' * (ROOM - 1)}…",)
    assert width(short("日本" * 40, 31)) <= 31
    assert short("a \u202eevil\u2067 b", 20) == "a evil b"


def test_of_many_groups_those_that_are_worst_for_certain_are_shown() -> None:
    spans = hostile().slides[1].picture
    shown = plot(spans)
    assert [row.value for row in shown.rows] == [194, 195, 196, 197, 198]
    assert shown.left_out == 195
    assert shown.low <= -5
    assert shown.high > 199


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
    from core.figures.series import Span, Spans

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
    assert test.asked[-1].deck.slides[1].verdict is not Verdict.VIOLATION


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
    assert DeckSettings.model_validate_json(chosen.model_dump_json()) == chosen
    with pytest.raises(SettingsError, match="All slides are hidden"):
        DeckSettings(slides=tuple(SlideSettings(key=one.key, hidden=True) for one in deck.slides)).applied(deck)
