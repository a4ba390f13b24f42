'use strict';
// Two bakes: the one before over the plan or beside it, and the ground that only one of them has.
(() => {
const page = window.navbake, { D, el, css } = page, mode = el('compare');
if (!mode) return;
const plan = el('plan'), before = el('before');
const agents = () => D.meshes[page.mesh].agents, changes = () => D.changes.find(c => agents().includes(c.agent));

// The outlines of the polygons of a navmesh on the storey that is shown.
const cache = new Map();
function paths(m, storey) {
  const key = D.before.indexOf(m) + ' ' + storey;
  if (cache.has(key)) return cache.get(key);
  const fill = new Path2D(), walls = new Path2D();
  for (let p = 0, at = 0; p < m.count; p++) {
    const n = m.corners[at], ring = at + 1;
    at += 1 + 2 * n;
    if (storey >= 0 && m.storey[p] !== storey) continue;
    const corner = k => [m.corners[ring + 2 * (k % n)], m.corners[ring + 2 * (k % n) + 1]];
    for (let k = 0; k < n; k++) if (k) fill.lineTo(...corner(k)); else fill.moveTo(...corner(k));
    fill.closePath();
    for (const k of m.walls[p]) { walls.moveTo(...corner(k)); walls.lineTo(...corner(k + 1)); }
  }
  const made = { fill, walls };
  cache.set(key, made);
  return made;
}
function rings(all) {
  const path = new Path2D();
  for (const ring of all) {
    if (!ring.some(page.onStorey)) continue;
    ring.forEach(([x, , z], k) => k ? path.lineTo(x, z) : path.moveTo(x, z));
    path.closePath();
  }
  return path;
}
function onto(canvas, what) {
  const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight, { midX, midZ, zoom } = page.at, pen = canvas.getContext('2d');
  pen.save();
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.translate(w / 2, h / 2); pen.scale(zoom, zoom); pen.translate(-midX, -midZ);
  what(pen, zoom);
  pen.restore();
}
function overlay(pen, zoom) {
  const own = changes();
  if (!own) return;
  for (const [all, hue] of [[own.gained, '--gained'], [own.lost, '--lost']]) {
    const path = rings(all);
    pen.globalAlpha = 0.75; pen.fillStyle = css(hue); pen.fill(path);
    pen.globalAlpha = 1; pen.lineWidth = 1.5 / zoom; pen.strokeStyle = css(hue); pen.stroke(path);
  }
}
function draw() {
  const how = page.space ? 'over' : mode.value, ratio = window.devicePixelRatio || 1;
  el('view').dataset.compare = how;
  el('swiping').hidden = how !== 'swipe';
  if (page.space) { before.hidden = true; return; }
  onto(plan, overlay);
  const was = D.before.find(m => m.agents.some(a => agents().includes(a)));
  before.hidden = how === 'over' || !was;
  if (before.hidden) return;
  before.style.clipPath = how === 'swipe' ? `inset(0 ${100 - el('swipe').value}% 0 0)` : '';
  before.width = Math.round(before.clientWidth * ratio); before.height = Math.round(before.clientHeight * ratio);
  const pen = before.getContext('2d');
  pen.fillStyle = css('--back'); pen.fillRect(0, 0, before.width, before.height);
  onto(before, (pen, zoom) => {
    const { fill, walls } = paths(was, page.storey);
    pen.fillStyle = css('--ground'); pen.fill(fill);
    pen.lineWidth = 1.6 / zoom; pen.strokeStyle = css('--wall'); pen.stroke(walls);
    overlay(pen, zoom);
  });
}
page.seen.push(draw);
for (const id of ['compare', 'swipe']) el(id).addEventListener('input', () => page.redraw());
new ResizeObserver(() => page.redraw()).observe(before);
document.addEventListener('keydown', e => {
  if (e.key !== 'b' || e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== 'range') return;
  e.preventDefault();
  mode.selectedIndex = (mode.selectedIndex + 1) % mode.length;
  page.redraw();
});
page.redraw();
})();
