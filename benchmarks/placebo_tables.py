"""The real tables of the placebo bench: what is protected, what is decided, and what a model may read."""

# ruff: noqa: E501 - a table a line

from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmarks.registry import Learner, chosen, cross_fitted, one_row_each, table

MOST_ROWS = 5_000
ANSWER = "model's answer"


@dataclass(frozen=True)
class PlaceboTable:
    """A table, what its columns are for, and what answers.

    Attributes:
        package: R package it is from.
        item: Its name there.
        protected: Protected attributes, with blanks between.
        outcome: The outcome that a model learns, or what people decided where ``learner`` is "".
        favourable: Its value that is good for the person; "" for a number.
        features: What the model reads, with blanks between; where people decided, columns that may explain it.
        learner: What is cross-fitted to the outcome; "" where the decision itself is judged.
        holds: What the column of predictions holds.
        belongs_to: The column that says which rows belong together; "" for none.
        blind: Whether the model does not read the protected attributes.
        count: The column of counts in a table of counts.
        whole: Columns of whole numbers that are names.
    """

    package: str
    item: str
    protected: str
    outcome: str
    favourable: str
    features: str
    learner: Learner | None = "logistic"
    holds: str = "labels"
    belongs_to: str = ""
    blind: bool = False
    count: str = ""
    whole: str = ""

    @property
    def name(self) -> str:
        """Package and name."""
        return f"{self.package}/{self.item}"

    @property
    def numbers(self) -> bool:
        """Whether the outcome is a number."""
        return self.holds == "number"

    @property
    def columns(self) -> list[str]:
        """The columns that are kept: protected, features, outcome, cluster."""
        names = [*self.protected.split(), *self.features.split(), self.outcome, self.belongs_to]
        return [name for name in dict.fromkeys(names) if name]

    def people(self) -> pd.DataFrame:
        """At most :data:`MOST_ROWS` rows without blanks, whole clusters, with the model's answers; always the same."""
        frame = table(self.package, self.item)
        frame = one_row_each(frame, self.count) if self.count else frame
        frame = frame[self.columns].dropna()
        named = [*self.protected.split(), *self.whole.split(), *([] if self.numbers else [self.outcome])]
        frame = frame.astype(dict.fromkeys(named, str)).apply(_plain)
        frame = _some(frame, self.belongs_to).reset_index(drop=True)
        if self.learner is not None:
            frame[ANSWER] = self.answers(frame)
        return frame

    def answers(self, frame: pd.DataFrame) -> np.ndarray:
        """The column of predictions: classes in the share in which they occur, probabilities, or numbers."""
        assert self.learner is not None
        read = frame[self.features.split() + ([] if self.blind else self.protected.split())]
        clusters = frame[self.belongs_to] if self.belongs_to else None
        found = cross_fitted(self.learner, read, frame[self.outcome], clusters)
        if self.numbers:
            return found.round(6)
        classes = sorted(frame[self.outcome].unique())
        good = found[:, classes.index(self.favourable)]
        if self.holds == "probability":
            return good.round(6)
        if len(classes) > 2:
            return np.array(classes)[found.argmax(axis=1)]
        other = next(one for one in classes if one != self.favourable)
        return np.where(chosen(good, float((frame[self.outcome] == self.favourable).mean())), self.favourable, other)


def _plain(column: pd.Series) -> pd.Series:
    return column if column.dtype.kind in "ifu" else column.astype(str)


def _some(frame: pd.DataFrame, belongs_to: str) -> pd.DataFrame:
    if len(frame) <= MOST_ROWS:
        return frame
    if not belongs_to:
        return frame.sample(MOST_ROWS, random_state=0).sort_index()
    sizes = frame[belongs_to].value_counts(sort=False)
    drawn = sizes.sample(frac=1.0, random_state=0).cumsum()
    return frame[frame[belongs_to].isin(drawn.index[drawn <= MOST_ROWS])]


