"""The sensitivity of models that read tables: App. A, its laws, and what it refuses."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.engine import GroupChange, directional, run
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.errors import AuditError, SettingsError
from core.contracts.audit import Given
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder, NumericColumn
from core.inference.estimate import Verdict
from core.inference.excess import LEVEL
from core.inference.mean import mean_of
from core.models.module import ModuleModel
from core.workflows.papers.sensitivity import HIRING, applicants
from tests.findings import found, verdict_of


def people(n: int = 10_000, seed: int = 0) -> Dataset:
    return applicants(n, seed)


def logistic(weights: tuple[float, float, float], intercept: float) -> ModuleModel:
    """f = σ(w·x + b) on the plain columns."""
    layer = torch.nn.Linear(3, 1).double()
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([weights], dtype=torch.float64))
        layer.bias.fill_(intercept)
    encoder = Encoder(columns=tuple(NumericColumn(name=name) for name in HIRING))
    return ModuleModel(layer, encoder, ("no", "yes"), "logistic")


def scores(model: ModuleModel, dataset: Dataset, **settings: object):
    audit = ColumnSensitivity.model_validate(settings)
    assert audit.is_compatible(model, dataset) == ""
    detail, caveats = run(audit, Given(model, model.encode(dataset), np.random.default_rng(1)))
    return detail, caveats


def test_appendix_a_case_1_hair_carries_gender() -> None:
    """σ((x1 - 5) + (x2 - 6)): P is 0 without the chain rule; with it ∂x2/∂x3 is 8 and ∂x1/∂x3 is 0.

    The paper prints 7.98 for ∂x1/∂x3 and 0.01 for ∂x2/∂x3: the two are swapped (shared/statistics.md, section 3).
    """
    dataset, model = people(), logistic((1.0, 1.0, 0.0), -11.0)
    direct, _ = scores(model, dataset)
    np.testing.assert_array_equal(direct.attributes[0].slope, 0.0)
    chained, _ = scores(model, dataset, through=("education", "hair"), share=0.5)
    found = chained.attributes[0]
    moves = dict(zip(found.columns, found.shift[1], strict=True))
    assert moves["hair"] == pytest.approx(8.0, abs=0.25)
    assert moves["education"] == pytest.approx(0.0, abs=0.25)
    data = model.encode(dataset)
    learning = GroupChange.learned("female", ("education", "hair"), data, data)
    x = data.x
    f = 1 / (1 + np.exp(11.0 - x[:, 0] - x[:, 1]))
    expected = f * (1 - f) * abs((learning.means[1] - learning.means[0]).sum())
    step = np.zeros_like(x)
    step[:, :2] = learning.means[1] - learning.means[0]
    np.testing.assert_allclose(directional(model.module(), x, step), expected, rtol=1e-8)
    assert found.slope.mean() > 0.3
    assert found.slope.max() == pytest.approx(2.0, abs=0.1)


def test_appendix_a_case_2_a_model_of_education_only() -> None:
    """σ(x1 - 5) with hair and gender protected: P is 0, and with the chain rule 0 but for noise (eq. 12-14)."""
    detail, _ = scores(logistic((1.0, 0.0, 0.0), -5.0), people(), through=("hair",))
    np.testing.assert_array_equal(detail.attributes[0].slope, 0.0)
    np.testing.assert_array_equal(detail.attributes[0].change, 0.0)
    assert not detail.attributes[0].flipped.any()


def test_two_groups_mean_difference_is_the_mean_of_all_difference_quotients() -> None:
    """Eq. 8 averaged over m, by brute force over all pairs."""
    dataset = people(400)
    data = logistic((1.0, 1.0, 0.0), 0.0).encode(dataset)
    x, a = data.x[:, 1], data.x[:, 2]
    quotients = [np.mean((x[m] - x[a != a[m]]) / (a[m] - a[a != a[m]])) for m in range(len(x))]
    means = GroupChange.learned("female", ("hair",), data, data).means[:, 0]
    assert np.mean(quotients) == pytest.approx(means[1] - means[0], rel=1e-12)


def test_theorem_1_a_model_that_does_not_depend_on_the_attribute_has_none() -> None:
    detail, _ = scores(logistic((1.0, 0.3, 0.0), -5.0), people(500))
    assert not detail.attributes[0].slope.any()
    assert not detail.attributes[0].change.any()


def test_direct_use_is_the_exact_change_and_its_derivative() -> None:
    """Closed form: |σ(z + w) - σ(z)| and f (1 - f) |w| for the indicator's weight w."""
    dataset, weight = people(300), 1.7
    model = logistic((0.5, 0.1, weight), -3.0)
    found = scores(model, dataset)[0].attributes[0]
    x = model.encode(dataset).x
    at = lambda female: 1 / (1 + np.exp(3.0 - 0.5 * x[:, 0] - 0.1 * x[:, 1] - weight * female))  # noqa: E731
    np.testing.assert_allclose(found.change, at(1.0) - at(0.0), rtol=1e-9)
    f = at(x[:, 2])
    np.testing.assert_allclose(found.slope, f * (1 - f) * weight, rtol=1e-9)
    np.testing.assert_array_equal(found.flipped, (at(1.0) > 0.5) != (at(0.0) > 0.5))
    assert found.read


