// node --test npm/test, with npm/baker.wasm built. NAVBAKE names the command: what it bakes is
// compared with what is baked here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { NavbakeError, bake } from '../bake.js';
import { load } from '../index.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FIXTURES = join(ROOT, 'fixtures');
const scratch = mkdtempSync(join(tmpdir(), 'navbake-'));
after(() => rmSync(scratch, { recursive: true }));

// The command in a folder, without its name before the message.
function command(folder, words) {
  const { status, stderr, error } = spawnSync(process.env.NAVBAKE, ['-q', 'bake', ...words], { cwd: folder, encoding: 'utf8' });
  if (error) throw error;
  return { code: status, message: stderr.trim().replace(/^navbake: /, '') };
}

// What the command bakes of a level in a folder.
function native(folder, level, config) {
  const blob = join(scratch, 'native.nav');
  const { code, message } = command(folder, [level, '-o', blob, '--force', ...(config ? ['--config', config] : [])]);
  assert.equal(code, 0, message);
  return readFileSync(blob);
}

// Bakes files of a folder, and compares the bytes with the command's.
async function same(folder, names, config) {
  const [level] = names;
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
  const text = config && readFileSync(join(folder, config), 'utf8');
  const { bytes, report } = await bake({ files, level, config: text });
  assert.ok(native(folder, level, config).equals(bytes), `${level} differs from what the command bakes`);
  assert.equal(report.bytes, bytes.length);
  return report;
}

test('fixtures have the bytes of the command', async () => {
  for (const [names, config] of [
    [['courtyard/courtyard.obj']],
    [['gatehouse/gatehouse.glb']],
    [['spiral/spiral.glb']],
    [['terraces/terraces.obj'], 'terraces/bake.toml'],
    [['mall/mall.obj'], 'mall/bake.toml'],
    [['crossing/crossing.glb'], 'crossing/bake.toml'],
    [['cellar/cellar.map']],
    [['grid10/grid10.txt'], 'networks/grid10.toml'],
    [['tunnels/chain.map'], 'tunnels/chain.toml'],
  ]) {
    const report = await same(FIXTURES, names, config);
    assert.ok(report.polygons > 0, names[0]);
  }
});

test('a picture beside the config is found by its name', async () => {
  await same(join(FIXTURES, 'battlefield'), ['battlefield.txt', 'battlefield.png'], 'bake.toml');
});

test('nav_test has the bytes of the command', { skip: !existsSync(data('')) && 'no folder of levels' }, async () => {
  await same(data('meshes'), ['recast_nav_test.obj']);
});

function data(folder) {
  return join(process.env.NAVBAKE_DATA ?? join(ROOT, '../shared/data'), folder);
}

// A GLB as a document and the file of its buffer.
function split(glb) {
  const length = glb.readUInt32LE(12);
  const document = JSON.parse(glb.subarray(20, 20 + length).toString());
  return [document, glb.subarray(20 + length + 8)];
}

test('buffers of a glTF are found by their names, in folders too', async () => {
  const [document, buffer] = split(readFileSync(join(FIXTURES, 'gatehouse/gatehouse.glb')));
  document.buffers[0].uri = 'parts/the%20buffer.bin';
  const folder = join(scratch, 'split');
  mkdirSync(join(folder, 'models/parts'), { recursive: true });
  writeFileSync(join(folder, 'models/gatehouse.gltf'), JSON.stringify(document));
  writeFileSync(join(folder, 'models/parts/the buffer.bin'), buffer);
  await same(folder, ['models/gatehouse.gltf', 'models/parts/the buffer.bin']);

  const text = JSON.stringify(document);
  const found = await refusal({ files: { './models//gatehouse.gltf': text }, level: 'models/gatehouse.gltf' });
  assert.equal(found.code, 3);
  assert.match(found.message, /^models\/gatehouse\.gltf, \/buffers\/0: the buffer `parts\/the buffer\.bin` cannot be read: no such file/);
});

test('a world is baked with the levels that it places', async () => {
  const folder = join(scratch, 'world');
  mkdirSync(folder);
  const place = (x) => `[[place]]\nfile = "courtyard.obj"\nname = "yard ${x}"\ntranslate = [${x}, 0, 0]\n`;
  writeFileSync(join(folder, 'world.toml'), place(0) + place(100));
  writeFileSync(join(folder, 'courtyard.obj'), readFileSync(join(FIXTURES, 'courtyard/courtyard.obj')));
  await same(folder, ['world.toml', 'courtyard.obj']);
});

