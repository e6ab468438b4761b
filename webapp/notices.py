"""Hold the sentences that the next page shows about the last change, by the codes that views give to `flash`."""

from __future__ import annotations

from scorer.sentences import say

NOTICES = {
    "saved": say("Saved to your club’s history."),
    "which day": say("The server’s clock may be wrong. Check this game’s date below."),
    "unsettled": say("These answers can’t be scored. Check them."),
    "deleted": say("Game deleted. You can restore it for 30 days."),
    "under_way": say("An import is already running. Wait for it, or cancel it."),
    "stopped": say("Import cancelled. Nothing was added."),
    "settled": say("Your choices are saved."),
    "busy": say("The server is busy. Try again in a minute."),
    "restored": say("Game restored."),
    "taken": say("That name is taken. An owner can merge names of the same person."),
    "unwritable": say("A name needs 1 to 40 visible characters. Type it again."),
    "sat_together": say("You can’t merge names that have played in the same game."),
    "has_played": say("You can’t remove someone who has played."),
    "not_yet": say("Statistics are being updated. Try again in a few minutes."),
    "forgotten": say(
        "The name is deleted. "
        "Games that mention it in notes or places are listed below. Backups keep it for up to four weeks."
    ),
    "both_seated": say("An unfinished game has both names. Remove one of them there first."),
    "asked": say("Someone has to confirm this on another phone."),
    "already": say("Someone already did that."),
    "other": say("Something changed in the meantime. Try again."),
    "refused": say("You can’t do that on this phone."),
    "too_late": say("It’s too late to undo that."),
    "joined_besides": say("You joined another club. Choose one below."),
}
