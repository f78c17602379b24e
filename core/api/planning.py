"""An audit as a plan: which columns are for what, which model or predictions, and which tests."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.api.answers import class_probabilities, require_one, told_of_answers
from core.api.choices import Choices
from core.api.direction import how_it_is_read, of_a_file, reading
from core.api.folder import AuditedFolder, is_counted, look
from core.api.proving import proved
from core.api.roles import check_names, guessed, settled, told_of_roles
from core.api.tests_taken import TakenTests, decided, named
from core.base.device import computing
from core.base.errors import Caveat, SettingsError
from core.base.files import FileStore
from core.contracts.model import AbstractModel
from core.data.cells import as_numbers, as_text, is_number_column
from core.data.counted import Counted
from core.data.dataset import Dataset
from core.data.guess_outcome import good_answer
from core.data.guess_roles import RolesGuess
from core.data.roles import Roles
from core.language.options import option
from core.language.phrases import listed, quoted
from core.models import ModelSource
from core.models.in_memory import ObjectInMemory
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.sources.folder.table import FolderTable
from core.sources.upload.uploaded import UploadedTable
from core.study import Study


@dataclass(frozen=True)
class Read:
    """A table as it was read, and what its columns are guessed to be for.

    Attributes:
        source: Where it lies, and how it is read.
        frame: Its rows; of a folder some.
        people: The same with one row a person.
        guess: What the columns are for.
        caveats: What a reader has to know about how it was read.
    """

    source: UploadedTable | FolderTable
    frame: pd.DataFrame
    people: pd.DataFrame
    guess: RolesGuess
    caveats: tuple[Caveat, ...]


@dataclass(frozen=True)
class Planned:
    """The audit, what was guessed on the way, a sentence each, and which tests are left out, each with the reason."""

    study: Study
    told: tuple[str, ...]
    left_out: Mapping[str, str]


def read(chosen: Choices, source: UploadedTable | FolderTable, files: FileStore) -> Read:
    """Read a table, and guess what its columns are for.

    Raises:
        EvenhandError: It cannot be read, lacks a column that is named, or has one that may count people.
    """
    if isinstance(source, FolderTable):
        frame = look(source, chosen, files)
        return Read(source, frame, frame, guessed(chosen, frame), ())
    frame, described = source.read(files)
    check_names(chosen, frame, source.file.name)
    people = Counted.of(frame[chosen.counts]).written_out(frame, some=True) if chosen.counts else frame
    return Read(source, frame, people, guessed(chosen, people), described.caveats)


@computing()
def plan(
    chosen: Choices, table: Read, model: ModelSource | None, files: FileStore, *, as_read: bool = False
) -> Planned:
    """Settle the roles, load the model, and take the tests that are named or proposed.

    Args:
        chosen: What was chosen.
        table: The table.
        model: The model as it was brought; None for predictions in the table.
        files: Where files lie.
        as_read: Whether the table stays as it was read, though the model knows marks for missing values as categories.

    Raises:
        EvenhandError: A role is open or wrong, the model does not fit, or a test does not suit it.
    """
    fitted = _fitted(chosen, table, model, files)
    roles, brought, loaded, dataset = fitted.roles, fitted.source, fitted.model, fitted.dataset
    source = table.source if as_read else table.source.for_categories(loaded.categories, dataset.brought, files)
    if source != table.source:
        return plan(chosen, read(chosen, source, files), model, files)
    data = loaded.encode(dataset)
    answers = loaded.checked_answers(data)
    known = (*proved(brought, loaded, data, answers, files), *how_it_is_read(chosen, brought, loaded, data, answers))
    if isinstance(brought, ObjectInMemory):
        brought = brought.model_copy(
            update={"answers": hashlib.sha256(np.ascontiguousarray(answers).tobytes()).hexdigest()}
        )
    of_all, of_answers, about_folder = roles, roles, tuple[str, ...]()
    if isinstance(source, FolderTable):
        folder = AuditedFolder(source, files, roles, brought, loaded, dataset)
        folder = folder.with_all_rows(named(chosen, loaded, dataset), table.frame, data, answers)
        taken = TakenTests.of(chosen, folder.loaded, folder.dataset, counted=is_counted(folder.source), whole=False)
        source, of_all, about_folder = folder.counted_or_drawn(taken.tests)
        brought, of_answers = folder.model, folder.roles
    else:
        taken = TakenTests.of(chosen, loaded, dataset, counted=False, whole=True)
    plans = tuple(
        AuditPlan(data=source, roles=of_all, model=brought, audit=one, seed=chosen.seed) for one in taken.tests
    )
    told = (
        *(caveat.line for caveat in table.caveats),
        *about_folder,
        *told_of_roles(chosen, table.people, roles, table.guess, taken.titles),
        *told_of_answers(brought, of_answers),
        *known,
        *(f"Left out: {title}. {why}" for title, why in taken.left_out.items()),
    )
    return Planned(decided(Study(plans=plans), chosen), told, taken.left_out)


@dataclass(frozen=True)
class _Fitted:
    """What the columns are for, and the model that is audited on them.

    Attributes:
        roles: What the columns are for.
        source: The model as it was brought with what was chosen of it, or the predictions in the table.
        model: The model.
        dataset: The rows.
    """

    roles: Roles
    source: ModelSource
    model: AbstractModel
    dataset: Dataset


def _fitted(chosen: Choices, table: Read, brought: ModelSource | None, files: FileStore) -> _Fitted:
    """Settle the roles, and load the model."""
    frame, from_file = table.frame, brought is not None
    reads = brought.names_read if isinstance(brought, ObjectInMemory) else ()
    roles = settled(chosen, table.people, table.guess, brought=from_file, reads=reads)
    of_classes = None if from_file else class_probabilities(frame, roles, chosen.holds)
    dataset = _dataset(frame, roles, of_classes, brought=from_file)
    if of_classes is None and not from_file:
        require_one(chosen.predictions)
    source = of_classes or _model(chosen, dataset, brought, table.guess)
    loaded = source.load(files, dataset)
    if roles.judges_a_model and not roles.favourable:
        roles = roles.model_copy(update={"favourable": _good_answer(loaded)})
        dataset = _dataset(frame, roles, of_classes, brought=from_file)
        loaded = source.load(files, dataset)
    return _Fitted(roles, source, loaded, dataset)


def _good_answer(model: AbstractModel) -> str:
    good = good_answer(model.classes)
    if good is None:
        raise SettingsError(
            "Which of the model's answers is good for the person cannot be told from their names.",
            where=option("favourable"),
            advice=f"Add {option('favourable')} with one of {listed([quoted(one) for one in model.classes[:30]])}.",
        )
    return good


def _dataset(frame: pd.DataFrame, roles: Roles, of_classes: PredictionColumns | None, *, brought: bool) -> Dataset:
    if brought or not roles.predictions:
        return Dataset.build(frame, roles, reads=roles.features).written_out(some=True)
    return (of_classes or PredictionColumns(columns=roles.predictions[:1])).dataset(frame, roles).written_out(some=True)


def _model(chosen: Choices, dataset: Dataset, brought: ModelSource | None, guess: RolesGuess) -> ModelSource:
    """The model as it was brought with what was chosen of it, or the column of predictions."""
    if brought is not None:
        own = [name for name in chosen.predictions or guess.predictions if name not in dataset.all_roles.columns]
        given = {
            "own_answers": tuple(own),
            "other_system": chosen.other_system,
            "known_answers": chosen.known_answers,
            "trained_on": "" if chosen.trained_on == "not known" else chosen.trained_on,
            "encoder": chosen.encoder,
            **of_a_file(chosen),
            **_only_of_some(chosen, brought),
        }
        return brought.model_copy(update={name: value for name, value in given.items() if value})
    for name in ("other_system", "known_answers", "encoder", "numbers", "label"):
        if getattr(chosen, name):
            raise SettingsError(
                "This says how the file of a model is read or what it is compared with, and there is none.",
                where=option(name),
                advice=f"Add {option('model')} with the model.",
            )
    if not dataset.roles.predictions:
        raise SettingsError(
            "There is neither a model nor a column with its answers.",
            where=f"{option('model')}, {option('predictions')}",
            advice="Name the model, or the column that holds what it answered. To judge decisions that people took, "
            f"add {option('no_outcome', True)} and name their column with {option('predictions')}.",
        )
    column = dataset.roles.predictions[0]
    holds = chosen.holds or _held(dataset, column)
    if holds == "score" and chosen.threshold is None:
        numbers = as_numbers(dataset.reading((column,)).frame[column])
        raise SettingsError(
            f"{quoted(column)} holds numbers, and nothing says from which one on people count as selected.",
            where=option("threshold"),
            advice=f"Add {option('threshold')} with a number between {numbers.min():g} and {numbers.max():g}.",
        )
    given = {"columns": (column,), "holds": holds, "threshold": chosen.threshold, "by_people": chosen.by_people}
    given |= {"trained_on": chosen.trained_on}
    return PredictionColumns.model_validate(given | reading(chosen, dataset, column, holds))


def _only_of_some(chosen: Choices, brought: ModelSource) -> dict[str, Any]:
    """The choices that only some formats have.

    Raises:
        SettingsError: One means nothing for this model.
    """
    given = {name: getattr(chosen, name) for name in ("numbers", "label") if getattr(chosen, name)}
    for name in given:
        if name not in type(brought).model_fields:
            raise SettingsError(
                f"{quoted(brought.title)} is no model of which this can be said.",
                where=option(name),
                advice=f"Leave {option(name)} out.",
            )
    return given


def _held(dataset: Dataset, column: str) -> str:
    """What a column of answers holds, by its values."""
    dataset = dataset.reading((column,))
    values, roles = dataset.frame[column], dataset.roles
    if roles.outcome_type == "number":
        return "number"
    if not is_number_column(values) or set(as_text(values)) <= set(dataset.labels):
        return "labels"
    numbers = as_numbers(values)
    return "probability" if roles.outcome and numbers.min() >= 0 and numbers.max() <= 1 else "score"
