"""What each column of a table is probably for, guessed from its name and its values; the user has the last word."""

# ruff: noqa: SIM905 - lists of words read best as words

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.data.cells import as_text, is_number_column, is_quantity
from core.data.roles import OutcomeType, Roles

_PROTECTED = frozenset(
    "sex gender race racial ethnicity ethnic religion religious creed disability disabled nationality citizenship "
    "caste minority pregnancy pregnant orientation transgender veteran skin".split()
)
_PROTECTED_PAIRS = (("native", "country"), ("national", "origin"), ("country", "birth"))
_AGE_GROUP = frozenset("group cat category band bracket range class".split())
_OUTCOMES = (
    "outcome label target income hired hire twoyearrecid recid recidivism reoffended approved approval admitted "
    "accepted granted decision selected promoted default defaulted churn churned rejected denied fraud dropout passed "
    "success survived y class result status"
).split()
_SURELY_OUTCOMES = frozenset("outcome label target y response".split())
_QUANTITIES = frozenset(
    "progression cost costs charge charges price prices expenditure expenses wage wages salary crime crimes gpa".split()
)
"""What models estimate as a number; other numbers are taken for the outcome only in the last place of the table."""
_GROUP_SHARE = re.compile("(race|racial|ethnic|ethnicity|minority|black|white|asian|hispanic)(pct|percent|share).*")
_ADVERSE = frozenset(
    "recid recidivism twoyearrecid reoffended default defaulted churn churned rejected denied fraud dropout arrested "
    "risk failed delinquent died".split()
)
_GOOD = frozenset(
    "1 yes y true hired approved accepted admitted granted good pass passed paid success selected".split()
)
_BAD = frozenset("0 no n false rejected denied bad fail failed default defaulted declined refused".split())
_PREDICTIONS = frozenset(
    "pred preds prediction predictions predicted prob proba probability yhat logit logits decile".split()
)
_MEASURED = frozenset("credit test exam sat fico interview skill skills gmat gre school".split())
_IDENTIFIERS = frozenset(
    "id ids uuid guid index key ssn name surname forename firstname lastname email phone address".split()
)
_DATES = frozenset("date dob datetime timestamp birthday".split())
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*")
_TEXTS = frozenset(
    "text texts bio bios biography biographies comment comments sentence sentences cv resume review reviews post posts "
    "tweet message description abstract essay letter".split()
)
_JUDGED = frozenset("biased bias annotation annotations annotated judged judgement judgment".split())
_CLASSES = tuple("profession occupation job category topic subject genre sentiment toxicity toxic".split())
"""Further names of what a model of texts tells."""
MOST_GROUPS = 50
MOST_OUTCOMES = 10
MOST_CLASSES = 100
_MOST_WORDS = 100
_WORDS_OF_A_TEXT = 8
"""A column without a telling name holds texts if half of its cells have so many words."""
_MOST_OTHERS = 3
"""A table with more columns that a model could read is about people; a text in it is a remark."""


@dataclass(frozen=True)
class RolesGuess:
    """A guess that may be partial.

    Attributes:
        outcome: The outcome column; None when no column looks like one.
        favourable: Its favourable value as text; None without an outcome, where it is a number, and where none of
            several classes is named like a good one.
        protected: Columns that look like protected attributes.
        features: Everything else a model could read.
        predictions: Columns that look like a model's answers.
        ignored: Columns left without a role, each with the reason.
        text: The column of texts; None in a table of people.
        annotation: The column of people's judgements about the texts; None when no column looks like one.
        outcome_type: Whether the outcome holds classes or a number.
    """

    outcome: str | None
    favourable: str | None
    protected: tuple[str, ...]
    features: tuple[str, ...]
    predictions: tuple[str, ...]
    ignored: tuple[tuple[str, str], ...]
    text: str | None = None
    annotation: str | None = None
    outcome_type: OutcomeType = "classes"

    @property
    def roles(self) -> Roles | None:
        """The guess as roles; None unless it has texts, or an outcome and a protected attribute."""
        if self.text is not None:
            return Roles(
                text=self.text,
                annotation=self.annotation or "",
                outcome=self.outcome or "",
                favourable=self.favourable or "",
                protected=self.protected,
                predictions=self.predictions,
            )
        told = self.favourable is not None or self.outcome_type == "number"
        if self.outcome is None or not told or not self.protected:
            return None
        return Roles(
            outcome=self.outcome,
            outcome_type=self.outcome_type,
            favourable=self.favourable or "",
            protected=self.protected,
            features=self.features,
            predictions=self.predictions,
        )


