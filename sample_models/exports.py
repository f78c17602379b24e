"""The other file formats that Evenhand reads, from the same rows: scikit-learn by skops, and ONNX."""

from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from core.data.encoded import EncodedDataset
from core.data.encoder import NumericColumn


def write_logistic(path: Path, rows: EncodedDataset, seed: int, *, plain: bool = False) -> None:
    """Fit a pipeline of scalers, one-hot encoders and logistic regression to the table itself, and write it.

    Args:
        path: Where the file goes.
        rows: What to fit to.
        seed: Seed of the solver.
        plain: Without weights for the classes, and with one indicator for a column of two categories.
    """
    from sklearn.linear_model import LogisticRegression

    classifier = LogisticRegression(class_weight=None if plain else "balanced", max_iter=1_000, random_state=seed)
    _write_pipeline(path, rows, classifier, "classifier", np.array(rows.classes)[rows.y], one_indicator=plain)


def write_regression(path: Path, rows: EncodedDataset, ridge: float) -> None:
    """Fit a linear model of an outcome that is a number behind scalers and one-hot encoders, and write it.

    Args:
        path: Where the file goes.
        rows: What to fit to.
        ridge: Penalty on the squared coefficients of standardised columns; 0 for least squares.
    """
    from sklearn.linear_model import LinearRegression, Ridge

    model = Ridge(alpha=ridge) if ridge else LinearRegression()
    _write_pipeline(path, rows, model, "regression", rows.dataset.numbers, one_indicator=True)


def _write_pipeline(
    path: Path, rows: EncodedDataset, model: Any, name: str, outcome: np.ndarray, *, one_indicator: bool
) -> None:
    import skops.io
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    columns = rows.encoder.columns
    numeric = [column.name for column in columns if isinstance(column, NumericColumn)]
    categorical = [column.name for column in columns if not isinstance(column, NumericColumn)]
    categories = OneHotEncoder(sparse_output=False, drop="if_binary" if one_indicator else None)
    steps = [("numbers", StandardScaler(), numeric), ("categories", categories, categorical)]
    preparation = ColumnTransformer([step for step in steps if step[2]])
    pipeline = Pipeline([("preparation", preparation), (name, model)])
    frame = rows.dataset.frame
    skops.io.dump(pipeline.fit(frame[list(rows.encoder.features)], outcome), path)


def write_onnx(path: Path, module: nn.Sequential) -> None:
    """Write a perceptron as an ONNX graph of Gemm and Relu; input ``x`` (rows, d), output ``logits`` (rows, k)."""
    from onnx import TensorProto, checker, helper, numpy_helper, save

    nodes, weights, current = [], [], "x"
    for number, layer in enumerate(module):
        last = number == len(module) - 1
        result = "logits" if last else f"h{number}"
        if isinstance(layer, nn.Linear):
            for part in ("weight", "bias"):
                values = getattr(layer, part).detach().numpy()
                weights.append(numpy_helper.from_array(values, f"{number}.{part}"))
            nodes.append(helper.make_node("Gemm", [current, f"{number}.weight", f"{number}.bias"], [result], transB=1))
        else:
            nodes.append(helper.make_node("Relu", [current], [result]))
        current = result
    layers = [layer for layer in module if isinstance(layer, nn.Linear)]
    graph = helper.make_graph(
        nodes,
        "perceptron",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", layers[0].in_features])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["rows", layers[-1].out_features])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    checker.check_model(model)
    save(model, path)
