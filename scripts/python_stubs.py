"""Writes the stubs of the Python module (.pyi) for editors and type checkers, out of the module itself: python_stubs.py FOLDER. Types of
parameters are those that the documentation of each op says; what the standard leaves to Python is Any."""
import inspect
import re
import sys
from pathlib import Path

import tessera as ts
from tessera import _core, fft, linalg, ops, random

HEAD = """# Written by scripts/python_stubs.py.
from typing import Any, Iterator, Literal, Mapping, Sequence
"""
TYPES = {"int": "int", "axis": "int | None", "bool": "bool", "real": "float", "ints": "int | Sequence[int]", "reals": "float | Sequence[float]",
         "axes": "int | Sequence[int] | None", "dtype": "DType | str | type", "layout": "str | int", "text": "str", "rng": "Rng"}
# What methods take and give, where it is not Any.
NUMBER = "Tensor | complex"
RESULTS = {"__bool__": "bool", "__int__": "int", "__float__": "float", "__complex__": "complex", "__index__": "int", "__len__": "int",
           "__iter__": "Iterator[Tensor]", "__getitem__": "Tensor", "__setitem__": "None", "__dlpack_device__": "tuple[int, int]",
           "to_device": "Tensor", "copy": "Tensor", "tobytes": "bytes", "item": "bool | int | float | complex", "shape": "tuple[int, ...]",
           "strides": "tuple[int, ...]", "dtype": "DType", "device": "str", "layout": "str", "name": "str", "short": "str", "kind": "str",
           "ndim": "int", "size": "int", "nbytes": "int", "itemsize": "int", "readonly": "bool", "T": "Tensor", "mT": "Tensor"}
OPERATORS = """add sub mul truediv floordiv mod pow matmul and or xor lshift rshift lt le eq ne gt ge""".split()


def types_of(function):
    """The parameters of an op and their types, by the line of its documentation that has them. Under another name of the op they have other
    names, in the same order."""
    lines = (function.__doc__ or "").split("\n")
    found = {}
    for name, kind in re.findall(r"(\w+): ([^=,)]+)", lines[2]) if inspect.isbuiltin(function) and len(lines) > 2 else ():
        kind = kind.strip().partition("[")[0]
        words = "Literal[" + ", ".join(map(repr, kind.split("|"))) + "] | int" if "|" in kind else "Any"
        found[name] = TYPES.get(kind, words)
    op = ops.ALL.get(lines[2].partition("(")[0]) if found and len(lines) > 2 else None
    if op is not None:
        found.update({own: found[name] for name, own in zip(inspect.signature(op).parameters, inspect.signature(function).parameters)
                      if name in found})
    return found


def signature(function):
    """The parameters as a stub has them."""
    parts, named, plain, types = [], False, False, types_of(function)
    tensors = "Tensor | complex" if types or inspect.isbuiltin(function) else "Any"
    for p in inspect.signature(function).parameters.values():
        if plain and p.kind != p.POSITIONAL_ONLY:
            parts.append("/")
        plain = p.kind == p.POSITIONAL_ONLY
        if p.kind == p.KEYWORD_ONLY and not named:
            parts.append("*")
        named = named or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        kind = types.get(p.name, {"out": "Any", "n": "int", "device": "str | None"}.get(p.name, tensors))
        if inspect.isbuiltin(function) and p.default is None and "None" not in kind and kind != "Any":
            kind += " | None"
        if f"{p.name}..." in (function.__doc__ or "") or (p.name == "x" and "(in..." in (function.__doc__ or "")):
            kind = "Sequence[Tensor]"
        parts.append(f"{star}{p.name}: {kind}" + ("" if p.default is p.empty else " = ..."))
    return ", ".join(parts + ["/"] if plain else parts)


def result(function):
    """What an op gives, by the same line."""
    given = (function.__doc__ or "").partition(" -> ")[2].split("\n")[0]
    if not inspect.isbuiltin(function) or not given:
        return "Any"
    return "tuple[Tensor, ...]" if "," in given or "..." in given else "Tensor"


def summary(thing):
    return (inspect.getdoc(thing) or "").split("\n")[0].replace("\\", "\\\\").replace('"', "'")


def functions(space, names):
    for name in sorted(names):
        value = getattr(space, name)
        if inspect.isclass(value) and issubclass(value, Exception):
            yield f"class {name}({', '.join(base.__name__ for base in value.__bases__)}):\n    status: str\n"
        elif inspect.isclass(value):
            yield (f"class {name}:\n    def __init__(self, *args: Any, **names: Any) -> None: ...\n"
                   "    def __getattr__(self, name: str) -> Any: ...\n    def __call__(self, **names: Any) -> Any: ...\n")
        elif isinstance(value, ts.DType):
            yield f"{name}: DType\n"
        elif callable(value):
            yield f'def {name}({signature(value)}) -> {result(value)}:\n    """{summary(value)}"""\n'
        elif isinstance(value, (int, float, str)):
            yield f"{name}: {type(value).__name__}\n"


def members(cls):
    for name, value in sorted(vars(cls).items()):
        given = RESULTS.get(name, "Any")
        plain = name.strip("_")
        if inspect.isgetsetdescriptor(value):
            yield f'    @property\n    def {name}(self) -> {given}:\n        """{summary(value)}"""\n'
        elif plain in OPERATORS or plain[1:] in OPERATORS and plain[0] in "ri":
            yield f"    def {name}(self, other: {'Any' if plain in ('eq', 'ne') else NUMBER}, /) -> Tensor: ...\n"
        elif inspect.ismethoddescriptor(value) or inspect.ismethod(value):
            yield f"    def {name}(self, *args: Any, **names: Any) -> {given}: ...\n"


def main(folder):
    def public(space):
        return [n for n in dir(space) if not n.startswith("_") and not inspect.ismodule(getattr(space, n))]

    classes = "".join(f"class {name}:\n{''.join(members(getattr(_core, name)))}\n" for name in ("DType", "Tensor"))
    names = [n for n in public(ts) if n not in ("DType", "Tensor", "newaxis")]
    (folder / "__init__.pyi").write_text(HEAD + "\nfrom . import fft, linalg, ops, random\nfrom .random import Rng\n\n" + classes +
                                         "newaxis: None\n" + "".join(functions(ts, [*names, "__array_namespace_info__"])))
    for space in (fft, linalg, ops, random):
        own = "from . import DType, Tensor\n" + ("" if space is random else "from .random import Rng\n")
        name = space.__name__.split(".")[1]
        (folder / f"{name}.pyi").write_text(HEAD + "\n" + own + "\n" + "".join(functions(space, space.__all__)))


main(Path(sys.argv[1]))
