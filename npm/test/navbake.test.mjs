// node --test npm/test, with npm/navbake.wasm built. NAVBAKE_BLOB names the courtyard,
// NAVBAKE_LINKED the terraces, NAVBAKE_GRID a grid map with networks, baked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { NavbakeError, load, version } from '../index.js';
import { meshGeometry, pathGeometry, triangles, walls } from '../three.js';

const bytes = readFileSync(process.env.NAVBAKE_BLOB);
const [FROM, TO] = [[20, 0, 25], [10, 4, 9]];

test('a path leads from the yard up to the gallery', async () => {
  const level = await load(bytes);
  const mesh = level.mesh(level.agents[0].name);
  for (const planner of ['auto', 'optimal', 'corridor', 'midpoints', 'weighted']) {
    const path = mesh.findPath(FROM, TO, { planner });
    assert.equal(path.status, 'reached');
    assert.ok(path.length > 25 && path.length < 35, `${planner}: ${path.length}`);
    assert.deepEqual([...path.points.slice(0, 3)], FROM);
    assert.equal(path.legs.length, 1);
  }
  assert.match(version(), /^\d+\.\d+\.\d+$/);
  level.free();
});

test('steps find what one call finds, and the nearest of goals is named', async () => {
  const mesh = (await load(bytes)).mesh();
  const whole = mesh.findPath(FROM, TO, { planner: 'corridor' });
  const search = mesh.startPath(FROM, TO, { planner: 'corridor' });
  let steps = 0;
  while (search.step(1) === 'looking') steps++;
  assert.ok(steps > 1);
  assert.deepEqual(search.path().points, whole.points);
  assert.equal(mesh.findPath(FROM, [TO, [19, 0, 25]]).goal, 1);
});

test('places, rays and motion stay on the ground', async () => {
  const mesh = (await load(bytes)).mesh();
  const places = mesh.random(3);
  for (let k = 0; k < 100; k++) {
    const [a, b] = [places.place(), places.place()];
    const ray = mesh.raycast(a, b.position);
    assert.ok(ray.hit === ray.fraction < 1 || ray.fraction === 1);
    const { place, walked } = mesh.moveAlong(a, b.position);
    assert.ok(mesh.locate(place.position, 0.5), `${place.position} is on the ground after ${walked} m`);
    assert.equal(mesh.around(a, 2)[0].polygon, a.polygon);
    const near = places.within(a, 4);
    assert.ok(Math.hypot(near.position[0] - a.position[0], near.position[2] - a.position[2]) <= 4.001);
  }
  assert.equal(mesh.nearest([1e6, 0, 1e6]), null);
});

test('an obstacle takes ground, moves, and gives it back', async () => {
  const mesh = (await load(bytes)).mesh();
  const before = mesh.findPath(FROM, [20, 0, 15], { planner: 'optimal' });
  const middle = [(before.points[0] + before.points.at(-3)) / 2, 20];
  const id = mesh.addObstacle({ centre: middle, radius: 1.5, heights: [-1, 1] });
  assert.equal(mesh.commit().changed, 1);
  assert.equal(mesh.locate([middle[0], 0, middle[1]], 1), null);
  const around = mesh.findPath(FROM, [20, 0, 15], { planner: 'optimal' });
  assert.ok(around.length > before.length, `${around.length} m around it, ${before.length} m before`);
  const own = mesh.without([id], () => mesh.findPath(FROM, [20, 0, 15], { planner: 'optimal' }));
  assert.deepEqual(own.points, before.points);
  assert.throws(() => mesh.without([id], () => { throw new RangeError(); }), RangeError);
  assert.equal(mesh.locate([middle[0], 0, middle[1]], 1), null);
  mesh.moveObstacle(id, { corners: [[0, 0], [1, 0], [1, 1]], heights: [50, 51] });
  mesh.commit();
  assert.deepEqual(mesh.findPath(FROM, [20, 0, 15], { planner: 'optimal' }).points, before.points);
  mesh.removeObstacle(id);
  mesh.commit();
  assert.throws(() => mesh.removeObstacle(id), NavbakeError);
  assert.throws(() => mesh.without([id], () => null), NavbakeError);
});

test('a volume makes its ground cost more, and gives it back', async () => {
  const mesh = (await load(bytes)).mesh();
  const path = () => mesh.findPath(FROM, [20, 0, 15], { planner: 'weighted' });
  const before = path();
  mesh.setCost('mud', 10);
  assert.equal(path().cost, before.cost);
  const middle = [(before.points[0] + before.points.at(-3)) / 2, 20];
  const id = mesh.addObstacle({ centre: middle, radius: 1.5, heights: [-1, 1], area: 'mud' });
  mesh.commit();
  assert.ok(path().cost > before.cost, `${path().cost} through mud, ${before.cost} before`);
  assert.ok(mesh.locate([middle[0], 0, middle[1]], 1));
  mesh.moveObstacle(id, { corners: [[0, 0], [1, 0], [1, 1]], heights: [50, 51] });
  mesh.commit();
  assert.equal(path().cost, before.cost);
  mesh.removeObstacle(id);
  assert.throws(() => mesh.addObstacle({ centre: middle, radius: 1, heights: [0, 1], area: 'lava' }), NavbakeError);
});

