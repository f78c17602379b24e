"""Comments that come through links; the name under which somebody who had signed in signed."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("entries", sa.Column("comments", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("entries", sa.Column("signer", sa.Text, nullable=False, server_default=""))
