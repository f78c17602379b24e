"""Files that can run code: the lines that convert them, and ``python -m core convert``, which needs to be told to."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from core.models.conversion import RECIPES, lines_for, maker_of
from core.models.sniff import recognise
from tests.command_line import command

RNG = np.random.default_rng(0)
X = RNG.standard_normal((80, 3))
Y = (X[:, 0] > 0).astype(int)


class Bomb:
    """Unpickling it leaves a file behind."""

    def __init__(self, left: Path) -> None:
        self.left = left

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.left),)


def sklearn_joblib(path: Path) -> None:
    joblib.dump(LogisticRegression().fit(X, Y), path)


def xgboost_pickle(path: Path) -> None:
    xgboost = pytest.importorskip("xgboost")
    path.write_bytes(pickle.dumps(xgboost.XGBClassifier(n_estimators=3).fit(X, Y)))


def lightgbm_pickle(path: Path) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    path.write_bytes(pickle.dumps(lightgbm.LGBMClassifier(n_estimators=3, verbose=-1).fit(X, Y)))


def torch_save(path: Path) -> None:
    torch.save(torch.nn.Sequential(torch.nn.Linear(3, 2)), path)


def torch_script(path: Path) -> None:
    torch.jit.save(torch.jit.script(torch.nn.Sequential(torch.nn.Linear(3, 2))), path)


CASES: dict[str, tuple[Callable[[Path], None], str, str, str]] = {
    "sklearn": (sklearn_joblib, "m.joblib", "m.skops", "sklearn"),
    "xgboost": (xgboost_pickle, "m.pkl", "m.json", "trees"),
    "lightgbm": (lightgbm_pickle, "m.pkl", "m.txt", "trees"),
    "torch": (torch_save, "m.pt", "m.safetensors", "torch_mlp"),
    "torchscript": (torch_script, "m.pt", "m.onnx", "onnx"),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("maker", CASES)
def test_a_trusted_file_becomes_one_that_can_be_brought(maker: str, tmp_path: Path) -> None:
    make, name, out, expected = CASES[maker]
    make(tmp_path / name)
    assert maker_of(tmp_path / name) == maker
    more = ["--columns", 3] if maker == "torchscript" else []
    ran = command("convert", tmp_path / name, "--out", tmp_path / out, "--trusted", *more)
    assert ran.status == 0, ran.err
    assert recognise(tmp_path / out, out) == expected


@pytest.mark.parametrize("maker", CASES)
def test_the_lines_name_the_file_and_are_three(maker: str, tmp_path: Path) -> None:
    make, name, _, _ = CASES[maker]
    make(tmp_path / name)
    lines = lines_for(tmp_path / name, "a model's file.pkl")
    assert len(lines) == 3
    assert "a model's file.pkl" in lines[1]
    assert (
        f"'a model\\'s file{RECIPES[maker].suffix}'" in lines[2]
        or f'"a model\'s file{RECIPES[maker].suffix}"' in lines[2]
    )
    compile("\n".join(lines).replace("COLUMNS", "3"), "lines", "exec")


def test_nothing_is_opened_unless_it_is_said_to_be_trusted(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.pkl"
    bomb.write_bytes(pickle.dumps([Bomb(tmp_path / "ran"), "sklearn.linear_model"]))
    assert maker_of(bomb) == "sklearn"
    assert lines_for(bomb, bomb.name)
    ran = command("convert", bomb, "--out", tmp_path / "m.skops")
    assert ran.status == 2
    assert "runs whatever code it carries" in ran.err
    assert not (tmp_path / "ran").exists()


def test_magic_numbers_tell_catboost_and_keras(tmp_path: Path) -> None:
    for head, maker in (
        (b"CBM1rest", "catboost"),
        (b"\x89HDF\r\n\x1a\nrest", "keras"),
        (b"nothing", ""),
        (b"PK\x03\x04cut", ""),
    ):
        (tmp_path / "m").write_bytes(head)
        assert maker_of(tmp_path / "m") == maker
    assert lines_for(tmp_path / "m", "m") == ()


WRONG = {
    "not there": (None, "m.skops", (), "cannot be read"),
    "not told": (b"nothing", "m.skops", (), "What made this file cannot be told"),
    "another end": (b"CBM1rest", "m.skops", (), "must end with .onnx"),
    "no library": (b"CBM1rest", "m.onnx", (), "pip install catboost"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_a_sentence(case: str, tmp_path: Path) -> None:
    content, out, more, said = WRONG[case]
    if content is not None:
        (tmp_path / "m.cbm").write_bytes(content)
    ran = command("convert", tmp_path / "m.cbm", "--out", tmp_path / out, "--trusted", *more)
    assert ran.status == 2
    assert said in ran.err


def test_a_damaged_file_and_a_missing_width_are_sentences(tmp_path: Path) -> None:
    sklearn_joblib(tmp_path / "m.pkl")
    (tmp_path / "m.pkl").write_bytes((tmp_path / "m.pkl").read_bytes()[:-200])
    ran = command("convert", tmp_path / "m.pkl", "--out", tmp_path / "m.skops", "--trusted")
    assert (ran.status, "could not be converted" in ran.err) == (2, True)
    torch_script(tmp_path / "s.pt")
    ran = command("convert", tmp_path / "s.pt", "--out", tmp_path / "s.onnx", "--trusted")
    assert (ran.status, "--columns" in ran.err) == (2, True)
