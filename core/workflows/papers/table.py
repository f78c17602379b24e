"""Every table and figure that can be computed again, by name."""

from core.base.errors import SettingsError
from core.language.told import say
from core.workflows.papers import fair_dummies, faith_printed, gradient_flow_printed, sensitivity
from core.workflows.papers.items import Item

ITEMS: dict[str, Item] = {
    one.name: one for paper in (gradient_flow_printed, faith_printed, sensitivity, fair_dummies) for one in paper.ITEMS
}


def item(name: str) -> Item:
    """The table or figure of this name.

    Raises:
        SettingsError: There is none.
    """
    if name not in ITEMS:
        raise SettingsError(
            say("There is no table or figure {name} to compute again.", name=repr(name)),
            advice=say("Choose one of {names}.", names=", ".join(ITEMS)),
        )
    return ITEMS[name]
