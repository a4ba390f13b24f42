#!/usr/bin/python3
"""Uses every control of the settings of a report page in a real browser, and compares each shown
cost with `navbake query`.

usage: settings.py NAVBAKE [--runtime FILE.wasm] [SCREENSHOT.png]

The page shows a command with the same answer; this runs it. Costs that were tried become lines for
the config; this bakes with them.
"""

import json
import pathlib
import re
import shlex
import subprocess
import tempfile
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from test import Page, arguments, browser, check, exchange_runtime

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "fixtures"

CASTLE = """
[[agent]]
name = "guard"
radius = 0.3
[rooms]
enabled = true
"""

# Name, level, config (a file or its text), and the ends of a path as shares of the plan from its
# middle.
LEVELS = [
    ("battlefield", "battlefield/blank.txt", "battlefield/bake.toml", ((-0.2, 0.2), (0.1, -0.25))),
    ("hexagons", "hexagons/hexagons.map", None, ((-0.359, 0.364), (-0.343, -0.13))),
    ("networks", "grid10/grid10.txt", "networks/grid10.toml", ((-0.234, -0.405), (0.233, 0.42))),
    ("castle", "rooms/castle.obj", CASTLE, ((0.035, 0.237), (-0.04, -0.165))),
    ("office", "office/office.obj", "office/bake.toml", ((-0.334, -0.228), (0.116, 0.293))),
]


class Settings:
    """The page of one level, with the command beside it."""

    def __init__(self, driver, folder, navbake, runtime, level):
        self.name, self.level, self.config, self.ends = level
        self.driver, self.folder, self.navbake = driver, folder, navbake
        self.page, self.compared = Page(driver), 0
        self.bake(self.baked())
        check_blob = [navbake, "check", f"{self.name}.nav", "--html", f"{self.name}.html", "--quiet"]
        ran = subprocess.run(check_blob, cwd=folder, stdout=subprocess.DEVNULL)
        check(ran.returncode in (0, 1), f"navbake check ended with {ran.returncode}")
        if runtime:
            exchange_runtime(folder / f"{self.name}.html", runtime)
        driver.get((folder / f"{self.name}.html").as_uri())
        self.page.keys("x")
        check(self.one("settings").is_displayed(), "x does not show the settings")

    def baked(self):
        """The text of the config, empty without one."""
        config = self.config or ""
        return config if "\n" in config or not config else (FIXTURES / config).read_text()

    def bake(self, config):
        """Beside the level's own files, which the config may name."""
        level = FIXTURES / self.level
        options = []
        if config:
            file = self.folder / f"{self.name}.toml"
            for image in (FIXTURES / self.level).parent.glob("*.png"):
                (self.folder / image.name).write_bytes(image.read_bytes())
            file.write_text(config)
            options = ["--config", file]
        command = [self.navbake, "bake", level, "-o", f"{self.name}.nav", "--quiet", "--force", "--table-budget", "none", *options]
        ran = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        check(ran.returncode == 0, f"{self.name}: the bake ended with {ran.returncode}: {ran.stderr}")

    def one(self, id):
        return self.driver.find_element(By.ID, id)

    def options(self, id):
        return [option.get_attribute("value") for option in Select(self.one(f"set-{id}")).options]

    def choose(self, id, value):
        options = Select(self.one(f"set-{id}")).options
        next(o for o in options if o.get_attribute("value") == value).click()

    def type(self, id, value):
        field = self.one(f"set-{id}")
        field.clear()
        field.send_keys(value)

    def click(self, at):
        """At shares of the plan from its middle; the panel covers its right."""
        size = self.page.one("#plan").size
        self.press([(0.5 + share) * size[side] for share, side in zip(at, ("width", "height"))])

    def press(self, at):
        """At pixels of the plan from its corner."""
        plan = self.page.one("#plan")
        offset = [int(at[k] - plan.size[side] / 2) for k, side in enumerate(("width", "height"))]
        ActionChains(self.driver).move_to_element_with_offset(plan, *offset).click().perform()

    def walk(self):
        self.one("path").click()
        for at in self.ends:
            self.click(at)
        self.settle()

    def settle(self):
        """Waits until no answer changes any more."""
        before = None
        for _ in range(100):
            now = self.driver.execute_async_script("const done = arguments[0]; setTimeout(() => done(JSON.stringify(document.getElementById('answer').dataset)), 60);")
            if now == before and "command" in json.loads(now):
                return
            before = now
        check(False, f"{self.name}: no answer came; the page says {self.page.text('#answer')!r}")

    def compare(self, what):
        """The shown cost is the command's."""
        self.settle()
        data = self.one("answer").get_attribute("data-command"), self.one("answer").get_attribute("data-cost")
        words = shlex.split(data[0])
        ran = subprocess.run([self.navbake, *words[1:], "--format", "json"], cwd=self.folder, capture_output=True, text=True)
        check(ran.returncode == 0, f"{self.name}: {data[0]} ended with {ran.returncode}: {ran.stderr}{ran.stdout}")
        answer = json.loads(ran.stdout)
        shown = float(data[1]) if data[1] else None
        cost = answer["cost"] if answer["status"] in ("reached", "partial") else None
        same = (shown is None) == (cost is None) and (cost is None or abs(shown - cost) <= 1e-6)
        check(same, f"{self.name}, {what}: the page says {shown} ({self.page.text('#answer')}), {data[0]} says {cost}, {answer['status']}")
        self.compared += 1
        return shown

    def merged(self):
        """The config with the lines that the page gives."""
        lines = self.one("fragment").get_property("textContent")
        config = self.baked()
        head, _, rest = lines.partition("\n\n") if lines.startswith("[weights.") else ("", "", lines)
        if head:
            table, row = head.strip().split("\n")
            agent = row.split(" = ")[0]
            config = re.sub(rf"(?m)^{re.escape(agent)} *= \[.*\n", "", config)
            config = config.replace(table, f"{table}\n{row}") if table in config else f"{config}\n{head}\n"
        return f"{config}\n{rest}\n"


