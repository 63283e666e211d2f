"""How far long work has come, shown by tqdm if that is installed."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tqdm import tqdm


def _visible() -> bool:
    """Whether somebody looks: a terminal, or a notebook."""
    if "ipykernel" in sys.modules:
        return True
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # without stderr, or with a closed one
        return False


@contextlib.contextmanager
def bar(show: bool | None = None) -> Iterator[Callable[[str, int, int], None] | None]:
    """A function to tell (what, done, total); None if nothing is to be shown."""
    if not (_visible() if show is None else show):
        yield None
        return
    bars: list[tqdm] = []

    def tell(what: str, done: int, total: int) -> None:
        if not bars:
            try:
                from tqdm import auto
            except ImportError:
                return
            bars.append(auto.tqdm(desc=what, total=total or None, leave=False))
        bars[0].n = done
        bars[0].refresh()

    try:
        yield tell
    finally:
        for shown in bars:
            shown.close()
