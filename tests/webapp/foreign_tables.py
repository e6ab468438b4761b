"""List sixty tables by ten programs in eight languages, each with the expected import.

A game is a day, a title, each player's total (None: open) and the winners. `counts` are the reasons why games were left
out or fixed.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

Game = tuple[str, str, dict[str, int | None], str]

ANN_BOB: dict[str, int | None] = {"Ann": 28, "Bob": 24}
FIRST: Game = ("2026-01-31", "tiny_towns", ANN_BOB, "Ann")
SECOND: Game = ("2026-02-07", "tenby", {"Bob": 31, "Cid": 19}, "Bob")


@dataclass(frozen=True)
class Case:
    """Hold a table and the expected import."""

    name: str
    content: str | bytes
    games: tuple[Game, ...] = (FIRST, SECOND)
    asked: str = ""  # "dates", "columns", or "players" where a heading may be a name
    counts: tuple[str, ...] = ()  # reasons and remarks


def table(headings: str, *rows: str, by: str = ";", end: str = "\n") -> str:
    """Return the text of a table. Cells are given with | between them."""
    return "".join(row.replace("|", by) + end for row in (headings, *rows))


LONG_ISO = (
    "2026-01-31|Tiny Towns|Ann|28",
    "2026-01-31|Tiny Towns|Bob|24",
    "2026-02-07|Tenby|Bob|31",
    "2026-02-07|Tenby|Cid|19",
)
LONG_DAY = tuple(row.replace("2026-01-31", "31.01.2026").replace("2026-02-07", "07.02.2026") for row in LONG_ISO)
LONG_SLASH = tuple(row.replace(".", "/") for row in LONG_DAY)
LONG_US = tuple(row.replace("2026-01-31", "1/31/2026").replace("2026-02-07", "2/7/2026") for row in LONG_ISO)
WIDE = "Datum|Spiel|Ann|Bob|Cid", "31.01.2026|Tiny Towns|28|24|", "07.02.2026|Tenby||31|19"

LIBRE_OFFICE = (
    Case("libreoffice_en", table("Date|Game|Player|Score", *LONG_ISO, by=",")),
    Case("libreoffice_us_dates", table("Date|Game|Player|Score", *LONG_US, by=",")),
    Case("libreoffice_de", table("Datum|Spiel|Spieler|Punkte", *LONG_DAY)),
    Case(
        "libreoffice_quoted",
        table('"Date"|"Game"|"Player"|"Score"', *('"' + row.replace("|", '"|"') + '"' for row in LONG_ISO), by=","),
    ),
    Case("libreoffice_tabs", table("Data|Gioco|Giocatore|Punteggio", *LONG_SLASH, by="\t")),
    Case(
        "libreoffice_two_digits", table("Datum|Spiel|Spieler|Punkte", *(row.replace("2026", "26") for row in LONG_DAY))
    ),
)
EXCEL = (
    Case(
        "excel_en_us",
        table(
            "Date|Game|Player|Total|Won",
            "1/31/2026|Tiny Towns|Ann|28|TRUE",
            "1/31/2026|Tiny Towns|Bob|24|FALSE",
            by=",",
            end="\r\n",
        ),
        (FIRST,),
    ),
    Case("excel_en_gb", codecs.BOM_UTF8 + table("Date|Game|Player|Total", *LONG_SLASH, by=",", end="\r\n").encode()),
    Case(
        "excel_de_utf8",
        codecs.BOM_UTF8
        + table(
            "Datum|Spiel|Spieler|Gesamtpunkte|Sieger",
            "31.01.2026|Tiny Towns|Ann|28|WAHR",
            "31.01.2026|Tiny Towns|Bob|24|FALSCH",
            end="\r\n",
        ).encode(),
        (FIRST,),
    ),
    Case(
        "excel_de_ansi",
        table(
            "Datum|Spiel|Spieler|Punkte|Länge",
            "31.01.2026|Tenby|Jörg|28|40",
            "31.01.2026|Tenby|Bärbel|24|40",
            end="\r\n",
        ).encode("cp1252"),
        (("2026-01-31", "tenby", {"Jörg": 28, "Bärbel": 24}, "Jörg"),),
    ),
    Case(
        "excel_pl_ansi",
        table(
            "Data|Gra|Gracz|Wynik|Zwycięzca",
            "31.01.2026|Tenby|Michał|28|tak",
            "31.01.2026|Tenby|Małgosia|24|nie",
            end="\r\n",
        ).encode("cp1250"),
        (("2026-01-31", "tenby", {"Michał": 28, "Małgosia": 24}, "Michał"),),
    ),
    Case(
        "excel_fr",
        codecs.BOM_UTF8
        + table(
            "Date|Jeu|Joueur|Score|Vainqueur",
            "31/01/2026|Tiny Towns|Ann|28|VRAI",
            "31/01/2026|Tiny Towns|Bob|24|FAUX",
            end="\r\n",
        ).encode(),
        (FIRST,),
    ),
    Case("excel_unicode_text", table("Date|Game|Player|Total", *LONG_ISO, by="\t", end="\r\n").encode("utf-16")),
    Case("excel_sep", "sep=;\r\n" + table("Date|Game|Player|Total", *LONG_ISO, end="\r\n")),
    Case(
        "excel_with_times",
        table(
            "Date|Game|Player|Total",
            *(row.replace("/2026|", "/2026 7:30:00 PM|") for row in LONG_US),
            by=",",
            end="\r\n",
        ),
    ),
    Case(
        "excel_month_names",
        table(
            "Date|Game|Player|Total",
            *(row.replace("2026-01-31", "31-Jan-26").replace("2026-02-07", "07-Feb-26") for row in LONG_ISO),
            by=",",
        ),
    ),
)
GOOGLE = (
    Case("google_en", table("Timestamp|Date|Game|Player|Score", *("x|" + row for row in LONG_US), by=",", end="\r\n")),
    Case("google_es", table("Fecha|Juego|Jugador|Puntos", *LONG_SLASH, by=",", end="\r\n")),
    Case("google_tsv", table("Datum|Spel|Speler|Punten", *(row.replace(".", "-") for row in LONG_DAY), by="\t")),
    Case(
        "google_ambiguous",
        table("Date|Game|Player|Score", "3/4/2026|Tenby|Ann|5", "3/4/2026|Tenby|Bob|4", by=","),
        (("2026-04-03", "tenby", {"Ann": 5, "Bob": 4}, "Ann"),),
        asked="dates",
    ),
    Case(
        "google_settled_later",
        table(
            "Date|Game|Player|Score", "3/4/2026|Tenby|Ann|5", "3/4/2026|Tenby|Bob|4", "13/4/2026|Tenby|Ann|6", by=","
        ),
        (("2026-04-03", "tenby", {"Ann": 5, "Bob": 4}, "Ann"), ("2026-04-13", "tenby", {"Ann": 6}, "Ann")),
    ),
    Case(
        "google_both_orders",
        table("Date|Game|Player|Score", "13/4/2026|Tenby|Ann|5", "4/14/2026|Tenby|Ann|4", by=","),
        (("2026-04-13", "tenby", {"Ann": 5}, "Ann"),),
        asked="dates",
        counts=("no_date",),
    ),
    Case(
        "google_same_either_way",
        table("Date|Game|Player|Score", "5/5/2026|Tenby|Ann|5", "5/5/2026|Tenby|Bob|4", by=","),
        (("2026-05-05", "tenby", {"Ann": 5, "Bob": 4}, "Ann"),),
    ),
)
PANDAS = (
    Case(
        "pandas",
        table(
            "|date|game|player|total".replace("|", ","),
            *(f"{number}|{row}.0" for number, row in enumerate(LONG_ISO)),
            by=",",
        ),
    ),
    Case(
        "pandas_gap",
        table("date|game|player|total", "2026-01-31|Tenby|Ann|28.0", "2026-01-31|Tenby|Bob|", by=","),
        (("2026-01-31", "tenby", {"Ann": 28, "Bob": None}, ""),),
        counts=("gaps", "open"),
    ),
    Case(
        "pandas_timestamps",
        table(
            "date|game|player|total|winner",
            "2026-01-31 00:00:00|Tiny Towns|Ann|28|True",
            "2026-01-31 00:00:00|Tiny Towns|Bob|24|False",
            by=",",
        ),
        (FIRST,),
    ),
    Case(
        "pandas_pivot",
        table("date|game|Ann|Bob|Cid", "2026-01-31|Tiny Towns|28.0|24.0|", "2026-02-07|Tenby||31.0|19.0", by=","),
    ),
    Case(
        "pandas_bools",
        table("date|game|player|total|winner", "2026-01-31|Tenby|Ann|5|False", "2026-01-31|Tenby|Bob|5|True", by=","),
        (("2026-01-31", "tenby", {"Ann": 5, "Bob": 5}, "Bob"),),
    ),
)
NUMBERS = (
    Case("numbers_title", "Table 1\n" + table("Date|Game|Player|Score", *LONG_ISO, by=",")),
    Case("numbers_de", "Tabelle 1;;;\n" + table("Datum|Spiel|Spielerin|Punkte", *LONG_DAY)),
    Case(
        "numbers_long_dates",
        table(
            "Date|Game|Player|Points",
            *(
                row.replace("2026-01-31", '"31 January 2026"').replace("2026-02-07", '"Sat, 7 February 2026"')
                for row in LONG_ISO
            ),
            by=",",
        ),
    ),
    Case(
        "numbers_fr_dates",
        table(
            "Date|Jeu|Joueur|Points",
            *(row.replace("2026-01-31", "31 janv. 2026").replace("2026-02-07", "7 février 2026") for row in LONG_ISO),
        ),
    ),
    Case(
        "numbers_minus",
        table(
            "Date|Game|Player|Points",
            "2026-01-31|Old London Bridge|Ann|−3",
            "2026-01-31|Old London Bridge|Bob|−9",
            by=",",
        ),
        (("2026-01-31", "old_london_bridge", {"Ann": -3, "Bob": -9}, "Ann"),),
    ),
)
R = (
    Case(
        "r_csv2",
        table(
            '""|"date"|"game"|"player"|"total"',
            *(
                f'"{number}"|"{row[:10]}"|"'
                + row[11:].rsplit("|", 1)[0].replace("|", '"|"')
                + '"|'
                + row.rsplit("|", 1)[1]
                for number, row in enumerate(LONG_ISO, 1)
            ),
        ),
    ),
    Case(
        "r_na",
        table("date|game|player|total|winner", "2026-01-31|Tenby|Ann|28|NA", "2026-01-31|Tenby|Bob|NA|NA"),
        (("2026-01-31", "tenby", {"Ann": 28, "Bob": None}, ""),),
        counts=("unread", "open"),
    ),
    Case("r_decimal_commas", table("date|game|player|total", *(row + ",0" for row in LONG_ISO))),
    Case(
        "r_halves",
        table("date|game|player|total", "2026-01-31|Tenby|Ann|28,5", "2026-01-31|Tenby|Bob|24"),
        (("2026-01-31", "tenby", {"Ann": None, "Bob": 24}, ""),),
        counts=("unread", "open"),
    ),
)
BG_STATS = (
    Case(
        "bg_stats_csv",
        table(
            "Play ID|Date|Game|Location|Player|Score|Winner|Rank|Duration|Comments",
            "a1b2c3d4|2026-01-31 19:00:00|Tiny Towns|Home|Ann|28|1|1|45|",
            "a1b2c3d4|2026-01-31 19:00:00|Tiny Towns|Home|Bob|24|0|2|45|",
            by=",",
        ),
        (FIRST,),
    ),
    Case(
        "bg_stats_tie_break",
        table(
            "Play ID|Date|Game|Player|Score|Winner|Rank",
            "1|2026-01-31|Tenby|Ann|28|0|2",
            "1|2026-01-31|Tenby|Bob|28|1|1",
            by=",",
        ),
        (("2026-01-31", "tenby", {"Ann": 28, "Bob": 28}, "Bob"),),
    ),
    Case(
        "bg_stats_guests",
        table(
            "Play ID|Date|Game|Player|Score",
            "1|2026-01-31|Tenby|Anonymous|28",
            "1|2026-01-31|Tenby|Anonymous|24",
            by=",",
        ),
        (("2026-01-31", "tenby", {"Anonymous": 28, "Anonymous 2": 24}, "Anonymous"),),
        counts=("guests",),
    ),
    Case(
        "bg_stats_guests_alike",
        table(
            "Play ID|Date|Game|Player|Score",
            "1|2026-01-31|Tenby|Ann|28",
            "1|2026-01-31|Tenby|Anonymous|24",
            "1|2026-01-31|Tenby|Anonymous|24",
            by=",",
        ),
        (("2026-01-31", "tenby", {"Ann": 28, "Anonymous": 24, "Anonymous 2": 24}, "Ann"),),
        counts=("guests",),
    ),
    Case(
        "bg_stats_guests_alike_who_won",
        table(
            "Play ID|Date|Game|Player|Score",
            "1|2026-01-31|Tenby|Ann|20",
            "1|2026-01-31|Tenby|Anonymous|28",
            "1|2026-01-31|Tenby|Anonymous|28",
            by=",",
        ),
        (),
        counts=("torn",),
    ),
    Case(
        "bg_stats_guest_who_won",
        table(
            "Play ID|Date|Game|Player|Score|Winner",
            "1|2026-01-31|Tenby|Anonymous|28|0",
            "1|2026-01-31|Tenby|Anonymous|28|1",
            by=",",
        ),
        (("2026-01-31", "tenby", {"Anonymous": 28, "Anonymous 2": 28}, "Anonymous 2"),),
        counts=("guests",),
    ),
    Case(
        "bg_stats_sums",
        table("Play ID|Date|Game|Player|Score", "1|2026-01-31|Tenby|Ann|12+16", "1|2026-01-31|Tenby|Bob|24", by=","),
        (("2026-01-31", "tenby", ANN_BOB, "Ann"),),
        counts=("sums",),
    ),
)
BGG = (
    Case(
        "bgg_plays",
        table(
            "Date Played|Game Name|Object ID|Length|Location|Player Name|Score|Win|New|Rating",
            "2026-01-31|Tiny Towns|265736|45|Home|Ann|28|1|0|0",
            "2026-01-31|Tiny Towns|265736|45|Home|Bob|24|0|0|0",
            by=",",
        ),
        (FIRST,),
    ),
    Case(
        "bgg_numbered",
        table(
            "Date|Game|Player 1|Score 1|Player 2|Score 2|Player 3|Score 3",
            "2026-01-31|Tiny Towns|Ann|28|Bob|24||",
            "2026-02-07|Tenby|Bob|31|Cid|19||",
            by=",",
        ),
    ),
    Case(
        "bgg_numbered_winner",
        table(
            "Date|Game|Player 1|Player 1 Score|Player 2|Player 2 Score|Winner",
            "2026-01-31|Tenby|Ann|28|Bob|28|Bob",
            by=",",
        ),
        (("2026-01-31", "tenby", {"Ann": 28, "Bob": 28}, "Bob"),),
    ),
    Case(
        "bgg_free_text",
        table("Date|Game|Player|Score|Win", "2026-01-31|Tenby|Ann|49-46ish|0", "2026-01-31|Tenby|Bob|36|1", by=","),
        (("2026-01-31", "tenby", {"Ann": None, "Bob": 36}, "Bob"),),
        counts=("unread",),
    ),
)
OURS = (
    Case(
        "our_scores",
        table(
            '"play"|"date"|"game"|"player"|"total"|"rank"|"winner"|"variant"|"place"|"minutes"|"notes"',
            '"k"|"2026-01-31T20:00:00Z"|"Tiny Towns"|"Ann"|"28"|"1"|"1"|""|"At home"|"45"|"Ann\'s first"',
            '"k"|"2026-01-31T20:00:00Z"|"Tiny Towns"|"Bob"|"24"|"2"|"0"|""|"At home"|"45"|""',
            by=",",
            end="\r\n",
        ),
        (FIRST,),
    ),
    Case(
        "our_lines",
        table(
            '"play"|"date"|"game"|"player"|"position"|"rule"|"label"|"points"|"total"|"rank"|"winner"',
            '"k"|"2026-01-31T20:00:00Z"|"Tiny Towns"|"Ann"|"1"|"cottage"|"Cottages"|"20"|"28"|"1"|"1"',
            '"k"|"2026-01-31T20:00:00Z"|"Tiny Towns"|"Ann"|"2"|"well"|"Wells"|"8"|"28"|"1"|"1"',
            '"k"|"2026-01-31T20:00:00Z"|"Tiny Towns"|"Bob"|"1"|"cottage"|"Cottages"|"24"|"24"|"2"|"0"',
            by=",",
            end="\r\n",
        ),
        (FIRST,),
    ),
    Case(
        "our_scores_from_excel",
        table(
            "play|date|game|player|total|rank|winner|variant|place|minutes|notes",
            "k|2026-01-31|Tiny Towns|Ann|28|1|1||'=home|45|",
            "k|2026-01-31|Tiny Towns|Bob|24|2|0||'=home|45|",
        ),
        (FIRST,),
    ),
)
PASTED = (
    Case("web_page", table("Date|Game|Player|Points", *LONG_ISO, by="\t")),
    Case(
        "web_page_polish",
        table(
            "Data|Gra|Gracz|Punkty|Miejsce",
            "31.01.2026|Tiny Towns|Ann|28|1.",
            "31.01.2026|Tiny Towns|Bob|24|2.",
            by="\t",
        ),
        (FIRST,),
    ),
    Case(
        "web_page_portuguese",
        table(
            "Data|Jogo|Jogador|Pontuação|Vencedor",
            "31/01/2026|Tiny Towns|Ann|28|Sim",
            "31/01/2026|Tiny Towns|Bob|24|Não",
            by="\t",
        ),
        (FIRST,),
    ),
    Case(
        "markdown",
        "| Date | Game | Ann | Bob | Cid |\n|---|:--|--:|--:|--:|\n| 2026-01-31 | Tiny Towns | 28 | 24 | |\n"
        "| 2026-02-07 | Tenby | | 31 | 19 |\n",
    ),
    Case(
        "web_page_thousands",
        table("Date|Game|Player|Points", "2026-01-31|Tenby|Ann|1\u202f024", "2026-01-31|Tenby|Bob|24", by="\t"),
        (("2026-01-31", "tenby", {"Ann": 1024, "Bob": 24}, "Ann"),),
    ),
    Case(
        "web_page_unclear_thousands",
        table("Date|Game|Player|Points", "2026-01-31|Tenby|Ann|1.024", "2026-01-31|Tenby|Bob|24", by="\t"),
        (("2026-01-31", "tenby", {"Ann": None, "Bob": 24}, ""),),
        counts=("unread", "open"),
    ),
    Case(
        "web_page_ranks",
        table("Date|Game|Player|Points|Place", "2026-01-31|Tenby|Ann|28|2nd", "2026-01-31|Tenby|Bob|28|1st", by="\t"),
        (("2026-01-31", "tenby", {"Ann": 28, "Bob": 28}, "Bob"),),
    ),
)
BY_HAND = (
    Case("wide_de", table(*WIDE)),
    Case(
        "wide_winner",
        table("Datum|Spiel|Ann|Bob|Sieger", "31.01.2026|Tenby|28|28|Bob"),
        (("2026-01-31", "tenby", {"Ann": 28, "Bob": 28}, "Bob"),),
    ),
    Case(
        "wide_shared",
        table("Datum|Spiel|Ann|Bob|Sieger", "31.01.2026|Tenby|28|28|Ann und Bob"),
        (("2026-01-31", "tenby", {"Ann": 28, "Bob": 28}, "Ann, Bob"),),
    ),
    Case(
        "wide_dash", table("Date|Game|Ann|Bob|Cid", "2026-01-31|Tiny Towns|28|24|-", "2026-02-07|Tenby|-|31|19", by=",")
    ),
    Case(
        "wide_unread",
        table("Date|Game|Ann|Bob|Cid", "2026-01-31|Tenby|28|lots|3", "2026-02-07|Tenby||31|19", by=","),
        (("2026-01-31", "tenby", {"Ann": 28, "Bob": None, "Cid": 3}, ""), SECOND),
        counts=("unread", "open"),
    ),
    Case(
        "wide_words_only",
        table("Date|Game|Ann|Bob|Mood", "2026-01-31|Tenby|28|24|lots", by=","),
        (("2026-01-31", "tenby", {"Ann": 28, "Bob": 24, "Mood": None}, ""),),
        asked="players",
        counts=("unread", "open"),
    ),
    Case(
        "two_on_one_day",
        table(
            "Date|Game|Player|Score",
            "2026-01-31|Tenby|Ann|28",
            "2026-01-31|Tenby|Bob|24",
            "2026-01-31|Tenby|Ann|20",
            "2026-01-31|Tenby|Bob|21",
        ),
        (("2026-01-31", "tenby", ANN_BOB, "Ann"), ("2026-01-31", "tenby", {"Ann": 20, "Bob": 21}, "Bob")),
    ),
    Case(
        "two_on_one_day_by_player",
        table(
            "Date|Game|Player|Score",
            "2026-01-31|Tenby|Ann|28",
            "2026-01-31|Tenby|Ann|20",
            "2026-01-31|Tenby|Bob|24",
            "2026-01-31|Tenby|Bob|21",
        ),
        (),
        counts=("torn",),
    ),
    Case(
        "strange_winner",
        table("Date|Game|Player|Score|Winner", "2026-01-31|Tenby|Ann|28|perhaps", "2026-01-31|Tenby|Bob|24|"),
        (),
        counts=("winner",),
    ),
    Case("in_finnish", table("Päivä|Peli|Pelaaja|Pisteet", *LONG_ISO), asked="columns"),
    Case("without_headings", table(*LONG_ISO, by=","), asked="columns"),
)
PROGRAMS = (LIBRE_OFFICE, EXCEL, GOOGLE, PANDAS, NUMBERS, R, BG_STATS, BGG, OURS, PASTED, BY_HAND)
CASES = tuple(case for program in PROGRAMS for case in program)
