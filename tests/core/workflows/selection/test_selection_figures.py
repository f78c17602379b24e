"""Figures of a selection by their specification: traces, marks and words, never pixels."""

import json
import re

import numpy as np
import pytest

from core.audits.transport.decision import TransportDecision
from core.data.encoder import CategoricalColumn, Encoder, NumericColumn
from core.result import DataSummary
from core.workflows.selection.figures import coefficients as selection_coefficients
from core.workflows.selection.figures import tradeoff as selection
from core.workflows.selection.figures.coefficients import MOST_NAMED, column_labels
from core.workflows.selection.path import FittedPath
from core.workflows.selection.result import Candidate, SelectionResult
from core.workflows.selection.settings import Rule
from tests.builders import HOSTILE
from tests.core.workflows.selection.cases import candidate
from tests.drawn import trace, words

DECISION = TransportDecision(delta=0.05)
STRENGTHS = np.geomspace(0.01, 1, 6)


def make_path(columns: int = 3, outputs: int = 1, name: str = "age") -> FittedPath:
    kinds = tuple(f"k{i}" for i in range(columns - 1))
    growth = np.log(STRENGTHS / STRENGTHS[0])
    size = np.linspace(1.0, -0.5, columns)
    coefficients = growth[:, None, None] * size * np.ones((1, outputs, 1))
    coefficients[:3, :, 1] = 0.0
    return FittedPath(
        encoder=Encoder(
            columns=(NumericColumn(name=name, mean=40.0, scale=12.5), CategoricalColumn(name="town", categories=kinds))
        ),
        classes=("no", "yes") if outputs == 1 else ("a", "b", "c"),
        strengths=STRENGTHS,
        coefficients=coefficients,
        intercepts=np.zeros((6, outputs)),
        violations=np.zeros(6),
        passes=np.ones(6, dtype=np.int64),
        constant=(),
        rows=500,
    )


def make_result(path: FittedPath | None, candidates: tuple[Candidate, ...], chosen: int | None) -> SelectionResult:
    return SelectionResult(
        data=DataSummary("d" * 64, 1000, 0, (), 250, "hired", "yes", ("sex",)),
        rows=(500, 250, 250),
        budget=0.0,
        candidates=candidates,
        path=path,
        chosen=chosen,
        audit=None,
        audited=None,
        caveats=(),
        seed=0,
        seconds=1.0,
        versions=(),
    )


@pytest.fixture
def fitted() -> SelectionResult:
    """Accuracy rises along the path; from the fourth model on the lower bound exceeds the tolerance."""
    ones = tuple(
        candidate(value, accuracy=accuracy)
        for value, accuracy in zip((0.0, 0.01, 0.04, 0.08, 0.1, 0.12), (0.5, 0.6, 0.65, 0.66, 0.67, 0.68), strict=True)
    )
    return make_result(make_path(), ones, 2)


def test_accuracy_and_unfairness_share_the_path_and_the_lower_bound_is_drawn(fitted: SelectionResult) -> None:
    figure = selection.draw_candidates(fitted, Rule(), DECISION).figure
    assert np.allclose(trace(figure, "accuracy").x, STRENGTHS)
    assert np.allclose(trace(figure, "accuracy").y, [one.accuracy for one in fitted.candidates])
    bounds = [max(0.0, 100 * one.unfairness.lower_bound(0.05)) for one in fitted.candidates]
    assert np.allclose(trace(figure, "lower bound").y, bounds)
    assert np.allclose(trace(figure, "unfairness").y, [0, 1, 4, 8, 10, 12])
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.yaxis2.title.text == "unfairness, percentage points"


def test_who_may_be_chosen_and_who_is_shows_in_shapes_and_words_not_in_colour_alone(fitted: SelectionResult) -> None:
    figure = selection.draw_candidates(fitted, Rule(), DECISION).figure
    for name in ("accuracy", "unfairness"):
        assert trace(figure, name).marker.symbol == ("circle", "circle", "star", "x", "x", "x")
    assert [row[1] for row in trace(figure, "accuracy").customdata].count("may be chosen") == 3
    assert "chosen: 0.04" in words(figure)
    assert "dashed: tolerance 5.00; dotted: lower bound" in words(figure)


def test_the_band_holds_exactly_those_that_may_be_chosen(fitted: SelectionResult) -> None:
    band = [
        shape
        for shape in selection.draw_candidates(fitted, Rule(), DECISION).figure.layout.shapes
        if shape.type == "rect"
    ]
    assert len(band) == 1
    inside = (band[0].x0 <= STRENGTHS) & (band[0].x1 >= STRENGTHS)
    assert inside.tolist() == [True] * 3 + [False] * 3


def test_the_tolerance_and_the_rule_move_the_marks(fitted: SelectionResult) -> None:
    lenient = selection.draw_candidates(fitted, Rule(), TransportDecision(delta=0.5)).figure
    assert trace(lenient, "accuracy").marker.symbol[-1] == "star"
    strict = selection.draw_candidates(fitted, Rule(admissible="shown to be fair"), DECISION).figure
    assert trace(strict, "accuracy").marker.symbol[:3] == ("circle", "star", "x")


