"""Public tables, downloaded once and checked."""
