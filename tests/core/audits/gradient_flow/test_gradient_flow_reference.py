"""The published networks of the Adult study, from shared/data/reference (see its README)."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.audits.gradient_flow.stability import recorded_steps
from core.inference.moments import mean_from_sums
from tests.core.audits.gradient_flow.cases import all_but, ends, published, reference, rows_of, search

MODELS = ("baseline", *(pytest.param(name, marks=pytest.mark.long) for name in ("project", "reduction")), "sensr")


@pytest.mark.parametrize("model", MODELS)
def test_ratios_of_the_published_models_are_reproduced(real_data: Path, model: str) -> None:
    store = reference(real_data, "adult_51668.npz")
    rows = rows_of(store["x"], store["y"])
    totals = search(published(model, store), rows, all_but(store["basis"]), steps=500, step_size=0.01)
    np.testing.assert_allclose(totals.ratio, store[f"{model}_ratio_lr0.01_T500_f64"], rtol=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_end_points_of_the_first_twenty_rows_are_reproduced(real_data: Path, model: str) -> None:
    store = reference(real_data, "adult_51668.npz")
    first = rows_of(store["x"][:20], store["y"][:20])
    found = ends(published(model, store), first, all_but(store["basis"]), steps=500, step_size=0.01)
    np.testing.assert_allclose(found, store[f"{model}_xT_lr0.01_T500_first20_f64"], rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("model", MODELS)
def test_a_search_in_single_precision_stays_within_a_ten_thousandth(real_data: Path, model: str) -> None:
    store = reference(real_data, "adult_51668.npz")
    rows = rows_of(store["x"], store["y"])
    totals = search(published(model, store), rows, all_but(store["basis"]), steps=500, precision="float32")
    np.testing.assert_allclose(totals.ratio, store[f"{model}_ratio_lr0.01_T500_f64"], rtol=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_one_pass_gives_every_published_stopping_time(real_data: Path, model: str) -> None:
    """T_n of the first 1,000 rows from reference/adult_expected.json, which divides by n."""
    store = reference(real_data, "adult_51668.npz")
    expected = json.loads((real_data / "reference" / "adult_expected.json").read_text())["adult_rows"]["51668"][model]
    totals = search(published(model, store), rows_of(store["x"], store["y"]), all_but(store["basis"]), steps=500)
    for index, steps in enumerate(recorded_steps(500)):
        if f"lr0.01_T{steps}" in expected:
            found = mean_from_sums(totals.sums["excess"][index].sum(), totals.sums["excess_squares"][index].sum(), 1000)
            divided_by_n = found.value - 1.645 * found.standard_error * (999 / 1000) ** 0.5
            assert divided_by_n == pytest.approx(expected[f"lr0.01_T{steps}"]["Tn_first1000_f64"], rel=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_published_single_precision_ratios_agree_where_they_are_finite(real_data: Path, model: str) -> None:
    """The authors' own numbers, 500 steps of 0.005; float32 rounding of small losses allows a few percent."""
    store = reference(real_data, "adult_51668.npz")
    theirs = store[f"{model}_pub_ratio_lr0.005_T500_f32"]
    rows = rows_of(store["x"], store["y"])
    totals = search(published(model, store), rows, all_but(store["basis"]), steps=500, step_size=0.005)
    sound = np.isfinite(theirs) & (totals.loss_start > 1e-3)
    assert sound.sum() > 500
    np.testing.assert_allclose(totals.ratio[sound], theirs[sound], rtol=2e-3)
