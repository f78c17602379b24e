"""The audited model and the second one, with the weights of their classes."""

import numpy as np

from core.audits.text_sensitivity.counterparts import Counterparts
from core.audits.text_sensitivity.scoring import SubjectModel
from core.audits.text_sensitivity.settings import TextSensitivity
from core.base.errors import SettingsError
from core.base.files import FileStore
from core.data.dataset import Dataset
from core.language.phrases import first_few, quoted
from core.language.told import say
from core.models.text import TextModel


def audited_model(audit: TextSensitivity, model: TextModel, counterparts: Counterparts) -> SubjectModel:
    """The model under audit, without a protected status model yet.

    Raises:
        SettingsError: A class weight names no class of the model, or none counts.
    """
    return SubjectModel(model, np.arange(len(model.classes)), class_weights(audit, model.classes), None, counterparts)


def second_model(
    audit: TextSensitivity, audited: SubjectModel, dataset: Dataset, files: FileStore
) -> SubjectModel | None:
    """The model to compare with; None without one.

    Raises:
        SettingsError: Its classes are not the audited model's.
        ModelError: Its file is refused.
    """
    if audit.reference is None:
        return None
    model, classes = audit.reference.load(files, dataset), audited.model.classes
    if set(model.classes) != set(classes):
        raise SettingsError(
            say("The second model has other classes than the audited one."),
            where=f"{model.name}: {first_few(model.classes, 8)}; {audited.model.name}: {first_few(classes, 8)}",
            advice=say(
                "Compare models that answer the same question, or declare the order of the second model's classes."
            ),
        )
    order = np.array([model.classes.index(name) for name in classes])
    weights = np.empty(len(classes))
    weights[order] = audited.weights
    return SubjectModel(model, order, weights, None, audited.counterparts)


def class_weights(audit: TextSensitivity, classes: tuple[str, ...]) -> np.ndarray:
    """w: the weights of the classes, summing to one; 1/K each where none is given; shape (K,).

    Raises:
        SettingsError: A weight names no class or a class is named twice; or all weights are zero.
    """
    if not audit.weights:
        return np.full(len(classes), 1 / len(classes))
    named = [one.outcome for one in audit.weights]
    if unknown := [name for name in named if name not in classes]:
        raise SettingsError(
            say("A weight is given to {unknown}, which is no class of the model.", unknown=quoted(unknown[0])),
            where=say("weight of each class; the classes are {classes}", classes=first_few(classes, 8)),
            advice=say("Write the class as the model names it."),
        )
    if len(set(named)) < len(named):
        raise SettingsError(
            say("A class has two weights."), where=say("weight of each class"), advice=say("Give each class one.")
        )
    weights = np.zeros(len(classes))
    for one in audit.weights:
        weights[classes.index(one.outcome)] = one.weight
    if not weights.any():
        raise SettingsError(
            say("No class counts: every weight is zero."),
            where=say("weight of each class"),
            advice=say("Give at least one class a weight, or none at all to count all alike."),
        )
    weights /= weights.max()
    weights /= weights.sum()
    return weights
