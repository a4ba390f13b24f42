/** y-up metres: x, y, z. */
export type Point = readonly [number, number, number];
/** A point of the ground plane: x, z, in metres. */
export type Flat = readonly [number, number];

/** A place on the ground of a mesh; it belongs to the mesh that gave it. */
export interface Place {
  position: [number, number, number];
  polygon: number;
}

export type Planner =
  | 'auto' | 'corridor' | 'optimal' | 'midpoints' | 'weighted' | 'hierarchical'
  | 'grid4' | 'grid8' | 'hex' | 'network';
/** `not-loaded`: no path over the chunks that are loaded, and there may be one over others. */
export type Status =
  | 'reached' | 'partial' | 'unreachable' | 'off-mesh' | 'out-of-nodes' | 'looking' | 'not-loaded';

/** Options of a path; see docs/planners.md. */
export interface PathOptions {
  /** Default: auto, which takes the baked tables. */
  planner?: Planner;
  /** Where the goal cannot be reached, go as near as possible. */
  partial?: boolean;
  /** How far the ground may be from both ends, m along each axis. Default: 0, 2, 0. */
  extents?: Point;
  /** weighted: the accepted gap to the cheapest path, as a share. Default: 0.02. */
  gap?: number;
  /** weighted: search with landmarks, which the mesh must have. */
  landmarks?: boolean;
  /**
   * This and the next three: corridor, midpoints, grid4, grid8, hex, network. The order of the open
   * list.
   */
  order?: 'a-star' | 'greedy' | 'dijkstra';
  /** The estimate of the remaining distance. Default: usual, the planner's own. */
  heuristic?: 'euclidean' | 'zero' | 'manhattan' | 'octile' | 'longest-axis' | 'table' | 'usual';
  /** The factor of that estimate. Default: 1. */
  weight?: number;
  /** Search from the goal. */
  reverse?: boolean;
  /** grid4, grid8: diagonal steps past one blocked cell. */
  cornerCutting?: boolean;
  /** grid8: the cost of a diagonal step. Default: the square root of 2. */
  diagonalCost?: number;
  /** grid4, grid8, hex: added for a step that does not go straight on. Default: 0. */
  turnPenalty?: number;
  /** grid4, grid8, hex, network: the unit that asks; where it stands itself is free for it. */
  unit?: number;
}

export interface Path {
  status: Status;
  /** x, y, z of start, corners and end; empty without a path. */
  points: Float64Array;
  polygons: Uint32Array;
  /** Parts over ground (link null) and over links; `first` and `count` number points. */
  legs: { link: number | null; first: number; count: number }[];
  /** Length in the ground plane, m. */
  length: number;
  /** Length along the surface, m. */
  length3d: number;
  cost: number;
  /** No path costs less. */
  bound: number;
  /** How much more it may cost than the cheapest, as a share. */
  gap: number;
  /** Polygons taken off the open list. */
  expanded: number;
  /** No shorter path exists. */
  optimal: boolean;
  /** The planner that found it. */
  planner: Planner;
  /** Of several goals, the number of the one it leads to. */
  goal: number;
}

/**
 * An upright cylinder, or a prism over the convex hull of 2 to 12 corners. Heights: lowest,
 * highest, m.
 */
export type Obstacle = (
  | { centre: Flat; radius: number; heights: Flat }
  | { corners: readonly Flat[]; heights: Flat }
) & {
  /**
   * Where it is added, makes it a volume: it takes no ground, but gives it the area of this name.
   */
  area?: string;
};

/** Names an obstacle of one mesh. */
export type ObstacleId = bigint;

/** Column and row of a chunk. */
export type Key = readonly [number, number];

/** A chunk of a world and its file, as the index lists it. */
export interface ChunkFile {
  /** The name of its file, in the folder of the chunks. */
  name: string;
  key: [number, number];
  /** Least x, y, z of its ground. */
  least: [number, number, number];
  /** Greatest x, y, z of its ground. */
  greatest: [number, number, number];
  /** Length of its file, bytes. */
  size: number;
  /** Polygons of all agents. */
  polygons: number;
  /** BLAKE3 of its file. */
  hash: Uint8Array;
}

