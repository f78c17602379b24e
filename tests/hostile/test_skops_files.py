"""skops files whose arrays and attributes lie: answers or a sentence, and at most the child that reads them dies."""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

from core.base.errors import EvenhandError, ModelError
from core.base.files import FileStore
from core.data.dataset import Dataset, Roles
from core.models import SklearnFile
from tests.core.models.skops_matrix import families
from tests.hostile.skops_files import SkopsFile, mutated, plain

CHOSEN = (
    *("logistic", "svc, probability", "forest, three classes", "boosting", "histograms", "neighbours", "splines"),
    *("calibrated, isotonic", "stacking", "mlp", "ordinal to histograms", "target encoding", "columns by type"),
    *("gaussian process", "one-hot, rare together", "columns by place", "grid search, scored", "bagging of columns"),
    *("number: boosting", "number: histograms", "number: of a transformed outcome", "naive bayes, categories"),
)
CRASHED = "makes the library that reads it crash"


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "files")


@cache
def table(outcome: str) -> Dataset:
    """The people with this outcome: hired, level or pay."""
    frame = families.people()[[*families.ALL, "group", outcome]]
    shared: dict[str, Any] = {"outcome": outcome, "protected": ("group",), "features": tuple(families.ALL)}
    shared |= {"outcome_type": "number"} if outcome == "pay" else {"favourable": {"level": "high"}.get(outcome, "yes")}
    return Dataset.build(frame, Roles(**shared))


@cache
def originals() -> tuple[tuple[SkopsFile, str], ...]:
    """Genuine files and the outcomes they answer."""
    frame, found = families.people(), []
    for name, estimator, columns, outcome, _ in families.cases():
        if name in CHOSEN:
            fitted = families.fit(estimator, frame, columns, outcome)
            found.append((SkopsFile(skops.io.dumps(fitted)), outcome))
    assert len(found) == len(CHOSEN)
    return tuple(found)


def predictions(content: bytes, outcome: str, files: FileStore) -> np.ndarray:
    """What the product answers with a file."""
    data = table(outcome)
    model = SklearnFile(file=files.put(content, "m.skops")).load(files, data)
    encoded = model.encode(data)
    return model.predict(encoded) if outcome == "pay" else model.predict_proba(encoded)


def require_good_files_are_answered(files: FileStore) -> None:
    """Nothing that happened before is left in what reads files."""
    file, outcome = originals()[0]
    given = predictions(file.content(), outcome, files)
    np.testing.assert_allclose(given.sum(axis=1), 1)


def test_what_writes_beyond_its_arrays_kills_its_child_at_most(files: FileStore) -> None:
    """scikit-learn adds the answer of the tree in column k to output k, whether there is one or not."""
    fitted = families.fit(GradientBoostingClassifier(n_estimators=3), families.people(), families.NUMBERS, "hired")
    file = SkopsFile(skops.io.dumps(fitted))
    trees = file.of("GradientBoostingClassifier")["estimators_"]
    del trees["content"][1:]
    trees["content"][0]["content"] *= 5_000
    trees["shape"]["content"] = [plain(1), plain(5_000)]
    with pytest.raises(ModelError, match=CRASHED):
        predictions(file.content(), "hired", files)
    require_good_files_are_answered(files)


def test_what_reads_beyond_its_arrays_kills_its_child_at_most(files: FileStore) -> None:
    for name, field in (("Tree", "left_child"), ("TreePredictor", "feature_idx")):
        kind = "forest" if name == "Tree" else "histograms"
        estimator, columns = next((one[1], one[2]) for one in families.cases() if one[0] == kind)
        file = SkopsFile(skops.io.dumps(families.fit(estimator, families.people(), columns, "hired")))
        for array in file.arrays.values():
            if array.dtype.names and field in array.dtype.names:
                array[field][0] = 2**50
                if name == "TreePredictor":
                    array["is_leaf"] = 0
        with pytest.raises(ModelError):
            predictions(file.content(), "hired", files)
    require_good_files_are_answered(files)


def test_a_one_hot_encoder_that_says_another_width_harms_nobody(files: FileStore) -> None:
    """scikit-learn reserves as many columns as a private attribute says, and writes to those of the categories."""
    rows = families.as_trained(families.people(), ["town"])
    model = make_pipeline(OneHotEncoder(), LogisticRegression(max_iter=2)).fit(rows, families.people()["hired"])
    model[0]._n_features_outs = [2]
    with pytest.raises(ModelError):
        predictions(skops.io.dumps(model), "hired", files)
    require_good_files_are_answered(files)


@pytest.mark.parametrize("function", [pd.read_pickle, np.load])
def test_functions_that_read_files_are_refused(function: Any, files: FileStore) -> None:
    model = make_pipeline(FunctionTransformer(), LogisticRegression(max_iter=2))
    model.fit(families.people()[families.NUMBERS], families.people()["hired"])
    model[0].func = function
    with pytest.raises(ModelError, match="not on the fixed list"):
        predictions(skops.io.dumps(model), "hired", files)


def outcome_of(content: bytes, outcome: str, files: FileStore) -> str:
    """How the product takes a file."""
    try:
        predictions(content, outcome, files)
    except EvenhandError as error:
        return "killed its child" if CRASHED in error.what else "refused"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    return "accepted"


def check(seeds: range, files: FileStore) -> None:
    """Change something in genuine files; none may do more than be refused or kill its child."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        file, outcome = originals()[seed % len(CHOSEN)]
        changed = mutated(file, np.random.default_rng(seed)).content()
        counts[outcome_of(changed, outcome, files)] += 1
    print(counts)
    assert set(counts) <= {"accepted", "refused", "killed its child"}, counts
    assert counts["accepted"] > 0 < counts["refused"]
    require_good_files_are_answered(files)


@pytest.mark.filterwarnings("ignore")
def test_files_with_something_changed_end_in_a_sentence_or_in_answers(files: FileStore) -> None:
    check(range(len(CHOSEN)), files)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_thousand_files_with_something_changed(files: FileStore) -> None:
    check(range(1_000, 2_000), files)
