"""What charts of all tests share, and the table of charts."""
