"""Measure whether words that mean nothing find nothing, in stores of three sizes.

    python tests/bench/nonsense.py [--records 300 --records 3000 --records 30000]

Prints the share of queries that find nothing: letters at random, syllables that can be spoken,
Chinese characters that are hardly ever used. Beside them, of the questions in tests/data the
share that still finds something: no answer may be lost with the noise.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from make_store import make_store

from omp_core.memory import Memory

DATA = Path(__file__).parents[1] / "data"
EACH = 40
_RARE = "犇骉羴鱻麤龘靐齉爩鱲籱灪爨饕餮魑魅魍魉彳亍踟蹰耄耋囹圄旮旯媸妍薨夔虢氍毹"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--records", type=int, action="append", default=[])
    given = parser.parse_args()
    sys.stdout.write(f"{'records':>8}" + "".join(f"{name:>12}" for name in asked()) + "   %\n")
    for count in given.records or [300, 3_000, 30_000]:
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder) / "store.db"
            make_store(store, count)
            found = shares(store, Path(folder))
        sys.stdout.write(f"{count:8,}" + "".join(f"{share:12.0f}" for share in found) + "\n")


def shares(store: Path, folder: Path) -> list[float]:
    """Return for each kind of query the share that does what it should, in percent."""
    with Memory.open(workspace=folder, store=store) as memory:
        return [
            100
            * sum(
                bool(memory.search(text, browse=True).hits) == (kind == "questions")
                for text in texts
            )
            / len(texts)
            for kind, texts in asked().items()
        ]


def asked() -> Mapping[str, Sequence[str]]:
    """Return the queries by kind, the same ones each time."""
    chance = random.Random(3)

    def several(kind: str) -> list[str]:
        return [
            " ".join(made(kind, chance) for _ in range(chance.randint(1, 3))) for _ in range(EACH)
        ]

    triples = json.loads((DATA / "retrieval_triples.json").read_text("utf-8"))
    return {
        "letters": several("letters"),
        "syllables": several("syllables"),
        "characters": [
            "".join(chance.choice(_RARE) for _ in range(chance.randint(3, 8))) for _ in range(EACH)
        ],
        "questions": [triple["query"] for triple in triples],
    }


def made(kind: str, chance: random.Random) -> str:
    """Return one word of no language."""
    if kind == "letters":
        letters = "abcdefghijklmnopqrstuvwxyz"
        return "".join(chance.choice(letters) for _ in range(chance.randint(5, 10)))
    return "".join(
        chance.choice("bcdfgklmnprstvz") + chance.choice("aeiou")
        for _ in range(chance.randint(2, 4))
    )


if __name__ == "__main__":
    main()
