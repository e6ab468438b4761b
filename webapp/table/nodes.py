"""News that came about at another node: one phone taps there, another one listens here.

Nodes tell each other what has changed and not what it looks like now: whoever has listeners there reads it. A node that
was cut off looks whether it has missed anything.
"""

from __future__ import annotations

from functools import partial

from flask import Flask

from webapp.database import borrowed
from webapp.table.events import NEWS, OVER, Feed, news_of


def join(app: Flask) -> None:
    """Let this node hear from now on what happens at the others."""
    app.extensions["wire"].begin(partial(heard, app), partial(missed, app))


def heard(app: Flask, what: str, keys: frozenset[str]) -> None:
    """Pass on news of another node. Messages of newer versions that we do not know are ignored."""
    feed: Feed = app.extensions["feed"]
    if what == OVER:
        for key in keys:
            feed.dismiss(key)
    elif what == NEWS:
        tell(app, feed, [key for key in keys if feed.listens(key)])


def tell(app: Flask, feed: Feed, keys: list[str]) -> None:
    if keys:
        with borrowed(app) as db:
            for key in keys:
                feed.publish(key, news_of(db, key))


def missed(app: Flask) -> None:
    """Nothing was heard for a while. Where something has happened, phones come in anew, as rights may have changed."""
    feed: Feed = app.extensions["feed"]
    keys = feed.keys()
    if keys:
        with borrowed(app) as db:
            for key in keys:
                if feed.publish(key, news_of(db, key)):
                    feed.dismiss(key)
