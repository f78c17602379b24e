"""The register: an entry for every audit, selection and mitigation, and a log that shows if one was tampered with."""

import os

from core.base.files import home

DATABASE = "EVENHAND_DATABASE"
"""The environment variable that holds the address of a PostgreSQL database, perhaps with a password."""
FILE = "register.sqlite"
"""The register's file in Evenhand's folder, where no other database is named."""


def is_begun() -> bool:
    """Whether there may be entries; told without importing what reads them."""
    return bool(os.environ.get(DATABASE)) or (home() / FILE).exists()
