"""Make one small change in the code, and check that a test fails: `python -m tests.mutants scorer`.

A change that no test notices is untested behaviour. Texts are not changed.
"""
