"""The pages and the command line: forms in, `scorer` results out, and the clubs' histories in SQLite.

Nothing heavy is imported here, because the command line passes through and `tidemark score` has to start at once.
"""
