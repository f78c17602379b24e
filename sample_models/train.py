"""Train the sample models, audit them on rows they never saw, and write files, cards and README.

Run it as ``python sample_models/train.py hiring``; Adult and COMPAS are fetched once, or read from ``EVENHAND_DATA``.
"""

import argparse
import logging
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.base.files import FileRef, FileStore
from core.base.progress import ignore_progress
from core.data.attribute import attribute_of
from core.data.encoded import EncodedDataset
from core.models import ModelSource
from core.models.formats.onnx.source import OnnxFile
from core.models.formats.safetensors.source import TorchMLP, write_mlp
from core.models.formats.skops.source import SklearnFile
from core.plan import AuditPlan
from core.workflows.mitigation.baseline import fit_baseline
from core.workflows.mitigation.fitting import fit
from core.workflows.mitigation.networks import Fitted
from core.workflows.mitigation.networks import Training as FairerTraining
from core.workflows.mitigation.prepared import PreparedRows
from core.workflows.mitigation.settings import Base, FairDummiesPenalty
from core.workflows.papers.networks import BalancedTraining, RobustTraining, train_baseline, train_project, train_sensr
from sample_models.cards import FOLDER, Card, card_path, measure, overview, read_card, write_card
from sample_models.exports import write_logistic, write_onnx, write_regression
from sample_models.tables import SEED, TABLES, Table

METHODS = {
    "baseline": "A plain network, as in App. F.3 of the gradient-flow paper; nothing is done for fairness.",
    "project": "The baseline behind a layer that projects out the sensitive subspace of the training rows.",
    "sensr": "Sensitive subspace robustness: trained on the people most like each other that it treats worst.",
    "logistic": "Balanced logistic regression behind scalers and one-hot encoders, saved with skops.",
    "plain logistic": "Logistic regression with scikit-learn's settings behind one-hot encoders, saved with skops.",
    "linear": "Least squares behind a scaler, saved with skops.",
    "fair": "A linear model trained to fool a network that tells true groups from fair dummies (Romano et al. 2020).",
    "ridge": "Ridge regression behind scalers and a one-hot encoder, saved with skops.",
    "onnx": "The baseline's weights as an ONNX graph.",
}

log = logging.getLogger("sample_models")


def main(arguments: list[str] | None = None) -> None:
    """Train what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", default="all", choices=[*TABLES, "all"])
    parser.add_argument("--steps", type=int, help="Training steps, instead of the recipe's own; for a quick try.")
    parser.add_argument("--out", type=Path, default=FOLDER, help="Folder for the files.")
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    chosen.out.mkdir(parents=True, exist_ok=True)
    for key in TABLES if chosen.table == "all" else [chosen.table]:
        train_table(key, chosen.out, chosen.steps)
    cards = [read_card(path) for path in chosen.out.glob("*.card.json")]
    (chosen.out / "README.md").write_text(overview(cards), encoding="utf-8")


def train_table(key: str, out: Path, steps: int | None = None) -> None:
    """Train and audit every model of one table.

    Args:
        key: Which of ``TABLES``.
        out: Folder for files and cards.
        steps: Training steps instead of the recipe's own.
    """
    table = TABLES[key]
    rows = table.training_rows()
    for name, recipe in table.networks.items():
        started = time.perf_counter()
        shortened = recipe if steps is None else recipe.model_copy(update={"steps": steps})
        path = out / f"{key}_{name}.safetensors"
        train_network(name, table, rows, shortened, path)
        _describe(name, table, rows, path, shortened.model_dump())
        log.info("%s in %.0f s", path.name, time.perf_counter() - started)
    if table.logistic:
        path = out / f"{key}_logistic.skops"
        write_logistic(path, rows, SEED, plain=table.logistic == "plain logistic")
        _describe(table.logistic, table, rows, path, {"ridge": 1.0})
    if table.regression:
        path, ridge = out / f"{key}_{table.regression}.skops", 1.0 if table.regression == "ridge" else 0.0
        write_regression(path, rows, ridge)
        _describe(table.regression, table, rows, path, {"ridge": ridge})
    if table.fairer:
        path = out / f"{key}_fair.safetensors"
        train_fairer(table, rows, table.fairer, path)
        _describe("fair", table, rows, path, {**table.fairer.model_dump(), "strength": table.strength})


def train_network(name: str, table: Table, rows: EncodedDataset, recipe: BalancedTraining, path: Path) -> None:
    """Train one network and write it, for the hiring baseline as ONNX too."""
    if isinstance(recipe, RobustTraining):
        module = train_sensr(rows.x, rows.y, table.free_directions(rows), recipe, SEED)
    elif name == "project":
        module = train_project(rows.x, rows.y, table.free_directions(rows), recipe, SEED)
    else:
        module = train_baseline(rows.x, rows.y, recipe, SEED)
    write_mlp(path, module, encoder=rows.encoder, classes=rows.classes)
    if path.stem == "hiring_baseline":
        write_onnx(path.with_suffix(".onnx"), module)
        _describe("onnx", table, rows, path.with_suffix(".onnx"), recipe.model_dump())


def train_fairer(table: Table, rows: EncodedDataset, penalty: FairDummiesPenalty, path: Path) -> None:
    """Fit a linear model of a number towards equalized odds for the first protected attribute, and write it."""
    dataset = rows.dataset
    attribute = attribute_of(dataset, dataset.roles.protected[0])
    people = PreparedRows(rows.x, dataset.numbers, attribute.codes, 0, len(attribute.groups))
    baseline = fit_baseline(people, Base(), SEED, ignore_progress, "Fitting the baseline")
    fair = fit(penalty, FairerTraining(people, baseline, table.strength, Base(), SEED))
    if not isinstance(fair, Fitted):
        raise TypeError("A lottery of models has no file.")
    write_mlp(path, fair.module, encoder=rows.encoder, classes=())


def _describe(name: str, table: Table, rows: EncodedDataset, path: Path, training: dict[str, object]) -> None:
    files = FileStore()
    roles = rows.dataset.roles
    model = _source(files.put(path.read_bytes(), path.name), rows)
    plan = AuditPlan(data=table.test, roles=roles, model=model, audit=table.audit, seed=SEED)
    card = Card(
        file=path.name,
        title=f"{table.title}: {name}",
        purpose=f"Predicts {table.task}.",
        method=METHODS[name],
        training_rows=len(rows),
        training={**training, "seed": SEED},
        plan=plan,
        finding=measure(plan, files),
        limits=table.limits,
    )
    write_card(card, card_path(path))
    log.info("%s: %s", path.name, card.finding.verdict)


def _source(file: FileRef, rows: EncodedDataset) -> ModelSource:
    """How the file is read; ONNX graphs do not carry their preprocessing, so the plan declares it."""
    if file.suffix == ".onnx":
        return OnnxFile(file=file, encoder=rows.encoder, classes=rows.classes, trained_on="other rows")
    kind = SklearnFile if file.suffix == ".skops" else TorchMLP
    return kind(file=file, trained_on="other rows")


if __name__ == "__main__":
    main()
