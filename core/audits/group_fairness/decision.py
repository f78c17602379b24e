"""Decision settings of groups: what is compared with whom, tolerances and error rate."""

from typing import ClassVar, Literal

from core.base.settings import setting
from core.contracts.decision import DecisionSettings
from core.language.told import say
from core.language.units import POINTS, SPREADS, Unit

MeasureName = Literal["default", "true-positive rate", "selection rate", "predictive value"]
Outcome = Literal["what happened", "a decision"]


class GroupFairnessDecision(DecisionSettings):
    """What turns groups into a verdict; none of it runs anything again."""

    tolerances: ClassVar[tuple[str, ...]] = ("delta", "ratio")  # verbatim

    kind: Literal["group_fairness"] = "group_fairness"
    delta: float = setting(
        0.1,
        label=say("Tolerance: difference between groups"),
        symbol="δ",
        help=say(
            "By how much worse a group may fare than those it is compared with: of rates as a difference, of answers "
            "that are numbers as a share of the outcome's standard deviation. A difference is tolerated only if it is "
            "shown to be so small."
        ),
        ge=0.0,
        le=1.0,
    )
    ratio: float = setting(
        0.8,
        label=say("Smallest ratio of rates"),
        help=say(
            "A group's rate over that of those it is compared with may not lie below this. Where few people are "
            "chosen, a small difference can be total exclusion, which only the ratio shows. 0.8 is the four-fifths "
            "rule of the Uniform Guidelines (29 CFR 1607.4(D)), a screening convention."
        ),
        ge=0.0,
        le=1.0,
    )
    measure: MeasureName = setting(
        "default",  # verbatim
        label=say("What the verdict rests on"),
        help=say(
            "The default asks who is turned away among people with the favourable outcome: shares of wrong decisions "
            "also follow how often an outcome occurs in a group, which is no doing of the model's. Without outcomes it "
            "asks who is chosen. Numbers rest on their mean error, and answers without a favourable one on each class; "
            "other choices need a favourable answer. All measures are shown whatever is chosen."
        ),
        names={
            "default": say("The default for this table"),
            "true-positive rate": say(
                "Favourable answers among people with the favourable outcome (equal opportunity)"
            ),
            "selection rate": say("Favourable answers among all (statistical parity)"),
            "predictive value": say("Wrong answers among people turned away (predictive parity)"),
        },
    )
    reference: tuple[str, ...] = setting(
        (),
        label=say("Reference groups"),
        help=say(
            "Groups to compare the others with, each as “column = group”. Without one each group is compared with "
            "everybody else."
        ),
        empty=say("everybody else"),
    )
    within: tuple[str, ...] = setting(
        (),
        label=say("Compare only people alike in"),
        help=say(
            "Columns that may rightly matter, among those that are looked within: the verdict is then about people who "
            "agree in all of them. Whether they may matter is a legal judgement; write down who made it, and why."
        ),
        empty=say("nothing: all people are compared"),
    )
    outcome: Outcome = setting(
        "what happened",  # verbatim
        label=say("The outcome in the table"),
        help=say(
            "Whether it is known for everybody whatever was decided about them, or is itself a decision by people, "
            "such as a loan granted, which may have been unfair."
        ),
        names={"what happened": say("is what happened"), "a decision": say("is itself a decision")},
    )
    attribute: str = setting(
        "",
        label=say("Protected attribute"),
        help=say("The attribute whose prediction sets are shown. The verdict is about all of them."),
        empty=say("the first one"),
    )

    @classmethod
    def idle(cls, *, numbers: bool) -> frozenset[str]:
        """See the base class."""
        return frozenset({"ratio"} if numbers else ())

    def unit(self, *, numbers: bool = False) -> Unit:
        """See the base class."""
        return SPREADS if numbers else POINTS
