"""A model file that kills the library that reads it ends in a sentence, on the page and on the command line."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from core.base.files import FileStore
from core.models.formats.onnx.source import OnnxFile
from core.sources.upload.uploaded import UploadedTable
from core.workflows.examples import SAMPLE_MODELS
from dashboard.jobs import queue as jobs
from dashboard.jobs.code import REPOSITORY
from dashboard.jobs.job import Job
from tests.core.cli.test_cli_bad_input import record
from tests.dashboard import bad_files as bad

CRASHES = "This file makes the library that reads it crash."


def one_chain(branches: int = 20_000) -> bytes:
    """A tree in which each branch has a leaf and the next branch, so that who follows it by recursion goes as deep."""
    from onnx import TensorProto, helper

    nodes, leaves = list(range(2 * branches + 1)), branches + 1
    tree = helper.make_node(
        "TreeEnsembleClassifier",
        ["x"],
        ["label", "p"],
        domain="ai.onnx.ml",
        nodes_treeids=[0] * len(nodes),
        nodes_nodeids=nodes,
        nodes_featureids=[0] * len(nodes),
        nodes_modes=["BRANCH_LEQ"] * branches + ["LEAF"] * leaves,
        nodes_values=[float(node) for node in nodes],
        nodes_truenodeids=[branches + node for node in range(branches)] + [0] * leaves,
        nodes_falsenodeids=[*range(1, branches), 2 * branches] + [0] * leaves,
        class_treeids=[0] * leaves,
        class_nodeids=nodes[branches:],
        class_ids=[1] * leaves,
        class_weights=[0.5] * leaves,
        classlabels_int64s=[0, 1],
        post_transform="NONE",
    )
    graph = helper.make_graph(
        [tree],
        "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, 2])],
        [
            helper.make_tensor_value_info("label", TensorProto.INT64, [None]),
            helper.make_tensor_value_info("p", TensorProto.FLOAT, [None, 2]),
        ],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString())


def test_a_chain_of_branches_is_a_sentence_on_the_page(ended: Callable[..., Job], home: Path) -> None:
    files = FileStore()
    job = ended(
        "inspect",
        source=UploadedTable(file=files.put(bad.GOOD, "people.csv")).model_dump(mode="json"),
        roles={"outcome": "hired", "favourable": "yes", "protected": ["sex"], "features": ["age", "income"]},
        model=OnnxFile(file=files.put(one_chain(), "m.onnx")).model_dump(mode="json"),
    )
    assert job.failure is not None
    assert (job.failure.error.what, job.failure.error.where) == (CRASHES, "m.onnx")
    assert "bring it in another format" in job.failure.error.advice


def test_the_process_of_a_model_file_goes_with_the_job_that_opened_it(home: Path) -> None:
    model = OnnxFile(file=FileStore().put((SAMPLE_MODELS / "hiring_baseline.onnx").read_bytes(), "m.onnx"))
    asked = jobs.submit("hold_model", {"model": model.model_dump(mode="json"), "asked": time.time()})
    until = time.monotonic() + 120
    while (job := jobs.find(asked.id)) is None or not job.phase.isdigit():
        assert job is None or job.unfinished
        assert time.monotonic() < until
        time.sleep(0.05)
    held = Path(f"/proc/{int(job.phase)}")
    assert held.exists() or sys.platform != "linux"
    jobs.cancel(job.id)
    until = time.monotonic() + 60
    while held.exists():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_chain_of_branches_is_a_sentence_on_the_command_line(tmp_path: Path) -> None:
    plan = record(tmp_path, model=("onnx", one_chain()))
    command = [sys.executable, "-m", "core", "run", str(plan), "--out", str(tmp_path / "out")]
    ran = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert ran.returncode == 2, ran.stderr
    assert CRASHES in ran.stderr
    assert "What to do: " in ran.stderr
