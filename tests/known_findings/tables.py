"""Tables about which a finding is published, and what a test has to say of each: who, how much, and what not.

Every number here is worked out again from the rows in ``test_published_numbers.py``, without anything of the product.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.registry import estimator, one_row_each, table
from core.data.roles import Roles
from core.inference.estimate import Verdict

VIOLATION, CLEAR, OPEN = Verdict.VIOLATION, Verdict.NO_VIOLATION, Verdict.INSUFFICIENT


@dataclass(frozen=True)
class Known:
    """A published finding.

    Attributes:
        name: What it is called here.
        source: Who published it.
        story: What is known, one sentence.
        frame: The rows, from the folder of real data.
        roles: What each column is for. With an outcome the harm is to be turned away though the outcome is
            favourable; without one it is not to be chosen.
        attribute: The protected attribute the numbers are about.
        group: The group that fares worse, or of which it is asked.
        chosen: Shares of the group and of everybody else that get the favourable answer, of all or of those whose
            outcome is favourable.
        published: Shares as the source prints them, which must be those of the rows to the printed digits.
        verdict: What a test of groups says at its default settings, where ten points are tolerated.
        named: Who is named as faring worse; "" for nobody.
        never: Who must not be.
        survives_holm: Whether a violation is one among all proposed tests too.
        ratio: What is said of the group's share over that of everybody else, where four fifths are asked for.
        within: Columns that may rightly matter.
        chosen_within: Difference of the shares within those columns (Mantel and Haenszel), group less the others.
        turned: Whether people alike in them fare otherwise, which the headline then has to say.
    """

    name: str
    source: str
    story: str
    frame: Callable[[Path], pd.DataFrame]
    roles: Roles
    attribute: str
    group: str
    chosen: tuple[float, float]
    published: tuple[str, ...]
    verdict: Verdict
    named: str = ""
    never: tuple[str, ...] = ()
    ratio: Verdict | None = None
    within: tuple[str, ...] = ()
    chosen_within: float = float("nan")
    turned: bool = False
    survives_holm: bool = True


ADULT = [
    *("age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation", "relationship"),
    *("race", "sex", "capital_gain", "capital_loss", "hours_per_week", "native_country", "income"),
]
ADULT_READS = [name for name in ADULT if name not in ("fnlwgt", "education", "income")]


def compas(folder: Path) -> pd.DataFrame:
    """ProPublica's 7,214 defendants of Broward County; medium and high scores are one answer."""
    read = ["age", "priors_count", "c_charge_degree", "race", "sex", "two_year_recid", "score_text"]
    rows = pd.read_csv(folder / "compas" / "compas-scores-two-years.csv", usecols=read)
    rows["score_text"] = np.where(rows["score_text"] == "Low", "not charged", "charged")
    rows["two_year_recid"] = np.where(rows["two_year_recid"] == 0, "not charged", "charged")
    return rows


