"""Selections and comparisons as slides."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from core.base.errors import Caveat
from core.base.files import FileStore
from core.figures.series import Spans, spread
from core.language.told import retold
from core.slides.deck import NO_PROOF, Deck
from core.slides.html import render
from core.slides.pages import deck_of
from core.slides.powerpoint import write
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.wording import what_is_fitted
from core.workflows.selection.record import SELECTION
from tests.core.workflows.mitigation.made import plan_of, result_of
from tests.core.workflows.selection.cases import candidate, people, plan_for
from tests.core.workflows.selection.test_selection_figures import make_path, make_result


def rows_of(deck: Deck) -> tuple[str, ...]:
    assert render(deck).count('<section class="slide"') == len(deck.slides)
    assert write(deck)
    picture = next(slide.picture for slide in deck.slides if slide.picture is not None)
    assert isinstance(picture, Spans)
    return tuple(row.name for row in picture.rows)


def test_a_comparison_shows_what_fairer_models_cost() -> None:
    ones = np.ones(100)
    made = [(0.0, 0.2 * ones, 0.001), *((strength, 0.3 * ones, 0.4) for strength in (0.1, 0.2, 0.3, 0.5, 0.7, 0.9))]
    deck = MITIGATION.slides(plan_of(), result_of(made)).deck
    assert deck.slides[1].message == "What would a fairer model cost?"
    assert deck.slides[0].message.startswith("Where no violation is shown any more")
    assert rows_of(deck) == tuple(f"λ = {strength:g}: no violation found" for strength in (0.1, 0.2, 0.3, 0.7, 0.9))


def test_what_the_baseline_is_stands_beside_the_answer_and_beside_the_chart() -> None:
    ones = np.ones(100)
    deck = MITIGATION.slides(plan_of(), result_of([(0.0, 0.2 * ones, 0.001), (0.1, 0.3 * ones, 0.4)])).deck
    slides = {slide.key: slide for slide in deck.slides}
    told = what_is_fitted(plan_of())
    assert told.endswith("it is not the model that was audited.")
    assert slides["verdict"].points[0] == slides["sure-1"].points[0] == told
    assert slides["verdict"].points.count(told) == 1
    assert slides["verdict"].points[-1].startswith("That is no proof of fairness")
    assert slides["sure-1"].picture is not None
    assert retold(NO_PROOF) in slides["sure-1"].picture.more


def test_what_the_answer_has_no_room_for_stands_first_among_what_could_be_wrong() -> None:
    page = MITIGATION.page_of(plan_of(), result_of([(0.0, 0.2 * np.ones(100), 0.001), (0.1, 0.3 * np.ones(100), 0.4)]))
    long = [f"Sentence {place} is {'long ' * 30}enough." for place in range(6)]
    caveats = tuple(Caveat("serious", f"Caveat {place}.") for place in range(9))
    deck = deck_of(replace(page, sentence=" ".join(long), caveats=caveats), others="Another ended worse.")
    verdict, doubts = (next(one for one in deck.slides if one.key == key) for key in ("verdict", "doubts"))
    assert verdict.points[:2] == (*page.qualifies, "Another ended worse.")
    shown = verdict.points[2:]
    assert doubts.points[0] == long[len(shown)]
    assert set(long) <= {*shown, *doubts.notes}
    assert "Caveat 8." in doubts.notes


def test_the_chart_is_of_the_method_that_the_answer_names() -> None:
    ones = np.ones(100)
    made = [(np.nan, 0.2 * ones, 0.001), (0.1, 0.3 * ones, 0.001), (0.1, 0.25 * ones, 0.4)]
    deck = MITIGATION.slides(plan_of(), result_of(made, methods=2)).deck
    assert rows_of(deck) == ("Reweighing (λ = 0.1): no violation found",)
    assert deck.slides[2].points[-1] == "1 more chart like this in the report."


def test_a_selection_shows_the_candidates_beside_the_tolerance(tmp_path: Path) -> None:
    ones = tuple(candidate(0.02 * place, accuracy=0.5 + 0.05 * place) for place in range(6))
    deck = SELECTION.slides(plan_for(people(60), FileStore(tmp_path)), make_result(make_path(), ones, None)).deck
    assert deck.slides[1].message == "Which of 6 models is the best that may be used?"
    assert len(rows_of(deck)) == 5
    assert deck.slides[-1].points[0] == "Use none of these models."


def test_the_one_to_be_kept_is_among_few_of_many() -> None:
    assert spread([0, 1, 2]) == [0, 1, 2]
    assert spread(list(range(21)), 3) == [0, 3, 10, 15, 20]
