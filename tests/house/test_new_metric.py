"""A fair metric is a cost with its gradient, one file and its place in one table: proved with a weighted max-norm."""

import importlib.util
from types import ModuleType

import numpy as np
import pytest

from core.audits.gradient_flow import engine
from core.audits.gradient_flow.settings import GradientFlow
from core.audits.gradient_flow.stability import taken_under
from core.base.errors import SettingsError
from core.base.files import FileStore
from core.contracts.audit import Given
from core.contracts.metric import FittedMetric
from core.data.dataset import Dataset
from core.inference.transport.costs import DistanceCost, QuadraticCost
from core.metrics.expert import Expert
from core.metrics.portrait import similar_pairs
from core.workflows.examples import open_example
from tests.house.conftest import HERE, Run

FILE = HERE / "metric" / "core" / "metrics" / "weighted_max_norm.py"

PROGRAM = """
import tempfile
from pathlib import Path

from core.audits.gradient_flow.settings import GradientFlow
from core.audits.transport.settings import ByMetric, Transport
from core.base.files import FileStore
from core.metrics import METRICS
from core.metrics.weighted_max_norm import MaxNorm, WeightedMaxNorm
from core.plan import AuditPlan
from core.records.audits import AUDITS
from core.records.codec import load_result, save_result
from core.report.html import render
from core.study import Study
from core.workflows.examples import open_example

store = FileStore(Path(tempfile.mkdtemp()))
metric = WeightedMaxNorm(weights=(("free time", 0.0),))
search = {"steps": 20, "step_size": 0.002, "rotations": (), "first_rows": 200}
first = open_example("hiring-baseline", store).plans[0]
few = first.data.model_copy(update={"rows": 300})
shared = {"data": few, "roles": first.roles, "model": first.model, "seed": 1}
study = Study(
    plans=(
        AuditPlan(**shared, audit=GradientFlow(metric=metric, **search)),
        AuditPlan(**shared, audit=Transport(columns=(), similarity=ByMetric(metric=metric), draws=200)),
    )
)
results = AUDITS.run(study, store)
for place, result in enumerate(results):
    save_result(result, store.root / str(place))
    kept = load_result(store.root / str(place))
    assert type(kept.metric) is MaxNorm
    assert (kept.metric.matrix == result.metric.matrix).all()
assert "Largest difference" in render(study, results)
assert AUDITS.read(AUDITS.to_json(study, results)).plan == study

import streamlit
from streamlit.testing.v1 import AppTest


def show(roles):
    import streamlit as st

    from dashboard.draft import Draft, RolesChoice
    from dashboard.views.similar import metric

    draft = Draft(roles=RolesChoice(**dict(roles)))
    st.session_state["chosen"] = metric.choose(draft, None, "metric")


app = AppTest.from_function(show, kwargs={"roles": first.roles}, default_timeout=60).run()
assert not app.exception, app.exception
app.radio(key="metric.kind").set_value("weighted_max_norm").run()
assert not app.exception, app.exception
assert "The largest difference counts" in app.radio(key="metric.kind").options
assert app.session_state["chosen"] == WeightedMaxNorm()
assert [one.label for one in app.expander] == ["Weights"]
"""


def test_one_file_and_its_place_in_the_table_are_enough(house: Run) -> None:
    house(PROGRAM)


