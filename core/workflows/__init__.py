"""What is built on several audits: selection among models, and mitigation."""
