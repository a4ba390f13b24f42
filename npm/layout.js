// The structs of navbake.h as they are in wasm memory: pointers and sizes take 4 bytes.

/** Reads and writes wasm memory; views are renewed where the memory has grown. */
export class Memory {
  constructor(wasm) {
    this.wasm = wasm;
    this.view = new DataView(wasm.memory.buffer);
    /** Room for arguments and results, never freed: 1024 bytes. */
    this.room = wasm.navbake_allocate(1024);
  }

  get data() {
    if (this.view.buffer !== this.wasm.memory.buffer) this.view = new DataView(this.wasm.memory.buffer);
    return this.view;
  }

  u32(at) { return this.data.getUint32(at, true); }
  f64(at) { return this.data.getFloat64(at, true); }
  setU32(at, value) { this.data.setUint32(at, value, true); }
  setF64(at, value) { this.data.setFloat64(at, value, true); }
  point(at) { return [this.f64(at), this.f64(at + 8), this.f64(at + 16)]; }

  setPoint(at, [x, y, z]) {
    this.setF64(at, x);
    this.setF64(at + 8, y);
    this.setF64(at + 16, z);
    return at;
  }

  /** Text of the blob: its address and its length are at `at`. */
  name(at) {
    return new TextDecoder().decode(this.bytes(this.u32(at), this.u32(at + 4)));
  }

  /** Text with a zero at its end. */
  text(at) {
    const bytes = new Uint8Array(this.wasm.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /** Column and row of a chunk. */
  key(at) { return [this.data.getInt32(at, true), this.data.getInt32(at + 4, true)]; }
  keys(from, count) { return Array.from({ length: count }, (_, k) => this.key(from + 8 * k)); }

  bytes(from, count) { return new Uint8Array(this.wasm.memory.buffer, from, count).slice(); }
  setBytes(at, bytes) { new Uint8Array(this.wasm.memory.buffer).set(bytes, at); }
  f64s(from, count) { return new Float64Array(this.wasm.memory.buffer, from, count).slice(); }
  u32s(from, count) { return new Uint32Array(this.wasm.memory.buffer, from, count).slice(); }

  /** Memory of `size` bytes for one call. */
  with(size, call) {
    const at = this.wasm.navbake_allocate(size);
    if (!at) throw new Error(`navbake: no memory for ${size} bytes`);
    try {
      return call(at);
    } finally {
      this.wasm.navbake_release(at, size);
    }
  }
}

/** Byte offsets of fields, and sizes. */
export const AGENT = { radius: 8, height: 16, climb: 24, slope: 32, size: 40 };
export const SWITCH = { closed: 8 };
export const LOCATION = { polygon: 24, size: 32 };
export const RAY = { normal: 24, fraction: 40, polygon: 48, edge: 52 };
export const MOTION = { walked: 32, contacts: 48, size: 56 };
export const WALL = { point: 8, normal: 32, polygon: 48, edge: 52 };
export const REACHED = { from: 4, distance: 8, size: 16 };
export const POLYGON = { area: 8, island: 12, room: 16, size: 24 };
export const LINK = { from: 8, to: 32, cost: 56, polygon: 72, beyond: 76, agents: 80 };
export const ROOM = { middle: 8, area: 32, deadEnd: 40, choke: 44 };
export const MARKER = { position: 8 };
export const CHUNK = { key: 64, least: 72, greatest: 96, bytes: 120, polygons: 128, hash: 132 };
export const PASSAGE = { into: 24, size: 32 };
export const ROUTE = { passages: 8 };
export const NETWORK = { points: 8, edges: 12 };
export const LEG = { firstPoint: 4, pointCount: 8, size: 20 };
export const OBSTACLE = { count: 4, radius: 8, heights: 16, size: 32 };
export const REQUEST = {
  from: 0, to: 24, extents: 48, planner: 72, partial: 76, landmarks: 84, gap: 88, order: 96, heuristic: 100,
  weight: 104, reverse: 116, cornerCutting: 132, diagonalCost: 136, turnPenalty: 144, unit: 152, size: 160,
};
export const PATH = {
  points: 0, pointCount: 4, polygons: 8, polygonCount: 12, lengthXz: 16, length3d: 24, cost: 32, bound: 40,
  expanded: 48, certified: 52, gap: 56, planner: 64, goal: 68, legs: 72, legCount: 76, size: 80,
};

/** Names of numbers, in their order. */
export const NONE = 0xffffffff;
export const PLANNERS = [
  'corridor', 'optimal', 'midpoints', 'weighted', 'hierarchical', 'auto', 'grid4', 'grid8', 'hex', 'network',
];
export const ORDERS = ['a-star', 'greedy', 'dijkstra'];
export const HEURISTICS = ['euclidean', 'zero', 'manhattan', 'octile', 'longest-axis', 'table', 'usual'];
export const UNITS = ['cell', 'disc', 'block'];
export const STATUSES = [
  'reached', 'partial', 'unreachable', 'off-mesh', 'out-of-nodes', 'looking', 'not-loaded',
];
export const FAULTS = {
  '6': 'the chunk is not there: insert it first',
  '-1': 'the level, the mesh or the chunk was freed: load it again',
  '-2': 'an argument is out of range, or a place is not on this mesh any more: locate it again',
  '-3': 'this is no blob that this version reads: bake it again',
  '-4': 'a fault in navbake itself',
  '-5': 'the mesh has no landmarks: bake with them, or ask without',
  '-6': 'the mesh has no rooms: bake with --rooms, or take another planner',
  '-7': 'this planner does not serve costs: take weighted or corridor',
  '-8': 'the start is on closed ground: take corridor',
  '-9': 'the planner needs cells or a network: call useCells or useNetwork, again after each change of the mesh',
  '-10': 'this is no chunk of a world: open a file that the index names',
  '-11': 'not of this world: load index, chunks and saves of one bake, for one agent',
  '-12': 'the chunk is there already: remove it first',
  '-13': 'these are not the bytes of a save that this version reads: give them as they were saved',
};