@pytest.fixture(scope="module")
def added() -> ModuleType:
    """The file of the metric."""
    spec = importlib.util.spec_from_file_location("weighted_max_norm", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Given:
    """A perceptron and 150 people."""
    files = FileStore(tmp_path_factory.mktemp("files"))
    plan = open_example("hiring-baseline", files).plans[0]
    dataset = Dataset.build(plan.data.load(files), plan.roles)
    model = plan.model.load(files, dataset)
    return Given(model, model.encode(dataset).take(np.arange(150)), np.random.default_rng(0))


def searched(given: Given, metric: FittedMetric, **settings: object) -> np.ndarray:
    audit = GradientFlow.model_validate(
        {"metric": Expert(), "steps": 60, "step_size": 0.002, "integrator": "euler", "precision": "float64"} | settings
    )
    here = Given(given.model, given.data, np.random.default_rng(0), metric)
    ratios: np.ndarray = engine.run(audit, here)[0].ratios
    return ratios


def test_its_gradient_is_the_cost_s(added: ModuleType, given: Given) -> None:
    metric, rng = added.WeightedMaxNorm(weights=(("education", 3.0),)).fit(given.data, None), np.random.default_rng(1)
    x, other = rng.normal(size=(2, 40, given.data.encoder.width))
    slope, step = metric.gradient(x, other), 1e-6
    for column in range(x.shape[1]):
        moved = x.copy()
        moved[:, column] += step
        risen = (metric.squared_distance(moved, other) - metric.squared_distance(x, other)) / step
        assert np.allclose(risen, slope[:, column], atol=1e-4)


def test_where_one_column_counts_it_is_the_quadratic_form_of_that_column(added: ModuleType, given: Given) -> None:
    """The search takes the general way, and finds what the fast way finds."""
    names = given.data.encoder.features
    weights = tuple((name, 2.0 if name == "test score" else 0.0) for name in names)
    norm = added.WeightedMaxNorm(weights=weights).fit(given.data, None)
    form = FittedMetric("form", norm.columns, norm.matrix, norm.free, norm.spectrum)
    found = searched(given, norm)
    assert np.allclose(found, searched(given, form), rtol=1e-9)
    assert found.mean() > 1.01


def test_people_are_never_further_apart_than_by_the_form_that_bounds_it(added: ModuleType, given: Given) -> None:
    """What differs little in many columns is nearer, so that the search finds more."""
    norm = added.WeightedMaxNorm().fit(given.data, None)
    form = FittedMetric("form", norm.columns, norm.matrix, norm.free, norm.spectrum)
    x = given.data.x
    assert (norm.squared_distance(x, x[::-1]) <= form.squared_distance(x, x[::-1])).all()
    assert searched(given, norm).mean() > searched(given, form).mean()


def test_costs_between_kinds_of_people_are_its_own(added: ModuleType, given: Given) -> None:
    norm = added.WeightedMaxNorm().fit(given.data, None)
    x, codes = given.data.x[:30], np.zeros(30, dtype=np.int64)
    found = DistanceCost(x, codes, norm.between).rows(0, 30)
    assert np.allclose(found, ((x[:, None] - x) ** 2).max(axis=2))
    form = FittedMetric("form", norm.columns, norm.matrix, norm.free, norm.spectrum)
    assert np.allclose(DistanceCost(x, codes, form.between).rows(0, 30), QuadraticCost(x, codes).rows(0, 30))


def test_similar_pairs_are_found_by_it(added: ModuleType, given: Given) -> None:
    norm = added.WeightedMaxNorm().fit(given.data, None)
    found = similar_pairs(norm, given.data, np.random.default_rng(0))
    assert len(found.rows)
    assert (found.distance <= found.plain).all()


def test_where_no_exponential_step_can_be_taken_plain_ones_are_and_it_is_said(added: ModuleType, given: Given) -> None:
    metric = added.WeightedMaxNorm(weights=(("free time", 0.0),)).fit(given.data, None)
    here = Given(given.model, given.data, np.random.default_rng(0), metric)
    begun = GradientFlow(metric=Expert(), steps=60, step_size=0.002, precision="float64")
    assert begun.integrator == "etd2rk"
    detail, caveats = engine.run(begun, here)
    assert (detail.ratios == searched(given, metric)).all()
    told = [one for one in caveats if "no quadratic form" in one.what]
    assert [one.level for one in told] == ["info"]
    assert taken_under(begun, metric).integrator == "euler"
    assert not any("quadratic" in one.what for one in engine.run(taken_under(begun, metric), here)[1])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"rotations": (5.0,)}, "to turn the metric"),
        ({"regularisation": 1e5}, "of at most"),
    ],
)
def test_what_needs_a_quadratic_form_is_refused(
    added: ModuleType, given: Given, settings: dict[str, object], said: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        searched(given, added.WeightedMaxNorm().fit(given.data, None), **settings)
    assert said in f"{refused.value.what} {refused.value.advice}"
    assert "ETD" not in refused.value.advice
