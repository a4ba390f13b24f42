// Bakes an OBJ with the Recast of recast-navigation-js and writes what its exportNavMesh gives.
//   node recast.mjs IN.obj OUT.bin solo|tiled [up] [scale]
import { readFileSync, writeFileSync } from 'node:fs';
import { init, exportNavMesh } from '@recast-navigation/core';
import { generateSoloNavMesh, generateTiledNavMesh } from '@recast-navigation/generators';

const [from, to, kind, up = 'y', scale = '1'] = process.argv.slice(2);
await init();
const positions = [], indices = [];
for (const line of readFileSync(from, 'utf8').split('\n')) {
  const w = line.trim().split(/\s+/);
  if (w[0] === 'v') {
    const [x, y, z] = w.slice(1, 4).map((v) => Number(v) * Number(scale));
    positions.push(...(up === 'z' ? [x, z, -y] : [x, y, z]));
  }
  if (w[0] !== 'f') continue;
  const corners = w.slice(1).map((s) => parseInt(s)).map((n) => (n < 0 ? positions.length / 3 + n : n - 1));
  for (let i = 2; i < corners.length; i++) indices.push(corners[0], corners[i - 1], corners[i]);
}
// Radius 0.6, height 2, climb 0.9 m, as tools/bench/levels.toml.
const [cs, ch] = [0.3, 0.2];
const settings = { cs, ch, walkableSlopeAngle: 46, walkableHeight: 10, walkableClimb: 4, walkableRadius: 2 };
const made = kind === 'tiled'
  ? generateTiledNavMesh(positions, indices, { ...settings, tileSize: 64, borderSize: 5 })
  : generateSoloNavMesh(positions, indices, settings);
if (!made.success) throw new Error(made.error);
writeFileSync(to, exportNavMesh(made.navMesh));
process.exit(0);
