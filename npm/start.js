// Starts the program in WebAssembly, once, and turns its faults into errors.
import { FAULTS, Memory } from './layout.js';

/** A request that is refused; `code` is the status of navbake.h. */
export class NavbakeError extends Error {
  constructor(what, code) {
    super(`${what}: ${FAULTS[code] ?? `status ${code}`}`);
    this.name = 'NavbakeError';
    this.code = code;
  }
}

// The memory of the program, once it has started.
export let memory;
let starting;

async function instance(source) {
  if (source instanceof WebAssembly.Module) return (await WebAssembly.instantiate(source, {})).exports;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return (await WebAssembly.instantiate(source, {})).instance.exports;
  }
  const url = new URL(source ?? './navbake.wasm', import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return (await WebAssembly.instantiate(await readFile(url), {})).instance.exports;
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return (await WebAssembly.instantiate(await answer.arrayBuffer(), {})).instance.exports;
}

/** Starts navbake once: from navbake.wasm beside this module, or from bytes, a module or an address. */
export async function init(source) {
  starting ??= instance(source).then(
    (wasm) => { memory = new Memory(wasm); },
    (error) => { starting = undefined; throw error; },
  );
  await starting;
}

export const wasm = () => {
  if (!memory) throw new Error('navbake: await init() first');
  return memory.wasm;
};

/** The version of the library. */
export function version() {
  const at = wasm().navbake_version();
  const bytes = new Uint8Array(memory.wasm.memory.buffer, at, 64);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

// Gives a status that is no fault back.
export function check(status, what) {
  if (status < 0) throw new NavbakeError(what, status);
  return status;
}
