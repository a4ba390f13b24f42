#!/usr/bin/python3
"""Uses the view in three dimensions in a real browser without a graphics card: every control, a
lost context, the fall-back, two bakes.

usage: space.py NAVBAKE [--pictures FOLDER] [LEVEL ...]

Without levels it makes small ones. Levels are opened as they are, with sizes and times: a row each.
The accessibility check needs axe-core from npm and is left out, with a message, where npm cannot be
reached. See test.py for what has to be there.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from test import CONFIG, Page, browser, check, level

SOFTWARE = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
WATCH = "window.refused = []; document.addEventListener('securitypolicyviolation', e => window.refused.push(e.violatedDirective + ' ' + e.blockedURI));"
AXE = "4.10.3"
# MB of base64 in the page, and seconds until the first picture.
MOST = {"geometry": 3.0, "code": 1.5, "seconds": 6.0}


def started(driver, file):
    """Opens a page; the time until its first picture, s."""
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    driver.get(file.as_uri())
    wait(driver, "return ['ready', 'at hand'].includes(document.getElementById('stage').dataset.state)", "no picture came", 60)
    return driver.execute_script("return performance.now()") / 1000


def wait(driver, script, otherwise, seconds=20):
    for _ in range(seconds * 20):
        if driver.execute_script(script):
            return
        time.sleep(0.05)
    sys.exit(f"browser test: {otherwise}; the view is {driver.execute_script('return document.getElementById(`stage`).dataset.state')!r}")


def clean(driver):
    log = [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "ERROR")]
    check(not log, f"the console says {log}")
    refused = driver.execute_script("return window.refused")
    check(refused == [], f"the policy refused {refused}")


def sizes(file):
    """Base64 of the geometry and all scripts of a page, MB."""
    text = file.read_text()
    geometry = len(re.search(r'id="geometry">([^<]*)<', text).group(1))
    scripts = sum(len(m) for m in re.findall(r"<script>(.*?)</script>", text, re.S))
    runtime = len(re.search(r'id="runtime">([^<]*)<', text).group(1))
    return {"geometry": geometry / 1e6, "code": (scripts + runtime) / 1e6}


class Space(Page):
    def at_rest(self):
        """Waits until two looks see the same number of pictures."""
        before = None
        for _ in range(60):
            frames = self.one("#stage").get_attribute("data-frames")
            if frames == before:
                return
            before = frames
            time.sleep(0.45)
        sys.exit("browser test: the view does not come to rest")

    def seen(self):
        self.at_rest()
        return self.one("#space").screenshot_as_png

    def changes(self, what, act):
        before = self.seen()
        act()
        check(self.seen() != before, f"{what} does not change the picture")

    def ground(self, polygon=True):
        """A place of the picture with ground there, or with level and no ground: pixels of the
        stage."""
        script = """
