"""skops files of allowed types whose arrays and attributes lie: a sentence or the rebuilt model's answers, no crash."""

import os
import signal
import traceback
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from threadpoolctl import threadpool_limits

from core.errors import EvenhandError, ModelError
from core.files import FileStore
from core.models import SklearnFile
from core.models.formats.skops.file import load_skops
from tests.builders_estimators import CASES, fitted, table
from tests.hostile.skops_files import SkopsFile, mutated, plain

_BATCH = 250
_SECONDS = 120


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "files")


def predictions(content: bytes, outcome: str, files: FileStore) -> np.ndarray:
    """What the product answers with a file."""
    data = table(outcome)
    model = SklearnFile(file=files.put(content, "m.skops")).load(files, data)
    encoded = model.encode(data)
    return model.predict(encoded) if outcome == "pay" else model.predict_proba(encoded)


def again(content: bytes, outcome: str, files: FileStore) -> np.ndarray:
    """What the product answers with the rebuilt model, saved and read once more."""
    path = files.path(files.put(content, "m.skops"))
    return predictions(skops.io.dumps(load_skops(path, "m.skops")[0]), outcome, files)


@pytest.mark.parametrize("columns", [2, 50, 2000])
def test_boosted_trees_wider_than_the_outputs_are_refused(columns: int, files: FileStore) -> None:
    """scikit-learn adds the answer of the tree in column k to output k, whether there is one or not."""
    file = SkopsFile(skops.io.dumps(fitted("boosting", "hired")[0]))
    trees = file.of("GradientBoostingClassifier")["estimators_"]
    del trees["content"][1:]
    trees["content"][0]["content"] *= columns
    trees["shape"]["content"] = [plain(1), plain(columns)]
    with pytest.raises(ModelError, match=r"'estimators_' .* does not hold 1 trees"):
        predictions(file.content(), "hired", files)


def test_a_one_hot_encoder_knows_its_own_width(files: FileStore) -> None:
    """scikit-learn reserves as many columns as a private attribute says, and writes to those of the categories."""
    towns = pd.DataFrame({"town": [f"town {i}" for i in range(1002)]})
    model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=2))
    model.fit(towns, np.arange(1002) % 2)
    expected = model.predict_proba(towns)
    model[0]._n_features_outs = [2]
    rebuilt, _ = load_skops(files.path(files.put(skops.io.dumps(model), "m.skops")), "m.skops")
    assert rebuilt[0]._n_features_outs == [1002]
    for _ in range(20):
        np.testing.assert_array_equal(rebuilt.predict_proba(towns), expected)


def outcome_of(content: bytes, outcome: str, files: FileStore) -> str:
    """How the product takes a file."""
    try:
        given = predictions(content, outcome, files)
    except EvenhandError as error:
        return "fell back" if "do not fit together" in error.what or "does not hold what" in error.what else "refused"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    try:
        same = np.array_equal(given, again(content, outcome, files))
    except EvenhandError as error:
        return f"the rebuilt model: {error.what}"
    return "accepted" if same else "differs from the rebuilt model"


def run_mutations(seeds: range, files: FileStore) -> Counter[str]:
    """How files with something changed fare, each batch in a process of its own, so that a crash is seen."""
    originals = [(SkopsFile(skops.io.dumps(fitted(*case)[0])), case[1]) for case in CASES]
    counts: Counter[str] = Counter()
    position = seeds.start
    while position < seeds.stop:
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            _batch(range(position, min(position + _BATCH, seeds.stop)), originals, files, writer)
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as stream:
            said = [line.rstrip("\n") for line in stream]
        _, status = os.waitpid(child, 0)
        counts.update(said)
        position += len(said)
        if status:
            counts[f"crashed with status {os.waitstatus_to_exitcode(status)} at seed {position}"] += 1
            position += 1
    return counts


def _batch(seeds: range, originals: list[tuple[SkopsFile, str]], files: FileStore, writer: int) -> None:
    """One line for each file; never returns."""
    status = 1
    try:
        with threadpool_limits(1), os.fdopen(writer, "w", encoding="utf-8") as stream:
            for seed in seeds:
                signal.alarm(_SECONDS)
                rng = np.random.default_rng(seed)
                file, outcome = originals[seed % len(originals)]
                print(
                    outcome_of(mutated(file, rng).content(), outcome, files).replace("\n", " "), file=stream, flush=True
                )
        status = 0
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(status)


def check(counts: Counter[str]) -> None:
    print(counts)
    assert set(counts) <= {"accepted", "refused", "fell back"}, counts
    assert counts["accepted"] > 0 < counts["refused"]


def test_files_with_something_changed_end_in_a_sentence_or_in_the_rebuilt_models_answers(files: FileStore) -> None:
    check(run_mutations(range(100), files))


@pytest.mark.long
def test_ten_thousand_files_with_something_changed(files: FileStore) -> None:
    check(run_mutations(range(1_000, 11_000), files))
