"""The process that downloads a model's files: `python -m omp_core.embed.download ORDER`.

ORDER is a JSON object with `repository`, `folder`, `needed` and `optional` file names. Each
line on stdout holds the bytes done and the bytes in all. Errors end it with a traceback.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main(order: dict[str, Any]) -> None:
    """Download all files, as they are now, into the hub's own cache layout."""
    from huggingface_hub import HfApi, hf_hub_download
    from tqdm import tqdm

    info = HfApi().model_info(order["repository"], files_metadata=True)
    sizes = {file.rfilename: file.size or 0 for file in info.siblings or ()}
    absent = [name for name in order["needed"] if name not in sizes]
    if absent:
        raise FileNotFoundError(f"the repository has no {', '.join(absent)}")
    wanted = [*order["needed"], *(name for name in order["optional"] if name in sizes)]
    total = sum(sizes[name] for name in wanted)
    done = 0

    class Reporter(tqdm):  # type: ignore[misc]
        """A progress bar that reports instead of drawing."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            kwargs.pop("name", None)
            super().__init__(*args, **{**kwargs, "disable": True})
            self.seen = int(kwargs.get("initial") or 0)

        def update(self, n: float | None = 1) -> bool | None:
            self.seen += int(n or 0)
            report(done + self.seen)
            return None

        def update_transfer(self, n: float | None = 1) -> None:
            """Bytes on the way that are not on disk yet: not counted."""

    def report(so_far: int) -> None:
        sys.stdout.write(f"{min(so_far, total)} {total}\n")
        sys.stdout.flush()

    report(0)
    for name in wanted:
        hf_hub_download(order["repository"], name, cache_dir=order["folder"], tqdm_class=Reporter)
        done += sizes[name]
        report(done)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
