"""Numbers and sentences as people read them, whatever test they come from."""

import datetime
import math
from collections.abc import Sequence
from functools import reduce

from core.language.reader import SOURCE, language
from core.language.told import localized, say, say_as, say_count, told

CAPITAL_NOUNS = ("de",)
"""Languages in which a sentence may begin with a noun, whose capital it keeps wherever it stands."""

LONGEST_VALUE = 120
"""Characters of a value that are shown within a sentence."""

_ROUNDING = 1e-6


@told
def number(value: float, decimals: int | None = None) -> str:
    """A quantity with two to four significant digits (``1.83``, ``1,204``, ``0.0048``), or with so many decimals."""
    return localized(_number(value, decimals)) if math.isfinite(value) else _not_finite(value)


def _number(value: float, decimals: int | None = None) -> str:
    """The same with an English reader's marks."""
    size = abs(value)
    if decimals is not None:
        return f"{value:z,.{decimals}f}"
    if size >= 1e15:
        return f"{value:.1e}"
    if size == 0 or size >= 0.1:
        return f"{value:,.{2 if size < 10 else 1 if size < 100 else 0}f}"
    return f"{value:.{1 - math.floor(math.log10(size))}f}" if size >= 1e-6 else f"{value:.1e}"


def distance(value: float) -> str:
    """How far two people are apart; nothing where only the rounding of numbers says that they are."""
    return number(value) if value > _ROUNDING else whole(0)


@told
def ratio(value: float, *, beside: float, decimals: int | None = None) -> str:
    """A number with as many decimals as it takes to tell it from ``beside``, at least ``decimals``, at most six."""
    if not math.isfinite(value):
        return _not_finite(value)
    text = _number(value, decimals)
    for more in range((decimals or 2) + 1, 7):
        if float(text.replace(",", "")) != beside or value == beside:
            break
        text = _number(value, more)
    return localized(text)


@told
def cut(value: float, under: float, over: float) -> str:
    """A threshold between two values, with the usual digits or as many more as keep it between: ``0.0785``.

    Args:
        value: The threshold, from ``under`` on and below ``over``.
        under: The largest value that does not lie above it.
        over: The smallest that does.
    """
    usual = _number(value)
    if "e" in usual or under <= float(usual.replace(",", "")) < over:
        return localized(usual)
    for decimals in range(len(usual.partition(".")[2]) + 1, 17):
        below = math.floor(value * 10**decimals)
        for step in (below, below + 1):
            text = f"{step / 10**decimals:,.{decimals}f}"
            if under <= float(text.replace(",", "")) < over:
                return localized(text)
    return localized(usual)


def precision(low: float, high: float) -> int | None:
    """Decimals that tell the ends of an interval apart, for everything shown beside it; None if the usual ones do."""
    if not math.isfinite(low + high) or low == high or _number(low) != _number(high):
        return None
    return next((decimals for decimals in range(3, 6) if _number(low, decimals) != _number(high, decimals)), 6)


@told
def interval(low: float, high: float) -> str:
    """``1.75 to 1.91``; with as many decimals as it takes to tell the ends apart, at most six."""
    decimals = precision(low, high)
    return say("{low} to {high}", low=number(low, decimals), high=number(high, decimals))


@told
def interval_text(low: float, high: float) -> str:
    """``4.90 to 7.40``; ``up to 7.40`` where there is no lower end, ``from 4.90 on`` where there is no upper one."""
    if math.isfinite(low) and math.isfinite(high):
        return interval(low, high)
    if math.isfinite(high):
        return say("up to {high}", high=number(high))
    return say("from {low} on", low=number(low)) if math.isfinite(low) else say("without ends")


@told
def share_text(value: float, decimals: int | None = None) -> str:
    """A share of probability with the digits of a quantity: ``7.30%``."""
    return say_as("a share", "{number}%", number=number(100 * value, decimals))


@told
def share_interval(low: float, high: float) -> str:
    """``6.10% to 8.60%``."""
    decimals = precision(100 * low, 100 * high)
    return say("{low} to {high}", low=share_text(low, decimals), high=share_text(high, decimals))


@told
def points(share: float) -> str:
    """A difference of shares in percentage points: ``21``, ``3.4``."""
    if math.isnan(share):
        return _not_finite(share)
    return localized(f"{100 * share:.1f}".removesuffix(".0"))


@told
def share_to_tenths(share: float) -> str:
    """A share of people: ``21%``, ``3.4%``."""
    return say_as("a share", "{number}%", number=points(share))


@told
def percent(share: float) -> str:
    """A share as a percentage: ``95%``, ``6.2%``, ``99.99%``."""
    if not math.isfinite(share):
        return _not_finite(share)
    value = 100 * share
    for decimals in range(3):
        text = f"{value:.{decimals}f}"
        if math.isclose(float(text), value, rel_tol=5e-3) and (value < 99 or math.isclose(float(text), value)):
            break
    shown = f"{float(text):,g}" if abs(float(text)) < 100_000 else f"{value:,.0f}"
    return say_as("a share", "{number}%", number=localized(shown))


