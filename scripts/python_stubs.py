"""Writes the stubs of the package (.pyi) for editors and type checkers, out of the module itself: python_stubs.py FOLDER."""
import inspect
import sys
from pathlib import Path

import tessera as ts
from tessera import _core, fft, linalg, ops, random

HEAD = "# Written by scripts/python_stubs.py.\nfrom typing import Any, Sequence\n\n"


def signature(function):
    """The parameters as a stub has them, without values that are no literals."""
    parts, named, plain = [], False, False
    for p in inspect.signature(function).parameters.values():
        if p.kind == p.POSITIONAL_ONLY:
            plain = True
        elif plain:
            parts.append("/")
            plain = False
        if p.kind == p.KEYWORD_ONLY and not named:
            parts.append("*")
            named = True
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        named = named or p.kind == p.VAR_POSITIONAL
        parts.append(f"{star}{p.name}: Any" + ("" if p.default is p.empty else " = ..."))
    return ", ".join(parts + ["/"] if plain else parts)


def result(function):
    """What an op gives, by the line of its documentation that says so."""
    given = (function.__doc__ or "").partition(" -> ")[2].split("\n")[0]
    if not inspect.isbuiltin(function) or not given:
        return "Any"
    return "tuple[Tensor, ...]" if "," in given or "..." in given or "…" in given else "Tensor"


def functions(space, names):
    for name in sorted(names):
        value = getattr(space, name)
        doc = (inspect.getdoc(value) or "").split("\n")[0].replace("\\", "\\\\").replace('"', "'")
        if inspect.isclass(value) and value.__module__.startswith("tessera.") and value is not ts.DType and value is not ts.Tensor:
            yield f"class {name}:\n    def __init__(self, *args: Any, **names: Any) -> None: ...\n    def __getattr__(self, name: str) -> Any: ...\n"
        elif isinstance(value, ts.DType):
            yield f"{name}: DType\n"
        elif callable(value) and not inspect.isclass(value):
            yield f'def {name}({signature(value)}) -> {result(value)}:\n    """{doc}"""\n'
        elif isinstance(value, (int, float, str)):
            yield f"{name}: {type(value).__name__}\n"


def members(cls):
    for name, value in sorted(vars(cls).items()):
        doc = (inspect.getdoc(value) or "").split("\n")[0].replace('"', "'")
        if inspect.isgetsetdescriptor(value):
            yield f'    @property\n    def {name}(self) -> Any:\n        """{doc}"""\n'
        elif inspect.ismethoddescriptor(value):
            yield f"    def {name}(self, *args: Any, **names: Any) -> Any: ...\n"


def main(folder):
    def public(space):
        return [n for n in dir(space) if not n.startswith("_") and not inspect.ismodule(getattr(space, n))]

    classes = "".join(f"class {name}:\n{''.join(members(getattr(_core, name)))}\n" for name in ("DType", "Tensor"))
    names = [n for n in public(ts) if n not in ("DType", "Tensor", "newaxis")]
    (folder / "__init__.pyi").write_text(HEAD + "from . import fft, linalg, ops, random\n\n" + classes + "newaxis: None\n" +
                                         "".join(functions(ts, [*names, "__array_namespace_info__"])))
    for space in (fft, linalg, ops, random):
        text = HEAD + "from . import Tensor\n\n" + "".join(functions(space, space.__all__))
        (folder / f"{space.__name__.split('.')[1]}.pyi").write_text(text)


main(Path(sys.argv[1]))
