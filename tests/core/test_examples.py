import os
import subprocess
import sys
from pathlib import Path

import pytest

from core import examples
from core.errors import DataError
from core.examples import EXAMPLES, open_example
from core.files import FileStore
from core.inference.estimate import Verdict
from core.plan import AuditPlan
from core.run import run_plan

VERDICTS = {
    "hiring-baseline": Verdict.VIOLATION,
    "hiring-sensr": Verdict.NO_VIOLATION,
    "adult-baseline": Verdict.VIOLATION,
    "compas-baseline": Verdict.VIOLATION,
}


def verdict_of(key: str, files: FileStore) -> Verdict:
    plan = open_example(key, files)
    return run_plan(plan, files).detail.verdict(plan.reading)


def test_keys_are_unique_and_three_lead() -> None:
    assert [example.key for example in EXAMPLES] == list(VERDICTS)
    assert not EXAMPLES[0].needs_network
    assert all(example.story.endswith(".") for example in EXAMPLES)


@pytest.mark.parametrize("key", [example.key for example in EXAMPLES if not example.needs_network])
def test_an_embedded_example_tells_its_story(key: str, tmp_path: Path) -> None:
    assert verdict_of(key, FileStore(tmp_path)) is VERDICTS[key]


@pytest.mark.parametrize("key", [example.key for example in EXAMPLES if example.needs_network])
@pytest.mark.usefixtures("real_data")
def test_a_public_example_tells_its_story(key: str, tmp_path: Path) -> None:
    assert verdict_of(key, FileStore(tmp_path)) is VERDICTS[key]


@pytest.mark.parametrize("key", VERDICTS)
def test_opening_an_example_gives_a_plan_that_survives_json(key: str, tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    plan = open_example(key, files)
    assert AuditPlan.model_validate_json(plan.model_dump_json()) == plan
    assert files.path(plan.model.file).stat().st_size == plan.model.file.bytes


def test_opening_an_example_needs_no_network_and_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from core.examples import EXAMPLES, open_example\n"
        "from core.files import FileStore\n"
        "files = FileStore(pathlib.Path(sys.argv[1]))\n"
        "[open_example(example.key, files) for example in EXAMPLES]\n"
        "heavy = {'torch', 'onnxruntime', 'sklearn', 'skops', 'pooch'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    environment = {**os.environ, "EVENHAND_DATA": str(tmp_path / "nothing here")}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, env=environment)


def test_an_unknown_example_and_a_missing_model_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="hiring-baseline"):
        open_example("nothing", FileStore(tmp_path))
    monkeypatch.setattr(examples, "SAMPLE_MODELS", tmp_path)
    with pytest.raises(DataError, match=r"train\.py"):
        open_example("hiring-baseline", FileStore(tmp_path))
