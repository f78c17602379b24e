"""Split-conformal prediction sets, calibrated for all people together or in each group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Coverage:
    """Prediction sets of m people who were not used to calibrate them; g groups of one attribute.

    Attributes:
        attribute: The protected attribute.
        groups: Its groups, length g.
        level: The coverage asked for.
        codes: Group of each person, shape (m,), int.
        calibrated: People each group was calibrated on, shape (g,), int.
        thresholds: Score up to which an outcome is in the set, by group; shape (g,); infinite where too few people
            were there to calibrate.
        covered: Whether the outcome is in the set calibrated for the group, shape (m,), bool.
        sizes: Outcomes in the set, or width of the interval; shape (m,), float64.
        common_threshold: The threshold of everybody together.
        common_covered: Whether the outcome is in the set calibrated for everybody together, shape (m,), bool.
        common_sizes: Sizes of those sets, shape (m,), float64.
    """

    attribute: str
    groups: tuple[str, ...]
    level: float
    codes: np.ndarray
    calibrated: np.ndarray
    thresholds: np.ndarray
    covered: np.ndarray
    sizes: np.ndarray
    common_threshold: float
    common_covered: np.ndarray
    common_sizes: np.ndarray
