"""Signatures: when an entry was signed, the files that were frozen then, and which entry it repeats."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns and the table."""
    op.add_column("entries", sa.Column("after", sa.String(64), nullable=False, server_default=""))
    op.add_column("entries", sa.Column("signed", sa.Double, nullable=False, server_default="0"))
    op.create_table(
        "documents",
        sa.Column("entry", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