@dataclass(frozen=True)
class _Column:
    """What the guess looks at: the name's lower-case words, the distinct values, and how many cells are filled.

    ``length`` is the median number of words of a filled cell; 0 for numbers and dates. ``quantity`` says whether the
    column is measured rather than a code (:func:`core.data.cells.is_quantity`).
    """

    name: str
    words: tuple[str, ...]
    number: bool
    quantity: bool
    whole: bool
    distinct: pd.Series
    filled: int
    length: float

    @property
    def squeezed(self) -> str:
        return "".join(self.words)


def guess_roles(frame: pd.DataFrame) -> RolesGuess:
    """Guess a role for every column of ``frame``; each column gets exactly one, or is ignored for a reason."""
    columns = [_look(str(name), values) for name, values in frame.items()]
    text = _find_text(columns)
    if text is not None:
        return _guess_of_texts(text, [column for column in columns if column is not text])
    ignored = {column.name: reason for column in columns if (reason := _why_ignored(column))}
    rest = [column for column in columns if column.name not in ignored]
    protected = [column for column in rest if _is_protected(column)]
    rest = [column for column in rest if column not in protected]
    outcome = _find_outcome_of_people(rest, columns)
    number = outcome is not None and outcome.quantity
    ignored = {name: reason for name, reason in ignored.items() if outcome is None or name != outcome.name}
    rest = [column for column in rest if column is not outcome]
    predictions = [column for column in rest if _is_prediction(column, outcome)]
    return RolesGuess(
        outcome=outcome.name if outcome else None,
        outcome_type="number" if number else "classes",
        favourable=_favourable(outcome) if outcome and not number and _has_a_good_one(outcome) else None,
        protected=tuple(column.name for column in protected),
        features=tuple(column.name for column in rest if column not in predictions),
        predictions=tuple(column.name for column in predictions),
        ignored=tuple(ignored.items()),
    )


def _guess_of_texts(text: _Column, others: list[_Column]) -> RolesGuess:
    """A model of texts reads the text alone, so every column without another role is ignored."""
    ignored = {column.name: reason for column in others if (reason := _why_ignored(column))}
    rest = [column for column in others if column.name not in ignored]
    judged = next((column for column in rest if _is_judgement(column)), None)
    protected = [column for column in rest if _is_protected(column)]
    rest = [column for column in rest if column not in protected and column is not judged]
    outcome = _find_outcome(rest, _OUTCOMES + list(_CLASSES), MOST_CLASSES)
    rest = [column for column in rest if column is not outcome]
    predictions = [column for column in rest if _is_prediction(column, outcome)]
    ignored |= {column.name: _why_not_read(column) for column in rest if column not in predictions}
    two = outcome is not None and len(outcome.distinct) == 2
    return RolesGuess(
        outcome=outcome.name if outcome else None,
        favourable=_favourable(outcome) if outcome and two else None,
        protected=tuple(column.name for column in protected),
        features=(),
        predictions=tuple(column.name for column in predictions),
        ignored=tuple(ignored.items()),
        text=text.name,
        annotation=judged.name if judged else None,
    )