test('an object is the config that its text is', async () => {
  const files = { 'courtyard.obj': readFileSync(join(FIXTURES, 'courtyard/courtyard.obj')) };
  const text = `
    [rooms]
    enabled = true
    names = { "the \\"yard\\" \\u007f" = [20.0, 0.0, 25.0] }
    [[agent]]
    name = "a"
    radius = 0.5
    [[agent]]
    name = "b"
    height = 3`;
  const config = {
    rooms: { enabled: true, alpha: undefined, names: { 'the "yard" \u007f': new Float64Array([20, 0, 25]) } },
    agent: [{ name: 'a', radius: 0.5 }, { name: 'b', height: 3 }],
  };
  const [one, other] = [await bake({ files, config: text }), await bake({ files, config })];
  assert.deepEqual(one.bytes, other.bytes);
  assert.deepEqual(one.report.agents, ['a', 'b']);
  const level = await load(one.bytes);
  assert.equal(level.mesh('b').findPath([20, 0, 25], [10, 4, 9]).status, 'reached');
  level.free();
  await assert.rejects(bake({ files, config: { cell: null } }), /the config's cell is null/);
  const found = await refusal({ files, config: { cell: NaN } });
  assert.deepEqual([found.code, /cell/.test(found.message)], [2, true], found.message);
});

async function refusal(options) {
  try {
    await bake(options);
  } catch (error) {
    assert.ok(error instanceof NavbakeError, `${error}`);
    return error;
  }
  assert.fail('it was baked');
}

test('what the command refuses is refused with its message', async () => {
  const folder = join(FIXTURES, 'bad');
  const names = readdirSync(folder).filter((name) => !/\.(md|json)$/.test(name));
  assert.ok(names.length > 30);
  for (const name of names) {
    const { code, message } = command(folder, [name, '-o', join(scratch, 'none.nav')]);
    const error = await refusal({ files: { [name]: readFileSync(join(folder, name)) } });
    assert.deepEqual([error.code, error.message], [code, message]);
  }
});

test('faults of the config name the line and the cure', async () => {
  const files = { 'a.obj': readFileSync(join(FIXTURES, 'courtyard/courtyard.obj'), 'utf8') };
  const unknown = await refusal({ files, config: '\n[rooms]\nenabeld = true' });
  assert.equal(unknown.code, 2);
  assert.match(unknown.message, /^config, line 3: unknown key `enabeld`; did you mean `enabled`\?/);
  const nothing = await refusal({ files, config: { agent: [{ radius: -1 }] } });
  assert.equal(nothing.code, 2);
  assert.match(nothing.message, /radius/);
});

test('options and files that are none are refused', async () => {
  await assert.rejects(bake({ file: {} }), /no option file; there are files, level/);
  await assert.rejects(bake({ files: { 'a.obj': '', 'b.obj': '' } }), /name one of the 2 files/);
  await assert.rejects(bake({ files: {} }), /name one of the 0 files/);
  await assert.rejects(bake({ files: { 'a.obj': 5 } }), /a\.obj is neither bytes nor text/);
  const missing = await refusal({ files: { 'a.obj': '' }, level: 'b.obj' });
  assert.deepEqual(missing.code, 4);
  assert.match(missing.message, /^b\.obj: cannot be read: no such file or folder/);
  const other = await refusal({ files: { 'a.txtx': '' } });
  assert.match(other.message, /^a\.txtx, the file name: its extension is none of \.obj, \.gltf/);
});

test('progress goes on to the end', async () => {
  const steps = [];
  const level = readFileSync(join(FIXTURES, 'courtyard/courtyard.obj'));
  const copy = level.buffer.slice(level.byteOffset, level.byteOffset + level.length);
  await bake({ files: { 'a.obj': copy }, progress: (step) => steps.push(step) });
  const tiles = steps.filter(({ stage }) => stage === 'walkable');
  assert.equal(tiles.at(-1).done, tiles.at(-1).total);
  assert.ok(steps.some(({ stage }) => stage === 'encode'));
});

// In a worker, with a baker of its own.
function inWorker(source) {
  const url = (name) => JSON.stringify(new URL(name, import.meta.url).href);
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     import(${url('../bake.js')}).then(async ({ bake, init }) => { ${source} });`,
    { eval: true, workerData: { floor: FLOOR, level: `#${' '.repeat(4 << 20)}\n${FLOOR}`, baker: small() } },
  );
  return new Promise((done, fail) => worker.on('message', done).on('error', fail));
}

const FLOOR = 'v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n';

// The baker with 2 MiB of memory beside its stack.
function small() {
  const wasm = readFileSync(new URL('../baker.wasm', import.meta.url));
  const number = (at) => {
    let [value, shift] = [0, 0];
    for (;; shift += 7) {
      const byte = wasm[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return [value, at];
    }
  };
  const bytes = (value) => (value < 128 ? [value] : [value & 127 | 128, ...bytes(value >>> 7)]);
  for (let at = 8; at < wasm.length;) {
    const [size, from] = number(at + 1);
    if (wasm[at] === 5) {
      // One memory: its pages at first, and no limit.
      const [pages] = number(from + 2);
      const limited = [1, 1, ...bytes(pages), ...bytes(pages + 32)];
      return Buffer.concat([wasm.subarray(0, at), Buffer.from([5, limited.length, ...limited]), wasm.subarray(from + size)]);
    }
    at = from + size;
  }
  throw new Error('no memory in baker.wasm');
}

test('memory that runs out is an error, and the next bake has its own', async () => {
  const found = await inWorker(`
    await init(workerData.baker);
    const tell = (files) => bake({ files }).then(({ bytes }) => bytes.length, ({ name, code, message }) => ({ name, code, message }));
    const [a, b, c] = [await tell({ 'a.obj': workerData.floor }), await tell({ 'b.obj': workerData.level }), await tell({ 'a.obj': workerData.floor })];
    parentPort.postMessage([a, b, c]);`);
  assert.ok(found[0] > 0);
  assert.deepEqual([found[1].name, found[1].code], ['NavbakeError', 5], JSON.stringify(found[1]));
  assert.match(found[1].message, /^over budget: .*; split the level/);
  assert.equal(found[2], found[0]);
});

test('a program that stops is an error of its own', async () => {
  // A module whose _start is `unreachable`.
  const code = '0061736d01000000010401600000030201000503010001071302066d656d6f72790200065f73746172740000';
  const found = await inWorker(`
    await init(Buffer.from('${code}0a05010300000b', 'hex'));
    const error = await bake({ files: { 'a.obj': workerData.floor } }).catch((error) => error);
    parentPort.postMessage([error.name, error.code, error.message]);`);
  assert.deepEqual(found.slice(0, 2), ['NavbakeError', 6]);
  assert.match(found[2], /^internal error: .*unreachable.*; this is a bug in navbake, please report it/);
});
