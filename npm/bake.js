// navbake/bake: the baker. What `navbake bake` makes of a level, to the byte, in WebAssembly.
import { NavbakeError, compile } from './start.js';
import { plain, run } from './wasi.js';

export { NavbakeError };

// The program, once it is compiled.
let baker;

async function program(source) {
  baker ??= compile(source, './baker.wasm');
  try {
    return await baker;
  } catch (error) {
    baker = undefined;
    throw error;
  }
}

let ready;

/**
 * Makes the baker ready: compiles it, from baker.wasm beside this module, or from bytes, a module
 * or an address, and bakes a small level. Engines compile code when it first runs, so the next bake
 * is several times as fast as the first.
 */
export async function init(source) {
  await program(source);
  // A failure of this is reported by the next bake.
  ready ??= bake({ files: { 'sample.obj': sample() } }).catch(() => {});
  await ready;
}

/**
 * Bakes a level. It computes until it is done: call it in a worker where nothing else may wait.
 *
 * Every bake is a program of its own, so none leaves anything behind.
 */
export async function bake(options) {
  const known = ['files', 'level', 'config', 'progress'];
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new Error(`navbake: no option ${name}; there are ${known.join(', ')}`);
  }
  const { files = {}, level, config = '', progress } = options;
  const held = new Map();
  for (const [name, file] of Object.entries(files)) held.set(plain(name), await bytesOf(file, name));
  const names = Object.keys(files);
  if (level === undefined && names.length !== 1) {
    throw new Error(`navbake: no level; name one of the ${names.length} files: level: 'level.gltf'`);
  }
  const input = new TextEncoder().encode(typeof config === 'string' ? config : tomlOf(config));
  const module = await program();

  let [report, error, said] = [null, null, ''];
  const line = (text) => {
    let message = {};
    try {
      message = JSON.parse(text);
    } catch {
      said ||= text;
    }
    if (message.progress) progress?.(message.progress);
    report = message.report ?? report;
    error = message.error ?? error;
  };
  const { code, fault, output } = await run(module, ['navbake', level ?? names[0]], held, input, line);
  if (report && code === 0 && !fault) return { bytes: output, report };
  error ??= stopped(fault, said, code);
  const thrown = new NavbakeError(error.message, error.code);
  thrown.warnings = error.warnings ?? [];
  if (fault) thrown.cause = fault;
  throw thrown;
}

// The error of a program that stopped without a word of its own.
function stopped(fault, said, code) {
  if (said.startsWith('memory allocation of')) {
    const message = 'over budget: the 4 GiB that WebAssembly has are not enough; split the level, or bake it with the command';
    return { message, code: 5 };
  }
  const why = said || fault?.message || `exit code ${code}`;
  return { message: `internal error: ${why}; this is a bug in navbake, please report it with its input`, code: 6 };
}

async function bytesOf(file, name) {
  if (typeof file === 'string') return new TextEncoder().encode(file);
  if (ArrayBuffer.isView(file)) return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  if (typeof file?.arrayBuffer === 'function') return new Uint8Array(await file.arrayBuffer());
  throw new Error(`navbake: the file ${name} is neither bytes nor text; give a Uint8Array, an ArrayBuffer, a Blob or a string`);
}

// An object as TOML: one key a line, and all below it inline.
function tomlOf(config) {
  return entries(config, (key, value) => `${key} = ${value}`).join('\n');
}

function entries(object, write) {
  const given = Object.entries(object).filter(([, value]) => value !== undefined);
  return given.map(([key, value]) => write(quoted(key), inline(value, key)));
}

function inline(value, key) {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return `[${Array.from(value, (one) => inline(one, key)).join(', ')}]`;
  if (value && typeof value === 'object') return `{ ${entries(value, (own, inner) => `${own} = ${inner}`).join(', ')} }`;
  throw new Error(`navbake: the config's ${key} is ${value}; leave it out, or give a value`);
}

// The strings of JSON are strings of TOML, which also refuses the character 127.
const quoted = (text) => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

// A hill, stairs and a roof over them: the kinds of ground that levels have.
function sample() {
  const lines = [];
  let corners = 0;
  const faces = (...all) => {
    for (const face of all) lines.push(`f ${face.map((k) => corners + k).join(' ')}`);
  };
  const box = (low, high) => {
    for (const x of [low[0], high[0]]) for (const y of [low[1], high[1]]) for (const z of [low[2], high[2]]) lines.push(`v ${x} ${y} ${z}`);
    faces([1, 2, 4, 3], [5, 7, 8, 6], [1, 5, 6, 2], [3, 4, 8, 7], [1, 3, 7, 5], [2, 6, 8, 4]);
    corners += 8;
  };
  const SIDE = 24;
  for (let k = 0; k < SIDE * SIDE; k++) {
    const [x, z] = [k % SIDE, Math.floor(k / SIDE)];
    lines.push(`v ${x} ${((x * x + 3 * z * x) % 7) / 9} ${z}`);
  }
  for (let k = 0; k < SIDE * (SIDE - 1); k++) {
    if (k % SIDE < SIDE - 1) faces([k + 1, k + SIDE + 1, k + SIDE + 2], [k + 1, k + SIDE + 2, k + 2]);
  }
  corners += SIDE * SIDE;
  for (let k = 0; k < 8; k++) box([4 + k / 2, 0, 4.1], [4.7 + k / 2, 1 + k / 3, 7.3]);
  box([8, 3, 3], [17, 3.4, 11]);
  box([11.2, 0, 5], [12.9, 9, 6.3]);
  return lines.join('\n');
}
