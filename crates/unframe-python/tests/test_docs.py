"""Everything is documented, the examples are true, and the types name what there is."""

import ast
import doctest
import inspect
from pathlib import Path

import pytest
import unframe
from unframe import _native


def test_examples():
    assert doctest.testmod(unframe) == (0, doctest.testmod(unframe).attempted)
    assert doctest.testmod(unframe).attempted > 20


def test_everything_public_has_a_docstring():
    for name in unframe.__all__:
        value = getattr(unframe, name)
        if not callable(value):
            continue
        assert inspect.getdoc(value), name
        if inspect.isclass(value) and not issubclass(value, Exception):
            for member, inner in vars(value).items():
                if not member.startswith("_"):
                    assert inspect.getdoc(inner), f"{name}.{member}"


def test_types_name_what_there_is():
    stubs = ast.parse((Path(unframe.__file__).parent / "_native.pyi").read_text())
    classes = {node.name: node for node in stubs.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stubs.body if isinstance(node, ast.FunctionDef)}
    public = {name for name in vars(_native) if not name.startswith("_")} - {"METHODS"}
    assert public == set(classes) | functions
    for name, node in classes.items():
        written = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        there = {member for member in vars(getattr(_native, name)) if not member.startswith("_")}
        assert {item for item in written if not item.startswith("_")} == (there if not name.endswith("Error") else set())
    assert (Path(unframe.__file__).parent / "py.typed").exists()


def test_types_are_right(tmp_path):
    api = pytest.importorskip("mypy.api")
    use = tmp_path / "use.py"
    use.write_text(
        "import unframe\n"
        "text: str = unframe.clean(b'').text\n"
        "texts: list[str] = [page.text for page in unframe.clean([('', b'')])]\n"
        "wrong: int = unframe.fingerprint(b'')\n"
    )
    options = ["--ignore-missing-imports", "--no-error-summary", f"--cache-dir={tmp_path}"]
    out, _, _ = api.run([*options, str(use)])
    assert [line.split(": ", 1)[1] for line in out.splitlines()] == [
        'error: Incompatible types in assignment (expression has type "str", variable has type "int")  [assignment]'
    ]
