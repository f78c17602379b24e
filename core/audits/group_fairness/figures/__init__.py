"""Charts of groups and prediction sets."""

import math
from dataclasses import replace

from core.audits.group_fairness.figures import coverage, impact
from core.audits.group_fairness.report.claims import shown
from core.audits.group_fairness.table import Name
from core.audits.group_fairness.verdict import GroupFairnessFinding
from core.audits.group_fairness.wording_claims import compared_in, how_much, measure
from core.audits.group_fairness.wording_groups import measure_name
from core.claim_charts import chart_of_parts
from core.claims import Claim
from core.claims_shown import draw
from core.figures.chart import Chart, Drawing
from core.group_answers import GroupAnswers
from core.language.phrases import listed, percent, upper_first
from core.language.told import say


def _drawn(finding: GroupFairnessFinding, *, decides: bool) -> Drawing:
    """A row a group, or an intersection, the worst first; markers say where each stands, not p-values."""
    if decides and finding.deciding is not None and finding.deciding.beyond and finding.deciding.scale == "ratio":
        return _ratios(finding, finding.deciding)
    known = shown(finding, decides=decides)
    claims = [replace(one, p_value=math.nan) for one in known if one.judged]
    compared = compared_in(finding, claims[0])
    what = say(
        "{how_much} people have in {what} than those they are compared with, the largest first; lower bounds hold "
        "for all together with {sure} confidence.",
        how_much=how_much(finding),
        what=compared,
        sure=percent(1 - finding.decision.alpha),
    )
    too_few = list(dict.fromkeys(one.who for one in known if not one.judged))
    return draw(claims, what=what, axis=f"{how_much(finding)}: {compared}", too_few=too_few)


def _ratios(finding: GroupFairnessFinding, deciding: Claim) -> Drawing:
    """The same where no difference is beyond what is tolerated but a ratio is: a row a group, the smallest first."""
    single = {one.who for one in finding.claims if one.decides}
    known = [one for one in finding.claims if one.scale == "ratio" and one.of == deciding.of and one.who in single]
    claims = sorted((one for one in known if one.judged), key=lambda one: one.high)
    told = measure(finding, deciding)
    what = say(
        "{what} of people and of those they are compared with, the smallest first; upper bounds hold for all together "
        "with {sure} confidence.",
        what=upper_first(told),
        sure=percent(1 - finding.decision.alpha),
    )
    too_few = list(dict.fromkeys(one.who for one in known if not one.judged))
    return draw(
        [replace(one, p_value=math.nan) for one in claims],
        what=what,
        axis=say("ratio"),
        level=(1.0, ""),
        too_few=too_few,
    )


def _rates(finding: GroupFairnessFinding) -> Drawing:
    """Shares of both wrong decisions, accuracies, or errors of numbers, of each group."""
    detail = finding.result.detail
    names: tuple[Name, Name] = ("accuracy", "balanced accuracy")
    if detail.numbers or detail.favourable >= 0:
        names = ("RMSE", "mean error") if detail.numbers else ("true-positive rate", "false-positive rate")
    told = [measure_name(name, GroupAnswers.of(finding.result)) for name in names]
    wanted = [upper_first(name) for name in told]
    claims = [one for one in finding.parts["groups rates"] if one.what in wanted]  # verbatim
    what = say("{measures} of each group, each with its own interval.", measures=upper_first(listed(told)))
    return draw(claims, what=what, axis=say("error") if detail.numbers else say("rate"))


CHARTS: dict[str, Chart[GroupFairnessFinding]] = {
    "claims": Chart(
        say("How groups fare beside each other"),
        say(
            "How far each group is from those it is compared with, with bounds. A cross is shown to be beyond what is "
            "tolerated (the dashed line). A circle is shown not to be. An open square is not settled."
        ),
        lambda finding: _drawn(finding, decides=True),
        lambda finding: any(one.judged for one in shown(finding, decides=True)),
        slide="who",
    ),
    "claims intersections": Chart(  # verbatim
        say("How people fare who belong to several groups"),
        say(
            "The same for people who belong to groups of several attributes at once, beside everybody else. Bounds "
            "hold for all of them together."
        ),
        lambda finding: _drawn(finding, decides=False),
        lambda finding: any(one.judged for one in shown(finding, decides=False)),
    ),
    "groups guessed": chart_of_parts(  # verbatim
        "groups guessed",  # verbatim
        say("What the guess lets be known"),
        say(
            "The same comparison by how much is taken for granted of the guess. The first row takes nothing for "
            "granted but how often it is right, and counts chance; the verdict rests on it."
        ),
    ),
    "groups impact": Chart(  # verbatim
        say("Impact ratio of each group"),
        say(
            "How often a group gets the favourable decision (for numbers: an answer on the good side of the median), "
            "divided by the same of the group that gets it most often (grey, at 1). Left of the dashed line, "
            "the four-fifths screening ratio, look closer; right of it nothing is proved. The intervals hold "
            "all together."
        ),
        impact.draw,
        impact.applies,
    ),
    "groups rates": Chart(  # verbatim
        say("How the model errs in each group"),
        say(
            "Two measures of each group; compare each across groups. An interval holds by itself. Groups too small to "
            "judge are never called fair."
        ),
        _rates,
        lambda finding: finding.result.detail.has_outcomes,
    ),
    "fair dummies coverage": Chart(  # verbatim
        say("How often the outcome is in the prediction set"),
        say(
            "A prediction set holds the outcomes that the model does not rule out; for numbers it is a "
            "range. It should hold the recorded outcome as often as asked for (dotted line), in every group. "
            "Diamond: the set is made for the group. Circle: one rule for everybody, by which some groups "
            "may get less."
        ),
        coverage.draw,
        coverage.applies,
    ),
    "fair dummies set sizes": Chart(  # verbatim
        say("How unsure the model is in each group"),
        say(
            "The larger the sets a group needs to hold the outcome as often (diamonds), the less the model "
            "knows about its people. Intervals are about the mean size of the sets as they were made."
        ),
        coverage.draw_sizes,
        coverage.applies_sizes,
    ),
}