test('links have legs, and rooms names or middles', async () => {
  const mesh = (await load(readFileSync(process.env.NAVBAKE_LINKED))).mesh();
  const { links } = mesh.counts;
  assert.ok(links > 0);
  const places = mesh.random(1);
  let over = 0;
  for (let k = 0; k < 200; k++) {
    const path = mesh.findPath(places.place().position, places.place().position);
    for (const leg of path.legs.filter((one) => one.link !== null)) {
      over++;
      assert.deepEqual([...path.points.slice(3 * leg.first, 3 * leg.first + 3)].map((c) => Math.round(c * 1e3)),
        mesh.link(leg.link).from.map((c) => Math.round(c * 1e3)));
    }
  }
  assert.ok(over > 10);
});

test('what cannot be served is refused with the cure', async () => {
  await assert.rejects(load(bytes.subarray(0, 100)), NavbakeError);
  const level = await load(bytes);
  const mesh = level.mesh();
  assert.throws(() => level.mesh('dragon'), /no agent dragon; the file has/);
  assert.throws(() => mesh.findPath(FROM, TO, { planer: 'optimal' }), /no option planer/);
  assert.throws(() => mesh.findPath(FROM, TO, { planner: 'hierarchical' }), /rooms/);
  assert.throws(() => mesh.setClosed(['gate']), /no switch gate/);
  assert.throws(() => mesh.addObstacle({ heights: [0, 1] }), /centre and radius, or corners/);
  assert.throws(() => mesh.addObstacle({ corners: [[0, 0], [NaN, 1]], heights: [0, 1] }), NavbakeError);
});

test('three.js gets triangles that cover the polygons', async () => {
  const mesh = (await load(bytes)).mesh();
  const { positions, indices, polygons } = triangles(mesh);
  assert.equal(indices.length, 3 * polygons.length);
  assert.ok(indices.every((index) => index < positions.length / 3));
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((j) => positions.subarray(3 * indices[k + j]));
    const up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    assert.ok(up >= 0, 'seen from above, triangles face up');
  }
  assert.equal(walls(mesh).length % 6, 0);
  const THREE = {
    BufferAttribute: class { constructor(array, size) { Object.assign(this, { array, size }); } },
    BufferGeometry: class {
      attributes = {};
      setAttribute(name, value) { this.attributes[name] = value; }
      setIndex(index) { this.index = index; }
      computeVertexNormals() { this.normals = true; }
    },
  };
  assert.ok(meshGeometry(THREE, mesh).normals);
  const path = mesh.findPath(FROM, TO);
  assert.equal(pathGeometry(THREE, path).attributes.position.array.length, path.points.length);
});

test('a worker finds the same path', async () => {
  const here = (await load(bytes)).mesh().findPath(FROM, TO).length;
  const code = `import { parentPort, workerData } from 'node:worker_threads';
    import { load } from ${JSON.stringify(new URL('../index.js', import.meta.url).href)};
    const mesh = (await load(workerData)).mesh();
    parentPort.postMessage(mesh.findPath(${JSON.stringify(FROM)}, ${JSON.stringify(TO)}).length);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: new Uint8Array(bytes) });
  const there = await new Promise((done, failed) => worker.once('message', done).once('error', failed));
  assert.equal(there, here);
  await worker.terminate();
});

test('cells and networks are searched once they are prepared, and units block them', async () => {
  const mesh = (await load(readFileSync(process.env.NAVBAKE_GRID))).mesh();
  const [from, to] = [[15, 0, 15], [85, 0, 85]];
  assert.throws(() => mesh.findPath(from, to, { planner: 'grid8' }), /useCells/);
  mesh.useCells();
  const costs = ['grid4', 'grid8'].map((planner) => {
    const path = mesh.findPath(from, to, { planner });
    assert.equal(path.status, 'reached');
    assert.equal(path.polygons.length, path.points.length / 3);
    assert.ok(path.optimal && path.planner === planner);
    return path.cost;
  });
  assert.equal(costs[0], 160);
  assert.equal(costs[1], 160);
  assert.equal(mesh.findPath(from, to, { planner: 'grid4', turnPenalty: 0.5 }).cost, 190);
  for (const { name, points } of mesh.networks) {
    assert.ok(points > 2);
    mesh.useNetwork(name);
    assert.ok(mesh.findPath(from, to, { planner: 'network' }).length > 98.9);
  }
  mesh.stand([15, 0, 25], 7);
  const around = mesh.findPath(from, to, { planner: 'grid4' });
  assert.ok(around.cost >= costs[0]);
  assert.equal(mesh.findPath(from, to, { planner: 'grid4', unit: 7 }).cost, costs[0]);
});
