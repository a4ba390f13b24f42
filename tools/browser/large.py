#!/usr/bin/python3
"""Opens the report of a large level in a real browser and measures it: by default 30,000 polygons
and 10,000 findings.

usage: large.py NAVBAKE [BLOB ...]

Without blobs it makes a level of 10,201 islands of three polygons each, of which only one can be
reached; blobs are reported as they are. Prints a row each: the report's time and size, the time
until the page is drawn, the time of a frame while the plan is moved and zoomed (median and 95th of
100; a browser draws at most 60 a second), and of a key in the list. Exit code 1 when the arrow keys
do not reach every finding, or the console says something. See test.py for what has to be there.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from test import browser, check

SIDE = 101

# Moves by a key, or zooms by another, and waits until it is drawn each time.
FRAMES = """
const [count, what, done] = arguments, canvas = document.getElementById('plan'), times = [];
const key = (to, key) => to.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
const frame = () => new Promise(then => requestAnimationFrame(() => setTimeout(then)));
(async () => {
  await frame();
  for (let k = 0; k < count; k++) {
    const began = performance.now();
    if (what === 'move') key(canvas, k % 50 < 25 ? 'ArrowRight' : 'ArrowLeft'); else key(document.body, k % 20 < 10 ? '+' : '-');
    await frame();
    times.push(performance.now() - began);
  }
  done(times);
})();
"""

# Walks through the list by the arrow key and looks each time which row is picked, and whether its
# text is below.
KEYS = """
const list = document.getElementById('list'), began = performance.now();
const key = key => list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
let seen = 0;
key('Home');
for (let k = 1; k <= arguments[0]; k++) {
  const row = document.querySelector('.row[aria-selected=true]');
  if (!row || row.getAttribute('aria-posinset') !== String(k) || list.getAttribute('aria-activedescendant') !== row.id) break;
  if (!document.getElementById('detail').textContent.includes(row.querySelector('span').textContent)) break;
  seen = k;
  key('ArrowDown');
}
return [seen, performance.now() - began];
"""


def level():
    """An OBJ file: floors like an L, a metre apart."""
    lines, corners = [], 0
    for row in range(SIDE):
        for column in range(SIDE):
            x, z = 6.0 * column, 6.0 * row
            places = ((x, z), (x, z + 5), (x + 2.5, z + 5), (x + 2.5, z + 2.5), (x + 5, z + 2.5), (x + 5, z))
            lines.extend(f"v {u} 0 {w}" for u, w in places)
            lines.append("f " + " ".join(str(corners + k) for k in range(1, 7)))
            corners += 6
    return "\n".join(lines) + "\n"


def drawn(driver, page):
    """Opens a page; how long until it is drawn, s."""
    driver.get(page.as_uri())
    script = "const done = arguments[0]; requestAnimationFrame(() => setTimeout(() => done(performance.now())));"
    return driver.execute_async_script(script) / 1000


def walk(driver, findings):
    """All findings by the arrow key, as the page sees it pressed; the time of a key, ms. test.py
    presses real ones."""
    seen, taken = driver.execute_script(KEYS, findings)
    check(seen == findings, f"the arrow keys came to {seen} findings one after the other, of {findings}")
    return taken / findings


def measure(navbake, blob, folder):
    page = folder / "report.html"
    began = time.monotonic()
    ran = subprocess.run([navbake, "check", blob, "--html", page], capture_output=True, text=True)
    seconds = time.monotonic() - began
    check(ran.returncode in (0, 1), f"navbake check ended with {ran.returncode}: {ran.stderr}")
    driver = browser()
    driver.set_script_timeout(120)
    try:
        load = drawn(driver, page)
        shape = "const d = JSON.parse(document.getElementById('data').textContent); return [d.meshes.reduce((n, m) => n + m.count, 0), d.findings.length];"
        polygons, findings = driver.execute_script(shape)
        row = [blob.stem, polygons, findings, f"{seconds:.2f}", f"{page.stat().st_size / 1e6:.2f}", f"{load:.2f}"]
        for what in ("move", "zoom"):
            times = sorted(driver.execute_async_script(FRAMES, 100, what))
            row.append(f"{statistics.median(times):.0f} / {times[94]:.0f}")
        row.append(f"{walk(driver, findings):.1f}" if findings else "")
        log = [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"]
        check(not log, f"the console says {log}")
    finally:
        driver.quit()
    print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
    return polygons, findings


def main():
    navbake = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        blobs = [pathlib.Path(name).resolve() for name in sys.argv[2:]]
        print("| level | polygons | findings | report s | page MB | drawn after s | frame moved ms | frame zoomed ms | key ms |")
        print("|" + " --- |" * 9, flush=True)
        for blob in blobs:
            measure(navbake, blob, folder)
        if blobs:
            return
        (folder / "large.obj").write_text(level())
        bake = [navbake, "bake", "large.obj", "-o", "large.nav", "--table-budget", "none", "--quiet"]
        subprocess.run(bake, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        polygons, findings = measure(navbake, folder / "large.nav", folder)
        check(polygons >= 20_000 and findings >= 10_000, f"{polygons} polygons and {findings} findings")


if __name__ == "__main__":
    main()