TABLES = (
    PlaceboTable("Ecdat", "Hmda", "black", "deny", "no", "dir hir lvr ccs mcs pbcr dmi self uria single"),
    PlaceboTable("Ecdat", "Benefits", "nwhite sex", "ui", "yes", "stateur statemb age tenure joblost school12 smsa married dkids yrdispl rr head", "boosting"),
    PlaceboTable("Ecdat", "Males", "ethn", "union", "yes", "year school exper maried health industry occupation", belongs_to="nr"),
    PlaceboTable("Ecdat", "Star", "sex race", "tmathssk", "", "classk totexpk freelunk", "linear", "number", belongs_to="schidkn"),
    PlaceboTable("Ecdat", "Participation", "foreign", "lfp", "yes", "lnnlinc age educ nyc noc", blind=True),
    PlaceboTable("Ecdat", "Wages1", "sex", "wage", "", "exper school", "boosted regression", "number"),
    PlaceboTable("Ecdat", "OFP", "black sex", "privins", "yes", "hosp numchron adldiff age maried school faminc employed region hlth"),
    PlaceboTable("Ecdat", "HI", "race hispanic", "whi", "yes", "education experience kidslt6 kids618 husby region hhi", "boosting"),
    PlaceboTable("Ecdat", "VietNamI", "sex", "insurance", "1", "lnhhexp age married educ illness injury", belongs_to="commune"),
    PlaceboTable("Ecdat", "DoctorAUS", "sex", "insurance", "levyplus", "age income illness actdays hscore chcond"),
    PlaceboTable("ISLR", "Wage", "race", "health_ins", "1. Yes", "year age maritl education jobclass health", holds="probability"),
    PlaceboTable("causaldata", "social_insure", "male", "takeup_survey", "1", "age agpop ricearea_2010 disaster_prob default intensive risk_averse literacy", "boosting", belongs_to="village"),
    PlaceboTable("causaldata", "nhefs", "sex race", "death", "0", "age school income smokeintensity smokeyrs exercise active", blind=True),
    PlaceboTable("causaldata", "mortgages", "nonwhite", "home_ownership", "1", "bpl qob vet_wwko"),
    PlaceboTable("COUNT", "medpar", "white", "died", "0", "los hmo age80 type", belongs_to="provnum", whole="type"),
    PlaceboTable("COUNT", "rwm1984", "female", "outwork", "0", "docvis hospvis edlevel age married kids hhninc", "boosting", "probability"),
    PlaceboTable("COUNT", "titanic", "sex", "survived", "yes", "class age", blind=True),
    PlaceboTable("DAAG", "nassCDS", "sex", "dead", "alive", "dvcat airbag seatbelt frontal ageOFocc occRole", "boosting"),
    PlaceboTable("DAAG", "monica", "sex", "outcome", "live", "age yronset premi smstat diabetes highbp hichol angina stroke hosp"),
    PlaceboTable("KMsurv", "pneumon", "race", "poverty", "0", "mthage urban alcohol smoke region education nsibs", whole="region"),
    PlaceboTable("KMsurv", "std", "race", "rinfct", "0", "age yschool npartner condom iinfct os12m rs12m", whole="iinfct condom"),
    PlaceboTable("mlmRev", "egsingle", "female black hispanic", "retained", "0", "year grade math size lowinc mobility", "boosting", belongs_to="schoolid"),
    PlaceboTable("mlmRev", "guImmun", "ethn", "immun", "Y", "kid2p mom25p ord momEd husEd momWork rural pcInd81", blind=True, belongs_to="comm", whole="ord"),
    PlaceboTable("nlme", "MathAchieve", "Minority Sex", "MathAch", "", "SES MEANSES", "linear", "number"),
    PlaceboTable("openintro", "evals", "ethnicity gender", "score", "", "rank language age cls_students bty_avg", "linear", "number", belongs_to="prof_id"),
    PlaceboTable("stevedata", "Dee04", "hispanic black female", "register", "1", "college distance", "boosting"),
    PlaceboTable("stevedata", "mm_nhis", "nwhite", "hi", "1", "fml hlth age yedu famsize empl inc"),
    PlaceboTable("survival", "flchain", "sex", "death", "0", "age kappa lambda mgus sample.yr", holds="probability"),
    PlaceboTable("MASS", "Aids2", "sex", "status", "A", "state diag age", "boosting"),
    PlaceboTable("sampleSelection", "nlswork", "race", "union", "1.0", "age grade south c_city tenure ttl_exp hours", belongs_to="idcode", blind=True),
    PlaceboTable("datasets", "UCBAdmissions", "Gender", "Admit", "Admitted", "Dept", None, count="Freq"),
    PlaceboTable("openintro", "resume", "race gender", "received_callback", "1", "job_city job_industry years_experience honors", None, belongs_to="job_ad_id"),
    PlaceboTable("stevedata", "TV16", "female racef", "collegeed", "1", "age state bornagain", blind=True, holds="probability"),
)  # fmt: skip
"""Among them tables with and without clusters, several protected attributes, several classes, numbers, probabilities,
rare outcomes, small groups, and decisions that people took."""
