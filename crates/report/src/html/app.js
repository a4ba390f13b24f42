'use strict';
// The plan and the list of findings. All text of the level is set as text, never as markup.
(() => {
const D = JSON.parse(document.getElementById('data').textContent);
// Names are not set off in a page, and areas of levels in other units have too many digits.
for (const f of D.findings) f.message = f.message.replaceAll('`', '').replace(/(\d{3,})\.\d+ m2/g, '$1 m2');
for (const r of D.rules) for (const key of ['finds', 'cure']) r[key] = r[key].replaceAll('`', '');
const el = id => document.getElementById(id);
const colours = new Map();
const css = name => {
  if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return colours.get(name);
};
const SEVERITIES = ['error', 'warning', 'note'];
const ROW = 46, NEAR = 9;
// Places come as whole centimetres from the least corner.
const [OX, OY, OZ] = D.least;
const metres = p => [p[0] / 100 + OX, p[1] / 100 + OY, p[2] / 100 + OZ];
const written = p => metres(p).map(c => (Math.round(c * 100) / 100 || 0).toFixed(2)).join(', ');

// --- state
let mesh = 0, storey = -1, picked = -1, shown = [];
let walking = false, ends = [], walked = [];
let opened = [], watching = 0;
let zoom = 1, midX = 0, midZ = 0, pointer = null;
const on = new Set(SEVERITIES);
const canvas = el('plan'), pen = canvas.getContext('2d');

// --- the meshes: outlines to draw, buckets to look up
// So many colours: where there are thousands of islands, each by itself would take its time.
const TONES = 48;
// Drawing more polygons than these takes longer than a frame.
const MANY = 4000;
const cache = new Map();
function drawn() {
  const key = mesh + ' ' + storey;
  if (cache.has(key)) return cache.get(key);
  const m = D.meshes[mesh], fills = new Map(), edges = new Path2D(), walls = new Path2D();
  const all = [], kinds = new Set(), box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let p = 0, at = 0; p < m.count; p++) {
    const n = m.corners[at], ring = at + 1, wall = m.walls[p];
    at += 1 + 2 * n;
    if (storey >= 0 && m.storey[p] !== storey) continue;
    const kind = m.rooms.length ? m.room[p] : m.area ? settings.tone(m.area[p]) : m.island[p];
    kinds.add(kind);
    if (!fills.has(kind % TONES)) fills.set(kind % TONES, new Path2D());
    const fill = fills.get(kind % TONES);
    const b = [Infinity, Infinity, -Infinity, -Infinity];
    for (let k = 0; k < n; k++) {
      const x = m.corners[ring + 2 * k], z = m.corners[ring + 2 * k + 1];
      const j = (k + 1) % n, x2 = m.corners[ring + 2 * j], z2 = m.corners[ring + 2 * j + 1];
      if (k) fill.lineTo(x, z); else fill.moveTo(x, z);
      const side = wall.includes(k) ? walls : edges;
      side.moveTo(x, z); side.lineTo(x2, z2);
      b[0] = Math.min(b[0], x); b[1] = Math.min(b[1], z); b[2] = Math.max(b[2], x); b[3] = Math.max(b[3], z);
    }
    fill.closePath();
    all.push({ p, ring, n, b });
    box[0] = Math.min(box[0], b[0]); box[1] = Math.min(box[1], b[1]); box[2] = Math.max(box[2], b[2]); box[3] = Math.max(box[3], b[3]);
  }
  const side = Math.max(1, Math.ceil(Math.sqrt(all.length))), buckets = new Map();
  const slot = (v, low, high) => Math.min(side - 1, Math.max(0, Math.floor((v - low) / ((high - low) || 1) * side)));
  for (const one of all) {
    for (let i = slot(one.b[0], box[0], box[2]); i <= slot(one.b[2], box[0], box[2]); i++) {
      for (let j = slot(one.b[1], box[1], box[3]); j <= slot(one.b[3], box[1], box[3]); j++) {
        const key = i * side + j;
        if (!buckets.has(key)) buckets.set(key, []);
        buckets.get(key).push(one);
      }
    }
  }
  const find = (x, z) => {
    if (!(x >= box[0] && x <= box[2] && z >= box[1] && z <= box[3])) return [];
    const near = buckets.get(slot(x, box[0], box[2]) * side + slot(z, box[1], box[3])) || [];
    return near.filter(one => {
      for (let k = 0; k < one.n; k++) {
        const a = one.ring + 2 * k, b = one.ring + 2 * ((k + 1) % one.n), c = m.corners;
        if ((c[b + 1] - c[a + 1]) * (x - c[a]) - (c[b] - c[a]) * (z - c[a + 1]) < 0) return false;
      }
      return true;
    });
  };
  const made = { fills, plain: kinds.size === 1, many: all.length > MANY, edges, walls, box, find, rings: new Map(all.map(one => [one.p, one])) };
  cache.set(key, made);
  return made;
}
function storeyOf(place) {
  const cuts = D.meshes[mesh].cuts;
  let s = 0;
  while (s < cuts.length && place[1] >= cuts[s]) s++;
  return s;
}
const onStorey = place => storey < 0 || storeyOf(place) === storey;

// --- what the view in three dimensions shares with the plan; it sets `space` while it is shown
const page = window.navbake = {
  D, SEVERITIES, css, metres, el, text, written, onStorey, say, walk, redraw: () => redraw(), space: null, seen: [],
  get mesh() { return mesh; }, get storey() { return storey; }, get picked() { return picked; }, get shown() { return shown; },
  get walking() { return walking; }, get at() { return { midX, midZ, zoom }; }, get ends() { return ends; }, get walked() { return walked; },
  get opened() { return watching ? opened.slice(0, +el('step').value) : []; }, get total() { return opened.length; },
  look: (m, s, at) => { if (m < D.meshes.length) { mesh = m; el('mesh').value = String(m); } storey = s; storeys(); [midX, midZ, zoom] = at; redraw(); },
  choose: s => choose(s), pick: (i, centre) => pick(i, centre), put: p => put(p), runtime: () => runtime = runtime || awake(), unpacked: id => unpacked(id), walker: () => settings.unit(),
};

// --- drawing
const toX = x => (x - midX) * zoom + canvas.clientWidth / 2, toZ = z => (z - midZ) * zoom + canvas.clientHeight / 2;
const fromX = x => (x - canvas.clientWidth / 2) / zoom + midX, fromZ = z => (z - canvas.clientHeight / 2) / zoom + midZ;
let waiting = false;
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    if (!page.space) draw();
    for (const look of page.seen) look();
  });
}
function draw() {
  const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = css('--back');
  pen.fillRect(0, 0, w, h);
  if (!D.meshes.length) return;
  const m = D.meshes[mesh], made = drawn();
  ground(made, w, h, ratio);
  settings.draw(pen, toX, toZ, css);
  if (watching) {
    pen.save();
    pen.translate(w / 2, h / 2); pen.scale(zoom, zoom); pen.translate(-midX, -midZ);
    searched(made, m);
    pen.restore();
  }
  const line = (a, b) => { pen.beginPath(); pen.moveTo(toX(a[0]), toZ(a[2])); pen.lineTo(toX(b[0]), toZ(b[2])); pen.stroke(); };
  pen.strokeStyle = css('--door'); pen.lineWidth = 3;
  for (const d of m.doors) if (onStorey(d.a)) line(d.a, d.b);
  pen.strokeStyle = pen.fillStyle = css('--link'); pen.lineWidth = 1.5;
  for (const l of m.links) {
    if (!onStorey(l.a) && !onStorey(l.b)) continue;
    line(l.a, l.b);
    pen.beginPath(); pen.arc(toX(l.b[0]), toZ(l.b[2]), 3, 0, 7); pen.fill();
  }
  pen.fillStyle = css('--fore'); pen.font = '12px system-ui, sans-serif';
  for (const k of D.markers) {
    if (!onStorey(k.at)) continue;
    pen.fillRect(toX(k.at[0]) - 2, toZ(k.at[2]) - 2, 4, 4);
    pen.fillText(k.name.slice(0, 40), toX(k.at[0]) + 5, toZ(k.at[2]) - 4);
  }
  spots(w, h, ratio);
  if (picked >= 0) spot(picked);
  if (!walking) return;
  pen.strokeStyle = pen.fillStyle = css('--path'); pen.lineWidth = 3; pen.beginPath();
  walked.forEach((p, k) => k ? pen.lineTo(toX(p[0]), toZ(p[2])) : pen.moveTo(toX(p[0]), toZ(p[2])));
  pen.stroke();
  for (const p of ends) { pen.beginPath(); pen.arc(toX(p[0]), toZ(p[2]), 5, 0, 7); pen.fill(); }
  // Where Enter puts an end.
  pen.lineWidth = 1; pen.beginPath();
  pen.moveTo(w / 2 - 8, h / 2); pen.lineTo(w / 2 + 8, h / 2); pen.moveTo(w / 2, h / 2 - 8); pen.lineTo(w / 2, h / 2 + 8);
  pen.stroke();
}
// What a search has opened so far, early nodes in other colours than late ones, and what is seen
// from where.
const TINTS = 24, MOST_CONES = 1000;
function searched(made, m) {
  if (settings.kind() !== 'polygon') { places(); return; }
  const count = +el('step').value, tint = k => `hsl(${220 - 190 * k / TINTS} 70% 55%`, fills = new Map(), first = new Set();
  for (let k = 0; k < count; k++) {
    const one = made.rings.get(opened[k].polygon);
    if (!one || first.has(one.p)) continue;
    first.add(one.p);
    const t = Math.floor(k / opened.length * TINTS);
    if (!fills.has(t)) fills.set(t, new Path2D());
    const fill = fills.get(t);
    for (let c = 0; c < one.n; c++) {
      const x = m.corners[one.ring + 2 * c], z = m.corners[one.ring + 2 * c + 1];
      if (c) fill.lineTo(x, z); else fill.moveTo(x, z);
    }
    fill.closePath();
  }
  for (const [t, fill] of fills) { pen.fillStyle = tint(t) + ' / 45%)'; pen.fill(fill); }
  for (let k = Math.max(0, count - MOST_CONES); k < count; k++) {
    const node = opened[k], last = k === count - 1;
    if (!made.rings.has(node.polygon)) continue;
    pen.fillStyle = pen.strokeStyle = last ? css('--path') : tint(Math.floor(k / opened.length * TINTS)) + ')';
    pen.globalAlpha = last ? 0.6 : 0.12;
    pen.beginPath();
    if (node.cone) { const c = node.cone; pen.moveTo(c[2], c[3]); pen.lineTo(c[0], c[1]); pen.lineTo(c[4], c[5]); pen.fill(); }
    pen.globalAlpha = 1; pen.lineWidth = (last ? 2 : 0.6) / zoom;
    if (node.cone) pen.stroke();
    pen.beginPath(); pen.arc(node.x, node.z, (last ? 5 : 2) / zoom, 0, 7); pen.fill();
  }
}
// The same of cells, and of points of a network with the line to each.
function places() {
  const count = +el('step').value, tint = k => `hsl(${220 - 190 * k / opened.length} 70% 55%)`, side = (D.search.side || 0) * 80;
  for (let k = 0; k < count; k++) {
    const { x, z, cone } = opened[k], last = k === count - 1;
    pen.fillStyle = pen.strokeStyle = last ? css('--path') : tint(k);
    if (settings.kind() === 'cell') { pen.globalAlpha = 0.6; pen.fillRect(x - side / 2, z - side / 2, side, side); pen.globalAlpha = 1; continue; }
    pen.lineWidth = (last ? 3 : 1) / zoom;
    if (cone) { pen.beginPath(); pen.moveTo(cone[0], cone[1]); pen.lineTo(x, z); pen.stroke(); }
    pen.beginPath(); pen.arc(x, z, (last ? 5 : 3) / zoom, 0, 7); pen.fill();
  }
}
// Marks of findings, each severity drawn once and then copied. Many in one place are one.
const stamps = new Map();
function stamp(severity, ratio) {
  const color = css('--' + SEVERITIES[severity]), key = `${color} ${ratio}`;
  if (!stamps.has(key)) {
    const made = document.createElement('canvas'), side = Math.ceil(STAMP * ratio);
    made.width = made.height = side;
    const own = made.getContext('2d');
    own.scale(side / STAMP, side / STAMP);
    mark(own, severity, STAMP / 2, STAMP / 2);
    stamps.set(key, made);
  }
  return stamps.get(key);
}
const STAMP = 18;
function spots(w, h, ratio) {
  const seen = new Set(), r = STAMP / 2;
  for (let k = shown.length - 1; k >= 0; k--) {
    const f = D.findings[shown[k]];
    if (shown[k] === picked || !f.at || !onStorey(f.at)) continue;
    const x = toX(f.at[0]), z = toZ(f.at[2]);
    if (x < -r || z < -r || x > w + r || z > h + r) continue;
    const cell = (Math.floor(x / 2) * 8192 + Math.floor(z / 2)) * 4 + f.severity;
    if (seen.has(cell)) continue;
    seen.add(cell);
    pen.drawImage(stamp(f.severity, ratio), x - r, z - r, STAMP, STAMP);
  }
}
// Shapes tell severities apart as well as colours do.
function mark(to, severity, x, z) {
  to.strokeStyle = to.fillStyle = css('--' + SEVERITIES[severity]);
  to.lineWidth = 2; to.beginPath();
  if (severity === 0) to.rect(x - 5, z - 5, 10, 10);
  else if (severity === 1) { to.moveTo(x, z - 6); to.lineTo(x + 6, z + 5); to.lineTo(x - 6, z + 5); to.closePath(); }
  else to.arc(x, z, 4, 0, 7);
  to.globalAlpha = 0.35; to.fill(); to.globalAlpha = 1; to.stroke();
}
// The one that is picked, with its shape.
function spot(i) {
  const f = D.findings[i];
  if (!f.at) return;
  const x = toX(f.at[0]), z = toZ(f.at[2]);
  pen.strokeStyle = css('--' + SEVERITIES[f.severity]);
  if (f.shape.length > 1) {
    pen.lineWidth = 3; pen.beginPath();
    f.shape.forEach((p, k) => k ? pen.lineTo(toX(p[0]), toZ(p[2])) : pen.moveTo(toX(p[0]), toZ(p[2])));
    pen.stroke();
  }
  mark(pen, f.severity, x, z);
  pen.beginPath(); pen.arc(x, z, 14, 0, 7); pen.stroke();
}
// The ground is drawn twice as wide and high as it is seen, and copied while it is moved. Where
// there are many polygons it is stretched while one zooms, and drawn anew when one rests.
const REST = 120;
const sheet = document.createElement('canvas');
let laid = null, rest = 0;
function ground(made, w, h, ratio) {
  const key = [mesh, storey, w, h, ratio, css('--back')].join(' ');
  const same = laid && laid.key === key, near = same && Math.abs(midX - laid.x) * zoom <= w / 2 && Math.abs(midZ - laid.z) * zoom <= h / 2;
  if (!near || laid.zoom !== zoom) {
    if (same && !laid.stale && made.many) {
      clearTimeout(rest);
      rest = setTimeout(() => { laid.stale = true; redraw(); }, REST);
    } else lay(made, key, w, h, ratio);
  }
  const s = zoom / laid.zoom;
  pen.drawImage(sheet, w / 2 + (laid.x - midX) * zoom - w * s, h / 2 + (laid.z - midZ) * zoom - h * s, 2 * w * s, 2 * h * s);
}
function lay(made, key, w, h, ratio) {
  const own = sheet.getContext('2d'), dark = document.documentElement.classList.contains('dark');
  sheet.width = Math.round(2 * w * ratio); sheet.height = Math.round(2 * h * ratio);
  own.setTransform(ratio, 0, 0, ratio, 0, 0);
  own.translate(w, h); own.scale(zoom, zoom); own.translate(-midX, -midZ);
  for (const [tone, fill] of made.fills) {
    own.fillStyle = made.plain ? css('--ground') : settings.colour(tone, dark);
    own.fill(fill);
  }
  own.lineWidth = 0.6 / zoom; own.strokeStyle = css('--edge'); own.stroke(made.edges);
  own.lineWidth = 1.6 / zoom; own.strokeStyle = css('--wall'); own.stroke(made.walls);
  laid = { key, zoom, x: midX, z: midZ, stale: false };
}
function fit() {
  if (page.space) { page.space.fit(); return; }
  if (!D.meshes.length) return;
  const b = drawn().box.slice();
  if (!isFinite(b[0])) return;
  midX = (b[0] + b[2]) / 2; midZ = (b[1] + b[3]) / 2;
  zoom = 0.92 * Math.min(canvas.clientWidth / ((b[2] - b[0]) || 1), canvas.clientHeight / ((b[3] - b[1]) || 1));
  redraw();
}
function zoomBy(factor, x = canvas.clientWidth / 2, z = canvas.clientHeight / 2) {
  if (page.space) { page.space.zoomBy(factor); return; }
  const [wx, wz] = [fromX(x), fromZ(z)];
  zoom = Math.min(20, Math.max(1e-4, zoom * factor));
  midX = wx - (x - canvas.clientWidth / 2) / zoom; midZ = wz - (z - canvas.clientHeight / 2) / zoom;
  redraw();
}

