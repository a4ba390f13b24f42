// node --test npm/test, with npm/navbake.wasm built. NAVBAKE names the command, which bakes a level
// as one blob and as a world in chunks.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { NavbakeError, load, savedChunks } from '../index.js';

const scratch = mkdtempSync(join(tmpdir(), 'navbake-'));
after(() => rmSync(scratch, { recursive: true }));

// A floor of 90 m with blocks on it, and another one that nothing leads to.
function yard() {
  const lines = [];
  let count = 0;
  const add = (points, faces) => {
    lines.push(...points.map((point) => `v ${point.join(' ')}`));
    lines.push(...faces.map((face) => `f ${face.map((k) => count + k).join(' ')}`));
    count += points.length;
  };
  const ring = (x, z, width, depth, y) => [
    [x, y, z], [x, y, z + depth], [x + width, y, z + depth], [x + width, y, z],
  ];
  add(ring(0, 0, 90, 90, 0), [[1, 2, 3, 4]]);
  add(ring(110, 0, 10, 10, 0), [[1, 2, 3, 4]]);
  const sides = [[1, 2, 6, 5], [2, 3, 7, 6], [3, 4, 8, 7], [4, 1, 5, 8]];
  for (const block of [[10, 10, 20, 4], [36, 20, 5, 50], [60, 5, 4, 33], [50, 60, 25, 3]]) {
    add([...ring(...block, 0), ...ring(...block, 3)], sides);
  }
  return lines.join('\n');
}

// Tiles of 12.8 m.
const CONFIG = "cell = 0.05\n[[area]]\nname = 'mud'\n[[agent]]\nname = 'cat'\nradius = 0.4\n";
const DOG = "[[agent]]\nname = 'dog'\nradius = 0.8\n";
const [START, GOAL, ISLE] = [[4, 0, 4], [80, 0, 85], [115, 0, 5]];

function baked(name, config, ...words) {
  writeFileSync(join(scratch, 'bake.toml'), config);
  const ran = ['-q', 'bake', 'yard.obj', '--config', 'bake.toml', '--no-diagnostics', '-o', name];
  const options = { cwd: scratch, encoding: 'utf8' };
  const { status, stderr, error } = spawnSync(process.env.NAVBAKE, [...ran, ...words], options);
  assert.equal(status, 0, error ?? stderr);
  return readFileSync(join(scratch, name));
}

writeFileSync(join(scratch, 'yard.obj'), yard());
const whole = await load(baked('yard.nav', CONFIG));
const level = await load(baked('yard.navw', CONFIG, '--chunk', '25'));
const pets = await load(baked('pets.navw', CONFIG + DOG, '--chunk', '25'));
const bytesOf = ({ name }, world = 'yard') => readFileSync(join(scratch, `${world}.chunks`, name));
const chunks = await Promise.all(
  level.chunks.map((file) => level.openChunk(bytesOf(file), { name: file.name })),
);
const keys = level.chunks.map((file) => file.key);
const numberAt = ([x, , z]) => level.chunks.findIndex(({ least, greatest }) =>
  least[0] <= x && x <= greatest[0] && least[2] <= z && z <= greatest[2]);

const places = whole.mesh().random(8);
const pairs = Array.from({ length: 200 }, () => [places.place().position, places.place().position]);

// A mesh with these chunks, by their numbers.
function loaded(numbers) {
  const mesh = level.mesh();
  for (const k of numbers) mesh.insert(chunks[k]);
  mesh.commit();
  return mesh;
}

const all = [...keys.keys()];
const paths = (mesh) => pairs.map(([from, to]) => mesh.findPath(from, to, { planner: 'optimal' }));

// Status and length of shortest paths: lengths to a micrometre.
const lengths = (mesh) => paths(mesh).map(({ status, length }) => [status, length.toFixed(6)]);

// All of an answer, to the bit.
const answers = (mesh) =>
  pairs.map(([from, to]) => [mesh.findPath(from, to), mesh.nearest(from), mesh.counts]);

const refused = (text) => (error) => {
  assert.ok(error instanceof NavbakeError, `${error}`);
  assert.match(error.message, text);
  return true;
};

test('the index describes the files of its chunks', () => {
  assert.ok(keys.length >= 9);
  assert.deepEqual(whole.chunks, []);
  for (const [k, file] of level.chunks.entries()) {
    assert.equal(bytesOf(file).length, file.size);
    assert.ok(file.name.includes(Buffer.from(file.hash.subarray(0, 8)).toString('hex')), file.name);
    const mesh = loaded([k]);
    const shown = Array.from({ length: mesh.counts.polygons }, (_, n) => mesh.polygon(n).corners);
    assert.equal(shown.filter((corners) => corners.length).length, file.polygons);
    const within = (c, axis) => file.least[axis] - 2e-3 <= c && c <= file.greatest[axis] + 2e-3;
    assert.ok(shown.flat().every((corner) => corner.every(within)), file.name);
  }
});

