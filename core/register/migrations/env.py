"""Run by Alembic on the connection and in the transaction of whoever opens the register."""

from alembic import context

from core.register.schema import TableBase

context.configure(
    connection=context.config.attributes["connection"], target_metadata=TableBase.metadata, transactional_ddl=True
)
context.run_migrations()
