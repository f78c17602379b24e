"""The table of data sources. A new one adds its file and its line here.

Imports tables and how texts are encoded (:mod:`core.data`, :mod:`core.text`); nothing that models or measures.
"""

from core.sources.folder.table import FolderTable
from core.sources.public.adult import Adult
from core.sources.public.bios import Bios
from core.sources.public.communities import Communities
from core.sources.public.compas import Compas
from core.sources.public.diabetes import Diabetes
from core.sources.public.madlibs import Madlibs
from core.sources.public.nursery import Nursery
from core.sources.public.winogender import Winogender
from core.sources.simulated.biographies import Biographies
from core.sources.simulated.hiring import Hiring
from core.sources.simulated.hiring_decisions import HiringDecisions
from core.sources.simulated.two_groups import TwoGroups
from core.sources.simulated.two_slopes import TwoSlopes
from core.sources.upload.uploaded import UploadedTable

DataSource = (
    UploadedTable
    | FolderTable
    | Adult
    | Compas
    | TwoGroups
    | Hiring
    | HiringDecisions
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
    "hiring_decisions": HiringDecisions,
    "biographies": Biographies,
    "bios": Bios,
    "madlibs": Madlibs,
    "winogender": Winogender,
    "communities": Communities,
    "nursery": Nursery,
    "diabetes": Diabetes,
    "two_slopes": TwoSlopes,
}
