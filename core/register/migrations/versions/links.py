"""Links that show an entry to others."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column."""
    op.add_column("entries", sa.Column("links", sa.JSON, nullable=False, server_default="[]"))
