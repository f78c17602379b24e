"""What everything else stands on: errors, settings, files, progress, arrays as bytes, and tables of texts."""
