"""What is told of a comparison: costs against independent numbers, and no more than the numbers carry."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from core.base.files import FileStore
from core.data.roles import Label
from core.workflows.mitigation.evidence import enough, mended, rise
from core.workflows.mitigation.page import fits_table, sets_table
from core.workflows.mitigation.planning import pilot
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.result import MitigationResult, TriedModel
from core.workflows.mitigation.settings import Base, FairDummiesPenalty, MitigationPlan, Projection
from core.workflows.mitigation.unseen import to_audit, unseen_rows
from core.workflows.mitigation.wording import headline, sentence, what_is_fitted
from tests.core.workflows.mitigation.made import NUMBERS, fit_of, plan_of, result_of


def test_the_interval_of_wrong_answers_holds_student_s_and_is_near_that_of_agresti_and_min() -> None:
    """Both with one person added about whom the models differ in each direction."""
    rng = np.random.default_rng(1)
    baseline, fair = (rng.random(90) < share for share in (0.2, 0.35))
    result = result_of([(math.nan, baseline, 0.01), (0.5, fair, 0.4)])
    apart = fair.astype(float) - baseline
    spread = math.sqrt((((apart - apart.mean()) ** 2).sum() + 2) / 91 * 92) / 90
    b, c, n = (fair & ~baseline).sum() + 0.5, (baseline & ~fair).sum() + 0.5, 92
    half = 1.959964 * math.sqrt(((b + c) - (b - c) ** 2 / n) / n**2)
    value, interval = rise(result, result.fits[1], 0.05)
    assert value == pytest.approx(apart.mean())
    assert interval.low <= apart.mean() - t.ppf(0.975, 91) * spread + 1e-9
    assert interval.high >= apart.mean() + t.ppf(0.975, 91) * spread - 1e-9
    assert interval.high - interval.low == pytest.approx(2 * half, rel=0.1)


def test_the_interval_of_no_difference_has_a_width() -> None:
    wrong = np.arange(90) < 20
    result = result_of([(math.nan, wrong, 0.01), (0.5, wrong, 0.4)])
    value, interval = rise(result, result.fits[1], 0.05)
    assert value == 0
    assert interval.low < -0.01 < 0.01 < interval.high


def test_the_interval_of_an_rmse_covers_the_truth_as_often_as_it_says() -> None:
    """Errors are normal with the standard deviations 1 and 1.2 and correlated, so that the true rise is 0.2."""
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(400):
        one = rng.normal(size=150)
        other = 1.2 * (0.8 * one + 0.6 * rng.normal(size=150))
        result = result_of([(math.nan, one**2, 0.01), (0.5, other**2, 0.4)], numbers=True)
        _, interval = rise(result, result.fits[1], 0.1)
        hits += interval.low <= 0.2 <= interval.high
    assert 0.9 - 3 * 0.015 <= hits / 400 <= 0.9 + 3 * 0.015


WRONG = np.arange(100) % 10 == 0
WORSE = np.arange(100) % 5 == 0


def test_the_cheapest_model_is_the_first_from_which_on_no_evidence_is_found() -> None:
    made = [(math.nan, WRONG, 0.01), (0.3, WRONG, 0.3), (0.5, WRONG, 0.02), (0.7, WORSE, 0.2), (0.9, WORSE, 0.6)]
    result = result_of(made)
    found = mended(result, 0.05)
    assert found is not None
    assert found.strength == 0.7
    told = headline(plan_of(), result)
    assert told == "Where no violation is shown any more, the share of wrong answers rises from 10.0% to 20.0%."
    said = sentence(plan_of(), result)
    assert "p-value is 0.010; at λ = 0.7 the p-value is 0.20" in said
    assert "no proof of fairness" in said
    assert "by up to 40.0 percentage points" in said


def test_a_model_that_answers_everybody_alike_mends_nothing() -> None:
    result = result_of([(math.nan, WRONG, 0.01), (0.5, WORSE, 0.02), (0.9, WORSE, 0.9)])
    alone = replace(result, fits=(*result.fits[:2], replace(result.fits[2], constant=True)))
    assert mended(result, 0.05) is result.fits[2]
    assert mended(alone, 0.05) is None
    nobody = replace(alone, fits=(alone.fits[0], alone.fits[2]))
    assert "tell nobody apart" in headline(plan_of(), nobody)
    back = result_of([(math.nan, WRONG, 0.01), (0.5, WORSE, 0.4), (0.9, WORSE, 0.02)])
    assert "comes back at the largest λ" in headline(plan_of(), back)
    assert "which may be luck" in sentence(plan_of(), back)
    told = headline(plan_of(), alone)
    assert told.startswith("Each of these models that tells people apart still depends on sex")


def test_no_cost_is_told_where_the_baseline_is_not_found_unfair() -> None:
    result = result_of([(math.nan, WRONG, 0.5), (0.5, WORSE, 0.6)])
    assert headline(plan_of(), result).startswith(
        "The baseline, which is newly fitted and not the audited model, shows"
    )
    assert "cannot tell what less of it would cost" in headline(plan_of(), result)
    assert "no proof of fairness" in sentence(plan_of(), result)
    assert "10.0%" not in headline(plan_of(), result)


def test_a_difference_that_may_be_chance_is_called_so() -> None:
    other = WRONG.copy()
    other[1] = True
    result = result_of([(math.nan, WRONG, 0.01), (0.5, other, 0.6)])
    assert headline(plan_of(), result).endswith("is 11.0% instead of 10.0%. This may be chance.")


def test_errors_that_differ_little_are_told_apart() -> None:
    result = result_of([(math.nan, WRONG + 0.1, 0.01), (0.5, WRONG + 0.102, 0.6)], numbers=True)
    assert headline(plan_of(), result) == "Where no violation is shown any more, the RMSE rises from 0.447 to 0.449."


def test_too_small_groups_are_insufficient_evidence() -> None:
    result = result_of([(math.nan, WRONG, 0.5), (0.5, WORSE, 0.6)])
    few = replace(result, rows=np.array([[300, 200, 100], [100, 50, 50], [100, 80, 20]]))
    assert enough(result)
    assert not enough(few)
    assert headline(plan_of(), few).startswith("Insufficient evidence")
    assert "insufficient evidence (20 people)" in fits_table(plan_of(), few).rows[0]


def test_tables_have_a_row_a_model_and_headings_that_differ() -> None:
    result = replace(result_of([(math.nan, WRONG, 0.01), (0.5, WORSE, 0.6)]), groups=("p-value of the test", "Model"))
    for table in (fits_table(plan_of(), result), sets_table(result)):
        assert len(set(table.header)) == len(table.header)
        assert [row[0] for row in table.rows] == ["baseline", "λ = 0.5"]
        assert all(len(row) == len(table.header) for row in table.rows)


def test_the_rows_of_an_audit_had_no_part_in_a_fit(tmp_path_factory: pytest.TempPathFactory) -> None:
    from core.data.dataset import Dataset
    from core.workflows.mitigation.bench import prepare

    files = FileStore(tmp_path_factory.mktemp("files"))
    plan = MitigationPlan(data=NUMBERS, roles=plan_of().roles, methods=(FairDummiesPenalty(epochs=40),), dummies=199)
    rows = unseen_rows(plan, files)
    dataset = Dataset.build(NUMBERS.load(files), plan.roles)
    training = dataset.take(prepare(plan, dataset).places[0])
    fitted = replace(fit_of(math.nan, WRONG, 0.5), model=rows)
    data, roles, model = to_audit(plan, fitted, (), rows)
    assert (roles.predictions, model.title) == ((), rows.name)
    unseen = Dataset.build(data.load(files), plan.roles)
    assert len(unseen) + len(training) == len(dataset)
    assert not set(training.numbers) & set(unseen.numbers)
    tried = pilot(plan, files)
    assert tried.rows[:, 0].tolist() == [len(training), 40, 40]
    assert tried.seconds(3) == pytest.approx(tried.once + 3 * tried.each)
    assert tried.each > 0


def test_the_makers_make_what_they_say() -> None:
    result: MitigationResult = result_of([(math.nan, WRONG, 0.5)])
    fit: TriedModel = fit_of(math.nan, WRONG, 0.5)
    assert fit.is_baseline
    assert result.errors(fit)[2, 0] == pytest.approx(0.1)


def test_labels_stand_on_the_page() -> None:
    losses = np.random.default_rng(1).random(90)
    plan, found = plan_of(), result_of([(0.0, losses, 0.01), (1.0, losses, 0.5)])
    labels = (Label(column="sex", label="gender"), Label(column="sex", value="group 1", label="the second"))
    told = plan.model_copy(update={"roles": plan.roles.model_copy(update={"labels": labels})})
    assert "groups of sex" in MITIGATION.page(plan, found)
    page = MITIGATION.page(told, found)
    assert "groups of gender" in page
    assert "the second" in page
    assert page.count("group 1") == 1, "where the settings say what is called so"


@pytest.mark.parametrize(
    ("base", "features", "told"),
    [
        (
            "linear",
            ("age",),
            "a new linear model that Evenhand fits to 1 column of this table, without 'sex'; it is not",
        ),
        (
            "network",
            ("age", "job"),
            "a new two-layer network that Evenhand fits to 2 columns of this table, without 'sex'",
        ),
        (
            "linear",
            ("age", "sex"),
            "a new linear model that Evenhand fits to 2 columns of this table; it is not the model",
        ),
    ],
)
def test_what_the_baseline_is_and_that_nobody_brought_it_is_said_with_every_result(
    base: str, features: tuple[str, ...], told: str
) -> None:
    plan = plan_of()
    roles = plan.roles.model_copy(update={"features": features, "protected": ("sex",)})
    plan = plan.model_copy(update={"base": Base(kind=base), "roles": roles})
    result = result_of([(math.nan, WRONG, 0.3), (0.5, WRONG, 0.3)])
    assert told in sentence(plan, result)
    only_similar = plan.model_copy(update={"methods": (Projection(),)})
    assert what_is_fitted(only_similar) in sentence(only_similar, result)
