"""Export the photos that clubs let us keep, and measure the photo reader on them: `tidemark photo samples`."""

from __future__ import annotations

import json
from pathlib import Path

from scorer.contract import Json
from webapp import private_files


def run_samples(database: str, target: str) -> int:
    """Write a folder for each game into the folder `target`: its photos, and their corrected boards in `truth.json`.
    Print how well the photo reader reads these photos. Return 0."""
    from vision import evaluate
    from vision import games as readers
    from webapp.cli.open_database import opened
    from webapp.table import samples

    truths: dict[Path, Json] = {}
    private_files.folder(Path(target))
    with opened(database) as db:
        for sample in samples.permitted(db):
            folder = Path(target) / sample.game
            private_files.folder(folder)
            with open(folder / f"{sample.key}.jpg", "wb", opener=private_files.opener) as file:
                file.write(samples.picture(db, sample))
            about = {"boards": sample.boards, "permission": sample.permission, "permitted_at": sample.permitted_at}
            truths.setdefault(folder, {})[f"{sample.key}.jpg"] = about
    for folder, truth in truths.items():
        with private_files.open_to_write(folder / "truth.json") as text:
            json.dump(truth, text, ensure_ascii=False)
        if reader := readers.find(folder.name):
            print("\n".join(evaluate.report(evaluate.measure(folder, reader=reader))))
    return 0
