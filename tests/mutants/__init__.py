"""Change one small thing in the code, run the tests, and see whether one fails: `python -m tests.mutants scorer`.

A change that no test notices is a promise that no test holds. Texts are left alone.
"""