def each(settings, id, what):
    """Every value of a field, compared."""
    for value in settings.options(id):
        settings.choose(id, value)
        settings.compare(f"{what} {value}")


def planners(settings):
    for planner in settings.options("planner"):
        settings.choose("planner", planner)
        settings.compare(planner)
        if planner in ("optimal", "hierarchical", "auto"):
            continue
        each(settings, "heuristic" if planner != "weighted" else "unit", planner)
        settings.choose("heuristic", "")


def searches(settings):
    """The options of searches over cells."""
    settings.choose("planner", "grid8")
    each(settings, "order", "order")
    settings.choose("order", "a-star")
    settings.type("weight", "2.5")
    settings.compare("weight 2.5")
    settings.type("weight", "much")
    check(settings.one("set-weight").get_attribute("aria-invalid") == "true", "a weight of `much` is not marked")
    settings.compare("a weight that is no number")
    settings.type("weight", "")
    each(settings, "estimate", "estimate")
    settings.type("price", "1.3")
    settings.compare("estimate of 1.3")
    settings.choose("estimate", "least")
    for box in ("reverse", "corner", "partial"):
        settings.one(f"set-{box}").click()
        settings.compare(box)
        settings.one(f"set-{box}").click()
    for field, value in (("turns", "0.5"), ("width", "2")):
        settings.type(field, value)
        settings.compare(f"{field} {value}")
        settings.type(field, "")
        settings.one(f"set-{field}").send_keys("1", Keys.BACKSPACE)
    for planner in ("grid4", "weighted"):
        settings.choose("planner", planner)
        each(settings, "unit", planner)
        settings.choose("unit", "0")
        each(settings, "task", planner)
    settings.choose("task", "")


def changes(settings):
    """Costs and cells that are tried: without the bake they change the path, with it the command
    agrees."""
    settings.choose("planner", "grid8")
    before = settings.compare("as baked")
    field = settings.driver.find_element(By.CSS_SELECTOR, "#costs input[data-area=Plains]")
    field.send_keys("9")
    settings.settle()
    field = settings.driver.find_element(By.CSS_SELECTOR, "#costs input[data-area=Forest]")
    field.send_keys("x")
    settings.settle()
    settings.choose("brush", "block")
    for step in range(7):
        settings.click((-0.12 + 0.012 * step, 0.03))
    settings.choose("brush", "Road" if "Road" in settings.options("brush") else "Swamp")
    settings.click((-0.2, 0.1))
    settings.click((-0.22, 0.1))
    settings.choose("brush", "erase")
    settings.click((-0.22, 0.1))
    settings.choose("brush", "")
    settings.bake(settings.merged())
    after = settings.compare("tried costs and cells")
    check(abs(after - before) > 1e-3, f"{settings.name}: what was tried changes nothing")
    settings.choose("planner", "weighted")
    settings.settle()
    settings.one("set-reset").click()
    check(not settings.one("fragment").is_displayed(), "reset leaves lines for the config")
    settings.bake(settings.baked())
    settings.choose("planner", "grid8")
    check(settings.compare("reset") == before, "reset does not bring the first answer back")


def watched(settings):
    """The search at a rate, then at once; a slider through it."""
    settings.type("rate", "40")
    settings.one("watch").click()
    first = watched_so_far(settings)
    time.sleep(0.5)
    second = watched_so_far(settings)
    check(first < second < first + 100, f"{settings.name}: {second - first} opened in half a second at 40 a second")
    settings.type("rate", "")
    settings.one("set-rate").send_keys("1", Keys.BACKSPACE)
    for _ in range(300):
        if settings.one("steps").get_attribute("data-over"):
            break
        time.sleep(0.1)
    over = settings.one("steps").get_attribute("data-over")
    expanded = int(re.search(r"(\d+) opened", settings.page.text("#answer"))[1])
    check(int(over) == expanded, f"{settings.name}: {over} shown, {expanded} opened")
    settings.one("watch").click()