const stage = document.getElementById('stage'), w = stage.clientWidth, h = stage.clientHeight, found = [];
for (let y = 100; y < h - 100; y += 12) for (let x = 60; x < w - 80; x += 12) {
  const hit = navbake.view.hit(x, y);
  if (hit && (hit.polygon >= 0) === arguments[0] && document.elementFromPoint(x + stage.getBoundingClientRect().left, y + stage.getBoundingClientRect().top) === stage) found.push([x, y]);
}
return found;"""
        return self.driver.execute_script(script, polygon)

    def click(self, place):
        stage = self.one("#stage")
        x, y = place[0] - stage.size["width"] / 2, place[1] - stage.size["height"] / 2
        ActionChains(self.driver).move_to_element_with_offset(stage, int(x), int(y)).click().perform()

    def wait_for_answer(self):
        wait(self.driver, "return document.getElementById('answer').dataset.ends && !/click/.test(document.getElementById('answer').textContent)", "no path came")


def use(page, findings):
    driver, stage = page.driver, page.one("#stage")
    check(not page.one("#plan").is_displayed(), "the plan is shown beside the view")
    for what, key in (("turning", Keys.ARROW_LEFT), ("tilting", Keys.ARROW_UP), ("zooming", "+"), ("flying", "w"), ("flying aside", "d"), ("rising", "e"), ("north", "n"), ("showing all", "0")):
        page.changes(what, lambda key=key: stage.send_keys(key))
    page.changes("dragging", lambda: ActionChains(driver).click_and_hold(stage).move_by_offset(60, 20).release().perform())
    page.changes("moving", lambda: ActionChains(driver).key_down(Keys.SHIFT).click_and_hold(stage).move_by_offset(40, 10).release().key_up(Keys.SHIFT).perform())
    page.changes("the wheel", lambda: ActionChains(driver).scroll_from_origin(ScrollOrigin.from_element(stage), 0, -300).perform())
    page.one("#fit").click()
    for button in ("in", "out"):
        page.changes(button, page.one("#" + button).click)
    page.one("#fit").click()
    # The cut.
    stage.click()
    page.changes("a lower cut", lambda: driver.execute_script("const c = document.getElementById('cut'); c.value = c.min; c.dispatchEvent(new Event('input'))"))
    check("cut at" in page.text("#cut-at"), f"the cut is {page.text('#cut-at')!r}")
    page.changes("the next storey", lambda: stage.send_keys(Keys.PAGE_UP))
    stage.send_keys(Keys.PAGE_UP, Keys.PAGE_UP)
    check(page.text("#cut-at") == "no cut", f"above all storeys: {page.text('#cut-at')!r}")
    stage.send_keys(Keys.PAGE_DOWN)
    # Colours and layers.
    stage.send_keys("l")
    check(page.one("#layers").is_displayed(), "the layers do not open")
    for layer in ("level", "outlines", "doors", "findings"):
        box = page.one("#layer-" + layer)
        page.changes(f"layer {layer}", box.click)
        box.click()
    for layer in ("links", "markers"):
        page.one("#layer-" + layer).click()
        page.one("#layer-" + layer).click()
    options = [o.get_attribute("value") for o in page.one("#colours").find_elements(By.TAG_NAME, "option")]
    check(options[:2] == ["rooms", "islands"], f"colours by {options}")
    page.changes("colours", lambda: page.one("#colours").send_keys("i"))
    check("triangles" in page.text("#about"), f"about the level: {page.text('#about')!r}")
    page.one("#shows").click()
    check(not page.one("#layers").is_displayed(), "the layers do not close")
    # Findings: from the list to the place, and from a pin to the list.
    page.one("#fit").click()
    page.at_rest()
    page.one("#list").click()
    page.keys(Keys.END)
    page.changes("the first finding of the list", lambda: page.keys(Keys.HOME))
    page.one("#fit").click()
    page.changes("Enter in the list", lambda: page.one("#list").send_keys(Keys.ENTER))
    check(page.one(".pin.picked").text == findings[0]["rule"], "the picked finding has no pin")
    page.one("#fit").click()
    page.at_rest()
    page.one("#list").click()
    page.keys(Keys.END)
    page.at_rest()
    page.one("#fit").click()
    page.at_rest()
    before = page.picked()
    driver.execute_script("document.querySelector('.pin:not(.picked)').click()")
    check(page.picked() != before, "a click on a pin picks nothing")
    # Help.
    page.one("#fit").click()
    stage.send_keys("?")
    check("Page Up" in page.text("#keys-text"), "no help")
    page.keys(Keys.ESCAPE)
    check(not page.one("#keys").is_displayed(), "the help stays")
    page.changes("the theme", page.one("#theme").click)
    page.one("#theme").click()


def walk(page, navbake, blob):
    """A path of two clicks, its search, and an agent on and off the ground."""
    stage = page.one("#stage")
    stage.send_keys("0")
    page.at_rest()
    places = page.ground()
    check(len(places) > 20, f"ground at {len(places)} places of the picture")
    stage.send_keys("p")
    for place in (places[0], places[len(places) // 3]):
        page.click(place)
    page.wait_for_answer()
    start, goal = json.loads(page.one("#answer").get_attribute("data-ends"))
    command = [navbake, "query", "path", blob, "--planner", "optimal", "--format", "json"]
    command += [f"--from={','.join(map(str, start))}", f"--to={','.join(map(str, goal))}"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    length = page.one("#answer").get_attribute("data-length")
    if answer["status"] == "reached":
        check(abs(answer["length_xz"] - float(length)) <= 1e-6, f"the page says {length}, the command {answer['length_xz']}")
    else:
        check(page.text("#answer").startswith("no path"), f"the command says {answer['status']}, the page {page.text('#answer')!r}")
    page.one("#watch").click()
    wait(page.driver, "return document.getElementById('steps').dataset.over !== ''", "the search does not end")
    page.one("#watch").click()
    page.one("#path").click()
    # The agent.
    page.one("#stand").click()
    page.click(places[len(places) // 2])
    wait(page.driver, "return / fits here/.test(document.getElementById('answer').textContent)", "the agent does not fit on the navmesh")
    bare = page.ground(False)
    check(bare, "no level without ground in the picture")
    page.click(bare[len(bare) // 2])
    wait(page.driver, "return /does not fit here/.test(document.getElementById('answer').textContent)", "the agent fits where no ground is")
    check("m away" in page.text("#answer") or "no ground" in page.text("#answer"), f"no reason: {page.text('#answer')!r}")
    page.one("#stand").click()


def lose(page):
    """The page goes on after the context was lost."""
    driver = page.driver
    driver.execute_script("window.lost = document.getElementById('stage').getContext('webgl2').getExtension('WEBGL_lose_context'); lost.loseContext()")
    wait(driver, "return document.getElementById('stage').dataset.state === 'lost'", "no context was lost")
    before = int(page.one("#stage").get_attribute("data-frames"))
    driver.execute_script("lost.restoreContext()")
    wait(driver, f"return document.getElementById('stage').dataset.state === 'ready' && +document.getElementById('stage').dataset.frames > {before}", "no picture after the context came back")


def accessible(driver, what, folder):
    """axe-core finds nothing serious."""
    script = folder / "node_modules/axe-core/axe.min.js"
    if not script.exists():
        return
    driver.execute_script(script.read_text())
    found = driver.execute_async_script("const done = arguments[0]; axe.run().then(r => done(r.violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(v => [v.id, v.nodes.map(n => n.target.join(' ') + ': ' + n.failureSummary).slice(0, 3)])));")
    check(not found, f"axe-core on {what}: {json.dumps(found, indent=1)}")


def small(navbake, folder, pictures):
    (folder / "level.obj").write_text(level())
    (folder / "check.toml").write_text(CONFIG)
    command = [navbake, "check", "level.obj", "--config", "check.toml", "--html", "report.html", "--format", "json"]
    findings = json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout)["findings"]
    for name, more in (("level", []), ("other", ["--radius", "0.8"])):
        bake = [navbake, "bake", "level.obj", "-o", f"{name}.nav", "--config", "check.toml", "--table-budget", "none", "--quiet", *more]
        subprocess.run(bake, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    ran = subprocess.run([navbake, "diff", "level.nav", "other.nav", "--html", "diff.html"], cwd=folder, capture_output=True, text=True)
    check(ran.returncode in (0, 1), f"navbake diff ended with {ran.returncode}: {ran.stderr}")
    npm = ["npm", "install", f"axe-core@{AXE}", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    try:
        has_axe = subprocess.run(npm, cwd=folder, capture_output=True, timeout=120).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        has_axe = False
    if not has_axe:
        print("axe-core cannot be had here: accessibility not checked")
    driver = browser(*SOFTWARE)
    try:
        started(driver, folder / "report.html")
        page = Space(driver)
        use(page, findings)
        walk(page, navbake, folder / "level.nav")
        lose(page)
        for theme in ("light", "dark"):
            accessible(driver, f"the report, {theme}", folder)
            page.one("#theme").click()
        clean(driver)
        started(driver, folder / "diff.html")
        compare(page, folder)
        clean(driver)
    finally:
        driver.quit()
    driver = browser("--disable-3d-apis")
    try:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        driver.get((folder / "report.html").as_uri())
        wait(driver, "return document.getElementById('stage').dataset.state === 'no WebGL'", "WebGL where it is switched off")
        page = Space(driver)
        check(page.one("#plan").is_displayed() and not page.one("#space").is_displayed(), "no plan without WebGL")
        check(not page.one("#as-space").is_enabled() and "WebGL" in page.one("#as-space").get_attribute("title"), "the page does not say why")
        clean(driver)
    finally:
        driver.quit()
    print("every control of the view in three dimensions was used")


def compare(page, folder):
    """Two bakes."""
    page.driver.execute_script("document.body.focus()")
    if page.one("#space").is_displayed():
        page.at_rest()
        page.one("#as-plan").click()
    picture = lambda: page.one("#view").screenshot_as_png
    shown = {}
    for mode in ("swipe", "beside", "over"):
        page.driver.execute_script("const m = document.getElementById('compare'); m.value = arguments[0]; m.dispatchEvent(new Event('input'))", mode)
        time.sleep(0.6)
        shown[mode] = picture()
        check(page.one("#before").is_displayed() == (mode != "over"), f"{mode}: the bake before is shown or hidden wrongly")
    check(len(set(shown.values())) == 3, "two ways of comparing look the same")
    page.keys("b")
    slider = page.one("#swipe")
    before = picture()
    slider.send_keys(Keys.HOME)
    time.sleep(0.5)
    check(picture() != before, "the swipe does not change the picture")
    lost = page.driver.execute_script("return navbake.D.changes[0].lost.length")
    check(lost > 0, "a wider agent loses no ground")
    page.one('#as-space').click()
    page.at_rest()
    check(not page.one('#before').is_displayed(), 'the bake before covers the view in three dimensions')
    accessible(page.driver, "the diff", folder)


def large(navbake, file, folder, pictures):
    page = folder / f"{file.stem}.html"
    ran = subprocess.run([navbake, "check", file, "--html", page], capture_output=True, text=True)
    check(ran.returncode in (0, 1), f"navbake check ended with {ran.returncode}: {ran.stderr}")
    found = sizes(page)
    driver = browser(*SOFTWARE)
    driver.set_script_timeout(120)
    try:
        found["seconds"] = started(driver, page)
        view = Space(driver)
        view.at_rest()
        lose(view)
        view.at_rest()
        if pictures:
            driver.save_screenshot(str(pictures / f"{file.stem}.png"))
        clean(driver)
    finally:
        driver.quit()
    print(f"| {file.stem} | {found['geometry']:.2f} | {found['code']:.2f} | {found['seconds']:.1f} |", flush=True)
    for key, most in MOST.items():
        check(found[key] <= most, f"{file.stem}: {key} {found[key]:.2f}, at most {most}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("navbake", type=pathlib.Path)
    parser.add_argument("levels", nargs="*", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if not options.levels:
            small(options.navbake.resolve(), folder, options.pictures)
            return
        print("| level | geometry MB | code MB | first picture s |\n| --- | --- | --- | --- |", flush=True)
        for file in options.levels:
            large(options.navbake.resolve(), file.resolve(), folder, options.pictures)


if __name__ == "__main__":
    main()
