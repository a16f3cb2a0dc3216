"""The wheel: what pip would get, unpacked and used."""
import base64
import hashlib
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

from support import Case, ts

SOURCE = pathlib.Path(os.environ.get("TSR_SOURCE", pathlib.Path(__file__).parents[3]))


def backend():
    spec = importlib.util.spec_from_file_location("backend", SOURCE / "python/backend.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module._build = lambda: pathlib.Path(ts.__file__).parent  # it is built already
    return module


class Wheel(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_made_and_used(self):
        name = backend().build_wheel(self.folder)
        self.assertRegex(name, r"^tessera-[0-9.]+-cp3\d+-(abi3|cp3\d+)-\w+\.whl$")
        with zipfile.ZipFile(self.folder / name) as wheel:
            files = set(wheel.namelist())
            record = next(f for f in files if f.endswith("RECORD"))
            for line in wheel.read(record).decode().split():
                path, digest, _ = line.split(",")
                if digest:
                    want = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(path)).digest()).rstrip(b"=").decode()
                    self.assertEqual(digest, f"sha256={want}", path)
                files.discard(path)
            self.assertEqual(files, set())
            wheel.extractall(self.folder / "unpacked")
        code = f"import sys; sys.path.insert(0, {str(self.folder / 'unpacked')!r}); import tessera as ts; print(ts.__file__, ts.arange(3) + 1)"
        said = subprocess.run([sys.executable, "-B", "-I", "-c", code], capture_output=True, text=True, check=True).stdout
        self.assertIn("[1 2 3]", said)
        self.assertIn("unpacked", said)

    def test_the_same_bits(self):
        for part in "ab":
            backend().build_wheel(self.folder / part)
        one, two = (next((self.folder / part).iterdir()).read_bytes() for part in "ab")
        self.assertEqual(one, two)


if __name__ == "__main__":
    unittest.main()
