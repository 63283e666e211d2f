"""Options of the tools, as keywords of Python."""

from collections.abc import Mapping
from typing import Any


def words_of(options: Mapping[str, Any]) -> list[str]:
    """Options of Python as those of a tool: top=3 is --top=3, True a flag.

    A word that Python reserves has an underscore at its end: lambda_ is --lambda.
    """
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        name = "--" + name.rstrip("_").replace("_", "-")
        words.append(name if value is True else f"{name}={value}")
    return words
