"""What is written about the code cannot rot: paths and pictures exist, the house is as drawn, worked examples run."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.base.files import FileStore
from core.data.dataset import Dataset
from core.workflows.examples import open_example

REPOSITORY = Path(__file__).parents[2]
ADDED = [REPOSITORY / "tests" / "house" / added for added in ("room", "groups", "further", "metric")]
"""Where files lie that a stranger adds to the house."""
WRITTEN = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "core/README.md",
    "core/METHODS.md",
    "core/cli/README.md",
    "dashboard/OPERATIONS.md",
)
COMMANDS = (
    "pip install -r requirements.txt && streamlit run dashboard/app.py",
    "pip install -r requirements.txt && pytest",
)


def text_of(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


def worked() -> dict[str, Any]:
    """What the examples define, run one after the other."""
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text_of("CONTRIBUTING.md"), re.DOTALL):
        exec(block, names)  # noqa: S102
    return names


@pytest.mark.parametrize("name", WRITTEN)
def test_every_path_exists(name: str) -> None:
    """Files in backticks are told from the root of the repository, pictures and links from where they stand."""
    text = text_of(name)
    paths = re.findall(r"`((?:core|dashboard|tests|assets|benchmarks|sample_models)/\w[\w/.-]+)`", text)
    paths += re.findall(r"`([A-Z]{4,}\.md|\.ci/\w+|pyproject\.toml)`", text)
    assert [path for path in paths if not any((root / path).exists() for root in (REPOSITORY, *ADDED))] == []
    linked = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert [path for path in linked if not (REPOSITORY / name).parent.joinpath(path).exists()] == []


def test_the_house_is_as_drawn() -> None:
    tree = text_of("core/README.md").split("```")[1]
    drawn = re.findall(r"^  (\w[\w/.]*)", tree, re.MULTILINE) + re.findall(r"(\w+\.py)", tree)
    assert len(drawn) > 20
    assert [name for name in drawn if "<" not in name and not (REPOSITORY / "core" / name).exists()] == []


def test_the_readme_is_short_and_names_the_two_commands_and_every_other_text() -> None:
    lines = text_of("README.md").splitlines()
    assert len(lines) <= 100
    assert [line.strip() for line in lines if line.strip().startswith("pip install -r")] == list(COMMANDS)
    assert [name for name in WRITTEN[1:] if f"`{name}`" not in "\n".join(lines)] == []


def test_every_setting_of_the_machine_is_told_where_operators_look() -> None:
    sources = [path for folder in ("core", "dashboard") for path in (REPOSITORY / folder).rglob("*.py")]
    read = {name for path in sources for name in re.findall(r'"(EVENHAND_[A-Z_]+)"', path.read_text(encoding="utf-8"))}
    assert len(read) > 8
    told = text_of("dashboard/OPERATIONS.md")
    assert [name for name in sorted(read) if f"`{name.removesuffix('_')}" not in told] == []


def test_the_examples_of_metric_model_and_chart_run(tmp_path: Path) -> None:
    names, files = worked(), FileStore(tmp_path)
    plan = open_example("hiring-baseline", files).plans[0]

    dataset = Dataset.build(plan.data.load(files), plan.roles)
    real = plan.model.load(files, dataset)
    model = names["Constant"](0.4, real.encoder, real.classes)
    assert (model.predict_proba(model.encode(dataset))[:, 1] == 0.4).all()
    data = real.encode(dataset)
    metric = names["EveryDifferenceCounts"]().fit(data, np.random.default_rng(0))
    assert metric.matrix.shape == (data.x.shape[1],) * 2
    assert names["CHART"].draw(type("Found", (), {"estimate": 0.25})()).alt == "A bar of 25.0%."
