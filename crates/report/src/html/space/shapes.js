'use strict';
// What is drawn: the level, the ground, and lines that are as wide in pixels everywhere.
(() => {
const page = window.navbake;
// Shared by all: the height of the cut, the size of the picture, and the colours of the theme.
const shared = { cut: { value: 1e9 }, rim: { value: 0.06 }, size: { value: new THREE.Vector2(1, 1) }, level: { value: new THREE.Color() }, section: { value: new THREE.Color() }, dark: { value: 0 } };

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
  vertexShader: `attribute vec3 from; attribute vec3 to; attribute vec4 tint; uniform vec2 size; uniform float nearer; varying vec4 hue; varying float high;
void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0), b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
  float least = 0.01;
  if (a.w < least && b.w > least) a = mix(b, a, (b.w - least) / (b.w - a.w));
  if (b.w < least && a.w > least) b = mix(a, b, (a.w - least) / (a.w - b.w));
  vec2 way = (b.xy / b.w - a.xy / a.w) * size;
  float l = length(way);
  way = l > 1e-4 ? way / l : vec2(1.0, 0.0);
  vec4 p = position.x < 0.5 ? a : b;
  // Square ends close the corners between lines.
  vec2 off = (vec2(-way.y, way.x) * position.y + way * (position.x * 2.0 - 1.0)) * 0.5 * tint.w * 255.0 / 16.0;
  p.xy += 2.0 * off / size * p.w;
  p.z -= nearer * p.w;
  hue = tint;
  high = position.x < 0.5 ? from.y : to.y;
  gl_Position = p;
}`,
  fragmentShader: `varying vec4 hue; varying float high; uniform float cut; uniform float opacity;
void main() { if (high > cut) discard; gl_FragColor = vec4(hue.rgb, opacity); }`,
};

const material = (shader, own, more) => new THREE.ShaderMaterial({ ...shader, uniforms: { ...shared, ...own }, side: THREE.DoubleSide, ...more });

function level(meshes) {
  const group = new THREE.Group(), painted = material(LEVEL, {});
  for (const mesh of meshes) {
    const shape = new THREE.BufferGeometry();
    shape.setAttribute('position', new THREE.BufferAttribute(mesh.corners, 3));
    shape.setIndex(new THREE.BufferAttribute(mesh.index, 1));
    shape.computeBoundingSphere();
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
function lines(all, order = 2, opacity = 1, nearer = 0.0008) {
  const shape = new THREE.InstancedBufferGeometry(), from = new Float32Array(3 * all.length), to = new Float32Array(3 * all.length), tint = new Uint8Array(4 * all.length);
  all.forEach(([a, b, hue, width], k) => {
    from.set(a, 3 * k); to.set(b, 3 * k); tint.set(hue, 4 * k);
    tint[4 * k + 3] = Math.min(255, Math.round(width * 16));
  });
  shape.setAttribute('position', new THREE.BufferAttribute(new Float32Array(QUAD.flatMap(([x, y]) => [x, y, 0])), 3));
  shape.setIndex([0, 1, 2, 0, 2, 3]);
  shape.setAttribute('from', new THREE.InstancedBufferAttribute(from, 3));
  shape.setAttribute('to', new THREE.InstancedBufferAttribute(to, 3));
  shape.setAttribute('tint', new THREE.InstancedBufferAttribute(tint, 4, true));
  shape.instanceCount = all.length;
  const mesh = new THREE.Mesh(shape, material(LINES, { opacity: { value: opacity }, nearer: { value: nearer } }, { transparent: true, depthWrite: false }));
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

page.shapes = { shared, level, ground, lines, body, release };
})();
