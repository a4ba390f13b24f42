#!/usr/bin/env python3
"""Saves a level again and again under `navbake watch`, and measures the time to the page and the
memory.

usage: watch.py [COPIES] [SAVES]

The level is Recast's dungeon, COPIES by COPIES times (8), with a crate that moves. One save in the
middle is broken. A client with plain HTTP waits for the event of each save and reads the page, as a
browser would. Exit code 1 when a page does not show its save, the broken save replaces the page, or
memory grows.
"""

import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from runs import data, program

GAP = 2.0  # m between copies
FLOOR = (3.0, 10.0, -21.5)  # a place of the dungeon's ground
CRATE = 0.8  # m, half of its side
GROWTH = 1.1  # of memory, from the tenth save to the last


def copies(count):
    """The lines of the level."""
    vertices, faces = [], []
    for line in (data() / "meshes" / "recast_dungeon.obj").read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(w) for w in words[1:4]])
        elif words[:1] == ["f"]:
            faces.append([int(w.split("/")[0]) for w in words[1:]])
    low, high = ([f(c) for c in zip(*vertices)] for f in (min, max))
    lines = []
    for k in range(count * count):
        dx = k % count * (high[0] - low[0] + GAP)
        dz = k // count * (high[2] - low[2] + GAP)
        lines += [f"v {x + dx:.6f} {y:.6f} {z + dz:.6f}" for x, y, z in vertices]
    for k in range(count * count):
        lines += ["f " + " ".join(str(i + k * len(vertices)) for i in face) for face in faces]
    return lines, count * count * len(vertices)


def crate(step, corners):
    """A box on the floor, a little further with each step."""
    x, y, z = FLOOR[0] + 0.1 * (step % 5), FLOOR[1], FLOOR[2]
    lines = [f"v {x + i * CRATE} {y + j * CRATE} {z + k * CRATE}" for i in (-1, 1) for j in (0, 2) for k in (-1, 1)]
    sides = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 3, 7, 5), (2, 6, 8, 4), (3, 4, 8, 7), (1, 5, 6, 2)]
    return ["o crate"] + lines + ["f " + " ".join(str(corners + c) for c in side) for side in sides]


class Client:
    """A page in a browser, without the browser."""

    def __init__(self, url):
        self.at = urllib.parse.urlsplit(url)
        self.connection = http.client.HTTPConnection(self.at.hostname, self.at.port, timeout=60)
        self.connection.request("GET", self.at.path + "events")
        self.events = self.connection.getresponse()
        assert self.events.status == 200, self.events.status

    def news(self):
        while True:
            line = self.events.readline()
            assert line, "the server has ended"
            if line.startswith(b"data: "):
                return json.loads(line[6:])

    def page(self):
        connection = http.client.HTTPConnection(self.at.hostname, self.at.port, timeout=60)
        connection.request("GET", self.at.path)
        answer = connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, answer.status
        return text


def resident(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    saves = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    navbake = program()
    level, corners = copies(count)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "level.obj"
        ready = pathlib.Path(folder) / "next.obj"
        text = "\n".join(level) + "\n"

        def save(step, broken=False):
            end = ["f 1 2 999999999"] if broken else crate(step, corners)
            ready.write_text(text + "\n".join(end) + "\n")
            ready.replace(path)
            return time.monotonic()

        save(0)
        command = [navbake, "watch", path, "--no-open", "--format", "json", "--quiet"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            began = time.monotonic()
            first = json.loads(server.stdout.readline())
            print(f"first page {time.monotonic() - began:.2f} s")
            client = Client(first["url"])
            said = first
            while said["causes_seconds"] is None:
                said = json.loads(server.stdout.readline())
                print(f"with causes {time.monotonic() - began:.2f} s")
            times, whole, memory, version = [], [], [], said["version"]
            while (news := client.news())["version"] < version:
                pass
            assert news == {"version": version, "error": None}
            for step in range(1, saves + 1):
                broken = step == saves // 2
                began = save(step, broken)
                news = client.news()
                page = client.page()
                times.append(time.monotonic() - began)
                assert (news["version"] == version) == (news["error"] is not None) == broken, news
                said = json.loads(server.stdout.readline())
                while said["causes_seconds"] is None and not broken:
                    said = json.loads(server.stdout.readline())
                if not broken:
                    whole.append(said["causes_seconds"])
                # Large levels are shown without causes first.
                while news["version"] < said["version"]:
                    news = client.news()
                version = said["version"]
                if not broken:
                    assert '"agent":"default","gained":[[' in page, "the page shows no change"
                memory.append(resident(server.pid))
            print(f"{saves} saves, {int(saves > 1)} broken: save to page {statistics.median(times):.2f} s (median), {max(times):.2f} s (most); to the page with causes {statistics.median(whole):.2f} s")
            tenth = max(memory[:10])
            print(f"resident memory: {memory[0]:.0f} MiB after the first save, {tenth:.0f} MiB at most in ten, {memory[-1]:.0f} MiB at the end; page {len(page) / 1e6:.1f} MB")
            if memory[-1] > tenth * GROWTH:
                sys.exit("memory grows")
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
