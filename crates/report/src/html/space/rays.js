'use strict';
// Rays through the triangles of the page.
(() => {
const page = window.navbake;

// T. Möller and B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997. The nearest
// hit below `cut`, or null.
function cast(corners, index, o, d, best, accepts) {
  let hit = null;
  for (let t = 0; t < index.length; t += 3) {
    const a = 3 * index[t], b = 3 * index[t + 1], c = 3 * index[t + 2], ax = corners[a], ay = corners[a + 1], az = corners[a + 2];
    const ux = corners[b] - ax, uy = corners[b + 1] - ay, uz = corners[b + 2] - az, vx = corners[c] - ax, vy = corners[c + 1] - ay, vz = corners[c + 2] - az;
    const px = d[1] * vz - d[2] * vy, py = d[2] * vx - d[0] * vz, pz = d[0] * vy - d[1] * vx, det = ux * px + uy * py + uz * pz;
    if (det === 0) continue;
    const sx = o[0] - ax, sy = o[1] - ay, sz = o[2] - az, u = (sx * px + sy * py + sz * pz) / det;
    if (u < 0 || u > 1) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux, v = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const far = (vx * qx + vy * qy + vz * qz) / det;
    if (far > 1e-6 && far < best && accepts(far)) {
      best = far;
      hit = { far, t: t / 3, normal: [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] };
    }
  }
  return hit;
}

const turned = (m, v, w) => [0, 1, 2].map(k => m[k] * v[0] + m[4 + k] * v[1] + m[8 + k] * v[2] + m[12 + k] * w);

// Does a line pass a ball? Copies that it does not pass are skipped.
function passes(ball, o, d, best) {
  const s = ball.at.map((c, k) => c - o[k]), l = Math.hypot(...d), along = (s[0] * d[0] + s[1] * d[1] + s[2] * d[2]) / l;
  if (along < -ball.radius || (along - ball.radius) / l > best) return false;
  return s[0] ** 2 + s[1] ** 2 + s[2] ** 2 - along ** 2 <= ball.radius ** 2;
}

// `from` and `way` in metres; distances in lengths of `way`.
page.rays = {
  ground: (ground, o, d, cut, best = Infinity) => cast(ground.corners, ground.index, o, d, best, far => o[1] + far * d[1] <= cut),
  level(meshes, o, d, cut, best = Infinity) {
    let hit = null;
    const accepts = far => o[1] + far * d[1] <= cut;
    for (const mesh of meshes) {
      for (const place of mesh.copies) {
        if (!passes(place.ball, o, d, best)) continue;
        const own = place.inverse ? cast(mesh.corners, mesh.index, turned(place.inverse, o, 1), turned(place.inverse, d, 0), best, accepts) : cast(mesh.corners, mesh.index, o, d, best, accepts);
        if (!own) continue;
        best = own.far; hit = own;
        if (place.inverse) {
          // Normals turn by the inverse, transposed.
          const n = own.normal, m = place.inverse;
          hit.normal = [0, 1, 2].map(k => m[4 * k] * n[0] + m[4 * k + 1] * n[1] + m[4 * k + 2] * n[2]);
        }
      }
    }
    return hit;
  },
};
})();
