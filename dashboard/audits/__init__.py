"""The table of rooms: each kind of test on the pages. One that has pages of its own adds its line here."""

from core.audits import KINDS
from dashboard.audits.column_sensitivity import ROOM as COLUMN_SENSITIVITY
from dashboard.audits.equalized_odds import ROOM as EQUALIZED_ODDS
from dashboard.audits.gradient_flow import ROOM as GRADIENT_FLOW
from dashboard.audits.group_fairness import ROOM as GROUPS
from dashboard.audits.room import Room
from dashboard.audits.text_sensitivity import ROOM as TEXT_SENSITIVITY
from dashboard.audits.transport import ROOM as TRANSPORT

OWN: dict[str, Room] = {
    room.kind.name: room
    for room in (GRADIENT_FLOW, TRANSPORT, TEXT_SENSITIVITY, COLUMN_SENSITIVITY, EQUALIZED_ODDS, GROUPS)
}
"""The rooms of those kinds that have pages of their own, ``dashboard.audits.<kind>.pages``."""

ROOMS: dict[str, Room] = {
    name: OWN.get(name) or Room(kind, step=kind.compared, change="") for name, kind in KINDS.items()
}
"""Every room by its kind, in the order of ``core.audits.KINDS``."""
