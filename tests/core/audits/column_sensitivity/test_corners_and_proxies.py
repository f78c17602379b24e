"""What the mean of all hides from a column test: undeclared proxies, corners, small groups; and the laws of alpha."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from core.audits.column_sensitivity.corners import PREDICTED, corners_of
from core.audits.column_sensitivity.decision import ColumnSensitivityDecision
from core.audits.column_sensitivity.engine import run
from core.audits.column_sensitivity.result import AttributeScores, ColumnSensitivityDetail
from core.audits.column_sensitivity.settings import ColumnSensitivity
from core.base.grouping import Grouping
from core.contracts.audit import Given
from core.data.dataset import Dataset, Roles
from core.data.encoded import EncodedDataset
from core.data.encoder import Encoder, NumericColumn
from core.inference.estimate import Verdict
from core.models.module import ModuleModel
from tests.findings import NOBODY_LEFT_OUT, found, verdict_of

V, N, I = Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.INSUFFICIENT  # noqa: E741
NAMES = ("age", "sex", "copy")


def people(n: int = 1_500, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    sex = rng.integers(2, size=n)
    frame = pd.DataFrame({"age": rng.uniform(-1, 1, n), "sex": sex, "copy": sex.astype(float)})
    frame["hired"] = np.where(rng.random(n) < 0.5, "yes", "no")
    return Dataset.build(frame, Roles(outcome="hired", favourable="yes", protected=("sex",), features=NAMES))


def linear(*weights: float) -> ModuleModel:
    layer = torch.nn.Linear(len(weights), 1).double()
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([weights], dtype=torch.float64))
        layer.bias.zero_()
    encoder = Encoder(columns=tuple(NumericColumn(name=name) for name in NAMES[: len(weights)]))
    return ModuleModel(layer, encoder, ("no", "yes"), "linear")


def audited(model: ModuleModel, dataset: Dataset, **settings: Any) -> Any:
    detail, _ = run(
        ColumnSensitivity.model_validate(settings), Given(model, model.encode(dataset), np.random.default_rng(1))
    )
    return found(detail, ColumnSensitivityDecision())


def test_a_copy_of_sex_that_is_not_declared_forbids_to_clear_and_is_named() -> None:
    """Weight 2.0 on an exact copy of sex and .02 on sex itself."""
    one = audited(linear(0.5, 0.02, 2.0), people())
    assert one.upper_bound < 0.05
    assert one.verdict is I
    assert one.opening.startswith("Insufficient evidence; 'copy' tells sex and did not change with it")
    assert one.reasons[0].level == "serious"
    assert "area under the ROC curve 1.00" in one.reasons[0].what
    assert one.next_steps[0] == one.reasons[0].advice
    declared = audited(linear(0.5, 0.02, 2.0), people(), through=("copy",))
    assert declared.verdict is V
    assert declared.result.detail.tells == ()
    also = people()
    both = replace(also, roles=also.roles.model_copy(update={"protected": ("sex", "copy")}))
    assert audited(linear(0.5, 0.02, 2.0), both).verdict is V


def test_a_model_without_the_copy_is_cleared() -> None:
    one = audited(linear(0.5, 0.02), people())
    assert one.verdict is N
    assert "tells" not in one.opening


class Corner(ModuleModel):
    """The first model's answers, but in one range of age everybody of sex 1 is refused and everybody else accepted."""

    def predict_proba(self, data: EncodedDataset) -> np.ndarray:
        answers = super().predict_proba(data)
        inside = np.abs(data.x[:, 0] - 0.5) < 0.03
        answers[inside, 1] = np.where(data.x[inside, 1] == 1, 0.1, 0.9)
        answers[:, 0] = 1 - answers[:, 1]
        return answers


def test_three_percent_in_one_range_of_a_feature_forbid_to_clear_and_are_named() -> None:
    plain = linear(0.5, 0.02)
    one = audited(Corner(plain.module(), plain.encoder, ("no", "yes"), "corner"), people(4_000))
    assert verdict_of(one.inference, 0.05, 0.05) is N
    assert one.scores.flips.upper_bound(0.05) < 0.05
    assert one.verdict is I
    assert one.opening.startswith("Insufficient evidence; beyond the tolerance for age = 0.39594 to 0.60296;")
    assert all(each.attribute == "age" for each in one.beyond)


def test_the_family_of_corners_is_declared() -> None:
    dataset = people(300)
    frame = dataset.frame.assign(race=np.arange(300) % 2)
    dataset = replace(dataset, frame=frame, roles=dataset.roles.model_copy(update={"protected": ("sex", "race")}))
    model = linear(0.5, 0.02, 0.0)
    cuts = corners_of(model, model.encode(dataset))
    assert [one.name for one in cuts] == ["predicted outcome", "hired", "sex and race", "age", "copy"]
    assert cuts[0].groups == ("no", "yes")
    assert cuts[2].groups == ("0 and 0", "0 and 1", "1 and 0", "1 and 1")
    assert len(cuts[3].groups) == 10
    np.testing.assert_array_equal(np.bincount(cuts[3].codes), 30)
    predicted = model.predict_proba(model.encode(dataset)).argmax(axis=1)
    np.testing.assert_array_equal(cuts[0].codes, predicted)
    seldom = dataset.frame.assign(copy=np.where(np.arange(300) < 9, "rare", "usual"))
    rare = corners_of(model, replace(model.encode(dataset), dataset=replace(dataset, frame=seldom)))
    assert "copy" not in [one.name for one in rare], "nine people are no part, and one part is no cut"


