"""An audit as a plan: which columns are for what, which model or predictions, and which tests."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pydantic import ValidationError

from core.api.answers import class_probabilities, require_one, told_of_answers
from core.api.choices import Choices
from core.api.direction import how_it_is_read, of_a_file, reading
from core.api.labelling import labels_of
from core.api.proving import proved
from core.audits import KINDS, AuditSettings
from core.base.errors import DataError, Notice, SettingsError
from core.base.files import FileStore
from core.base.settings import Settings
from core.contracts.model import AbstractModel
from core.data.cells import as_numbers, as_text, is_number_column, is_quantity, is_score
from core.data.column_look import look
from core.data.counted import Counted
from core.data.dataset import Dataset
from core.data.guess_copies import same_under_another_name
from core.data.guess_outcome import favourable, good_answer, has_a_good_one
from core.data.guess_roles import RolesGuess, guess_roles
from core.data.roles import SELECTED, Roles
from core.language.options import option
from core.language.phrases import listed, quoted
from core.language.settings_words import what_is_wrong
from core.models import ModelSource
from core.models.in_memory import ObjectInMemory
from core.models.predictions import PredictionColumns
from core.plan import AuditPlan
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.workflows.proposing import begun, held_back, proposed, unsuited


@dataclass(frozen=True)
class Read:
    """A table as it was read, and what its columns are guessed to be for.

    Attributes:
        source: Where it lies, and how it is read.
        frame: Its rows.
        people: The same with one row a person.
        guess: What the columns are for.
        notices: What a reader has to know about how it was read.
    """

    source: UploadedTable
    frame: pd.DataFrame
    people: pd.DataFrame
    guess: RolesGuess
    notices: tuple[Notice, ...]


@dataclass(frozen=True)
class Planned:
    """The audit, and what was guessed on the way, a sentence each."""

    study: Study
    told: tuple[str, ...]


def read(chosen: Choices, source: UploadedTable, files: FileStore) -> Read:
    """Read a table, and guess what its columns are for.

    Raises:
        EvenhandError: It cannot be read, lacks a column that is named, or has one that may count people.
    """
    frame, described = source.read(files)
    _check_names(chosen, frame, source.file.name)
    people = Counted.of(frame[chosen.counts]).written_out(frame) if chosen.counts else frame
    return Read(source, frame, people, _guess(chosen, people), described.notices)


def plan(chosen: Choices, table: Read, model: ModelSource | None, files: FileStore) -> Planned:
    """Settle the roles, load the model, and take the tests that are named or proposed.

    Args:
        chosen: What was chosen.
        table: The table.
        model: The model as it was brought; None for predictions in the table.
        files: Where files lie.

    Raises:
        EvenhandError: A role is open or wrong, the model does not fit, or a test does not suit it.
    """
    frame, people, guess, brought = table.frame, table.people, table.guess, model is not None
    reads = model.names_read if isinstance(model, ObjectInMemory) else ()
    roles = _roles(chosen, people, guess, brought=brought, reads=reads)
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
    data = loaded.encode(dataset)
    answers = loaded.predict_proba(data) if loaded.classes else loaded.predict(data)[:, None]
    known = (*proved(model, loaded, data, answers, files), *how_it_is_read(chosen, model, loaded, data, answers))
    if isinstance(model, ObjectInMemory):
        model = model.model_copy(
            update={"answers": hashlib.sha256(np.ascontiguousarray(answers).tobytes()).hexdigest()}
        )
    audits = {kind: _with(audit, chosen) for kind, audit in begun(loaded, dataset).items()}
    wrong = unsuited(audits, loaded, dataset)
    held = {} if chosen.tests else held_back(audits, wrong, loaded, dataset)
    named = chosen.tests or proposed(audits, wrong, loaded, dataset, held)
    tests = [_audit(one, audits, wrong, loaded, dataset) for one in named]
    if not tests:
        raise SettingsError(
            "No test suits this model and table.",
            advice=" ".join(f"{KINDS[k].title}: {why}" for k, why in {**wrong, **held}.items()),
        )
    plans = tuple(AuditPlan(data=table.source, roles=roles, model=model, audit=one, seed=chosen.seed) for one in tests)
    study = decided(Study(plans=plans), chosen)
    told = _told(chosen, people, roles, guess, [one.called or KINDS[one.kind].title for one in tests])
    kept = (f"Not proposed: {audits[kind].called or KINDS[kind].title}. {why}" for kind, why in held.items())
    how = (notice.line for notice in table.notices)
    return Planned(study, (*how, *told, *told_of_answers(model, roles), *known, *kept))


def _check_names(chosen: Choices, frame: pd.DataFrame, where: str) -> None:
    one = (chosen.outcome, chosen.belongs_to, chosen.counts, chosen.text, chosen.annotation)
    many = (*chosen.protected, *chosen.features, *chosen.predictions, *chosen.other_system)
    many += (*chosen.numeric, *chosen.categorical)
    for name in (*one, *many):
        if name and name not in frame.columns:
            raise DataError(
                f"The table has no column {quoted(name)}.",
                where=where,
                advice=f"Its columns are {listed([quoted(one) for one in frame.columns[:30]])}.",
            )


def _guess(chosen: Choices, people: pd.DataFrame) -> RolesGuess:
    """What the columns are for; a column that may count people is asked about, unless it was said what it is for."""
    guess = guess_roles(people, counted=not (chosen.no_count or chosen.counts))
    if guess.counts is None:
        return guess
    name, why = guess.counts
    if name in (chosen.outcome, chosen.belongs_to, *chosen.protected, *chosen.features, *chosen.predictions):
        return guess_roles(people, counted=False)
    raise SettingsError(
        f"The column {quoted(name)} seems to say how many people each row stands for: {why}.",
        where=option("counts"),
        advice=f"Add {option('counts', name)} if it does, or {option('no_count', True)} if each row is one person.",
    )


def _roles(
    chosen: Choices, frame: pd.DataFrame, guess: RolesGuess, *, brought: bool, reads: tuple[str, ...] = ()
) -> Roles:
    """What the columns are for: as was chosen, else as is guessed; of a model that says which it reads, those."""
    text = chosen.text or guess.text or ""
    if not (chosen.outcome or chosen.no_outcome or text) and not guess.sure:
        raise SettingsError(
            f"Which column says what really happened cannot be told for sure{_because(guess)}.",
            where=option("outcome"),
            advice=f"Add {option('outcome', guess.outcome or 'COLUMN')}, or {option('no_outcome', True)} if there are "
            "decisions only.",
        )
    outcome = "" if chosen.no_outcome else chosen.outcome or guess.outcome or ""
    own = outcome == (guess.outcome or "")
    number = _is_number(chosen, frame, outcome, guess)
    predictions = chosen.predictions or guess.predictions
    if brought and not (outcome or text):
        predictions = ()
    if number and chosen.favourable:
        raise SettingsError(
            f"The outcome {quoted(outcome)} is read as a number, and no value of a number is the favourable one.",
            where=option("favourable"),
            advice=f"Leave {option('favourable')} out, or add {option('outcome_type', 'classes')}.",
        )
    good = chosen.favourable or (guess.favourable if own and outcome else "")
    if predictions and not (outcome or good or text):
        good = _good_decision(frame[predictions[0]])
    if outcome and not (number or good or text) and is_score(frame[outcome]):
        raise SettingsError(
            f"The outcome {quoted(outcome)} holds {frame[outcome].nunique()} different numbers, and nothing says "
            "whether they are classes or a number that a model estimates.",
            where=f"{option('outcome_type')}, {option('favourable')}",
            advice=f"Add {option('outcome_type', 'number')}, or for classes {option('favourable')} with the one that "
            "is good for the person.",
        )
    taken = {outcome, chosen.belongs_to, text, chosen.annotation, *predictions}
    protected = chosen.protected or tuple(name for name in guess.protected if name not in taken)
    offered = _offered(guess, taken)
    if offered and not protected and not text:
        raise SettingsError(
            "No column is surely a protected attribute.",
            where=option("protected"),
            advice=f"Add {option('protected', next(iter(offered)))}, if it is meant: {_with_reasons(offered)}.",
        )
    left = taken | set(protected) | ({guess.outcome or ""} if chosen.no_outcome else set()) | set(guess.predictions)
    features = chosen.features or tuple(name for name in reads if name in frame and name not in taken | set(protected))
    features = features or _harmless(frame, [name for name in guess.features if name not in left], outcome, predictions)
    labels = labels_of(chosen.labels, frame)
    labels += tuple(one for one in guess.labels if one.column not in {given.column for given in labels})
    try:
        return Roles(
            outcome=outcome,
            outcome_type="number" if number else "classes",
            favourable="" if number else good or "",
            protected=protected,
            text=text,
            annotation=(chosen.annotation or guess.annotation or "") if text else "",
            belongs_to=chosen.belongs_to,
            counts=chosen.counts,
            features=() if text else features,
            predictions=predictions,
            numeric=chosen.numeric,
            categorical=chosen.categorical,
            missing=chosen.missing or guess.missing,
            labels=labels,
        )
    except ValidationError as error:
        raise SettingsError(
            f"{what_is_wrong(error.errors()[0])}.".replace("..", "."),
            where="roles of the columns",
            advice=f"Name them: {', '.join(map(option, ('outcome', 'favourable', 'protected', 'predictions')))}.",
        ) from error


def _good_decision(values: pd.Series) -> str:
    """The decision that is good for the person, where its name says so; of a score to be selected."""
    if is_score(values):
        return SELECTED
    decided = look(str(values.name), values)
    if not has_a_good_one(decided):
        known = listed([quoted(one) for one in as_text(decided.distinct)[:30]])
        raise SettingsError(
            f"Which decision of {quoted(values.name)} is good for the person cannot be told from their names.",
            where=option("favourable"),
            advice=f"Add {option('favourable')} with one of {known}.",
        )
    return favourable(decided)


def _offered(guess: RolesGuess, taken: set[str]) -> dict[str, str]:
    """Columns that may be protected too, with the reason; without those that have another role."""
    return {name: why for name, why in guess.offered if name not in taken}


def _with_reasons(columns: dict[str, str]) -> str:
    return listed([f"{quoted(name)} ({why})" for name, why in columns.items()])


def _good_answer(model: AbstractModel) -> str:
    good = good_answer(model.classes)
    if good is None:
        raise SettingsError(
            "Which of the model's answers is good for the person cannot be told from their names.",
            where=option("favourable"),
            advice=f"Add {option('favourable')} with one of {listed([quoted(one) for one in model.classes[:30]])}.",
        )
    return good


def _because(guess: RolesGuess) -> str:
    why = dict(guess.reasons).get(guess.outcome or "", "")
    return f": {quoted(guess.outcome)} {why}" if guess.outcome and why else ""


def _is_number(chosen: Choices, frame: pd.DataFrame, outcome: str, guess: RolesGuess) -> bool:
    """Whether the outcome is a number: as is said, or else by its values."""
    if not outcome:
        return False
    if not chosen.outcome_type:
        return guess.outcome_type == "number" if outcome == guess.outcome else is_quantity(frame[outcome])
    if chosen.outcome_type == "number" and not np.isfinite(as_numbers(frame[outcome])).any():
        raise SettingsError(
            f"The outcome {quoted(outcome)} holds no numbers.",
            where=option("outcome_type"),
            advice=f"Leave {option('outcome_type')} out, or choose a column of numbers with {option('outcome')}.",
        )
    return chosen.outcome_type == "number"


def _dataset(frame: pd.DataFrame, roles: Roles, of_classes: PredictionColumns | None, *, brought: bool) -> Dataset:
    if brought or not roles.predictions:
        return Dataset.build(frame, roles, reads=roles.features)
    return (of_classes or PredictionColumns(columns=roles.predictions[:1])).dataset(frame, roles)


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


def _changed(settings: Any, given: Mapping[str, Any]) -> Any:
    """Settings with those given that they have.

    Raises:
        SettingsError: A value is out of range.
    """
    kind = type(settings)
    own = {name: value for name, value in given.items() if name in kind.model_fields and name != "kind"}
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


def _harmless(
    frame: pd.DataFrame, features: Sequence[str], outcome: str, predictions: Sequence[str]
) -> tuple[str, ...]:
    """The features that are neither the outcome nor the audited answers under another name."""
    found = same_under_another_name(frame, features, outcome, predictions)
    return tuple(name for name in features if name not in found)


def _told(chosen: Choices, frame: pd.DataFrame, roles: Roles, guess: RolesGuess, tests: Sequence[str]) -> Iterator[str]:
    """What every column is taken for, and what was guessed, with the reason."""
    reasons = dict(guess.reasons)
    taken = (
        ("text", (roles.text,), False),
        ("outcome", (roles.outcome,), bool(chosen.outcome)),
        ("judgement of people", (roles.annotation,), False),
        ("protected attributes", roles.protected, bool(chosen.protected)),
        ("predictions", roles.predictions, bool(chosen.predictions)),
        ("column that says which rows belong together", (roles.belongs_to,), True),
    )
    for called, columns, given in taken:
        names = [
            quoted(name) if given or name not in reasons else f"{quoted(name)} ({reasons[name]})"
            for name in columns
            if name
        ]
        if names:
            yield f"{called.capitalize() if given else f'Guessed {called}'}: {listed(names)}."
    if roles.favourable and not chosen.favourable:
        yield f"Guessed favourable value: {quoted(roles.favourable)}."
    offered = _offered(guess, {roles.outcome, roles.belongs_to, *roles.protected, *roles.predictions})
    if offered and not chosen.protected:
        yield (
            f"Not taken as protected: {_with_reasons(offered)}; to add one, name it with the others: "
            f"{option('protected', *roles.protected, next(iter(offered)))}."
        )
    if roles.features:
        yield f"Features: {listed([quoted(name) for name in roles.features])}."
    yield from _not_used(chosen, frame, roles, dict(guess.reasons) | offered | dict(guess.ignored))
    own = {one.column for one in roles.labels if one in guess.labels}
    for column in dict.fromkeys(one.column for one in guess.labels if one.column in own):
        codes = [f"{one.value} = {one.label}" for one in roles.labels if one.column == column]
        yield f"Codes of {quoted(column)} are read as those of a known survey: {'; '.join(codes)}."
    if not chosen.tests:
        yield f"Tests proposed: {listed(tests)}."


def _not_used(chosen: Choices, frame: pd.DataFrame, roles: Roles, reasons: dict[str, str]) -> Iterator[str]:
    """Every column without a role, with the reason, and what is read although it is nearly the answer."""
    others = [name for name in frame.columns if name not in roles.columns]
    looked_at = [*(() if roles.text else others), *chosen.features]
    same = same_under_another_name(frame, looked_at, roles.outcome, roles.predictions)
    for name in others:
        yield f"Not used: {quoted(name)} {same.get(name) or reasons.get(name) or 'was given no role'}."
    if left := [name for name in others if name in same]:
        yield f"If the audited model reads {quoted(left[0])} all the same, name every feature: {option('features')}."
    for name in chosen.features:
        if name in same:
            yield f"A feature because you named it: {quoted(name)} {same[name]}."
