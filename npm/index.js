// navbake: queries on baked navmeshes. The functions of navbake.h in WebAssembly, with objects
// around them.
import { AGENT, CHUNK, MARKER, SWITCH } from './layout.js';
import { Mesh, RandomPlaces } from './mesh.js';
import { NavbakeError, check, init, memory, reporting, version, wasm } from './start.js';

export { Mesh, NavbakeError, RandomPlaces, init, version };

// The bytes that were given, without a copy; null of an address.
function given(source) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (!ArrayBuffer.isView(source)) return null;
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

async function read(source) {
  const bytes = given(source);
  if (bytes) return bytes;
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

// What errors call a file: its address, or what it is.
const called = (source, what) => (given(source) ? what : `${source}`);

// The bytes of a save in the memory of WebAssembly, for one call.
function holding(saved, call) {
  const bytes = given(saved);
  if (!bytes) throw new TypeError('navbake: give the bytes of save(), an ArrayBuffer or a view');
  return memory.with(bytes.length, (at) => {
    memory.setBytes(at, bytes);
    return call(at, bytes.length);
  });
}

function onlyOptions(options, known) {
  const wrong = Object.keys(options).find((name) => !known.includes(name));
  if (wrong === undefined) return;
  throw new Error(`navbake: no option ${wrong}; there are ${known.join(', ')}`);
}

/**
 * Opens a baked blob: its bytes, or an address to fetch. Starts navbake where that is still to be
 * done.
 */
export async function load(source) {
  await init();
  return new Level(await read(source), called(source, 'load'));
}

/** The chunks, by column and row, that `restore` of a level needs for the bytes of `save`. */
export function savedChunks(saved, name = 'save') {
  const own = wasm();
  const ask = (at, length, capacity) => memory.with(8 * capacity, (keys) => {
    reporting(name, (...message) =>
      own.navbake_saved_chunks(at, length, ...message, keys, capacity, memory.room));
    const count = memory.u32(memory.room);
    return count > capacity ? ask(at, length, count) : memory.keys(keys, count);
  });
  return holding(saved, (at, length) => ask(at, length, 8));
}

/** A chunk of a world, opened for an agent. Meshes take copies of it. */
export class Chunk {
  constructor(level, pointer, name) {
    this.level = level;
    this.pointer = pointer;
    this.name = name;
    level.opened.add(this);
  }

  /** Frees it; with the level it is freed too. */
  free() {
    if (this.pointer) wasm().navbake_chunk_free(this.pointer);
    this.pointer = 0;
    this.level.opened.delete(this);
  }
}

/** A baked file. */
export class Level {
  constructor(bytes, name) {
    const own = wasm();
    this.size = bytes.length;
    this.bytes = own.navbake_allocate(this.size);
    if (!this.bytes) throw new Error(`navbake: no memory for ${this.size} bytes`);
    memory.setBytes(this.bytes, bytes);
    const out = memory.room;
    try {
      reporting(name, (...message) => own.navbake_open(this.bytes, this.size, ...message, out));
    } catch (error) {
      own.navbake_release(this.bytes, this.size);
      throw error;
    }
    this.blob = memory.u32(out);
    this.meshes = new Set();
    this.opened = new Set();
    this.agents = this.#list(own.navbake_agent_count(this.blob), own.navbake_agent, (at) => ({
      name: memory.name(at),
      radius: memory.f64(at + AGENT.radius),
      height: memory.f64(at + AGENT.height),
      climb: memory.f64(at + AGENT.climb),
      slope: memory.f64(at + AGENT.slope),
    }));
    this.switches = this.#list(own.navbake_switch_count(this.blob), own.navbake_switch, (at) => ({
      name: memory.name(at),
      closed: memory.u32(at + SWITCH.closed) === 1,
    }));
    this.areas = this.#list(own.navbake_area_count(this.blob), own.navbake_area, (at) => memory.name(at));
    this.markers = this.#list(own.navbake_marker_count(this.blob), own.navbake_marker, (at) => ({
      name: memory.name(at),
      position: memory.point(at + MARKER.position),
    }));
    this.chunks = this.#list(own.navbake_chunk_count(this.blob), own.navbake_chunk_file, (at) => ({
      name: memory.text(at),
      key: memory.key(at + CHUNK.key),
      least: memory.point(at + CHUNK.least),
      greatest: memory.point(at + CHUNK.greatest),
      size: memory.u32(at + CHUNK.bytes) + 2 ** 32 * memory.u32(at + CHUNK.bytes + 4),
      polygons: memory.u32(at + CHUNK.polygons),
      hash: memory.bytes(at + CHUNK.hash, 32),
    }));
  }

  #list(count, call, read) {
    return Array.from({ length: count }, (_, k) => {
      check(call(this.blob, k, memory.room), 'load');
      return read(memory.room);
    });
  }

  #agent(name) {
    const number = name === undefined ? 0 : this.agents.findIndex((one) => one.name === name);
    if (number >= 0) return number;
    const known = this.agents.map((one) => one.name).join(', ');
    throw new Error(`navbake: no agent ${name}; the file has ${known}`);
  }

  /** The navmesh of an agent, by default of the first. */
  mesh(agent) {
    return new Mesh(this, this.#agent(agent));
  }

  /** Opens a chunk of the world, its bytes or an address to fetch, for an agent. */
  async openChunk(source, options = {}) {
    onlyOptions(options, ['agent', 'name']);
    const { agent, name = called(source, 'chunk') } = options;
    const [number, bytes] = [this.#agent(agent), await read(source)];
    memory.with(bytes.length, (at) => {
      memory.setBytes(at, bytes);
      reporting(name, (...message) =>
        wasm().navbake_chunk_open(this.blob, number, at, bytes.length, ...message, memory.room));
    });
    return new Chunk(this, memory.u32(memory.room), name);
  }

  /** A mesh as it was when its `save` gave these bytes. */
  restore(saved, options = {}) {
    onlyOptions(options, ['agent', 'chunks', 'name']);
    const { agent, chunks = [], name = 'save' } = options;
    const mesh = this.mesh(agent);
    try {
      holding(saved, (at, length) => memory.with(4 * chunks.length, (pointers) => {
        chunks.forEach((chunk, k) => memory.setU32(pointers + 4 * k, chunk.pointer));
        reporting(name, (...message) =>
          wasm().navbake_restore(mesh.pointer, at, length, pointers, chunks.length, ...message));
      }));
    } catch (error) {
      mesh.free();
      throw error;
    }
    return mesh;
  }

  /** Frees the file, its meshes and its chunks. */
  free() {
    for (const own of [...this.meshes, ...this.opened]) own.free();
    if (this.blob) {
      wasm().navbake_close(this.blob);
      wasm().navbake_release(this.bytes, this.size);
    }
    this.blob = 0;
  }
}

