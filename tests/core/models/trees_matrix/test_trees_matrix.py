"""What is read in a file of trees is what its library answers, kind by kind and version by version."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.base.errors import ModelError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.data.encoder import CodeColumn, Encoder
from core.data.roles import Roles
from core.models.formats.trees.source import TreesFile
from tests.core.models.trees_matrix import written

EXACT = 1e-6
ENVIRONMENTS = {
    "xgboost 1.7, lightgbm 3.3": (
        *("numpy==1.26.4", "pandas==2.1.4", "scipy==1.11.4", "scikit-learn==1.2.2"),
        *("lightgbm==3.3.5", "xgboost==1.7.6"),
    ),
    "xgboost 2.1, lightgbm 4.1": (
        *("numpy==1.26.4", "pandas==2.2.3", "scipy==1.13.1", "scikit-learn==1.5.2"),
        *("lightgbm==4.1.0", "xgboost-cpu==2.1.4"),
    ),
    "xgboost 3.0, lightgbm 4.6": (
        *("numpy==2.2.6", "pandas==2.3.3", "scipy==1.15.3", "scikit-learn==1.6.1"),
        *("lightgbm==4.6.0", "xgboost-cpu==3.0.5"),
    ),
}
REFUSED = "xgboost vector leaves ubj"
"""Of older versions: XGBoost 3.2 ends the process that loads them; written as JSON they are put right."""


def read(folder: Path, files: FileStore, *, declare: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """What is answered about the rows of a kind, and what its library answered; shape (n, k) both."""
    about: dict[str, Any] = json.loads((folder / "about.json").read_text())
    frame, outcome = pd.read_csv(folder / "table.csv"), about["outcome"]
    number = outcome == "pay"
    roles = Roles(
        outcome=outcome,
        outcome_type="number" if number else "classes",
        favourable="" if number else str(frame[outcome].max()),
        protected=("sex",),
        features=tuple(about["features"]),
    )
    dataset = Dataset.build(frame, roles)
    lost = [CodeColumn(name=name, categories=tuple(map(str, values))) for name, values in about["lost"].items()]
    encoder = Encoder(columns=tuple(lost)) if lost and declare else None
    file = files.put((folder / about["file"]).read_bytes(), about["file"])
    model = TreesFile(file=file, encoder=encoder).load(files, dataset)
    found = model.answers(model.encode(dataset))
    own = np.load(folder / "answers.npy")[dataset.frame.index]
    if "logitraw" in folder.name:
        own = 1 / (1 + np.exp(-own))
    if model.classes:
        assert model.classes == (("0", "1") if outcome == "grade" else ("8", "9", "10"))
        if "multi softmax" in folder.name:
            own = np.eye(3)[own.astype(int)]
        own = np.column_stack([1 - own, own]) if own.ndim == 1 else own
        own = own / own.sum(axis=1, keepdims=True)
    return found, own.reshape(found.shape)


def check(folder: Path, files: FileStore) -> None:
    """Every kind: the library's own answers, and where the file does not tell enough it is asked for."""
    kinds = sorted(folder.iterdir())
    assert len(kinds) > 100
    for kind in kinds:
        found, own = read(kind, files)
        np.testing.assert_allclose(found, own, rtol=EXACT, atol=EXACT, err_msg=kind.name)
        if json.loads((kind / "about.json").read_text())["lost"]:
            with pytest.raises(ModelError, match="which number each value of"):
                read(kind, files, declare=False)


@pytest.mark.usefixtures("without_wall")
def test_every_kind_that_the_installed_libraries_write_is_answered_as_they_do(tmp_path: Path) -> None:
    written.write(tmp_path / "kinds")
    check(tmp_path / "kinds", FileStore(tmp_path / "files"))


@pytest.fixture(params=ENVIRONMENTS)
def python(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The interpreter of an environment of its own; kept in the folder ``EVENHAND_MATRIX`` where there is one."""
    kept = os.environ.get("EVENHAND_MATRIX", "")
    home = Path(kept or tmp_path) / request.param.replace(" ", "-").replace(",", "")
    interpreter, ready = home / "bin" / "python", home / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        pip = [interpreter, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, *ENVIRONMENTS[request.param]], check=True)
        ready.touch()
    return interpreter


@pytest.mark.long
def test_every_kind_of_older_versions_is_answered_as_they_did(python: Path, tmp_path: Path) -> None:
    subprocess.run([python, written.__file__, tmp_path / "kinds"], check=True, cwd=tmp_path)
    files = FileStore(tmp_path / "files")
    if (kind := tmp_path / "kinds" / REFUSED).exists():
        with pytest.raises(ModelError, match=r"several numbers .* before 3\.2"):
            read(kind, files)
        kind.rename(tmp_path / REFUSED)
    check(tmp_path / "kinds", files)
