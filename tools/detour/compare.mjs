// Opens an MSET file in recast-navigation-js and asks it the pairs of places on stdin.
//   node compare.mjs FILE < answers      (lines of crates/detour/examples/answers.rs)
// Prints one JSON object. The file goes through importNavMesh, so everything that reads it is
// theirs.
import { readFileSync } from 'node:fs';
import { init, importNavMesh, NavMeshQuery } from '@recast-navigation/core';

await init();
const { navMesh } = importNavMesh(new Uint8Array(readFileSync(process.argv[2])));
let tiles = 0, polygons = 0;
for (let i = 0; i < navMesh.getMaxTiles(); i++) {
  const head = navMesh.getTile(i).header();
  if (head) { tiles++; polygons += head.polyCount(); }
}
const query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
// Places are in the ground plane on the navmesh; heights may differ by the height error.
const half = { x: 0.01, y: 0.6, z: 0.01 };
const point = (w, k) => ({ x: Number(w[k]), y: Number(w[k + 1]), z: Number(w[k + 2]) });
const found = { tiles, polygons, pairs: 0, off: 0, same_reach: 0, both: 0, theirs: 0, corridor: 0, optimal: 0, jumps: 0, with_links: 0,
  within_1: 0, worst: 0, shorter: 0, worst_height: 0, mean_height: 0, heights: 0, differ: [] };
const ratios = [], heights = [];

function ask(start, goal) {
  const f = query.findPath(start.nearestRef, goal.nearestRef, start.nearestPoint, goal.nearestPoint, { maxPathPolys: 16384 });
  const size = f.success ? f.polys.size : 0;
  if (!size || f.polys.get(size - 1) !== goal.nearestRef) { f.polys.destroy(); return null; }
  const r = query.findStraightPath(start.nearestPoint, goal.nearestPoint, f.polys, { maxStraightPathPoints: 16384 });
  let length = 0, jumps = 0;
  for (let i = 0; i < r.straightPathCount; i++) {
    const at = (j, k) => r.straightPath.get(3 * j + k);
    // A link's own length in the ground plane counts as well, as in navbake.
    if (i) length += Math.hypot(at(i, 0) - at(i - 1, 0), at(i, 2) - at(i - 1, 2));
    if (r.straightPathFlags.get(i) & 4) jumps++;
  }
  for (const a of [f.polys, r.straightPath, r.straightPathFlags, r.straightPathRefs]) a.destroy();
  return { length, jumps };
}

for (const line of readFileSync(0, 'utf8').split('\n')) {
  const w = line.trim().split(' ');
  if (w.length < 10) continue;
  found.pairs++;
  const [a, b] = [point(w, 0), point(w, 3)];
  const [start, goal] = [a, b].map((p) => query.findNearestPoly(p, { halfExtents: half }));
  if (!start.nearestRef || !goal.nearestRef) { found.off++; found.differ.push(`off ${line}`); continue; }
  for (const [p, q] of [[a, start], [b, goal]]) heights.push(Math.abs(p.y - q.nearestPoint.y));
  const [reached, corridor, optimal, links] = [w[6] === 'reached', Number(w[7]), Number(w[8]), Number(w[9])];
  const theirs = ask(start, goal);
  if (reached !== (theirs !== null)) { found.differ.push(line); continue; }
  found.same_reach++;
  if (!reached) continue;
  found.both++;
  if (links) found.with_links++;
  if (theirs.jumps) found.jumps++;
  found.theirs += theirs.length; found.corridor += corridor; found.optimal += optimal;
  const ratio = corridor > 0 ? theirs.length / corridor : 1;
  if (Math.abs(theirs.length - corridor) <= 0.01 * corridor + 0.01) found.within_1++;
  if (theirs.length < optimal - 0.02 && !links && !theirs.jumps) found.shorter++;
  ratios.push(ratio);
}
ratios.sort((x, y) => x - y); heights.sort((x, y) => x - y);
const at = (list, share) => list.length ? list[Math.min(list.length - 1, Math.floor(share * list.length))] : 0;
found.median = at(ratios, 0.5); found.p99 = at(ratios, 0.99); found.worst = at(ratios, 1); found.least = at(ratios, 0);
found.sum_ratio = found.theirs / found.corridor; found.sum_to_optimal = found.theirs / found.optimal; found.corridor_to_optimal = found.corridor / found.optimal;
found.median_height = at(heights, 0.5); found.p999_height = at(heights, 0.999); found.worst_height = at(heights, 1);
found.differ = found.differ.slice(0, 5);
delete found.mean_height; delete found.heights;
console.log(JSON.stringify(found));
process.exit(0);
