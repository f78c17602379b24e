"""core/README.md cannot rot: its paths exist, and its worked examples run."""

import re
from pathlib import Path
from typing import Any

import numpy as np

from core.base.files import FileStore
from core.data.dataset import Dataset
from core.workflows.examples import open_example

REPOSITORY = Path(__file__).parents[2]
ROOM = REPOSITORY / "tests" / "house" / "room"
README = (REPOSITORY / "core" / "README.md").read_text(encoding="utf-8")


def worked() -> dict[str, Any]:
    """What the examples define, run one after the other."""
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        exec(block, names)  # noqa: S102
    return names


def test_every_path_exists() -> None:
    paths = re.findall(r"`((?:core|dashboard|tests|assets)/[\w/.]+)`", README)
    assert len(paths) > 20
    assert [path for path in paths if not any((root / path).exists() for root in (REPOSITORY, ROOM))] == []
    tree = README.split("```")[1]
    drawn = re.findall(r"^  (\w[\w/.]*)", tree, re.MULTILINE) + re.findall(r"(\w+\.py)", tree)
    assert [name for name in drawn if "<" not in name and not (REPOSITORY / "core" / name).exists()] == []


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