def test_models_that_were_brought_stand_side_by_side_with_their_names() -> None:
    ones = (candidate(0.0), candidate(0.2), candidate(0.01, accuracy=0.9))
    figure = selection.draw_candidates(make_result(None, ones, 2), Rule(), DECISION).figure
    assert figure.layout.xaxis.ticktext == ("0", "0.2", "0.01")
    assert trace(figure, "accuracy").mode == "markers"
    assert len([shape for shape in figure.layout.shapes if shape.type == "rect"]) == 2


def test_a_candidate_without_a_value_is_left_out_of_the_unfairness_and_told() -> None:
    ones = (candidate(0.0), candidate(np.nan, np.nan, undefined="No loss."), candidate(0.1, unable="Not converged."))
    result = make_result(None, ones, 0)
    figure = selection.draw_candidates(result, Rule(), DECISION).figure
    assert len(trace(figure, "unfairness").y) == 1
    assert len(trace(figure, "accuracy").y) == 3
    none = make_result(None, ones[1:], None)
    json.loads(selection.draw_candidates(none, Rule(), DECISION).figure.to_json())
    assert selection.draw_candidates(none, Rule(), DECISION).alt == "2 candidates, none of which could be measured."


def test_the_figure_of_candidates_is_told_in_words(fitted: SelectionResult) -> None:
    told = selection.draw_candidates(fitted, Rule(), DECISION).alt
    assert told.startswith("6 candidates: accuracy from 50% to 68%, unfairness from 0.00 percentage points to 12.0")
    assert "3 may be chosen; chosen: 0.04 with accuracy 65%" in told
    nobody = selection.draw_candidates(fitted, Rule(admissible="shown to be fair"), TransportDecision(delta=0.0)).alt
    assert nobody.endswith("0 may be chosen.")


def test_each_column_that_is_ever_used_has_a_line_of_its_own_look(fitted: SelectionResult) -> None:
    figure = selection_coefficients.draw_coefficients(fitted, 2).figure
    assert [found.name for found in figure.data] == ["age (each 12.5)", "town = k0", "town = k1"]
    looks = {(found.line.dash, found.marker.symbol) for found in figure.data}
    assert len(looks) == 3
    assert "chosen: 0.04" in words(figure)
    assert fitted.path is not None
    assert np.allclose(figure.data[0].customdata, fitted.path.coefficients[:, 0, 0] / 12.5)


def test_only_the_largest_coefficients_are_named_beside_the_plot() -> None:
    path = make_path(columns=30)
    path.coefficients[:, :, 5] = 0.0
    result = make_result(path, tuple(candidate(0.0) for _ in range(6)), 0)
    figure = selection_coefficients.draw_coefficients(result, None).figure
    assert sum(found.showlegend for found in figure.data) == MOST_NAMED
    assert len(figure.data) == 29, "a column that is never used has no line"


def test_each_outcome_of_several_has_its_own_coefficients() -> None:
    result = make_result(make_path(outputs=3), tuple(candidate(0.0) for _ in range(6)), 0)
    assert "log-odds of b" in selection_coefficients.draw_coefficients(result, 0, 1).figure.layout.yaxis.title.text


def test_the_coefficients_are_told_in_the_order_in_which_they_are_first_used(fitted: SelectionResult) -> None:
    told = selection_coefficients.draw_coefficients(fitted, 2).alt
    assert told.startswith("Columns in the order in which they are first used: age (each 12.5) at 1/λ = 0.025")
    assert told.index("town = k1") < told.index("town = k0")
    assert "The chosen model uses age (each 12.5)" in told


def test_a_path_that_uses_nothing_says_so() -> None:
    path = make_path()
    path.coefficients[:] = 0.0
    result = make_result(path, tuple(candidate(0.0) for _ in range(6)), 0)
    assert "every coefficient is zero" in words(selection_coefficients.draw_coefficients(result, 0).figure)
    assert "every coefficient is zero" in selection_coefficients.draw_coefficients(result, 0).alt


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_shown_letter_by_letter(name: str) -> None:
    ones = tuple(Candidate(name, "f" * 64, candidate(0.0).confusion, candidate(0.0).unfairness) for _ in range(6))
    result = make_result(make_path(name=name), ones, 0)
    for figure in (
        selection.draw_candidates(result, Rule(), DECISION).figure,
        selection_coefficients.draw_coefficients(result, 0).figure,
    ):
        text = figure.to_json().replace("\\u003c", "<").lower()
        assert not re.search(r"<(script|b onclick|img|a )|\$1\$|\$x_1\$", text)


def test_a_column_is_labelled_with_the_step_its_coefficient_stands_for() -> None:
    assert column_labels(make_path())[:2] == ("age (each 12.5)", "town = k0")
