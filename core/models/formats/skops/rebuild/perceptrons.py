"""Perceptrons of several layers."""

from typing import Any

from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.preprocessing import LabelBinarizer

from core.language.told import say
from core.models.formats.skops.saved import Saved


def _layers(model: Any, saved: Saved) -> None:
    """Weights and offsets, each layer as wide as the one before gives."""
    width = saved.read_width(model)
    weights, offsets = saved.get("coefs_"), saved.get("intercepts_")
    if not isinstance(weights, list) or not isinstance(offsets, list) or len(weights) != len(offsets) or not weights:
        raise saved.wrong("coefs_", say("does not have one layer for each of its 'intercepts_'"))
    model.coefs_, model.intercepts_ = [], []
    for weight, offset in zip(weights, offsets, strict=True):
        model.coefs_.append(saved.numbers(weight, "coefs_", (width, -1)))
        width = model.coefs_[-1].shape[1]
        model.intercepts_.append(saved.numbers(offset, "intercepts_", (width,)))
    model.n_layers_ = len(weights) + 1
    model.n_outputs_ = width


def _classifier(model: Any, saved: Saved) -> None:
    _layers(model, saved)
    model.classes_ = saved.classes()
    two = len(model.classes_) == 2
    if model.n_outputs_ != (1 if two else len(model.classes_)):
        raise saved.wrong(
            "coefs_",
            say(
                "ends in {outputs} outputs for {classes} classes",
                outputs=model.n_outputs_,
                classes=len(model.classes_),
            ),
        )
    model.out_activation_ = "logistic" if two else "softmax"
    if saved.get("out_activation_") != model.out_activation_:
        raise saved.wrong("out_activation_", say("is not that of one outcome; outcomes of several labels are not read"))
    model._label_binarizer = LabelBinarizer().fit(model.classes_)


def _regressor(model: Any, saved: Saved) -> None:
    _layers(model, saved)
    model.out_activation_ = "exp" if model.loss == "poisson" else "identity"


REBUILDERS = {MLPClassifier: _classifier, MLPRegressor: _regressor}
