#!/usr/bin/python3
"""Bakes levels in a real browser, on the demo page of the package for the web (npm/demo), and
compares the bytes with those of the command.

usage: bake.py NAVBAKE [LEVEL...] [--runs N]

Without a LEVEL the fixtures are baked, one with a config, and one level that is refused. Of LEVELs
the time is measured N times (7), in turns: the command on one thread from start to end, and in node
and in chromium the first bake after `init`, the fastest of the next ones, and one without `init`.
CPU time is that of the thread that bakes: engines compile on others meanwhile. Needs Linux, and
npm/navbake.wasm and npm/baker.wasm (tools/web/build.py). See test.py for what else has to be there.
"""

import argparse
import base64
import functools
import hashlib
import http.server
import json
import pathlib
import resource
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


def native(navbake, folder, level, config=None):
    """Hash of the command's file, and its seconds: of the clock and of the CPU."""
    blob = folder / "native.nav"
    words = [navbake, "bake", level, "-o", blob, "--force", "--threads", "1", *(["--config", config] if config else [])]
    own = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    begin, spent = time.perf_counter(), own()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return hashlib.sha256(blob.read_bytes()).hexdigest(), (time.perf_counter() - begin, own() - spent)


def spent(driver):
    """CPU seconds of the page's worker."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            pass
    seconds = 0.0
    for process in parents:
        above = process
        while above in parents and above != driver.service.process.pid:
            above = parents[above]
        if above != driver.service.process.pid:
            continue
        for thread in pathlib.Path(f"/proc/{process}/task").glob("*"):
            if (thread / "comm").read_text().startswith("DedicatedWorker"):
                seconds += int((thread / "schedstat").read_text().split()[0]) / 1e9
    return seconds


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
    for _ in range(1200):
        if driver.execute_script("return globalThis.demo?.ready && document.getElementById('says').value.includes('no level yet')"):
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
if (process.argv[4] !== 'cold') await init();
// Of this thread.
const spent = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e9;
const seconds = [];
for (let k = 0; k < 8; k++) {
  const [begin, before] = [performance.now(), spent()];
  await bake({ files });
  seconds.push([(performance.now() - begin) / 1000, spent() - before]);
}
console.log(JSON.stringify(seconds));
"""


def in_node(level, *more):
    words = ["node", "--input-type=module", "-e", NODE, (ROOT / "npm/bake.js").as_uri(), level, level.name, *more]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def in_chromium(url, level, expected):
    driver = browser(LOOPBACK)
    driver.set_script_timeout(120)
    try:
        fresh(driver, url)
        seconds = []
        for _ in range(8):
            before = spent(driver)
            said, found, taken = baked(driver, [level])
            check(found == expected, f"{level.name}: other bytes than the command's; the page says {said!r}")
            seconds.append((taken, spent(driver) - before))
        return seconds
    finally:
        driver.quit()


COLD = """
const [address, name, text, done] = arguments;
const source = `import { bake } from '${address}';
addEventListener('message', async ({ data: { name, file } }) => {
  const begin = performance.now();
  const { bytes } = await bake({ files: { [name]: file } });
  postMessage((performance.now() - begin) / 1000);
});
postMessage('ready');`;
const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
const file = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
worker.onmessage = ({ data }) => data === 'ready' ? worker.postMessage({ name, file }) : done(data);"""


def cold(url, level):
    """A bake on a page of its own, without `init`."""
    driver = browser(LOOPBACK)
    driver.set_script_timeout(120)
    try:
        root = url.partition("demo/")[0]
        driver.get(root + "package.json")
        text = base64.b64encode(level.read_bytes()).decode()
        return driver.execute_async_script(COLD, root + "bake.js", level.name, text), spent(driver)
    finally:
        driver.quit()


def measured(navbake, folder, url, level, runs):
    times = {}
    expected, _ = native(navbake, folder, level)
    for _ in range(runs):
        times.setdefault("the command", []).append(native(navbake, folder, level)[1])
        for place, (first, *more) in (("node", in_node(level)), ("chromium", in_chromium(url, level, expected))):
            times.setdefault(f"{place}, first", []).append(first)
            times.setdefault(f"{place}, next", []).append([min(column) for column in zip(*more)])
        times.setdefault("node, without init", []).append(in_node(level, "cold")[0])
        times.setdefault("chromium, without init", []).append(cold(url, level))
    own = None
    for key, values in times.items():
        wall, cpu = middle = [statistics.median(column) for column in zip(*values)]
        own = own or middle
        print(f"| {level.stem} | {key} | {1000 * wall:.0f} | {1000 * cpu:.0f} | {wall / own[0]:.2f} | {cpu / own[1]:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("navbake", type=pathlib.Path)
    parser.add_argument("levels", nargs="*", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_intermixed_args()
    navbake, url = options.navbake.resolve(), served()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if options.levels:
            print("| level | where | ms | CPU ms | ratio | ratio of CPU |\n| --- | --- | --- | --- | --- | --- |", flush=True)
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
