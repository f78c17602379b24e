"""Projects: who is in them, in which role, and for how long they keep uploads."""
