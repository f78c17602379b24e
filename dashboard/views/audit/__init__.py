"""The page that waits for an audit and shows it."""
