// A plan of a level: clicks give paths, barrels move and paths go around them. `?level=FILE` names
// the blob; a dropped OBJ or glTF is baked here.
import { load } from '../index.js';
import { triangles, walls } from '../three.js';

const find = (id) => document.getElementById(id);
const canvas = find('plan');
const says = find('says');
const planner = find('planner');
for (const name of ['auto', 'optimal', 'corridor', 'midpoints', 'weighted']) planner.add(new Option(name));

const RADIUS = 0.5;
const solid = ([x, y, z]) => ({ centre: [x, z], radius: RADIUS, heights: [y - 0.5, y + 1] });
let level, mesh, edges, low, high, places, barrels, path;
let ends = [];

// Shows a level, in place of the one before.
function show(next) {
  level?.free();
  level = next;
  mesh = level.mesh();
  edges = walls(mesh);
  [low, high] = [[Infinity, Infinity], [-Infinity, -Infinity]];
  for (let k = 0; k < edges.length; k += 3) {
    low = [Math.min(low[0], edges[k]), Math.min(low[1], edges[k + 2])];
    high = [Math.max(high[0], edges[k]), Math.max(high[1], edges[k + 2])];
  }
  // Barrels walk along the walls, from one random place to the next.
  places = mesh.random(5);
  barrels = Array.from({ length: 6 }, () => {
    const from = places.place().position;
    return { at: from, from, to: places.place().position, part: 0, id: mesh.addObstacle(solid(from)) };
  });
  mesh.commit();
  [ends, path] = [[], null];
}

let baking = '';
const worker = new Worker(new URL('baker.js', import.meta.url), { type: 'module' });
worker.onerror = (event) => {
  says.value = event.message ?? 'the worker did not start';
};
worker.onmessage = async ({ data }) => {
  if (data.ready) globalThis.demo.ready = true;
  else if (data.error) says.value = data.error;
  else if (data.step) says.value = `${baking}: ${data.step.stage} ${data.step.done} of ${data.step.total}`;
  else {
    try {
      show(await load(data.bytes));
      Object.assign(globalThis.demo, { bytes: data.bytes, milliseconds: data.milliseconds });
      says.value = `${baking}: baked in ${(data.milliseconds / 1000).toFixed(2)} s, ${data.report.polygons} polygons`;
    } catch (error) {
      says.value = error.message;
    }
  }
};

// Bakes files in the worker: a level with the files it refers to, and its config where one is
// there.
function bakeAndShow(files) {
  const named = Object.fromEntries([...files].map((file) => [file.name, file]));
  const is = (name, ...ends) => ends.some((end) => name.toLowerCase().endsWith(end));
  const name = Object.keys(named).find((name) => is(name, '.obj', '.gltf', '.glb'));
  if (!name) {
    says.value = 'no level among these files: drop an .obj, .gltf or .glb';
    return;
  }
  const config = Object.keys(named).find((name) => is(name, '.toml'));
  baking = name;
  worker.postMessage({ files: named, level: name, config: config && named[config] });
}

function scale() {
  const ratio = Math.min(canvas.width / (high[0] - low[0] + 2), canvas.height / (high[1] - low[1] + 2));
  return { ratio, x: (x) => (x - low[0] + 1) * ratio, z: (z) => (z - low[1] + 1) * ratio };
}

function search() {
  if (ends.length < 2) return;
  try {
    path = mesh.findPath(ends[0], ends[1], { planner: planner.value, extents: [1, 8, 1] });
    says.textContent = `${path.status}: ${path.length.toFixed(2)} m, ${path.points.length / 3} points`;
  } catch (error) {
    path = null;
    says.textContent = error.message;
  }
}

function draw() {
  [canvas.width, canvas.height] = [canvas.clientWidth, canvas.clientHeight];
  const pen = canvas.getContext('2d');
  const { ratio, x, z } = scale();
  const { positions, indices } = triangles(mesh);
  pen.fillStyle = '#cfe0c8';
  for (let k = 0; k < indices.length; k += 3) {
    pen.beginPath();
    for (let j = 0; j < 3; j++) {
      const at = 3 * indices[k + j];
      pen.lineTo(x(positions[at]), z(positions[at + 2]));
    }
    pen.fill();
  }
  pen.strokeStyle = '#56694e';
  pen.beginPath();
  for (let k = 0; k < edges.length; k += 6) {
    pen.moveTo(x(edges[k]), z(edges[k + 2]));
    pen.lineTo(x(edges[k + 3]), z(edges[k + 5]));
  }
  pen.stroke();
  pen.fillStyle = '#8a4b1f';
  for (const { at } of barrels) {
    pen.beginPath();
    pen.arc(x(at[0]), z(at[2]), RADIUS * ratio, 0, 7);
    pen.fill();
  }
  pen.strokeStyle = '#c22';
  pen.lineWidth = 2;
  pen.beginPath();
  for (let k = 0; path && k < path.points.length; k += 3) pen.lineTo(x(path.points[k]), z(path.points[k + 2]));
  pen.stroke();
  pen.fillStyle = '#c22';
  for (const end of ends) pen.fillRect(x(end[0]) - 3, z(end[2]) - 3, 6, 6);
}

function move(seconds) {
  for (const barrel of barrels) {
    const away = Math.hypot(barrel.to[0] - barrel.from[0], barrel.to[2] - barrel.from[2]);
    barrel.part += seconds / Math.max(away, 0.1);
    if (barrel.part >= 1) [barrel.from, barrel.to, barrel.part] = [barrel.to, places.place()?.position ?? barrel.from, 0];
    barrel.at = barrel.from.map((c, k) => c + (barrel.to[k] - c) * Math.min(barrel.part, 1));
    mesh.moveObstacle(barrel.id, solid(barrel.at));
  }
  mesh.commit();
}

find('files').addEventListener('change', ({ target }) => bakeAndShow(target.files));
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  bakeAndShow(event.dataTransfer.files);
});
canvas.addEventListener('click', (event) => {
  if (!mesh) return;
  const { ratio } = scale();
  const [px, pz] = [event.offsetX / ratio + low[0] - 1, event.offsetY / ratio + low[1] - 1];
  const place = mesh.nearest([px, 0, pz], [1, 100, 1]);
  if (!place) {
    says.textContent = 'no ground there';
    return;
  }
  if (ends.length === 2) ends.length = 0;
  ends.push(place.position);
  path = null;
  search();
});
planner.addEventListener('change', search);

let last = performance.now();
function frame(now) {
  if (mesh && find('barrels').checked) {
    move(Math.min((now - last) / 1000, 0.1));
    search();
  }
  last = now;
  if (mesh) draw();
  requestAnimationFrame(frame);
}
// For tests: the state of the page.
globalThis.demo = {
  get mesh() { return mesh; },
  get barrels() { return barrels; },
  get ends() { return ends; },
  screen: ([x, , z]) => { const s = scale(); return [s.x(x), s.z(z)]; },
  path: () => path,
};

const blob = new URL(new URLSearchParams(location.search).get('level') ?? 'level.navbake', location.href);
try {
  show(await load(blob));
  says.value = 'ready';
} catch {
  says.value = 'no level yet: drop an OBJ or glTF here';
}
requestAnimationFrame(frame);
