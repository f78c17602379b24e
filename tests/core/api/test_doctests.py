"""The examples in docstrings of the public door run, from the root of the repository."""

import doctest
from pathlib import Path

import pytest

import core
import core.api
from core.api import bringing, door, made

REPOSITORY = Path(__file__).parents[3]


@pytest.mark.parametrize("module", [core, core.api, door, bringing, made], ids=lambda module: module.__name__)
def test_examples_give_what_they_say(module: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)  # type: ignore[arg-type]
    assert found.failed == 0
    assert found.attempted > 0
