"""What a skops file may name besides what skops itself vouches for: a fixed list of scikit-learn's own internals.

Compiled code trusts the arrays of some of them (trees, neighbours, splines), so a file that holds them is opened behind
the wall only. Chosen by hand; never extended by what a file asks for.
"""

from core.language.told import say

_ARRAYS_OF_COMPILED_CODE = (
    "scipy.interpolate._bsplines.BSpline",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.metrics._dist_metrics.ChebyshevDistance64",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.metrics._dist_metrics.ManhattanDistance64",
    "sklearn.metrics._dist_metrics.MinkowskiDistance64",
    "sklearn.neighbors._ball_tree.BallTree",
    "sklearn.neighbors._kd_tree.KDTree",
    "sklearn.tree._tree.Tree",
)
_PARTS = (
    "builtins.object",
    "functools.partial",
    "numpy.dtype",
    "numpy.ma.core.MaskedArray",
    "numpy.number",
    "sklearn._loss.loss.HalfTweedieLoss",
    "sklearn._loss.loss.HalfTweedieLossIdentity",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.calibration._TemperatureScaling",
    "sklearn.compose._column_transformer._RemainderColsList",
    "sklearn.compose._column_transformer.make_column_selector",
    "sklearn.gaussian_process._gpc._BinaryGaussianProcessClassifierLaplace",
    *(
        f"sklearn.gaussian_process.kernels.{kernel}"
        for kernel in (
            *("CompoundKernel", "ConstantKernel", "DotProduct", "ExpSineSquared", "Exponentiation", "Matern"),
            *("Product", "RBF", "RationalQuadratic", "Sum", "WhiteKernel"),
        )
    ),
    "sklearn.impute._iterative.IterativeImputer",
    "sklearn.impute._iterative._ImputerTriplet",
    "sklearn.metrics._scorer._CurveScorer",
    "sklearn.metrics._scorer._PassthroughScorer",
    "sklearn.metrics._scorer._Scorer",
    "sklearn.model_selection._split.KFold",
    "sklearn.model_selection._split.RepeatedStratifiedKFold",
    "sklearn.model_selection._split.ShuffleSplit",
    "sklearn.model_selection._split.StratifiedKFold",
    "sklearn.model_selection._split.StratifiedShuffleSplit",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
    "sklearn.utils._bunch.Bunch",
    "sklearn.utils._metadata_requests.MetadataRequest",
    "sklearn.utils._metadata_requests.MethodMetadataRequest",
)
_LOSSES = (
    "sklearn.linear_model._sgd_fast.Log",  # before scikit-learn 1.6
    *(
        f"{module}.Cy{loss}"
        for module in ("_loss", "sklearn._loss._loss")  # the first as scikit-learn 1.5 to 1.7 called it
        for loss in (
            *("AbsoluteError", "ExponentialLoss", "HalfBinomialLoss", "HalfGammaLoss", "HalfMultinomialLoss"),
            *("HalfPoissonLoss", "HalfSquaredError", "HalfTweedieLoss", "HalfTweedieLossIdentity", "HuberLoss"),
            "PinballLoss",
        )
    ),
)
_FUNCTIONS = (
    *(
        f"numpy.core._multiarray_umath.{name}"  # as numpy before 2 called them
        for name in ("exp", "expm1", "log", "log10", "log1p", "log2", "sqrt", "square")
    ),
    "scipy._lib.array_api_compat.numpy._aliases.asarray",
    *(
        f"sklearn.feature_selection._univariate_selection.{name}"
        for name in ("chi2", "f_classif", "f_regression", "r_regression")
    ),
    "sklearn.feature_selection._mutual_info.mutual_info_classif",
    "sklearn.feature_selection._mutual_info.mutual_info_regression",
    *(
        f"sklearn.metrics._classification.{name}"
        for name in ("accuracy_score", "balanced_accuracy_score", "brier_score_loss", "f1_score", "log_loss")
    ),
    *(f"sklearn.metrics._classification.{name}" for name in ("matthews_corrcoef", "precision_score", "recall_score")),
    "sklearn.metrics._ranking.average_precision_score",
    "sklearn.metrics._ranking.roc_auc_score",
    *(
        f"sklearn.metrics._regression.{name}"
        for name in ("mean_absolute_error", "mean_squared_error", "r2_score", "root_mean_squared_error")
    ),
    "sklearn.utils.validation.check_array",
)
"""Arrays in, arrays or a number out."""

TRUSTED = frozenset((*_ARRAYS_OF_COMPILED_CODE, *_PARTS, *_LOSSES, *_FUNCTIONS))
"""Types and functions beside those that ``skops.io`` trusts by itself."""

ADVICE = say(
    "Save a scikit-learn estimator or Pipeline without functions and classes of your own with skops.io.dump, export it "
    "as ONNX, or put its answers into a column of the table."
)
INSTEAD = {
    "sklearn.metrics": say("Save the model that the search found, its best_estimator_, with skops.io.dump."),
    "xgboost": say(
        "Save XGBoost's model with its own save_model('model.json'), or put the pipeline's answers into a column of "
        "the table."
    ),
    "lightgbm": say(
        "Save LightGBM's model with booster_.save_model('model.txt'), or put the pipeline's answers into a column of "
        "the table."
    ),
    "imblearn": say(
        "Put the fitted steps into a Pipeline of scikit-learn and save that: samplers play no part in answers."
    ),
}
"""What to do about types off the list that genuine files name now and then, by how their names begin."""
