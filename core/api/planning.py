"""An audit as a plan: which columns are for what, which model or predictions, and which tests."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pydantic import ValidationError

from core.api.answers import class_probabilities, require_one, told_of_answers
from core.api.choices import Choices
from core.api.direction import how_it_is_read, of_a_file, reading
from core.api.folder import (
    AuditedFolder,
    adds_up,
    gone_through,
    is_counted,
    look,
    takes_no_counts,
    too_many_kinds,
)
from core.api.proving import proved
from core.api.roles import check_names, guessed, settled, told_of_roles
from core.audits import KINDS, AuditSettings
from core.base.device import computing
from core.base.errors import Caveat, SettingsError
from core.base.files import FileStore
from core.base.settings import Settings
from core.contracts.model import AbstractModel
from core.data.cells import as_numbers, as_text, is_number_column
from core.data.counted import Counted
from core.data.dataset import Dataset
from core.data.guess_outcome import good_answer
from core.data.guess_roles import RolesGuess
from core.data.roles import Roles
from core.language.options import option
from core.language.phrases import listed, quoted
from core.language.settings_words import what_is_wrong
from core.models import ModelSource
from core.models.in_memory import ObjectInMemory
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.sources.folder.table import FolderTable
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.workflows.proposing import begun, held_back, proposed, unsuited


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
    """The audit, and what was guessed on the way, a sentence each."""

    study: Study
    told: tuple[str, ...]


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
    frame, people, guess, brought, as_brought = table.frame, table.people, table.guess, model is not None, model
    reads = model.names_read if isinstance(model, ObjectInMemory) else ()
    roles = settled(chosen, people, guess, brought=brought, reads=reads)
    of_classes = None if brought else class_probabilities(frame, roles, chosen.holds)
    dataset = _dataset(frame, roles, of_classes, brought=brought)
    if of_classes is None and not brought:
        require_one(chosen.predictions)
    model = of_classes or _model(chosen, dataset, model, guess)
    loaded = model.load(files, dataset)
    if roles.judges_a_model and not roles.favourable:
        roles = roles.model_copy(update={"favourable": _good_answer(loaded)})
        dataset = _dataset(frame, roles, of_classes, brought=brought)
        loaded = model.load(files, dataset)
    source = table.source if as_read else table.source.for_categories(loaded.categories, dataset.brought, files)
    if source != table.source:
        return plan(chosen, read(chosen, source, files), as_brought, files)
    data = loaded.encode(dataset)
    answers = loaded.checked_answers(data)
    known = (*proved(model, loaded, data, answers, files), *how_it_is_read(chosen, model, loaded, data, answers))
    if isinstance(model, ObjectInMemory):
        model = model.model_copy(
            update={"answers": hashlib.sha256(np.ascontiguousarray(answers).tobytes()).hexdigest()}
        )
    brought_roles = roles
    audits = {kind: _with(audit, chosen) for kind, audit in begun(loaded, dataset).items()}
    asked_for = [audits.get(one) if isinstance(one, str) else one for one in chosen.tests]
    if is_counted(source) and adds_up(asked_for, loaded, dataset):
        source = gone_through(source, dataset)
    elif isinstance(source, FolderTable) and (
        found := AuditedFolder(source, files, model, loaded, dataset).asked_about_each_row(frame, data, answers)
    ):
        source, frame, roles, model = found
        dataset = model.dataset(frame, roles)
        loaded = model.load(files, dataset)
        audits = {kind: _with(audit, chosen) for kind, audit in begun(loaded, dataset).items()}
    wrong = _cannot_run(audits, loaded, dataset, counted=is_counted(source))
    held = {} if chosen.tests else held_back(audits, wrong, loaded, dataset)
    if is_counted(source) and not chosen.tests:
        suited = {kind: audit for kind, audit in audits.items() if kind not in wrong}
        held |= too_many_kinds(suited, loaded, dataset)
    named = chosen.tests or proposed(audits, wrong, loaded, dataset, held)
    tests = [_audit(one, audits, wrong, loaded, dataset) for one in named]
    if not tests:
        raise SettingsError(
            "No test suits this model and table.",
            advice=" ".join(f"{KINDS[k].title}: {why}" for k, why in {**wrong, **held}.items()),
        )
    of_all, about_folder = roles, tuple[str, ...]()
    if isinstance(source, FolderTable):
        folder = AuditedFolder(source, files, model, loaded, dataset)
        source, of_all, about_folder = folder.counted_or_drawn(tests, roles)
    plans = tuple(AuditPlan(data=source, roles=of_all, model=model, audit=one, seed=chosen.seed) for one in tests)
    study = decided(Study(plans=plans), chosen)
    told = told_of_roles(chosen, people, brought_roles, guess, [one.called or KINDS[one.kind].title for one in tests])
    kept = (f"Not proposed: {audits[kind].called or KINDS[kind].title}. {why}" for kind, why in held.items())
    how = (caveat.line for caveat in table.caveats)
    return Planned(study, (*how, *about_folder, *told, *told_of_answers(model, roles), *known, *kept))


def _cannot_run(
    audits: dict[str, AuditSettings], model: AbstractModel, dataset: Dataset, *, counted: bool
) -> dict[str, str]:
    """Why tests cannot be run, those of counts included, by their kind."""
    wrong = unsuited(audits, model, dataset)
    of_counts = {kind: takes_no_counts(audit, dataset) for kind, audit in audits.items()} if counted else {}
    return {kind: why for kind, why in (of_counts | wrong).items() if why}


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


def _with(audit: AuditSettings, chosen: Choices) -> AuditSettings:
    """A test with the settings that were chosen and that it has."""
    given = dict(chosen.settings) | ({} if chosen.metric is None else {"metric": chosen.metric})
    found: AuditSettings = _changed(audit, given)
    return found


def _own(value: Any, kind: str) -> Any:
    """A choice for a kind of test, where it is given by the kind; None where it is given for others."""
    return value.get(kind) if isinstance(value, Mapping) and value and set(value) <= set(KINDS) else value


def _changed(settings: Any, given: Mapping[str, Any]) -> Any:
    """Settings with those given that they have.

    Raises:
        SettingsError: A value is out of range.
    """
    kind = type(settings)
    named = {name: _own(value, settings.kind) for name, value in given.items() if name in kind.model_fields}
    own = {name: value for name, value in named.items() if value is not None and name != "kind"}
    if not own:
        return settings
    try:
        return kind.model_validate({**dict(settings), **own})
    except ValidationError as error:
        first = error.errors()[0]
        name = str((first["loc"] or ("",))[0])
        raise SettingsError(
            f"The setting {option(name) if name else kind.__name__} cannot be taken: {what_is_wrong(first)}.",
            where=option(name) if name else "",
            advice="Choose another value.",
        ) from error


def _audit(
    named: str | AuditSettings,
    audits: dict[str, AuditSettings],
    wrong: dict[str, str],
    model: AbstractModel,
    dataset: Dataset,
) -> AuditSettings:
    """A test that is named, or given with its settings."""
    if isinstance(named, Settings):
        if why := named.is_compatible(model, dataset):
            raise _unsuited(named.kind, why, wrong)
        return named
    if named not in KINDS:
        raise SettingsError(
            f"There is no test {quoted(named)}.", where=option("tests"), advice=f"Choose among {listed([*KINDS])}."
        )
    if named in wrong:
        raise _unsuited(named, wrong[named], wrong)
    return audits[named]


def _unsuited(kind: str, why: str, wrong: dict[str, str]) -> SettingsError:
    return SettingsError(
        f"The {KINDS[kind].name_in_text} test does not suit: {why}",
        where=option("tests"),
        advice=f"These do: {listed([other for other in KINDS if other not in wrong])}.",
    )


def decided(study: Study, chosen: Choices, *, runs: bool = True) -> Study:
    """The study under the tolerance, the error rate and what else was chosen of how it is judged.

    Args:
        study: The tests.
        chosen: What was chosen.
        runs: Whether they have yet to run, so that their own settings may be among what was chosen.

    Raises:
        SettingsError: A value is out of range, a tolerance is of no test, or a setting is of none.
    """
    tests = study.plans
    kinds = [one.audit.kind for one in tests]
    delta = chosen.delta if isinstance(chosen.delta, dict) else dict.fromkeys(kinds, chosen.delta)
    if isinstance(chosen.delta, float) and len(set(kinds)) > 1:
        raise SettingsError(
            "One tolerance is given, and tests have tolerances in units of their own.",
            where=option("delta"),
            advice=f"Name the test of each: {option('delta', *((kind, 0.05) for kind in dict.fromkeys(kinds)))}.",
        )
    if strange := [kind for kind in delta if kind not in kinds]:
        raise SettingsError(
            f"A tolerance is given for {quoted(strange[0])}, which is no test of this audit.",
            where=option("delta"),
            advice=f"The tests are {listed(kinds)}.",
        )
    parts = [part for one in tests for part in ((one.audit, one.decision) if runs else (one.decision,))]
    known = {name for part in parts for name in type(part).model_fields}
    named = (*chosen.settings, *(() if chosen.metric is None else ("metric",)))
    if strange := [name for name in named if name not in known - {"kind"}]:
        raise SettingsError(
            f"The setting {quoted(strange[0])} is none of these tests: {listed([KINDS[kind].title for kind in kinds])}."
            if runs
            else f"The setting {quoted(strange[0])} decides what is run, and is not chosen afterwards.",
            where=option(strange[0]),
            advice=f"Choose among {listed(sorted(known - {'kind'}))}.",
        )
    given = [{**chosen.settings, "delta": delta.get(kind), "alpha": chosen.alpha} for kind in kinds]
    return study.read(
        tuple(
            _changed(one.decision, {name: value for name, value in own.items() if value is not None})
            for one, own in zip(tests, given, strict=True)
        )
    )
