#!/usr/bin/python3
"""Opens a report in a real browser, from disk and with the network off, and uses it as a person
would.

usage: test.py NAVBAKE [--runtime FILE.wasm] [SCREENSHOT.png]

NAVBAKE is the command. With --runtime the page gets that runtime instead of the one in the tree.
Debian's packages chromium, chromium-driver and python3-selenium have to be there.
"""

import argparse
import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zlib

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

# As the name of a file and of a room.
EVIL = "<img src=x onerror=alert(1)>"

# The second floor has no way to it.
CONFIG = """
[check]
starts = [[-9.0, 0.0, 0.0]]
must_reach = [[[-9.0, 0.0, 0.0], [16.0, 0.0, 0.0]]]

[rooms]
enabled = true
[rooms.names]
"</script><img src=x onerror=alert(1)>" = [-9.0, 0.0, 0.0]
"""


def level():
    """An OBJ file: floors of 20 m x 20 m and 10 m x 10 m apart from each other, a wall across the
    first, and islands enough for a long list."""
    lines, corners = [], 0

    def floor(name, x0, z0, x1, z1, y=0.0):
        nonlocal corners
        lines.append(f"g {name}")
        lines.extend(f"v {x} {y} {z}" for x, z in ((x0, z0), (x0, z1), (x1, z1), (x1, z0)))
        lines.append("f " + " ".join(str(corners + k) for k in (1, 2, 3, 4)))
        corners += 4

    floor("hall", -10, -10, 10, 10)
    floor("island", 12, -5, 22, 5)
    lines.append("g wall")
    lines.extend(f"v {x} {y} {z}" for x in (-0.1, 0.1) for y in (0, 3) for z in (-8, 8))
    lines.extend("f " + " ".join(str(corners + k) for k in side) for side in ((1, 2, 4, 3), (5, 7, 8, 6), (1, 3, 7, 5), (2, 6, 8, 4)))
    corners += 8
    for k in range(60):
        floor(f"strip{k}", 40 + 4 * k, 0, 43.5 + 4 * k, 3.5)
    return "\n".join(lines) + "\n"


def browser(*more):
    """A browser; by default without WebGL, so that pages show the plan."""
    options = webdriver.ChromeOptions()
    # No network: whatever the page asked for would fail, and be seen in the log.
    for option in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--window-size=1280,800",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        *(more or ("--disable-3d-apis",)),
    ):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.chrome.service.Service("/usr/bin/chromedriver")
    return webdriver.Chrome(service=service, options=options)


class Page:
    def __init__(self, driver):
        self.driver = driver

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.one(selector).text

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def row(self, selector, attribute):
        """Rows are made anew whenever the list moves, so that one look has to do."""
        return self.driver.execute_script(
            "const row = document.querySelector(arguments[0]); return row && row.getAttribute(arguments[1]);", selector, attribute
        )

    def picked(self):
        return self.row(".row[aria-selected=true]", "aria-posinset")

    def wait_for_length(self):
        for _ in range(100):
            length = self.one("#answer").get_attribute("data-length")
            if length:
                return float(length)
            time.sleep(0.1)
        sys.exit(f"browser test: no path came; the page says {self.text('#answer')!r}")

    def picture(self):
        """The plan as it is drawn, once it is."""
        return self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(document.getElementById('plan').toDataURL())));"
        )

    def hover_middle(self):
        ActionChains(self.driver).move_to_element(self.one("#plan")).perform()


def check(said, what):
    if not said:
        sys.exit(f"browser test: {what}")


def walk(page, findings):
    """Every finding by the keyboard alone."""
    page.one("#list").click()
    page.keys(Keys.HOME)
    seen = []
    for _ in range(findings):
        seen.append(page.picked())
        page.keys(Keys.ARROW_DOWN)
    check(seen == [str(k + 1) for k in range(findings)], f"the arrow keys went {seen}")


def arguments():
    """Those of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("navbake", type=pathlib.Path)
    parser.add_argument("screenshot", nargs="?")
    parser.add_argument("--runtime", type=pathlib.Path)
    return parser.parse_args()


def main():
    options = arguments()
    navbake = options.navbake.resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / f"{EVIL}.obj").write_text(level())
        (folder / "check.toml").write_text(CONFIG)
        command = [navbake, "check", f"{EVIL}.obj", "--config", "check.toml", "--html", "report.html", "--format", "json"]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        check(ran.returncode == 1, f"navbake check ended with {ran.returncode}: {ran.stderr}")
        if options.runtime:
            exchange_runtime(folder / "report.html", options.runtime)
        report = json.loads(ran.stdout)
        findings = report["findings"]
        check(len(findings) > 40, f"{len(findings)} findings")
        # Without tables the command has to search.
        blob = folder / "level.nav"
        bake = [navbake, "bake", f"{EVIL}.obj", "-o", blob, "--config", "check.toml", "--table-budget", "none", "--quiet"]
        subprocess.run(bake, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        driver = browser()
        try:
            driver.get((folder / "report.html").as_uri())
            page = Page(driver)
            use(page, findings)
            path(page, navbake, blob)
            log = [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"]
            check(not log, f"the console says {log}")
            if options.screenshot:
                page.keys(Keys.HOME)
                driver.save_screenshot(options.screenshot)
        finally:
            driver.quit()
    print(f"the browser showed {len(findings)} findings; all of them were reached by the keyboard")


def exchange_runtime(page, runtime):
    """Puts another runtime into a page."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = base64.b64encode(packer.compress(runtime.read_bytes()) + packer.flush()).decode()
    text, count = re.subn(r'(id="runtime">)[^<]*', lambda found: found[1] + packed, page.read_text())
    check(count == 1, f"the page has {count} runtimes")
    page.write_text(text)


