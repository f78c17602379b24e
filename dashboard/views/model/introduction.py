"""What to bring: the model itself, or what its answers alone are enough for."""

from core.audits import KINDS
from core.contracts.kind import Kind
from core.language.phrases import listed
from core.language.told import say
from dashboard.draft import RolesChoice

OF_TEXTS_BY_PREDICTIONS = say(
    "With predictions only, nobody can say which words an answer rests on: that needs the model itself."
)


def of_model(roles: RolesChoice) -> str:
    """What to bring for a table with these roles."""
    if roles.judges_a_model:
        return say("Bring the model: without an outcome and without a column of decisions its own answers are judged.")
    by_predictions = _named(_by_predictions(roles))
    if roles.outcome_type == "number":
        return say(
            "Bring the model, or a column with the numbers it predicts, which is enough for {by_predictions}.",
            by_predictions=by_predictions,
        )
    if roles.text is None:
        return say(
            "Bring the model itself where you can; a column with its predictions is enough for {by_predictions}.",
            by_predictions=by_predictions,
        )
    looking_in = _named([kind for kind in KINDS.values() if kind.reads == "texts"])
    return say(
        "Bring the model that reads the texts, as {looking_in} asks for. A column with its predictions "
        "is enough for {by_predictions}, where the table has outcomes and groups.",
        looking_in=looking_in,
        by_predictions=by_predictions,
    )


def of_predictions(roles: RolesChoice) -> str:
    """What a column with predictions is enough for."""
    if roles.outcome_type == "number":
        return say("Predictions are enough: no test of outcomes that are numbers asks the model for more.")
    return say(
        "Predictions are enough for {tests}. Only what asks about people or texts that are not in the "
        "table needs the model itself.",
        tests=_named(_by_predictions(roles)),
    )


def _by_predictions(roles: RolesChoice) -> list[Kind]:
    numbers = roles.outcome_type == "number"
    return [kind for kind in KINDS.values() if kind.by_predictions and (kind.takes_numbers or not numbers)]


def _named(kinds: list[Kind]) -> str:
    return listed([say("the {name} test", name=kind.name_in_text) for kind in kinds])
