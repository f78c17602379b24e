"""Results on disk, the JSON record, and repeating it."""
