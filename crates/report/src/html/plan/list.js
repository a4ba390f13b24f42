// The list: only the rows that are seen are there.
const list = el('list'), rows = el('rows');
function text(tag, content, of) {
  const made = document.createElement(tag);
  made.textContent = content;
  if (of) made.className = of;
  return made;
}
function fill() {
  rows.style.height = shown.length * ROW + 'px';
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 4);
  const made = [];
  for (let r = first; r < last; r++) {
    const i = shown[r], f = D.findings[i], row = document.createElement('div');
    row.className = 'row'; row.id = 'f' + i; row.style.top = r * ROW + 'px';
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(i === picked));
    row.setAttribute('aria-posinset', String(r + 1)); row.setAttribute('aria-setsize', String(shown.length));
    row.append(text('b', `${SEVERITIES[f.severity]} ${D.rules[f.rule].code}`, SEVERITIES[f.severity]), text('span', f.message));
    row.addEventListener('click', () => { list.focus(); pick(i, true); });
    made.push(row);
  }
  rows.replaceChildren(...made);
  if (picked >= 0 && shown.includes(picked)) list.setAttribute('aria-activedescendant', 'f' + picked);
  else list.removeAttribute('aria-activedescendant');
}
function filter() {
  const words = el('search').value.toLowerCase().split(/\s+/).filter(Boolean), rule = el('rule').value, agent = el('agent').value;
  shown = [];
  D.findings.forEach((f, i) => {
    if (!on.has(SEVERITIES[f.severity]) || (rule !== '' && f.rule !== +rule)) return;
    if (agent !== '' && f.agent !== D.agents[+agent]) return;
    if (words.length) {
      const all = [D.rules[f.rule].code, f.message, f.agent || '', ...f.names].join(' ').toLowerCase();
      if (!words.every(w => all.includes(w))) return;
    }
    shown.push(i);
  });
  list.scrollTop = Math.min(list.scrollTop, Math.max(0, shown.length * ROW - list.clientHeight));
  fill();
  redraw();
}
function pick(i, centre) {
  picked = i;
  const f = D.findings[i], r = shown.indexOf(i);
  if (r >= 0) {
    if (r * ROW < list.scrollTop) list.scrollTop = r * ROW;
    if ((r + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (r + 1) * ROW - list.clientHeight;
  }
  if (f.at && centre) {
    const of = D.meshes.findIndex(m => m.agents.includes(f.agent));
    if (of >= 0 && of !== mesh) { mesh = of; el('mesh').value = String(of); storeys(); }
    // What is to be seen: the shape, which may be at the border of what the place is the middle of.
    const seen = f.shape.length > 1 ? f.shape : [f.at];
    if (!onStorey(seen[0])) choose(storeyOf(seen[0]));
    [midX, midZ] = [0, 2].map(k => seen.reduce((sum, p) => sum + p[k], 0) / seen.length);
    zoom = Math.max(zoom, Math.min(canvas.clientWidth, canvas.clientHeight) / 4000);
    if (page.space) page.space.fly(seen);
  }
  fill(); tell(f); redraw();
}
function tell(f) {
  const rule = D.rules[f.rule], detail = el('detail'), said = [];
  said.push(text('p', `${SEVERITIES[f.severity]} ${rule.code}`, SEVERITIES[f.severity]), text('p', f.message), text('p', rule.finds), text('p', 'Cure: ' + rule.cure));
  if (f.agent) said.push(text('p', 'agent: ' + f.agent));
  if (f.at) {
    const p = text('p', written(f.at) + ' '), button = text('button', 'copy (c)');
    button.type = 'button'; button.id = 'copy';
    button.addEventListener('click', copy);
    p.append(button); said.push(p);
  }
  for (const [name, value] of f.figures) said.push(text('p', `${name} ${+value.toPrecision(4)}`));
  detail.replaceChildren(...said);
}
function copy() {
  const f = D.findings[picked];
  if (f && f.at) clip(written(f.at), el('copy'));
}
// Copies text, and says so on the button.
function clip(content, button) {
  const before = button ? button.textContent : '';
  const done = () => { if (button) { button.textContent = 'copied'; setTimeout(() => { button.textContent = before; }, 1500); } };
  const by = () => {
    const box = document.createElement('textarea'), back = document.activeElement;
    box.value = content; document.body.append(box); box.select();
    const ok = document.execCommand('copy');
    box.remove(); if (back) back.focus();
    if (ok) done();
  };
  if (navigator.clipboard && navigator.clipboard.writeText) navigator.clipboard.writeText(content).then(done, by); else by();
}
list.addEventListener('scroll', fill);
list.addEventListener('keydown', e => {
  const at = shown.indexOf(picked), page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1), last = shown.length - 1;
  const to = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), PageDown: at + page, PageUp: at - page, Home: 0, End: last, Enter: at, ' ': at }[e.key];
  if (to === undefined || last < 0) return;
  e.preventDefault();
  pick(shown[Math.min(last, Math.max(0, to))], true);
});
document.addEventListener('keydown', e => {
  const field = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === 'Escape' && field) { list.focus(); return; }
  if (field && e.target.type !== 'range') return;
  const act = { p: () => walk(), s: watch, x: () => panel(), '/': () => el('search').focus(), c: copy, t: theme, '0': fit, '+': () => zoomBy(1.4), '=': () => zoomBy(1.4), '-': () => zoomBy(1 / 1.4) }[e.key];
  if (act) { e.preventDefault(); act(); }
});