@told
def p_value(value: float, *, alpha: float | None = None) -> str:
    """A p-value for reading: ``0.031``, ``< 0.0001``; more digits where it would look equal to ``alpha``."""
    if math.isnan(value):
        return _not_finite(value)
    if value < 0.0001:
        return localized("< 0.0001")
    if value > 0.9999:
        return localized("> 0.9999")
    decimals = 2 if value >= 0.1 else 3 if value >= 0.01 else 4
    while alpha is not None and value != alpha and float(f"{value:.{decimals}f}") == alpha and decimals < 7:
        decimals += 1
    return localized(f"{value:.{decimals}f}")


@told
def whole(value: int) -> str:
    """A whole number: ``9,045``."""
    return localized(f"{value:,}")


def day(date: datetime.date) -> str:
    """``23 November 2026``."""
    if language() == SOURCE:
        return f"{date:%d %B %Y}"
    from babel.dates import format_date

    return str(format_date(date, "long", locale=language()))


@told
def count(value: int, noun: str, plural: str = "") -> str:
    """``1 row``, ``9,045 rows``; for translators this is one message with two forms, ``{n} row`` and ``{n} rows``."""
    return say_count(f"{{n}} {noun}", f"{{n}} {plural or noun + 's'}", value)


def _not_finite(value: float) -> str:
    return say("not defined") if math.isnan(value) else say("infinite") if value > 0 else say("minus infinity")


def shortened(text: str, most: int) -> str:
    """The text in ``most`` characters (over 60): of a longer one the beginning, how much is left out, and the end."""
    if len(text) <= most:
        return text
    end = (most - 30) // 2
    middle = say("[… {n} characters …]", n=whole(len(text) - 2 * end))
    return f"{text[:end]} {middle} {text[-end:]}"


def quoted(value: object) -> str:
    """A value of a user's own within a sentence: in quotes, on one line, and never longer than it can be read.

    Every cell, category, group, column and sheet goes through here into what people are told.
    """
    return in_quotes(shortened(repr(str(value)), LONGEST_VALUE))


@told
def in_quotes(written: str) -> str:
    """What Python has written in quotes, in those of the reader's language."""
    return written if language() == SOURCE else say("“{label}”", label=written[1:-1])


def up_to(names: Sequence[str], most: int) -> tuple[str, ...]:
    """Names to join; of more than ``most`` the first, and behind them how many there are: ``a``, ``b``, ``3 more``."""
    more = len(names) - most
    return (*names[:most], say("{n} more", n=whole(more))) if more > 0 else tuple(names)


@told
def first_few(names: Sequence[str], most: int) -> str:
    """Names one behind the other; of more than ``most`` the first, and how many more: ``a, b and 3 more``."""
    return listed(names, most) if len(names) > most else ", ".join(names)


def several(values: Sequence[object], most: int = 8) -> str:
    """Values of a user's own, each in quotes; of many the first, and how many more there are."""
    return first_few(tuple(map(quoted, values)), most)


@told
def without_stop(sentence: str) -> str:
    """A sentence to go on with: without its full stop."""
    return sentence.strip().rstrip(".")


@told
def upper_first(words: str) -> str:
    """Words that begin a sentence or a heading."""
    return f"{words[:1].upper()}{words[1:]}"


def lower_first(sentence: str) -> str:
    """Lower the first letter, unless a symbol or an abbreviation begins with it or the language has capital nouns."""
    if language() in CAPITAL_NOUNS:
        return sentence
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]


@told
def all_at_once(conditions: Sequence[str]) -> str:
    """What holds at once: ``sex = Female and age = 34 to 51 and region = South``."""
    return reduce(lambda first, last: say("{first} and {last}", first=first, last=last), conditions)


def any_of(values: Sequence[str]) -> str:
    """What holds one or the other way: ``30 to 44 or 45 to 59``."""
    return reduce(lambda first, last: say("{first} or {last}", first=first, last=last), values)


def by_name(names: Sequence[str], said: Sequence[str]) -> str:
    """What is said of each name, once where it is the same: ``400 rows``, ``first: 400 rows; second: 9 rows``."""
    if len(set(said)) == 1:
        return said[0]
    return "; ".join(f"{name}: {one}" for name, one in zip(names, said, strict=True))


@told
def listed(names: Sequence[str], most: int | None = None) -> str:
    """Names as people list them: ``a``, ``a and b``, ``a, b and c``; of more than ``most``: ``a, b and 3 more``."""
    *first, last = (names if most is None else up_to(names, most)) or ("",)
    return say("{first} and {last}", first=", ".join(first), last=last) if first else last


def share_to_one_decimal(value: float) -> str:
    """``53.0%``."""
    return say_as("a share", "{number}%", number=localized(f"{100 * value:.1f}"))
