"""The papers' tables and figures again, beside the printed ones."""