def test_directional_derivative_agrees_with_differences_and_is_linear_in_the_step() -> None:
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3)).double()
    rng = np.random.default_rng(3)
    x, step = rng.standard_normal((20, 4)), rng.standard_normal((20, 4))
    f = lambda rows: module(torch.from_numpy(rows)).softmax(dim=1).detach().numpy()  # noqa: E731
    differences = np.abs(f(x + 1e-6 * step) - f(x - 1e-6 * step)).sum(axis=1) / 4e-6
    np.testing.assert_allclose(directional(module, x, step), differences, rtol=1e-6)
    np.testing.assert_allclose(directional(module, x, -3 * step), 3 * directional(module, x, step), rtol=1e-12)


def test_three_groups_average_over_the_other_two() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": rng.uniform(20, 60, 200),
            "race": np.array(["a", "b", "c"])[rng.integers(3, size=200)],
            "y": np.where(rng.random(200) < 0.5, "1", "0"),
        }
    )
    dataset = Dataset.build(frame, Roles(outcome="y", favourable="1", protected=("race",), features=("age", "race")))
    encoder = Encoder.fit(dataset.frame, ("age", "race"))
    torch.manual_seed(1)
    module = torch.nn.Linear(encoder.width, 2)
    model = ModuleModel(module, encoder, ("0", "1"), "m")
    found = scores(model, dataset)[0].attributes[0]
    moved = [model.encode(replace(dataset, frame=dataset.frame.assign(race=group))) for group in "abc"]
    own, x = model.predict_proba(model.encode(dataset)), model.encode(dataset).x
    expected = sum(np.abs(model.predict_proba(one) - own).sum(axis=1) / 2 for one in moved) / 2
    np.testing.assert_allclose(found.change, expected, atol=1e-12)
    np.testing.assert_allclose(found.slope, sum(directional(module, x, one.x - x) for one in moved) / 2, atol=1e-12)


def test_the_same_seed_gives_the_same_bytes_and_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset, model = people(300), logistic((0.5, 0.1, 1.0), -3.0)
    first = scores(model, dataset, through=("hair",))[0]
    monkeypatch.setattr("core.audits.column_sensitivity.engine.ROWS_AT_ONCE", 7)
    second = scores(model, dataset, through=("hair",))[0]
    np.testing.assert_allclose(first.attributes[0].change, second.attributes[0].change, rtol=1e-12)
    assert first.seed == second.seed


def test_what_cannot_be_measured_is_told() -> None:
    dataset = people(60)
    blind = logistic((1.0, 1.0, 0.0), 0.0)
    unread = replace(dataset, roles=dataset.roles.model_copy(update={"protected": ("hired",)}))
    assert "changing nothing" in ColumnSensitivity().is_compatible(blind, unread)
    assert "does not read 'shoe'" in ColumnSensitivity(through=("shoe",)).is_compatible(blind, dataset)
    data = blind.encode(dataset)
    with pytest.raises(AuditError, match="rows to measure"):
        run(ColumnSensitivity(through=("hair",), share=0.6), Given(blind, data, np.random.default_rng(1)))
    words = replace(data, dataset=replace(dataset, frame=dataset.frame.assign(hair="long")))
    with pytest.raises(SettingsError, match="holds categories"):
        run(ColumnSensitivity(through=("hair",)), Given(blind, words, np.random.default_rng(0)))


