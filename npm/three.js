// Triangles and lines of a navmesh, for three.js. Gives plain arrays; pass THREE for geometries.

/** Triangles: positions (x, y, z), indices, and the polygon of each triangle. */
export function triangles(mesh, { lift = 0 } = {}) {
  const [positions, indices, polygons] = [[], [], []];
  for (let number = 0; number < mesh.counts.polygons; number++) {
    const { corners } = mesh.polygon(number);
    const first = positions.length / 3;
    for (const [x, y, z] of corners) positions.push(x, y + lift, z);
    for (let k = 2; k < corners.length; k++) {
      indices.push(first, first + k - 1, first + k);
      polygons.push(number);
    }
  }
  return {
    positions: new Float32Array(positions),
    indices: new Uint32Array(indices),
    polygons: new Uint32Array(polygons),
  };
}

/** Walls as pairs of points. */
export function walls(mesh, { lift = 0 } = {}) {
  const positions = [];
  for (let number = 0; number < mesh.counts.polygons; number++) {
    const { corners, beyond } = mesh.polygon(number);
    corners.forEach(([x, y, z], k) => {
      if (beyond[k] !== null) return;
      const [u, v, w] = corners[(k + 1) % corners.length];
      positions.push(x, y + lift, z, u, v + lift, w);
    });
  }
  return new Float32Array(positions);
}

/** The ground as a BufferGeometry, with normals. */
export function meshGeometry(THREE, mesh, options) {
  const { positions, indices } = triangles(mesh, options);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  geometry.setIndex(new THREE.BufferAttribute(indices, 1));
  geometry.computeVertexNormals();
  return geometry;
}

/** The walls as a BufferGeometry for LineSegments. */
export function wallGeometry(THREE, mesh, options) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(walls(mesh, options), 3));
  return geometry;
}

/** A path as a BufferGeometry for Line. */
export function pathGeometry(THREE, path, { lift = 0 } = {}) {
  const positions = Float32Array.from(path.points, (c, k) => (k % 3 === 1 ? c + lift : c));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  return geometry;
}
