"""What each column of a table is probably for, guessed from its name and its values; the user has the last word."""

# ruff: noqa: SIM905 - lists of words read best as words

from dataclasses import dataclass, replace

import pandas as pd

from core.data.column_look import (
    IDENTIFIERS,
    JUDGED,
    Column,
    holds_dates,
    is_judgement,
    look,
    why_ignored,
    words_of,
)
from core.data.counted import Counted
from core.data.guess_answers import Answers, choose_answers, may_be_answers
from core.data.guess_copies import repeated, same_under_another_name, says_the_outcome
from core.data.guess_outcome import (
    OUTCOMES,
    favourable,
    find_outcome,
    find_outcome_of_people,
    is_named_outcome,
    may_be_named_outcome,
)
from core.data.guess_predictions import find_pairs
from core.data.guess_protected import Protected, protected
from core.data.guess_rows import propose_belongs_to, propose_counts
from core.data.guess_unread import in_bins, why_not_read
from core.data.known_codes import known_attributes, known_labels
from core.data.prediction_names import is_prediction, is_same_answer, names_a_model
from core.data.roles import Label, Missing, OutcomeType, Roles
from core.language.phrases import quoted
from core.language.told import localized, say

_TEXTS = frozenset(
    "text texts bio bios biography biographies comment comments sentence sentences cv resume review reviews post posts "
    "tweet message description abstract essay letter".split()
)
_CLASSES = tuple("profession occupation job category topic subject genre sentiment toxicity toxic".split())
"""Further names of what a model of texts tells."""
_MOST_CLASSES = 100
_WORDS_OF_A_TEXT = 8
"""A column without a telling name holds texts if half of its cells have so many words."""
_WORDS_OF_A_SENTENCE = 5
"""The same where hardly two cells are alike."""
_TELLING = 5.0
"""Points from which what values say of an outcome counts more than a name."""
_HARDLY_ALIKE = 0.9
_FILLED = 0.95
"""Share of the texts below which those without a group are kept as a group of their own, lest they be left out."""
_ROWS_READ = 200
_REPEATED = 0.5
"""Share of a column's words that stand in the text, from which it repeats the text."""
_MOST_OTHERS = 3
"""A table with more columns that a model could read is about people; a text in it is a remark."""


@dataclass(frozen=True)
class RolesGuess:
    """A guess that may be partial.

    Attributes:
        outcome: The outcome column; None when no column looks like one.
        favourable: Its favourable value as text; None without an outcome, where it is a number, and where no name says
            which one is good, so that it is asked for.
        protected: Columns that are surely protected attributes: sex, race or ethnicity.
        features: Everything else a model could read.
        predictions: Columns that look like a model's answers.
        ignored: Columns left without a role, each with the reason.
        text: The column of texts; None in a table of people.
        annotation: The columns of people's judgements about the texts.
        outcome_type: Whether the outcome holds classes or a number.
        favourable_decision: The favourable one of the decisions, should there be no outcome; None likewise.
        missing: What happens to rows with an empty cell: of decisions without an outcome those of people whose group
            is not known are kept, to be counted.
        belongs_to: A column that may say which rows belong together, and why; it is proposed, never chosen.
        sure: Whether the outcome, or that there is none, needs no question; one that does is to be confirmed.
        reasons: Columns with a role, each with what speaks for it, as what follows the name in a sentence.
        offered: Columns that may be protected attributes too, each with the reason; they are proposed, never chosen.
        same: Those of the ignored that are nearly the outcome, or answers, under another name.
        labels: What the codes of a well-known survey stand for.
        may_be_answers: Those of the features that may be a model's answers, each with the reason; they are asked about.
        counts: A column that may say how many people each row stands for, and why; it is asked about, never chosen.
    """

    outcome: str | None
    favourable: str | None
    protected: tuple[str, ...]
    features: tuple[str, ...]
    predictions: tuple[str, ...]
    ignored: tuple[tuple[str, str], ...]
    text: str | None = None
    annotation: tuple[str, ...] = ()
    outcome_type: OutcomeType = "classes"
    favourable_decision: str | None = None
    missing: Missing = "leave out"  # verbatim
    belongs_to: tuple[str, str] | None = None
    sure: bool = True
    reasons: tuple[tuple[str, str], ...] = ()
    offered: tuple[tuple[str, str], ...] = ()
    same: tuple[str, ...] = ()
    labels: tuple[Label, ...] = ()
    may_be_answers: tuple[tuple[str, str], ...] = ()
    counts: tuple[str, str] | None = None

    @property
    def roles(self) -> Roles | None:
        """The guess as roles; None unless it has texts, or a sure outcome, a protected attribute and no question."""
        if self.text is not None:
            return Roles(
                text=self.text,
                annotation=self.annotation,
                outcome=self.outcome or "",
                favourable=self.favourable or "",
                protected=self.protected,
                predictions=self.predictions,
                missing=self.missing,
            )
        told = self.favourable is not None or self.outcome_type == "number"
        if self.counts is not None or self.may_be_answers:
            return None
        if self.outcome is None or not self.sure or not told or not self.protected:
            return None
        return Roles(
            outcome=self.outcome,
            outcome_type=self.outcome_type,
            favourable=self.favourable or "",
            protected=self.protected,
            features=self.features,
            predictions=self.predictions,
            labels=self.labels,
        )


