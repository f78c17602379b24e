"""A simulated hiring round whose truth is known: who is favoured, by how much, and through which columns.

Gender and ethnicity never reach the job-relevant columns except through the career gap, which shortens experience for
everybody alike. They do reach seven innocent-looking columns, the *proxies*. Each proxy is drawn from one common
distribution tilted exponentially by the person's group, p(v | g) proportional to base(v) exp(tilt_g v), so the
log-odds of any group given all features are exactly linear in the proxies. That makes the truly free directions of a
fair metric a closed form, and a logistic probe well specified.

Hiring follows log-odds that are linear in the job-relevant columns; in the unfair round group and proxies add to them
(:func:`true_probability`). The round is invented: no number in it describes a real employer or real groups.
"""

from statistics import NormalDist
from typing import Literal

import numpy as np
import pandas as pd

from core.base.files import FileStore
from core.base.settings import setting
from core.contracts.source import AbstractSource
from core.data.dataset import Roles
from core.language.told import say, say_as
from core.sources.public.split import PARTS, SPLIT_SEED, Part, part_of_rows
from core.sources.simulated.proxies import PROXIES

GENDERS = {"female": 0.46, "male": 0.54}
ETHNICITIES = {"Asian": 0.11, "Black": 0.15, "Hispanic": 0.16, "White": 0.58}
GROUPS = {"gender": GENDERS, "ethnicity": ETHNICITIES}
"""Share of each group; gender and ethnicity are independent."""

EDUCATION = {"secondary": 0.22, "vocational": 0.25, "bachelor": 0.33, "master": 0.17, "doctorate": 0.03}

INTERCEPT = -1.15
MERIT_PER_YEAR = 0.08
"""Log-odds of being hired per year of experience, up to ``USEFUL_YEARS``."""
USEFUL_YEARS = 15
MERIT_PER_TEST_POINT = 0.075
MERIT_PER_RATING_POINT = 1.1
MERIT_OF_EDUCATION = {"secondary": -0.7, "vocational": -0.3, "bachelor": 0.2, "master": 0.6, "doctorate": 0.8}

BIAS_OF_GROUP = {
    "gender": {"female": -0.9, "male": 0.4},
    "ethnicity": {"Asian": -0.4, "Black": -1.1, "Hispanic": -0.8, "White": 0.4},
}
"""Log-odds added in the unfair round for who somebody is."""
BIAS_PER_GAP_MONTH = -0.04
BIAS_PER_COMMUTE_KM = -0.02
BIAS_OF_REFERRAL = 0.5
"""Log-odds added in the unfair round for what a proxy says."""

FEATURES = (
    "experience (years)",  # verbatim
    "education",
    "test score",  # verbatim
    "interview rating",  # verbatim
    "notice period (weeks)",  # verbatim
    *(proxy.name for proxy in PROXIES),
)
OUTCOME = "hired"
SCREENED = "invited"
"""Column with the answers of the screening program, written as the outcome is."""
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


class Hiring(AbstractSource):
    """Applicants of an invented company: what they bring, who they are, whether they were hired."""

    kind: Literal["hiring"] = "hiring"
    fair: bool = setting(
        False,
        label=say("Fair decisions"),
        help=say(
            "Fair: hiring depends on job-relevant qualities only. Unfair: it also depends on gender and ethnicity, "
            "directly and through columns that give them away."
        ),
    )
    rows: int = setting(
        4_000,
        label=say("Applicants"),
        unit=say("rows"),
        help=say("Number of simulated applicants."),
        ge=100,
        le=1_000_000,
    )
    seed: int = setting(0, label=say("Seed"), help=say("The same seed gives the same applicants."), ge=0)
    part: Part = setting(
        "all",
        names=PARTS,
        label=say("Rows"),
        help=say("All applicants, the four fifths a model is trained on, or the fifth it is judged on."),
    )
    split_seed: int = SPLIT_SEED
    missing: float = setting(
        0.0,
        label=say("Share of missing cells"),
        help=say("This share of the cells in education, test score and commute is left empty, at random."),
        ge=0.0,
        le=0.5,
    )
    screening: Screening = setting(
        "none",
        names={
            "none": say_as("a program", "none"),
            "fair": say_as("a program", "fair"),
            "biased": say_as("a program", "biased"),
        },
        label=say("Screening program"),
        help=say(
            "Adds the answers of an invented program as a column of predictions. Fair: points for experience, "
            "education and test score. Biased: it also takes points off women and Black and Hispanic applicants."
        ),
    )

    @property
    def title(self) -> str:
        """Name with its version."""
        name = say("Simulated hiring, fair decisions") if self.fair else say("Simulated hiring, unfair decisions")
        if self.screening == "none":
            return name
        if self.screening == "fair":
            return say("{name}, fair screening", name=name)
        return say("{name}, biased screening", name=name)

    def load(self, files: FileStore) -> pd.DataFrame:
        """The applicants; nothing is fetched or read."""
        rng = np.random.default_rng(self.seed)
        frame = _applicants(self.rows, rng)
        hired = rng.random(self.rows) < true_probability(frame, fair=self.fair)
        if self.screening != "none":
            frame[SCREENED] = screen(frame, biased=self.screening == "biased")
        frame[OUTCOME] = np.where(hired, "yes", "no")
        if self.missing > 0:
            for name in ("education", "test score", "commute (km)"):  # verbatim
                frame[name] = frame[name].mask(rng.random(self.rows) < self.missing)
        return part_of_rows(frame, self.part, self.split_seed)

    def roles(self, frame: pd.DataFrame) -> Roles:
        """Gender and ethnicity are protected; a model reads everything else; the program's answers are predictions."""
        predictions = () if self.screening == "none" else (SCREENED,)
        return Roles(
            outcome=OUTCOME, favourable="yes", protected=tuple(GROUPS), features=FEATURES, predictions=predictions
        )


