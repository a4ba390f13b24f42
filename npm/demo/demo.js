// A plan of a level: clicks give paths, barrels move and paths go around them. `?level=FILE` names
// the blob.
import { load } from '../index.js';
import { triangles, walls } from '../three.js';

const find = (id) => document.getElementById(id);
const canvas = find('plan');
const says = find('says');
const planner = find('planner');
for (const name of ['auto', 'optimal', 'corridor', 'midpoints', 'weighted']) planner.add(new Option(name));

const blob = new URL(new URLSearchParams(location.search).get('level') ?? 'level.nav', location.href);
const level = await load(blob).catch((fault) => {
  says.value = `${fault.message}; bake one: navbake bake LEVEL -o npm/demo/level.nav`;
  throw fault;
});
const mesh = level.mesh();
const edges = walls(mesh);
let [low, high] = [[Infinity, Infinity], [-Infinity, -Infinity]];
for (let k = 0; k < edges.length; k += 3) {
  low = [Math.min(low[0], edges[k]), Math.min(low[1], edges[k + 2])];
  high = [Math.max(high[0], edges[k]), Math.max(high[1], edges[k + 2])];
}

// Barrels walk along the walls, from one random place to the next.
const places = mesh.random(5);
const RADIUS = 0.5;
const solid = ([x, y, z]) => ({ centre: [x, z], radius: RADIUS, heights: [y - 0.5, y + 1] });
const barrels = Array.from({ length: 6 }, () => {
  const from = places.place().position;
  return { at: from, from, to: places.place().position, part: 0, id: mesh.addObstacle(solid(from)) };
});
mesh.commit();

const ends = [];
let path = null;

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

canvas.addEventListener('click', (event) => {
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
  if (find('barrels').checked) {
    move(Math.min((now - last) / 1000, 0.1));
    search();
  }
  last = now;
  draw();
  requestAnimationFrame(frame);
}
says.textContent = 'ready';
requestAnimationFrame(frame);
// For tests: the state of the page.
globalThis.demo = { mesh, ends, barrels, screen: ([x, , z]) => { const s = scale(); return [s.x(x), s.z(z)]; }, path: () => path };
