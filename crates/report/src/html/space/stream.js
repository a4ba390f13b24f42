'use strict';
// The geometry of the page: see geometry/mod.rs, which writes it. All places are metres from the
// least corner of all navmeshes.
(() => {
const page = window.navbake, least = page.D.least;

// A stream of numbers in planes of bytes.
function reader(bytes) {
  let at = 0;
  const planes = (count, width) => {
    const out = new Uint32Array(count);
    for (let plane = 0; plane < width; plane++) {
      for (let k = 0; k < count; k++) out[k] |= bytes[at + k] << (8 * plane);
      at += count;
    }
    return out;
  };
  const positions = (count, box, from) => {
    const out = new Float32Array(3 * count);
    for (let axis = 0; axis < 3; axis++) {
      const codes = planes(count, 2), step = box.step[axis];
      for (let k = 0, q = 0; k < count; k++) {
        q = (q + ((codes[k] >> 1) ^ -(codes[k] & 1))) & 65535;
        out[3 * k + axis] = from[axis] + q * step;
      }
    }
    return out;
  };
  const triangles = count => {
    const codes = planes(3 * count, 4);
    for (let k = 0, fresh = 0; k < codes.length; k++) {
      codes[k] = fresh - codes[k];
      if (codes[k] === fresh) fresh++;
    }
    return codes;
  };
  const floats = count => new Float32Array(planes(count, 4).buffer);
  return { planes, positions, triangles, floats };
}

const inside = box => box.least.map((c, k) => c - least[k]);

function level(head, from) {
  const shift = head.origin.map((c, k) => c - least[k]);
  return head.meshes.map(m => {
    const corners = from.positions(m.vertices, m, m.places ? [0, 0, 0] : inside(m)), index = from.triangles(m.triangles), rows = from.floats(12 * m.places), places = [];
    for (let p = 0; p < m.places; p++) {
      const [a, b, c, d, e, f, g, h, i, x, y, z] = rows.subarray(12 * p, 12 * p + 12);
      places.push([a, b, c, 0, d, e, f, 0, g, h, i, 0, x + shift[0], y + shift[1], z + shift[2], 1]);
    }
    return { corners, index, places };
  });
}

function ground(head, from) {
  const corners = from.positions(head.vertices, head, inside(head)), index = from.triangles(head.triangles), counts = from.planes(head.polygons, 3);
  const points = from.positions(head.points, head.edges, inside(head.edges)), kinds = from.planes(head.points, 1), of = new Uint32Array(head.triangles);
  for (let p = 0, t = 0; p < counts.length; p++) for (let k = 0; k < counts[p]; k++) of[t++] = p;
  return { corners, index, of, points, kinds, floors: head.floors.map(y => y - least[1]), storey: head.storey };
}

page.stream = async () => {
  const head = JSON.parse(page.el('scene').textContent), from = reader(await page.unpacked('geometry'));
  const meshes = head.level ? level(head.level, from) : [];
  return { head, meshes, grounds: head.grounds.map(g => ground(g, from)) };
};
})();
