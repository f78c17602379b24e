"""The register: an entry for every audit, selection and mitigation, and a log that shows if one was tampered with."""

DATABASE = "EVENHAND_DATABASE"
"""The environment variable that holds the address of a PostgreSQL database, perhaps with a password."""