def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of a column's name: ``ageGroup``, ``age_group`` and ``Age group`` give age and group."""
    return tuple(re.findall(r"[a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower()))


def _look(name: str, values: pd.Series) -> _Column:
    distinct = pd.Series(values.dropna().unique())
    number = is_number_column(values)
    whole = number and values.dtype.kind in "iu"
    written = number or pd.api.types.is_datetime64_any_dtype(values)
    length = 0.0 if written or distinct.empty else float(as_text(distinct).str.count(r"\S+").median())
    return _Column(
        name, words_of(name), number, is_quantity(values), whole, distinct, int(values.notna().sum()), length
    )


def _find_text(columns: list[_Column]) -> _Column | None:
    """The longest of the columns that are named like texts, or of those that are long; None in a table of people."""
    able = [
        column
        for column in columns
        if column.length >= 2
        and 2 * len(column.distinct) > column.filled
        and not (_IDENTIFIERS & set(column.words) or _holds_dates(column))
    ]
    named = [column for column in able if _TEXTS & set(column.words)]
    found = named or [column for column in able if column.length >= _WORDS_OF_A_TEXT]
    others = [
        column
        for column in columns
        if not (_why_ignored(column) or _is_protected(column) or _is_judgement(column) or _is_prediction(column, None))
    ]
    if not found or len([column for column in others if column not in found]) > _MOST_OTHERS:
        return None
    return max(found, key=lambda column: column.length)


def _why_not_read(column: _Column) -> str:
    if _JUDGED & set(column.words):
        return "may be a judgement of people, but holds something else than 0 and 1"
    return "is no part of the text"


def _is_judgement(column: _Column) -> bool:
    if not _JUDGED & set(column.words):
        return False
    return set(as_text(column.distinct)) == {"0", "1"}


def _why_ignored(column: _Column) -> str:
    counted = column.whole and len(column.distinct) == column.filled > MOST_OUTCOMES
    reasons = {
        "is empty": column.filled == 0,
        "has one value only": len(column.distinct) == 1,
        "identifies people": bool(_IDENTIFIERS & set(column.words)),
        "holds dates": _holds_dates(column),
        "counts the rows": counted and _is_counter(column.distinct),
        "is free text or a name: its values hardly repeat": not column.number
        and len(column.distinct) > max(_MOST_WORDS, column.filled / 5),
        "is different in every row": not column.number and len(column.distinct) == column.filled > MOST_OUTCOMES,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _holds_dates(column: _Column) -> bool:
    if pd.api.types.is_datetime64_any_dtype(column.distinct):
        return True
    if column.number:
        return False
    written = as_text(column.distinct.head(50))
    return bool(_DATES & set(column.words)) or all(_DATE.fullmatch(value) for value in written)


def _is_counter(distinct: pd.Series) -> bool:
    return bool(distinct.max() - distinct.min() == len(distinct) - 1)


def _is_protected(column: _Column) -> bool:
    if column.quantity and _GROUP_SHARE.fullmatch(column.squeezed):
        return True
    if not 2 <= len(column.distinct) <= MOST_GROUPS:
        return False
    words = set(column.words)
    if "age" in words or column.squeezed.startswith("agegroup"):
        return bool(_AGE_GROUP & words) or column.squeezed.startswith("agegroup") or not column.number
    pairs = any(first in words and second in words for first, second in _PROTECTED_PAIRS)
    return bool(_PROTECTED & words) or pairs


def _find_outcome_of_people(rest: list[_Column], table: list[_Column]) -> _Column | None:
    """The outcome of a table of people: classes or a number, by the most telling name, failing that by its place.

    Args:
        rest: Columns that are neither protected nor ignored.
        table: Every column of the table, in order.
    """
    classes = _find_outcome(rest)
    named = classes is not None and _outcome_rank(classes, _OUTCOMES) is not None
    named_two = named and classes is not None and len(classes.distinct) == 2
    numbers = [column for column in table if _may_be_estimated(column)]
    sure = [column for column in numbers if _is_surely_outcome(column)]
    if sure and not named_two:
        return sure[0]
    telling = [column for column in numbers if _QUANTITIES & set(column.words)]
    last = table[-1] if table else None
    if last in telling and not named_two:
        return last
    if classes is not None and (named or classes is last):
        return classes
    if len(telling) == 1:
        return telling[0]
    if classes is not None:
        return classes
    return last if last in numbers or (last in rest and _has_classes(last)) else None


def _may_be_estimated(column: _Column) -> bool:
    """Whether a column may be an outcome that is a number; an age or a year in itself is none."""
    ignored = _why_ignored(column) if column.number else ""
    return column.quantity and not (
        ignored
        or _is_protected(column)
        or _is_prediction(column, None)
        or {"age", "year", "years"} & set(column.words)
        or _IDENTIFIERS & set(column.words)
    )


def _is_surely_outcome(column: _Column) -> bool:
    return column.squeezed in _SURELY_OUTCOMES or column.words[-1:] in (("target",), ("outcome",))


def _has_classes(column: _Column) -> bool:
    return 2 < len(column.distinct) <= MOST_OUTCOMES and not _is_prediction(column, None)


def _find_outcome(
    columns: list[_Column], names: Sequence[str] = _OUTCOMES, most: int = MOST_OUTCOMES
) -> _Column | None:
    """The column with the most telling name, two values before more; failing that, the last one with two values."""
    able = [column for column in columns if 2 <= len(column.distinct) <= most]
    named = [column for column in able if _outcome_rank(column, names) is not None and not _is_prediction(column, None)]
    if named:
        return min(named, key=lambda column: (len(column.distinct) > 2, _outcome_rank(column, names)))
    binary = [column for column in able if len(column.distinct) == 2 and not _is_prediction(column, None)]
    return binary[-1] if binary and binary[-1] is columns[-1] else None


def _outcome_rank(column: _Column, names: Sequence[str]) -> int | None:
    ranks = [rank for rank, word in enumerate(names) if word in column.words or word == column.squeezed]
    if {"marital", "civil", "employment", "work"} & set(column.words):
        return None
    return min(ranks, default=None)


def _is_prediction(column: _Column, outcome: _Column | None) -> bool:
    words = set(column.words)
    scored = bool({"score", "scores"} & words) and not _MEASURED & words
    if not (_PREDICTIONS & words or scored or column.squeezed in ("yhat", "yscore", "ypred")):
        return False
    if column.number:
        return True
    return outcome is None or set(as_text(column.distinct)) <= set(as_text(outcome.distinct))


def _has_a_good_one(outcome: _Column) -> bool:
    """Whether its favourable value can be guessed: one of two can, one of several only where a name says so."""
    return len(outcome.distinct) <= 2 or any(_is_good(value) for value in as_text(outcome.distinct))


def _favourable(outcome: _Column) -> str:
    values: list[str] = sorted(as_text(outcome.distinct))
    good, bad = [value for value in values if _is_good(value)], [value for value in values if _is_bad(value)]
    plain = {"0", "1", "yes", "no", "y", "n", "true", "false"}
    if (set(outcome.words) | {outcome.squeezed}) & _ADVERSE and all(value.lower() in plain for value in values):
        good, bad = bad, good
    if good:
        return good[-1]
    return next((value for value in reversed(values) if value not in bad), values[-1])


def _is_good(value: str) -> bool:
    words = words_of(value)
    if value.startswith((">", "≥")):
        return True
    if words[:1] in (("no",), ("not",)):
        return bool((_ADVERSE | _BAD) & set(words[1:]))
    return bool(_GOOD & set(words))


def _is_bad(value: str) -> bool:
    words = words_of(value)
    if value.startswith(("<", "≤")) or words[:1] in (("no",), ("not",)):
        return not _is_good(value)
    return bool((_BAD | _ADVERSE) & set(words))