def alike(n: int) -> Dataset:
    """The same people, with hair of the same length for men and women."""
    dataset = people(n)
    hair = np.random.default_rng(7).permutation(dataset.frame["hair"])
    return replace(dataset, frame=dataset.frame.assign(hair=hair))


def judged(weight: float, n: int = 2_000, **decision: object):
    dataset = alike(n)
    detail, _ = scores(logistic((0.2, 0.05, weight), -2.0), dataset)
    read = ColumnSensitivityDecision.model_validate(decision)
    return detail, read


def test_a_model_that_uses_gender_is_a_violation_and_one_that_hardly_does_is_none() -> None:
    detail, decision = judged(1.0)
    assert found(detail, decision).verdict is Verdict.VIOLATION
    assert found(detail, decision).p_value == pytest.approx(1 / (detail.draws + 1))
    detail, decision = judged(0.05)
    assert found(detail, decision).verdict is Verdict.NO_VIOLATION
    assert found(detail, decision).p_value > 0.99


def test_no_violation_is_never_said_of_slopes_of_few_people_or_where_decisions_change() -> None:
    detail, decision = judged(0.05, measure="slope")
    assert verdict_of(found(detail, decision).inference, decision.delta, decision.alpha) is Verdict.NO_VIOLATION
    assert found(detail, decision).verdict is Verdict.INSUFFICIENT
    assert any("small slope" in reason.what for reason in found(detail, decision).reasons)
    detail, decision = judged(0.05, n=40)
    assert found(detail, decision).verdict is Verdict.INSUFFICIENT
    flipping = replace(
        judged(0.05)[0],
        attributes=(replace(judged(0.05)[0].attributes[0], flipped=np.arange(2_000) % 10 == 0),),
    )
    assert found(flipping, ColumnSensitivityDecision()).verdict is Verdict.INSUFFICIENT
    finding = found(flipping, ColumnSensitivityDecision())
    assert any("decided otherwise" in reason.what for reason in finding.reasons)
    assert finding.claims[0].within
    assert finding.headlined is not None
    assert (finding.headlined.what, finding.headlined.estimate) == ("Share decided otherwise", 0.1)
    assert not finding.headlined.within, "the line of the test shows what is open"


def test_the_mean_is_that_of_everybody_and_groups_average_to_it() -> None:
    detail, decision = judged(0.7)
    one = found(detail, decision).scores
    assert found(detail, decision).inference.value == pytest.approx(one.change.mean(), rel=1e-12)
    groups = found(detail, decision).group_means
    assert (groups.means * groups.rows).sum() / groups.rows.sum() == pytest.approx(one.change.mean(), rel=1e-12)


def test_an_attribute_that_was_not_changed_is_refused() -> None:
    detail, _ = judged(0.7, n=60)
    with pytest.raises(SettingsError, match="was not changed"):
        found(detail, ColumnSensitivityDecision(attribute="age")).scores  # noqa: B018


def test_type_1_error_and_coverage_of_the_mean_change() -> None:
    """200 samples, with replacement, of 100 of 20,000 people, with delta at the mean of them all: 5% + 2 errors."""
    model = logistic((0.2, 0.05, 1.0), -2.0)
    changes = scores(model, people(20_000, seed=9))[0].attributes[0].change
    truth, rng = float(changes.mean()), np.random.default_rng(4)
    rejected = covered = 0
    for seed in range(200):
        found = mean_of(rng.choice(changes, 100), draws=499, seed=seed, largest=1.0)
        rejected += found.lower_bound(0.05) > truth
        ends = found.two_sided(0.05)
        covered += ends.low <= truth <= ends.high
    assert rejected / 200 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)
    assert 0.95 - 3 * np.sqrt(0.05 * 0.95 / 200) <= covered / 200


def test_a_group_of_one_person_which_may_be_a_typing_error_is_told() -> None:
    frame = alike(300).frame.copy()
    frame["female"] = frame["female"].astype(float)
    roles, model = people(300).roles, logistic((0.0, 0.0, 10.0), -60.0)
    honest, _ = scores(model, Dataset.build(frame, roles))
    frame.loc[0, "female"] = 9.0
    slipped, _ = scores(model, Dataset.build(frame, roles))
    decision = ColumnSensitivityDecision()
    assert found(honest, decision).verdict is Verdict.NO_VIOLATION
    assert not any(caveat.level == "serious" for caveat in found(honest, decision).reasons)
    first = found(slipped, decision).reasons[0]
    assert first.level == "serious"
    assert "female 9 (1)." in first.what