test('paths over all chunks are those of one blob', () => {
  const [ours, theirs] = [paths(loaded(all)), paths(whole.mesh())];
  assert.deepEqual(ours.map(({ status }) => status), theirs.map(({ status }) => status));
  assert.deepEqual(new Set(ours.map(({ status }) => status)), new Set(['reached', 'unreachable']));
  for (const [k, { length }] of ours.entries()) {
    const wanted = theirs[k].length;
    assert.ok(Math.abs(length - wanted) <= 1e-6 * wanted, `${length} and ${wanted} m`);
  }
  assert.deepEqual(loaded(all).notLoaded(START), []);
});

test('without chunks there is no ground, and paths are not loaded', () => {
  const mesh = level.mesh();
  assert.equal(mesh.random(3).place(), null);
  assert.equal(mesh.findPath(START, GOAL).status, 'not-loaded');
  assert.equal(mesh.findPath(START, ISLE).status, 'not-loaded');
  assert.throws(() => mesh.notLoaded(START),
    refused(/^notLoaded: no ground .* 4, 0, 4: give a place on ground that is loaded$/));
  assert.throws(() => mesh.findRoute(START, GOAL), refused(/^findRoute: .* that is loaded$/));
  assert.equal(whole.mesh().findRoute(START, GOAL), null);
});

test('answers do not depend on the order in which chunks come and go', () => {
  const some = all.filter((k) => k !== 6 && k !== 7);
  const expected = lengths(loaded(some));
  assert.ok(expected.some(([status]) => status === 'not-loaded'));
  const orders = [[...all].reverse(), [...all].sort((a, b) => (a * 7) % 17 - (b * 7) % 17)];
  for (const order of orders) {
    const mesh = level.mesh();
    for (const k of order) {
      mesh.insert(chunks[k]);
      assert.equal(mesh.isLoaded(keys[k]), false, 'before the commit');
      assert.equal(mesh.commit().polygons, level.chunks[k].polygons);
      assert.equal(mesh.isLoaded(keys[k]), true);
    }
    assert.deepEqual(lengths(mesh), lengths(whole.mesh()));
    for (const k of [7, 6]) mesh.remove(keys[k]);
    mesh.commit();
    assert.deepEqual(lengths(mesh), expected);
  }
});

test('a chunk that went and came back leaves every answer as it was, to the bit', () => {
  const mesh = loaded(all);
  const before = answers(mesh);
  for (const k of all) {
    mesh.remove(keys[k]);
    mesh.commit();
    mesh.insert(chunks[k]);
    mesh.commit();
  }
  assert.deepEqual(answers(mesh), before);
});

test('a route names chunks until the path is found', () => {
  const mesh = loaded([numberAt(START)]);
  assert.equal(mesh.findPath(START, GOAL, { partial: true }).status, 'not-loaded');
  const search = mesh.startPath(START, GOAL);
  let status;
  while ((status = search.step(1)) === 'looking');
  assert.equal(status, 'not-loaded');
  let asked = 0;
  let path;
  while ((path = mesh.findPath(START, GOAL, { planner: 'optimal' })).status !== 'reached') {
    assert.equal(path.status, 'not-loaded');
    const route = mesh.findRoute(START, GOAL);
    const [next] = route.passages.filter(({ into }) => !mesh.isLoaded(into));
    assert.ok(mesh.notLoaded(START).some((key) => `${key}` === `${next.into}`));
    assert.ok(route.length > 100 && next.position.every(Number.isFinite));
    mesh.insert(chunks[keys.findIndex((key) => `${key}` === `${next.into}`)]);
    mesh.commit();
    asked++;
  }
  assert.ok(asked > 2 && asked + 1 < keys.length, `${asked} chunks`);
  const shortest = whole.mesh().findPath(START, GOAL, { planner: 'optimal' }).length;
  const { length } = path;
  assert.ok(shortest - 1e-6 <= length && length <= 1.05 * shortest, `${length} and ${shortest} m`);
  assert.equal(mesh.findRoute(START, ISLE), null);
  mesh.insert(chunks[numberAt(ISLE)]);
  mesh.commit();
  assert.equal(mesh.findPath(START, ISLE).status, 'unreachable');
});