def true_probability(frame: pd.DataFrame, *, fair: bool) -> np.ndarray:
    """The probability of being hired that the labels were drawn with; shape (n,)."""
    log_odds = merit(frame)
    if not fair:
        for attribute, bias in BIAS_OF_GROUP.items():
            log_odds = log_odds + frame[attribute].map(bias).to_numpy()
        log_odds = log_odds + BIAS_PER_GAP_MONTH * frame["career gap (months)"].to_numpy()  # verbatim
        log_odds = log_odds + BIAS_PER_COMMUTE_KM * (frame["commute (km)"].to_numpy() - 14)  # verbatim
        log_odds = log_odds + BIAS_OF_REFERRAL * (frame["referred by staff"] == "yes").to_numpy()  # verbatim
    return np.asarray(1 / (1 + np.exp(-log_odds)))


def merit(frame: pd.DataFrame) -> np.ndarray:
    """Log-odds of being hired on job-relevant qualities alone; shape (n,)."""
    years = np.minimum(frame["experience (years)"].to_numpy(), USEFUL_YEARS)  # verbatim
    return np.asarray(
        INTERCEPT
        + MERIT_PER_YEAR * (years - 8)
        + MERIT_PER_TEST_POINT * (frame["test score"].to_numpy() - 62)  # verbatim
        + MERIT_PER_RATING_POINT * (frame["interview rating"].to_numpy() - 3)  # verbatim
        + frame["education"].map(MERIT_OF_EDUCATION).to_numpy()
    )


def _applicants(rows: int, rng: np.random.Generator) -> pd.DataFrame:
    groups = {
        attribute: rng.choice(list(shares), size=rows, p=list(shares.values())) for attribute, shares in GROUPS.items()
    }
    proxies = {proxy.name: proxy.draw(groups[proxy.attribute], rng.random(rows)) for proxy in PROXIES}
    ability = rng.standard_normal(rows)
    schooling = 0.5 * ability + np.sqrt(0.75) * rng.standard_normal(rows)
    thresholds = [NormalDist().inv_cdf(share) for share in np.cumsum(list(EDUCATION.values()))[:-1]]
    education = np.searchsorted(thresholds, schooling)
    score = 62 + 14 * (0.75 * ability + np.sqrt(1 - 0.75**2) * rng.standard_normal(rows))
    rating = 3.1 + 0.8 * (0.6 * ability + 0.8 * rng.standard_normal(rows))
    career = 1 + 29 * rng.beta(1.4, 2.2, rows) - proxies["career gap (months)"] / 12  # verbatim
    job_relevant = {
        "experience (years)": np.maximum(np.round(career), 0),  # verbatim
        "education": np.array(list(EDUCATION))[education],
        "test score": np.clip(np.round(score), 0, 100),  # verbatim
        "interview rating": np.clip(np.round(2 * rating) / 2, 1, 5),  # verbatim
        "notice period (weeks)": rng.choice(  # verbatim
            [0.0, 2.0, 4.0, 8.0, 12.0], size=rows, p=[0.2, 0.2, 0.35, 0.15, 0.1]
        ),
    }
    table = pd.DataFrame(job_relevant | proxies | groups)
    whole = [name for name in table.select_dtypes("number") if name != "interview rating"]  # verbatim
    return table.astype(dict.fromkeys(whole, "int64"))


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
