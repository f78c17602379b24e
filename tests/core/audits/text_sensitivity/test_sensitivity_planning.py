"""What a pilot promises: the texts a verdict rests on, and the smallest violation they show."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from core.audits.text_sensitivity import planning
from core.audits.text_sensitivity.decision import TextSensitivityDecision
from core.audits.text_sensitivity.planning import TextSensitivityPilot, for_table, pilot, status_generator
from core.audits.text_sensitivity.result import TextScores
from core.audits.text_sensitivity.settings import TextSensitivity
from core.contracts.audit import Given
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.protected_status.settings import NoStatus, StatusSource, TrainedStatus
from core.run import Streams
from tests.builders_sensitivity import make_sensitivity_result
from tests.builders_text import make_text_dataset, make_text_model

PILOT = TextSensitivityPilot(
    texts=100,
    audited=400,
    independent=1.0,
    seconds=1.0,
    applies=np.array([1.0, 0.0, 0.0, 0.5, 0.5, 0.25]),
    spread=np.array([1.0, np.nan, np.nan, 2.0, 2.0, 0.1]),
    difference=np.array([1.0, np.nan, np.nan, 3.0, 3.0, 0.2]),
)


def test_the_power_of_swaps_is_that_of_a_mean_over_the_texts_in_which_something_is_exchanged() -> None:
    decision = TextSensitivityDecision()
    assert PILOT.texts_for(decision) == 100
    reach = norm.ppf(0.95) + norm.ppf(0.8)
    assert PILOT.detectable(decision, 0.8) == pytest.approx(0.05 + reach * 0.1 / 10)
    assert PILOT.texts_needed(decision, 0.01, 0.8) == pytest.approx(np.ceil((reach * 0.1 / 0.01) ** 2) / 0.25)


def test_a_comparison_rests_on_the_differences_of_its_measure() -> None:
    decision = TextSensitivityDecision(judged="reference", measure="P4")
    assert PILOT.texts_for(decision) == 200
    assert PILOT.spread_of(decision) == 3.0


def test_texts_of_families_find_as_much_as_so_many_independent_ones() -> None:
    decision, alike = TextSensitivityDecision(), replace(PILOT, independent=0.25)
    apart = PILOT.detectable(decision, 0.8) - decision.delta
    assert alike.detectable(decision, 0.8) - decision.delta == pytest.approx(2 * apart)
    assert alike.texts_needed(decision, 0.01, 0.8) == pytest.approx(4 * PILOT.texts_needed(decision, 0.01, 0.8), abs=2)


@pytest.mark.parametrize(("settings", "expected"), [({}, 3 / 36), ({"alike": "independent"}, 1.0)])
def test_the_pilot_counts_families_of_all_texts(settings: dict[str, Any], expected: float) -> None:
    what = ("bought a new car in the city", "planted old trees along the lane", "read long books about the sea")
    names = [f"name{chr(97 + place)}" for place in range(12)]
    texts = [f"{name} {rest} yesterday" for rest in what for name in names]
    dataset = Dataset.build(pd.DataFrame({"text": texts}), Roles(text="text"))
    assert planning._independent(dataset, TextSensitivity(**settings)) == expected


def test_what_needs_a_model_of_the_group_is_counted_and_promises_nothing() -> None:
    decision = TextSensitivityDecision(judged="reference", measure="P2")
    assert PILOT.texts_for(decision) == 400
    assert np.isnan(PILOT.detectable(decision, 0.8))


def test_the_generator_of_a_seed_is_always_the_same_and_another_for_another_seed() -> None:
    first, again, other = (status_generator(Streams.of(seed).audit).integers(2**62) for seed in (3, 3, 4))
    assert first == again != other


class _Clock:
    """A test of texts that takes 10 seconds once, 4 whenever it starts, and a tenth of a second for each text."""

    def __init__(self) -> None:
        self.now, self.runs = 0.0, 0

    def perf_counter(self) -> float:
        return self.now

    def run(self, texts: int) -> None:
        self.now += (4.0 if self.runs else 14.0) + 0.1 * texts
        self.runs += 1


@pytest.mark.parametrize(
    ("status", "expected"),
    [(NoStatus(), 4 + 0.1 * 1000), (TrainedStatus(share=0.4), 4 + 0.2 * 600)],
)
def test_what_a_test_takes_to_start_counts_once_however_many_texts_there_are(
    monkeypatch: pytest.MonkeyPatch, status: StatusSource, expected: float
) -> None:
    clock = _Clock()
    scores = make_sensitivity_result(texts=100, draws=199).detail.audited

    def score(audit: Any, model: Any, data: Any, files: Any) -> tuple[TextScores, None]:
        clock.run(len(data))
        return scores, None

    monkeypatch.setattr(planning, "score", score)
    monkeypatch.setattr(planning.time, "perf_counter", clock.perf_counter)
    monkeypatch.setattr(planning, "_independent", lambda dataset, audit: 1.0)
    found = pilot(
        TextSensitivity(status=status),
        Given(_Model(), _Rows(1000), np.random.default_rng(1)),  # type: ignore[type-var]
        TextSensitivityDecision(),
    )
    assert found.seconds == pytest.approx(expected)
    assert found.texts == 14, "as many as a minute is enough for"


class _Rows:
    """A table of which only the number of rows matters."""

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return self.rows

    def take(self, rows: np.ndarray) -> "_Rows":
        return _Rows(len(rows))


class _Model:
    """A model that reads nothing."""

    def unanswered(self, rows: _Rows) -> _Rows:
        return rows


def test_without_a_group_to_learn_from_words_of_lists_are_all_there_is() -> None:
    dataset = make_text_dataset(40)
    model = make_text_model(dataset)
    alone = replace(dataset, roles=dataset.roles.model_copy(update={"protected": ()}))
    assert isinstance(for_table(TextSensitivity(), model, alone).status, NoStatus)
    grouped = replace(dataset, roles=dataset.roles.model_copy(update={"protected": ("gender",)}))
    assert isinstance(for_table(TextSensitivity(), model, grouped).status, TrainedStatus)
