'use strict';
// What is drawn: the level, the ground, and lines that are as wide in pixels everywhere.
(() => {
const page = window.navbake;
// Shared by all: the height of the cut, the size of the picture, and the colours of the theme.
const shared = { cut: { value: 1e9 }, rim: { value: 0.06 }, size: { value: new THREE.Vector2(1, 1) }, level: { value: new THREE.Color() }, section: { value: new THREE.Color() }, crease: { value: new THREE.Color() }, strength: { value: 0.4 }, dark: { value: 0 } };

const LEVEL = {
  vertexShader: `varying vec3 at;
void main() {
  vec4 p = vec4(position, 1.0);
  #ifdef USE_INSTANCING
  p = instanceMatrix * p;
  #endif
  at = p.xyz;
  gl_Position = projectionMatrix * modelViewMatrix * p;
}`,
  // Flat shading from the derivatives: the page has no normals.
  fragmentShader: `varying vec3 at;
uniform float cut; uniform float rim; uniform vec3 level; uniform vec3 section; uniform float dark;
void main() {
  if (at.y > cut) discard;
  vec3 n = normalize(cross(dFdx(at), dFdy(at)));
  if (dot(n, cameraPosition - at) < 0.0) n = -n;
  float light = 0.62 + 0.16 * n.y + 0.22 * max(0.0, dot(n, normalize(vec3(0.45, 0.8, 0.3)))) + 0.06 * n.x;
  vec3 c = level * light * mix(1.06, 1.0, dark);
  if (at.y > cut - rim) c = section;
  gl_FragColor = vec4(c, 1.0);
}`,
};
const CREASES = {
  vertexShader: `attribute vec4 m0; attribute vec4 m1; attribute vec4 m2; attribute vec4 m3; varying float high;
void main() {
  vec4 at = mat4(m0, m1, m2, m3) * vec4(position, 1.0);
  high = at.y;
  gl_Position = projectionMatrix * vec4((modelViewMatrix * at).xyz * 0.9992, 1.0);
}`,
  fragmentShader: `varying float high; uniform float cut; uniform vec3 crease; uniform float strength;
void main() { if (high > cut) discard; gl_FragColor = vec4(crease, strength); }`,
};
const GROUND = {
  vertexShader: `attribute vec3 tint; varying vec3 at; varying vec3 hue;
void main() { at = position; hue = tint; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
  fragmentShader: `varying vec3 at; varying vec3 hue; uniform float cut; uniform float opacity;
void main() {
  if (at.y > cut) discard;
  vec3 n = normalize(cross(dFdx(at), dFdy(at)));
  gl_FragColor = vec4(hue * (0.86 + 0.14 * abs(n.y)), opacity);
}`,
};
const LINES = {
  vertexShader: `attribute vec3 from; attribute vec3 to; attribute vec4 tint; uniform vec2 size; uniform float nearer; uniform float thick; varying vec4 hue; varying float high;
void main() {
  // A little nearer to the eye than what they are on.
  vec4 a = modelViewMatrix * vec4(from, 1.0), b = modelViewMatrix * vec4(to, 1.0);
  a = projectionMatrix * vec4(a.xyz * (1.0 - nearer), 1.0);
  b = projectionMatrix * vec4(b.xyz * (1.0 - nearer), 1.0);
  float least = 0.01;
  if (a.w < least && b.w > least) a = mix(b, a, (b.w - least) / (b.w - a.w));
  if (b.w < least && a.w > least) b = mix(a, b, (a.w - least) / (a.w - b.w));
  vec2 way = (b.xy / b.w - a.xy / a.w) * size;
  float l = length(way);
  way = l > 1e-4 ? way / l : vec2(1.0, 0.0);
  vec4 p = position.x < 0.5 ? a : b;
  // Square ends close the corners between lines.
  vec2 off = (vec2(-way.y, way.x) * position.y + way * (position.x * 2.0 - 1.0)) * 0.5 * max(0.7, thick * tint.w * 255.0 / 16.0);
  p.xy += 2.0 * off / size * p.w;
  hue = tint;
  high = position.x < 0.5 ? from.y : to.y;
  gl_Position = p;
}`,
  fragmentShader: `varying vec4 hue; varying float high; uniform float cut; uniform float opacity;
void main() { if (high > cut) discard; gl_FragColor = vec4(hue.rgb, opacity); }`,
};

const material = (shader, own, more) => new THREE.ShaderMaterial({ ...shader, uniforms: { ...shared, ...own }, side: THREE.DoubleSide, ...more });

// Edges between faces of different slope, and those of one face.
const SHARP = Math.cos(35 * Math.PI / 180), MOST_CREASED = 80_000;
function creases({ corners, index }) {
  const normals = [], first = new Map(), kept = [];
  const side = (a, b, k) => corners[3 * index[b] + k] - corners[3 * index[a] + k];
  for (let t = 0; t < index.length; t += 3) {
    const u = [0, 1, 2].map(k => side(t, t + 1, k)), v = [0, 1, 2].map(k => side(t, t + 2, k));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], l = Math.hypot(...n) || 1;
    normals.push(n.map(c => c / l));
    for (let k = 0; k < 3; k++) {
      const a = index[t + k], b = index[t + (k + 1) % 3], key = Math.min(a, b) * 4294967296 + Math.max(a, b), other = first.get(key);
      if (other === undefined) { first.set(key, t / 3); continue; }
      const m = normals[other], now = normals[t / 3];
      if (other >= 0 && Math.abs(m[0] * now[0] + m[1] * now[1] + m[2] * now[2]) < SHARP) kept.push(a, b);
      first.set(key, -1);
    }
  }
  for (const [key, t] of first) if (t >= 0) kept.push(Math.floor(key / 4294967296), key % 4294967296);
  return kept;
}
function creased(mesh, position) {
  const shape = new THREE.InstancedBufferGeometry(), places = mesh.places.length ? mesh.places : [new THREE.Matrix4().elements];
  shape.setAttribute('position', position);
  shape.setIndex(creases(mesh));
  for (let c = 0; c < 4; c++) shape.setAttribute('m' + c, new THREE.InstancedBufferAttribute(new Float32Array(places.flatMap(p => [...p].slice(4 * c, 4 * c + 4))), 4));
  shape.instanceCount = places.length;
  const made = new THREE.LineSegments(shape, material(CREASES, {}, { transparent: true, depthWrite: false }));
  made.frustumCulled = false;
  return made;
}

function level(meshes, kept) {
  const group = new THREE.Group(), painted = material(LEVEL, {});
  for (const mesh of meshes) {
    const shape = new THREE.BufferGeometry();
    shape.setAttribute('position', new THREE.BufferAttribute(mesh.corners, 3));
    shape.setIndex(new THREE.BufferAttribute(mesh.index, 1));
    shape.computeBoundingSphere();
    if (kept <= MOST_CREASED) group.add(creased(mesh, shape.getAttribute('position')));
    const ball = shape.boundingSphere, matrix = new THREE.Matrix4();
    const of = m => { const own = ball.clone().applyMatrix4(m); return { at: own.center.toArray(), radius: own.radius }; };
    if (!mesh.places.length) {
      group.add(new THREE.Mesh(shape, painted));
      mesh.copies = [{ ball: of(matrix), inverse: null }];
      continue;
    }
    const many = new THREE.InstancedMesh(shape, painted, mesh.places.length);
    mesh.copies = mesh.places.map((place, k) => {
      matrix.fromArray(place);
      many.setMatrixAt(k, matrix);
      return { ball: of(matrix), inverse: matrix.clone().invert().elements };
    });
    many.computeBoundingSphere();
    group.add(many);
  }
  return group;
}

// The triangles of a navmesh, each with its own colour; `lift` keeps them above the level.
function ground(made, lift) {
  const count = made.index.length, corners = new Float32Array(3 * count), tint = new Uint8Array(3 * count);
  for (let k = 0; k < count; k++) {
    const at = 3 * made.index[k];
    corners[3 * k] = made.corners[at]; corners[3 * k + 1] = made.corners[at + 1] + lift; corners[3 * k + 2] = made.corners[at + 2];
  }
  const shape = new THREE.BufferGeometry(), hues = new THREE.BufferAttribute(tint, 3, true);
  shape.setAttribute('position', new THREE.BufferAttribute(corners, 3));
  shape.setAttribute('tint', hues);
  const mesh = new THREE.Mesh(shape, material(GROUND, { opacity: { value: 0.62 } }, { transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -8 }));
  mesh.renderOrder = 1;
  // A colour [r, g, b] of 0 to 255 for each polygon.
  mesh.paint = colour => {
    for (let t = 0; t < made.of.length; t++) for (let k = 0; k < 3; k++) tint.set(colour(made.of[t]), 9 * t + 3 * k);
    hues.needsUpdate = true;
  };
  return mesh;
}

const QUAD = [[0, -1], [1, -1], [1, 1], [0, 1]];
// Lines of [from, to, [r, g, b], width in pixels].
function lines(all, order, opacity, nearer) {
  const from = new Float32Array(3 * all.length), to = new Float32Array(3 * all.length), tint = new Uint8Array(4 * all.length);
  all.forEach(([a, b, hue, width], k) => { from.set(a, 3 * k); to.set(b, 3 * k); tint.set([...hue, width * 16], 4 * k); });
  return strokes(from, to, tint, all.length, order, opacity, nearer);
}
// The same from arrays: the width in sixteenths of a pixel is the fourth value of a colour.
function strokes(from, to, tint, count, order = 2, opacity = 1, nearer = 0.0015) {
  const shape = new THREE.InstancedBufferGeometry();
  shape.setAttribute('position', new THREE.BufferAttribute(new Float32Array(QUAD.flatMap(([x, y]) => [x, y, 0])), 3));
  shape.setIndex([0, 1, 2, 0, 2, 3]);
  shape.setAttribute('from', new THREE.InstancedBufferAttribute(from, 3));
  shape.setAttribute('to', new THREE.InstancedBufferAttribute(to, 3));
  shape.setAttribute('tint', new THREE.InstancedBufferAttribute(tint, 4, true));
  shape.instanceCount = count;
  const mesh = new THREE.Mesh(shape, material(LINES, { opacity: { value: opacity }, nearer: { value: nearer }, thick: { value: 1 } }, { transparent: true, depthWrite: false }));
  mesh.frustumCulled = false;
  mesh.renderOrder = order;
  return mesh;
}

// A body of an agent: its radius and its height, with its feet at the origin.
function body(radius, height) {
  const shape = new THREE.CylinderGeometry(radius, radius, height, 32);
  shape.translate(0, height / 2, 0);
  const paint = material({
    vertexShader: 'varying vec3 at; varying vec3 n; void main() { at = position; n = normal; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: 'varying vec3 n; uniform vec3 hue; void main() { gl_FragColor = vec4(hue * (0.7 + 0.3 * dot(normalize(n), normalize(vec3(0.4, 0.8, 0.4)))), 0.82); }',
  }, { hue: { value: new THREE.Color() } }, { transparent: true });
  const mesh = new THREE.Mesh(shape, paint);
  mesh.renderOrder = 3;
  return mesh;
}

function release(thing) {
  if (!thing) return;
  thing.removeFromParent();
  thing.geometry.dispose(); thing.material.dispose();
}

page.shapes = { shared, level, ground, lines, strokes, body, release };
})();
