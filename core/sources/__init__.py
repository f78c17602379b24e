"""The table of data sources. A new one adds its file and its line here."""

from core.sources.adult import Adult
from core.sources.biographies import Biographies
from core.sources.compas import Compas
from core.sources.hiring import Hiring
from core.sources.two_groups import TwoGroups
from core.sources.uploaded import UploadedTable

DataSource = UploadedTable | Adult | Compas | TwoGroups | Hiring | Biographies

SOURCES = {
    "table": UploadedTable,
    "adult": Adult,
    "compas": Compas,
    "two_groups": TwoGroups,
    "hiring": Hiring,
    "biographies": Biographies,
}
