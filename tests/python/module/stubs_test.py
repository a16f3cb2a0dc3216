"""The stubs beside the module: they are Python, and name what the module has."""
import ast
import pathlib
import unittest

from support import Case, ts

FOLDER = pathlib.Path(ts.__file__).parent


@unittest.skipUnless((FOLDER / "__init__.pyi").exists(), "the module has no stubs beside it")
class Stubs(Case):
    def names(self, file):
        tree = ast.parse((FOLDER / file).read_text())
        found = {}
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found[node.name] = node
            elif isinstance(node, ast.AnnAssign):
                found[node.target.id] = node
        return found

    def test_each_name_has_one(self):
        for file, space in (("__init__.pyi", ts), ("ops.pyi", ts.ops), ("linalg.pyi", ts.linalg), ("fft.pyi", ts.fft), ("random.pyi", ts.random)):
            found = self.names(file)
            for name in getattr(space, "__all__", None) or [n for n in dir(ts) if not n.startswith("_")]:
                if type(getattr(space, name)).__name__ != "module":
                    self.assertIn(name, found, file)

    def test_types(self):
        text = (FOLDER / "ops.pyi").read_text()
        self.assertIn("def topk(x: Tensor | complex, k: int, axis: int | None = ..., largest: bool = ..., sorted: bool = ..., *, out: Any = ...) -> "
                      "tuple[Tensor, ...]:", text)
        self.assertIn("def concat(x: Sequence[Tensor], axis: int | None = ..., *, out: Any = ...) -> Tensor:", text)
        self.assertIn("mode: Literal['constant', 'edge', 'reflect', 'wrap'] | int = ...", text)
        members = {node.name for node in self.names("__init__.pyi")["Tensor"].body if isinstance(node, ast.FunctionDef)}
        for name in vars(ts.Tensor):
            if callable(getattr(ts.Tensor, name)) and name not in ("__new__", "__doc__", "__module__", "__hash__", "__buffer__", "__release_buffer__"):
                self.assertIn(name, members)


if __name__ == "__main__":
    unittest.main()
