"""Small files that need much memory end in a sentence, on the page and on the command line."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.base.errors import DataError, ModelError
from core.base.files import FileStore
from core.base.memory import is_out_of_memory
from core.models.formats.onnx.source import OnnxFile
from core.sources.upload.uploaded import UploadedTable
from dashboard.jobs.code import REPOSITORY
from dashboard.jobs.environment import harmless_environment
from dashboard.jobs.job import Job
from tests.core.cli.test_cli_bad_input import record
from tests.dashboard import bad_files as bad

GROWS = "For 4,096 rows the graph holds"
BESIDE_LIBRARIES = 700_000_000

LIMITED = f"""
import sys
from core.cli.app import main
from core.base.memory import limit_memory

sys.argv = ["core", "run", sys.argv[1], "--out", sys.argv[2]]
limit_memory({BESIDE_LIBRARIES})
main()
"""
READING = """
import pyarrow as pa
from core.base.memory import limit_memory

limit_memory(1_200_000_000)
kept = [pa.array([0.5])]
kept.append(bytearray(700_000_000))
"""
ASKED = """
import atexit, resource, runpy, sys

sys.argv = ["core", "examples"]
atexit.register(lambda: print("limit", resource.getrlimit(resource.RLIMIT_DATA)))
runpy.run_module("core", run_name="__main__")
"""


def doublings(times: int = 25) -> bytes:
    """A network of a thousand bytes that joins what it computes to itself, over and over."""
    from onnx import TensorProto, helper

    nodes = [helper.make_node("Relu", ["x"], ["d0"])]
    nodes += [helper.make_node("Concat", [f"d{i}"] * 2, [f"d{i + 1}"], axis=1) for i in range(times)]
    nodes += [helper.make_node("ReduceMax", [f"d{times}"], ["m"], axes=[1]), helper.make_node("Sigmoid", ["m"], ["p"])]
    graph = helper.make_graph(
        nodes,
        "doublings",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, 2])],
        [helper.make_tensor_value_info("p", TensorProto.FLOAT, [None, 1])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(model.SerializeToString())


@pytest.mark.long
def test_a_graph_that_doubles_is_a_sentence_on_the_page(ended: Callable[..., Job], home: Path) -> None:
    files = FileStore()
    job = ended(
        "inspect",
        source=UploadedTable(file=files.put(bad.GOOD, "people.csv")).model_dump(mode="json"),
        roles={"outcome": "hired", "favourable": "yes", "protected": ["sex"], "features": ["age", "income"]},
        model=OnnxFile(file=files.put(doublings(), "m.onnx")).model_dump(mode="json"),
    )
    assert job.failure is not None
    assert job.failure.error.what.startswith(GROWS), job.failure.error
    assert job.failure.advice


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux limits what a process may allocate.")
def test_a_graph_that_doubles_is_a_sentence_on_the_command_line(tmp_path: Path) -> None:
    plan = record(tmp_path, model=("onnx", doublings()))
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, str(plan), str(tmp_path / "out")],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2, ran.stderr
    assert GROWS in ran.stderr
    assert "What to do: " in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux limits what a process may allocate.")
def test_the_command_line_limits_itself() -> None:
    ran = subprocess.run([sys.executable, "-c", ASKED], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert "limit (-1" not in ran.stdout
    assert "limit (" in ran.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux limits what a process may allocate.")
def test_no_library_takes_the_memory_of_a_task_before_it_is_needed() -> None:
    """pyarrow reserved a gigabyte at its first array: a task of a little more had nothing left for its model."""
    ran = subprocess.run(
        [sys.executable, "-c", READING],
        cwd=REPOSITORY,
        env=harmless_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def test_what_a_library_says_of_memory_is_heard_behind_our_own_sentence() -> None:
    library = RuntimeError("Failed to allocate memory for requested buffer of size 838860800")
    ours = ModelError("The model cannot answer.")
    ours.__cause__ = library
    assert is_out_of_memory(ours)
    assert is_out_of_memory(MemoryError())
    assert not is_out_of_memory(DataError("The memory of the oldest inhabitant."))
