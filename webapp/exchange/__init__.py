"""Data that leaves and comes: our own JSON, CSV, BG Stats, and the SQLite file of one club."""
