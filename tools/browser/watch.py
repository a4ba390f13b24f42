#!/usr/bin/python3
"""Uses the page of `navbake watch` in a real browser while a level is saved.

usage: watch.py NAVBAKE [--pictures FOLDER] [SAVES]

A crate of a small level moves with each of the SAVES (8), one of which is broken. The page must
follow, keep its view, show the error and what changed, in 3D and in the plan. Strangers without the
token or of another origin get nothing. See test.py for what has to be there.
"""

import argparse
import http.client
import json
import pathlib
import statistics
import subprocess
import tempfile
import time
import urllib.parse

from selenium.webdriver.common.keys import Keys

from space import SOFTWARE, WATCH, Space, clean, wait
from test import browser, check

LOOPBACK = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
CONFIG = """
[[marker]]
name = "spawn"
position = [-9, 0, 0]
[[marker]]
name = "flag"
position = [9, 0, 0]
[check]
must_reach = [["spawn", "flag"]]
"""


def level(step, closed=False):
    """A floor of 20 m by 12 m, a wall with a gap across it, and a crate, or a longer one in it."""
    lines, corners = [], 0

    def box(name, low, high):
        nonlocal corners
        lines.append(f"g {name}")
        lines.extend(f"v {x} {y} {z}" for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2]))
        sides = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
        lines.extend("f " + " ".join(str(corners + c) for c in side) for side in sides)
        corners += 8

    box("floor", (-10, -0.2, -6), (10, 0, 6))
    box("wall", (-0.1, 0, -6), (0.1, 3, -1))
    box("wall", (-0.1, 0, 1), (0.1, 3, 6))
    x = 0.0 if closed else 3.0 + 0.3 * step
    box("crate", (x - 0.5, 0, -1), (x + 0.5, 1.5, 1))
    return "\n".join(lines) + "\n"


def strangers(url):
    """Requests that must be refused."""
    at = urllib.parse.urlsplit(url)
    own = f"{at.hostname}:{at.port}"
    for path, headers, expected in [
        (at.path, {"Host": own}, 200),
        (at.path, {"Host": "evil.example"}, 403),
        (at.path + "events", {"Host": own, "Origin": "http://evil.example"}, 403),
        ("/", {"Host": own}, 404),
        ("/" + "0" * 32 + "/", {"Host": own}, 404),
        (at.path + "../../etc/passwd", {"Host": own}, 404),
        (at.path + "level.obj", {"Host": own}, 404),
    ]:
        connection = http.client.HTTPConnection(at.hostname, at.port, timeout=10)
        connection.putrequest("GET", path, skip_host=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        check(answer.status == expected, f"{path} with {headers} is answered with {answer.status}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("navbake")
    options.add_argument("saves", nargs="?", type=int, default=8)
    options.add_argument("--pictures", type=pathlib.Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        path, ready = folder / "level.obj", folder / "next.obj"
        (folder / "bake.toml").write_text(CONFIG)
        path.write_text(level(0))
        command = [given.navbake, "watch", path, "--config", folder / "bake.toml", "--no-open", "--format", "json", "--quiet"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            url = json.loads(server.stdout.readline())["url"]
            strangers(url)

            def said():
                """What the command says about a save: of two pages, the one with causes."""
                while True:
                    page = json.loads(server.stdout.readline())
                    if page["error"] or page["causes_seconds"] is not None:
                        return page

            use(url, given, lambda text: (ready.write_text(text), ready.replace(path)), said)
        finally:
            server.kill()
            server.wait()


def use(url, given, save, said_of_save):
    driver = browser(*SOFTWARE, LOOPBACK)
    try:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        driver.get(url)
        page = Space(driver)

        def follows(seconds=60):
            version = said_of_save()["version"]
            wait(driver, f"return document.getElementById('news')?.dataset.version === '{version}' && document.getElementById('stage').dataset.state === 'ready' && +document.getElementById('stage').dataset.frames > 0", f"page {version} is not shown", seconds)

        def pose():
            return driver.execute_script("const c = navbake.view.camera.at; return [c.x + navbake.D.least[0], c.y + navbake.D.least[1], c.z + navbake.D.least[2], c.yaw, c.pitch, c.far]")

        def picture(name):
            if given.pictures:
                given.pictures.mkdir(parents=True, exist_ok=True)
                driver.save_screenshot(str(given.pictures / name))

        wait(driver, "return document.getElementById('stage').dataset.state === 'ready'", "no picture came", 60)
        page.one("#stage").send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, "+")
        page.at_rest()
        before, times = pose(), []
        for step in range(1, given.saves + 1):
            if step == given.saves // 2:
                save("f 1 2 999\n")
                wait(driver, "return !document.getElementById('news').hidden", "a broken save is not reported")
                said_of_save()
                said = page.one("#news").text
                check("vertex" in said and page.one("#stage").is_displayed(), f"the error is {said!r}")
                picture("watch_error.png")
                continue
            began = time.monotonic()
            save(level(step))
            follows()
            times.append(time.monotonic() - began)
            check(not page.one("#news").is_displayed(), "an error stays on a good page")
            page.at_rest()
            now = pose()
            check(all(abs(a - b) < 0.02 for a, b in zip(before, now)), f"the camera moved from {before} to {now}")
            changed = driver.execute_script("return navbake.D.changes.flatMap(c => [c.gained.length, c.lost.length])")
            check(len(changed) == 2 and min(changed) > 0, f"ground gained and lost: {changed}")
        picture("watch.png")
        # Paths lost and found.
        save(level(0, closed=True))
        follows()
        rules = driver.execute_script("return navbake.D.findings.map(f => navbake.D.rules[f.rule].code)")
        check("way-lost" in rules, f"the lost path is not among {rules}")
        picture("watch_lost.png")
        # The plan stays the plan.
        page.one("#as-plan").click()
        save(level(1))
        version = said_of_save()["version"]
        wait(driver, f"return document.getElementById('news')?.dataset.version === '{version}' && !document.getElementById('as-space').disabled && document.getElementById('as-plan').ariaPressed === 'true' && !document.getElementById('plan').hidden", "the plan is not kept", 60)
        rules = driver.execute_script("return navbake.D.findings.map(f => navbake.D.rules[f.rule].code)")
        check("way-new" in rules, f"the path that is back is not among {rules}")
        picture("watch_plan.png")
        clean(driver)
        print(f"{given.saves} saves, 1 broken: save to picture {statistics.median(times):.2f} s (median), {max(times):.2f} s (most)")
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
