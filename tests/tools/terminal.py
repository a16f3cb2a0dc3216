"""A terminal for tests: runs a program in it, presses keys, and compares what is on its screen with a recorded session.

terminal.py PROGRAM SESSION            replays it; exit code 1 where a screen is another
terminal.py PROGRAM SESSION --record   writes the screens that there are into the session

A session is text. Lines that begin with '> ' are done: 'start 80x24 ARGUMENT...', 'press KEY...', 'type TEXT', 'resize 60x20',
'colors COLUMN ROW' (of one cell: the answer is the next line), 'ends CODE'. Lines that begin with '|' are the screen behind
them, without blanks at the ends of lines and empty lines at the end.
"""

import fcntl
import os
import pty
import select
import shlex
import signal
import struct
import sys
import termios
import time

KEYS = {
    "Up": "\x1b[A", "Down": "\x1b[B", "Right": "\x1b[C", "Left": "\x1b[D", "Home": "\x1b[H", "End": "\x1b[F",
    "PageUp": "\x1b[5~", "PageDown": "\x1b[6~", "Enter": "\r", "Tab": "\t", "Esc": "\x1b", "Backspace": "\x7f",
    "Ctrl-C": "\x03", "Space": " ",
}
PATIENCE = 30.0  # seconds for a screen to come


class Refused(Exception):
    """Output that this terminal does not know: the program is to send nothing else."""


class Screen:
    def __init__(self, width, height):
        self.look = (None, None, "")
        self.other = False  # the screen of full-screen programs
        self.cursor = True
        self.left = ""  # an unfinished sequence
        self.bytes = b""
        self.resize(width, height)
        self.strict = True  # until it is resized: what was on its way is for the old size

    def resize(self, width, height):
        self.width, self.height, self.x, self.y = width, height, 0, 0
        self.cells = [[(" ", self.look)] * width for _ in range(height)]
        self.strict = False

    def feed(self, data):
        self.bytes += data
        while self.bytes:
            for n in range(len(self.bytes), max(0, len(self.bytes) - 4), -1):
                try:
                    text = self.bytes[:n].decode()
                    break
                except UnicodeDecodeError:
                    continue
            else:
                raise Refused("no UTF-8: %r" % self.bytes[:8])
            if not text:
                return
            self.bytes = self.bytes[len(text.encode()):]
            self.take(self.left + text)
            if self.bytes and len(self.bytes) < 4:
                return

    def take(self, text):
        at = 0
        self.left = ""
        while at < len(text):
            if text[at] == "\x1b":
                end = at + 2
                while end < len(text) and not "@" <= text[end] <= "~":
                    end += 1
                if end >= len(text):
                    self.left = text[at:]
                    return
                self.control(text[at + 1], text[at + 2:end], text[end])
                at = end + 1
            else:
                self.put(text[at])
                at += 1

    def control(self, kind, numbers, letter):
        if kind != "[":
            raise Refused("ESC %r" % kind)
        if letter == "H":
            y, x = (int(n) for n in numbers.split(";"))
            if self.strict and not (1 <= y <= self.height and 1 <= x <= self.width):
                raise Refused("the cursor at %d,%d" % (x, y))
            self.x, self.y = x - 1, min(y, self.height) - 1
        elif letter == "J" and numbers == "2":
            self.strict = True
            self.cells = [[(" ", self.look)] * self.width for _ in range(self.height)]
        elif letter == "m":
            self.style([int(n) for n in numbers.split(";")])
        elif letter in "hl" and numbers in ("?1049", "?25"):
            if numbers == "?25":
                self.cursor = letter == "h"
            else:
                self.other = letter == "h"
        else:
            raise Refused("ESC [ %s %s" % (numbers, letter))

    def style(self, numbers):
        color, ground, marks = self.look
        at = 0
        while at < len(numbers):
            n = numbers[at]
            if n == 0:
                color, ground, marks = None, None, ""
            elif n in (1, 2, 7):
                marks += {1: "bold", 2: "dim", 7: "reverse"}[n]
            elif n in (38, 48) and numbers[at + 1] == 2:
                value = "%02x%02x%02x" % tuple(numbers[at + 2:at + 5])
                color, ground = (value, ground) if n == 38 else (color, value)
                at += 4
            else:
                raise Refused("look %d" % n)
            at += 1
        self.look = (color, ground, marks)

    def put(self, c):
        if c < " " or c == "\x7f":
            if c in "\r\n":
                return
            raise Refused("character %r" % c)
        if self.x >= self.width:
            if not self.strict:
                return
            raise Refused("text beyond the right edge")
        self.cells[self.y][self.x] = (c, self.look)
        self.x += 1

    def lines(self):
        rows = ["".join(c for c, _ in row).rstrip() for row in self.cells]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    def colors(self, x, y):
        color, ground, marks = self.cells[y][x][1]
        return "%s on %s%s" % (color or "plain", ground or "plain", " " + marks if marks else "")


