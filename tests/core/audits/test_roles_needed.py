"""Which roles a test asks for: a loss needs no favourable value, a comparison of decisions does."""

import pytest

from core.audits.gradient_flow.settings import GradientFlow
from core.audits.transport.settings import Transport
from core.contracts.audit import missing_roles
from core.data.dataset import Dataset
from core.data.roles import Roles
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.report.html import render
from core.run import run_audit
from core.study import Study
from tests.builders import make_plan
from tests.builders_text import make_text_dataset, make_text_model, make_texts

AUDIT = GradientFlow(metric=SensitiveSubspace(), steps=20, metric_resamples=0)


def texts(**roles: object) -> Dataset:
    """Tiny biographies; the outcome is one of several occupations, none of which is good for a person."""
    return Dataset.build(make_texts(600), Roles(text="text", **roles))  # type: ignore[arg-type]


def test_the_gradient_flow_test_of_occupations_needs_no_favourable_one() -> None:
    dataset = texts(outcome="job", protected=("gender",))
    model = make_text_model(dataset)
    assert len(model.classes) > 2
    assert AUDIT.is_compatible(model, dataset) == ""
    result = run_audit(model, dataset, AUDIT, seed=1)
    assert result.data.favourable == ""
    plan = make_plan(roles=dataset.roles, audit=AUDIT)
    page = render(Study(plans=(plan,)), (result,))
    assert "Loss ratio" in page


def test_the_transport_test_asks_for_one() -> None:
    dataset = texts(outcome="job", protected=("gender",))
    assert "the favourable value of the outcome" in Transport().is_compatible(make_text_model(dataset), dataset)


@pytest.mark.parametrize(
    ("roles", "asked"),
    [({}, ["an outcome", "a protected attribute"]), ({"outcome": "job"}, ["a protected attribute"])],
)
def test_what_is_missing_is_named_and_nothing_else(roles: dict[str, object], asked: list[str]) -> None:
    dataset = texts(**roles)
    said = AUDIT.is_compatible(make_text_model(dataset), dataset)
    assert said.startswith(f"This test needs {' and '.join(asked)}, which nobody")


def test_with_all_roles_nothing_is_missing() -> None:
    dataset = make_text_dataset(200)
    assert missing_roles(dataset) == missing_roles(dataset, favourable=False) == ""
