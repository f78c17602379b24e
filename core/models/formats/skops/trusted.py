"""What a skops file may name besides estimators: everything else is refused before anything of it is read.

The estimators are those that :mod:`core.models.formats.skops.rebuild` rebuilds. Lists are chosen by hand; never
extended by what a file asks for.
"""

from core.language.told import say

FUNCTIONS = frozenset({"numpy.exp", "numpy.expm1", "numpy.log", "numpy.log1p", "numpy.sqrt", "numpy.square"})
"""Every function a file may name: numbers in, numbers out, for outcomes and columns on another scale."""

NUMBERS = frozenset(
    {
        "numpy.bool",
        "numpy.bool_",
        "numpy.float32",
        "numpy.float64",
        "numpy.int32",
        "numpy.int64",
        "numpy.uint32",
        "numpy.uint64",
        "numpy.uint8",
    }
)
"""Types of numbers that a setting may name."""

PLAIN = NUMBERS | {
    "builtins.bool",
    "builtins.dict",
    "builtins.float",
    "builtins.int",
    "builtins.list",
    "builtins.slice",
    "builtins.str",
    "builtins.tuple",
    "numpy.dtype",
    "numpy.ndarray",
    "numpy.str_",
    "sklearn.utils._bunch.Bunch",
}
"""Data: read as it is."""

RANDOM = frozenset({"numpy.random._generator.Generator", "numpy.random.mtrand.RandomState"})
"""Sources of randomness: a setting that holds one is left open, for no answer depends on it."""

PASSED_OVER = RANDOM | frozenset(
    {
        "builtins.object",
        "sklearn._loss._loss.CyAbsoluteError",
        "sklearn._loss._loss.CyExponentialLoss",
        "sklearn._loss._loss.CyHalfBinomialLoss",
        "sklearn._loss._loss.CyHalfGammaLoss",
        "sklearn._loss._loss.CyHalfMultinomialLoss",
        "sklearn._loss._loss.CyHalfPoissonLoss",
        "sklearn._loss._loss.CyHalfSquaredError",
        "sklearn._loss._loss.CyHuberLoss",
        "sklearn._loss._loss.CyPinballLoss",
        "sklearn._loss.link.HalfLogitLink",
        "sklearn._loss.link.IdentityLink",
        "sklearn._loss.link.Interval",
        "sklearn._loss.link.LogLink",
        "sklearn._loss.link.LogitLink",
        "sklearn._loss.link.MultinomialLogit",
        "sklearn._loss.loss.AbsoluteError",
        "sklearn._loss.loss.ExponentialLoss",
        "sklearn._loss.loss.HalfBinomialLoss",
        "sklearn._loss.loss.HalfGammaLoss",
        "sklearn._loss.loss.HalfMultinomialLoss",
        "sklearn._loss.loss.HalfPoissonLoss",
        "sklearn._loss.loss.HalfSquaredError",
        "sklearn._loss.loss.HuberLoss",
        "sklearn._loss.loss.PinballLoss",
        "sklearn.compose._column_transformer.make_column_selector",
        "sklearn.ensemble._hist_gradient_boosting.binning._BinMapper",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "sklearn.linear_model._sgd_fast.EpsilonInsensitive",
        "sklearn.linear_model._sgd_fast.Hinge",
        "sklearn.linear_model._sgd_fast.ModifiedHuber",
        "sklearn.linear_model._sgd_fast.SquaredEpsilonInsensitive",
        "sklearn.linear_model._sgd_fast.SquaredHinge",
        "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
        "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
        "sklearn.preprocessing._label.LabelBinarizer",
        "sklearn.preprocessing._label.LabelEncoder",
        "sklearn.tree._tree.Tree",
    }
)
"""Parts of estimators: never built. The arrays of trees are read and checked; of the others nothing is used."""

INSTEAD = {
    "functools.partial": say(
        "If the model splits on categories by itself (categorical_features), put a OneHotEncoder or an "
        "OrdinalEncoder before it, set categorical_features=None, and fit it again; otherwise put its "
        "answers into a column of the table."
    ),
    "sklearn.impute._base.MissingIndicator": say(
        "Set add_indicator=False in the SimpleImputer and fit the model again, or put the model's "
        "answers into a column of the table."
    ),
}
"""What to do about types off the list that genuine files name now and then."""
