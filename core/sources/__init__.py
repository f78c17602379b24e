"""The table of data sources. A new one adds its file and its line here."""

from core.sources.adult import Adult
from core.sources.biographies import Biographies
from core.sources.bios import Bios
from core.sources.communities import Communities
from core.sources.compas import Compas
from core.sources.diabetes import Diabetes
from core.sources.hiring import Hiring
from core.sources.madlibs import Madlibs
from core.sources.nursery import Nursery
from core.sources.two_groups import TwoGroups
from core.sources.two_slopes import TwoSlopes
from core.sources.uploaded import UploadedTable
from core.sources.winogender import Winogender

DataSource = (
    UploadedTable
    | Adult
    | Compas
    | TwoGroups
    | Hiring
    | Biographies
    | Bios
    | Madlibs
    | Winogender
    | Communities
    | Nursery
    | Diabetes
    | TwoSlopes
)

SOURCES = {
    "table": UploadedTable,
    "adult": Adult,
    "compas": Compas,
    "two_groups": TwoGroups,
    "hiring": Hiring,
    "biographies": Biographies,
    "bios": Bios,
    "madlibs": Madlibs,
    "winogender": Winogender,
    "communities": Communities,
    "nursery": Nursery,
    "diabetes": Diabetes,
    "two_slopes": TwoSlopes,
}
