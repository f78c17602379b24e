"""What a link shows to whoever has it, without signing in: one entry of the register, read-only."""