test('many chunks, passages and neighbours are all listed', async () => {
  const own = await load(baked('small.navw', CONFIG, '--chunk', '12'));
  const opened = await Promise.all(own.chunks.map((file) => own.openChunk(bytesOf(file, 'small'))));
  const mesh = own.mesh();
  const isEdge = ([x, z]) => (x === 0 || z === 0) && x < 8;
  own.chunks.forEach(({ key }, k) => isEdge(key) && mesh.insert(opened[k]));
  mesh.commit();
  const beyond = mesh.notLoaded(START);
  const isNext = ([x, z]) => (x === 1 || z === 1) && x > 0 && z > 0 && x < 8;
  assert.deepEqual(beyond, own.chunks.map(({ key }) => key).filter(isNext));
  assert.ok(beyond.length > 8, `${beyond.length} chunks`);
  const far = own.mesh();
  far.insert(opened[0]);
  far.commit();
  const { passages } = far.findRoute(START, GOAL);
  assert.ok(passages.length > 8, `${passages.length} passages`);
  let at = [0, 0];
  for (const { into } of passages) {
    assert.equal(Math.abs(into[0] - at[0]) + Math.abs(into[1] - at[1]), 1);
    at = into;
  }
  const { least, greatest } = own.chunks.find(({ key }) => `${key}` === `${at}`);
  const within = (axis) => least[axis] <= GOAL[axis] && GOAL[axis] <= greatest[axis];
  assert.ok([0, 2].every(within), 'it ends in the chunk of the goal');
  opened.forEach((chunk, k) => !mesh.isLoaded(own.chunks[k].key) && mesh.insert(chunk));
  mesh.commit();
  assert.deepEqual(savedChunks(mesh.save()), own.chunks.map(({ key }) => key));
  own.free();
});

test('what is no chunk of the world is refused with file and cure', async () => {
  const [file] = level.chunks;
  const mesh = loaded([0]);
  const bytes = bytesOf(file);
  const open = (own, options = { name: file.name }) => level.openChunk(own, options);
  await assert.rejects(open(readFileSync(join(scratch, 'yard.navw')), { name: 'yard.navw' }),
    refused(/^yard.navw: not a chunk of a world: open a file that the index/));
  await assert.rejects(open(bytes, { agent: 'dog' }), /no agent dog; the file has cat/);
  await assert.rejects(open(bytes, 'cat'), /no option 0; there are agent, name/);
  await assert.rejects(pets.openChunk(bytes, { agent: 'dog' }),
    refused(/^chunk: agent class 1: not there/));
  const options = { agent: 'dog', name: 'dog.nav' };
  const dog = await pets.openChunk(bytesOf(pets.chunks[0], 'pets'), options);
  const one = /: not of this world: load index, chunks and saves of one bake, for one agent$/;
  const [first] = chunks;
  const wrong = [[pets.mesh(), first], [whole.mesh(), first], [pets.mesh('cat'), dog], [mesh, dog]];
  for (const [own, chunk] of wrong) {
    assert.throws(() => own.insert(chunk), refused(one));
    assert.throws(() => own.insert(chunk), refused(new RegExp(`^insert ${chunk.name}`)));
  }
  assert.throws(() => mesh.insert(chunks[0]),
    refused(/^insert 0_0-.*: the chunk is there already: remove it first$/));
  assert.throws(() => mesh.remove([99, -1]),
    refused(/^remove 99, -1: the chunk is not there: insert it first$/));
  const own = await open(bytes);
  own.free();
  own.free();
  assert.throws(() => level.mesh().insert(own), refused(/was freed: load it again$/));
  assert.equal(mesh.commit().polygons, 0);
});

test('a chunk that was cut or changed at any byte is refused', async () => {
  const [{ name }] = level.chunks;
  const bytes = bytesOf(level.chunks[0]);
  for (let k = 0; k < bytes.length; k++) {
    const changed = Buffer.from(bytes);
    changed[k] ^= 1 << k % 8;
    for (const own of [changed, bytes.subarray(0, k)]) {
      await assert.rejects(level.openChunk(own, { name }), refused(new RegExp(`^${name}: `)));
    }
  }
});

test('an address is fetched, and errors name it', async () => {
  const address = `data:;base64,${bytesOf(level.chunks[0]).toString('base64')}`;
  const mesh = level.mesh();
  mesh.insert(await level.openChunk(address));
  mesh.commit();
  assert.ok(mesh.isLoaded(keys[0]));
  await assert.rejects(level.openChunk('data:,text'), refused(/^data:,text: header/));
});

