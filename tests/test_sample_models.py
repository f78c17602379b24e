from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from sklearn.linear_model import LinearRegression, LogisticRegression
from torch.nn import functional as F  # noqa: N812

from core.audits.gradient_flow.settings import GradientFlow
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import Encoder
from core.inference.estimate import Verdict
from core.metrics.sensitive_subspace import SensitiveSubspace
from core.models.formats.skops.source import SklearnFile
from core.plan import AuditPlan
from core.run import find, run_plan
from core.sources.simulated.hiring import Hiring
from core.workflows.examples import SAMPLE_MODELS, example
from core.workflows.mitigation.settings import SenSR as Moves
from core.workflows.mitigation.similar import Attack
from core.workflows.papers import networks
from core.workflows.papers.networks import BalancedTraining, RobustTraining, train_baseline, train_project, train_sensr
from sample_models import train
from sample_models.cards import Card, card_path, measure, overview, read_card
from sample_models.exports import write_logistic
from sample_models.tables import TABLES, Table

FILES = sorted(path for path in SAMPLE_MODELS.iterdir() if path.suffix in {".safetensors", ".onnx", ".skops"})
EXPECTED = {f"{table}_{name}.safetensors" for table in TABLES for name in TABLES[table].networks} | {
    "hiring_baseline.onnx",
    "hiring_logistic.skops",
    "compas_faith_logistic.skops",
    "diabetes_ridge.skops",
    "two_slopes_fair.safetensors",
    "two_slopes_linear.skops",
}
MEASURED_LATER = (
    "hiring_baseline.onnx",
    "adult",
    "compas_faith",
    "compas_project",
    "compas_sensr",
    "diabetes",
    "hiring_project",
    "hiring_sensr",
    "hiring_baseline.safetensors",
    "hiring_logistic",
    "two_slopes",
)
"""Beginnings of names: large tables, and models beside which others of the same table are measured by default."""
WITH_NETWORKS = [name for name, table in TABLES.items() if table.networks]


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    store = FileStore(tmp_path / "files")
    for path in FILES:
        store.put(path.read_bytes(), path.name)
    return store


def card_of(path: Path) -> Card:
    return read_card(card_path(path))


def measured(path: Path) -> Any:
    """A model's file as a parameter of a test: by default, or only where long tests are asked for."""
    later = path.name.startswith(MEASURED_LATER)
    return pytest.param(path, marks=pytest.mark.long) if later else path


def check_card(path: Path, files: FileStore) -> None:
    """The card names these bytes, and its numbers come out again."""
    card = card_of(path)
    assert card.plan.model.file == files.put(path.read_bytes(), path.name)
    assert card.plan.data.part == "test"
    found = measure(card.plan, files)
    assert found.verdict == card.finding.verdict
    assert type(found) is type(card.finding)
    numbers = found.model_dump(exclude={"verdict"})
    assert numbers == pytest.approx(card.finding.model_dump(exclude={"verdict"}), rel=2e-3)


def test_every_promised_model_is_there_with_its_card() -> None:
    assert {path.name for path in FILES} == EXPECTED
    assert all(card_path(path).is_file() for path in FILES)
    assert all(path.stat().st_size < 200_000 for path in FILES)


@pytest.mark.parametrize(
    "path", [measured(path) for path in FILES if path.name.startswith("hiring")], ids=lambda path: path.name
)
def test_cards_of_hiring_models_are_measured_again(path: Path, files: FileStore) -> None:
    check_card(path, files)


@pytest.mark.parametrize(
    "path", [measured(path) for path in FILES if not path.name.startswith("hiring")], ids=lambda path: path.name
)
@pytest.mark.usefixtures("real_data")
def test_cards_of_public_tables_are_measured_again(path: Path, files: FileStore) -> None:
    check_card(path, files)


def test_the_readme_is_the_overview_of_the_cards() -> None:
    assert (SAMPLE_MODELS / "README.md").read_text(encoding="utf-8") == overview([card_of(path) for path in FILES])


