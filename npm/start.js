// Starts the program in WebAssembly, once, and turns its faults into errors.
import { FAULTS, Memory } from './layout.js';

/**
 * A request that is refused; `code` is the status of navbake.h, of a bake the command's exit code.
 */
export class NavbakeError extends Error {
  constructor(message, code) {
    super(message);
    this.name = 'NavbakeError';
    this.code = code;
  }
}

// The memory of the program, once it has started.
export let memory;
let starting;

/** A program: compiled already, of bytes, of an address, or else of a file beside this module. */
export async function compile(source, file) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const url = new URL(source ?? file, import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  // Browsers keep the code of what is compiled as it comes, for the next visit.
  if (answer.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/**
 * Starts navbake once: from navbake.wasm beside this module, or from bytes, a module or an address.
 */
export async function init(source) {
  starting ??= compile(source, './navbake.wasm').then((module) => WebAssembly.instantiate(module, {})).then(
    ({ exports }) => { memory = new Memory(exports); },
    (error) => { starting = undefined; throw error; },
  );
  await starting;
}

export const wasm = () => {
  if (!memory) throw new Error('navbake: await init() first');
  return memory.wasm;
};

/** The version of the library. */
export const version = () => memory.text(wasm().navbake_version());

/** The error of a status of navbake.h. */
export const refused = (what, status) => new NavbakeError(`${what}: ${FAULTS[status] ?? `status ${status}`}`, status);

// Gives a status that is no fault back.
export function check(status, what) {
  if (status < 0) throw refused(what, status);
  return status;
}

// The same for a call that says why it fails: it takes the address and the size of room for the
// words, in the half of the memory's room that no other call uses.
export function reporting(what, call) {
  const [at, size] = [memory.room + 512, 512];
  memory.data.setUint8(at, 0);
  const status = call(at, size);
  const said = status < 0 ? memory.text(at) : '';
  if (said) throw new NavbakeError(`${what}: ${said}`, status);
  return check(status, what);
}
