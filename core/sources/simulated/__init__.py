"""Generated tables whose truth is known."""
