"""The documentation of every public name: sections of numpydoc, types and examples."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from collections.abc import Iterator
from typing import get_args

import pytest

import oa
from oa import _types

validate = pytest.importorskip("numpydoc.validate")

MODULES = ("oa", "oa.cim", "oa.dimod", "oa.kaiwu", "oa.ommx", "oa.torch")
# Sections and their order, parameters and results, sentences.
CHECKS = {"GL03", "GL06", "GL07", "GL08", "SS01", "SS03", "SS04", "PR01", "PR02", "PR03", "PR04",
          "PR07", "PR08", "PR09", "PR10", "RT01", "RT02", "YD01", "EX01"}  # fmt: skip
# Where an example of the class, or of the function beside it, suffices.
WITHOUT_EXAMPLE = {"Frame", "Stream", "Model", "load", "stream", "write_stream"}


def documented() -> Iterator[tuple[str, set[str]]]:
    """Every public name, and the checks that it passes."""
    for module in MODULES:
        try:
            found = importlib.import_module(module)
        except ImportError:
            continue
        for name in found.__all__:
            one = getattr(found, name)
            if not callable(one) or one.__module__ == "oa._oa":
                continue
            checks = CHECKS - ({"EX01"} if name in WITHOUT_EXAMPLE else set())
            is_error = inspect.isclass(one) and issubclass(one, Exception)
            if dataclasses.is_dataclass(one) or is_error:  # fields have texts of their own
                checks = checks - {"EX01", "PR01"}
            yield f"{module}.{name}", checks
            if not inspect.isclass(one) or is_error:
                continue
            for member, value in vars(one).items():
                if not member.startswith("_") and (
                    inspect.isfunction(value) or isinstance(value, (property, classmethod))
                ):
                    yield f"{module}.{name}.{member}", CHECKS - {"EX01"}


NAMES = dict(documented())
NAMES.pop("oa.kaiwu.Solver.solve_qubo", None)  # Kaiwu's base class wraps it, without its text


@pytest.mark.parametrize("name", NAMES)
def test_sections(name: str) -> None:
    found = validate.validate(name)["errors"]
    # Parameters that begin with _ are private.
    wrong = [f"{code}: {text}" for code, text in found if code in NAMES[name] and "'_" not in text]
    assert not wrong, "\n".join(wrong)


def test_literal_types_are_those_of_the_library() -> None:
    assert list(get_args(_types.Solver)) == oa.solvers