// A mesh with obstacles over seams, a volume, and changes that wait.
function busy() {
  const mesh = loaded(all.slice(0, -2));
  const side = level.chunks[0].greatest[0];
  const add = (centre) => mesh.addObstacle({ centre, radius: 2, heights: [-1, 2] });
  const ids = [[side, 6], [20, 20], [40, side]].map(add);
  ids.push(mesh.addObstacle({ centre: [15, 30], radius: 3, heights: [-1, 2], area: 'mud' }));
  mesh.commit();
  mesh.removeObstacle(ids[1]);
  mesh.remove(keys[2]);
  mesh.commit();
  mesh.insert(chunks[2]);
  mesh.moveObstacle(ids[0], { centre: [side, 8], radius: 1, heights: [-1, 2] });
  return { mesh, ids };
}

test('a restored mesh is the one that was saved, to the bit, and stays so', () => {
  const { mesh, ids } = busy();
  const saved = mesh.save();
  assert.deepEqual(savedChunks(saved), keys.slice(0, -2));
  const restored = level.restore(saved, { chunks: [...chunks].reverse() });
  assert.deepEqual(answers(restored), answers(mesh));
  assert.deepEqual(restored.save(), saved);
  assert.equal(restored.isLoaded(keys[2]), false);
  for (const own of [mesh, restored]) {
    assert.equal(own.commit().changed, 1);
    own.removeObstacle(ids[2]);
    assert.throws(() => own.removeObstacle(ids[1]), NavbakeError);
    own.insert(chunks[keys.length - 1]);
    own.commit();
  }
  assert.equal(restored.isLoaded(keys[2]), true);
  assert.deepEqual(answers(restored), answers(mesh));
  assert.deepEqual(restored.save(), mesh.save());
});

test('a mesh of one blob is saved and restored too', () => {
  const mesh = whole.mesh();
  const before = lengths(mesh);
  const id = mesh.addObstacle({ centre: [30, 8], radius: 3, heights: [-1, 2] });
  mesh.commit();
  const saved = mesh.save();
  assert.deepEqual(savedChunks(saved), []);
  const restored = whole.restore(saved.buffer);
  assert.deepEqual(answers(restored), answers(mesh));
  assert.notDeepEqual(lengths(restored), before);
  restored.removeObstacle(id);
  restored.commit();
  assert.deepEqual(lengths(restored), before);
});

test('a save that was cut or changed at any byte is refused', () => {
  const saved = busy().mesh.save();
  const before = level.meshes.size;
  const wrong = refused(/^save: (not a saved|a saved world of version|the saved world is damaged)/);
  for (let k = 0; k < saved.length; k++) {
    const changed = saved.slice();
    changed[k] ^= 1 << k % 8;
    for (const own of [changed, saved.subarray(0, k)]) {
      assert.throws(() => level.restore(own, { chunks }), wrong);
      assert.throws(() => savedChunks(own), wrong);
    }
  }
  assert.throws(() => level.restore(Uint8Array.of(...saved, 0), { chunks }), wrong);
  assert.equal(level.meshes.size, before, 'no mesh is left of those');
});

test('a save of another file or time, or without its chunks, is refused', async () => {
  const saved = busy().mesh.save();
  const restore = (own, options) => () => own.restore(saved, { chunks, ...options });
  assert.throws(restore(pets, { name: 'slot 3' }),
    refused(/^slot 3: .* another navmesh: restore it with the file/));
  assert.throws(restore(whole), refused(/^save: .* another navmesh/));
  const [column, row] = keys[4];
  const most = chunks.filter((_, k) => k !== 4);
  assert.throws(restore(level, { chunks: most }),
    refused(new RegExp(`needs chunk ${column}, ${row}: load its file`)));
  const other = await pets.openChunk(bytesOf(pets.chunks[4], 'pets'));
  assert.throws(restore(level, { chunks: [...most, other] }),
    refused(/^save: chunk .*: (load|give)/));
  assert.throws(() => level.restore('text'), /bytes of save/);
  assert.throws(restore(level, { chunk: [] }), /no option chunk; there are agent, chunks, name/);
  // Versions are after eight bytes.
  const old = saved.slice();
  old[8] -= 1;
  assert.throws(() => level.restore(old, { chunks }),
    refused(/^save: a saved world of version \d+: load it with the program/));
});

test('a level frees its meshes and chunks', async () => {
  const own = await load(readFileSync(join(scratch, 'yard.navw')));
  const chunk = await own.openChunk(bytesOf(own.chunks[0]));
  const mesh = own.mesh();
  mesh.insert(chunk);
  mesh.commit();
  own.free();
  assert.deepEqual([chunk.pointer, mesh.pointer], [0, 0]);
  assert.throws(() => mesh.save(), refused(/^save: the level, the mesh or the chunk was freed/));
});