/** A route over chunks of a world, loaded or not. */
export interface Route {
  /** In the ground plane, m. It is not proved to be the shortest. */
  length: number;
  /** Where it passes from one chunk to the next, in order; `into` is the chunk that it enters. */
  passages: { position: [number, number, number]; into: [number, number] }[];
}

/**
 * A request that is refused; `code` is the status of navbake.h, of a bake the command's exit code.
 */
export class NavbakeError extends Error {
  code: number;
  /** Of a bake: what was noticed before it failed. */
  warnings?: import('./bake.js').Warning[];
}

/**
 * Starts navbake once: from navbake.wasm beside this module, or from bytes, a module or an address.
 */
export function init(source?: string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module): Promise<void>;
/** The version of the library. */
export function version(): string;
/** Opens a baked blob, or the index of a world: its bytes, or an address to fetch. */
export function load(source: string | URL | ArrayBuffer | ArrayBufferView): Promise<Level>;
/**
 * The chunks that `Level.restore` needs for the bytes of `Mesh.save`, by row and column. `name` is
 * what errors call it.
 */
export function savedChunks(
  saved: ArrayBuffer | ArrayBufferView,
  name?: string,
): [number, number][];

/** A chunk of a world, checked and decoded for an agent. Meshes take copies of it. */
export class Chunk {
  private constructor();
  readonly level: Level;
  /** What errors call it. */
  readonly name: string;
  free(): void;
}

/** A baked file, or the index of a world in chunks. */
export class Level {
  private constructor();
  readonly agents: { name: string; radius: number; height: number; climb: number; slope: number }[];
  /** `closed`: as the level begins. */
  readonly switches: { name: string; closed: boolean }[];
  readonly areas: string[];
  readonly markers: { name: string; position: [number, number, number] }[];
  /** The chunks of a world, by row and column; empty if this is no index. */
  readonly chunks: ChunkFile[];
  /**
   * The navmesh of an agent, by default of the first. That of an index has no ground until chunks
   * are inserted.
   */
  mesh(agent?: string): Mesh;
  /**
   * Opens a chunk of the world, its bytes or an address to fetch, for an agent, by default the
   * first. This takes most of the time of loading. `name` is what errors call it; by default its
   * address.
   */
  openChunk(
    source: string | URL | ArrayBuffer | ArrayBufferView,
    options?: { agent?: string; name?: string },
  ): Promise<Chunk>;
  /**
   * A mesh as it was when its `save` gave these bytes: the same answers and obstacle ids. `chunks`
   * are those that `savedChunks` names, opened for the same agent. Closed switches and costs are
   * not saved. Bytes of another level, or that were changed, are refused. `name` is what errors
   * call them.
   */
  restore(
    saved: ArrayBuffer | ArrayBufferView,
    options?: { agent?: string; chunks?: readonly Chunk[]; name?: string },
  ): Mesh;
  /** Frees the file, its meshes and its chunks. */
  free(): void;
}

