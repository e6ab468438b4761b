"""`make compare`: version 0.7 against the code of today, on the same records and the same demo clubs.

The side of 0.7 (`old.py`) runs in a worktree and an environment of its own and imports only the code of 0.7. The side
of today (`new.py`) imports only the code of today. Each is a process that reads questions and writes answers, one JSON
value a line (`wire.py`), in terms that belong to neither version. The driver (`__main__.py`) asks both the same and
compares the answers (`differences.py`). What differs on purpose stands in `expected.toml`, with a reason.
"""
