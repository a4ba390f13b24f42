export { NavbakeError } from './index.js';

/** Bytes, text, or a `Blob` such as a dropped `File`. */
export type FileContent = Uint8Array | ArrayBuffer | Blob | string;

/** A value of the config; see docs/config.md for the keys. */
export type ConfigValue = string | number | boolean | ConfigValue[] | { [key: string]: ConfigValue | undefined };

export interface BakeOptions {
  /**
   * The level and every file it refers to, by their names: `{ 'level.gltf': …, 'level.bin': … }`.
   */
  files: Record<string, FileContent>;
  /** The file to bake. Default: the only one. */
  level?: string;
  /** The config, as the text of a TOML file or as an object with its keys. */
  config?: string | { [key: string]: ConfigValue | undefined };
  /** Called while it bakes. */
  progress?(step: Progress): void;
}

export interface Progress {
  stage: string;
  done: number;
  total: number;
}

/** What was noticed, and what the bake did about it. */
export interface Warning {
  code: string;
  message: string;
  /** y-up metres. */
  place: [number, number, number] | null;
  /** A file and line, a key of the config, or a tile; empty for points. */
  source: string;
}

/** The figures of a bake: the object of `navbake bake --format json`. */
export interface Report {
  bytes: number;
  hash: string;
  polygons: number;
  vertices: number;
  portals: number;
  islands: number;
  rooms: number;
  doors: number;
  area_m2: number;
  agents: string[];
  seconds: Record<'import' | 'walkable' | 'mesh' | 'hierarchy' | 'tables' | 'encode' | 'total', number>;
  warnings: Warning[];
  [more: string]: unknown;
}

/**
 * Makes the baker ready: compiles it, from `baker.wasm` beside the module, bytes, a module or an
 * address, and bakes a small level, so that the first bake is as fast as the next. `bake` compiles
 * it where this was not called.
 */
export function init(source?: string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module): Promise<void>;

/**
 * Bakes a level: the bytes of its `.navbake`, for `load`. Throws a `NavbakeError` with file, place,
 * finding and cure, whose `code` is the command's: 2 config, 3 level, 4 reading, 5 memory, 6 a
 * fault of navbake.
 */
export function bake(options: BakeOptions): Promise<{ bytes: Uint8Array; report: Report }>;