def of_values(change: np.ndarray, codes: np.ndarray, corners: tuple[Grouping, ...] = (), **decision: Any) -> Any:
    groups = tuple(f"g{place}" for place in range(int(codes.max()) + 1))
    one = AttributeScores(
        "race", groups, codes, True, change, change, np.zeros(len(change), dtype=bool), (), np.zeros((len(groups), 0))
    )
    return found(
        ColumnSensitivityDetail((one,), (), 0, 999, 7, corners), ColumnSensitivityDecision.model_validate(decision)
    )


def test_a_part_is_told_by_what_lies_beyond_the_tolerance_and_by_whom_it_would_harm() -> None:
    """One in eight of the predicted "yes" would be decided otherwise; no mean lies beyond the tolerance anywhere."""
    codes, place = np.arange(8_000) % 2, np.arange(8_000)
    flipped = (place < 250) & (codes == 0) | (place == 5_000)
    predicted = Grouping(PREDICTED, ("yes", "no"), (place >= 1_000).astype(np.int16))
    change = np.where(flipped, 0.06, 0.02)
    scores = AttributeScores("sex", ("m", "f"), codes, True, change, change, flipped, (), np.zeros((2, 0)))
    one = found(ColumnSensitivityDetail((scores,), (), 0, 999, 7, (predicted,)), ColumnSensitivityDecision())
    assert one.headline == (
        "Nothing is decided: the 1,000 people with predicted outcome = yes, put into other groups of sex, are treated "
        "beyond the tolerance: 12.5% of them would be decided otherwise (5% are tolerated)"
    )
    assert one.tables["column sensitivity beyond"].rows == (
        ("predicted outcome = yes", "sex", "1,000", "2.50 percentage points", "12.5%", "< 0.0001"),
    )
    assert "on average" not in one.reasons[0].what
    assert one.case is not None
    assert "In another group 125 people with sex = m would no longer get the answer “yes”." in one.case.told
    assert "In another group 1 person with sex = m would no longer get the answer “no”." in one.case.told
    elsewhere = replace(predicted, codes=np.full(8_000, -1, np.int16))
    unknown = found(ColumnSensitivityDetail((scores,), (), 0, 999, 7, (elsewhere,)), ColumnSensitivityDecision())
    assert unknown.case is not None
    assert "no longer" not in unknown.case.told


def test_small_groups_are_judged_and_those_too_small_are_named() -> None:
    codes = np.r_[np.zeros(29, dtype=int), np.ones(3_970, dtype=int), 2]
    change = np.where(codes == 0, 0.4, 0.004)
    one = of_values(change, codes)
    assert verdict_of(one.inference, 0.05, 0.05) is N
    assert one.verdict is I
    assert one.opening.startswith("Insufficient evidence; beyond the tolerance for race = g0")
    assert any(
        "does not speak for groups too small to judge alone: race = g2 (1)." in caveat.what for caveat in one.reasons
    )
    assert not any("too small" in caveat.what for caveat in of_values(change[:-1], codes[:-1]).reasons)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_verdicts_do_not_turn_as_alpha_grows(size: int) -> None:
    """A group whose p-value lies between error rates that readers choose: today's bound followed the reader's."""
    codes = (np.arange(600) >= size).astype(int)
    change = np.where(codes == 0, 0.35, 0.005)
    readings = [of_values(change, codes, alpha=alpha) for alpha in (0.0001, 0.001, 0.01, 0.025, 0.05, 0.1, 0.3, 0.5)]
    verdicts = [one.verdict for one in readings]
    assert len({one.beyond for one in readings}) == 1
    decided = [one for one in verdicts if one is not I]
    assert not decided or verdicts[-len(decided) :] == decided == [decided[0]] * len(decided)
    assert any(one.p_value <= 0.05 for one in readings[0].excesses) == (I in verdicts[-1:])


@pytest.mark.parametrize(("left_out", "verdict"), [(10, N), (40, I)])
def test_whoever_was_left_out_may_have_moved_as_far_as_can_be(left_out: int, verdict: Verdict) -> None:
    rng = np.random.default_rng(0)
    one = of_values(rng.uniform(0, 0.04, 990), rng.integers(2, size=990))
    missing = replace(NOBODY_LEFT_OUT, rows_read=990 + left_out, rows_left_out=left_out)
    other = found(one.result.detail, one.decision, data=missing)
    known = max(one.upper_bound, one.scores.flips.upper_bound(0.05))
    share = left_out / (990 + left_out)
    assert other.worst_upper_bound == pytest.approx(known + (1 - known) * share)
    assert (other.worst_upper_bound <= 0.05) == (verdict is N)
    assert other.under(measure="slope").worst_upper_bound == np.inf
