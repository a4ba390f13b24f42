#!/usr/bin/python3
"""Bakes levels in a real browser, on the demo page of the package for the web (npm/demo), and
compares the bytes with those of the command.

usage: bake.py NAVBAKE [--runs N] [LEVEL...]

Without a LEVEL the fixtures are baked, one with a config, and one level that is refused. Of LEVELs
the time is measured N times (7), in turns: the command on one thread, from start to end; in node
and in chromium a bake of a fresh page, and the next ones on it. npm/navbake.wasm and npm/baker.wasm
have to be built (tools/web/build.py). See test.py for what else has to be there.
"""

import argparse
import functools
import hashlib
import http.server
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from test import browser, check
from watch import LOOPBACK

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


def served():
    """The package, at an address of this machine."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=ROOT / "npm"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/demo/?level=none.nav"


def native(navbake, folder, level, config=None, threads="1"):
    """Hash of the command's file, and its seconds."""
    blob = folder / "native.nav"
    words = [navbake, "-q", "bake", level, "-o", blob, "--force", "--threads", threads]
    begin = time.perf_counter()
    subprocess.run([*words, *(["--config", config] if config else [])], check=True)
    return hashlib.sha256(blob.read_bytes()).hexdigest(), time.perf_counter() - begin


def baked(driver, files):
    """Bakes files on the page. Gives what the page says, the hash and the seconds."""
    driver.execute_script("globalThis.demo.bytes = null; document.getElementById('files').value = ''; document.getElementById('says').value = ''")
    driver.find_element("id", "files").send_keys("\n".join(str(file) for file in files))
    said = ""
    for _ in range(1200):
        said = driver.execute_script("return document.getElementById('says').value")
        if "baked in" in said or "; " in said:
            break
        time.sleep(0.05)
    script = """
const done = arguments[0], bytes = demo.bytes;
if (!bytes) done([null, null]);
else crypto.subtle.digest('SHA-256', bytes).then((hash) => done([[...new Uint8Array(hash)].map((b) => b.toString(16).padStart(2, '0')).join(''), demo.milliseconds / 1000]));"""
    return said, *driver.execute_async_script(script)


def fresh(driver, url):
    driver.get(url)
    for _ in range(100):
        if "no level yet" in driver.execute_script("return document.getElementById('says').value"):
            return
        time.sleep(0.05)
    sys.exit("browser test: the page does not start")


def small(navbake, folder, url, driver):
    fresh(driver, url)
    for files in (["courtyard/courtyard.obj"], ["gatehouse/gatehouse.glb"], ["mall/mall.obj", "mall/bake.toml"]):
        level, *config = [FIXTURES / file for file in files]
        said, found, _ = baked(driver, [level, *config])
        check("baked in" in said, f"{level.name}: the page says {said!r}")
        expected, _ = native(navbake, folder, level, *config)
        check(found == expected, f"{level.name}: other bytes than the command's")
        # What is shown is what was baked.
        path = driver.execute_script("""
const [places, found] = [demo.mesh.random(1), []];
for (let k = 0; k < 20; k++) found.push(demo.mesh.findPath(places.place().position, places.place().position).status);
return found""")
        check("reached" in path, f"{level.name}: paths are {path}")
    said, found, _ = baked(driver, [FIXTURES / "bad/obj_nan.obj"])
    ran = subprocess.run([navbake, "-q", "bake", "obj_nan.obj", "-o", folder / "none.nav"], cwd=FIXTURES / "bad", capture_output=True, text=True)
    check(found is None and said == ran.stderr.strip().removeprefix("navbake: "), f"of a bad level the page says {said!r}")
    said, found, _ = baked(driver, [FIXTURES / "courtyard/courtyard.obj"])
    check(found is not None, f"after a bad level the page says {said!r}")
    faults = [line for line in driver.get_log("browser") if line["level"] == "SEVERE" and "none.nav" not in line["message"] and "favicon" not in line["message"]]
    check(not faults, f"the log has {faults}")
    print("three levels have the command's bytes, and a bad one its message")


NODE = """
const { readFileSync } = await import('node:fs');
const { bake, init } = await import(process.argv[1]);
const [, , file, name] = process.argv;
const files = { [name]: readFileSync(file) };
await init();
const seconds = [];
for (let k = 0; k < 8; k++) {
  const begin = performance.now();
  await bake({ files });
  seconds.push((performance.now() - begin) / 1000);
}
console.log(JSON.stringify(seconds));
"""


def in_node(level):
    words = ["node", "--input-type=module", "-e", NODE, (ROOT / "npm/bake.js").as_uri(), level, level.name]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def measured(navbake, folder, url, level, runs):
    times = {"native": [], "node, first": [], "node, next": [], "chromium, first": [], "chromium, next": []}
    expected, _ = native(navbake, folder, level)
    for _ in range(runs):
        times["native"].append(native(navbake, folder, level)[1])
        first, *more = in_node(level)
        times["node, first"].append(first)
        times["node, next"].append(min(more))
        driver = browser(LOOPBACK)
        driver.set_script_timeout(120)
        try:
            fresh(driver, url)
            seconds = []
            for _ in range(8):
                said, found, taken = baked(driver, [level])
                check(found == expected, f"{level.name}: other bytes than the command's; the page says {said!r}")
                seconds.append(taken)
            times["chromium, first"].append(seconds[0])
            times["chromium, next"].append(min(seconds[1:]))
        finally:
            driver.quit()
    middle = {key: statistics.median(values) for key, values in times.items()}
    for key, seconds in middle.items():
        print(f"| {level.stem} | {key} | {1000 * seconds:.0f} ms | {seconds / middle['native']:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("navbake", type=pathlib.Path)
    parser.add_argument("levels", nargs="*", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    navbake, url = options.navbake.resolve(), served()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for level in options.levels:
            measured(navbake, folder, url, level.resolve(), options.runs)
        if options.levels:
            return
        driver = browser(LOOPBACK)
        driver.set_script_timeout(60)
        try:
            small(navbake, folder, url, driver)
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
