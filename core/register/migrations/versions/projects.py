"""Projects and their members; who stated of an entry, and who signed it."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns and the tables."""
    op.add_column("entries", sa.Column("project", sa.String(64), nullable=False, server_default=""))
    op.add_column("entries", sa.Column("stated_by", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("entries", sa.Column("signed_by", sa.String(64), nullable=False, server_default=""))
    op.create_index("entries_project", "entries", ["project"])
    op.create_index("entries_job", "entries", ["job"])
    op.create_table(
        "projects",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("upload_days", sa.Integer, nullable=False),
    )
    op.create_table(
        "members",
        sa.Column("project", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
    )