def adult_parts(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """UCI Adult's 32,561 rows to learn from and 16,281 to test."""
    learned, tested = (
        pd.read_csv(folder / "adult" / name, names=ADULT, skipinitialspace=True, skiprows=skipped)
        for name, skipped in (("adult.data", 0), ("adult.test", 1))
    )
    return learned, tested.assign(income=tested["income"].str.rstrip("."))


@cache
def adult(folder: Path, *, equal_odds: bool = False) -> pd.DataFrame:
    """The test rows with the answers of a logistic regression, or of fairlearn's equal-odds thresholds on it."""
    learned, tested = adult_parts(folder)
    good = learned["income"] == ">50K"
    model = estimator("logistic", learned[ADULT_READS]).fit(learned[ADULT_READS], good)
    if equal_odds:
        from fairlearn.postprocessing import ThresholdOptimizer

        fair = ThresholdOptimizer(
            estimator=model, constraints="equalized_odds", prefit=True, predict_method="predict_proba"
        ).fit(learned[ADULT_READS], good, sensitive_features=learned["sex"])
        answers = fair.predict(tested[ADULT_READS], sensitive_features=tested["sex"], random_state=0)
    else:
        answers = model.predict(tested[ADULT_READS])
    return tested.assign(answer=np.where(np.asarray(answers, dtype=bool), ">50K", "<=50K"))


def berkeley(_folder: Path) -> pd.DataFrame:
    """The 4,526 applicants to the six largest departments in 1973."""
    return one_row_each(table("datasets", "UCBAdmissions"), "Freq")


def titanic(_folder: Path) -> pd.DataFrame:
    """The 2,201 people on board."""
    return one_row_each(table("datasets", "Titanic"), "Freq")


def boston(_folder: Path) -> pd.DataFrame:
    """2,380 applications for a mortgage in Boston, 1990."""
    return table("Ecdat", "Hmda").dropna()


def resumes(_folder: Path) -> pd.DataFrame:
    """4,870 fictitious applications to 1,323 job ads in Boston and Chicago."""
    rows = table("openintro", "resume")
    return rows.assign(received_callback=np.where(rows["received_callback"] == 1, "called", "not called"))


def promotions(_folder: Path) -> pd.DataFrame:
    """48 bank supervisors, each with one personnel file that differed in its name only."""
    return table("openintro", "gender_discrimination")


def law_firms(_folder: Path) -> pd.DataFrame:
    """316 applications to law firms, the same but for signals of sex and class."""
    return table("openintro", "law_resume")


def whickham(_folder: Path) -> pd.DataFrame:
    """1,314 women asked in 1972, and whether they lived twenty years later; ages in the source's seven bands."""
    rows = table("mosaicData", "Whickham")
    bands = pd.cut(rows["age"], [17, 24, 34, 44, 54, 64, 74, 120]).astype(str)
    return rows.drop(columns="age").assign(ages=bands)


def funding(_folder: Path) -> pd.DataFrame:
    """2,823 applications for a personal grant in the Netherlands, 2010 to 2012, in nine disciplines."""
    counts = table("dslabs", "research_funding_rates")
    rows = [
        {"discipline": one.discipline, "gender": gender, "funded": funded, "n": n}
        for one in counts.itertuples()
        for gender, asked, given in (
            ("men", one.applications_men, one.awards_men),
            ("women", one.applications_women, one.awards_women),
        )
        for funded, n in (("yes", given), ("no", asked - given))
    ]
    return one_row_each(pd.DataFrame(rows), "n")


def star(_folder: Path) -> pd.DataFrame:
    """5,748 children of kindergarten whom chance put into a small class or another one."""
    rows = table("Ecdat", "Star")
    return rows.assign(classk=np.where(rows["classk"] == "small.class", "small", "other"))


def covid(_folder: Path) -> pd.DataFrame:
    """268,166 people with the delta variant in England, 2021."""
    return table("openintro", "simpsons_paradox_covid")


def donner(_folder: Path) -> pd.DataFrame:
    """The 90 members of the Donner party, snowbound in 1846."""
    rows = table("vcdExtra", "Donner")
    return rows.assign(
        survived=np.where(rows["survived"] == 1, "yes", "no"), grown=np.where(rows["age"] >= 15, "yes", "no")
    )


def _decided(column: str, good: str, protected: str, features: str = "", **more: str) -> Roles:
    return Roles(
        favourable=good,
        protected=tuple(protected.split()),
        features=tuple(features.split()),
        predictions=(column,),
        **more,
    )


COMPAS_ROLES = Roles(
    outcome="two_year_recid",
    favourable="not charged",
    protected=("race", "sex"),
    features=("age", "priors_count", "c_charge_degree"),
    predictions=("score_text",),
)
ADULT_ROLES = Roles(
    outcome="income",
    favourable=">50K",
    protected=("sex",),
    features=("age", "education_num", "hours_per_week"),
    predictions=("answer",),
)

KNOWN = (
    Known(
        name="COMPAS",
        source="Angwin, Larson, Mattu and Kirchner, “Machine Bias”, ProPublica, 2016",
        story="Of those who were not charged again twice as many African-American defendants were rated risky.",
        frame=compas,
        roles=COMPAS_ROLES,
        attribute="race",
        group="African-American",
        chosen=(1 - 0.4485, 1 - 0.2200),
        published=("44.85%",),
        verdict=VIOLATION,
        named="African-American",
        never=("Caucasian", "Other", "Hispanic", "Female", "Male"),
        ratio=VIOLATION,
    ),
    Known(
        name="Adult, shares chosen",
        source="Kohavi and Becker, UCI Adult, 1996; the gap is the first example of most textbooks",
        story="A logistic regression says more than 50,000 dollars of three times as many men.",
        frame=adult,
        roles=_decided("answer", ">50K", "sex", "age education_num hours_per_week"),
        attribute="sex",
        group="Female",
        chosen=(0.0758, 0.2537),
        published=(),
        verdict=VIOLATION,
        named="Female",
        never=("Male",),
        ratio=VIOLATION,
    ),
    Known(
        name="Adult, those who deserve it",
        source="Hardt, Price and Srebro, “Equality of opportunity in supervised learning”, 2016, asks for it",
        story="Of those who earn it 47.8% of women and 38.7% of men are turned away: no more than ten points is shown.",
        frame=adult,
        roles=ADULT_ROLES,
        attribute="sex",
        group="Female",
        chosen=(1 - 0.4780, 1 - 0.3867),
        published=(),
        verdict=OPEN,
        never=("Male",),
        ratio=OPEN,
    ),
    Known(
        name="Adult, equal odds",
        source="Hardt, Price and Srebro, “Equality of opportunity in supervised learning”, 2016; fairlearn",
        story="Thresholds chosen for equal odds turn away women and men who deserve it alike.",
        frame=lambda folder: adult(folder, equal_odds=True),
        roles=ADULT_ROLES,
        attribute="sex",
        group="Female",
        chosen=(1 - 0.4898, 1 - 0.4843),
        published=(),
        verdict=CLEAR,
        never=("Male", "Female"),
        ratio=CLEAR,
    ),
    Known(
        name="Berkeley",
        source="Bickel, Hammel and O'Connell, “Sex bias in graduate admissions”, Science 187, 1975",
        story="Women are admitted less often, and not within departments: they apply to those that admit few.",
        frame=berkeley,
        roles=_decided("Admit", "Admitted", "Gender", "Dept"),
        attribute="Gender",
        group="Female",
        chosen=(0.3035, 0.4452),
        published=("30.4%", "44.5%"),
        verdict=VIOLATION,
        named="Female",
        never=("Male",),
        within=("Dept",),
        chosen_within=0.0184,
        turned=True,
        ratio=VIOLATION,
    ),
    Known(
        name="Boston mortgages",
        source="Munnell, Tootell, Browne and McEneaney, “Mortgage lending in Boston”, AER 86, 1996; Stock and Watson",
        story="Black applicants are denied three times as often, and more often among equal histories of credit too.",
        frame=boston,
        roles=_decided("deny", "no", "black", "pbcr dmi ccs mcs"),
        attribute="black",
        group="yes",
        chosen=(0.7168, 0.9074),
        published=("28.3%", "9.3%"),
        verdict=VIOLATION,
        named="black = yes",
        never=("black = no",),
        within=("pbcr", "dmi"),
        chosen_within=-0.1324,
        ratio=OPEN,
    ),
    Known(
        name="Resumes, names",
        source="Bertrand and Mullainathan, “Are Emily and Greg more employable …?”, AER 94, 2004",
        story="Names that sound black are called back less often: by three points only, but two thirds as often, which "
        "is less than four fifths; within each job ad both were sent. Whether the truth is below it is not sure.",
        frame=resumes,
        roles=_decided("received_callback", "called", "race", "job_city", belongs_to="job_ad_id"),
        attribute="race",
        group="black",
        chosen=(0.0645, 0.0965),
        published=("6.45%", "9.65%"),
        verdict=OPEN,
        never=("race = white",),
        within=("job_city",),
        chosen_within=-0.0320,
        ratio=OPEN,
    ),
    Known(
        name="Resumes, sex",
        source="Bertrand and Mullainathan, “Are Emily and Greg more employable …?”, AER 94, 2004, section III",
        story="Women's and men's names are called back about equally often: too seldom to lie ten points apart.",
        frame=resumes,
        roles=_decided("received_callback", "called", "gender", "job_city", belongs_to="job_ad_id"),
        attribute="gender",
        group="m",
        chosen=(0.0738, 0.0825),
        published=("7.38%", "8.25%"),
        verdict=OPEN,
        never=("gender = f", "gender = m"),
        ratio=OPEN,
    ),
    Known(
        name="Promotions",
        source="Rosen and Jerdee, “Influence of sex role stereotypes on personnel decisions”, J. Appl. Psych. 59, 1974",
        story="21 of 24 men and 14 of 24 women are promoted: too few people for a verdict, but the shares are told.",
        frame=promotions,
        roles=_decided("decision", "promoted", "gender"),
        attribute="gender",
        group="female",
        chosen=(0.5833, 0.8750),
        published=("58.3%", "87.5%"),
        verdict=OPEN,
        never=("male",),
        ratio=OPEN,
    ),
    Known(
        name="Law firms",
        source="Rivera and Tilcsik, “Class advantage, commitment penalty”, Am. Sociol. Rev. 81, 2016",
        story="Men of the upper class are invited four times as often as everybody else; women of it are not.",
        frame=law_firms,
        roles=_decided("outcome", "interview", "gender class"),
        attribute="class",
        group="low",
        chosen=(0.0382, 0.1006),
        published=("3.8%",),
        verdict=OPEN,
        never=("class = high",),
        ratio=OPEN,
    ),
    Known(
        name="Titanic",
        source="Dawson, “The ‘unusual episode’ data revisited”, J. Statist. Educ. 3, 1995",
        story="Women first: 73% of them and 21% of the men survive, in every class.",
        frame=titanic,
        roles=_decided("Survived", "Yes", "Sex", "Class Age"),
        attribute="Sex",
        group="Male",
        chosen=(0.2120, 0.7319),
        published=("21.2%", "73.2%"),
        verdict=VIOLATION,
        named="Male",
        never=("Female",),
        within=("Class", "Age"),
        chosen_within=-0.4919,
        ratio=VIOLATION,
    ),
    Known(
        name="Donner party",
        source="Grayson, “Donner Party deaths”, J. Anthropol. Res. 46, 1990",
        story="Men die more often, among the grown too; 90 people do not show that it is more than ten points.",
        frame=donner,
        roles=_decided("survived", "yes", "sex", "grown"),
        attribute="sex",
        group="Male",
        chosen=(0.4182, 0.7143),
        published=(),
        verdict=OPEN,
        never=("Female",),
        within=("grown",),
        chosen_within=-0.2695,
        ratio=OPEN,
    ),
    Known(
        name="Smokers of Whickham",
        source="Appleton, French and Vanderpump, “Ignoring a covariate”, Am. Statist. 50, 1996",
        story="Smokers die less often, and more often within their ages: those who do not smoke are older.",
        frame=whickham,
        roles=_decided("outcome", "Alive", "smoker", "ages"),
        attribute="smoker",
        group="No",
        chosen=(0.6858, 0.7612),
        published=("31.4%", "23.9%"),
        verdict=OPEN,
        never=("smoker = Yes",),
        within=("ages",),
        chosen_within=0.0446,
        turned=True,
        ratio=CLEAR,
    ),
    Known(
        name="Research grants",
        source="Van der Lee and Ellemers, PNAS 112, 2015; answered by Albers, PNAS 112, 2015",
        story="17.7% of men and 14.9% of women are funded (p = .04), and within disciplines no difference is shown.",
        frame=funding,
        roles=_decided("funded", "yes", "gender", "discipline"),
        attribute="gender",
        group="women",
        chosen=(0.1490, 0.1774),
        published=("14.9%", "17.7%"),
        verdict=CLEAR,
        never=("gender = women", "gender = men"),
        within=("discipline",),
        chosen_within=-0.0186,
        ratio=OPEN,
    ),
    Known(
        name="Small classes",
        source="Krueger, “Experimental estimates of education production functions”, Q. J. Econ. 114, 1999",
        story="Chance decides who comes into a small class: boys and girls alike.",
        frame=star,
        roles=_decided("classk", "small", "sex", "freelunk"),
        attribute="sex",
        group="girl",
        chosen=(0.3014, 0.3016),
        published=("30.1%", "30.2%"),
        verdict=CLEAR,
        never=("girl", "boy"),
        within=("freelunk",),
        ratio=CLEAR,
    ),
    Known(
        name="Vaccination and death",
        source="Public Health England, Technical briefing 20, 2021, table 5",
        story="More of the vaccinated die, 0.41% against 0.17%, and fewer of them within each age: none of it is much.",
        frame=covid,
        roles=_decided("outcome", "survived", "vaccine_status", "age_group"),
        attribute="vaccine_status",
        group="vaccinated",
        chosen=(0.9959, 0.9983),
        published=("0.41%", "0.17%"),
        verdict=CLEAR,
        never=("vaccinated", "unvaccinated"),
        within=("age_group",),
        chosen_within=0.0023,
        turned=True,
        ratio=CLEAR,
    ),
)
WITHIN = tuple(one for one in KNOWN if not np.isnan(one.chosen_within))
"""Those of which a difference within columns that may matter is known."""
