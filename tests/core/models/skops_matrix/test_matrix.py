"""Files that scikit-learn wrote, of every family and of older versions: its own answers, or a sentence; none wrong."""

import json
import os
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
import skops.io

from core.base.errors import EvenhandError
from core.base.files import FileStore
from core.data.dataset import Dataset, Roles
from core.models import SklearnFile
from core.models.formats.skops.inside import open_file
from core.models.formats.skops.said import SklearnSaid
from core.wall.inside import RefusedError
from tests.core.models.skops_matrix import families

VERSIONS = {
    "1.2.2": ("scikit-learn==1.2.2", "skops==0.6.0", "numpy<1.25", "pandas<2", "scipy<1.11"),
    "1.4.2": ("scikit-learn==1.4.2", "skops==0.10.0", "numpy<2", "pandas<2.3"),
    "1.6.1": ("scikit-learn==1.6.1", "skops==0.11.0", "numpy<2.3", "pandas<2.3"),
    "1.7.2": ("scikit-learn==1.7.2", "skops==0.13.0", "numpy<2.4", "pandas<3"),
}
"""What is installed beside each older scikit-learn: the skops of its time."""
FEWEST_READ = {"1.2.2": 0.8, "1.4.2": 0.95, "1.6.1": 0.95, "1.7.2": 0.95, sklearn.__version__: 1.0}
"""Share of its files that must be answered, not refused."""
AGREEMENT = 1e-6
BUILT = {"grade_text": "grade", "job_category": "job", "town_category": "town"}

SOME = (
    *("logistic, band", "ridge, three classes", "sgd, hinge", "sgd, log loss, three classes", "svc, probability"),
    *("svc, flag", "forest, three classes", "boosting, band", "histograms, categories by number", "ada"),
    *("bagging of columns", "neighbours, ball tree", "naive bayes, Bernoulli", "gaussian process", "mlp"),
    *("calibrated, sigmoid", "calibrated, isotonic", "stacking", "voting, hard", "grid search, scored", "splines"),
    *("one-hot of numbers", "one-hot of numbers written as text", "ordinal to histograms", "columns by type"),
    *("columns left out", "polynomial", "components", "k best", "iterative imputer", "target encoding"),
    *("histograms, categories by type", "threshold fixed", "gaps: histograms", "gaps: as a category"),
    *("gaps: target encoding", "number: svr", "number: boosting, quantile", "number: of a transformed outcome"),
    *("on plain numbers", "on a plain table of objects"),
)
"""Of each kind one, for the default suite."""


def columns_of(case: dict[str, Any]) -> list[str]:
    """The table's columns that an estimator was fitted on, by the names they have in the table."""
    return [BUILT.get(name, name) for name in case["columns"] if name not in ("plain", "never there")]


def answered_inside(path: Path, case: dict[str, Any], frame: pd.DataFrame) -> np.ndarray:
    """What the wall's child answers, without the wall."""
    inside = open_file(path, {})
    said = SklearnSaid.model_validate_json(json.dumps(inside.said, allow_nan=False))
    return inside.answer(frame[list(said.columns) if said.columns is not None else columns_of(case)])


def answered(path: Path, case: dict[str, Any], frame: pd.DataFrame, files: FileStore) -> tuple[np.ndarray, pd.Index]:
    """What the product answers, its columns in the order of the file's classes, and the rows that it answers."""
    outcome, columns = case["outcome"], columns_of(case)
    shared: dict[str, Any] = {"outcome": outcome, "protected": ("group",), "features": tuple(columns)}
    if case["classes"]:
        shared |= {"favourable": str(case["classes"][0])}
        shared |= {"categorical": ("grade",)} if "grade_text" in case["columns"] else {}
    else:
        shared |= {"outcome_type": "number"}
    data = Dataset.build(frame[[*columns, "group", outcome]], Roles(**shared))
    model = SklearnFile(file=files.put(path.read_bytes(), "m.skops")).load(files, data)
    encoded = model.encode(data)
    if not case["classes"]:
        return model.predict(encoded)[:, None], data.frame.index
    order = [model.classes.index(str(one)) for one in case["classes"]]
    return model.predict_proba(encoded)[:, order], data.frame.index