def path(page, navbake, blob):
    """Two clicks show the way that the command finds."""
    ground = page.one("#plan")
    page.keys("0")
    # The first floor, around its middle, in the plan's own pixels.
    page.keys("p")
    middle = page.driver.execute_script(
        "const c = document.getElementById('plan').getBoundingClientRect(); return [c.width, c.height];"
    )
    for target in ((-0.445, 0.015), (-0.41, -0.01)):
        ActionChains(page.driver).move_to_element_with_offset(
            ground, int(target[0] * middle[0]), int(target[1] * middle[1])
        ).click().perform()
    length = page.wait_for_length()
    start, goal = json.loads(page.one("#answer").get_attribute("data-ends"))
    command = [navbake, "query", "path", blob, "--planner", "optimal", "--format", "json"]
    command += [f"--from={','.join(map(str, start))}", f"--to={','.join(map(str, goal))}"]
    ran = subprocess.run(command, capture_output=True, text=True)
    answer = json.loads(ran.stdout)
    check(answer["status"] == "reached", f"the command says {answer['status']}")
    check(abs(answer["length_xz"] - length) <= 1e-6, f"the page says {length}, the command {answer['length_xz']}")
    search(page, answer["expanded"])
    page.keys("p")


def search(page, expanded):
    """The search of that path, by the keyboard: as many nodes as the command opens, one after the
    other."""
    check(expanded > 2, f"the command opened {expanded} nodes: the way is too easy for this test")
    page.keys("s")
    for _ in range(100):
        over = page.one("#steps").get_attribute("data-over")
        if over:
            break
        time.sleep(0.1)
    check(over == str(expanded), f"the page opened {over} nodes, the command {expanded}")
    slider = page.one("#step")
    check(page.driver.switch_to.active_element == slider, "the slider has not got the keyboard")
    check(page.text("#stepped").startswith(f"{expanded} of {expanded} opened, polygon "), f"the page says {page.text('#stepped')!r}")
    pictures = []
    for key, shown in ((Keys.HOME, 0), (Keys.ARROW_RIGHT, 1), (Keys.ARROW_RIGHT, 2), (Keys.END, expanded), (Keys.ARROW_LEFT, expanded - 1)):
        page.keys(key)
        text = page.text("#stepped")
        check(text.startswith(f"{shown} of {expanded} opened"), f"after {shown} nodes the page says {text!r}")
        check(slider.get_attribute("aria-valuetext") == text, "the screen reader gets another text")
        pictures.append(page.picture())
    check(len(set(pictures)) == len(pictures), "the plan looks the same after different numbers of nodes")
    page.keys("s")
    check(not page.one("#steps").is_displayed(), "the search stays on the page")


def use(page, findings):
    walk(page, len(findings))
    # The first is the worst; Enter centres it, and the pointer in the middle shows what it is.
    page.keys(Keys.HOME, Keys.ENTER)
    check(findings[0]["rule"] in page.text("#detail"), "the detail does not tell the rule")
    check("Cure: " in page.text("#detail"), "the detail does not tell the cure")
    page.hover_middle()
    # The page has no back-ticks.
    check(findings[0]["message"].replace("`", "") in page.text("#tip"), f"the tip says {page.text('#tip')!r}")
    x, _, z = findings[0]["place"]
    # Pointers stand on whole pixels.
    _, at_x, _, at_z = page.text("#place").split()
    near = max(abs(float(at_x) - x), abs(float(at_z) - z)) <= 0.1
    check(near, f"the place is {page.text('#place')!r}, and the finding's ({x}, {z})")
    # A click on a finding in the plan picks it.
    page.one("#list").click()
    page.keys(Keys.END)
    page.keys(Keys.HOME, Keys.ENTER, Keys.END)
    last = page.picked()
    page.keys(Keys.ENTER)
    ActionChains(page.driver).move_to_element(page.one("#plan")).click().perform()
    check(page.picked() == last, f"a click picked {page.picked()}, not {last}")
    # Filters.
    page.one("#severities .error").click()
    size = page.row(".row", "aria-setsize")
    errors = sum(f["severity"] == "error" for f in findings)
    check(int(size) == len(findings) - errors, f"{size} findings without errors")
    page.one("#severities .error").click()
    page.one("#search").send_keys("no path from")
    rows = page.driver.find_elements(By.CSS_SELECTOR, ".row")
    check(len(rows) == 1, f"{len(rows)} rows for the search")
    page.one("#search").clear()
    page.one("#search").send_keys(" ", Keys.ESCAPE)
    # Ground under the pointer, after all is shown again.
    page.keys("0")
    page.one("#theme").click()
    check("dark" in (page.one("html").get_attribute("class") or ""), "it is not dark")
    page.one("#theme").click()
    check(page.text("h1") == f"{EVIL}.obj", f"the heading is {page.text('h1')!r}")
    name = page.driver.execute_script("return JSON.parse(document.getElementById('data').textContent).meshes[0].rooms[0]")
    check(name == f"</script>{EVIL}", f"the room's name is {name!r}")
    images = page.driver.find_elements(By.TAG_NAME, "img")
    check(not images, "a name in the level became an element")


if __name__ == "__main__":
    main()
