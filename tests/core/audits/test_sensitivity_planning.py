"""What a pilot promises: the texts a verdict rests on, and the smallest violation they show."""

import numpy as np
import pytest
from scipy.stats import norm

from core.audits.sensitivity.planning import SensitivityPilot, status_generator
from core.audits.sensitivity.reading import SensitivityReading

PILOT = SensitivityPilot(
    texts=100,
    audited=400,
    seconds=1.0,
    applies=np.array([1.0, 0.0, 0.0, 0.5, 0.5, 0.25]),
    spread=np.array([1.0, np.nan, np.nan, 2.0, 2.0, 0.1]),
    difference=np.array([1.0, np.nan, np.nan, 3.0, 3.0, 0.2]),
)


def test_the_power_of_swaps_is_that_of_a_mean_over_the_texts_in_which_something_is_exchanged() -> None:
    reading = SensitivityReading()
    assert PILOT.texts_for(reading) == 100
    reach = norm.ppf(0.95) + norm.ppf(0.8)
    assert PILOT.detectable(reading, 0.8) == pytest.approx(0.05 + reach * 0.1 / 10)
    assert PILOT.texts_needed(reading, 0.01, 0.8) == pytest.approx(np.ceil((reach * 0.1 / 0.01) ** 2) / 0.25)


def test_a_comparison_rests_on_the_differences_of_its_measure() -> None:
    reading = SensitivityReading(judged="reference", measure="P4")
    assert PILOT.texts_for(reading) == 200
    assert PILOT.spread_of(reading) == 3.0


def test_what_needs_a_model_of_the_group_is_counted_and_promises_nothing() -> None:
    reading = SensitivityReading(judged="reference", measure="P2")
    assert PILOT.texts_for(reading) == 400
    assert np.isnan(PILOT.detectable(reading, 0.8))


def test_the_generator_of_a_seed_is_always_the_same_and_another_for_another_seed() -> None:
    assert status_generator(3).integers(2**62) == status_generator(3).integers(2**62)
    assert status_generator(3).integers(2**62) != status_generator(4).integers(2**62)
