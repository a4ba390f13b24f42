import type { Mesh, Path } from './index.js';

/** Raises drawings above the ground, m. */
export interface Lift {
  lift?: number;
}

/** Triangles: positions (x, y, z), indices, and the polygon of each triangle. */
export function triangles(mesh: Mesh, options?: Lift): {
  positions: Float32Array;
  indices: Uint32Array;
  polygons: Uint32Array;
};
/** Walls as pairs of points. */
export function walls(mesh: Mesh, options?: Lift): Float32Array;

/** What is used of three.js. */
export interface Three<G> {
  BufferGeometry: new () => G;
  BufferAttribute: new (array: Float32Array | Uint32Array, itemSize: number) => unknown;
}

/** The ground as a BufferGeometry, with normals. */
export function meshGeometry<G>(THREE: Three<G>, mesh: Mesh, options?: Lift): G;
/** The walls as a BufferGeometry for LineSegments. */
export function wallGeometry<G>(THREE: Three<G>, mesh: Mesh, options?: Lift): G;
/** A path as a BufferGeometry for Line. */
export function pathGeometry<G>(THREE: Three<G>, path: Path, options?: Lift): G;
