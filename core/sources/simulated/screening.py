"""An invented screening program: points for merit, and in its biased form points off for who somebody is."""

from typing import Literal

import numpy as np
import pandas as pd

Screening = Literal["none", "fair", "biased"]

EXPERIENCE_LIMITS = (5.0, 15.0)
"""Years of experience from which there is one point, and two."""
SCORE_LIMITS = (55.0, 70.0)
"""Test scores from which there is one point, and two."""
EDUCATION_LEVELS = {
    "secondary": "school or training",  # verbatim
    "vocational": "school or training",  # verbatim
    "bachelor": "bachelor",
    "master": "postgraduate",
    "doctorate": "postgraduate",
}
"""The levels the program tells apart; each is worth one point more than the one before."""
POINTS_NEEDED = 4

POINTS_OFF = {"gender": ("female",), "ethnicity": ("Black", "Hispanic")}
"""The biased program takes one point off for each of these."""


def screen(frame: pd.DataFrame, *, biased: bool) -> np.ndarray:
    """Whom the program invites: "yes" or "no" for each applicant; shape (n,).

    Args:
        frame: Applicants of :class:`core.sources.simulated.hiring.Hiring`, no cell missing.
        biased: Whether points are taken off for gender and ethnicity.
    """
    levels = list(dict.fromkeys(EDUCATION_LEVELS.values()))
    points = (
        np.digitize(frame["experience (years)"], EXPERIENCE_LIMITS)  # verbatim
        + np.digitize(frame["test score"], SCORE_LIMITS)  # verbatim
        + frame["education"].map(lambda education: levels.index(EDUCATION_LEVELS[education])).to_numpy()
    )
    if biased:
        for attribute, groups in POINTS_OFF.items():
            points = points - frame[attribute].isin(groups).to_numpy()
    return np.where(points >= POINTS_NEEDED, "yes", "no")
