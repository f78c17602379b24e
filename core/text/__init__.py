"""Texts as models read them: words, tokens, networks and word lists. Knows of no audit."""