@pytest.mark.parametrize("table", WITH_NETWORKS)
def test_the_baseline_is_in_violation_and_sensr_is_not(table: str) -> None:
    """As in Table 4 (COMPAS) of the paper; the cards' numbers are measured again above.

    On Adult (Table 1) the learned metric is too uncertain for the baseline's violation: metrics learned from halves of
    the 9,045 rows put its ratio between 1.09 and 4.3. Given exactly the paper's metric it is found.
    """
    baseline = Verdict.INSUFFICIENT if table == "adult" else Verdict.VIOLATION
    verdicts = {
        name: card_of(SAMPLE_MODELS / f"{table}_{name}.safetensors").finding.verdict for name in ("baseline", "sensr")
    }
    assert verdicts == {"baseline": baseline.value, "sensr": Verdict.NO_VIOLATION.value}


@pytest.mark.parametrize("table", ["hiring", "adult"])
def test_adult_and_hiring_are_audited_at_the_settings_of_the_paper(table: str) -> None:
    card = card_of(SAMPLE_MODELS / f"{table}_baseline.safetensors")
    audit = card.plan.audit
    assert (audit.regularisation, audit.steps, audit.step_size, card.plan.decision.delta) == (50, 500, 0.01, 1.25)
    assert audit.integrator == "euler"
    assert audit.metric.learn_on == "audited rows"


def test_the_fair_linear_model_weighs_both_columns_of_example_1_1_alike() -> None:
    """By symmetry of the simulation equalized odds holds for equal slopes. Least squares favours the majority's."""
    rows = TABLES["two_slopes"].training_rows()
    weights = load_file(SAMPLE_MODELS / "two_slopes_fair.safetensors")["0.weight"][0]
    slopes = weights / [column.scale for column in rows.encoder.columns]
    numbers = rows.dataset.frame[["x1", "x2"]].to_numpy(dtype=float)
    plain = LinearRegression().fit(numbers, rows.dataset.numbers).coef_
    assert slopes[0] == pytest.approx(slopes[1], rel=0.1)
    assert plain[0] < 0.6 * plain[1]
    findings = [
        card_of(SAMPLE_MODELS / name).finding for name in ("two_slopes_linear.skops", "two_slopes_fair.safetensors")
    ]
    assert [one.p_value <= 0.05 for one in findings] == [True, False]


def test_the_fairer_fit_of_a_table_gives_the_same_bytes_twice(tmp_path: Path) -> None:
    table = TABLES["two_slopes"]
    rows = table.training_rows()
    penalty = table.fairer.model_copy(update={"epochs": 2})
    for copy in ("first", "second"):
        train.train_fairer(table, rows, penalty, tmp_path / f"{copy}.safetensors")
    assert (tmp_path / "first.safetensors").read_bytes() == (tmp_path / "second.safetensors").read_bytes()


def test_the_onnx_file_is_the_baseline() -> None:
    onnx, weights = (card_of(SAMPLE_MODELS / f"hiring_baseline.{kind}").finding for kind in ("onnx", "safetensors"))
    assert onnx.loss_ratio == pytest.approx(weights.loss_ratio, rel=1e-6)


@pytest.mark.usefixtures("real_data")
def test_the_faith_model_is_scikit_learns_regression_with_its_own_settings(files: FileStore) -> None:
    """Section 5.1 of papers/faith.md: "vanilla" logistic regression on 70% of the rows; fitted here on the encoder's
    columns, and asked about all 72 kinds of people.
    """
    table = TABLES["compas_faith"]
    rows = table.training_rows()
    assert len(rows) == 3_694
    fitted = LogisticRegression(max_iter=1_000).fit(rows.x, rows.y)
    card = card_of(SAMPLE_MODELS / "compas_faith_logistic.skops")
    audited = table.dataset("test")
    everybody = replace(audited, frame=rows.dataset.frame.drop_duplicates(list(rows.encoder.features)))
    model = card.plan.model.load(files, audited)
    assert (model.classes, rows.classes) == (("0", "1"), ("1", "0"))
    expected = fitted.predict_proba(rows.encoder.transform(everybody.frame))[:, ::-1]
    np.testing.assert_allclose(model.predict_proba(model.encode(everybody)), expected, atol=1e-6)


