"""The one-liners of the README run and print what is said here; importing takes nothing else along."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from support import Case

SOURCE = pathlib.Path(os.environ.get("TSR_SOURCE", pathlib.Path(__file__).parents[3]))
PRINTED = """[0.0320586  0.08714432 0.23688282 0.64391426]
[1. 1.]
[[ 3 -1  1 -1]
 [ 7 -1  5 -1]
 [11 -1  9 -1]]
[  0.    134.375 287.5   459.375 650.   ]
[[-0.21535324 -0.21576555  2.0199423 ]
 [-0.5097426  -0.64389724 -1.1762122 ]]
[4.+0.j 0.+0.j 0.+0.j] (Tensor([3, 2]), Tensor([0, 2]))
[[1. 0.]
 [0. 1.]]
array('f', [5.0, 2.0])
"""


class Lines(Case):
    def test_each_runs(self):
        section = (SOURCE / "README.md").read_text().split("## From Python")[1].split("\n## ")[0]
        lines = re.findall(r"^python3 -c '(.*)'$", section, re.M)
        self.assertGreaterEqual(len(lines), 8)
        said = ""
        with tempfile.TemporaryDirectory() as folder:
            for line in lines:
                run = subprocess.run([sys.executable, "-B", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 0, line + run.stderr)
                said += run.stdout
        self.assertEqual(said, PRINTED)

    def test_import_takes_nothing_else(self):
        code = "import sys; before = set(sys.modules); import tessera; print(sorted(m for m in set(sys.modules) - before))"
        said = subprocess.run([sys.executable, "-B", "-I", "-c", f"import sys; sys.path.insert(0, {os.environ['PYTHONPATH'].split(':')[0]!r}); " + code],
                              capture_output=True, text=True, check=True).stdout
        for heavy in ("numpy", "typing", "inspect", "ctypes", "subprocess"):
            self.assertNotIn(f"'{heavy}'", said)

    def test_a_second_interpreter_is_refused(self):
        code = ("import tessera, _testcapi\n"
                "print(_testcapi.run_in_subinterp('try:\\n import tessera\\nexcept ImportError as e:\\n print(e)'))")
        run = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
        if "No module named '_testcapi'" in run.stderr:
            self.skipTest("there is no _testcapi")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("main interpreter only", run.stdout)


if __name__ == "__main__":
    unittest.main()
