"""Compare version 0.7 with today's code on the same records and demo clubs: `make compare`.

The side of 0.7 (`old.py`) runs in its own worktree and environment and imports only the code of 0.7. Today's side
(`new.py`) imports only today's code. Each is a process that reads questions and writes answers, one JSON value a line
(`wire.py`), in terms of neither version. The driver (`__main__.py`) asks both the same questions and compares the
answers (`differences.py`). Intended differences are in `expected.toml`, with reasons.
"""
