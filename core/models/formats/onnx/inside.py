"""An ONNX file inside the wall: checked, and answered by onnxruntime."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pandas as pd

from core.base.memory import is_out_of_memory
from core.language.told import say
from core.models.checked import ROWS_AT_ONCE
from core.models.formats.onnx.file import OnnxContent, read_onnx
from core.wall.inside import RefusedError

_OPERATOR = re.compile(r"while running (\w+) node")
"""Where onnxruntime failed, in its own words."""


def open_file(path: Path, asked: Mapping[str, Any]) -> "OpenOnnx":
    """Check the file and start onnxruntime.

    Raises:
        RefusedError: The file is damaged, refused, or onnxruntime cannot read it.
    """
    return OpenOnnx(read_onnx(path))


class OpenOnnx:
    """onnxruntime on one CPU thread, so that the same rows always give the same answers."""

    def __init__(self, file: OnnxContent) -> None:
        self.said = file.graph.said.model_dump(mode="json")
        self.arrays = file.graph.constants
        self._graph, self._input_type = file.graph.said, file.input_type
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(file.content, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise _failed(say("onnxruntime cannot read this model."), error) from error

    def answer(self, frame: pd.DataFrame) -> np.ndarray:
        """The output for n rows of numbers, in blocks; shape (n, outputs), float64."""
        x = frame.to_numpy(dtype=np.float64)
        blocks = [self._block(x[start : start + ROWS_AT_ONCE]) for start in range(0, len(x), ROWS_AT_ONCE)]
        return np.concatenate(blocks)

    def _block(self, x: np.ndarray) -> np.ndarray:
        rows = np.ascontiguousarray(x, dtype=self._input_type)
        try:
            (given,) = self._session.run([self._graph.output], {self._graph.input: rows})
            if isinstance(given, list):
                labels = {str(label): label for label in given[0]}
                order = [labels[label] for label in self._graph.labels or labels]
                given = [[row[label] for label in order] for row in given]
            answers = np.asarray(given, dtype=np.float64)
        except Exception as error:
            raise _failed(say("The model cannot answer rows of {width} numbers.", width=x.shape[1]), error) from error
        if answers.ndim == 1:
            answers = answers[:, None]
        if answers.ndim != 2 or len(answers) != len(x):
            raise RefusedError(
                say(
                    "The model answers {rows} rows with shape {shape}; (rows, classes) is needed.",
                    rows=len(x),
                    shape=answers.shape,
                ),
                say("Export it so that every row gets its own answer, with an open number of rows."),
            )
        return answers


def _failed(what: str, error: Exception) -> RefusedError:
    if is_out_of_memory(error):
        raise MemoryError from error
    at = _OPERATOR.search(str(error))
    return RefusedError(
        what,
        say("Check that its first layer fits the prepared columns, and export it again."),
        say("operator {operator}", operator=at[1]) if at else "",
    )
