'use strict';
// Pins, labels, the scale and the controls of the view in three dimensions.
(() => {
const page = window.navbake, { D, el, text } = page;
const CELL = 64, MOST_PINS = 50, MOST_LABELS = 40;
const at = p => p.map(c => c / 100);
const layers = {};

// --- pins: findings near each other in the picture are one
page.overlay = (camera, visible, standing) => {
  const stage = el('stage'), w = stage.clientWidth, h = stage.clientHeight, v = new THREE.Vector3(), made = [];
  const spot = p => {
    v.set(...p).project(camera.eye);
    const x = (v.x + 1) / 2 * w, y = (1 - v.y) / 2 * h;
    return v.z > -1 && v.z < 1 && x > -20 && x < w + 20 && y > 0 && y < h + 20 ? { x, y, far: v.z } : null;
  };
  if (layers.findings !== false) made.push(...pins(spot, visible));
  made.push(...labels(spot, visible, camera, standing));
  el('pins').replaceChildren(...made);
  scale(camera);
};
function pins(spot, visible) {
  const groups = new Map();
  for (const i of page.shown) {
    const f = D.findings[i];
    if (!f.at) continue;
    const p = at(f.at), s = visible(p) && spot(p);
    if (!s) continue;
    const key = i === page.picked ? 'picked' : Math.floor(s.x / CELL) + ' ' + Math.floor(s.y / CELL), group = groups.get(key);
    if (!group) groups.set(key, { ...s, i, severity: f.severity, all: [i] });
    else {
      group.all.push(i);
      if (f.severity < group.severity) Object.assign(group, s, { i, severity: f.severity });
    }
  }
  const worst = [...groups.values()].sort((a, b) => (b.i === page.picked) - (a.i === page.picked) || a.severity - b.severity || b.all.length - a.all.length);
  return worst.slice(0, MOST_PINS).map(group => {
    const f = D.findings[group.i], b = document.createElement('button'), several = group.all.length > 1;
    b.type = 'button'; b.tabIndex = -1;
    b.className = `pin ${page.SEVERITIES[f.severity]}` + (group.i === page.picked ? ' picked' : '');
    b.style.left = group.x + 'px'; b.style.top = group.y + 'px';
    // A sign beside the colour says how severe it is.
    b.textContent = several ? String(group.all.length) : group.i === page.picked ? D.rules[f.rule].code : '\u00d7!i'[f.severity];
    b.title = (several ? `${group.all.length} findings, the worst: ` : '') + `${D.rules[f.rule].code}: ${f.message}`;
    b.setAttribute('aria-label', b.title);
    // Another click goes to the next one of a group.
    b.addEventListener('click', () => page.pick(group.all[(group.all.indexOf(page.picked) + 1) % group.all.length], several));
    return b;
  });
}
function labels(spot, visible, camera, standing) {
  const all = [], near = camera.at.far < 70;
  const add = (p, of, content, always) => { const s = content && visible(p) && spot(p); if (s) all.push({ ...s, of, content, always }); };
  const m = D.meshes[page.mesh];
  if (standing) add([standing.at[0], standing.at[1] + standing.top, standing.at[2]], 'body', standing.label, true);
  if (layers.markers !== false) for (const k of D.markers) add(at(k.at), 'marker', k.name, true);
  if (layers.doors !== false && near) for (const d of m.doors) add(at(d.a.map((c, k) => (c + d.b[k]) / 2)), 'door', (d.name ? d.name + ' ' : '') + `${d.width.toFixed(2)} m`);
  if (layers.links !== false && near) for (const l of m.links) add(at(l.a.map((c, k) => (c + l.b[k]) / 2)), 'link', l.name);
  all.sort((a, b) => (b.always === true) - (a.always === true) || a.far - b.far);
  const taken = [], free = s => { const fits = taken.every(t => Math.abs(t.x - s.x) > 70 || Math.abs(t.y - s.y) > 18); if (fits) taken.push(s); return fits; };
  return all.filter(free).slice(0, MOST_LABELS).map(l => {
    const made = text('span', l.content.slice(0, 40), 'label ' + l.of);
    made.style.left = l.x + 'px'; made.style.top = l.y + 'px';
    return made;
  });
}
function scale(camera) {
  const metre = 1 / camera.pixel(), most = 130 / metre, power = 10 ** Math.floor(Math.log10(most)), long = [5, 2, 1].map(k => k * power).find(k => k <= most) || power;
  el('bar').style.width = `${Math.round(long * metre)}px`;
  el('bar-text').textContent = long >= 1000 ? `${long / 1000} km` : long >= 1 ? `${long} m` : `${Math.round(long * 100)} cm`;
  el('north').style.transform = `rotate(${(camera.at.yaw * 180 / Math.PI).toFixed(1)}deg)`;
  el('scale').setAttribute('aria-label', `scale: the bar is ${el('bar-text').textContent} long; north is -z, ${Math.round(((camera.at.yaw * 180 / Math.PI) % 360 + 360) % 360)} degrees to the right of up`);
}

// --- does an agent fit? The navmesh says so; the triangles of the page say why not
page.fits = async (data, p, normal, own) => {
  const world = p.map((c, k) => c + D.least[k]), rt = await page.runtime();
  const at = rt.ground(page.walker(), ...world) ? [...new Float64Array(rt.memory.buffer, rt.answer(), 3)] : null;
  const aside = at ? Math.hypot(at[0] - world[0], at[2] - world[2]) : Infinity, off = at ? Math.abs(at[1] - world[1]) : Infinity;
  const name = `${own.name} (radius ${own.radius.toFixed(2)} m, height ${own.height.toFixed(2)} m)`;
  if (aside < 0.02 && off <= Math.max(0.3, own.climb)) return { fits: true, why: `${name} fits here` };
  const reasons = because(data, p, normal, own), where = at && off <= 8 ? `; the nearest ground is ${Math.hypot(aside, off).toFixed(2)} m away` : '; no ground within 0.5 m';
  return { fits: false, why: `${name} does not fit here` + (reasons ? ': ' + reasons : '') + where + nearest(p, own) };
};
function because(data, p, normal, own) {
  if (!data.meshes.length) return '';
  const found = [], l = normal ? Math.hypot(...normal) : 0, slope = l ? Math.acos(Math.min(1, Math.abs(normal[1]) / l)) * 180 / Math.PI : 0;
  if (slope > own.slope + 0.05) found.push(`the slope is ${slope.toFixed(1)}° of at most ${own.slope.toFixed(1)}°`);
  const above = page.rays.level(data.meshes, [p[0], p[1] + 0.05, p[2]], [0, 1, 0], Infinity, own.height);
  if (above) found.push(`${(above.far + 0.05).toFixed(2)} m of head room, ${own.height.toFixed(2)} m needed`);
  let wall = Infinity;
  for (const up of [own.climb + 0.05, own.height * 0.6]) {
    for (let k = 0; k < 16; k++) {
      const a = k * Math.PI / 8, side = page.rays.level(data.meshes, [p[0], p[1] + up, p[2]], [Math.cos(a), 0, Math.sin(a)], Infinity, Math.min(wall, own.radius));
      if (side) wall = side.far;
    }
  }
  if (wall < own.radius) found.push(`something is ${wall.toFixed(2)} m beside it, ${own.radius.toFixed(2)} m needed`);
  return found.join(', ');
}
function nearest(p, own) {
  let best = null, far = 3;
  for (const f of D.findings) {
    if (!f.at || (f.agent && f.agent !== own.name)) continue;
    const d = Math.hypot(...at(f.at).map((c, k) => c - p[k]));
    if (d < far) [best, far] = [f, d];
  }
  return best ? `. A finding ${far.toFixed(1)} m away: ${best.message}` : '';
}

// --- controls
const KEYS = [
  ['drag, arrow keys', 'turn'], ['right drag, Shift and drag or arrow keys', 'move'], ['wheel, + and -', 'zoom'], ['W A S D, Q and E', 'fly; down and up'], ['0', 'show all'], ['n', 'north up'],
  ['Page Up, Page Down', 'cut a storey higher or lower'], ['p', 'path: click two points, or Enter at the cross'], ['s', 'watch the search of that path; the arrow keys step through it'],
  ['g', 'put the agent somewhere: click, or Enter at the cross'], ['l', 'colours and layers'], ['2, 3', 'plan, three dimensions'], ['/', 'search findings'],
  ['arrow keys in the list', 'next and previous finding; Enter goes there'], ['c', 'copy the place of the finding'], ...(el('compare') ? [['b', 'two bakes: swiped, side by side, changes alone']] : []), ['t', 'light or dark'], ['?', 'these keys'],
];
function help() {
  const made = document.createElement('dl');
  for (const [key, what] of KEYS) made.append(text('dt', key), text('dd', what));
  el('keys-text').replaceChildren(made);
  el('keys').showModal();
}
page.controls = (data, all) => {
  const { level } = data.head;
  for (const [name, title] of all) {
    const label = document.createElement('label'), box = document.createElement('input');
    box.type = 'checkbox'; box.id = 'layer-' + name; box.checked = true;
    box.addEventListener('change', () => { layers[name] = box.checked; page.view.layer(name, box.checked); });
    label.append(box, ' ' + title);
    el('boxes').append(label);
  }
  const count = n => n.toLocaleString('en');
  el('about').textContent = !level ? 'The page was made from a navmesh file, which does not have the level.'
    : `Level: ${count(level.triangles)} triangles` + (level.cell ? `, drawn as ${count(level.drawn)}` : '') + `; off by at most ${level.error < 0.01 ? '1 cm' : (level.error + 0.005).toFixed(2) + ' m'}.`;
  el('colours').addEventListener('input', () => page.redraw());
  el('cut').addEventListener('input', () => page.view.cut(+el('cut').value));
  el('shows').addEventListener('click', layer);
  el('stand').addEventListener('click', () => page.view.place());
};
function layer() {
  const hidden = el('layers').hidden = !el('layers').hidden;
  el('shows').setAttribute('aria-expanded', String(!hidden));
  if (!hidden) el('colours').focus();
}
el('help').addEventListener('click', help);
el('theme').addEventListener('click', () => { if (page.space) page.view.theme(); });
document.addEventListener('keydown', e => {
  const field = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== 'range' && e.target.type !== 'checkbox';
  if (e.ctrlKey || e.metaKey || e.altKey || field || el('keys').open) return;
  const act = { '?': help, 2: () => page.view.show(false), 3: () => page.view.show(true) }[e.key]
    || (page.space && { l: layer, g: () => page.view.place(), PageUp: () => page.view.toStop(1), PageDown: () => page.view.toStop(-1), t: () => page.view.theme() }[e.key]);
  if (!act || (e.key.startsWith('Page') && e.target === el('list'))) return;
  e.preventDefault();
  act();
});
el('stage').addEventListener('keydown', e => {
  if (e.key !== 'Enter') return;
  e.preventDefault();
  page.view.clicked(el('stage').clientWidth / 2, el('stage').clientHeight / 2);
});
})();
