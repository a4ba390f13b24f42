// Compares crates/c/examples/same_answers.rs with WebAssembly. Ends with 1 if a byte differs.
// usage: node same.mjs BLOB COUNT SEED ANSWERS. BLOB may be the index of a world.
import { readFileSync } from 'node:fs';
import { load } from '../index.js';

const [file, count, seed, answers] = process.argv.slice(2);
const level = await load(readFileSync(file));
const mesh = level.mesh();
for (const { name } of level.chunks) {
  const bytes = readFileSync(`${file.replace(/navw$/, 'chunks')}/${name}`);
  mesh.insert(await level.openChunk(bytes, { name }));
}
mesh.commit();
const places = mesh.random(BigInt(seed));
const planners = ['auto', 'corridor', 'optimal', 'midpoints', 'weighted', 'hierarchical'];
const out = [];
const pairs = [];
const say = (path) => {
  out.push(Number(path.status === 'reached'), path.length, path.length3d);
  out.push(path.cost, path.bound, path.expanded);
  out.push(...path.points);
};
for (let k = 0; k < Number(count); k++) {
  const [from, to] = [places.place(), places.place()];
  const [a, b] = [from.position, to.position];
  out.push(...a, ...b);
  pairs.push([a, b]);
  const near = mesh.nearest([a[0] + 0.7, a[1], a[2] - 0.4], [2, 2, 2]);
  out.push(...(near ? near.position : [-1]));
  const ray = mesh.raycast(from, b);
  out.push(...ray.point, ray.fraction);
  const moved = mesh.moveAlong(from, b);
  out.push(...moved.place.position, moved.walked);
  out.push(mesh.wallDistance(from, 5).distance, Number(mesh.reachable(from, to)));
  // Worlds have no distances between doors.
  if (k % 6 === 5 && (mesh.counts.rooms === 0 || level.chunks.length)) {
    out.push(-1);
    continue;
  }
  say(mesh.findPath(a, b, { planner: planners[k % 6] }));
}
if (level.chunks.length) {
  for (const { key } of level.chunks.filter((_, k) => k % 2 === 1)) mesh.remove(key);
  mesh.commit();
  for (const [a, b] of pairs) {
    const path = mesh.findPath(a, b);
    out.push(Number(path.status === 'not-loaded'));
    say(path);
    if (!mesh.locate(a)) continue;
    out.push(...mesh.notLoaded(a).flat());
    const route = mesh.findRoute(a, b);
    out.push(route?.length ?? -1);
    for (const { position, into } of route?.passages ?? []) out.push(...position, ...into);
  }
  out.push(...mesh.save());
}
const ours = new Uint8Array(Float64Array.from(out).buffer);
const native = readFileSync(answers);
const differs = Buffer.compare(ours, native) !== 0;
if (differs) {
  const theirs = new Float64Array(native.buffer.slice(native.byteOffset, native.byteOffset + native.length));
  const at = out.findIndex((value, k) => !Object.is(value, theirs[k]));
  console.error(`number ${at}: ${out[at]}, natively ${theirs[at]} (${out.length} and ${theirs.length} numbers)`);
}
console.log(`${count} queries, ${ours.length} bytes: ${differs ? 'they differ' : 'the same bytes'}`);
process.exit(differs ? 1 : 0);
