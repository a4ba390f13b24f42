// What is under the pointer.
// Pixels from a place of the plan to a line in the level.
function toLine(x, z, a, b) {
  const [ax, az, bx, bz] = [toX(a[0]), toZ(a[2]), toX(b[0]), toZ(b[2])], l = (bx - ax) ** 2 + (bz - az) ** 2;
  const t = l ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (z - az) * (bz - az)) / l)) : 0;
  return Math.hypot(ax + t * (bx - ax) - x, az + t * (bz - az) - z);
}
const doorsAt = (x, z) => D.meshes[mesh].doors.filter(d => onStorey(d.a) && toLine(x, z, d.a, d.b) < 6);
function under(x, z) {
  const lines = [], m = D.meshes[mesh], near = p => Math.hypot(toX(p[0]) - x, toZ(p[2]) - z) <= NEAR;
  let hit = -1;
  for (const i of shown) {
    const f = D.findings[i];
    if (!f.at || !onStorey(f.at) || !near(f.at)) continue;
    if (hit < 0) hit = i;
    if (lines.length < 6) lines.push(`${SEVERITIES[f.severity]} ${D.rules[f.rule].code}: ${f.message}`);
  }
  for (const k of D.markers) if (onStorey(k.at) && near(k.at)) lines.push(`marker ${k.name}`);
  if (!m) return { hit, lines };
  for (const d of doorsAt(x, z)) lines.push(`door ${d.name}${d.name && ', '}${d.width.toFixed(2)} m wide`);
  for (const l of m.links) if ((onStorey(l.a) || onStorey(l.b)) && toLine(x, z, l.a, l.b) < 5) lines.push(`link ${l.name}${l.name && ', '}${l.kind}`);
  for (const one of drawn().find(fromX(x), fromZ(z))) {
    const room = m.rooms.length ? m.rooms[m.room[one.p]] : null;
    const parts = [`polygon ${one.p}`, `island ${m.island[one.p]}`];
    if (room !== null) parts.push(room ? `room ${room}` : `room ${m.room[one.p]}`);
    if (m.area) parts.push(D.areas[m.area[one.p]] || 'ground');
    lines.push(parts.join(', ') + `, at height ${(m.height[one.p] / 100 + OY).toFixed(2)} m`);
  }
  return { hit, lines };
}
function hover(event) {
  const r = canvas.getBoundingClientRect(), x = event.clientX - r.left, z = event.clientY - r.top;
  const { hit, lines } = under(x, z), tip = el('tip');
  el('place').textContent = `x ${(fromX(x) / 100 + OX).toFixed(2)}  z ${(fromZ(z) / 100 + OZ).toFixed(2)}`;
  tip.hidden = !lines.length;
  tip.textContent = lines.join('\n');
  tip.style.left = Math.min(x + 14, Math.max(0, r.width - 350)) + 'px';
  tip.style.top = Math.min(z + 14, r.height - 20 * (lines.length + 1)) + 'px';
  canvas.style.cursor = hit >= 0 ? 'pointer' : '';
  return hit;
}
canvas.addEventListener('pointerdown', e => {
  pointer = { x: e.clientX, y: e.clientY, midX, midZ, moved: false };
  canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener('pointermove', e => {
  if (!pointer) { hover(e); return; }
  const [dx, dy] = [e.clientX - pointer.x, e.clientY - pointer.y];
  if (Math.hypot(dx, dy) > 3) pointer.moved = true;
  if (!pointer.moved) return;
  midX = pointer.midX - dx / zoom; midZ = pointer.midZ - dy / zoom;
  el('tip').hidden = true;
  redraw();
});
canvas.addEventListener('pointerup', e => {
  const still = pointer && !pointer.moved;
  pointer = null;
  if (!still) return;
  if (settings.isPainting()) { const r = canvas.getBoundingClientRect(); brush(e.clientX - r.left, e.clientY - r.top); return; }
  if (walking) { const r = canvas.getBoundingClientRect(); end(e.clientX - r.left, e.clientY - r.top); return; }
  const hit = hover(e);
  if (hit >= 0) pick(hit, false);
});
canvas.addEventListener('pointercancel', () => { pointer = null; });
canvas.addEventListener('pointerleave', () => { el('tip').hidden = true; });
canvas.addEventListener('wheel', e => {
  e.preventDefault();
  const r = canvas.getBoundingClientRect();
  zoomBy(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), e.clientX - r.left, e.clientY - r.top);
}, { passive: false });
canvas.addEventListener('keydown', e => {
  if (e.key === 'Enter' && settings.isPainting()) { e.preventDefault(); brush(canvas.clientWidth / 2, canvas.clientHeight / 2); return; }
  if (e.key === 'Enter' && walking) { e.preventDefault(); end(canvas.clientWidth / 2, canvas.clientHeight / 2); return; }
  const step = 60 / zoom, go = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[e.key];
  if (!go) return;
  e.preventDefault();
  midX += go[0]; midZ += go[1];
  redraw();
});
