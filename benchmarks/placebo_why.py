"""Why a test and the textbook disagree about a table as it is: a line for each."""

_ONE_DIFFERENCE = (
    "the textbook takes one difference for all kinds, which is more exact if that is so; the test finds it kind by kind"
)
_KIND_BY_KIND = (
    "the textbook's one difference for all kinds is small; the test also bounds kinds in which it may be large"
)
_NOT_SHOWN = "the test also counts people who can be compared with nobody and kinds the table does not hold"

_FEW_CLUSTERS = (
    "the bootstrap of whole clusters is too narrow for few that move alike; the test's upper bound allows for clusters "
    "that move more and were not drawn"
)

WHY: dict[tuple[str, str], str] = {
    ("Ecdat/Males", "group_fairness"): "the test asks whether all comparisons together hold, and knows the variance of "
    "men's eight years a little worse than a normal limit has it: p = .052",
    ("openintro/resume", "group_fairness"): "the textbook takes the difference alone, which is small; the test also "
    "judges the ratio, .67, which may lie below four fifths",
    ("Ecdat/Hmda", "transport"): f"{_ONE_DIFFERENCE}: 2,380 people in eight columns leave it 4.7 points, 2.9 to 24.5",
    ("Ecdat/HI", "transport"): f"{_ONE_DIFFERENCE}, for race and Hispanic origin together, where groups are small",
    ("ISLR/Wage", "transport"): f"{_ONE_DIFFERENCE}: 37 of 3,000 men are of another race",
    ("sampleSelection/nlswork", "transport"): f"{_ONE_DIFFERENCE}; its error takes a woman's years for women",
    ("COUNT/medpar", "transport"): "the textbook's error takes rows for independent; the test says that 54 hospitals "
    "are too few for kinds that hide age, on which the model decides",
    ("mlmRev/guImmun", "transport"): "the textbook's error takes children for independent; the test says that 161 "
    "communities are too few for kinds that hide what the model decides on",
    ("causaldata/nhefs", "transport"): _KIND_BY_KIND,
    ("mlmRev/egsingle", "transport"): f"{_KIND_BY_KIND}; its error takes pupils of a school for independent",
    ("DAAG/nassCDS", "transport"): f"{_NOT_SHOWN}: 4.3% and 2.7%",
    ("DAAG/monica", "transport"): f"{_NOT_SHOWN}: 12.5% and 9.8%",
    ("stevedata/mm_nhis", "transport"): f"{_NOT_SHOWN}: 5.0% and 1.3%",
    ("survival/flchain", "transport"): f"{_NOT_SHOWN}: 1.6% and 1.1%",
    ("COUNT/medpar", "equalized_odds"): "36 who are not white died, in 17 hospitals; the test judges no cell of fewer "
    "than 30 clusters",
    ("openintro/evals", "equalized_odds"): "12 professors of a minority: Welch's test of professors' means shows a "
    "difference (p = .006), and none beyond the tolerance",
    ("survival/flchain", "equalized_odds"): "the textbook cuts probabilities at one half; above 0.95 women and men "
    "differ by 11.9 points",
    ("stevedata/TV16", "equalized_odds"): "the textbook cuts probabilities at one half, and nine people of one group "
    "widen its limits for all pairs",
    ("causaldata/social_insure", "column_sensitivity"): f"{_FEW_CLUSTERS}: 44 villages",
    ("COUNT/medpar", "column_sensitivity"): f"{_FEW_CLUSTERS}: 54 hospitals",
    ("mlmRev/egsingle", "column_sensitivity"): f"{_FEW_CLUSTERS}: 43 schools",
    ("mlmRev/guImmun", "column_sensitivity"): f"{_FEW_CLUSTERS}: 161 communities",
}
