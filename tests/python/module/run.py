"""run.py NAME...: runs tests of the module (NAME_test.py) and prints what they counted, as every test of this project does."""
import importlib
import sys
import unittest


class Result(unittest.TextTestResult):
    """Counts what passed: testsRun has skipped tests or not, as versions of Python see it."""

    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main(names):
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(f"{name}_test")) for name in names)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0, resultclass=Result).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    for test, why in result.skipped:
        print("skipped", test.id(), why)
    print(f"{result.passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0 if result.passed else 77


sys.exit(main(sys.argv[1:]))
