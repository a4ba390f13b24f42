'use strict';
// The page of `navbake watch`: it follows its server, and a newer page begins with the view of this
// one.
(() => {
const page = window.navbake, { D, el } = page, news = el('news'), KEY = 'navbake ' + location.pathname;
const CONTROLS = ['search', 'compare', 'colours'];
const isDark = () => document.documentElement.classList.contains('dark');
const say = what => { news.textContent = what; news.hidden = !what; };

// --- the view, from page to page; places are metres, as the least corner may move
function keep() {
  const view = page.view, at = view.camera?.at, { midX, midZ, zoom } = page.at, [x, , z] = page.metres([midX, 0, midZ]);
  const camera = at && { ...at, x: at.x + D.least[0], y: at.y + D.least[1], z: at.z + D.least[2] };
  const values = CONTROLS.flatMap(id => el(id) ? [[id, el(id).value]] : []);
  const kept = { mesh: page.mesh, storey: page.storey, plan: [x, z, zoom], space: !!page.space, camera, values, cut: isFinite(view.cutY) ? view.cutY + D.least[1] : null, dark: isDark() };
  sessionStorage.setItem(KEY, JSON.stringify(kept));
}
const kept = JSON.parse(sessionStorage.getItem(KEY) || 'null');
function resume() {
  for (const [id, value] of kept.values) {
    const control = el(id);
    if (!control || control.options && ![...control.options].some(o => o.value === value)) continue;
    control.value = value;
    control.dispatchEvent(new Event('input'));
    control.dispatchEvent(new Event('change'));
  }
  const [x, z, zoom] = kept.plan;
  page.look(kept.mesh, kept.storey, [(x - D.least[0]) * 100, (z - D.least[2]) * 100, zoom]);
}
if (kept) {
  if (isDark() !== kept.dark) el('theme').click();
  resume();
  page.begun = () => {
    resume();
    page.view.show(kept.space);
    if (!kept.space || !kept.camera) return;
    requestAnimationFrame(() => {
      page.view.cut(kept.cut === null ? Infinity : kept.cut - D.least[1]);
      const { x, y, z, ...rest } = kept.camera;
      page.view.camera.to({ ...rest, x: x - D.least[0], y: y - D.least[1], z: z - D.least[2] }, true);
    });
  };
}

const source = new EventSource('events');
source.onmessage = event => {
  const { version, error } = JSON.parse(event.data);
  if (String(version) !== news.dataset.version) { source.close(); keep(); location.reload(); return; }
  say(error ? 'The last save is not shown: ' + error : '');
};
source.onerror = () => say('navbake watch does not answer; this is the last page that it sent.');
})();
