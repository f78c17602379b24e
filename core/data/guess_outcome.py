"""Which column is probably the outcome, and which of its values is good for people."""

# ruff: noqa: SIM905 - lists of words read best as words

from collections.abc import Iterable, Sequence

from core.data.cells import as_text
from core.data.column_look import IDENTIFIERS, MOST_OUTCOMES, Column, why_ignored, words_of
from core.data.guess_protected import protected
from core.data.prediction_names import is_prediction, strength

OUTCOMES = (
    "outcome label target income hired hire twoyearrecid recid recidivism reoffended approved approval admitted "
    "accepted granted decision selected promoted default defaulted churn churned rejected reject denied deny fraud "
    "dropout passed "
    "success survived y class result status callback callbacks calledback invited shortlisted awarded funded released "
    "paroled "
    "entscheidung ergebnis zusage absage genehmigt bewilligt angenommen zugelassen eingeladen eingestellt abgelehnt"
).split()
_GRANTED = frozenset(
    "hired hire approved approve approval admitted accepted accept granted selected promoted callback callbacks "
    "calledback invited shortlisted awarded funded released paroled genehmigt bewilligt angenommen zugelassen "
    "eingeladen eingestellt zusage".split()
)
_REFUSED = frozenset(
    "rejected reject rejection denied deny denial refused refusal detained fired dismissed expelled abgelehnt "
    "ablehnung absage".split()
)
DECISIONS = frozenset("decision entscheidung interviewed offered".split()) | _GRANTED | _REFUSED
"""Words that name what people decide."""
_PERHAPS = frozenset("received obtained offered interviewed erhalten".split())
"""Words of decisions that are as often of what was known before; they count where nothing else tells the outcome."""
_SURELY_OUTCOMES = frozenset("outcome label target y response".split())
_QUANTITIES = frozenset(
    "progression cost costs charge charges price prices expenditure expenses wage wages salary crime crimes gpa".split()
)
"""What models estimate as a number; other numbers are taken for the outcome only in the last place of the table."""
_ADVERSE = _REFUSED | frozenset(
    "recid recidivism twoyearrecid reoffended rearrested rearrest default defaulted churn churned attrition "
    "fraud fraudulent dropout arrested arrest convicted guilty jail prison violation failed fail failure delinquent "
    "delinquency bankrupt bankruptcy died dead death mortality deceased unemployed unemployment homeless laid "
    "suspended injured injury sick ill illness disease cancer complication complications relapse unsafe "
    "evicted cancelled canceled withdrawn late audit audited inspection investigated investigation searched search "
    "stopped penalty sanctioned ausfall zahlungsausfall betrug gekundigt kundigung ruckfall ruckfallig".split()
)
_WELCOME = _GRANTED | frozenset(
    "passed pass success survived graduated qualified recommended paid repaid bestanden zuruckgezahlt".split()
)
_NOT = frozenset("no not non without never un nicht kein keine ohne".split())
_NOTHING_BUT = frozenset("0 1 yes no y n true false t f ja nein j".split())
"""Values that leave it to the name of their column to say what is good."""
_TRUE = frozenset("1 yes y true t ja j".split())
_INCOME = frozenset("income incomes salary salaries wage wages earnings pay einkommen gehalt lohn".split())
"""What a column is named of which more is good."""
_GOOD = frozenset("good gut bezahlt".split()) | _WELCOME
_BAD = frozenset("bad declined decline charged schlecht ausgefallen durchgefallen".split()) | _ADVERSE


def outcome_prior(column: Column, table: list[Column]) -> float:
    """What name, place and values of a column say for its being the outcome, in points."""
    named = is_named_outcome(column)
    last = bool(table) and column is table[-1]
    return 2.0 * (named or _is_surely_outcome(column)) + 0.5 * last


def find_outcome_of_people(rest: list[Column], table: list[Column]) -> Column | None:
    """The outcome of a table of people: classes or a number, by the most telling name, failing that by its place.

    Args:
        rest: Columns that are neither protected nor ignored.
        table: Every column of the table, in order.
    """
    classes = find_outcome(rest)
    named = classes is not None and _outcome_rank(classes, OUTCOMES) is not None
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


