// Paths, by the very runtime that games use.
let runtime = null;
const bytes = id => Uint8Array.from(atob(el(id).textContent.trim()), c => c.charCodeAt(0));
async function unpacked(id) {
  const opened = new Blob([bytes(id)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(opened).arrayBuffer());
}
async function awake() {
  const { instance } = await WebAssembly.instantiate(await unpacked('runtime'), {}), blob = bytes('blob'), rt = instance.exports;
  const at = rt.room(blob.length);
  new Uint8Array(rt.memory.buffer, at, blob.length).set(blob);
  if (!rt.open()) throw new Error('the blob in this page is damaged');
  return rt;
}
function walk(to = !walking) {
  walking = to; ends = []; walked = [];
  unwatch();
  el('path').setAttribute('aria-pressed', String(walking));
  say(walking ? 'click where it begins' : '');
  redraw();
}
function say(what) {
  el('answer').textContent = what;
  el('answer').hidden = !what;
}
async function end(x, z) {
  const wx = fromX(x), wz = fromZ(z), m = D.meshes[mesh], here = drawn().find(wx, wz);
  if (!here.length) { say('there is no ground here'); return; }
  // Of storeys above each other the one that is drawn last.
  await put([wx, m.height[here[here.length - 1].p], wz]);
}
// A place is an end of a path.
async function put(place) {
  if (ends.length > 1) { ends = []; walked = []; unwatch(); }
  ends.push(place);
  redraw();
  if (ends.length < 2) { say('click where it ends'); return; }
  try { runtime = runtime || awake(); await route(await runtime); } catch (fault) { say(String(fault.message || fault)); }
}
// Gives the settings to the runtime; says what it does not take.
function configure(rt) {
  const bytes = new TextEncoder().encode(settings.lines());
  const at = rt.room(bytes.length);
  new Uint8Array(rt.memory.buffer, at, bytes.length).set(bytes);
  if (!rt.set()) throw new Error(message(rt));
}
const message = rt => new TextDecoder().decode(new Uint8Array(rt.memory.buffer, rt.message(), rt.message_length()));
function route(rt) {
  const [a, b] = ends.map(metres), data = el('answer').dataset;
  walked = [];
  data.length = data.cost = ''; data.ends = JSON.stringify([a, b]); data.command = settings.command(a, b);
  el('copy-command').disabled = false;
  el('watch').hidden = false;
  redraw();
  configure(rt);
  const came = rt.path(...a, ...b), at = rt.answer();
  if (came === 4) { say(message(rt)); return; }
  if (came === 2) { say('an end is not on the ground'); return; }
  const [flat, space, cost, bound, optimal, expanded, count] = new Float64Array(rt.memory.buffer, at, 7);
  const points = new Float64Array(rt.memory.buffer, at + 56, 3 * count);
  for (let k = 0; k < count; k++) walked.push([(points[3 * k] - OX) * 100, (points[3 * k + 1] - OY) * 100, (points[3 * k + 2] - OZ) * 100]);
  if (!came) { say(`no path; ${expanded} opened`); return; }
  data.length = String(flat); data.cost = String(cost);
  const parts = [`${flat.toFixed(2)} m in the plane`];
  if (!isNaN(space) && Math.abs(space - flat) > 0.005) parts.push(`${space.toFixed(2)} m along the ground`);
  if (Math.abs(cost - flat) > 0.005) parts.push(`cost ${cost.toFixed(2)}`);
  if (came === 3) parts.push('only near the goal');
  parts.push(optimal ? 'optimal' : bound > 0 ? `at most ${Math.ceil((cost / bound - 1) * 1e4) / 100} % above the cheapest` : 'no bound');
  parts.push(`by ${message(rt)}`, `${expanded} opened`);
  say(parts.join(', '));
  redraw();
}
// Another setting: the same path anew, and its search if that is shown.
let resume = false;
async function again() {
  if (settings.mesh() !== mesh && D.meshes.length) { mesh = settings.mesh(); el('mesh').value = String(mesh); storeys(); }
  resume = resume || watching > 0;
  unwatch();
  redraw();
  if (ends.length < 2) return;
  try { route(await (runtime = runtime || awake())); } catch (fault) { say(String(fault.message || fault)); return; }
  if (resume) { resume = false; watch(); }
}
const settings = makeSettings(D, el, text, again);
function panel(shown = el('settings').hidden) {
  el('settings').hidden = !shown;
  el('set').setAttribute('aria-pressed', String(shown));
  if (shown) el('set-unit').focus();
}
el('set').addEventListener('click', () => panel());
el('copy-command').addEventListener('click', () => clip(el('answer').dataset.command, el('copy-command')));
el('copy-fragment').addEventListener('click', () => clip(settings.fragment(), el('copy-fragment')));
async function brush(x, z) {
  if (settings.kind() !== 'cell') {
    const m = D.meshes[mesh], [one] = m ? drawn().find(fromX(x), fromZ(z)) : [];
    if (one) settings.paintGround(m.area ? m.area[one.p] : 0, doorsAt(x, z).map(d => d.name));
    else say('no ground here');
    return;
  }
  let rt;
  try { rt = await (runtime = runtime || awake()); } catch (fault) { say(String(fault.message || fault)); return; }
  const [mx, , mz] = metres([fromX(x), 0, fromZ(z)]);
  if (!rt.cell(mx, mz)) { say('no free cell here'); return; }
  const sides = S_SIDES[D.search.cells], values = new Float64Array(rt.memory.buffer, rt.answer(), 2 + 2 * sides), corners = [];
  for (let k = 0; k < sides; k++) corners.push([values[2 + 2 * k], values[3 + 2 * k]]);
  settings.paint([values[0], values[1]], corners);
}
const S_SIDES = { squares: 4, hexagons: 6 };
// The search of that path, watched: it goes on in slices, so that the page stays alive, and slower
// at first, so that one sees it. Afterwards the slider goes through it.
function unwatch() {
  watching = 0; opened = [];
  el('watch').setAttribute('aria-pressed', 'false');
  el('watch').hidden = ends.length < 2;
  el('steps').hidden = true;
}
async function watch() {
  if (ends.length < 2 || el('watch').hidden) return;
  if (watching) { unwatch(); redraw(); return; }
  let rt, over;
  try { rt = await (runtime = runtime || awake()); } catch (fault) { say(String(fault.message || fault)); return; }
  if (watching || ends.length < 2) return;
  const mine = watching = performance.now() || 1;
  opened = [];
  el('watch').setAttribute('aria-pressed', 'true');
  el('steps').hidden = false; el('steps').dataset.over = '';
  try { configure(rt); } catch (fault) { say(String(fault.message || fault)); return; }
  over = rt.begin(...ends.flatMap(metres));
  if (over) stepped(true);
  el('step').focus();
  let owed = 0, last = performance.now();
  const more = now => {
    if (watching !== mine) return;
    const follows = +el('step').value === opened.length, rate = settings.rate();
    owed = rate ? owed + Math.max(0, now - last) / 1000 * rate : Math.max(1, Math.ceil(opened.length / 20));
    last = now;
    const slice = Math.floor(owed);
    owed -= slice;
    if (slice) {
      over = rt.step(slice);
      take(rt);
      stepped(over, follows);
    }
    if (!over) requestAnimationFrame(more);
  };
  if (!over) requestAnimationFrame(more);
}
function take(rt) {
  const at = rt.answer(), [count] = new Float64Array(rt.memory.buffer, at, 1), values = new Float64Array(rt.memory.buffer, at + 8, 9 * count);
  for (let k = 0; k < count; k++) {
    const [polygon, ...places] = values.subarray(9 * k, 9 * k + 9), [x, z, ...cone] = places.map((c, i) => (c - (i % 2 ? OZ : OX)) * 100);
    opened.push({ polygon, x, z, cone: isNaN(cone[0]) ? null : cone });
  }
}
function stepped(over, follows = true) {
  const slider = el('step');
  slider.max = opened.length;
  if (follows) slider.value = opened.length;
  if (over) el('steps').dataset.over = String(opened.length);
  const at = +slider.value, node = opened[at - 1];
  const text = !opened.length ? (over ? 'no search: the straight line is free, or the goal is known to be unreachable' : 'nothing expanded yet')
    : `${at} of ${opened.length} opened` + (node && settings.kind() !== 'point' ? `, ${settings.kind()} ${node.polygon}` : '');
  el('stepped').textContent = text;
  slider.setAttribute('aria-valuetext', text);
  redraw();
}
el('watch').addEventListener('click', watch);
el('step').addEventListener('input', () => stepped(el('steps').dataset.over !== '', false));
el('path').addEventListener('click', () => walk());
