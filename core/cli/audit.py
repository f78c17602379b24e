"""An audit from files: which columns are for what, which model or predictions, and which tests, as a plan."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pydantic import TypeAdapter, ValidationError

from core.audits import KINDS, AuditSettings
from core.data.cells import as_numbers, as_text, is_number_column, is_quantity
from core.data.dataset import Dataset
from core.data.guess_outcome import good_answer
from core.data.guess_roles import RolesGuess, guess_roles
from core.data.roles import Roles
from core.errors import DataError, SettingsError, SourceError
from core.files import FileRef, FileStore
from core.model import AbstractModel
from core.models import ModelSource
from core.models.predictions import PredictionColumns
from core.models.sniff import recognise
from core.phrases import listed, quoted
from core.plan import AuditPlan
from core.proposing import begun, held_back, proposed, unsuited
from core.settings_words import what_is_wrong
from core.sources.upload.uploaded import UploadedTable
from core.study import Study

_MODEL: TypeAdapter[ModelSource] = TypeAdapter(ModelSource)


@dataclass(frozen=True)
class Asked:
    """What the command line gives; everything else is guessed, and the guesses are said.

    Attributes:
        table: The table's file.
        model: The model's file; None for predictions in the table.
        predictions: Columns with a model's answers; none are guessed where there is a model.
        outcome: The outcome's column; "" to guess it.
        no_outcome: Whether there is none.
        favourable: Its favourable value, or that of the decisions.
        protected: Protected attributes.
        features: Columns that the model reads.
        belongs_to: The column that says which rows belong together.
        threshold: From which score on people count as selected.
        tests: Kinds of test; those that are proposed where none is named.
        seed: Of every random choice.
    """

    table: Path
    model: Path | None = None
    predictions: tuple[str, ...] = ()
    outcome: str = ""
    no_outcome: bool = False
    favourable: str = ""
    protected: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    belongs_to: str = ""
    threshold: float | None = None
    tests: tuple[str, ...] = ()
    seed: int = 0


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
    source = UploadedTable(file=_kept(asked.table, files))
    frame = source.load(files)
    guess = guess_roles(frame)
    roles = _roles(asked, frame, guess)
    dataset = Dataset.build(frame, roles)
    model = _model(asked, dataset, files)
    loaded = model.load(files, dataset)
    if roles.judges_a_model and not roles.favourable:
        roles = roles.model_copy(update={"favourable": _good_answer(loaded)})
        dataset = Dataset.build(frame, roles)
        loaded = model.load(files, dataset)
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
    told = _told(asked, roles, guess, [audits[kind].called or KINDS[kind].title for kind in kinds])
    kept = (f"Not proposed: {audits[kind].called or KINDS[kind].title}. {why}" for kind, why in held.items())
    return Planned(Study(plans=plans), (*told, *kept))


def _kept(path: Path, files: FileStore) -> FileRef:
    try:
        return files.put(path.read_bytes(), path.name)
    except OSError as error:
        raise SourceError(
            "The file cannot be read.", where=str(path), advice="Check its name and whether you may read it."
        ) from error


def _roles(asked: Asked, frame: pd.DataFrame, guess: RolesGuess) -> Roles:
    for name in filter(None, (asked.outcome, asked.belongs_to, *asked.protected, *asked.features, *asked.predictions)):
        if name not in frame.columns:
            raise DataError(
                f"The table has no column {quoted(name)}.",
                where=str(asked.table),
                advice=f"Its columns are {listed([quoted(one) for one in frame.columns[:30]])}.",
            )
    if not (asked.outcome or asked.no_outcome or guess.text) and not guess.sure:
        maybe = f"--outcome {quoted(guess.outcome)}" if guess.outcome else "--outcome COLUMN"
        raise SettingsError(
            f"Which column says what really happened cannot be told for sure{_because(guess)}.",
            where="--outcome",
            advice=f"Add {maybe}, or --no-outcome if there are decisions only.",
        )
    outcome = "" if asked.no_outcome else asked.outcome or guess.outcome or ""
    own = outcome == (guess.outcome or "")
    number = guess.outcome_type == "number" if own else _holds_numbers(frame, outcome)
    predictions = asked.predictions or (() if asked.model else guess.predictions)
    good = asked.favourable or (
        guess.favourable if own and outcome else guess.favourable_decision if predictions and not outcome else ""
    )
    taken = {outcome, asked.belongs_to, *predictions}
    protected = asked.protected or tuple(name for name in guess.protected if name not in taken)
    left = taken | set(protected) | ({guess.outcome or ""} if asked.no_outcome else set()) | set(guess.predictions)
    features = asked.features or tuple(name for name in guess.features if name not in left)
    try:
        return Roles(
            outcome=outcome,
            outcome_type="number" if number else "classes",
            favourable="" if number else good or "",
            protected=protected,
            text=guess.text or "",
            annotation=(guess.annotation or "") if guess.text else "",
            belongs_to=asked.belongs_to,
            features=() if guess.text else features,
            predictions=predictions,
            missing=guess.missing,
        )
    except ValidationError as error:
        raise SettingsError(
            f"{what_is_wrong(error.errors()[0])}.".replace("..", "."),
            where="roles of the columns",
            advice="Name them: --outcome, --favourable, --protected, --predictions.",
        ) from error


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


def _holds_numbers(frame: pd.DataFrame, outcome: str) -> bool:
    return bool(outcome) and is_quantity(frame[outcome])


def _model(asked: Asked, dataset: Dataset, files: FileStore) -> ModelSource:
    if asked.model is not None:
        file = _kept(asked.model, files)
        return _MODEL.validate_python({"kind": recognise(files.path(file), file.name), "file": file})
    if not dataset.roles.predictions:
        raise SettingsError(
            "There is neither a model nor a column with its answers.",
            where="--model, --predictions",
            advice="Name the model's file, or the column that holds what it answered.",
        )
    column = dataset.roles.predictions[0]
    given = {"columns": (column,), "holds": _held(dataset, column)}
    return PredictionColumns(**given, threshold=asked.threshold)


def _held(dataset: Dataset, column: str) -> str:
    """What a column of answers holds, by its values."""
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


def _told(asked: Asked, roles: Roles, guess: RolesGuess, tests: Sequence[str]) -> Iterator[str]:
    """What was guessed, with the reason."""
    reasons = dict(guess.reasons)

    def because(name: str) -> str:
        return f"{quoted(name)} ({reasons[name]})" if name in reasons else quoted(name)

    if roles.outcome and not asked.outcome:
        yield f"Guessed outcome: {because(roles.outcome)}."
    if roles.favourable and not asked.favourable:
        yield f"Guessed favourable value: {quoted(roles.favourable)}."
    if roles.protected and not asked.protected:
        yield f"Guessed protected attributes: {listed([because(name) for name in roles.protected])}."
    if roles.predictions and not asked.predictions:
        yield f"Guessed predictions: {listed([because(name) for name in roles.predictions])}."
    if roles.features and not asked.features:
        yield f"Features: {listed([quoted(name) for name in roles.features])}."
    for name, why in guess.ignored:
        if name not in (roles.outcome, *roles.protected, *roles.features, *roles.predictions):
            yield f"Not used: {quoted(name)} {why}."
    if not asked.tests:
        yield f"Tests proposed: {listed(tests)}."
