"""Before a sensitivity test of columns: the features that may carry a group, and what the test can find."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.planning import PILOT_PEOPLE, carriers, look_at_carriers, pilot
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.contracts.audit import Given
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder
from core.models.module import ModuleModel
from tests.core.audits.column_sensitivity.test_column_sensitivity import logistic, people, scores

CHANGE, SLOPE = ColumnSensitivityDecision(), ColumnSensitivityDecision(measure="slope")


def test_carriers_hold_numbers_are_read_and_are_not_protected() -> None:
    import torch

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.uniform(20, 60, 80),
            "job": rng.choice(["a", "b", "c"], 80),
            "unread": rng.random(80),
            "female": rng.integers(2, size=80),
            "y": rng.choice(["0", "1"], 80),
        }
    )
    features = ("age", "job", "female")
    roles = Roles(outcome="y", favourable="1", protected=("female",), features=(*features, "unread"))
    dataset = Dataset.build(frame, roles)
    encoder = Encoder.fit(frame, features)
    model = ModuleModel(torch.nn.Linear(encoder.width, 2), encoder, ("0", "1"), "m")
    assert carriers(model, dataset) == ("age",)
    assert look_at_carriers(model, dataset).categories == ("job",), "it has no mean, and is named for that"
    assert "is a protected attribute itself" in ColumnSensitivity(through=("female",)).is_compatible(model, dataset)


def test_the_means_shown_are_those_of_the_groups() -> None:
    dataset = people(500)
    seen = look_at_carriers(logistic((1.0, 1.0, 1.0), 0.0), dataset)
    assert seen.features == ("education", "hair")
    (one,) = seen.attributes
    expected = dataset.frame.groupby("female")[["education", "hair"]].mean()
    np.testing.assert_allclose(one.means, expected.to_numpy(), rtol=1e-12)
    np.testing.assert_allclose(seen.spreads, dataset.frame[["education", "hair"]].std(ddof=0), rtol=1e-12)
    assert (one.read, one.groups, one.rows.sum()) == (True, ("0", "1"), 500)


@pytest.mark.parametrize("through", [(), ("hair",)])
def test_the_spread_is_that_of_the_whole_test(through: tuple[str, ...]) -> None:
    """Below 2,000 people the pilot measures whom the test measures, with the same changes."""
    dataset, model = people(1_000), logistic((0.2, 0.05, 1.0), -2.0)
    tried = pilot(
        ColumnSensitivity(through=through), Given(model, model.encode(dataset), np.random.default_rng(1)), CHANGE
    )
    detail, _ = scores(model, dataset, through=through)
    assert tried.people == tried.audited == len(detail.attributes[0].change) == (700 if through else 1_000)
    assert tried.change[0] == pytest.approx(detail.attributes[0].change.std(ddof=1), rel=1e-9)
    assert tried.slope[0] == pytest.approx(detail.attributes[0].slope.std(ddof=1), rel=1e-9)


def test_of_many_people_some_are_tried() -> None:
    dataset, model = people(6_000), logistic((0.2, 0.05, 1.0), -2.0)
    tried = pilot(ColumnSensitivity(), Given(model, model.encode(dataset), np.random.default_rng(1)), CHANGE)
    assert (tried.people, tried.audited) == (PILOT_PEOPLE, 6_000)
    whole = scores(model, dataset)[0].attributes[0].change.std(ddof=1)
    assert tried.change[0] == pytest.approx(whole, rel=0.1)
    assert tried.seconds > 0


def test_what_can_be_found_follows_the_normal_approximation() -> None:
    dataset, model = people(600), logistic((0.2, 0.05, 1.0), -2.0)
    tried = pilot(ColumnSensitivity(), Given(model, model.encode(dataset), np.random.default_rng(1)), CHANGE)
    factor = norm.ppf(0.95) + norm.ppf(0.8)
    assert tried.detectable(CHANGE, 0.8) == pytest.approx(0.05 + factor * tried.change[0] / 600**0.5)
    needed = tried.rows_needed(CHANGE, 0.005, 0.8)
    assert needed == np.ceil((factor * tried.change[0] / 0.005) ** 2)
    assert replace(tried, audited=needed).detectable(CHANGE, 0.8) <= 0.055
    assert tried.rows_needed(CHANGE, 0.9, 0.8) == 30
    assert np.isnan(replace(tried, slope=np.array([np.nan])).detectable(SLOPE, 0.8))


def test_people_three_times_say_as_much_as_once() -> None:
    dataset, model = people(600), logistic((0.2, 0.05, 1.0), -2.0)
    frame = pd.concat([dataset.frame.assign(person=np.arange(600))] * 3, ignore_index=True)
    thrice = Dataset.build(frame, dataset.roles.model_copy(update={"belongs_to": "person"}))
    one, other = (
        pilot(ColumnSensitivity(), Given(model, model.encode(table), np.random.default_rng(1)), CHANGE)
        for table in (dataset, thrice)
    )
    assert other.rows_needed(CHANGE, 0.005, 0.8) == pytest.approx(3 * one.rows_needed(CHANGE, 0.005, 0.8), abs=3)
    assert other.detectable(CHANGE, 0.8) == pytest.approx(one.detectable(CHANGE, 0.8))
