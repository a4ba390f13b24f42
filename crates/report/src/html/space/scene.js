'use strict';
// The view in three dimensions: what is shown, the cut, and what a click means.
(() => {
const page = window.navbake, { D, el, text } = page, stage = el('stage');
const at = p => p.map(c => c / 100);
// Hues that people with any colour vision tell apart (M. Okabe and K. Ito; P. Tol).
const HUES = [[86, 180, 233], [230, 159, 0], [0, 158, 115], [204, 121, 167], [240, 228, 66], [0, 114, 178], [213, 94, 0], [148, 203, 236], [153, 112, 193], [136, 170, 80]];
const LAYERS = [['level', 'level'], ['outlines', 'outlines'], ['doors', 'doors'], ['links', 'links'], ['markers', 'markers'], ['findings', 'findings']];
const METRE = (v, digits = 2) => `${v.toFixed(digits)} m`;
// Colours of the style sheet, which all are #rgb or #rrggbb.
const rgb = name => { const [, ...hex] = page.css(name), two = hex.length < 6 ? hex.map(c => c + c) : [0, 2, 4].map(k => hex[k] + hex[k + 1]); return two.map(c => parseInt(c, 16)); };

let renderer = null, scene, camera, data, things = {}, on = {}, shownMesh = -1, painted = '', traced = '', standing = null, placing = false, slow = false;
let wanted = false, rest = 0, frames = 0, cutY = Infinity, stops = [], edge = 1;
const ground = () => data.grounds[page.mesh], mesh = () => D.meshes[page.mesh];
const says = what => { stage.dataset.state = what; };

// --- pictures, on demand; a machine without a graphics card draws half of the pixels while it
// moves
function request(moving = false) {
  if (!renderer || !page.space) return;
  if (moving && slow) {
    clearTimeout(rest);
    rest = setTimeout(() => request(), 200);
  }
  if (wanted) return;
  wanted = true;
  requestAnimationFrame(() => {
    wanted = false;
    // The first picture comes soon, too.
    if (slow && !frames) moving = true, rest = setTimeout(() => request(), 200);
    draw(moving && slow);
  });
}
function draw(half) {
  if (!page.space || renderer.getContext().isContextLost()) return;
  const w = stage.clientWidth, h = stage.clientHeight, ratio = Math.min(2, window.devicePixelRatio || 1) * (half ? 0.5 : 1);
  if (!w || !h) return;
  renderer.setPixelRatio(ratio);
  renderer.setSize(w, h, false);
  camera.eye.aspect = w / h; camera.eye.updateProjectionMatrix();
  page.shapes.shared.size.value.set(w, h);
  page.shapes.shared.rim.value = Math.min(0.5, Math.max(0.06, camera.at.far * 0.0035));
  const thick = Math.min(1, Math.max(0.2, edge / camera.pixel() / 45));
  things.outlines.material.uniforms.thick.value = thick;
  things.outlines.material.uniforms.opacity.value = 0.25 + 0.6 * thick;
  page.shapes.shared.strength.value = 0.08 + 0.34 * thick;
  renderer.render(scene, camera.eye);
  page.overlay(camera, visible, standing);
  says('ready');
  stage.dataset.frames = String(++frames);
}
const visible = p => p[1] <= cutY + 1e-6;

// --- the cut: on each storey just above an agent on its highest ground
function cut(y, storey) {
  const slider = el('cut'), off = y >= +slider.max - 1e-6;
  cutY = off ? Infinity : y;
  slider.value = String(off ? slider.max : y);
  page.shapes.shared.cut.value = off ? 1e9 : y;
  const near = storey ?? stops.findIndex(s => Math.abs(s - y) < 0.03);
  const said = off ? 'no cut' : `cut at ${METRE(y + D.least[1], 1)}` + (near >= 0 && stops.length > 1 ? `, storey ${near + 1}` : '');
  el('cut-at').textContent = said;
  slider.setAttribute('aria-valuetext', said);
  request();
}
function storeys() {
  const made = ground(), m = mesh(), tall = height() * 1.25;
  stops = made.floors.map(floor => floor + tall);
  const slider = el('cut'), low = Math.min(...stops) - tall, high = Math.max(...stops) + 1;
  slider.min = low.toFixed(2); slider.max = high.toFixed(2); slider.step = '0.05';
  el('stops').replaceChildren(...stops.map((y, s) => { const o = document.createElement('option'); o.value = y.toFixed(2); o.label = String(s + 1); return o; }));
  cut(page.storey >= 0 ? stops[page.storey] : stops[m.cuts.length ? made.storey : 0]);
}
function toStop(by) {
  const all = [...stops, +el('cut').max], y = Math.min(cutY, +el('cut').max);
  const next = by > 0 ? all.find(s => s > y + 0.04) : all.filter(s => s < y - 0.04).pop();
  if (next !== undefined) cut(next);
}
const size = () => data.head.agents.find(a => a.name === mesh().agents[0]);
const height = () => size()?.height ?? 2;

// --- colours of the ground
const MODES = { rooms: m => m.rooms.length ? m.room : null, islands: m => m.island, areas: m => m.area };
function paint() {
  const opened = page.opened, m = mesh(), key = [page.mesh, el('colours').value, opened.length, page.total, page.css('--back')].join(' ');
  if (key === painted) return;
  painted = key;
  const of = MODES[el('colours').value](m) || m.island, soft = 0.35, base = rgb('--level'), first = new Map();
  opened.forEach((node, k) => { if (!first.has(node.polygon)) first.set(node.polygon, k / Math.max(1, page.total)); });
  const cold = [0, 90, 181], warm = [220, 120, 0], mix = (a, b, t) => a.map((v, k) => Math.round(v + (b[k] - v) * t));
  things.ground.paint(p => {
    const t = first.get(p), hue = HUES[of[p] % HUES.length];
    if (opened.length) return t === undefined ? mix(hue, base, 0.8) : mix(cold, warm, t);
    return mix(hue, base, of[p] >= HUES.length ? soft : 0.08);
  });
}

// --- what belongs to a navmesh
function replace(name, made) {
  page.shapes.release(things[name]);
  things[name] = made;
  if (made) { made.visible = on[name] !== false; scene.add(made); }
}
function outlines() {
  const { points, kinds } = ground(), most = kinds.length, from = new Float32Array(3 * most), to = new Float32Array(3 * most), tint = new Uint8Array(4 * most);
  const hues = [[...rgb('--wall3'), 30], [...rgb('--edge3'), 13]], up = lift() + 0.02;
  let count = 0, sum = 0;
  for (let k = 1, kind = kinds[0]; k < most; k++) {
    if (kinds[k] !== 2) { kind = kinds[k]; continue; }
    for (let c = 0; c < 3; c++) {
      from[3 * count + c] = points[3 * k - 3 + c] + (c === 1 ? up : 0);
      to[3 * count + c] = points[3 * k + c] + (c === 1 ? up : 0);
    }
    sum += Math.hypot(points[3 * k] - points[3 * k - 3], points[3 * k + 2] - points[3 * k - 1]);
    tint.set(hues[kind], 4 * count++);
  }
  // Where lines would be nearer than their own width they are thinner and paler.
  edge = sum / Math.max(1, count);
  return page.shapes.strokes(from, to, tint, count, 2, 0.85);
}
function arcs() {
  const all = [], hue = rgb('--link');
  for (const l of mesh().links) {
    const a = at(l.a), b = at(l.b), long = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]), high = Math.max(0.4, 0.3 * long), n = 18;
    const spot = t => a.map((c, k) => c + (b[k] - c) * t + (k === 1 ? 4 * high * t * (1 - t) + 0.1 : 0));
    // It grows wider towards its end, which a square marks.
    for (let k = 0; k < n; k++) all.push([spot(k / n), spot((k + 1) / n), hue, 1.5 + 2 * k / n]);
    all.push([spot(1), spot(1), hue, 9]);
  }
  return page.shapes.lines(all, 4, 0.95, 0.003);
}
const lift = () => 0.05 + Math.min(0.5, data.head.level?.error || 0);
function build() {
  shownMesh = page.mesh; painted = ''; traced = '';
  replace('ground', page.shapes.ground(ground(), lift()));
  theme();
  el('colours').replaceChildren(...Object.keys(MODES).filter(k => MODES[k](mesh())).map(k => { const o = text('option', k); o.value = k; return o; }));
  paint(); storeys(); stand(null); fit(true);
}
function theme() {
  for (const [name, uniform] of [['--level', 'level'], ['--section', 'section'], ['--crease', 'crease']]) page.shapes.shared[uniform].value.setRGB(...rgb(name).map(c => c / 255));
  page.shapes.shared.dark.value = document.documentElement.classList.contains('dark') ? 1 : 0;
  renderer.setClearColor(new THREE.Color().setRGB(...rgb('--sky').map(c => c / 255)), 1);
  replace('outlines', outlines());
  replace('doors', page.shapes.lines(mesh().doors.map(d => [raised(d.a), raised(d.b), rgb('--door'), 4]), 3, 1, 0.003));
  replace('links', arcs());
  replace('changes', changes());
  traced = '';
}
// Ground that only one of two bakes has.
function changes() {
  const own = D.changes.find(c => mesh().agents.includes(c.agent)), corners = [], index = [], hues = [];
  for (const [rings, hue] of own ? [[own.gained, rgb('--gained')], [own.lost, rgb('--lost')]] : []) {
    for (const ring of rings) {
      const first = corners.length / 3;
      corners.push(...ring.flatMap(at));
      for (let k = 2; k < ring.length; k++) { index.push(first, first + k - 1, first + k); hues.push(hue); }
    }
  }
  const made = page.shapes.ground({ corners, index, of: hues.map((_, k) => k) }, lift() + 0.04);
  made.paint(k => hues[k]);
  made.renderOrder = 2;
  return made;
}
const raised = p => { const [x, y, z] = at(p); return [x, y + lift() + 0.05, z]; };
function trace() {
  const key = JSON.stringify([page.walked, page.ends, page.picked, page.css('--path')]);
  if (key === traced) return;
  traced = key;
  const hue = rgb('--path'), all = [], points = page.walked.map(raised);
  for (let k = 1; k < points.length; k++) all.push([points[k - 1], points[k], hue, 5]);
  for (const p of page.ends) all.push([raised(p), raised(p), hue, 11]);
  const f = D.findings[page.picked];
  if (f) {
    const shape = f.shape.map(raised), mark = rgb('--' + page.SEVERITIES[f.severity]);
    shape.forEach((p, k) => { if (shape.length > 1) all.push([p, shape[(k + 1) % shape.length], mark, 3]); });
  }
  replace('path', page.shapes.lines(all, 5, 1, 0.004));
}