def guess_roles(frame: pd.DataFrame, counted: bool = True, told: str = "") -> RolesGuess:
    """Guess a role for every column of ``frame``; each gets one, or is ignored for a reason.

    What may be protected, such as an age, is a feature; the bins of another column are not used. Where a column seems
    to count people, the others are looked at as if it did.

    Args:
        frame: The table.
        counted: Whether a column may count people.
        told: The outcome, where somebody named it; empty to guess it.
    """
    columns = [look(str(name), values) for name, values in frame.items()]
    if counted and (counts := propose_counts(frame, columns)):
        people = Counted.of(frame[counts[0]]).written_out(frame, some=True)
        guess = guess_roles(people, counted=False, told=told)
        return replace(guess, counts=counts, ignored=(*guess.ignored, (counts[0], say("may count people"))))
    text = _find_text(frame, columns)
    if text is not None:
        return _guess_of_texts(frame, text, [column for column in columns if column is not text])
    ignored = repeated(frame) | {column.name: reason for column in columns if (reason := why_ignored(column))}
    rest = [column for column in columns if column.name not in ignored]
    known = known_attributes([column.name for column in columns])
    shielded = {one.name: found for one in rest if (found := known.get(one.name) or protected(one))}
    shielded.pop(told, None)
    open_ = [column for column in rest if column.name not in shielded]
    outcome, sure, reasons, predictions = _find_answers(
        frame, open_, [column for column in rest if column.name in shielded], columns, told
    )
    number = outcome is not None and outcome.quantity
    if outcome is not None:
        ignored.pop(outcome.name, None)
        for one in columns:
            if len(one.distinct) == 1 and is_same_answer(one, outcome):
                ignored.pop(one.name, None)
                reasons[one.name] = say("is named like a prediction, though it is the same for everybody")
        predictions = tuple(one.name for one in columns if one.name in reasons and one is not outcome)
        others = [column for column in open_ if column is not outcome and column.name not in predictions]
        ignored |= {column.name: why for column in others if (why := says_the_outcome(frame, column, outcome))}
    decided = next((column for column in columns if column.name in predictions[:1]), None)
    of_decisions = favourable(decided) if decided and not decided.quantity else None
    bins = _in_bins(frame, shielded, rest)
    ranked, offered = _ranked(shielded, bins)
    ignored |= bins
    taken = {*ranked, *predictions, *ignored, *([outcome.name] if outcome else [])}
    features = [column.name for column in columns if column.name not in taken]
    same = same_under_another_name(frame, features, outcome.name if outcome else None, predictions)
    ignored |= same
    features = [name for name in features if name not in same]
    unread = why_not_read(frame, features)
    able = [column for column in columns if column.name in features and column.name not in unread]
    doubted = may_be_answers(frame, able, outcome, others=bool(predictions)) if outcome is not None else {}
    of_unknown_group = outcome is None and bool(predictions) and bool(frame[list(ranked)].isna().to_numpy().any())
    return RolesGuess(
        outcome=outcome.name if outcome else None,
        outcome_type="number" if number else "classes",
        favourable=favourable(outcome) if outcome and not number else None,
        favourable_decision=of_decisions,
        protected=ranked,
        features=tuple(name for name in features if name not in unread),
        predictions=tuple(predictions),
        ignored=tuple((ignored | unread).items()),
        missing="own category" if of_unknown_group else "leave out",  # verbatim
        belongs_to=propose_belongs_to(columns),
        sure=sure,
        reasons=tuple((reasons | {name: shielded[name].reason for name in ranked}).items()),
        offered=offered,
        same=tuple(same),
        may_be_answers=tuple(doubted.items()),
        labels=known_labels(frame),
    )


