"""Sentences in the reader's language: English in the source, other languages in ``languages/<code>.po`` beside it."""