// --- an agent at its size, anywhere
async function stand(place, normal) {
  replace('body', null);
  standing = null;
  el('stand').setAttribute('aria-pressed', String(placing));
  if (!place) { request(); return; }
  const own = size(), body = page.shapes.body(own.radius, own.height);
  body.position.set(...place);
  const { fits, why } = await page.fits(data, place, normal, own);
  body.material.uniforms.hue.value.setRGB(...(fits ? [0.0, 0.45, 0.7] : [0.84, 0.37, 0.0]));
  replace('body', body);
  standing = { at: place, top: own.height, label: `${own.name}: ${fits ? 'fits' : 'does not fit'}` };
  page.say(why);
  request();
}
function place(to = !placing) {
  if (to && page.walking) page.walk(false);
  placing = to;
  el('stand').setAttribute('aria-pressed', String(to));
  if (to) page.say('click where it is to be'); else { page.say(''); stand(null); }
  crosshair();
}
const crosshair = () => el('space').classList.toggle('aims', placing || page.walking);

// --- clicks
function hit(x, y) {
  const [o, d] = camera.ray(x, y), solid = data.meshes.length && on.level !== false ? page.rays.level(data.meshes, o, d, cutY) : null;
  const floor = page.rays.ground(ground(), o, d, cutY, solid ? solid.far + lift() + 0.3 : Infinity), best = floor || solid;
  if (!best) return null;
  const far = best.far;
  return { at: o.map((c, k) => c + d[k] * far), polygon: floor ? ground().of[floor.t] : -1, normal: (solid || floor).normal };
}
function clicked(x, y) {
  const found = hit(x, y);
  if (placing) { if (found) stand(found.at, found.normal); else page.say('nothing is here'); return; }
  if (page.walking) {
    if (!found || found.polygon < 0) { page.say('there is no ground here'); return; }
    page.put(found.at.map(c => c * 100));
    return;
  }
  tip(found, x, y);
}
function tip(found, x, y) {
  const box = el('tip'), m = mesh(), p = found ? found.polygon : -1, parts = [];
  if (p >= 0) {
    if (m.rooms.length) parts.push(m.rooms[m.room[p]] || `room ${m.room[p]}`);
    parts.push(`island ${m.island[p]}`);
    if (m.area) parts.push(D.areas[m.area[p]] || 'ground');
  }
  el('place').textContent = found ? found.at.map((c, k) => 'xyz'[k] + ' ' + (c + D.least[k]).toFixed(2)).join('  ') : '';
  box.hidden = !parts.length;
  box.textContent = parts.join(', ');
  box.style.left = Math.min(x + 14, Math.max(0, stage.clientWidth - 350)) + 'px';
  box.style.top = Math.min(y + 14, stage.clientHeight - 60) + 'px';
}
let hovering = 0;
function hovered(x, y) {
  el('tip').hidden = true;
  clearTimeout(hovering);
  if (placing || page.walking) return;
  hovering = setTimeout(() => { if (page.space) tip(hit(x, y), x, y); }, slow ? 250 : 60);
}

