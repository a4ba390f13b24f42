// How the plan is drawn.
const toX = x => (x - midX) * zoom + canvas.clientWidth / 2, toZ = z => (z - midZ) * zoom + canvas.clientHeight / 2;
const fromX = x => (x - canvas.clientWidth / 2) / zoom + midX, fromZ = z => (z - canvas.clientHeight / 2) / zoom + midZ;
let waiting = false;
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    if (!page.space) draw();
    for (const look of page.seen) look();
  });
}
function draw() {
  const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = css('--back');
  pen.fillRect(0, 0, w, h);
  if (!D.meshes.length) return;
  const m = D.meshes[mesh], made = drawn();
  ground(made, w, h, ratio);
  settings.draw(pen, toX, toZ, css);
  if (watching) {
    pen.save();
    pen.translate(w / 2, h / 2); pen.scale(zoom, zoom); pen.translate(-midX, -midZ);
    searched(made, m);
    pen.restore();
  }
  const line = (a, b) => { pen.beginPath(); pen.moveTo(toX(a[0]), toZ(a[2])); pen.lineTo(toX(b[0]), toZ(b[2])); pen.stroke(); };
  pen.strokeStyle = css('--door'); pen.lineWidth = 3;
  for (const d of m.doors) if (onStorey(d.a)) line(d.a, d.b);
  pen.strokeStyle = pen.fillStyle = css('--link'); pen.lineWidth = 1.5;
  for (const l of m.links) {
    if (!onStorey(l.a) && !onStorey(l.b)) continue;
    line(l.a, l.b);
    pen.beginPath(); pen.arc(toX(l.b[0]), toZ(l.b[2]), 3, 0, 7); pen.fill();
  }
  pen.fillStyle = css('--fore'); pen.font = '12px system-ui, sans-serif';
  for (const k of D.markers) {
    if (!onStorey(k.at)) continue;
    pen.fillRect(toX(k.at[0]) - 2, toZ(k.at[2]) - 2, 4, 4);
    pen.fillText(k.name.slice(0, 40), toX(k.at[0]) + 5, toZ(k.at[2]) - 4);
  }
  spots(w, h, ratio);
  if (picked >= 0) spot(picked);
  if (!walking) return;
  pen.strokeStyle = pen.fillStyle = css('--path'); pen.lineWidth = 3; pen.beginPath();
  walked.forEach((p, k) => k ? pen.lineTo(toX(p[0]), toZ(p[2])) : pen.moveTo(toX(p[0]), toZ(p[2])));
  pen.stroke();
  for (const p of ends) { pen.beginPath(); pen.arc(toX(p[0]), toZ(p[2]), 5, 0, 7); pen.fill(); }
  // Where Enter puts an end.
  pen.lineWidth = 1; pen.beginPath();
  pen.moveTo(w / 2 - 8, h / 2); pen.lineTo(w / 2 + 8, h / 2); pen.moveTo(w / 2, h / 2 - 8); pen.lineTo(w / 2, h / 2 + 8);
  pen.stroke();
}
// What a search has opened so far, early nodes in other colours than late ones, and what is seen
// from where.
const TINTS = 24, MOST_CONES = 1000;
function searched(made, m) {
  if (settings.kind() !== 'polygon') { places(); return; }
  const count = +el('step').value, tint = k => `hsl(${220 - 190 * k / TINTS} 70% 55%`, fills = new Map(), first = new Set();
  for (let k = 0; k < count; k++) {
    const one = made.rings.get(opened[k].polygon);
    if (!one || first.has(one.p)) continue;
    first.add(one.p);
    const t = Math.floor(k / opened.length * TINTS);
    if (!fills.has(t)) fills.set(t, new Path2D());
    const fill = fills.get(t);
    for (let c = 0; c < one.n; c++) {
      const x = m.corners[one.ring + 2 * c], z = m.corners[one.ring + 2 * c + 1];
      if (c) fill.lineTo(x, z); else fill.moveTo(x, z);
    }
    fill.closePath();
  }
  for (const [t, fill] of fills) { pen.fillStyle = tint(t) + ' / 45%)'; pen.fill(fill); }
  for (let k = Math.max(0, count - MOST_CONES); k < count; k++) {
    const node = opened[k], last = k === count - 1;
    if (!made.rings.has(node.polygon)) continue;
    pen.fillStyle = pen.strokeStyle = last ? css('--path') : tint(Math.floor(k / opened.length * TINTS)) + ')';
    pen.globalAlpha = last ? 0.6 : 0.12;
    pen.beginPath();
    if (node.cone) { const c = node.cone; pen.moveTo(c[2], c[3]); pen.lineTo(c[0], c[1]); pen.lineTo(c[4], c[5]); pen.fill(); }
    pen.globalAlpha = 1; pen.lineWidth = (last ? 2 : 0.6) / zoom;
    if (node.cone) pen.stroke();
    pen.beginPath(); pen.arc(node.x, node.z, (last ? 5 : 2) / zoom, 0, 7); pen.fill();
  }
}
// The same of cells, and of points of a network with the line to each.
function places() {
  const count = +el('step').value, tint = k => `hsl(${220 - 190 * k / opened.length} 70% 55%)`, side = (D.search.side || 0) * 80;
  for (let k = 0; k < count; k++) {
    const { x, z, cone } = opened[k], last = k === count - 1;
    pen.fillStyle = pen.strokeStyle = last ? css('--path') : tint(k);
    if (settings.kind() === 'cell') { pen.globalAlpha = 0.6; pen.fillRect(x - side / 2, z - side / 2, side, side); pen.globalAlpha = 1; continue; }
    pen.lineWidth = (last ? 3 : 1) / zoom;
    if (cone) { pen.beginPath(); pen.moveTo(cone[0], cone[1]); pen.lineTo(x, z); pen.stroke(); }
    pen.beginPath(); pen.arc(x, z, (last ? 5 : 3) / zoom, 0, 7); pen.fill();
  }
}
// Marks of findings, each severity drawn once and then copied. Many in one place are one.
const stamps = new Map();
function stamp(severity, ratio) {
  const color = css('--' + SEVERITIES[severity]), key = `${color} ${ratio}`;
  if (!stamps.has(key)) {
    const made = document.createElement('canvas'), side = Math.ceil(STAMP * ratio);
    made.width = made.height = side;
    const own = made.getContext('2d');
    own.scale(side / STAMP, side / STAMP);
    mark(own, severity, STAMP / 2, STAMP / 2);
    stamps.set(key, made);
  }
  return stamps.get(key);
}
const STAMP = 18;
function spots(w, h, ratio) {
  const seen = new Set(), r = STAMP / 2;
  for (let k = shown.length - 1; k >= 0; k--) {
    const f = D.findings[shown[k]];
    if (shown[k] === picked || !f.at || !onStorey(f.at)) continue;
    const x = toX(f.at[0]), z = toZ(f.at[2]);
    if (x < -r || z < -r || x > w + r || z > h + r) continue;
    const cell = (Math.floor(x / 2) * 8192 + Math.floor(z / 2)) * 4 + f.severity;
    if (seen.has(cell)) continue;
    seen.add(cell);
    pen.drawImage(stamp(f.severity, ratio), x - r, z - r, STAMP, STAMP);
  }
}
// Shapes tell severities apart as well as colours do.
function mark(to, severity, x, z) {
  to.strokeStyle = to.fillStyle = css('--' + SEVERITIES[severity]);
  to.lineWidth = 2; to.beginPath();
  if (severity === 0) to.rect(x - 5, z - 5, 10, 10);
  else if (severity === 1) { to.moveTo(x, z - 6); to.lineTo(x + 6, z + 5); to.lineTo(x - 6, z + 5); to.closePath(); }
  else to.arc(x, z, 4, 0, 7);
  to.globalAlpha = 0.35; to.fill(); to.globalAlpha = 1; to.stroke();
}
// The one that is picked, with its shape.
function spot(i) {
  const f = D.findings[i];
  if (!f.at) return;
  const x = toX(f.at[0]), z = toZ(f.at[2]);
  pen.strokeStyle = css('--' + SEVERITIES[f.severity]);
  if (f.shape.length > 1) {
    pen.lineWidth = 3; pen.beginPath();
    f.shape.forEach((p, k) => k ? pen.lineTo(toX(p[0]), toZ(p[2])) : pen.moveTo(toX(p[0]), toZ(p[2])));
    pen.stroke();
  }
  mark(pen, f.severity, x, z);
  pen.beginPath(); pen.arc(x, z, 14, 0, 7); pen.stroke();
}
// The ground is drawn twice as wide and high as it is seen, and copied while it is moved. Where
// there are many polygons it is stretched while one zooms, and drawn anew when one rests.
const REST = 120;
const sheet = document.createElement('canvas');
let laid = null, rest = 0;
function ground(made, w, h, ratio) {
  const key = [mesh, storey, w, h, ratio, css('--back')].join(' ');
  const same = laid && laid.key === key, near = same && Math.abs(midX - laid.x) * zoom <= w / 2 && Math.abs(midZ - laid.z) * zoom <= h / 2;
  if (!near || laid.zoom !== zoom) {
    if (same && !laid.stale && made.many) {
      clearTimeout(rest);
      rest = setTimeout(() => { laid.stale = true; redraw(); }, REST);
    } else lay(made, key, w, h, ratio);
  }
  const s = zoom / laid.zoom;
  pen.drawImage(sheet, w / 2 + (laid.x - midX) * zoom - w * s, h / 2 + (laid.z - midZ) * zoom - h * s, 2 * w * s, 2 * h * s);
}
function lay(made, key, w, h, ratio) {
  const own = sheet.getContext('2d'), dark = document.documentElement.classList.contains('dark');
  sheet.width = Math.round(2 * w * ratio); sheet.height = Math.round(2 * h * ratio);
  own.setTransform(ratio, 0, 0, ratio, 0, 0);
  own.translate(w, h); own.scale(zoom, zoom); own.translate(-midX, -midZ);
  for (const [tone, fill] of made.fills) {
    own.fillStyle = made.plain ? css('--ground') : settings.colour(tone, dark);
    own.fill(fill);
  }
  own.lineWidth = 0.6 / zoom; own.strokeStyle = css('--edge'); own.stroke(made.edges);
  own.lineWidth = 1.6 / zoom; own.strokeStyle = css('--wall'); own.stroke(made.walls);
  laid = { key, zoom, x: midX, z: midZ, stale: false };
}
function fit() {
  if (page.space) { page.space.fit(); return; }
  if (!D.meshes.length) return;
  const b = drawn().box.slice();
  if (!isFinite(b[0])) return;
  midX = (b[0] + b[2]) / 2; midZ = (b[1] + b[3]) / 2;
  zoom = 0.92 * Math.min(canvas.clientWidth / ((b[2] - b[0]) || 1), canvas.clientHeight / ((b[3] - b[1]) || 1));
  redraw();
}
function zoomBy(factor, x = canvas.clientWidth / 2, z = canvas.clientHeight / 2) {
  if (page.space) { page.space.zoomBy(factor); return; }
  const [wx, wz] = [fromX(x), fromZ(z)];
  zoom = Math.min(20, Math.max(1e-4, zoom * factor));
  midX = wx - (x - canvas.clientWidth / 2) / zoom; midZ = wz - (z - canvas.clientHeight / 2) / zoom;
  redraw();
}