def find_outcome(columns: list[Column], names: Sequence[str] = OUTCOMES, most: int = MOST_OUTCOMES) -> Column | None:
    """The column with the most telling name, two values before more; failing that, the last one with two values.

    Failing that too, the only one with two values whose name may be a decision's.
    """
    able = [column for column in columns if 2 <= len(column.distinct) <= most]
    named = [column for column in able if _outcome_rank(column, names) is not None and not is_prediction(column, None)]
    if named:
        return min(named, key=lambda column: (len(column.distinct) > 2, _outcome_rank(column, names)))
    binary = [column for column in able if len(column.distinct) == 2 and not strength(column)]
    if binary and binary[-1] is columns[-1]:
        return binary[-1]
    perhaps = [column for column in binary if may_be_named_outcome(column)]
    return perhaps[0] if len(perhaps) == 1 else None


def _may_be_estimated(column: Column) -> bool:
    """Whether a column may be an outcome that is a number; an age or a year in itself is none."""
    ignored = why_ignored(column) if column.number else ""
    return column.quantity and not (
        ignored
        or protected(column) is not None
        or is_prediction(column, None)
        or {"age", "year", "years"} & set(column.words)
        or IDENTIFIERS & set(column.words)
    )


def _is_surely_outcome(column: Column) -> bool:
    return column.squeezed in _SURELY_OUTCOMES or column.words[-1:] in (("target",), ("outcome",))


def _has_classes(column: Column) -> bool:
    return 2 < len(column.distinct) <= MOST_OUTCOMES and not is_prediction(column, None)


def _outcome_rank(column: Column, names: Sequence[str]) -> int | None:
    ranks = [rank for rank, word in enumerate(names) if word in column.words or word == column.squeezed]
    if {"marital", "civil", "employment", "work"} & set(column.words):
        return None
    return min(ranks, default=None)


def is_named_outcome(column: Column) -> bool:
    """Whether the name of a column tells that it is an outcome."""
    return _outcome_rank(column, OUTCOMES) is not None or bool(_QUANTITIES & set(column.words))


def may_be_named_outcome(column: Column) -> bool:
    """Whether the name of a column may be that of an outcome, and may as well be of something else."""
    return bool(_PERHAPS & set(column.words))


def favourable(outcome: Column) -> str | None:
    """The value that is good for people, as text, where names say so; None where nothing does, so that it is asked for.

    Names of values say it, such as "accepted" and "not hired"; of plain values such as 0 and 1, the name of their
    column, unless it says both or the opposite of something: ``selected_for_audit``, ``not_approved``.
    """
    values: list[str] = sorted(as_text(outcome.distinct))
    named = {*outcome.words, outcome.squeezed}
    if all(value.lower() in _NOTHING_BUT for value in values):
        adverse, welcome = bool(named & _ADVERSE), bool(named & (_WELCOME | _INCOME))
        true = [value for value in values if value.lower() in _TRUE]
        if len(values) != 2 or len(true) != 1 or adverse is welcome or named & _NOT:
            return None
        return true[0] if welcome else next(value for value in values if value not in true)
    more_is_good = bool(named & _INCOME)
    good = [value for value in values if _is_good(value, more_is_good=more_is_good)]
    if len(good) == 1:
        return good[0]
    bad = [value for value in values if _is_bad(value, more_is_good=more_is_good)]
    return next(value for value in values if value not in bad) if len(values) == 2 and len(bad) == 1 else None


def good_answer(classes: Iterable[str]) -> str | None:
    """The one class of a model whose name says that it is good for people; None where no name or several say so."""
    good = [name for name in classes if _is_good(name)]
    return good[0] if len(good) == 1 else None


def _is_good(value: str, *, more_is_good: bool = False) -> bool:
    return more_is_good if value.startswith((">", "≥")) else _says(value, _GOOD, _BAD)


def _is_bad(value: str, *, more_is_good: bool = False) -> bool:
    return more_is_good if value.startswith(("<", "≤")) else _says(value, _BAD, _GOOD)


def _says(value: str, one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a value says the one and not the other, or that it is not the other."""
    first, *rest = words_of(value) or ("",)
    if first in _NOT:
        one, other = other, one
    words = set(rest) if first in _NOT else {first, *rest}
    return bool(one & words) and not other & words