// --- the view as a whole
function fit(now) {
  const box = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]], { corners } = ground();
  for (let k = 0; k < corners.length; k++) {
    if (corners[k - k % 3 + 1] > cutY) continue;
    box[0][k % 3] = Math.min(box[0][k % 3], corners[k]); box[1][k % 3] = Math.max(box[1][k % 3], corners[k]);
  }
  if (isFinite(box[0][0])) camera.fit(box, now || slow);
}
function fly(points) {
  const seen = points.map(at), axes = [0, 1, 2].map(k => seen.map(p => p[k]));
  const [x, y, z] = axes.map(c => c.reduce((a, b) => a + b) / c.length), top = Math.max(...axes[1]);
  const far = Math.max(14, 1.5 * Math.hypot(...axes.map(c => Math.max(...c) - Math.min(...c))));
  if (top > cutY) cut(stops.find(s => s > top) ?? +el('cut').max);
  camera.to({ x, y, z, far: Math.min(camera.at.far, far), pitch: Math.max(camera.at.pitch, 0.75) }, slow);
}
const api = { fit: () => fit(), fly, zoomBy: f => camera.zoomBy(f), cutAt: s => cut(s < 0 ? +el('cut').max : stops[s]) };
function look() {
  if (!page.space || !renderer) return;
  if (shownMesh !== page.mesh) build();
  if (page.walking && placing) place(false);
  crosshair(); paint(); trace(); request();
}
function show(as3d) {
  if (as3d && !renderer) return;
  page.space = as3d ? api : null;
  el('space').hidden = !as3d;
  el('plan').hidden = as3d;
  for (const id of ['stand', 'shows']) el(id).hidden = !as3d;
  el('as-space').setAttribute('aria-pressed', String(as3d));
  el('as-plan').setAttribute('aria-pressed', String(!as3d));
  el('tip').hidden = true;
  if (!as3d && placing) place(false);
  page.redraw();
}
page.view = { get camera() { return camera; }, get cutY() { return cutY; }, show, cut, toStop, place, layer, clicked, stand, hit, theme: () => { theme(); painted = ''; look(); } };
function layer(name, to) {
  on[name] = to;
  if (things[name]) things[name].visible = to;
  request();
}