class Program:
    def __init__(self, width, height, arguments):
        self.screen = Screen(width, height)
        self.code = None
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execv(arguments[0], arguments)
        self.set_size(width, height)

    def set_size(self, width, height):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def resize(self, width, height):
        self.screen.resize(width, height)
        self.set_size(width, height)
        os.kill(self.process, signal.SIGWINCH)

    def listen(self, seconds):
        """Takes what comes within that time; false when nothing did."""
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            data = b""
        if data:
            self.screen.feed(data)
        return bool(data)

    def settle(self):
        self.listen(PATIENCE)
        while self.listen(0.7):
            pass

    def becomes(self, good):
        """Waits until good() holds."""
        end = time.monotonic() + PATIENCE
        while not good():
            if time.monotonic() > end:
                return False
            self.listen(0.05)
        return True

    def ended(self):
        if self.code is None:
            done, status = os.waitpid(self.process, os.WNOHANG)
            if done:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None


def size_of(text):
    width, height = text.split("x")
    return int(width), int(height)


def read_session(path):
    """Steps as (command, the lines behind it)."""
    steps = []
    with open(path, encoding="utf-8") as f:
        for line in f.read().split("\n"):
            if line.startswith("> "):
                steps.append((line[2:], []))
            elif line.startswith("|") and steps:
                steps[-1][1].append(line[1:])
            elif line.strip() and not line.startswith("#"):
                raise SystemExit("%s: what is this? %s" % (path, line))
    return steps


class Replay:
    def __init__(self, program):
        self.program, self.running = program, None

    def do(self, command):
        word, _, rest = command.partition(" ")
        if word == "start":
            size, *arguments = shlex.split(rest)
            self.running = Program(*size_of(size), [self.program] + arguments)
        elif word == "press":
            for key in rest.split():
                os.write(self.running.terminal, KEYS.get(key, key).encode())
        elif word == "type":
            os.write(self.running.terminal, rest.encode())
        elif word == "resize":
            self.running.resize(*size_of(rest))
        elif word not in ("colors", "ends", "screen"):
            raise SystemExit("what is '%s'?" % word)

    def seen(self, command):
        word, _, rest = command.partition(" ")
        if word == "colors":
            return [self.running.screen.colors(*(int(n) for n in rest.split()))]
        return self.running.screen.lines()

    def check_end(self, command):
        running, code = self.running, int(command.split()[1])
        if not running.becomes(running.ended):
            return "it has not ended"
        while running.listen(0.1):
            pass
        if running.code != code:
            return "exit code %d" % running.code
        if running.screen.other or not running.screen.cursor:
            return "the terminal was not given back"
        return None

    def check(self, command, want):
        self.do(command)
        if command.startswith("ends"):
            return self.check_end(command)
        if not want or self.running.becomes(lambda: self.seen(command) == want):
            return None
        return "the screen is\n" + "\n".join("|" + line for line in self.seen(command))


def record(replay, steps, path):
    comments = [line for line in open(path, encoding="utf-8").read().split("\n") if line.startswith("#")]
    with open(path, "w", encoding="utf-8") as f:
        print("\n".join(comments), file=f)
        for command, want in steps:
            replay.do(command)
            print("> " + command, file=f)
            if command.startswith("ends"):
                replay.check_end(command)
                continue
            if not command.startswith("colors"):
                replay.running.settle()
            for line in replay.seen(command):
                print("|" + line, file=f)


def main():
    program, path = sys.argv[1:3]
    steps = read_session(path)
    replay = Replay(program)
    if "--record" in sys.argv:
        record(replay, steps, path)
        return
    for command, want in steps:
        try:
            problem = replay.check(command, want)
        except Refused as what:
            problem = "the program sent %s" % what
        if problem:
            print("%s: > %s: %s" % (path, command, problem))
            raise SystemExit(1)
    if replay.running is not None and not replay.running.ended():
        os.kill(replay.running.process, signal.SIGKILL)
    print("%d steps" % len(steps))


main()
