// The plan and the list of findings. All text of the level is set as text, never as markup.
// The files of this folder are one function: see mod.rs.
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
// Thousands of islands share this number of colours: to fill each by itself is slow.
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
