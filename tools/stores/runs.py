"""Runs navbake with a store, and checks what it promises."""

import json
import pathlib
import resource
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "schedulers"))
import yards  # noqa: E402

SETTINGS = ["world.toml", "--radius", "0.2", "-j", "1"]
# More than a bake without a store may take.
MOST_SECONDS = 60
# A server that sends bytes without end must not fill the memory.
MOST_BYTES = 4 << 30
# What a scenario says of the number of cached tiles, beside a number.
ALL, SOME = "all", "some"


class Broken(Exception):
    """A promise that does not hold."""


class Process:
    """A run of navbake."""

    def __init__(self, command, folder, environment, output=None):
        self.command, self.output = command, output
        self.begin = time.monotonic()
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES)),
        )

    def runs(self):
        return self.process.poll() is None

    def wait(self, seconds):
        try:
            self.out, self.err = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.out, self.err = self.process.communicate()
            self.broke(f"not done after {seconds:.0f} s")
        self.seconds = time.monotonic() - self.begin
        self.code = self.process.returncode

    def report(self):
        return json.loads(self.out.splitlines()[-1])

    def broke(self, what):
        command = " ".join(map(str, self.command))
        raise Broken(f"{what}\n$ {command}\nexit code {self.process.returncode}\n{self.err}")


class Navbake:
    """The program, in a folder with a world, and what a bake without a store gives."""

    def __init__(self, program, folder, environment):
        self.program, self.folder = program, folder
        self.found = []
        self.processes = []
        self.count = 0
        yards.world(folder, 7, posts=18)
        plain = self.begin(None, "bake", *SETTINGS, environment=environment)
        plain.wait(600)
        if plain.code:
            plain.broke("no bake without a store")
        self.wanted = plain.output.read_bytes()
        self.seconds = plain.seconds
        self.tiles = plain.report()["tiles"]["total"]

    def begin(self, store, verb, *options, environment=None):
        """Begins a verb. Outputs get a name of their own, as what is up to date is not baked."""
        command = [self.program, verb, *options, "--format", "json"]
        output = None
        if verb in ("bake", "merge"):
            self.count += 1
            output = self.folder / f"{self.count}.navbake"
            command += ["-o", output.name]
        if store is not None:
            command += ["--cache", store.url]
            environment = store.environment
        process = Process(command, self.folder, environment, output)
        self.processes.append(process)
        return process

    def begin_bake(self, store):
        return self.begin(store, "bake", *SETTINGS)

    def end_bake(self, bake, label, cached=None, warns=(), may=(), some=()):
        """Waits for a bake, of which the bytes are right.

        It warns of each of `warns`, at least one of `some`, and of nothing else but `may`.
        """
        bake.wait(self.seconds + MOST_SECONDS)
        if bake.code:
            bake.broke(f"{label}: exit code {bake.code}")
        if bake.output.read_bytes() != self.wanted:
            bake.broke(f"{label}: other bytes")
        bake.output.unlink()
        report = bake.report()
        tiles = report["tiles"]
        codes = [x["code"] for x in report["warnings"] if x["code"].startswith("cache-")]
        text = f"{label} {tiles['baked']}/{tiles['cached']}, {bake.seconds:.1f} s"
        self.found.append(text + "".join(f", {code}" for code in codes))
        if len(set(codes)) < len(codes):
            bake.broke(f"{label}: a warning twice: {codes}")
        known = set(codes) <= {*warns, *may, *some}
        if not known or not set(warns) <= set(codes) or some and not set(some) & set(codes):
            wanted = f"{[*warns]}, one of {[*some]}, maybe {[*may]}"
            bake.broke(f"{label}: warnings {codes}, not {wanted}")
        if tiles["total"] != self.tiles or tiles["baked"] + tiles["cached"] != self.tiles:
            bake.broke(f"{label}: not {self.tiles} tiles: {tiles}")
        ranges = {None: (0, self.tiles), SOME: (1, self.tiles - 1), ALL: (self.tiles, self.tiles)}
        least, most = ranges.get(cached, (cached, cached))
        if not least <= tiles["cached"] <= most:
            bake.broke(f"{label}: {tiles['cached']} tiles cached, not {cached}")

    def bake(self, store, label, **checks):
        self.end_bake(self.begin_bake(store), label, **checks)

    def verb(self, store, verb, *options, code=0, named=False):
        """Runs a verb of a farm. A failure leaves no blob, and names the store if `named`."""
        process = self.begin(store, verb, *options)
        self.end_verb(process, code)
        if named and store.url not in process.err:
            process.broke(f"{verb}: the message does not name {store.url}")
        return process

    def end_verb(self, process, code=0):
        verb = process.command[1]
        process.wait(self.seconds + MOST_SECONDS)
        self.found.append(f"{verb} {process.code}, {process.seconds:.1f} s")
        if process.code != code:
            process.broke(f"{verb}: exit code {process.code}, not {code}")
        if process.output is None:
            return
        if code and process.output.exists():
            process.broke(f"{verb}: a blob, in spite of exit code {code}")
        if not code and process.output.read_bytes() != self.wanted:
            process.broke(f"{verb}: other bytes")

    def end_all(self):
        """Ends what a scenario that failed left behind."""
        for process in self.processes:
            if process.runs():
                process.process.kill()
                process.process.wait()
        self.processes = []