def two_attributes(n: int = 400, jump: float = 3.0):
    """A model that is fair by sex and whose answer jumps by ``jump`` logits between the groups of race."""
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(
        {"age": rng.uniform(-1, 1, n), "sex": rng.integers(2, size=n), "race": rng.integers(2, size=n)}
    )
    frame["hired"] = np.where(rng.random(n) < 0.5, "yes", "no")
    names = ("age", "sex", "race")
    roles = Roles(outcome="hired", favourable="yes", protected=("sex", "race"), features=names)
    layer = torch.nn.Linear(3, 1).double()
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.0, 0.0, jump]], dtype=torch.float64))
        layer.bias.fill_(-jump / 2)
    encoder = Encoder(columns=tuple(NumericColumn(name=name) for name in names))
    return scores(ModuleModel(layer, encoder, ("no", "yes"), "m"), Dataset.build(frame, roles))[0]


@pytest.mark.parametrize("shown", ["", "sex", "race"])
def test_a_jump_by_the_second_attribute_is_a_violation_whichever_is_shown(shown: str) -> None:
    one = found(two_attributes(), ColumnSensitivityDecision(attribute=shown))
    assert one.verdict is Verdict.VIOLATION
    assert one.attribute == "race"
    assert one.opening.startswith("Violation found for race; ")
    assert one.affected == "The same people would get other answers in another group of race."
    assert "putting people into the other group of race changes the answer by" in one.sentence
    assert one.p_value == 2 / 2_000
    assert one.scores.attribute == (shown or "race")
    race = one.result.detail.attributes[1].change
    assert one.lower_bound == mean_of(race, draws=1_999, seed=one.result.detail.seed, largest=1.0).lower_bound(0.025)


def test_no_violation_takes_every_attribute() -> None:
    fair = two_attributes(2_000, 0.05)
    decision = ColumnSensitivityDecision()
    assert found(fair, decision).verdict is Verdict.NO_VIOLATION
    assert found(fair, decision).upper_bound == max(
        mean_of(one.change, draws=1_999, seed=fair.seed, largest=1.0).upper_bound(0.05) for one in fair.attributes
    )
    second = replace(fair.attributes[1], flipped=np.arange(2_000) % 10 == 0)
    changed = found(replace(fair, attributes=(fair.attributes[0], second)), decision)
    assert changed.verdict is Verdict.INSUFFICIENT
    assert any("in another group of race; up to" in caveat.what for caveat in changed.reasons)


def test_people_decided_otherwise_stand_in_the_headline_with_the_group_that_most_are_of() -> None:
    """3% of 2,000 people, nearly all of one group, while the mean hardly moves."""
    fair = two_attributes(2_000, 0.05)
    codes = (np.arange(2_000) < 400).astype(np.int64)
    flipped = (np.arange(2_000) % 7 == 0) & (codes == 1)
    flipped[1_000:1_003] = True
    second = replace(fair.attributes[1], codes=codes, flipped=flipped)
    for attributes in ((fair.attributes[0], second), (second, fair.attributes[0])):
        one = found(replace(fair, attributes=attributes), ColumnSensitivityDecision())
        assert one.verdict is Verdict.INSUFFICIENT
        assert one.opening.endswith(
            "; beyond the tolerance for race = 1; 3.05% of people would be decided otherwise in another group of race "
            "(95% interval 2.38% to 3.90%), above all 1 (14.5%)"
        )
        shown = one.under(attribute="race")
        p_values = [group.p_value for group in shown.parts["column sensitivity flips"][2:]]
        assert p_values[1] <= LEVEL < p_values[0]
    spread = replace(second, flipped=np.arange(2_000) % 50 == 0, codes=fair.attributes[1].codes)
    evenly = found(replace(fair, attributes=(fair.attributes[0], spread)), ColumnSensitivityDecision())
    assert evenly.opening == (
        "No violation found in the columns that were changed; 2% of people would be decided otherwise in another "
        "group of race (95% interval 1.47% to 2.71%)"
    )
