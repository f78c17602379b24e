"""How long tests took against what was estimated before, and how long a run that somebody looks at still takes."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import streamlit as st

from core.base.errors import StorageError
from core.base.files import home, write_whole

_KEPT = 20
"""Runs of a kind of test that are remembered."""
_SHORTEST = 1.0
"""Seconds; shorter runs say more about the machine's start than about the test."""
_EXPECTED = "expected_seconds"


_REMEMBERED = 0.25
"""The share of the time since the start over which forecasts are averaged."""
_LEAST_REMEMBERED = 3.0
_LONGER, _SECONDS_LONGER = 1.5, 5.0


@dataclass(frozen=True)
class Forecast:
    """When a run will end, as it is told while one looks.

    Attributes:
        at: When it was looked at, seconds.
        end: When the run will end, in the same seconds.
        least: The shortest time left that was told so far, in seconds.
    """

    at: float
    end: float
    least: float

    @property
    def left(self) -> float:
        """Seconds left."""
        return self.end - self.at

    @property
    def takes_longer(self) -> bool:
        """Whether the time left grew well above what was told before, which is said."""
        return self.left > _LONGER * self.least + _SECONDS_LONGER


def forecast(before: Forecast | None, now: float, began: float, left: float) -> Forecast:
    """The forecast after another look: a mean over those before, so that it does not jump from part to part of a run.

    Args:
        before: The forecast of the last look; None at the first.
        now: The time, in seconds.
        began: When the run began, in the same seconds.
        left: Seconds left if the run goes on as on average so far.
    """
    if before is None:
        return Forecast(now, now + left, left)
    since = now - before.at
    weight = since / (since + max(_LEAST_REMEMBERED, _REMEMBERED * (now - began)))
    end = max(now, before.end + weight * (now + left - before.end))
    return Forecast(now, end, min(before.least, end - now))


def correction(kind: str) -> float:
    """What an estimate for this kind of test is multiplied by: the median over past runs of taken to estimated."""
    ratios = _known().get(kind)
    return median(ratios) if ratios else 1.0


def expect(fingerprint: str, seconds: float) -> None:
    """Remember in this session what was estimated, uncorrected, for the result of this fingerprint."""
    st.session_state.setdefault(_EXPECTED, {})[fingerprint] = seconds


def learn(fingerprint: str, kind: str, taken: float) -> None:
    """Compare the seconds that a test took with what was estimated in this session, once."""
    expected = st.session_state.get(_EXPECTED, {}).pop(fingerprint, 0.0)
    if expected > 0 and max(expected, taken) > _SHORTEST:
        known = _known()
        known[kind] = [*known.get(kind, []), taken / expected][-_KEPT:]
        with suppress(StorageError):
            write_whole(_path(), json.dumps(known).encode())


def _path() -> Path:
    return home() / "pace.json"


def _known() -> dict[str, list[float]]:
    try:
        found: dict[str, list[float]] = json.loads(_path().read_bytes())
    except (OSError, ValueError):
        return {}
    return found
