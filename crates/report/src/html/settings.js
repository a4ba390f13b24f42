'use strict';
// How paths are searched on the page: planner, unit, costs, and cells that are tried with another
// area. Nothing here changes the level; what was tried can be copied as a command and as lines for
// the config. `changed` is called after each change, `text` makes an element.
const makeSettings = (D, el, text, changed) => {
const S = D.search, SQUARES = ['grid4', 'grid8'], GRID = [...SQUARES, 'hex'];
const A_STAR = ['auto', 'corridor', 'midpoints', ...GRID, 'network'];
const HEURISTICS = ['zero', 'euclidean', 'manhattan', 'octile', 'longest-axis', 'table'];
// Which planners use an option. An option without a row serves all.
const USED = {
  network: ['network'], order: A_STAR, heuristic: [...A_STAR, 'weighted'], weight: A_STAR, estimate: A_STAR, reverse: A_STAR,
  corner: SQUARES, turns: GRID, width: GRID,
};
const input = id => el('set-' + id), form = el('settings');
const painted = new Map(); // 'column row' -> { place, corners, area }; area null is blocked
const areas = [...new Set(D.areas)];
let unit = 0;

function option(value, content = value) {
  const made = text('option', content);
  made.value = value;
  return made;
}
const planner = () => input('planner').value;
// What searches open.
const kind = () => (GRID.includes(planner()) ? 'cell' : planner() === 'network' ? 'point' : 'polygon');
const uses = id => !USED[id] || USED[id].includes(planner());
const networks = () => D.meshes[meshOf(unit)].networks;
const meshOf = number => Math.max(0, D.meshes.findIndex(m => m.agents.includes(D.agents[number])));
const row = () => S.units[unit].rows.find(r => r.task === input('task').value) || S.units[unit].rows[0];
// The cost of an area by its baked weights; null where it is forbidden.
const baked = name => {
  const k = D.areas.indexOf(name), own = row();
  if (!own) return 1;
  return own.costs[k] === null ? null : own.costs[k] / S.factors[k];
};

// --- the fields for a unit
function choose(number) {
  unit = number;
  input('unit').value = String(number);
  const tasks = S.units[unit].rows.map(r => r.task);
  input('task').replaceChildren(...(tasks.length ? tasks : ['']).map(t => option(t, t || 'none')));
  const known = ['auto', 'corridor', 'midpoints', 'optimal', 'weighted'];
  if (D.meshes.length && D.meshes[meshOf(unit)].rooms.length) known.push('hierarchical');
  if (S.cells === 'squares') known.push(...SQUARES);
  if (S.cells === 'hexagons') known.push('hex');
  if (D.meshes.length && networks().length) known.push('network');
  const before = planner();
  input('planner').replaceChildren(...known.map(p => option(p)));
  input('planner').value = known.includes(before) ? before : 'optimal';
  input('network').replaceChildren(...(D.meshes.length ? networks() : []).map(n => option(n)));
  costs();
  enable();
}
function costs() {
  const made = areas.map((name, k) => {
    const label = text('label', (name || 'ground') + ' '), field = document.createElement('input'), usual = baked(name);
    field.type = 'text'; field.inputMode = 'decimal'; field.size = 6; field.id = 'set-cost' + k; field.dataset.area = name;
    field.placeholder = usual === null ? 'x' : String(Math.round(usual * 1e6) / 1e6);
    const swatch = text('i', '', 'swatch');
    swatch.style.background = colour(k, document.documentElement.classList.contains('dark'));
    label.prepend(swatch);
    label.append(field);
    return label;
  });
  el('costs').replaceChildren(...made);
}
function enable() {
  for (const id of Object.keys(USED)) {
    input(id).disabled = !uses(id);
    input(id).closest('label').hidden = !uses(id);
  }
  const known = { hex: ['zero', 'euclidean', 'manhattan', 'longest-axis'], network: HEURISTICS.slice(0, 5), grid4: HEURISTICS.slice(0, 5), grid8: HEURISTICS.slice(0, 5), weighted: ['euclidean', 'table'] }[planner()] || HEURISTICS;
  const before = input('heuristic').value;
  input('heuristic').replaceChildren(option('', 'usual'), ...known.map(h => option(h)));
  input('heuristic').value = known.includes(before) ? before : '';
  brushes();
  el('area-costs').hidden = !areas.length;
  el('switches').hidden = !S.switches.length;
}
// What painting does: cells change one by one, other ground by its area.
function brushes() {
  const cells = kind() === 'cell', before = input('brush').value;
  const known = cells ? ['', 'block', 'erase', ...areas.filter(Boolean)] : ['', 'block', 'double', 'erase'];
  const words = { '': 'off', double: 'double the cost' };
  input('brush').replaceChildren(...known.map(value => option(value, words[value] || value)));
  input('brush').value = known.includes(before) ? before : '';
  el('painted').textContent = cells ? 'cells' : 'areas and doors';
  el('cells').hidden = !cells && areas.length < 2 && !S.switches.length;
}
// An area's cost that was typed: a number above 0, or x; others are marked and not used.
function typed() {
  const all = [];
  for (const field of el('costs').querySelectorAll('input')) {
    const value = field.value.trim(), cost = /^(x|inf)$/i.test(value) ? Infinity : Number(value);
    const wrong = value !== '' && !(cost > 0);
    field.setAttribute('aria-invalid', String(wrong));
    if (value !== '' && !wrong) all.push([field.dataset.area, cost]);
  }
  return all;
}
const number = (id, usual) => {
  const value = input(id).value.trim(), wrong = value !== '' && !(Number(value) >= 0);
  input(id).setAttribute('aria-invalid', String(wrong));
  return value === '' || wrong ? usual : Number(value);
};
const estimate = () => (input('estimate').value === 'number' ? String(number('price', 1)) : input('estimate').value);

// --- what others need of it
// Lines for the runtime.
function lines() {
  const out = [`agent=${unit}`, `task=${input('task').value}`, `planner=${planner()}`];
  const put = (id, key, value) => { if (uses(id) && value !== '') out.push(`${key}=${value}`); };
  put('network', 'network', input('network').value);
  put('order', 'order', input('order').value);
  put('heuristic', 'heuristic', input('heuristic').value);
  put('weight', 'weight', number('weight', 1));
  put('estimate', 'cost-estimate', estimate());
  if (uses('reverse') && input('reverse').checked) out.push('reverse=1');
  if (input('partial').checked) out.push('partial=1');
  if (uses('corner') && input('corner').checked) out.push('corner-cutting=1');
  put('turns', 'turn-penalty', number('turns', 0));
  put('width', 'unit-cells', Math.max(1, Math.round(number('width', 1))));
  out.push('closed=' + closed().join(','));
  for (const [area, cost] of typed()) out.push(`cost=${cost === Infinity ? 'inf' : cost} ${area}`);
  for (const { place, area } of painted.values()) out.push(`paint=${place.join(' ')} ${area === null ? 'x' : D.areas.indexOf(area)}`);
  return out.join('\n');
}
const boxes = () => [...el('switches').querySelectorAll('input')];
const closed = () => boxes().map((box, k) => (box.checked ? k : -1)).filter(k => k >= 0);
const quoted = word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
// The command with the same answer, once the lines for the config are baked, if there are any.
function command(from, to) {
  const words = ['navbake', 'query', 'path', D.blob, '--agent', D.agents[unit]];
  const put = (id, key, value, usual) => { if (uses(id) && String(value) !== String(usual)) words.push(key, String(value)); };
  if (input('task').value) words.push('--task', input('task').value);
  words.push('--planner', planner());
  put('network', '--network', input('network').value, '');
  put('order', '--order', input('order').value, 'a-star');
  put('heuristic', '--heuristic', input('heuristic').value, '');
  put('weight', '--weight', number('weight', 1), 1);
  put('estimate', '--cost-estimate', estimate(), 'least');
  if (uses('reverse') && input('reverse').checked) words.push('--reverse');
  if (input('partial').checked) words.push('--partial');
  if (uses('corner') && input('corner').checked) words.push('--corner-cutting');
  put('turns', '--turn-penalty', number('turns', 0), 0);
  put('width', '--unit-cells', Math.max(1, Math.round(number('width', 1))), 1);
  if (boxes().some((box, k) => box.checked !== S.switches[k].closed)) words.push('--closed=' + closed().map(k => S.switches[k].name).join(','));
  words.push(`--from=${from.join(',')}`, `--to=${to.join(',')}`);
  return words.map(quoted).join(' ');
}
// The area of cells that were blocked.
const BLOCKED = 'blocked_cells';
// Lines for the config that make what was tried part of the level.
function fragment() {
  const toml = word => JSON.stringify(word).replace(/\u007f/g, '\\u007f'), out = [], blocked = [...painted.values()].some(p => p.area === null);
  const row = new Map(areas.map(name => [name, baked(name)])), tried = typed();
  for (const [area, cost] of tried) row.set(area, cost === Infinity ? null : cost);
  if (blocked) row.set(BLOCKED, null);
  row.delete('');
  if (tried.length || blocked) {
    const cells = [...row].map(([name, cost]) => `${toml(name)} = ${cost === null ? '"x"' : Number.isInteger(cost) ? cost.toFixed(1) : cost}`);
    const task = input('task').value;
    out.push(task ? '[weights.tasks]' : '[weights.units]');
    const entry = `${toml(D.agents[unit])} = { ${cells.join(', ')} }`;
    out.push(task ? `${toml(task)} = { ${entry} }` : entry, '');
  }
  const name = area => (area === null ? BLOCKED : area);
  if (blocked) out.push('[[area]]', `name = ${toml(BLOCKED)}`, '');
  for (const { corners, area } of painted.values()) {
    // Hexagons reach a little into their neighbours in whole numbers; only middles of cells count.
    const ring = corners.map(c => `[${c[0].toFixed(4)}, ${c[1].toFixed(4)}]`);
    out.push('[[volume]]', `polygon = [${ring.join(', ')}]`, 'y = [-1.0, 1.0]', `area = ${toml(name(area))}`, '');
  }
  return out.join('\n');
}
// A cell that was clicked: `place` is its column and row, `corners` its corners in metres.
function paint(place, corners) {
  const brush = input('brush').value, key = place.join(' ');
  if (brush === 'erase') painted.delete(key);
  else painted.set(key, { place, corners, area: brush === 'block' ? null : brush });
  change();
}
// Other ground that was clicked, of an area by its number: the area changes, or the switch that
// closes it or a door there.
function paintGround(area, doors) {
  const brush = input('brush').value, door = S.switches.findIndex(s => doors.includes(s.name));
  const at = door >= 0 ? door : S.area_switches[area] ?? -1;
  const field = [...el('costs').querySelectorAll('input')].find(f => f.dataset.area === D.areas[area]);
  if (at >= 0 && brush !== 'double') boxes()[at].checked = brush === 'block' || S.switches[at].closed;
  else if (field) {
    const now = field.value.trim() || field.placeholder;
    field.value = { block: 'x', erase: '' }[brush] ?? (now === 'x' ? now : String(2 * now));
  }
  change();
}
const isPainting = () => !el('cells').hidden && input('brush').value !== '';
// Cells that were painted, in the plan's centimetres.
function draw(pen, toX, toZ, style) {
  for (const { corners, area } of painted.values()) {
    pen.beginPath();
    corners.forEach((c, k) => {
      const x = toX((c[0] - D.least[0]) * 100), z = toZ((c[1] - D.least[2]) * 100);
      if (k) pen.lineTo(x, z); else pen.moveTo(x, z);
    });
    pen.closePath();
    pen.globalAlpha = 0.6;
    pen.fillStyle = area === null ? style('--wall') : `hsl(${(areas.indexOf(area) * 137.508) % 360} 70% 50%)`;
    pen.fill();
    pen.globalAlpha = 1;
  }
}
function change() {
  const tried = fragment();
  el('fragment').textContent = tried;
  el('fragment').hidden = el('copy-fragment').hidden = !tried;
  input('price').hidden = input('estimate').value !== 'number';
  changed();
}
function reset() {
  painted.clear();
  form.reset();
  boxes().forEach((box, k) => { box.checked = S.switches[k].closed; });
  choose(unit);
  change();
}

// --- the fields
D.agents.forEach((name, k) => input('unit').append(option(String(k), name)));
for (const [k, s] of S.switches.entries()) {
  const label = text('label', ''), box = document.createElement('input');
  box.type = 'checkbox'; box.checked = s.closed; box.id = 'set-switch' + k;
  label.append(box, ' ' + s.name + ' closed');
  el('switches').append(label);
}
// Text changes while it is typed, all else when it is chosen.
form.addEventListener('input', e => { if (e.target.type === 'text' && e.target !== input('rate')) change(); });
form.addEventListener('change', e => {
  if (e.target.type === 'text') return;
  if (e.target === input('unit')) choose(+input('unit').value);
  if (e.target === input('task')) costs();
  if (e.target === input('planner')) enable();
  change();
});
form.addEventListener('submit', e => e.preventDefault());
el('set-reset').addEventListener('click', reset);
if (D.agents.length) choose(0);
// The number of an area's colour, the same for all bands of it, and colours of the plan by number.
const tone = area => areas.indexOf(D.areas[area]);
function colour(number, dark) { return `hsl(${(number * 137.508) % 360} ${areas.length > 1 ? 50 : 35}% ${dark ? 24 : 86}%)`; }
return { tone, colour, kind, lines, command, fragment, paint, paintGround, isPainting, draw, choose, mesh: () => meshOf(unit), unit: () => unit, rate: () => number('rate', 0) };
};
