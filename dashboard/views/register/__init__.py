"""The register of audits: found, opened, reviewed, signed, compared, repeated."""
