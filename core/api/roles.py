"""What each column is for: as somebody chose, or as is guessed and said, or asked for."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from pydantic import ValidationError

from core.api.choices import Choices
from core.api.labelling import labels_of
from core.base.errors import DataError, SettingsError
from core.data.cells import as_numbers, as_text, is_quantity, is_score
from core.data.column_look import look
from core.data.guess_copies import same_under_another_name
from core.data.guess_outcome import favourable
from core.data.guess_roles import RolesGuess, guess_roles
from core.data.roles import SELECTED, Roles
from core.language.options import option
from core.language.phrases import listed, quoted
from core.language.settings_words import what_is_wrong

_MOST_NAMED = 12


def check_names(chosen: Choices, frame: pd.DataFrame, where: str) -> None:
    """Check that a table has every column that is named.

    Raises:
        DataError: It lacks one.
    """
    one = (chosen.outcome, chosen.belongs_to, chosen.counts, chosen.text)
    many = (*chosen.protected, *chosen.features, *chosen.predictions, *chosen.other_system, *chosen.annotation)
    many += (*chosen.numeric, *chosen.categorical)
    for name in (*one, *many):
        if name and name not in frame.columns:
            raise DataError(
                f"The table has no column {quoted(name)}.",
                where=where,
                advice=f"Its columns are {listed([quoted(one) for one in frame.columns[:30]])}.",
            )


def guessed(chosen: Choices, people: pd.DataFrame) -> RolesGuess:
    """What the columns may be for; one that may count people is asked about, unless it was said what it is for.

    Raises:
        SettingsError: A column may count people.
    """
    guess = guess_roles(people, counted=not (chosen.no_count or chosen.counts), told=chosen.outcome)
    if guess.counts is None:
        return guess
    name, why = guess.counts
    if name in (chosen.outcome, chosen.belongs_to, *chosen.protected, *chosen.features, *chosen.predictions):
        return guess_roles(people, counted=False, told=chosen.outcome)
    raise SettingsError(
        f"The column {quoted(name)} seems to say how many people each row stands for: {why}.",
        where=option("counts"),
        advice=f"Add {option('counts', name)} if it does, or {option('no_count', True)} if each row is one person.",
    )


def settled(
    chosen: Choices, frame: pd.DataFrame, guess: RolesGuess, *, brought: bool, reads: tuple[str, ...] = ()
) -> Roles:
    """What the columns are for: as was chosen, else as is guessed.

    Args:
        chosen: What was chosen.
        frame: The table, one row a person.
        guess: What its columns may be for.
        brought: Whether there is a model, and not only its answers.
        reads: The columns that the model says it reads; the features unless others are chosen.

    Raises:
        SettingsError: Something is open that no guess may decide, or the roles clash.
    """
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
    if chosen.good_end is not None and not number:
        raise SettingsError(
            "The outcome holds classes, of which none is a good end.",
            where=option("good_end"),
            advice=f"Say which of them is good for a person, by {option('favourable')}.",
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
    if outcome and not (number or good or text):
        known = listed([quoted(one) for one in as_text(frame[outcome].dropna()).unique()[:30]])
        raise SettingsError(
            f"Nothing says which value of the outcome {quoted(outcome)} is good for the person.",
            where=option("favourable"),
            advice=f"Add {option('favourable')} with one of {known}.",
        )
    taken = {outcome, chosen.belongs_to, text, *chosen.annotation, *predictions}
    protected = chosen.protected or tuple(name for name in guess.protected if name not in taken)
    offered = _offered(guess, taken)
    if not (protected or text):
        first = next(iter(offered), "COLUMN")
        raise SettingsError(
            "No column is surely a protected attribute.",
            where=option("protected"),
            advice=f"Add {option('protected', first)}"
            + (f", if it is meant: {_with_reasons(offered)}." if offered else ", whose groups are to be compared."),
        )
    left = taken | set(protected) | ({guess.outcome or ""} if chosen.no_outcome else set()) | set(guess.predictions)
    features = chosen.features or tuple(name for name in reads if name in frame and name not in taken | set(protected))
    features = features or _harmless(frame, _of_guess(chosen, guess, left), outcome, predictions)
    labels = labels_of(chosen.labels, frame)
    labels += tuple(one for one in guess.labels if one.column not in {given.column for given in labels})
    try:
        return Roles(
            outcome=outcome,
            outcome_type="number" if number else "classes",
            favourable="" if number else good or "",
            good_end=chosen.good_end or "not said",
            protected=protected,
            text=text,
            annotation=(chosen.annotation or guess.annotation) if text else (),
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
    if (good := favourable(decided)) is None:
        known = listed([quoted(one) for one in as_text(decided.distinct)[:30]])
        raise SettingsError(
            f"Which decision of {quoted(values.name)} is good for the person cannot be told from their names.",
            where=option("favourable"),
            advice=f"Add {option('favourable')} with one of {known}.",
        )
    return good


def _offered(guess: RolesGuess, taken: set[str]) -> dict[str, str]:
    """Columns that may be protected too, with the reason; without those that have another role."""
    return {name: why for name, why in guess.offered if name not in taken}


def _with_reasons(columns: dict[str, str]) -> str:
    return listed([f"{quoted(name)} ({why})" for name, why in columns.items()])


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


def _of_guess(chosen: Choices, guess: RolesGuess, left: set[str]) -> list[str]:
    """The features that are guessed, without columns that may be answers: those are asked about, unless others are.

    Raises:
        SettingsError: No answers were chosen, and a column may hold some.
    """
    doubted = {name: why for name, why in guess.may_be_answers if name not in left}
    if doubted and not (chosen.predictions or chosen.other_system):
        name, why = next(iter(doubted.items()))
        known = [one for one in guess.features if one not in left]
        raise SettingsError(
            f"The column {quoted(name)} may hold a model's answers: it {why}.",
            where=option("predictions"),
            advice=f"Add {option('predictions', name)} if it does, or name what the model reads: "
            f"{option('features', *(known if len(known) <= _MOST_NAMED else ()))}.",
        )
    return [name for name in guess.features if name not in left | set(doubted)]


def _harmless(
    frame: pd.DataFrame, features: Sequence[str], outcome: str, predictions: Sequence[str]
) -> tuple[str, ...]:
    """The features that are neither the outcome nor the audited answers under another name."""
    found = same_under_another_name(frame, features, outcome, predictions)
    return tuple(name for name in features if name not in found)


def told_of_roles(
    chosen: Choices, frame: pd.DataFrame, roles: Roles, guess: RolesGuess, tests: Sequence[str] = ()
) -> Iterator[str]:
    """What every column is taken for, and what was guessed, with the reason."""
    reasons = dict(guess.reasons)
    taken = (
        ("text", (roles.text,), False),
        ("outcome", (roles.outcome,), bool(chosen.outcome)),
        ("judgements of people", roles.annotation, bool(chosen.annotation)),
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
    if roles.outcome_type == "number" and roles.good_end == "not said":
        yield (
            f"Which end of {quoted(roles.outcome)} is good for a person is not said, so that nobody is named as harmed "
            f"and there are no impact ratios: {option('good_end', 'high')} or {option('good_end', 'low')}."
        )
    offered = _offered(guess, {roles.outcome, roles.belongs_to, *roles.protected, *roles.predictions})
    if offered and not chosen.protected:
        yield (
            f"Not taken as protected: {_with_reasons(offered)}; to add one, name it with the others: "
            f"{option('protected', *roles.protected, next(iter(offered)))}."
        )
    if roles.features:
        yield f"Features: {listed([quoted(name) for name in roles.features])}."
    doubted = {name: f"may hold a model's answers: it {why}" for name, why in guess.may_be_answers}
    yield from _not_used(chosen, frame, roles, dict(guess.reasons) | offered | dict(guess.ignored) | doubted)
    own = {one.column for one in roles.labels if one in guess.labels}
    for column in dict.fromkeys(one.column for one in guess.labels if one.column in own):
        codes = [f"{one.value} = {one.label}" for one in roles.labels if one.column == column]
        yield f"Codes of {quoted(column)} are read as those of a known survey: {'; '.join(codes)}."
    if tests and not chosen.tests:
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
