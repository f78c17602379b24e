"""An audit from files: which columns are for what, which model or predictions, and which tests, as a plan."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from pydantic import TypeAdapter, ValidationError

from core.audits import KINDS, AuditSettings
from core.base.errors import DataError, SettingsError, SourceError
from core.base.files import FileRef, FileStore
from core.cli.answers import class_probabilities, require_one, told_of_answers
from core.cli.asked import Asked
from core.cli.direction import how_it_is_read, of_a_file, reading
from core.cli.labelling import labels_of
from core.cli.patience import seconds_to_read, within
from core.cli.preparing import declared
from core.cli.proving import proved
from core.contracts.model import AbstractModel
from core.data.cells import as_numbers, as_text, is_number_column, is_quantity, is_score
from core.data.column_look import look
from core.data.counted import Counted
from core.data.dataset import Dataset
from core.data.guess_copies import same_under_another_name
from core.data.guess_outcome import favourable, good_answer, has_a_good_one
from core.data.guess_roles import RolesGuess, guess_roles
from core.data.roles import SELECTED, Roles
from core.language.phrases import listed, quoted
from core.language.settings_words import what_is_wrong
from core.models import ModelSource
from core.models.predictions import PredictionColumns
from core.models.sniff import recognise
from core.plan import AuditPlan
from core.sources.upload.uploaded import UploadedTable
from core.study import Study
from core.workflows.proposing import begun, held_back, proposed, unsuited

_MODEL: TypeAdapter[ModelSource] = TypeAdapter(ModelSource)


@dataclass(frozen=True)
class Planned:
    """The audit, and what was guessed on the way, a sentence each."""

    study: Study
    told: tuple[str, ...]


def plan(asked: Asked, files: FileStore) -> Planned:
    """Read the table, settle the roles, load the model, and take the tests that are named or proposed.

    Raises:
        EvenhandError: A file cannot be read, a role is open or wrong, or a test does not suit the model.
    """
    source = UploadedTable(file=_kept(asked.table, files), decimal=asked.decimal, sheet=asked.sheet)
    with within(seconds_to_read(source.file.bytes), asked.table.name):
        frame, described = source.read(files)
        _check_names(asked, frame)
        people = Counted.of(frame[asked.counts]).written_out(frame) if asked.counts else frame
        guess = _guess(asked, people)
    roles = _roles(asked, people, guess)
    of_classes = class_probabilities(frame, roles) if asked.model is None else None
    dataset = _dataset(asked, frame, roles, of_classes)
    if of_classes is None and asked.model is None:
        require_one(asked.predictions)
    model = of_classes or _model(asked, dataset, files, guess)
    loaded = model.load(files, dataset)
    if roles.judges_a_model and not roles.favourable:
        roles = roles.model_copy(update={"favourable": _good_answer(loaded)})
        dataset = _dataset(asked, frame, roles, of_classes)
        loaded = model.load(files, dataset)
    data = loaded.encode(dataset)
    answers = loaded.predict_proba(data) if loaded.classes else loaded.predict(data)[:, None]
    read = (*proved(model, loaded, data, answers, files), *how_it_is_read(asked, model, loaded, data, answers))
    audits = begun(loaded, dataset)
    wrong = unsuited(audits, loaded, dataset)
    held = {} if asked.tests else held_back(audits, wrong, loaded, dataset)
    kinds = asked.tests or proposed(audits, wrong, loaded, dataset, held)
    chosen = [_audit(kind, audits, wrong) for kind in kinds]
    if not chosen:
        raise SettingsError(
            "No test suits this model and table.",
            advice=" ".join(f"{KINDS[k].title}: {why}" for k, why in {**wrong, **held}.items()),
        )
    plans = tuple(AuditPlan(data=source, roles=roles, model=model, audit=audit, seed=asked.seed) for audit in chosen)
    told = _told(asked, people, roles, guess, [audits[kind].called or KINDS[kind].title for kind in kinds])
    kept = (f"Not proposed: {audits[kind].called or KINDS[kind].title}. {why}" for kind, why in held.items())
    how = (notice.line for notice in described.notices)
    return Planned(Study(plans=plans), (*how, *told, *told_of_answers(model, roles), *read, *kept))


def _kept(path: Path, files: FileStore) -> FileRef:
    try:
        return files.put(path.read_bytes(), path.name)
    except OSError as error:
        raise SourceError(
            "The file cannot be read.", where=str(path), advice="Check its name and whether you may read it."
        ) from error


def _check_names(asked: Asked, frame: pd.DataFrame) -> None:
    one = (asked.outcome, asked.belongs_to, asked.counts)
    many = (*asked.protected, *asked.features, *asked.predictions, *asked.other_system)
    for name in (*one, *many):
        if name and name not in frame.columns:
            raise DataError(
                f"The table has no column {quoted(name)}.",
                where=str(asked.table),
                advice=f"Its columns are {listed([quoted(one) for one in frame.columns[:30]])}.",
            )


def _guess(asked: Asked, people: pd.DataFrame) -> RolesGuess:
    """What the columns are for; a column that may count people is asked about, unless it was said what it is for."""
    guess = guess_roles(people, counted=not (asked.no_count or asked.counts))
    if guess.counts is None:
        return guess
    name, why = guess.counts
    if name in (asked.outcome, asked.belongs_to, *asked.protected, *asked.features, *asked.predictions):
        return guess_roles(people, counted=False)
    raise SettingsError(
        f"The column {quoted(name)} seems to say how many people each row stands for: {why}.",
        where="--count",
        advice=f"Add --count {shlex.quote(name)} if it does, or --no-count if each row is one person.",
    )


def _roles(asked: Asked, frame: pd.DataFrame, guess: RolesGuess) -> Roles:
    if not (asked.outcome or asked.no_outcome or guess.text) and not guess.sure:
        maybe = f"--outcome {quoted(guess.outcome)}" if guess.outcome else "--outcome COLUMN"
        raise SettingsError(
            f"Which column says what really happened cannot be told for sure{_because(guess)}.",
            where="--outcome",
            advice=f"Add {maybe}, or --no-outcome if there are decisions only.",
        )
    outcome = "" if asked.no_outcome else asked.outcome or guess.outcome or ""
    own = outcome == (guess.outcome or "")
    number = _is_number(asked, frame, outcome, guess)
    predictions = asked.predictions or guess.predictions
    if asked.model is not None and not (outcome or guess.text):
        predictions = ()
    if number and asked.favourable:
        raise SettingsError(
            f"The outcome {quoted(outcome)} is read as a number, and no value of a number is the favourable one.",
            where="--favourable",
            advice="Leave --favourable out, or add --outcome-type classes.",
        )
    good = asked.favourable or (guess.favourable if own and outcome else "")
    if predictions and not (outcome or good or guess.text):
        good = _good_decision(frame[predictions[0]])
    if outcome and not (number or good or guess.text) and is_score(frame[outcome]):
        raise SettingsError(
            f"The outcome {quoted(outcome)} holds {frame[outcome].nunique()} different numbers, and nothing says "
            "whether they are classes or a number that a model estimates.",
            where="--outcome-type, --favourable",
            advice="Add --outcome-type number, or for classes --favourable with the one that is good for the person.",
        )
    taken = {outcome, asked.belongs_to, *predictions}
    protected = asked.protected or tuple(name for name in guess.protected if name not in taken)
    offered = _offered(guess, taken)
    if offered and not protected and not guess.text:
        raise SettingsError(
            "No column is surely a protected attribute.",
            where="--protected",
            advice=f"Add {_options((next(iter(offered)),))}, if it is meant: {_with_reasons(offered)}.",
        )
    left = taken | set(protected) | ({guess.outcome or ""} if asked.no_outcome else set()) | set(guess.predictions)
    features = asked.features or _harmless(
        frame, [name for name in guess.features if name not in left], outcome, predictions
    )
    labels = labels_of(asked.labels, frame)
    labels += tuple(one for one in guess.labels if one.column not in {given.column for given in labels})
    try:
        return Roles(
            outcome=outcome,
            outcome_type="number" if number else "classes",
            favourable="" if number else good or "",
            protected=protected,
            text=guess.text or "",
            annotation=(guess.annotation or "") if guess.text else "",
            belongs_to=asked.belongs_to,
            counts=asked.counts,
            features=() if guess.text else features,
            predictions=predictions,
            missing=guess.missing,
            labels=labels,
        )
    except ValidationError as error:
        raise SettingsError(
            f"{what_is_wrong(error.errors()[0])}.".replace("..", "."),
            where="roles of the columns",
            advice="Name them: --outcome, --favourable, --protected, --predictions.",
        ) from error


def _good_decision(values: pd.Series) -> str:
    """The decision that is good for the person, where its name says so; of a score to be selected."""
    if is_score(values):
        return SELECTED
    decided = look(str(values.name), values)
    if not has_a_good_one(decided):
        raise SettingsError(
            f"Which decision of {quoted(values.name)} is good for the person cannot be told from their names.",
            where="--favourable",
            advice=f"Add --favourable with one of {listed([quoted(one) for one in as_text(decided.distinct)[:30]])}.",
        )
    return favourable(decided)


def _offered(guess: RolesGuess, taken: set[str]) -> dict[str, str]:
    """Columns that may be protected too, with the reason; without those that have another role."""
    return {name: why for name, why in guess.offered if name not in taken}


def _with_reasons(columns: dict[str, str]) -> str:
    return listed([f"{quoted(name)} ({why})" for name, why in columns.items()])


def _options(protected: tuple[str, ...]) -> str:
    return " ".join(f"--protected {shlex.quote(name)}" for name in protected)


def _good_answer(model: AbstractModel) -> str:
    good = good_answer(model.classes)
    if good is None:
        raise SettingsError(
            "Which of the model's answers is good for the person cannot be told from their names.",
            where="--favourable",
            advice=f"Add --favourable with one of {listed([quoted(one) for one in model.classes[:30]])}.",
        )
    return good


def _because(guess: RolesGuess) -> str:
    why = dict(guess.reasons).get(guess.outcome or "", "")
    return f": {quoted(guess.outcome)} {why}" if guess.outcome and why else ""


def _is_number(asked: Asked, frame: pd.DataFrame, outcome: str, guess: RolesGuess) -> bool:
    """Whether the outcome is a number: as is said, or else by its values."""
    if not outcome:
        return False
    if not asked.outcome_type:
        return guess.outcome_type == "number" if outcome == guess.outcome else is_quantity(frame[outcome])
    if asked.outcome_type == "number" and not np.isfinite(as_numbers(frame[outcome])).any():
        raise SettingsError(
            f"The outcome {quoted(outcome)} holds no numbers.",
            where="--outcome-type",
            advice="Leave --outcome-type out, or choose a column of numbers with --outcome.",
        )
    return asked.outcome_type == "number"


def _dataset(asked: Asked, frame: pd.DataFrame, roles: Roles, of_classes: PredictionColumns | None) -> Dataset:
    if asked.model is not None or not roles.predictions:
        return Dataset.build(frame, roles, reads=roles.features)
    return (of_classes or PredictionColumns(columns=roles.predictions[:1])).dataset(frame, roles)


def _model(asked: Asked, dataset: Dataset, files: FileStore, guess: RolesGuess) -> ModelSource:
    if asked.model is not None:
        file, roles = _kept(asked.model, files), dataset.all_roles
        kind = recognise(files.path(file), file.name)
        own = [name for name in asked.predictions or guess.predictions if name not in roles.columns]
        known = None if asked.known_answers is None else _kept(asked.known_answers, files)
        return _MODEL.validate_python(
            {
                "kind": kind,
                "file": file,
                "own_answers": tuple(own),
                "other_system": asked.other_system,
                "known_answers": known,
                **of_a_file(asked),
                **declared(asked, kind),
            }
        )
    of_a_model = {
        "--other-system": asked.other_system,
        "--known-answers": asked.known_answers,
        "--encoding": asked.encoding,
        "--numbers": asked.numbers,
        "--audited-label": asked.audited_label,
    }
    for option, given in of_a_model.items():
        if given:
            raise SettingsError(
                "This says how the file of a model is read or what it is compared with, and there is none.",
                where=option,
                advice="Add --model with the model's file.",
            )
    if not dataset.roles.predictions:
        raise SettingsError(
            "There is neither a model nor a column with its answers.",
            where="--model, --predictions",
            advice="Name the model's file, or the column that holds what it answered. To judge decisions that people "
            "took, add --no-outcome and name their column with --predictions.",
        )
    column = dataset.roles.predictions[0]
    holds = _held(dataset, column)
    if holds == "score" and asked.threshold is None:
        numbers = as_numbers(dataset.reading((column,)).frame[column])
        raise SettingsError(
            f"{quoted(column)} holds numbers, and nothing says from which one on people count as selected.",
            where="--threshold",
            advice=f"Add --threshold with a number between {numbers.min():g} and {numbers.max():g}.",
        )
    held = {"columns": (column,), "holds": holds, "threshold": asked.threshold, "by_people": asked.by_people}
    return PredictionColumns.model_validate(held | reading(asked, dataset, column, holds))


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


def _audit(kind: str, audits: dict[str, AuditSettings], wrong: dict[str, str]) -> AuditSettings:
    if kind not in KINDS:
        raise SettingsError(
            f"There is no test {quoted(kind)}.", where="--tests", advice=f"Choose among {listed([*KINDS])}."
        )
    if kind in wrong:
        raise SettingsError(
            f"The {KINDS[kind].name_in_text} test does not suit: {wrong[kind]}",
            where="--tests",
            advice=f"These do: {listed([other for other in KINDS if other not in wrong])}.",
        )
    return audits[kind]


def _harmless(
    frame: pd.DataFrame, features: Sequence[str], outcome: str, predictions: Sequence[str]
) -> tuple[str, ...]:
    """The features that are neither the outcome nor the audited answers under another name."""
    found = same_under_another_name(frame, features, outcome, predictions)
    return tuple(name for name in features if name not in found)


def _told(asked: Asked, frame: pd.DataFrame, roles: Roles, guess: RolesGuess, tests: Sequence[str]) -> Iterator[str]:
    """What every column is taken for, and what was guessed, with the reason."""
    reasons = dict(guess.reasons)
    taken = (
        ("text", (roles.text,), False),
        ("outcome", (roles.outcome,), bool(asked.outcome)),
        ("judgement of people", (roles.annotation,), False),
        ("protected attributes", roles.protected, bool(asked.protected)),
        ("predictions", roles.predictions, bool(asked.predictions)),
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
    if roles.favourable and not asked.favourable:
        yield f"Guessed favourable value: {quoted(roles.favourable)}."
    offered = _offered(guess, {roles.outcome, roles.belongs_to, *roles.protected, *roles.predictions})
    if offered and not asked.protected:
        yield (
            f"Not taken as protected: {_with_reasons(offered)}; to add one, name it with the others: "
            f"{_options((*roles.protected, next(iter(offered))))}."
        )
    if roles.features:
        yield f"Features: {listed([quoted(name) for name in roles.features])}."
    yield from _not_used(asked, frame, roles, dict(guess.reasons) | offered | dict(guess.ignored))
    own = {one.column for one in roles.labels if one in guess.labels}
    for column in dict.fromkeys(one.column for one in guess.labels if one.column in own):
        codes = [f"{one.value} = {one.label}" for one in roles.labels if one.column == column]
        yield f"Codes of {quoted(column)} are read as those of a known survey: {'; '.join(codes)}."
    if not asked.tests:
        yield f"Tests proposed: {listed(tests)}."


def _not_used(asked: Asked, frame: pd.DataFrame, roles: Roles, reasons: dict[str, str]) -> Iterator[str]:
    """Every column without a role, with the reason, and what is read although it is nearly the answer."""
    others = [name for name in frame.columns if name not in roles.columns]
    looked_at = [*(() if roles.text else others), *asked.features]
    same = same_under_another_name(frame, looked_at, roles.outcome, roles.predictions)
    for name in others:
        yield f"Not used: {quoted(name)} {same.get(name) or reasons.get(name) or 'was given no role'}."
    if left := [name for name in others if name in same]:
        yield f"If the audited model reads {quoted(left[0])} all the same, name every feature: --features."
    for name in asked.features:
        if name in same:
            yield f"A feature because you named it: {quoted(name)} {same[name]}."
