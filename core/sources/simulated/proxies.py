"""The innocent-looking columns of the simulated hiring round: what each says about a person's group."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Proxy:
    """A column that says something about a protected attribute and nothing about the job.

    Attributes:
        name: The column.
        attribute: The protected attribute it depends on.
        values: The values it takes: numbers, or categories.
        base: Relative frequency of each value before the tilt.
        tilt: Per group, the log-frequency added per unit of a number, or for each category in turn.
    """

    name: str
    attribute: str
    values: tuple[float, ...] | tuple[str, ...]
    base: tuple[float, ...]
    tilt: dict[str, float | tuple[float, ...]]

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers."""
        return not isinstance(self.values[0], str)

    def log_tilt(self, group: str) -> np.ndarray:
        """Log-frequency the group adds to each value; shape (number of values,)."""
        tilt = np.asarray(self.tilt[group], dtype=np.float64)
        return tilt * np.asarray(self.values, dtype=np.float64) if self.is_numeric else tilt

    def draw(self, groups: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        """One value a person by inverting each group's distribution function; both arguments have shape (n,)."""
        drawn = np.empty(len(groups), dtype=np.int64)
        for group in self.tilt:
            weight = np.asarray(self.base) * np.exp(self.log_tilt(group))
            members = groups == group
            cumulative = np.cumsum(weight)[:-1] / weight.sum()
            drawn[members] = np.searchsorted(cumulative, uniforms[members], side="right")
        return np.asarray(self.values)[drawn]


_GAP_MONTHS = tuple(float(month) for month in range(49))
_COMMUTE_KM = tuple(float(km) for km in range(1, 61))

PROXIES = (
    Proxy(
        "career gap (months)",  # verbatim
        "gender",
        _GAP_MONTHS,
        tuple(12.0 if month == 0 else float(np.exp(-month / 8)) for month in _GAP_MONTHS),
        {"female": 0.07, "male": -0.03},
    ),
    Proxy(
        "free time",  # verbatim
        "gender",
        ("arts", "none given", "team sports", "volunteering"),  # verbatim
        (0.17, 0.33, 0.24, 0.26),
        {"female": (0.5, 0.0, -0.7, 0.6), "male": (-0.4, 0.0, 0.5, -0.4)},
    ),
    Proxy(
        "previous sector",  # verbatim
        "gender",
        ("care and education", "finance", "manufacturing", "retail", "technology"),  # verbatim
        (0.2, 0.16, 0.2, 0.24, 0.2),
        {"female": (0.8, 0.0, -0.5, 0.3, -0.5), "male": (-0.8, 0.1, 0.4, -0.2, 0.4)},
    ),
    Proxy(
        "languages",
        "ethnicity",
        (1.0, 2.0, 3.0, 4.0, 5.0),
        (0.62, 0.25, 0.09, 0.03, 0.01),
        {"Asian": 1.0, "Black": 0.1, "Hispanic": 1.3, "White": -0.3},
    ),
    Proxy(
        "commute (km)",  # verbatim
        "ethnicity",
        _COMMUTE_KM,
        tuple(float(km * np.exp(-km / 7)) for km in _COMMUTE_KM),
        {"Asian": -0.02, "Black": 0.06, "Hispanic": 0.04, "White": -0.02},
    ),
    Proxy(
        "district",
        "ethnicity",
        ("centre", "east", "north", "south", "west"),
        (0.2, 0.2, 0.2, 0.2, 0.2),
        {
            "Asian": (0.9, 0.2, -0.4, -0.5, 0.0),
            "Black": (-0.2, 1.0, -0.5, 0.4, -0.6),
            "Hispanic": (-0.3, 0.3, -0.4, 1.0, -0.5),
            "White": (0.0, -0.4, 0.5, -0.3, 0.4),
        },
    ),
    Proxy(
        "referred by staff",  # verbatim
        "ethnicity",
        ("no", "yes"),
        (0.7, 0.3),
        {"Asian": (0.2, -0.2), "Black": (0.4, -0.4), "Hispanic": (0.3, -0.3), "White": (-0.2, 0.2)},
    ),
)
