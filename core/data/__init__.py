"""Tables: columns, roles, missing values, and how they become numbers."""
