"""Options of the tools, as keywords of Python."""

from collections.abc import Mapping

import numpy as np

from oa._types import Option


def words_of(options: Mapping[str, Option]) -> list[str]:
    """Options of Python as those of a tool: top=3 is --top=3, True a flag.

    A word that Python reserves has an underscore at its end: lambda_ is --lambda.
    """
    words = []
    flags = []  # last, so that an option that needs a value does not take the next word
    for name, value in options.items():
        if value is None or value is False:
            continue
        name = "--" + name.rstrip("_").replace("_", "-")
        if not isinstance(value, (bool, np.bool_)):
            words.append(f"{name}={value}")
        elif value:
            flags.append(name)
    return words + flags


def own_options(options: Mapping[str, Option], **own: Option) -> dict[str, Option]:
    """The options of a tool, and those that this package sets itself."""
    for name in own:
        if name in options:
            raise TypeError(f"{name}: not an option here (results are returned)")
    return {**options, **own}
