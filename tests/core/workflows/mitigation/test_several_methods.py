"""Several methods in one run, and random splits: the same models on the same rows, whoever tries them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.base.progress import Progress, ignore_progress
from core.data.roles import Roles
from core.records.codec import load_result, save_result
from core.sources.upload.uploaded import UploadedTable
from core.workflows.comparison.rates import rates
from core.workflows.mitigation.beside import beside
from core.workflows.mitigation.evidence import mended
from core.workflows.mitigation.figures.spread import SPREAD, charted
from core.workflows.mitigation.one_split import one_split
from core.workflows.mitigation.page import beside_figures, page_of, rates_table, splits_table
from core.workflows.mitigation.record import MITIGATION
from core.workflows.mitigation.result import MitigationResult
from core.workflows.mitigation.settings import MitigationPlan, Reductions, Reweighing, Thresholds
from core.workflows.mitigation.splits import MEASURES, compare, measured, over_splits
from core.workflows.mitigation.wording import headline
from tests.core.workflows.mitigation.made import plan_of, result_of


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> FileStore:
    return FileStore(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="module")
def plan(files: FileStore) -> MitigationPlan:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 1_500)
    frame = pd.DataFrame({"x": rng.standard_normal(1_500) + group, "group": np.where(group, "b", "a")})
    frame["told"] = group + rng.standard_normal(1_500)
    frame["good"] = np.where(frame["x"] + rng.standard_normal(1_500) > 0.5, "yes", "no")
    table = UploadedTable(file=files.put(frame.to_csv(index=False).encode(), "people.csv"))
    roles = Roles(outcome="good", favourable="yes", protected=("group",), features=("x", "told"))
    methods = (Reweighing(), Thresholds())
    return MitigationPlan(data=table, roles=roles, methods=methods, strengths=(0.5, 1.0), dummies=99, seed=2, splits=3)


@pytest.fixture(scope="module")
def found(plan: MitigationPlan, files: FileStore) -> MitigationResult:
    return compare(plan, files)


def test_every_method_stands_beside_the_baseline_on_the_same_people(
    plan: MitigationPlan, found: MitigationResult
) -> None:
    assert [(fit.method, fit.strength) for fit in found.fits[1:]] == [
        *(("reweighing", 0.5), ("reweighing", 1.0)),
        *(("thresholds", 0.5), ("thresholds", 1.0)),
    ]
    models = beside(found)
    assert models.names[1] == "Reweighing (λ = 0.5)"
    accuracy = next(rate for rate in rates(models) if rate.key == "accuracy")
    np.testing.assert_allclose(accuracy.values, [1 - found.errors(fit)[2, 0] for fit in found.fits])
    gaps = next(abs(rate.values) for rate in rates(models) if rate.key == "SPD")
    assert gaps[2] < gaps[0], "reweighing narrows the difference of favourable answers"
    assert len(rates_table(plan, found).rows) == len(found.fits)
    assert [one.name for one in beside_figures(plan, found)] == ["models", "apart"]
    page = page_of(plan, found)
    assert len([one for one in page.sections[0].figures if "tradeoff" in one.name]) == 2
    assert {part.title for part in page.settings} >= {"Model", "Parts"}


def test_a_split_is_what_the_same_plan_finds_with_the_next_seed(
    plan: MitigationPlan, found: MitigationResult, files: FileStore
) -> None:
    assert found.splits is not None
    assert found.splits.values.shape == (3, 5, len(MEASURES))
    alone = plan.model_copy(update={"seed": 3, "splits": 1})
    np.testing.assert_array_equal(
        found.splits.values[1], measured(alone, one_split(alone, files, files, ignore_progress))
    )
    np.testing.assert_array_equal(found.splits.values[0], measured(plan, found))
    table = splits_table(plan, found)
    assert [row[0] for row in table.rows] == ["baseline", *beside(found).names[1:]]
    errors = found.splits.values[:, 1, 0]
    assert f"{100 * errors.mean():.1f} ± {100 * errors.std(ddof=1):.1f} %" in table.rows[1]
    rejected = int(found.splits.values[:, 0, MEASURES.index("rejected")].sum())
    assert f"{rejected} of 3" in table.rows[0]


def test_splits_are_charted_recorded_and_kept(plan: MitigationPlan, found: MitigationResult, tmp_path: Path) -> None:
    assert charted(found) == ("error", "p-value")
    drawn = SPREAD.draw(plan, found, "error")
    assert "Reweighing (λ = 0.5): " in drawn.alt
    save_result(found, tmp_path / "result")
    kept = load_result(tmp_path / "result", MitigationResult)
    numbers = MITIGATION.numbers(plan, kept)
    assert numbers["splits"]["values"] == found.splits.values.tolist() or np.isnan(found.splits.values).any()
    assert {one["method"] for one in numbers["models"]} == {"", "reweighing", "thresholds"}
    assert len(MITIGATION.lines(plan, found)) > 2 * len(found.fits)


def test_a_split_that_cannot_be_tried_is_counted_and_said(plan: MitigationPlan, files: FileStore) -> None:
    """A part for the test of a few rows is refused in every split but the first, which was made by hand."""
    result = replace(result_of([(float("nan"), np.zeros(100), 0.5), (0.5, np.zeros(100), 0.5)]), seed=0)
    few = plan.model_copy(update={"methods": (Reductions(iterations=2),), "strengths": (0.5,), "splits": 2})
    short = few.model_copy(update={"parts": few.parts.model_copy(update={"test": 0.01})})
    found = over_splits(short, result, files, ignore_progress)
    assert found.splits is not None
    assert len(found.splits.values) == 1
    assert len(found.splits.failed) == 1
    assert any("1 of 2 random splits could not be tried" in one.what for one in found.caveats)


@pytest.mark.long
def test_processes_side_by_side_find_the_same(
    plan: MitigationPlan, found: MitigationResult, files: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    seen: list[Progress] = []
    again = compare(plan, files, seen.append)
    np.testing.assert_array_equal(again.splits.values, found.splits.values)
    assert [told.done for told in seen] == sorted(told.done for told in seen)


def test_of_several_methods_the_one_that_errs_least_is_told() -> None:
    wrong, worse = np.arange(100) % 10 == 0, np.arange(100) % 5 == 0
    made = [(float("nan"), wrong, 0.01), (0.5, worse, 0.02), (0.9, worse, 0.3), (0.5, wrong, 0.4), (0.9, worse, 0.5)]
    result = result_of(made, methods=2)
    assert result.methods == ("projection", "reweighing")
    best = mended(result, 0.05)
    assert best is not None
    assert (best.method, best.strength) == ("reweighing", 0.5)
    assert headline(plan_of(), result).endswith("is 10.0% instead of 10.0%. This may be chance.")
    assert [fit.method for fit in result.only("projection").fits] == ["", "projection", "projection"]


def test_plans_of_one_method_are_read_as_they_were() -> None:
    old = plan_of().model_dump(mode="json")
    old["method"] = old.pop("methods")[0] | {"epochs": 7}
    del old["splits"]
    assert MitigationPlan.model_validate(old).methods[0].epochs == 7
