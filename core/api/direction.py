"""Which way round answers are read: what was chosen, what is said of it, and where an audit stops."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from core.api.choices import Choices
from core.base.errors import SettingsError
from core.contracts.model import AbstractModel
from core.data.cells import as_text
from core.data.dataset import Dataset
from core.data.encoded import EncodedDataset
from core.language.options import option
from core.language.phrases import listed, quoted, without_stop
from core.models import ModelSource
from core.models.direction import direction_of
from core.models.meanings import propose_meanings
from core.models.predictions import Meaning, PredictionColumns


def reading(chosen: Choices, dataset: Dataset, column: str, holds: str) -> dict[str, Any]:
    """The fields of ``PredictionColumns`` that say which way round its answers are read.

    Raises:
        SettingsError: An outcome that does not occur is named, or labels are no outcomes and nobody says what they
            mean.
    """
    given = {"classes": chosen.classes, "direction_confirmed": chosen.direction_confirmed}
    if chosen.high_means:
        if holds not in ("probability", "score") or chosen.high_means not in dataset.labels:
            raise SettingsError(
                f"{quoted(column)} holds no score or probability."
                if holds not in ("probability", "score")
                else f"The outcome {quoted(chosen.high_means)} does not occur.",
                where=option("high_means"),
                advice=f"Choose among {listed([*map(quoted, dataset.labels[:30])])}, for a score or a probability.",
            )
        given["high_scores"] = "favourable" if chosen.high_means == dataset.roles.favourable else "unfavourable"
    if chosen.answer_means:
        given["meanings"] = _meanings(chosen, dataset, column, holds)
    elif holds == "labels" and dataset.roles.outcome:
        _require_outcomes(dataset, column, {*dataset.labels, *chosen.classes})
    return given


def how_it_is_read(
    chosen: Choices, source: ModelSource, model: AbstractModel, data: EncodedDataset, answers: np.ndarray
) -> Iterator[str]:
    """What was taken for granted about the direction of the answers, a sentence each.

    Raises:
        SettingsError: The answers go against the outcomes, and nobody confirmed that they are right as they are.
    """
    dataset = data.dataset
    direction = direction_of(model, data, answers)
    if direction is not None and direction.against and not chosen.direction_confirmed:
        raise SettingsError(
            f"{direction.told}. The answers go against the outcomes.",
            where=source.title,
            advice=f"{_other_way(source, model, dataset.roles.favourable)} If they are right as they are, add "
            f"{option('direction_confirmed', True)}: nothing is claimed then.",
        )
    because = f" ({direction.told[:1].lower()}{direction.told[1:]})" if direction is not None else ""
    if isinstance(source, PredictionColumns):
        if source.holds in ("probability", "score") and not chosen.high_means:
            high = dataset.roles.favourable
            yield f"High values of {quoted(source.title)} are taken to stand for {quoted(high)}{because}."
    elif model.classes and not chosen.classes and direction is not None:
        yield f"The model's outputs are taken to stand for {listed([*map(quoted, model.classes)])}{because}."


def of_a_file(chosen: Choices) -> dict[str, Any]:
    """The fields of a model file that say which way round its answers are read.

    Raises:
        SettingsError: An option for columns of answers is given.
    """
    for name in ("high_means", "answer_means"):
        if getattr(chosen, name):
            raise SettingsError(
                "The outputs of a model stand for outcomes in an order of their own.",
                where=option(name),
                advice=f"Name the outcome of each output, in order, by {option('classes')}.",
            )
    return {"classes": chosen.classes, "direction_confirmed": chosen.direction_confirmed}


def _meanings(chosen: Choices, dataset: Dataset, column: str, holds: str) -> tuple[Meaning, ...]:
    if holds != "labels":
        raise SettingsError(
            f"{quoted(column)} holds no labels.",
            where=option("answer_means"),
            advice=f"Say which outcome a high value stands for, by {option('high_means')}.",
        )
    given = chosen.answer_means
    pairs = given.items() if isinstance(given, dict) else [_pair(one, dataset) for one in given]
    found = tuple(Meaning(label=label, outcome=outcome) for label, outcome in pairs)
    labels = [one.label for one in found]
    if doubled := [label for label in labels if labels.count(label) > 1]:
        raise SettingsError(
            f"The label {quoted(doubled[0])} is given two meanings.",
            where=option("answer_means"),
            advice="Name each label once.",
        )
    return found


def _pair(given: str, dataset: Dataset) -> tuple[str, str]:
    """A label and its outcome, either of which may hold the sign between them."""
    parts = given.split("=")
    for place in range(1, len(parts)):
        label, outcome = "=".join(parts[:place]).strip(), "=".join(parts[place:]).strip()
        if outcome in dataset.labels:
            return label, outcome
    raise SettingsError(
        f"{quoted(given)} does not say which outcome a label stands for.",
        where=option("answer_means"),
        advice=f"Write {option('answer_means', ('LABEL', 'OUTCOME'))}, with one of the outcomes "
        f"{listed([*map(quoted, dataset.labels[:30])])}.",
    )


def _require_outcomes(dataset: Dataset, column: str, known: set[str]) -> None:
    strange = sorted(set(as_text(dataset.frame[column])) - known)
    if not strange:
        return
    found = propose_meanings(dataset, column)
    outcomes = listed([*map(quoted, dataset.labels[:8])])
    proposal = _option(*(one.meaning for one in found if one.meaning.label in strange))
    reasons = "; ".join(one.reason for one in found if one.meaning.label in strange)
    raise SettingsError(
        f"{quoted(column)} holds {quoted(strange[0])}, which is none of the outcomes {outcomes}.",
        where=option("answer_means"),
        advice=f"If the answers are right more often than not, add {proposal} ({without_stop(reasons)})."
        if found
        else "Say which outcome each label stands for, or name another column.",
    )


def _option(*meanings: Meaning) -> str:
    return option("answer_means", *((one.label, one.outcome) for one in meanings))


def _other_way(source: ModelSource, model: AbstractModel, favourable: str) -> str:
    """How the answers are turned round, one sentence."""
    turned = source.turned(model.classes)
    if turned is None:
        return f"Name the outcome of each output, in order, by {option('classes')}." if model.classes else model.turning
    if isinstance(turned, PredictionColumns) and turned.holds == "labels":
        return f"If they are the other way round, add {_option(*turned.meanings)}."
    if isinstance(turned, PredictionColumns) and turned.holds in ("probability", "score"):
        good = turned.high_scores == "favourable"
        high = next(name for name in model.classes if (name == favourable) is good)
        return f"If they are the other way round, add {option('high_means', high)}."
    return f"If they are the other way round, add {option('classes', *turned.classes)}."