// --- what is under the pointer
// Pixels from a place of the plan to a line in the level.
function toLine(x, z, a, b) {
  const [ax, az, bx, bz] = [toX(a[0]), toZ(a[2]), toX(b[0]), toZ(b[2])], l = (bx - ax) ** 2 + (bz - az) ** 2;
  const t = l ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (z - az) * (bz - az)) / l)) : 0;
  return Math.hypot(ax + t * (bx - ax) - x, az + t * (bz - az) - z);
}
const doorsAt = (x, z) => D.meshes[mesh].doors.filter(d => onStorey(d.a) && toLine(x, z, d.a, d.b) < 6);
function under(x, z) {
  const lines = [], m = D.meshes[mesh], near = p => Math.hypot(toX(p[0]) - x, toZ(p[2]) - z) <= NEAR;
  let hit = -1;
  for (const i of shown) {
    const f = D.findings[i];
    if (!f.at || !onStorey(f.at) || !near(f.at)) continue;
    if (hit < 0) hit = i;
    if (lines.length < 6) lines.push(`${SEVERITIES[f.severity]} ${D.rules[f.rule].code}: ${f.message}`);
  }
  for (const k of D.markers) if (onStorey(k.at) && near(k.at)) lines.push(`marker ${k.name}`);
  if (!m) return { hit, lines };
  for (const d of doorsAt(x, z)) lines.push(`door ${d.name}${d.name && ', '}${d.width.toFixed(2)} m wide`);
  for (const l of m.links) if ((onStorey(l.a) || onStorey(l.b)) && toLine(x, z, l.a, l.b) < 5) lines.push(`link ${l.name}${l.name && ', '}${l.kind}`);
  for (const one of drawn().find(fromX(x), fromZ(z))) {
    const room = m.rooms.length ? m.rooms[m.room[one.p]] : null;
    const parts = [`polygon ${one.p}`, `island ${m.island[one.p]}`];
    if (room !== null) parts.push(room ? `room ${room}` : `room ${m.room[one.p]}`);
    if (m.area) parts.push(D.areas[m.area[one.p]] || 'ground');
    lines.push(parts.join(', ') + `, at height ${(m.height[one.p] / 100 + OY).toFixed(2)} m`);
  }
  return { hit, lines };
}
function hover(event) {
  const r = canvas.getBoundingClientRect(), x = event.clientX - r.left, z = event.clientY - r.top;
  const { hit, lines } = under(x, z), tip = el('tip');
  el('place').textContent = `x ${(fromX(x) / 100 + OX).toFixed(2)}  z ${(fromZ(z) / 100 + OZ).toFixed(2)}`;
  tip.hidden = !lines.length;
  tip.textContent = lines.join('\n');
  tip.style.left = Math.min(x + 14, Math.max(0, r.width - 350)) + 'px';
  tip.style.top = Math.min(z + 14, r.height - 20 * (lines.length + 1)) + 'px';
  canvas.style.cursor = hit >= 0 ? 'pointer' : '';
  return hit;
}
canvas.addEventListener('pointerdown', e => {
  pointer = { x: e.clientX, y: e.clientY, midX, midZ, moved: false };
  canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener('pointermove', e => {
  if (!pointer) { hover(e); return; }
  const [dx, dy] = [e.clientX - pointer.x, e.clientY - pointer.y];
  if (Math.hypot(dx, dy) > 3) pointer.moved = true;
  if (!pointer.moved) return;
  midX = pointer.midX - dx / zoom; midZ = pointer.midZ - dy / zoom;
  el('tip').hidden = true;
  redraw();
});
canvas.addEventListener('pointerup', e => {
  const still = pointer && !pointer.moved;
  pointer = null;
  if (!still) return;
  if (settings.isPainting()) { const r = canvas.getBoundingClientRect(); brush(e.clientX - r.left, e.clientY - r.top); return; }
  if (walking) { const r = canvas.getBoundingClientRect(); end(e.clientX - r.left, e.clientY - r.top); return; }
  const hit = hover(e);
  if (hit >= 0) pick(hit, false);
});
canvas.addEventListener('pointercancel', () => { pointer = null; });
canvas.addEventListener('pointerleave', () => { el('tip').hidden = true; });
canvas.addEventListener('wheel', e => {
  e.preventDefault();
  const r = canvas.getBoundingClientRect();
  zoomBy(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), e.clientX - r.left, e.clientY - r.top);
}, { passive: false });
canvas.addEventListener('keydown', e => {
  if (e.key === 'Enter' && settings.isPainting()) { e.preventDefault(); brush(canvas.clientWidth / 2, canvas.clientHeight / 2); return; }
  if (e.key === 'Enter' && walking) { e.preventDefault(); end(canvas.clientWidth / 2, canvas.clientHeight / 2); return; }
  const step = 60 / zoom, go = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[e.key];
  if (!go) return;
  e.preventDefault();
  midX += go[0]; midZ += go[1];
  redraw();
});

// --- paths, by the very runtime that games use
let runtime = null;
const bytes = id => Uint8Array.from(atob(el(id).textContent.trim()), c => c.charCodeAt(0));
async function unpacked(id) {
  const opened = new Blob([bytes(id)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(opened).arrayBuffer());
}
async function awake() {
  const { instance } = await WebAssembly.instantiate(await unpacked('runtime'), {}), blob = bytes('blob'), rt = instance.exports;
  const at = rt.room(blob.length);
  new Uint8Array(rt.memory.buffer, at, blob.length).set(blob);
  if (!rt.open()) throw new Error('the blob in this page is damaged');
  return rt;
}
function walk(to = !walking) {
  walking = to; ends = []; walked = [];
  unwatch();
  el('path').setAttribute('aria-pressed', String(walking));
  say(walking ? 'click where it begins' : '');
  redraw();
}
function say(what) {
  el('answer').textContent = what;
  el('answer').hidden = !what;
}
async function end(x, z) {
  const wx = fromX(x), wz = fromZ(z), m = D.meshes[mesh], here = drawn().find(wx, wz);
  if (!here.length) { say('there is no ground here'); return; }
  // Of storeys above each other the one that is drawn last.
  await put([wx, m.height[here[here.length - 1].p], wz]);
}
// A place is an end of a path.
async function put(place) {
  if (ends.length > 1) { ends = []; walked = []; unwatch(); }
  ends.push(place);
  redraw();
  if (ends.length < 2) { say('click where it ends'); return; }
  try { runtime = runtime || awake(); await route(await runtime); } catch (fault) { say(String(fault.message || fault)); }
}
// Gives the settings to the runtime; says what it does not take.
function configure(rt) {
  const bytes = new TextEncoder().encode(settings.lines());
  const at = rt.room(bytes.length);
  new Uint8Array(rt.memory.buffer, at, bytes.length).set(bytes);
  if (!rt.set()) throw new Error(message(rt));
}
const message = rt => new TextDecoder().decode(new Uint8Array(rt.memory.buffer, rt.message(), rt.message_length()));
function route(rt) {
  const [a, b] = ends.map(metres), data = el('answer').dataset;
  walked = [];
  data.length = data.cost = ''; data.ends = JSON.stringify([a, b]); data.command = settings.command(a, b);
  el('copy-command').disabled = false;
  el('watch').hidden = false;
  redraw();
  configure(rt);
  const came = rt.path(...a, ...b), at = rt.answer();
  if (came === 4) { say(message(rt)); return; }
  if (came === 2) { say('an end is not on the ground'); return; }
  const [flat, space, cost, bound, optimal, expanded, count] = new Float64Array(rt.memory.buffer, at, 7);
  const points = new Float64Array(rt.memory.buffer, at + 56, 3 * count);
  for (let k = 0; k < count; k++) walked.push([(points[3 * k] - OX) * 100, (points[3 * k + 1] - OY) * 100, (points[3 * k + 2] - OZ) * 100]);
  if (!came) { say(`no path; ${expanded} opened`); return; }
  data.length = String(flat); data.cost = String(cost);
  const parts = [`${flat.toFixed(2)} m in the plane`];
  if (!isNaN(space) && Math.abs(space - flat) > 0.005) parts.push(`${space.toFixed(2)} m along the ground`);
  if (Math.abs(cost - flat) > 0.005) parts.push(`cost ${cost.toFixed(2)}`);
  if (came === 3) parts.push('only near the goal');
  parts.push(optimal ? 'optimal' : bound > 0 ? `at most ${Math.ceil((cost / bound - 1) * 1e4) / 100} % above the cheapest` : 'no bound');
  parts.push(`by ${message(rt)}`, `${expanded} opened`);
  say(parts.join(', '));
  redraw();
}
// Another setting: the same path anew, and its search if that is shown.
let resume = false;
async function again() {
  if (settings.mesh() !== mesh && D.meshes.length) { mesh = settings.mesh(); el('mesh').value = String(mesh); storeys(); }
  resume = resume || watching > 0;
  unwatch();
  redraw();
  if (ends.length < 2) return;
  try { route(await (runtime = runtime || awake())); } catch (fault) { say(String(fault.message || fault)); return; }
  if (resume) { resume = false; watch(); }
}
const settings = makeSettings(D, el, text, again);
function panel(shown = el('settings').hidden) {
  el('settings').hidden = !shown;
  el('set').setAttribute('aria-pressed', String(shown));
  if (shown) el('set-unit').focus();
}
el('set').addEventListener('click', () => panel());
el('copy-command').addEventListener('click', () => clip(el('answer').dataset.command, el('copy-command')));
el('copy-fragment').addEventListener('click', () => clip(settings.fragment(), el('copy-fragment')));
async function brush(x, z) {
  if (settings.kind() !== 'cell') {
    const m = D.meshes[mesh], [one] = m ? drawn().find(fromX(x), fromZ(z)) : [];
    if (one) settings.paintGround(m.area ? m.area[one.p] : 0, doorsAt(x, z).map(d => d.name));
    else say('no ground here');
    return;
  }
  let rt;
  try { rt = await (runtime = runtime || awake()); } catch (fault) { say(String(fault.message || fault)); return; }
  const [mx, , mz] = metres([fromX(x), 0, fromZ(z)]);
  if (!rt.cell(mx, mz)) { say('no free cell here'); return; }
  const sides = S_SIDES[D.search.cells], values = new Float64Array(rt.memory.buffer, rt.answer(), 2 + 2 * sides), corners = [];
  for (let k = 0; k < sides; k++) corners.push([values[2 + 2 * k], values[3 + 2 * k]]);
  settings.paint([values[0], values[1]], corners);
}
const S_SIDES = { squares: 4, hexagons: 6 };
// The search of that path, watched: it goes on in slices, so that the page stays alive, and slower
// at first, so that one sees it. Afterwards the slider goes through it.
function unwatch() {
  watching = 0; opened = [];
  el('watch').setAttribute('aria-pressed', 'false');
  el('watch').hidden = ends.length < 2;
  el('steps').hidden = true;
}
async function watch() {
  if (ends.length < 2 || el('watch').hidden) return;
  if (watching) { unwatch(); redraw(); return; }
  let rt, over;
  try { rt = await (runtime = runtime || awake()); } catch (fault) { say(String(fault.message || fault)); return; }
  if (watching || ends.length < 2) return;
  const mine = watching = performance.now() || 1;
  opened = [];
  el('watch').setAttribute('aria-pressed', 'true');
  el('steps').hidden = false; el('steps').dataset.over = '';
  try { configure(rt); } catch (fault) { say(String(fault.message || fault)); return; }
  over = rt.begin(...ends.flatMap(metres));
  if (over) stepped(true);
  el('step').focus();
  let owed = 0, last = performance.now();
  const more = now => {
    if (watching !== mine) return;
    const follows = +el('step').value === opened.length, rate = settings.rate();
    owed = rate ? owed + Math.max(0, now - last) / 1000 * rate : Math.max(1, Math.ceil(opened.length / 20));
    last = now;
    const slice = Math.floor(owed);
    owed -= slice;
    if (slice) {
      over = rt.step(slice);
      take(rt);
      stepped(over, follows);
    }
    if (!over) requestAnimationFrame(more);
  };
  if (!over) requestAnimationFrame(more);
}
function take(rt) {
  const at = rt.answer(), [count] = new Float64Array(rt.memory.buffer, at, 1), values = new Float64Array(rt.memory.buffer, at + 8, 9 * count);
  for (let k = 0; k < count; k++) {
    const [polygon, ...places] = values.subarray(9 * k, 9 * k + 9), [x, z, ...cone] = places.map((c, i) => (c - (i % 2 ? OZ : OX)) * 100);
    opened.push({ polygon, x, z, cone: isNaN(cone[0]) ? null : cone });
  }
}
function stepped(over, follows = true) {
  const slider = el('step');
  slider.max = opened.length;
  if (follows) slider.value = opened.length;
  if (over) el('steps').dataset.over = String(opened.length);
  const at = +slider.value, node = opened[at - 1];
  const text = !opened.length ? (over ? 'no search: the straight line is free, or the goal is known to be unreachable' : 'nothing expanded yet')
    : `${at} of ${opened.length} opened` + (node && settings.kind() !== 'point' ? `, ${settings.kind()} ${node.polygon}` : '');
  el('stepped').textContent = text;
  slider.setAttribute('aria-valuetext', text);
  redraw();
}
el('watch').addEventListener('click', watch);
el('step').addEventListener('input', () => stepped(el('steps').dataset.over !== '', false));
el('path').addEventListener('click', () => walk());

// --- the list: only the rows that are seen are there
const list = el('list'), rows = el('rows');
function text(tag, content, of) {
  const made = document.createElement(tag);
  made.textContent = content;
  if (of) made.className = of;
  return made;
}
function fill() {
  rows.style.height = shown.length * ROW + 'px';
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 4);
  const made = [];
  for (let r = first; r < last; r++) {
    const i = shown[r], f = D.findings[i], row = document.createElement('div');
    row.className = 'row'; row.id = 'f' + i; row.style.top = r * ROW + 'px';
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(i === picked));
    row.setAttribute('aria-posinset', String(r + 1)); row.setAttribute('aria-setsize', String(shown.length));
    row.append(text('b', `${SEVERITIES[f.severity]} ${D.rules[f.rule].code}`, SEVERITIES[f.severity]), text('span', f.message));
    row.addEventListener('click', () => { list.focus(); pick(i, true); });
    made.push(row);
  }
  rows.replaceChildren(...made);
  if (picked >= 0 && shown.includes(picked)) list.setAttribute('aria-activedescendant', 'f' + picked);
  else list.removeAttribute('aria-activedescendant');
}
function filter() {
  const words = el('search').value.toLowerCase().split(/\s+/).filter(Boolean), rule = el('rule').value, agent = el('agent').value;
  shown = [];
  D.findings.forEach((f, i) => {
    if (!on.has(SEVERITIES[f.severity]) || (rule !== '' && f.rule !== +rule)) return;
    if (agent !== '' && f.agent !== D.agents[+agent]) return;
    if (words.length) {
      const all = [D.rules[f.rule].code, f.message, f.agent || '', ...f.names].join(' ').toLowerCase();
      if (!words.every(w => all.includes(w))) return;
    }
    shown.push(i);
  });
  list.scrollTop = Math.min(list.scrollTop, Math.max(0, shown.length * ROW - list.clientHeight));
  fill();
  redraw();
}
function pick(i, centre) {
  picked = i;
  const f = D.findings[i], r = shown.indexOf(i);
  if (r >= 0) {
    if (r * ROW < list.scrollTop) list.scrollTop = r * ROW;
    if ((r + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (r + 1) * ROW - list.clientHeight;
  }
  if (f.at && centre) {
    const of = D.meshes.findIndex(m => m.agents.includes(f.agent));
    if (of >= 0 && of !== mesh) { mesh = of; el('mesh').value = String(of); storeys(); }
    if (!onStorey(f.at)) choose(storeyOf(f.at));
    [midX, midZ] = [f.at[0], f.at[2]];
    zoom = Math.max(zoom, Math.min(canvas.clientWidth, canvas.clientHeight) / 4000);
    if (page.space) page.space.fly(f.at);
  }
  fill(); tell(f); redraw();
}
function tell(f) {
  const rule = D.rules[f.rule], detail = el('detail'), said = [];
  said.push(text('p', `${SEVERITIES[f.severity]} ${rule.code}`, SEVERITIES[f.severity]), text('p', f.message), text('p', rule.finds), text('p', 'Cure: ' + rule.cure));
  if (f.agent) said.push(text('p', 'agent: ' + f.agent));
  if (f.at) {
    const p = text('p', written(f.at) + ' '), button = text('button', 'copy (c)');
    button.type = 'button'; button.id = 'copy';
    button.addEventListener('click', copy);
    p.append(button); said.push(p);
  }
  for (const [name, value] of f.figures) said.push(text('p', `${name} ${+value.toPrecision(4)}`));
  detail.replaceChildren(...said);
}
function copy() {
  const f = D.findings[picked];
  if (f && f.at) clip(written(f.at), el('copy'));
}
// Copies text, and says so on the button.
function clip(content, button) {
  const before = button ? button.textContent : '';
  const done = () => { if (button) { button.textContent = 'copied'; setTimeout(() => { button.textContent = before; }, 1500); } };
  const by = () => {
    const box = document.createElement('textarea'), back = document.activeElement;
    box.value = content; document.body.append(box); box.select();
    const ok = document.execCommand('copy');
    box.remove(); if (back) back.focus();
    if (ok) done();
  };
  if (navigator.clipboard && navigator.clipboard.writeText) navigator.clipboard.writeText(content).then(done, by); else by();
}
list.addEventListener('scroll', fill);
list.addEventListener('keydown', e => {
  const at = shown.indexOf(picked), page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1), last = shown.length - 1;
  const to = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), PageDown: at + page, PageUp: at - page, Home: 0, End: last, Enter: at, ' ': at }[e.key];
  if (to === undefined || last < 0) return;
  e.preventDefault();
  pick(shown[Math.min(last, Math.max(0, to))], true);
});
document.addEventListener('keydown', e => {
  const field = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === 'Escape' && field) { list.focus(); return; }
  if (field && e.target.type !== 'range') return;
  const act = { p: () => walk(), s: watch, x: () => panel(), '/': () => el('search').focus(), c: copy, t: theme, '0': fit, '+': () => zoomBy(1.4), '=': () => zoomBy(1.4), '-': () => zoomBy(1 / 1.4) }[e.key];
  if (act) { e.preventDefault(); act(); }
});

