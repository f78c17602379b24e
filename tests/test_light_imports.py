"""What must not wait for a heavy library: what forks for the worker, tables of kinds, pages, an example, a result."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.pages import PAGES
from tests.test_layers import FIRST_PAGE

REPOSITORY = Path(__file__).parents[1]
LEARNING = {"torch", "sklearn", "onnxruntime", "onnx", "skops"}
STAGES = {
    "worker's start": "import dashboard.jobs.__main__",
    "first words": "import dashboard.views.home.page",
    "worker": "import dashboard.jobs.worker, dashboard.jobs.tasks",
    "formats": (
        "import core.contracts.model, core.models, core.models.sniff, core.models.inspection, core.models.module"
    ),
    "first page": f"import core.audits, dashboard.pages, core.workflows.examples, {', '.join(FIRST_PAGE)}",
    "examples": (
        "import pathlib; from core.base.files import FileStore\n"
        "from core.workflows.examples import EXAMPLES, open_example\n"
        "for example in EXAMPLES: open_example(example.key, FileStore(pathlib.Path(sys.argv[1])))"
    ),
    "pages": "import " + ", ".join(f"dashboard.views.{name}.page" for name in (*PAGES, "results")),
    "results": (
        "from core.audits import KINDS; from core.finding import room_of\n[room_of(kind) for kind in KINDS.values()]"
    ),
    "layers": "import core.models.layers",
}
"""Each is run after the one before it, in one process."""
FORBIDDEN = {
    "worker's start": LEARNING | {"numpy", "pandas", "sqlalchemy", "core.audits", "dashboard.jobs.worker"},
    "first words": LEARNING | {"numpy", "pandas", "sqlalchemy", "core.audits", "core.models"},
    "worker": LEARNING | {"sqlalchemy", "scipy.stats", "core.report", "core.workflows.table"},
    "formats": LEARNING | {"safetensors"},
    "first page": LEARNING | {"transformers", "cvxpy", "scipy.stats", "dashboard.views.results.page"},
    "examples": LEARNING | {"pooch"},
    "pages": LEARNING,
    "results": {"torch", "onnxruntime", "onnx", "skops"},
}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The modules that are there after each stage, without a network and without tables on the disk."""
    folder = tmp_path_factory.mktemp("home")
    program = "import json, sys\nfound = {}\n" + "".join(
        f"{code}\nfound[{stage!r}] = sorted(sys.modules)\n" for stage, code in STAGES.items()
    )
    ran = subprocess.run(
        [sys.executable, "-c", program + "print(json.dumps(found))", str(folder)],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        check=True,
        env=os.environ | {"EVENHAND_DATA": str(folder / "nothing here")},
    )
    return {stage: set(names) for stage, names in json.loads(ran.stdout).items()}


@pytest.mark.parametrize("stage", FORBIDDEN)
def test_it_waits_for_no_heavy_library(stage: str, loaded: dict[str, set[str]]) -> None:
    assert not FORBIDDEN[stage] & loaded[stage]


def test_the_test_above_can_fail(loaded: dict[str, set[str]]) -> None:
    assert "torch" in loaded["layers"]
    assert {"plotly", "core.plan"} <= loaded["pages"]
