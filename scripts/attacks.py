"""What the attacks_*.py scripts share: a folder of small files, one for each rule that nobody may break, and table.inc, which
says what each one gets."""
import os

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def quoted(text):
    """As C writes it, without trigraphs."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?") + '"'


class Attacks:
    """tests/attacks/FORMAT, emptied. A row of the table is macro(name, more ..., status, message)."""

    def __init__(self, form, ending=None, macro="ATTACK", columns="the file, the status, a part of the message"):
        self.form, self.ending, self.macro, self.columns = form, ending or form, macro, columns
        self.folder = os.path.join(PROJECT, "tests", "attacks", form)
        self.rows = {}
        os.makedirs(self.folder, exist_ok=True)
        for old in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, old))

    def write(self, name, content, status, message, *more):
        assert name not in self.rows, name
        self.rows[name] = [quoted(name), *more, "TSR_" + status, quoted(message)]
        with open(os.path.join(self.folder, f"{name}.{self.ending}"), "wb") as out:
            out.write(content)

    def finish(self):
        with open(os.path.join(self.folder, "table.inc"), "w", encoding="ascii") as out:
            out.write(f"/* Written by scripts/attacks_{self.form}.py: {self.columns}. */\n")
            for row in self.rows.values():
                out.write(f"{self.macro}({', '.join(row)})\n")
        print(f"{len(self.rows)} attacks")