// --- filters and buttons
const used = [...new Set(D.findings.map(f => f.rule))].sort((a, b) => a - b);
for (const r of used) {
  const option = text('option', `${D.rules[r].code} (${D.findings.filter(f => f.rule === r).length})`);
  option.value = String(r); el('rule').append(option);
}
D.agents.forEach((name, k) => { const option = text('option', name); option.value = String(k); el('agent').append(option); });
for (const s of SEVERITIES) {
  const button = text('button', s, s);
  button.type = 'button'; button.setAttribute('aria-pressed', 'true');
  button.addEventListener('click', () => {
    if (on.has(s)) on.delete(s); else on.add(s);
    button.setAttribute('aria-pressed', String(on.has(s)));
    filter();
  });
  el('severities').append(button);
}
D.meshes.forEach((m, k) => { const option = text('option', m.agents.join(', ')); option.value = String(k); el('mesh').append(option); });
el('mesh').hidden = D.meshes.length < 2;
el('mesh').addEventListener('change', () => { mesh = +el('mesh').value; settings.choose(Math.max(0, D.agents.indexOf(D.meshes[mesh].agents[0]))); storeys(); redraw(); });
function choose(s) {
  storey = s;
  for (const b of el('storeys').children) b.setAttribute('aria-pressed', String(+b.dataset.storey === s));
  if (page.space) page.space.cutAt(s);
  redraw();
}
function storeys() {
  const m = D.meshes[mesh], made = [];
  if (m && m.cuts.length) {
    for (let s = -1; s <= m.cuts.length; s++) {
      const button = text('button', s < 0 ? 'all storeys' : String(s + 1));
      button.type = 'button'; button.dataset.storey = String(s);
      if (s >= 0) button.title = `storey ${s + 1}` + (s ? `, from ${(m.cuts[s - 1] / 100 + OY).toFixed(1)} m` : '');
      button.addEventListener('click', () => choose(s));
      made.push(button);
    }
  }
  el('storeys').replaceChildren(...made);
  choose(m && m.cuts.length ? Math.min(storey, m.cuts.length) : -1);
}
function theme() { document.documentElement.classList.toggle('dark'); colours.clear(); redraw(); }
el('theme').addEventListener('click', theme);
el('fit').addEventListener('click', fit);
el('in').addEventListener('click', () => zoomBy(1.4));
el('out').addEventListener('click', () => zoomBy(1 / 1.4));
el('filters').addEventListener('submit', e => e.preventDefault());
for (const id of ['search', 'rule', 'agent']) el(id).addEventListener('input', filter);
new ResizeObserver(() => { fill(); redraw(); }).observe(document.body);
new ResizeObserver(() => { fill(); redraw(); }).observe(canvas);
if (window.matchMedia && matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark');
storeys();
filter();
fit();