async function begin() {
  if (!D.meshes.length) return;
  const probe = document.createElement('canvas').getContext('webgl2');
  if (!probe) { says('no WebGL'); el('as-space').title = 'this browser has no WebGL 2 here'; return; }
  // The plan is not drawn meanwhile.
  if (!page.el('scene').textContent.startsWith('{"level":null')) page.space = { fit() {}, fly() {}, zoomBy() {}, cutAt() {} };
  data = await page.stream();
  const info = probe.getExtension('WEBGL_debug_renderer_info');
  slow = /swiftshader|llvmpipe|software|basic render/i.test(info ? probe.getParameter(info.UNMASKED_RENDERER_WEBGL) : '');
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  renderer = new THREE.WebGLRenderer({ canvas: stage, antialias: !slow });
  renderer.outputColorSpace = 'srgb-linear';
  scene = new THREE.Scene();
  camera = page.camera(stage, () => request(true), clicked, hovered);
  things.level = page.shapes.level(data.meshes, data.head.level?.kept || 0);
  scene.add(things.level);
  stage.addEventListener('webglcontextlost', e => { e.preventDefault(); says('lost'); });
  stage.addEventListener('webglcontextrestored', () => { request(); });
  page.controls(data, LAYERS);
  el('as-space').disabled = false;
  page.space = api;
  build();
  page.seen.push(look);
  new ResizeObserver(() => request()).observe(stage);
  // Without the level the plan shows more.
  if (!data.meshes.length) says('at hand');
  show(data.meshes.length > 0);
  page.begun?.();
}
el('as-plan').addEventListener('click', () => show(false));
el('as-space').addEventListener('click', () => show(true));
begin().catch(fault => { says('failed'); el('as-space').title = String(fault.message || fault); page.space = null; show(false); console.error(fault); });
})();
