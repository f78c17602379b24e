"""Selections and comparisons as slides."""

from pathlib import Path

import numpy as np

from core.base.files import FileStore
from core.figures.series import Spans, spread
from core.slides.deck import Deck
from core.slides.html import render
from core.slides.powerpoint import write
from core.workflows.mitigation.record import MITIGATION
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


def test_a_selection_shows_the_candidates_beside_the_tolerance(tmp_path: Path) -> None:
    ones = tuple(candidate(0.02 * place, accuracy=0.5 + 0.05 * place) for place in range(6))
    deck = SELECTION.slides(plan_for(people(60), FileStore(tmp_path)), make_result(make_path(), ones, None)).deck
    assert deck.slides[1].message == "Which of 6 models is the best that may be used?"
    assert len(rows_of(deck)) == 5
    assert deck.slides[-1].points[0] == "Use none of these models."


def test_the_one_to_be_kept_is_among_few_of_many() -> None:
    assert spread([0, 1, 2]) == [0, 1, 2]
    assert spread(list(range(21)), 3) == [0, 3, 10, 15, 20]
