"""Models that answer with a number: every format against its own library, and files brought to the wrong outcome."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.linear_model import (
    BayesianRidge,
    ElasticNet,
    ElasticNetCV,
    GammaRegressor,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    Ridge,
    RidgeCV,
    SGDRegressor,
)
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    StandardScaler,
)
from sklearn.svm import LinearSVR
from sklearn.tree import DecisionTreeRegressor, ExtraTreeRegressor

from core.base.errors import ModelError
from core.base.files import FileStore
from core.contracts.model import AbstractModel, AbstractModelSource
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder
from core.models import OnnxFile, PredictionColumns, SklearnFile, TorchMLP
from core.models.formats.safetensors.source import write_mlp
from core.models.module import ModuleModel
from tests.core.models.conftest import FEATURES
from tests.core.models.test_onnx_model import node, numbers

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:skops"),
]
ALL = list(FEATURES)
NUMBERS = ["age", "children"]


@pytest.fixture(scope="module")
def paid(frame: pd.DataFrame) -> Dataset:
    """The outcome ``pay`` is a number above 0."""
    rng = np.random.default_rng(5)
    pay = 20 + 0.5 * frame["age"] + 4 * (frame["job"] == "nurse") + rng.normal(0, 2, len(frame))
    roles = Roles(
        outcome="pay", outcome_type="number", protected=("sex",), features=FEATURES, predictions=("chance", "says")
    )
    return Dataset.build(frame.assign(pay=pay), roles)


def prepared() -> Any:
    return make_column_transformer((StandardScaler(), NUMBERS), (OneHotEncoder(), ["job"]))


def load(files: FileStore, dataset: Dataset, estimator: Any, **settings: Any) -> AbstractModel:
    return SklearnFile(file=files.put(skops.io.dumps(estimator), "m.skops"), **settings).load(files, dataset)


def answers(model: AbstractModel, dataset: Dataset) -> np.ndarray:
    return model.predict(model.encode(dataset))


REGRESSORS = {
    "linear": LinearRegression(),
    "ridge": make_pipeline(prepared(), Ridge()),
    "ridge, cross-validated": RidgeCV(),
    "lasso": Lasso(0.1),
    "lasso, cross-validated": LassoCV(cv=3),
    "elastic net": ElasticNet(0.1),
    "elastic net, cross-validated": ElasticNetCV(cv=3),
    "Bayesian": BayesianRidge(),
    "Huber": make_pipeline(StandardScaler(), HuberRegressor()),
    "stochastic": make_pipeline(StandardScaler(), SGDRegressor(random_state=0)),
    "Poisson": PoissonRegressor(),
    "gamma": GammaRegressor(),
    "support vectors": make_pipeline(StandardScaler(), LinearSVR(random_state=0)),
    "perceptron": make_pipeline(prepared(), MLPRegressor(hidden_layer_sizes=(6,), max_iter=5, random_state=0)),
    "tree": DecisionTreeRegressor(max_depth=3),
    "extra tree": ExtraTreeRegressor(max_depth=3, random_state=0),
    "forest": make_pipeline(prepared(), RandomForestRegressor(4, max_depth=3, random_state=0, n_jobs=2)),
    "forest on codes": make_pipeline(
        make_column_transformer((OrdinalEncoder(), ["job"]), remainder="passthrough"),
        ExtraTreesRegressor(3, max_depth=3, random_state=0),
    ),
    "boosting": GradientBoostingRegressor(n_estimators=4, random_state=0),
    "boosting, Huber": GradientBoostingRegressor(loss="huber", n_estimators=3, random_state=0),
    "boosting, median": GradientBoostingRegressor(loss="absolute_error", n_estimators=3, random_state=0),
    "boosting, quantile": GradientBoostingRegressor(loss="quantile", n_estimators=3, random_state=0),
    "histogram boosting": make_pipeline(prepared(), HistGradientBoostingRegressor(max_iter=4)),
    "histogram boosting, gamma": HistGradientBoostingRegressor(loss="gamma", max_iter=3),
    "histogram boosting, Poisson": HistGradientBoostingRegressor(loss="poisson", max_iter=3),
    "histogram boosting, quantile": HistGradientBoostingRegressor(loss="quantile", quantile=0.5, max_iter=3),
    "mean": DummyRegressor(),
    "logarithms": TransformedTargetRegressor(Ridge(), func=np.log1p, inverse_func=np.expm1),
    "roots": TransformedTargetRegressor(Ridge(), func=np.sqrt, inverse_func=np.square),
    "standardised outcome": TransformedTargetRegressor(
        make_pipeline(prepared(), RandomForestRegressor(2, max_depth=2, random_state=0)), transformer=StandardScaler()
    ),
    "power of the outcome": TransformedTargetRegressor(LinearRegression(), transformer=PowerTransformer()),
    "ranks of the outcome": TransformedTargetRegressor(
        LinearRegression(), transformer=QuantileTransformer(n_quantiles=20)
    ),
    "logarithms of a column": make_pipeline(FunctionTransformer(np.log1p), LinearRegression()),
}


@pytest.mark.usefixtures("without_wall")
@pytest.mark.parametrize("case", REGRESSORS)
def test_scikit_learn_models_answer_what_scikit_learn_predicts(case: str, files: FileStore, paid: Dataset) -> None:
    estimator = REGRESSORS[case]
    reads_text = "ColumnTransformer" in repr(estimator)
    rows = paid.frame[ALL if reads_text else NUMBERS]
    estimator.fit(rows, paid.frame["pay"])
    model = load(files, paid, estimator)
    np.testing.assert_allclose(answers(model, paid), estimator.predict(rows), rtol=1e-9)
    assert model.classes == ()
    assert model.kind.endswith("(scikit-learn)")
    assert not model.kind.startswith(("Pipeline", "TransformedTarget"))


def test_a_regressor_of_plain_numbers_reads_the_features_prepared_or_in_order(files: FileStore, paid: Dataset) -> None:
    x = Encoder.fit(paid.frame, FEATURES).transform(paid.frame)
    estimator = LinearRegression().fit(x, paid.frame["pay"])
    model = load(files, paid, estimator, numbers="standardised")
    np.testing.assert_allclose(answers(model, paid), estimator.predict(x), rtol=1e-9)
    assert "learned from this table" in model.caveats[0].what


def test_a_column_of_predicted_numbers_is_read_as_it_is(files: FileStore, paid: Dataset) -> None:
    model = PredictionColumns(columns=("chance",), holds="number").load(files, paid)
    np.testing.assert_array_equal(answers(model, paid), paid.frame["chance"])
    some = model.encode(paid).take(np.array([9, 3]))
    np.testing.assert_array_equal(model.predict(some), paid.frame["chance"].iloc[[9, 3]])
    assert "nobody else" in model.answers_only_here


def one_output(network: Any) -> Any:
    import torch
    from torch import nn

    torch.manual_seed(8)
    return nn.Sequential(*list(network)[:-1], nn.Linear(4, 1))


@pytest.mark.parametrize("card", [True, False])
def test_a_perceptron_with_one_output_answers_with_it(
    card: bool, files: FileStore, paid: Dataset, network: Any, tmp_path: Path
) -> None:
    import torch
    from safetensors.torch import save

    module, encoder = one_output(network), Encoder.fit(paid.frame, FEATURES)
    if card:
        write_mlp(tmp_path / "w", module, encoder=encoder, classes=())
        content = (tmp_path / "w").read_bytes()
    else:
        content = save(module.state_dict())
    model = TorchMLP(file=files.put(content, "w.safetensors"), numbers="standardised").load(files, paid)
    assert isinstance(model, ModuleModel)
    assert not model.classes
    with torch.no_grad():
        expected = module.double()(torch.from_numpy(encoder.transform(paid.frame))).numpy()[:, 0]
    np.testing.assert_allclose(answers(model, paid), expected, rtol=1e-9)
    assert expected.std() > 0.01


def test_only_one_number_a_row_and_no_closing_softmax_is_written(paid: Dataset, network: Any, tmp_path: Path) -> None:
    from torch import nn

    encoder = Encoder.fit(paid.frame, FEATURES)
    with pytest.raises(ModelError, match="2 outputs and 0 classes"):
        write_mlp(tmp_path / "w", network, encoder=encoder, classes=())
    with pytest.raises(ModelError, match="Only a Sequential"):
        write_mlp(tmp_path / "w", nn.Sequential(one_output(network), nn.Sigmoid()), encoder=encoder, classes=())


RNG = np.random.default_rng(4)
CONSTANTS = {"w": RNG.normal(size=(5, 3)), "b": RNG.normal(size=3), "v": RNG.normal(size=(3, 1))}


def onnx_regressors(make_onnx: Callable[..., Any]) -> dict[str, Any]:
    perceptron = [node("Gemm", ["x", "w", "b"], ["a"]), node("Relu", ["a"], ["h"]), node("MatMul", ["h", "v"], ["z"])]
    flat = [*perceptron, node("Squeeze", ["z", "axis"], ["y"])]
    linear = node(
        "LinearRegressor", ["x"], ["z"], domain="ai.onnx.ml", coefficients=[0.1, -2.0, 3.0, 0.5, 1.0], intercepts=[7.0]
    )
    return {
        "perceptron": make_onnx(perceptron, CONSTANTS, [numbers("z", 1)]),
        "one dimension": make_onnx(flat, {**CONSTANTS, "axis": np.array([1])}, [numbers("y", None)]),
        "linear operator": make_onnx([linear], {}, [numbers("z", 1)]),
    }


@pytest.mark.parametrize("case", ["perceptron", "one dimension", "linear operator"])
def test_onnx_models_answer_what_onnxruntime_gives(
    case: str, files: FileStore, paid: Dataset, make_onnx: Callable[..., Any]
) -> None:
    import onnxruntime

    content = onnx_regressors(make_onnx)[case].SerializeToString()
    model = OnnxFile(file=files.put(content, "m.onnx"), numbers="standardised").load(files, paid)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    x = Encoder.fit(paid.frame, FEATURES).transform(paid.frame).astype(np.float32)
    np.testing.assert_array_equal(answers(model, paid), session.run(None, {"x": x})[0].ravel())


def brought(request: Any, what: str, dataset: Dataset, files: FileStore, tmp_path: Path) -> AbstractModelSource:
    """A model file that says of itself whether it answers with classes or with a number."""
    make_onnx, network = request.getfixturevalue("make_onnx"), request.getfixturevalue("network")
    encoder, x = Encoder.fit(dataset.frame, FEATURES), dataset.frame[NUMBERS]
    if what == "classifier as skops":
        fitted = LogisticRegression().fit(x, dataset.frame["age"] > 40)
        return SklearnFile(file=files.put(skops.io.dumps(fitted), "m.skops"))
    if what == "regressor as skops":
        return SklearnFile(file=files.put(skops.io.dumps(Ridge().fit(x, dataset.frame["age"])), "m.skops"))
    if what == "classifier as ONNX":
        model = request.getfixturevalue("onnx_network")
        return OnnxFile(file=files.put(model.SerializeToString(), "m.onnx"), numbers="standardised")
    if what == "regressor as ONNX":
        model = onnx_regressors(make_onnx)["linear operator"]
        return OnnxFile(file=files.put(model.SerializeToString(), "m.onnx"), numbers="standardised")
    number = what == "regressor as safetensors"
    write_mlp(
        tmp_path / "w",
        one_output(network) if number else network,
        encoder=encoder,
        classes=() if number else ("a", "b"),
    )
    return TorchMLP(file=files.put((tmp_path / "w").read_bytes(), "w.safetensors"))


@pytest.mark.parametrize("kind", ["skops", "ONNX", "safetensors"])
def test_the_wrong_kind_of_model_is_refused_in_a_sentence(
    kind: str, request: Any, files: FileStore, paid: Dataset, tmp_path: Path
) -> None:
    dataset = request.getfixturevalue("dataset")
    with pytest.raises(ModelError, match="answers with classes, and the outcome 'pay' is a number") as caught:
        brought(request, f"classifier as {kind}", paid, files, tmp_path).load(files, paid)
    assert "Bring a regression model" in caught.value.advice
    with pytest.raises(ModelError, match="answers with a number, and the outcome 'hired' holds classes") as caught:
        brought(request, f"regressor as {kind}", dataset, files, tmp_path).load(files, dataset)
    assert "Bring a classifier" in caught.value.advice


@pytest.mark.parametrize("kind", ["skops", "ONNX", "safetensors"])
def test_an_order_of_classes_for_a_number_is_refused(
    kind: str, request: Any, files: FileStore, paid: Dataset, tmp_path: Path
) -> None:
    source = brought(request, f"regressor as {kind}", paid, files, tmp_path)
    with pytest.raises(ModelError, match=r"order of classes is declared|answers with classes"):
        source.model_copy(update={"classes": ("low", "high")}).load(files, paid)


def test_two_numbers_a_row_are_refused_for_one_outcome(
    files: FileStore, paid: Dataset, network: Any, make_onnx: Callable[..., Any]
) -> None:
    from safetensors.torch import save

    two = np.column_stack([paid.frame["pay"], paid.frame["age"]])
    gemm = make_onnx([node("Gemm", ["x", "w", "b"], ["z"])], CONSTANTS, [numbers("z", 3)])
    for count, source in {
        2: SklearnFile(file=files.put(skops.io.dumps(Ridge().fit(paid.frame[NUMBERS], two)), "m.skops")),
        3: OnnxFile(file=files.put(gemm.SerializeToString(), "m.onnx"), numbers="standardised"),
    }.items():
        with pytest.raises(ModelError, match=rf"gives {count} numbers a row, and the outcome 'pay' is one number"):
            source.load(files, paid)
    with pytest.raises(ModelError, match="gives 2 numbers a row"):
        TorchMLP(file=files.put(save(network.state_dict()), "w.safetensors"), numbers="standardised").load(files, paid)


@pytest.mark.parametrize("holds", ["labels", "probability", "score", "class probabilities"])
def test_columns_said_to_hold_answers_of_classes_are_refused_for_a_number(
    holds: Any, files: FileStore, paid: Dataset, dataset: Dataset
) -> None:
    with pytest.raises(ModelError, match="the outcome 'pay' is a number") as caught:
        PredictionColumns(columns=("chance",), holds=holds).load(files, paid)
    assert caught.value.advice == "Say that the column holds a number."
    with pytest.raises(ModelError, match="said to hold a number, and the outcome 'hired' holds classes"):
        PredictionColumns(columns=("chance",), holds="number").load(files, dataset)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "no finite number in 1 row.*row 8"),
        (np.inf, "no finite number in 1 row: inf.*row 8"),
        ("twelve", "'twelve' is the first.*row 8"),
    ],
)
def test_a_cell_that_is_no_finite_number_is_named_by_its_row(
    value: Any, message: str, files: FileStore, paid: Dataset
) -> None:
    values = paid.frame["chance"].astype(object)
    values.iloc[7] = value
    table = replace(paid, frame=paid.frame.assign(chance=values))
    with pytest.raises(ModelError, match=message) as caught:
        PredictionColumns(columns=("chance",), holds="number").load(files, table)
    assert caught.value.advice


def test_a_number_has_no_probabilities_and_no_gradients(files: FileStore, paid: Dataset) -> None:
    model = load(files, paid, LinearRegression().fit(paid.frame[NUMBERS], paid.frame["pay"]))
    with pytest.raises(ModelError, match="answers with a number, not with probabilities"):
        model.predict_proba(model.encode(paid))
    with pytest.raises(ModelError, match="gradients"):
        model.module()


def test_classes_have_no_number(files: FileStore, dataset: Dataset) -> None:
    model = PredictionColumns(columns=("says",)).load(files, dataset)
    with pytest.raises(ModelError, match="classes, not with a number"):
        model.predict(model.encode(dataset))


def test_answers_that_are_not_finite_are_refused_with_their_rows(paid: Dataset) -> None:
    class Fails(AbstractModel):
        classes = ()
        name, fingerprint, encoder = "m", "f", Encoder.fit(paid.frame, FEATURES)
        kind = "made for this test"

        def answers(self, data: Any) -> np.ndarray:
            return np.where(np.isin(np.arange(len(data)), (3, 5)), np.nan, 1.0)[:, None]

    model = Fails()
    with pytest.raises(ModelError, match=r"not a finite number for 2 of 240 rows.*row 4, 6"):
        model.predict(model.encode(paid))


def test_an_unfitted_regressor_is_refused(files: FileStore, paid: Dataset) -> None:
    for estimator in (Ridge(), make_pipeline(StandardScaler(), MLPRegressor())):
        with pytest.raises(ModelError, match="no fitted classifier or regression model"):
            load(files, paid, estimator)


def test_functions_of_ones_own_are_refused(files: FileStore, paid: Dataset) -> None:
    estimator = make_pipeline(FunctionTransformer(node), Ridge())
    estimator.steps[0] = ("f", FunctionTransformer())
    estimator.fit(paid.frame[NUMBERS], paid.frame["pay"])
    estimator.steps[0][1].func = node
    with pytest.raises(ModelError, match=r"test_onnx_model\.node, not on the fixed list"):
        load(files, paid, estimator)
    waves = make_pipeline(FunctionTransformer(np.sin), Ridge()).fit(paid.frame[NUMBERS], paid.frame["pay"])
    np.testing.assert_allclose(answers(load(files, paid, waves), paid), waves.predict(paid.frame[NUMBERS]))


def test_trees_that_read_beyond_their_rows_answer_for_themselves_alone(files: FileStore, paid: Dataset) -> None:
    """A tree that reads a column it is not given reads memory of its own process, which holds nothing else."""
    narrow = make_pipeline(
        make_column_transformer(("passthrough", ["age"])), DecisionTreeRegressor(max_depth=1, random_state=0)
    )
    estimator = TransformedTargetRegressor(narrow, transformer=StandardScaler())
    estimator.fit(paid.frame[["age", "children", "chance"]], paid.frame["pay"])
    good = load(files, paid, estimator)
    own = answers(good, paid)
    tree = estimator.regressor_[-1].tree_
    state = tree.__getstate__()
    state["nodes"]["feature"][0] = 2**40
    tree.__setstate__(state)
    with pytest.raises(ModelError, match="makes the library that reads it crash"):
        load(files, paid, estimator)
    np.testing.assert_array_equal(answers(good, paid), own)