/** The navmesh of an agent, with what is closed, costs and obstacles of its own. */
export class Mesh {
  private constructor();
  readonly level: Level;
  free(): void;
  /** The place nearest to a point, at most `extents` (2, 2, 2) metres away along each axis. */
  nearest(point: Point, extents?: Point): Place | null;
  /** The place above or below a point, at most `vertical` (2) metres away. */
  locate(point: Point, vertical?: number): Place | null;
  /** Can a path lead there, over chunks that are loaded? Without a search. False is certain. */
  reachable(from: Place, to: Place): boolean;
  /** Looks straight towards a point, up to the first wall. */
  raycast(from: Place, towards: Point): {
    point: [number, number, number];
    hit: boolean;
    normal: [number, number];
    fraction: number;
    polygon: number;
  };
  /** Moves towards a point and along walls; `kept` (0.9) of the motion is left after a contact. */
  moveAlong(from: Place, to: Point, kept?: number): { place: Place; walked: number; contacts: number };
  /** The wall nearest to a place, up to `most` metres away; `point` is null without one. */
  wallDistance(from: Place, most: number): {
    distance: number;
    point: [number, number, number] | null;
    normal: [number, number];
  };
  /** Polygons within a circle, or with `walk` within a path of that length, nearest first. */
  around(from: Place, radius: number, options?: { walk?: boolean }): { polygon: number; distance: number }[];
  /** A sequence of random places. */
  random(seed?: number | bigint): RandomPlaces;
  /** A path to a point, or to the nearest of several. */
  findPath(from: Point, to: Point | readonly Point[], options?: PathOptions): Path;
  /** A search in steps; any other search of this mesh ends it. */
  startPath(from: Point, to: Point, options?: PathOptions): { step(budget: number): Status; path(): Path };
  /** Closes exactly these switches. At first all are open. */
  setClosed(names: Iterable<string>): void;
  /** The cost of a metre on areas of a name; Infinity forbids them. */
  setCost(area: string, cost: number): void;
  /** All costs from a row of weights of the file. */
  setWeights(name: string): void;
  /** The costs of a metre up and down. */
  setSlopes(uphill: number, downhill: number): void;
  /** Prepares the cells of a grid map for grid4, grid8 and hex. Again after each change of the mesh.
   *  The unit takes its cell, a disc of a radius in m, or a block of cells. */
  useCells(room?: 'cell' | 'disc' | 'block', size?: number): void;
  /** Makes landmarks over the prepared cells, for the heuristic table of a planner. Default: 8. */
  useLandmarks(planner: 'grid4' | 'grid8' | 'hex', count?: number): void;
  readonly networks: { name: string; points: number; edges: number }[];
  /** Prepares a route network for the planner network. Again after each change of the mesh. */
  useNetwork(name: string): void;
  /**
   * A unit begins to stand at a point, or leaves it: it blocks its cell and the nearest point for
   * others.
   */
  stand(point: Point, unit: number, stands?: boolean): void;
  addObstacle(obstacle: Obstacle): ObstacleId;
  moveObstacle(id: ObstacleId, obstacle: Obstacle): void;
  removeObstacle(id: ObstacleId): void;
  /** The result of `ask`, called while these obstacles are set aside: for a unit's own path. */
  without<T>(ids: ObstacleId[], ask: () => T): T;
  /** Puts a copy of a chunk on the mesh of an index at the next commit. */
  insert(chunk: Chunk): void;
  /** Takes a chunk off at the next commit. Obstacles stay. */
  remove(key: Key): void;
  /** Is a chunk on the mesh, since the last commit? */
  isLoaded(key: Key): boolean;
  /**
   * The chunks that are not loaded and in which the ground goes on, all ground that can be reached
   * from the place at most `vertical` (2) metres above or below the point.
   */
  notLoaded(point: Point, vertical?: number): [number, number][];
  /**
   * A route to a goal over chunks that are loaded or not; null if there is none. The start has to
   * be on ground that is loaded.
   */
  findRoute(from: Point, to: Point, vertical?: number): Route | null;
  /**
   * Obstacles, chunks and changes that wait for a commit, as bytes for `Level.restore`. The same
   * changes give the same bytes on every machine. Puts back what `without` set aside.
   */
  save(): Uint8Array;
  /** Carries out changes of obstacles and chunks until `most` polygons were cut; 0 for all. */
  commit(most?: number): { changed: number; polygons: number; left: number };
  readonly counts: { polygons: number; links: number; islands: number; rooms: number; roomDoors: number };
  polygon(number: number): {
    corners: [number, number, number][];
    /** The polygon behind the edge from each corner to the next; null for a wall. */
    beyond: (number | null)[];
    area: string;
    island: number;
    room: number | null;
  };
  link(number: number): { name: string; from: number[]; to: number[]; cost: number; agents: number };
  room(number: number): { name: string; middle: number[]; area: number; deadEnd: boolean; choke: boolean };
}

/** A sequence of random places on a mesh. */
export class RandomPlaces {
  private constructor();
  /** The next place, uniform by area; null without open ground. */
  place(): Place | null;
  /** The next place within a path of `most` metres. */
  within(from: Place, most: number): Place;
  free(): void;
}
