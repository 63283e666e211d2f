"""The notebook of the examples, executed."""

from __future__ import annotations

import os
import pathlib
import shutil

import nbclient
import nbformat
import pytest

from conftest import tool

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "08-python"


def test_the_notebook(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = shutil.copy(EXAMPLES / "figures.ipynb", tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(tool("oa-train")), prepend=os.pathsep)
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=300, resources=resources).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [output for cell in cells for output in cell.outputs]
    figures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(figures) == 4
    if "OA_NOTEBOOK" in os.environ:
        nbformat.write(notebook, os.environ["OA_NOTEBOOK"])