def watched_so_far(settings):
    for _ in range(100):
        found = re.search(r"of (\d+) opened", settings.page.text("#stepped"))
        if found:
            return int(found[1])
        time.sleep(0.05)
    check(False, f"{settings.name}: the page shows no search: {settings.page.text('#stepped')!r}")


def ground(settings):
    """Ground that is clicked: its area is made dearer or blocked."""
    settings.choose("planner", "weighted")
    before = settings.compare("as baked")
    settings.choose("brush", "double")
    settings.click(settings.ends[0])
    settings.bake(settings.merged())
    check(settings.compare("an area at twice its cost") > before + 1e-3, f"{settings.name}: dearer ground costs no more")
    settings.choose("brush", "block")
    settings.click((-0.05, 0.0))
    blocked = settings.driver.execute_script("return [...document.querySelectorAll('#costs input')].filter(f => f.value === 'x').map(f => f.dataset.area)")
    check(len(blocked) == 1, f"{settings.name}: one click blocks {blocked}")
    settings.bake(settings.merged())
    for planner in ("weighted", "corridor", "midpoints", "optimal", "auto"):
        settings.choose("planner", planner)
        settings.compare(f"{planner} around blocked ground")
    settings.choose("planner", "weighted")
    settings.choose("brush", "erase")
    for at in (settings.ends[0], (-0.05, 0.0)):
        settings.click(at)
    check(not settings.one("fragment").is_displayed(), "what was erased leaves lines for the config")
    settings.bake(settings.baked())
    check(settings.compare("erased") == before, "erasing does not bring the first answer back")
    settings.choose("brush", "")


def doors(settings):
    """Doors that are clicked: their switches close them."""
    places = settings.driver.execute_script("""
        const { D, mesh, at: { midX, midZ, zoom } } = window.navbake, plan = document.getElementById('plan'), m = D.meshes[mesh], places = {};
        for (let p = 0, k = 0; p < m.count; p++) {
            const n = m.corners[k], mean = axis => m.corners.slice(k + 1, k + 1 + 2 * n).filter((_, i) => i % 2 === axis).reduce((a, b) => a + b) / n;
            const at = D.search.area_switches[m.area[p]], pixel = [(mean(0) - midX) * zoom + plan.clientWidth / 2, (mean(1) - midZ) * zoom + plan.clientHeight / 2];
            if (at !== null && pixel[0] < 0.6 * plan.clientWidth) places[at] = pixel;
            k += 1 + 2 * n;
        }
        return places;
    """)
    check(len(places) >= 3, f"{settings.name}: switches close ground at {places}")
    settings.choose("planner", "optimal")
    before = settings.compare("before the doors")
    for number, at in places.items():
        box = settings.one(f"set-switch{number}")
        usual = box.is_selected()
        for brush, closed in (("block", True), ("erase", usual)):
            settings.choose("brush", brush)
            settings.press(at)
            settings.compare(f"{brush} a door")
            check(box.is_selected() == closed, f"{settings.name}: {brush} on a door does not set switch {number}")
    check(settings.compare("doors erased") == before, "doors that were erased stay closed")
    settings.choose("brush", "double")
    settings.click(settings.ends[0])
    settings.bake(settings.merged())
    check(settings.compare("ground at twice its cost") > 1.5 * before, f"{settings.name}: dearer ground costs no more")
    settings.one("set-reset").click()
    settings.bake(settings.baked())
    settings.choose("planner", "optimal")
    check(settings.compare("reset") == before, "reset does not bring the first answer back")


def switches(settings):
    for box in settings.driver.find_elements(By.CSS_SELECTOR, "#switches input"):
        box.click()
        settings.compare("switch")


def main():
    options = arguments()
    navbake, compared = options.navbake.resolve(), 0
    driver = browser()
    # Wide, so that the panel leaves most of the plan free.
    driver.set_window_size(1800, 1000)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for level in LEVELS:
                settings = Settings(driver, pathlib.Path(folder), navbake, options.runtime, level)
                settings.walk()
                planners(settings)
                if settings.name == "battlefield":
                    searches(settings)
                    changes(settings)
                    ground(settings)
                    settings.choose("planner", "grid8")
                    watched(settings)
                    if options.screenshot:
                        driver.save_screenshot(options.screenshot)
                if settings.name == "networks":
                    settings.choose("planner", "network")
                    each(settings, "network", "network")
                if settings.name == "office":
                    doors(settings)
                switches(settings)
                log = [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"]
                check(not log, f"{settings.name}: the console says {log}")
                compared += settings.compared
    finally:
        driver.quit()
    print(f"{compared} costs of the page are those of the command")


if __name__ == "__main__":
    main()
