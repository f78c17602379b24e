"""How long tests took on this machine against what was estimated before, so that the next estimate is better."""

import json
from contextlib import suppress
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
