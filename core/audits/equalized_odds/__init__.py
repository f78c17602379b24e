"""The equalized odds test by fair dummies (papers/fair-dummies.md)."""

from core.kind import Kind

KIND = Kind(
    name="equalized_odds",
    stem="EqualizedOdds",
    title="Equalized odds test",
    asks=(
        "Do people with the same outcome get the same answers, whatever group they belong to? Or, if you choose "
        "so, do all groups get the same answers (demographic parity), or does the same answer mean the same "
        "(calibration)?"
    ),
    needs="only predictions: classes, probabilities or numbers; outcomes and groups.",
    gives=(
        "whether answers depend on the group, and how far groups lie apart (more than 10 percentage points, or a "
        "tenth of the spread of an outcome that is a number, is too much unless you say otherwise)."
    ),
    about=(
        "The test asks whether the model's answers depend on a protected attribute among people who have the same "
        "outcome. It draws everybody's group anew, so that groups and outcomes go together as before but the "
        "answers know nothing of the drawn groups, and looks whether the true groups explain the answers better "
        "than the drawn ones, the fair dummies, ever do."
    ),
    citation=("Romano, Bates and Candès, “Achieving equalized odds by resampling sensitive attributes”, NeurIPS 2020"),
    topics=("dummies", "data"),
    notion="Group fairness",
    compared="Who is compared",
    takes_numbers=True,
    by_predictions=True,
    beside=("group_fairness",),
)
