"""One file a page; each calls the core and lays out what it answers."""
