"""Contestants as processes, and rounds that interleave them."""
import glob
import os
import select
import statistics
import subprocess
import sys
import time

PATIENCE_S = 120  # for one answer
REST_S = 0.1      # the most to wait after a round until the threads of a pool, which spin a while, sleep
SLOW = 4.0        # a peer so many times slower than the best one sits out the later rounds
SURE = 3          # after so many rounds
STRIKES = 3       # failures in a row after which a contestant is left out for good


def tell(text):
    print(text, file=sys.stderr, flush=True)


class Contestant:
    """One process, started when it is first needed."""

    def __init__(self, name, command, threads, env=None, sweeps=False):
        self.name, self.command, self.threads, self.sweeps = name, command, threads, sweeps
        self.env = dict(os.environ, **thread_env(threads), **(env or {}))
        self.process, self.version, self.strikes = None, "", 0

    def start(self):
        """Whether it runs; one that failed is started again, but not for ever."""
        if self.process is None and self.strikes < STRIKES:
            try:
                self.process = subprocess.Popen(self.command, env=self.env, stdin=subprocess.PIPE, text=True,
                                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.version = self.answer().partition(" ")[2]
            except (OSError, RuntimeError) as error:
                self.fail(error)
        return self.process is not None

    def fail(self, why):
        self.strikes = self.strikes + 1 if self.version else STRIKES
        self.stop()
        tell(f"bench: {self.name} ({self.threads} thread{'s' * (self.threads > 1)}) failed: {why}")

    def answer(self):
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE_S)
        line = self.process.stdout.readline().strip() if ready else ""
        if not line:
            self.process.kill()
            said = self.process.stderr.read().strip().splitlines()
            raise RuntimeError(said[-1] if said else "no answer")
        return line

    def ask(self, line):
        """The answer, or "" from a contestant that fails."""
        if not self.start():
            return ""
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            return self.answer()
        except (OSError, RuntimeError) as error:
            self.fail(f"{line}: {error}")
            return ""

    def rest(self):
        """Waits until none of its threads runs, so that they do not disturb the next one's round."""
        end = time.monotonic() + REST_S
        while self.process is not None and time.monotonic() < end and running(self.process.pid):
            time.sleep(0.001)

    def stop(self):
        if self.process is not None:
            try:
                self.process.stdin.close()
                self.process.wait(5)
            except (OSError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            self.process.stderr.close()
            self.process = None


def running(pid):
    """Whether a thread of the process runs or would; False where there is no /proc."""
    for path in glob.glob(f"/proc/{pid}/task/*/stat"):
        try:
            with open(path, encoding="utf-8") as file:
                if file.read().rpartition(")")[2].split()[0] == "R":
                    return True
        except OSError:
            pass  # it has ended
    return False


def thread_env(threads):
    names = ("CONTEST_THREADS", "TSR_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {name: str(threads) for name in names}


class Times:
    """What one contestant did in one workload: the best of each round, in ns."""

    def __init__(self, checksum):
        self.checksum, self.rounds = checksum, []

    @property
    def min(self):
        return min(self.rounds)

    @property
    def median(self):
        return statistics.median(self.rounds)


def measure(spec, contestants, rounds, ms, always=("tessera", "limit")):
    """Opens spec everywhere, goes round the contestants, closes it; {name: Times} of those that can do it."""
    times, playing = {}, []
    for contestant in contestants:
        words = contestant.ask(f"open {spec}").split()
        if words[:1] == ["ok"]:
            playing.append(contestant)
            times[contestant.name] = Times(float(words[1]))
    for number in range(rounds):
        turn = number % max(1, len(playing))
        for contestant in playing[turn:] + playing[:turn]:
            text = contestant.ask(f"round {ms}")
            if text:
                times[contestant.name].rounds.append(float(text))
            contestant.rest()
        playing = [c for c in playing if c.process is not None]
        if number + 1 == SURE:
            playing = still_in(playing, times, always)
    for contestant in contestants:
        if contestant.name in times and contestant.process is not None:
            contestant.ask("close")
            contestant.strikes = 0
    return {name: t for name, t in times.items() if t.rounds}


def still_in(playing, times, always):
    peers = [times[c.name].min for c in playing if c.name not in always and times[c.name].rounds]
    best = min(peers, default=0)
    return [c for c in playing if c.name in always or times[c.name].min <= SLOW * best]