// --- filters and buttons
const used = [...new Set(D.findings.map(f => f.rule))].sort((a, b) => a - b);
for (const r of used) {
  const option = text('option', `${D.rules[r].code} (${D.findings.filter(f => f.rule === r).length})`);
  option.value = String(r); el('rule').append(option);
}
D.agents.forEach((name, k) => { const option = text('option', name); option.value = String(k); el('agent').append(option); });
for (const s of SEVERITIES) {
  const button = text('button', s, s);
  button.type = 'button'; button.setAttribute('aria-pressed', 'true');
  button.addEventListener('click', () => {
    if (on.has(s)) on.delete(s); else on.add(s);
    button.setAttribute('aria-pressed', String(on.has(s)));
    filter();
  });
  el('severities').append(button);
}
D.meshes.forEach((m, k) => { const option = text('option', m.agents.join(', ')); option.value = String(k); el('mesh').append(option); });
el('mesh').hidden = D.meshes.length < 2;
el('mesh').addEventListener('change', () => { mesh = +el('mesh').value; settings.choose(Math.max(0, D.agents.indexOf(D.meshes[mesh].agents[0]))); storeys(); redraw(); });
function choose(s) {
  storey = s;
  for (const b of el('storeys').children) b.setAttribute('aria-pressed', String(+b.dataset.storey === s));
  if (page.space) page.space.cutAt(s);
  redraw();
}
function storeys() {
  const m = D.meshes[mesh], made = [];
  if (m && m.cuts.length) {
    for (let s = -1; s <= m.cuts.length; s++) {
      const button = text('button', s < 0 ? 'all storeys' : String(s + 1));
      button.type = 'button'; button.dataset.storey = String(s);
      if (s >= 0) button.title = `storey ${s + 1}` + (s ? `, from ${(m.cuts[s - 1] / 100 + OY).toFixed(1)} m` : '');
      button.addEventListener('click', () => choose(s));
      made.push(button);
    }
  }
  el('storeys').replaceChildren(...made);
  choose(m && m.cuts.length ? Math.min(storey, m.cuts.length) : -1);
}
function theme() { document.documentElement.classList.toggle('dark'); colours.clear(); redraw(); }
el('theme').addEventListener('click', theme);
el('fit').addEventListener('click', fit);
el('in').addEventListener('click', () => zoomBy(1.4));
el('out').addEventListener('click', () => zoomBy(1 / 1.4));
el('filters').addEventListener('submit', e => e.preventDefault());
for (const id of ['search', 'rule', 'agent']) el(id).addEventListener('input', filter);
new ResizeObserver(() => { fill(); redraw(); }).observe(document.body);
new ResizeObserver(() => { fill(); redraw(); }).observe(canvas);
if (window.matchMedia && matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark');
storeys();
filter();
fit();
})();
