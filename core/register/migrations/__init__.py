"""How the tables of the register came to be, step by step; Alembic runs what a database has not seen."""
