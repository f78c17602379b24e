"""The whole selection: rows that are parted, candidates that are measured alike, one audit of one model."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.audits.transport.decision import TransportDecision
from core.audits.transport.settings import ByMetric, CellColumn, OwnCost, Transport
from core.audits.transport.unseen import ForEverybody
from core.audits.transport.verdict import TransportFinding
from core.base.errors import CancelledError, DataError, EvenhandError, ModelError, SettingsError
from core.base.files import FileRef, FileStore
from core.base.progress import Progress
from core.data.dataset import Dataset
from core.inference.resampled import Checked
from core.metrics import Expert
from core.models.predictions import PredictionColumns
from core.records.codec import load_result, save_result
from core.run import run_audit, run_plan
from core.workflows.selection.choice import ChoiceOutcome
from core.workflows.selection.parts import part
from core.workflows.selection.result import SelectionResult, transport_result
from core.workflows.selection.run import run_selection
from core.workflows.selection.settings import LogisticPath, OwnModels, Parts, Rule, SelectionPlan
from core.workflows.selection.wording import decision_of, headline, sentence, the_choice
from tests.core.workflows.selection.cases import EVERY_KIND, ROLES, judged, judged_plan, people, plan_for

LENIENT = TransportDecision(delta=0.2)


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "files")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[SelectionPlan, SelectionResult, FileStore]:
    files = FileStore(tmp_path_factory.mktemp("files"))
    plan = plan_for(people(), files, decision=LENIENT)
    return plan, run_selection(plan, files), files


def timeless(result: SelectionResult) -> SelectionResult:
    audited = None if result.audited is None else replace(result.audited, seconds=0.0)
    return replace(result, seconds=0.0, audited=audited)


def test_the_parts_share_no_row_and_keep_the_plans_proportions(files: FileStore) -> None:
    frame = people(1000)
    dataset = Dataset.build(frame, ROLES)
    parts = part(dataset, plan_for(frame, files), np.random.default_rng(0))
    assert parts.sizes == (500, 250, 250)
    assert parts.training is not None
    rows = [set(one.frame.index) for one in (parts.training, parts.validation, parts.audit)]
    assert [len(one) for one in rows] == [500, 250, 250]
    assert len(set.union(*rows)) == 1000


def test_models_that_are_brought_need_no_rows_for_training(files: FileStore) -> None:
    frame = judged(400, ((), (1,)), seed=0)
    result = run_selection(judged_plan(frame, files), files)
    assert result.rows == (0, 200, 200)
    assert result.path is None


def test_each_candidate_is_measured_as_an_audit_on_the_validation_rows_would(
    kept: tuple[SelectionPlan, SelectionResult, FileStore],
) -> None:
    plan, result, files = kept
    dataset = Dataset.build(plan.data.load(files), plan.roles)
    parts = part(dataset, plan, np.random.default_rng(plan.seed))
    assert result.audit is not None
    assert result.chosen is not None
    model = result.audit.model.load(files, parts.validation)
    again = run_audit(model, parts.validation, result.audit.audit, seed=plan.seed)
    found, chosen = (
        TransportFinding(transport_result(again), decision_of(plan, result)).inference,
        result.candidates[result.chosen],
    )
    assert (chosen.confusion == again.model.confusion).all()
    assert chosen.unfairness.value == found.value
    assert chosen.unfairness.lower_bound(0.05) == found.lower_bound(0.05)


def test_the_audit_is_that_of_its_own_plan_on_rows_of_its_own(
    kept: tuple[SelectionPlan, SelectionResult, FileStore],
) -> None:
    _, result, files = kept
    assert result.audit is not None
    assert result.audited is not None
    assert result.audited.data.rows_audited == result.rows[2]
    again = run_plan(result.audit, files)
    decision = result.audit.decision
    assert isinstance(decision, TransportDecision)
    assert TransportFinding(transport_result(again), decision).estimate == result.finding(decision).estimate
    frame, source = result.audit.data.load(files), people().reset_index(drop=True)
    taken = part(Dataset.build(source, ROLES), plan_for(source, files), np.random.default_rng(0)).audit.frame
    assert frame.astype(str).equals(taken.reset_index(drop=True)[list(frame)].astype(str))


def test_the_same_plan_gives_the_same_bytes_and_a_saved_result_comes_back(
    kept: tuple[SelectionPlan, SelectionResult, FileStore], tmp_path: Path
) -> None:
    plan, result, _ = kept
    fresh = FileStore(tmp_path / "fresh")
    again = run_selection(plan_for(people(), fresh, decision=LENIENT), fresh)
    for name, one in (("first", result), ("second", again)):
        save_result(timeless(one), tmp_path / name)
    for part_of_it in ("result.json", "arrays.npz"):
        assert (tmp_path / "first" / part_of_it).read_bytes() == (tmp_path / "second" / part_of_it).read_bytes()
    back = load_result(tmp_path / "first", SelectionResult)
    save_result(back, tmp_path / "third")
    assert (tmp_path / "third" / "arrays.npz").read_bytes() == (tmp_path / "first" / "arrays.npz").read_bytes()
    assert sentence(plan, back) == sentence(plan, result)


def test_without_any_column_in_use_nobody_is_treated_worse(
    kept: tuple[SelectionPlan, SelectionResult, FileStore],
) -> None:
    first = kept[1].candidates[0]
    assert first.gives_one_answer
    assert first.unfairness.value == 0
    assert first.unfairness.seen.upper_bound(0.05) == 0


def on_the_same_people(unfairness: ForEverybody) -> float:
    """Names decide the order of kinds, and so which people a random split puts into which half."""
    return unfairness.seen.estimate.value if isinstance(unfairness.seen, Checked) else unfairness.value


def test_a_name_of_a_group_or_the_order_of_rows_changes_no_candidate(files: FileStore) -> None:
    frame = people(900)
    first = run_selection(plan_for(frame, files), files)
    renamed = frame.assign(sex=frame["sex"].map({"f": "woman", "m": "man"}))
    second = run_selection(plan_for(renamed, files), files)
    assert first.chosen == second.chosen
    values = [[on_the_same_people(one.unfairness) for one in result.candidates] for result in (first, second)]
    assert np.allclose(*values, atol=1e-12)


def test_of_two_equally_good_columns_the_first_is_chosen(files: FileStore) -> None:
    frame = judged(600, ((1,), (), (2, 3)), seed=1).assign(h0=lambda table: table["h1"])
    result = run_selection(judged_plan(frame, files, decision=TransportDecision(delta=0.5)), files)
    quality = [one.accuracy for one in result.candidates]
    assert quality[0] == quality[1]
    assert result.chosen in (0, 2)


def test_the_unfairness_of_known_decisions_is_the_one_by_hand(files: FileStore) -> None:
    """On validation rows: per kind and outcome, everybody in a flipped kind who is judged rightly can be moved."""
    frame = judged(2000, ((), (1,), (1, 4)), seed=2)
    plan = judged_plan(frame, files, decision=TransportDecision(delta=1.0))
    result = run_selection(plan, files)
    dataset = Dataset.build(plan.data.load(files), plan.roles)
    rows = part(dataset, plan, np.random.default_rng(0)).validation.frame
    for column, candidate in zip(("h0", "h1", "h2"), result.candidates, strict=True):
        wrong = rows[column] != rows["outcome"]
        worst = wrong.groupby([rows["kind"], rows["outcome"], rows["group"]]).mean().groupby(level=[0, 1]).max()
        people_in = rows.groupby(["kind", "outcome"]).size()
        expected = float((worst * people_in).sum() / len(rows) - wrong.mean())
        assert candidate.unfairness.value == pytest.approx(expected, abs=1e-12)


def test_when_nothing_may_be_chosen_the_outcome_has_a_name_and_the_audit_rows_stay_unseen(files: FileStore) -> None:
    frame = judged(1500, ((0, 1, 2), (3, 4, 5), (6, 7)), seed=3)
    plan = judged_plan(frame, files, decision=TransportDecision(delta=0.0))
    result = run_selection(plan, files)
    assert the_choice(plan, result).outcome is ChoiceOutcome.NOTHING_ADMISSIBLE
    assert (result.chosen, result.audit, result.audited) == (None, None, None)
    assert headline(plan, result) == "No model may be chosen"
    assert "The rows for the audit were not looked at" in sentence(plan, result)
    assert len(list(files.root.iterdir())) == 1, "only the uploaded table is kept"


def test_a_model_that_decides_nothing_is_told(files: FileStore) -> None:
    plan = plan_for(people(), files, decision=TransportDecision(delta=0.0), candidates=LogisticPath(strengths=(1e-6,)))
    result = run_selection(plan, files)
    assert result.chosen == 0
    assert "gives everybody the same answer" in " ".join(caveat.what for caveat in result.caveats)


def test_few_draws_for_all_candidates_together_are_told(files: FileStore) -> None:
    frame = judged(500, ((), (1,), (2,)), seed=4)
    rule = Rule(admissible="shown to be fair", together=True)
    plan = judged_plan(frame, files, rule=rule, audit=EVERY_KIND.model_copy(update={"draws": 200}))
    told = [caveat for caveat in run_selection(plan, files).caveats if "bootstrap draws" in caveat.what]
    assert told[0].advice == "Set 600 draws, or fewer candidates."


def test_a_bound_within_its_monte_carlo_error_of_the_tolerance_is_told(files: FileStore) -> None:
    frame = judged(900, ((), (1,)), seed=4)
    first = run_selection(judged_plan(frame, files, decision=TransportDecision(delta=0.9)), files)
    assert not [caveat for caveat in first.caveats if "other bootstrap draws" in caveat.what]
    near = TransportDecision(delta=first.candidates[1].unfairness.lower_bound(0.05) + 1e-6)
    told = run_selection(judged_plan(frame, files, decision=near), files).caveats
    assert any("1 candidate so near the tolerance" in caveat.what for caveat in told)


def test_a_fair_metric_may_say_who_is_similar_and_all_candidates_share_its_budget(files: FileStore) -> None:
    similar = ByMetric(metric=Expert(free=("sex",)))
    test = Transport(similarity=similar, columns=(CellColumn(name="skill"), CellColumn(name="town")))
    result = run_selection(plan_for(people(), files, audit=test, decision=LENIENT), files)
    assert result.audit is not None
    assert result.audit.decision.budget == result.budget > 0  # type: ignore[union-attr]


def test_several_outcomes_work(files: FileStore) -> None:
    frame = people(900, outcomes=("no", "maybe", "yes"))
    result = run_selection(plan_for(frame, files, decision=TransportDecision(delta=0.3)), files)
    assert result.path is not None
    assert result.path.coefficients.shape[1] == 3
    assert result.candidates[0].confusion.shape == (3, 3)
    assert result.audited is not None


def test_only_one_outcome_in_the_table_is_refused(files: FileStore) -> None:
    with pytest.raises(DataError, match="same outcome"):
        run_selection(plan_for(people().assign(hired="yes"), files), files)


def test_an_outcome_that_misses_in_a_part_is_refused_with_its_name(files: FileStore) -> None:
    rare = people(300)
    rare.loc[:, "hired"] = ["no"] * 299 + ["yes"]
    with pytest.raises(DataError, match=r"The outcome '(yes|no)' is so rare") as caught:
        run_selection(plan_for(rare, files), files)
    assert "larger share" in caught.value.advice


def test_too_few_rows_are_refused_with_the_part(files: FileStore) -> None:
    with pytest.raises(DataError, match="Too few rows are left for the validation"):
        run_selection(plan_for(people(100), files), files)
    run_selection(plan_for(people(160), files, parts=Parts(training=1, validation=1, audit=1)), files)


def test_fits_that_did_not_converge_are_never_chosen(files: FileStore) -> None:
    rng = np.random.default_rng(0)
    wide = people(500).assign(**{f"x{i}": rng.normal(size=500) for i in range(40)})
    roles = ROLES.model_copy(update={"features": tuple(name for name in wide if name != "hired")})
    cells = Transport(columns=({"name": "skill"}, {"name": "sex"}))  # type: ignore[arg-type]
    path = LogisticPath(points=6, passes=1)
    plan = plan_for(wide, files, roles=roles, candidates=path, audit=cells, decision=TransportDecision(delta=1.0))
    result = run_selection(plan, files)
    assert result.path is not None
    assert not result.path.converged.all()
    assert [bool(one.unable) for one in result.candidates] == (~result.path.converged).tolist()
    assert result.chosen is None or result.path.converged[result.chosen]


def test_a_model_that_cannot_be_read_is_named(files: FileStore) -> None:
    frame = judged(400, ((), (1,)), seed=5).assign(h1="perhaps")
    with pytest.raises(ModelError) as caught:
        run_selection(judged_plan(frame, files), files)
    assert caught.value.where.startswith("h1:")


def test_all_models_that_cannot_be_read_are_named_at_once(files: FileStore) -> None:
    frame = judged(400, ((), (1,), ()), seed=5).assign(h1="perhaps", h2="no idea")
    with pytest.raises(ModelError) as caught:
        run_selection(judged_plan(frame, files), files)
    assert caught.value.where.startswith("h1:")
    assert caught.value.advice.endswith("h2 cannot be used either.")


def test_settings_that_make_no_sense_are_refused(files: FileStore) -> None:
    one = PredictionColumns(columns=("h0",))
    for wrong in (lambda: OwnModels(models=(one,)), lambda: OwnModels(models=(one, one))):
        with pytest.raises(ValueError, match=r"at least 2|named twice"):
            wrong()
    with pytest.raises(ValueError, match="must ascend"):
        LogisticPath(strengths=(1.0, 1.0))
    costs = OwnCost(file=FileRef(name="costs.csv", sha256="0" * 64, bytes=3))
    with pytest.raises(SettingsError, match="each part of the rows has its own"):
        plan_for(people(), files, audit=Transport(similarity=costs))
    with pytest.raises(SettingsError, match="No column is a feature"):
        plan_for(people(), files, roles=ROLES.model_copy(update={"features": ()}))


def test_a_cancelled_selection_stops_between_candidates(files: FileStore) -> None:
    def stop(progress: Progress) -> None:
        if progress.done > 0.5:
            raise CancelledError("You stopped this run.")

    with pytest.raises(CancelledError):
        run_selection(plan_for(people(), files), files, stop)


def test_progress_never_goes_back(files: FileStore) -> None:
    seen: list[float] = []
    run_selection(plan_for(people(), files, decision=LENIENT), files, lambda progress: seen.append(progress.done))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_the_sentence_says_how_good_and_how_unfair_the_chosen_model_is(
    kept: tuple[SelectionPlan, SelectionResult, FileStore],
) -> None:
    plan, result, _ = kept
    assert result.audited is not None
    told = sentence(plan, result)
    assert told.startswith("The model with 1/λ = ")
    assert f"of {result.rows[2]} people who had no part in the choice" in told
    assert "unfairness" in told
    assert headline(plan, result).startswith(("The chosen model", "A model was chosen"))


def test_every_failure_of_a_user_is_one_in_words(files: FileStore) -> None:
    broken = [pd.DataFrame({"skill": [1]}), people(20), people(300).drop(columns="sex")]
    for frame in broken:
        with pytest.raises(EvenhandError) as caught:
            run_selection(plan_for(frame, files), files)
        assert caught.value.advice
