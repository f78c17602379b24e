"""The table of rooms: each kind of test on the pages. A new one adds its line here."""

from dashboard.audits.column_sensitivity import ROOM as COLUMN_SENSITIVITY
from dashboard.audits.equalized_odds import ROOM as EQUALIZED_ODDS
from dashboard.audits.gradient_flow import ROOM as GRADIENT_FLOW
from dashboard.audits.group_fairness import ROOM as GROUPS
from dashboard.audits.room import Room
from dashboard.audits.text_sensitivity import ROOM as TEXT_SENSITIVITY
from dashboard.audits.transport import ROOM as TRANSPORT

ROOMS: dict[str, Room] = {
    room.kind.name: room
    for room in (GRADIENT_FLOW, TRANSPORT, TEXT_SENSITIVITY, COLUMN_SENSITIVITY, EQUALIZED_ODDS, GROUPS)
}
"""Every room by its kind, in the order of ``core.audits.KINDS``."""