def written(folder: Path, cases: list[Any]) -> Iterator[tuple[dict[str, Any], Path, np.ndarray, pd.DataFrame]]:
    """Each case with its file, the library's own answers, and the table; by the installed scikit-learn."""
    whole = families.people()
    whole.to_csv(folder / "people.csv", index=False)
    families.with_gaps(whole).to_csv(folder / "gaps.csv", index=False)
    for name, estimator, columns, outcome, gaps in cases:
        frame = families.with_gaps(whole) if gaps else whole
        fitted = families.fit(estimator, frame, columns, outcome)
        own = families.answers(fitted, families.as_trained(frame, columns))
        path = folder / "m.skops"
        skops.io.dump(fitted, path)
        classes = np.asarray(getattr(fitted, "classes_", [])).tolist()
        case = {"name": name, "columns": columns, "outcome": outcome, "gaps": gaps, "classes": classes}
        yield case, path, own, pd.read_csv(folder / ("gaps.csv" if gaps else "people.csv"))


@pytest.mark.filterwarnings("ignore")
def test_answers_of_some_of_each_kind_are_the_librarys_own(tmp_path: Path) -> None:
    chosen = [case for case in families.cases() if case[0] in SOME]
    assert {case[0] for case in chosen} == set(SOME)
    for case, path, own, frame in written(tmp_path, chosen):
        np.testing.assert_allclose(answered_inside(path, case, frame), own, atol=AGREEMENT, err_msg=case["name"])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["band", "one-hot of numbers written as text", "calibrated, sigmoid", "svc"])
def test_the_product_gives_the_librarys_own_answers(name: str, tmp_path: Path) -> None:
    """Through the wall; also where the classes are 9, 10, 100 and the least is the favourable one."""
    name = "forest, band" if name == "band" else name
    chosen = [case for case in families.cases() if case[0] == name]
    ((case, path, own, frame),) = written(tmp_path, chosen)
    given, rows = answered(path, case, frame, FileStore(tmp_path / "files"))
    np.testing.assert_allclose(given, own[rows], atol=AGREEMENT)


def installed(version: str, folder: Path) -> Path:
    """Python with an older scikit-learn: the one in ``EVENHAND_SKLEARN_ENVIRONMENTS``, or one that is made here."""
    kept = os.environ.get("EVENHAND_SKLEARN_ENVIRONMENTS")
    home = (Path(kept) if kept else folder) / version
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        if subprocess.run([python, "-m", "pip", "install", "-q", *VERSIONS[version]], check=False).returncode:
            pytest.skip(f"scikit-learn {version} cannot be installed here.")
    return python


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", [*VERSIONS, sklearn.__version__])
def test_files_of_a_version_are_answered_as_it_did_or_refused_in_a_sentence(version: str, tmp_path: Path) -> None:
    python = Path(sys.executable) if version == sklearn.__version__ else installed(version, tmp_path)
    folder = tmp_path / "written"
    here = Path(__file__).parent
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore", "PYTHONPATH": str(here)}
    subprocess.run([python, here / "write.py", folder], check=True, env=environment)
    told = json.loads((folder / "cases.json").read_text())
    assert told["scikit-learn"] == version
    tables = {gaps: pd.read_csv(folder / f"{name}.csv") for gaps, name in ((False, "people"), (True, "gaps"))}
    counts: Counter[str] = Counter()
    wrong, silent = [], []
    files = FileStore(tmp_path / "files")
    for case in (case for case in told["cases"] if "classes" in case):
        path = folder / case["file"]
        own, frame = np.load(path.with_suffix(".npy")), tables[case["gaps"]]
        try:
            inside = answered_inside(path, case, frame)
        except (RefusedError, EvenhandError) as error:
            counts["refused"] += 1
            if not error.what or not error.advice or (version not in error.what and version != sklearn.__version__):
                silent.append((case["name"], error))
            continue
        counts["accepted"] += 1
        if not np.allclose(inside, own, rtol=0, atol=AGREEMENT):
            wrong.append(case["name"])
        if not case["gaps"] and case["name"] in SOME:
            given, rows = answered(path, case, frame, files)
            if not np.allclose(given, own[rows], rtol=0, atol=AGREEMENT):
                wrong.append(f"{case['name']}, behind the wall")
    print(version, dict(counts), wrong)
    assert not wrong
    assert not silent
    assert counts["accepted"] >= FEWEST_READ[version] * counts.total()


def test_a_file_is_read_without_a_word_to_anybody(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    frame = families.people()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = families.fit(sklearn.ensemble.RandomForestClassifier(3, verbose=2), frame, families.NUMBERS, "hired")
        capfd.readouterr()
        skops.io.dump(fitted, tmp_path / "m.skops")
        open_file(tmp_path / "m.skops", {}).answer(frame[families.NUMBERS])
    assert capfd.readouterr() == ("", "")