def _in_bins(frame: pd.DataFrame, shielded: dict[str, Protected], columns: list[Column]) -> dict[str, str]:
    """Columns that may be protected and hold another one in bins, each with the reason.

    Not those that are surely protected: a number that tells the sexes apart is not what sex was made of.
    """
    unsure = [column for column in columns if column.name in shielded and not shielded[column.name].sure]
    found = {column.name: in_bins(frame, column, columns) for column in unsure}
    return {name: say("holds {column} in bins", column=quoted(of)) for name, of in found.items() if of}


def _ranked(
    shielded: dict[str, Protected], bins: dict[str, str]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The columns that are taken as protected, and those that are offered with the reason; the surest first."""
    ranked = sorted(shielded, key=lambda name: (name in bins, shielded[name].rank))
    taken = tuple(name for name in ranked if shielded[name].sure and name not in bins)
    return taken, tuple((name, bins.get(name, shielded[name].reason)) for name in ranked if name not in taken)


def _find_answers(
    frame: pd.DataFrame, able: list[Column], shielded: list[Column], table: list[Column], told: str
) -> tuple[Column | None, bool, dict[str, str], tuple[str, ...]]:
    """The outcome, whether that needs no question, why columns have their roles, and the columns of answers.

    Where somebody named the outcome, what speaks for another column counts for nothing.
    """
    unread = [column for column in table if column not in able and column not in shielded]
    written = [column for column in unread if column.quantity and not column.number]
    found = choose_answers(find_pairs(frame, able + written, shielded), able + written)
    by_name = next((column for column in table if column.name == told), None)
    if by_name is not None and found is not None and found.outcome != told:
        found = None
    by_name = by_name or find_outcome_of_people(able, table)
    named = by_name is not None and is_named_outcome(by_name)
    if found is not None and _is_taken(found, by_name if named else None):
        outcome = next((column for column in table if column.name == found.outcome), None)
        reasons = dict(found.predictions) | ({found.outcome: found.reason} if found.outcome else {})
        return outcome, found.sure, reasons, tuple(name for name, _ in found.predictions)
    reasons = {one.name: say("is named like a prediction") for one in able if is_prediction(one, by_name)}
    if found is not None and found.points and found.outcome is None:
        reasons |= dict(found.predictions)
    reasons = {name: why for name, why in reasons.items() if by_name is None or name != by_name.name}
    predictions = tuple(one.name for one in able if one.name in reasons)
    if by_name is None:
        return None, False, reasons, predictions
    agreed = found is None or not found.points or found.outcome == by_name.name
    like = named or may_be_named_outcome(by_name)
    why = say("is named like an outcome") if like else say("stands last")
    plain = by_name.quantity or len(by_name.distinct) == 2 or by_name is table[-1]
    plain = plain and not names_a_model(by_name, frozenset(OUTCOMES))
    return by_name, named and agreed and plain, reasons | {by_name.name: why}, predictions


def _is_taken(found: Answers, named: Column | None) -> bool:
    """Whether what values say of the outcome counts, rather than the column that is named like one."""
    if not found.points:
        return False
    if named is None or found.outcome == named.name or named.name in dict(found.predictions):
        return True
    return found.outcome is not None and (found.sure or found.points >= _TELLING)


def _guess_of_texts(frame: pd.DataFrame, text: Column, others: list[Column]) -> RolesGuess:
    """A model of texts reads the text alone, so every column without another role is ignored."""
    ignored = {column.name: reason for column in others if (reason := why_ignored(column))}
    rest = [column for column in others if column.name not in ignored]
    judged = [column for column in rest if is_judgement(column)]
    shielded = {column.name: found for column in rest if (found := protected(column))}
    ranked, offered = _ranked(shielded, _in_bins(frame, shielded, rest))
    ignored |= dict(offered)
    gaps = any(column.filled < _FILLED * text.filled for column in rest if column.name in ranked)
    rest = [column for column in rest if column.name not in shielded and column not in judged]
    outcome = find_outcome(rest, OUTCOMES + list(_CLASSES), _MOST_CLASSES)
    rest = [column for column in rest if column is not outcome]
    predictions = [column for column in rest if is_prediction(column, outcome)]
    ignored |= {column.name: _why_not_read(column) for column in rest if column not in predictions}
    two = outcome is not None and len(outcome.distinct) == 2
    return RolesGuess(
        outcome=outcome.name if outcome else None,
        favourable=favourable(outcome) if outcome and two else None,
        protected=ranked,
        features=(),
        predictions=tuple(column.name for column in predictions),
        ignored=tuple(ignored.items()),
        text=text.name,
        annotation=tuple(column.name for column in judged),
        missing="own category" if gaps else "leave out",  # verbatim
        belongs_to=propose_belongs_to(others),
        reasons=(
            (text.name, say("holds texts of about {n} words", n=localized(f"{text.length:.0f}"))),
            *([(outcome.name, say("is named like an outcome"))] if outcome else []),
            *((column.name, say("is named like a judgement and holds 0 and 1")) for column in judged),
            *((column.name, say("is named like a prediction")) for column in predictions),
            *((name, shielded[name].reason) for name in ranked),
        ),
        offered=offered,
    )


def _find_text(frame: pd.DataFrame, columns: list[Column]) -> Column | None:
    """The longest of the columns that are named like texts, or of those that are long; None in a table of people.

    A table of people has other columns for a model to read than those that repeat words of the text, as templates do.
    """
    able = [
        column
        for column in columns
        if column.length >= 2
        and 2 * len(column.distinct) > column.filled
        and not (IDENTIFIERS & set(column.words) or holds_dates(column))
    ]
    named = [column for column in able if _TEXTS & set(column.words)]
    found = named or [
        column for column in able if column.length >= (_WORDS_OF_A_SENTENCE if _differs(column) else _WORDS_OF_A_TEXT)
    ]
    if not found:
        return None
    text = max(found, key=lambda column: column.length)
    others = [
        column
        for column in columns
        if not (why_ignored(column) or protected(column) or is_judgement(column) or is_prediction(column, None))
        and column not in found
        and not _repeats_words(frame, column, text)
    ]
    return text if len(others) <= _MOST_OTHERS else None


def _differs(column: Column) -> bool:
    return len(column.distinct) >= _HARDLY_ALIKE * column.filled


def _repeats_words(frame: pd.DataFrame, column: Column, text: Column) -> bool:
    """Whether the cells of a column of words are mostly made of words of the text beside them."""
    if column.number:
        return False
    both = frame[[column.name, text.name]].dropna()
    both = both.iloc[:: max(len(both) // _ROWS_READ, 1)]
    pairs = [(words_of(str(cell)), set(words_of(str(whole)))) for cell, whole in both.itertuples(index=False)]
    shares = [sum(word in whole for word in cell) / len(cell) for cell, whole in pairs if cell]
    return bool(shares) and sum(shares) > _REPEATED * len(shares)


def _why_not_read(column: Column) -> str:
    if JUDGED & set(column.words):
        return say("may be a judgement of people, but holds something else than 0, 1 and 2")
    return say("is no part of the text")