@pytest.mark.parametrize("is_fair", [True, False])
@pytest.mark.long
def test_an_audit_finds_the_truth_of_the_hiring_round(is_fair: bool, tmp_path: Path) -> None:
    """The same model and training on labels with and without bias: only biased labels give a violation.

    It takes 6,400 rows to pin the metric down; from 1,000 some resamples find a violation of the fair model.
    """
    source = Hiring(fair=is_fair, rows=40_000, seed=1)
    table = Table("hiring", "", source.model_copy(update={"part": "test"}), example("hiring-baseline").audits[0], "")
    path = tmp_path / "logistic.skops"
    write_logistic(path, table.training_rows(), seed=0)
    files = FileStore(tmp_path / "files")
    plan = AuditPlan(
        data=table.test,
        roles=table.dataset("test").roles,
        model=SklearnFile(file=files.put(path.read_bytes(), path.name)),
        audit=GradientFlow(metric=SensitiveSubspace(held_out=0.8)),
    )
    verdict = find(run_plan(plan, files), plan.decision).verdict
    assert verdict is (Verdict.NO_VIOLATION if is_fair else Verdict.VIOLATION)


@pytest.fixture(scope="module")
def toy() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """600 rows of 4 columns: the first decides, the second copies it and is sensitive."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((600, 4))
    x[:, 1] = x[:, 0] + 0.3 * rng.standard_normal(600)
    y = (x[:, 0] + 0.3 * rng.standard_normal(600) > 0).astype(np.int64)
    return x, y, np.array([[0.0, 1.0, 0.0, 0.0]])


def test_the_projection_network_cannot_see_the_sensitive_subspace(toy: tuple[np.ndarray, ...]) -> None:
    x, y, free = toy
    module = train_project(x, y, free, BalancedTraining(steps=50), seed=0)
    torch.testing.assert_close(module[0].weight @ torch.from_numpy(free.T).float(), torch.zeros(50, 1))
    moved = x + 5.0 * free
    torch.testing.assert_close(module(torch.from_numpy(x).float()), module(torch.from_numpy(moved).float()))


@pytest.mark.long
def test_sensr_depends_less_on_the_sensitive_direction_than_the_baseline(toy: tuple[np.ndarray, ...]) -> None:
    x, y, free = toy
    recipe = RobustTraining(steps=300, learning_rate=1e-3, batch=100)

    def slope(module: torch.nn.Module) -> float:
        start = torch.from_numpy(x).float()
        change = module(start + torch.from_numpy(free).float()) - module(start)
        return float((change[:, 1] - change[:, 0]).detach().abs().mean())

    plain = train_baseline(x, y, BalancedTraining(steps=300, learning_rate=1e-3, batch=100), seed=0)
    robust = train_sensr(x, y, free, recipe, seed=0)
    assert slope(robust) < 0.2 * slope(plain)
    answers = robust(torch.from_numpy(x).float()).argmax(dim=1).numpy()
    assert (answers == y).mean() > 0.85


def attack_of(free: np.ndarray, moves: Moves) -> Attack:
    tensor = torch.from_numpy(free).float()
    return Attack(moves, tensor, torch.eye(tensor.shape[1]) - tensor.T @ tensor, 2)


def test_the_subspace_attack_stays_in_the_subspace_and_raises_the_loss(toy: tuple[np.ndarray, ...]) -> None:
    x, y, free = toy
    module = train_baseline(x, y, BalancedTraining(steps=300, learning_rate=1e-3), seed=0)
    rows, labels = torch.from_numpy(x).float(), torch.from_numpy(y)
    attack = attack_of(free, Moves(priced_steps=0))
    moved = attack(module, rows, labels)
    torch.testing.assert_close(moved[:, [0, 2, 3]], rows[:, [0, 2, 3]])
    losses = [F.cross_entropy(module(batch), labels, reduction="none") for batch in (rows, moved)]
    assert (losses[1] >= losses[0]).all()
    assert losses[1].mean() > 2 * losses[0].mean()


@pytest.mark.long
def test_the_price_of_distance_keeps_the_attack_near_its_budget(toy: tuple[np.ndarray, ...]) -> None:
    x, y, free = toy
    module = train_baseline(x, y, BalancedTraining(steps=300, learning_rate=1e-3), seed=0)
    rows, labels = torch.from_numpy(x).float(), torch.from_numpy(y)
    recipe = Moves(budget=0.02, priced_steps=50, priced_step_size=0.01, free_steps=0)
    attack = attack_of(free, recipe)

    def spend() -> float:
        return float(attack.squared(attack(module, rows, labels) - rows).mean())

    attack.price = 1e-5
    unpriced = spend()
    steered = np.mean([spend() for _ in range(60)][30:])
    assert unpriced > 5 * recipe.budget
    assert recipe.budget / 2 < steered < recipe.budget * 2


def test_batches_hold_as_many_rows_of_each_class() -> None:
    y = np.array([0] * 90 + [1] * 10)
    batches = list(networks._balanced_batches(y, BalancedTraining(batch=8, steps=20), np.random.default_rng(0)))
    assert len(batches) == 20
    assert all(y[batch.numpy()].sum() == 4 for batch in batches)


def test_training_leaves_torch_as_it_was(toy: tuple[np.ndarray, ...]) -> None:
    x, y, free = toy
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    train_sensr(x, y, free, RobustTraining(steps=1), seed=0)
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("name", TABLES["hiring"].networks)
def test_training_twice_gives_the_same_bytes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TABLES["hiring"]
    monkeypatch.setattr(train, "_describe", lambda *arguments: None)
    dataset = table.dataset("train").take(np.arange(2_000))
    encoder = Encoder.fit(dataset.frame, dataset.roles.features)
    rows = train.EncodedDataset(
        dataset, encoder, encoder.transform(dataset.frame), dataset.label_codes(dataset.labels), dataset.labels
    )
    recipe = table.networks[name].model_copy(update={"steps": 3})
    for copy in ("first", "second"):
        train.train_network(name, table, rows, recipe, tmp_path / f"{copy}.safetensors")
    assert (tmp_path / "first.safetensors").read_bytes() == (tmp_path / "second.safetensors").read_bytes()


@pytest.mark.long
def test_the_script_writes_files_cards_and_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = TABLES["hiring"].test.model_copy(update={"rows": 2_000})
    monkeypatch.setitem(TABLES, "hiring", replace(TABLES["hiring"], test=few))
    train.main(["hiring", "--steps", "300", "--out", str(tmp_path / "models")])
    expected = {name for name in EXPECTED if name.startswith("hiring")}
    assert {path.name for path in (tmp_path / "models").iterdir()} == (
        expected | {f"{name}.card.json" for name in expected} | {"README.md"}
    )
    assert read_card(tmp_path / "models" / "hiring_sensr.safetensors.card.json").training["steps"] == 300


def test_rows_for_training_and_rows_for_audits_are_disjoint() -> None:
    table = TABLES["hiring"]
    train_rows, test_rows = table.dataset("train"), table.dataset("test")
    assert isinstance(test_rows, Dataset)
    whole = table.test.model_copy(update={"part": "all"}).load(FileStore())
    assert len(train_rows) + len(test_rows) == len(whole)
    assert train_rows.fingerprint != test_rows.fingerprint
