'use strict';
// The camera: it turns about a point, moves with it, and flies.
(() => {
const page = window.navbake, UP = Math.PI / 2 - 0.001, FIELD = 45;
const clamp = (v, low, high) => Math.min(high, Math.max(low, v));
const calm = window.matchMedia && matchMedia('(prefers-reduced-motion: reduce)').matches;

page.camera = (stage, moved, clicked, hovered) => {
  const eye = new THREE.PerspectiveCamera(FIELD, 1, 0.05, 10000), at = { x: 0, y: 0, z: 0, yaw: 0.4, pitch: 0.9, far: 50 };
  let size = 50, flight = 0, fixed = false;
  const place = () => {
    const flat = Math.cos(at.pitch) * at.far;
    eye.position.set(at.x + Math.sin(at.yaw) * flat, at.y + Math.sin(at.pitch) * at.far, at.z + Math.cos(at.yaw) * flat);
    eye.up.set(0, 1, 0);
    eye.lookAt(at.x, at.y, at.z);
    eye.near = clamp(at.far / 200, 0.02, 5); eye.far = at.far * 4 + 4 * size + 50;
    eye.updateProjectionMatrix(); eye.updateMatrixWorld(true);
  };
  const go = () => { place(); moved(); };
  const stop = () => { flight = 0; };
  const turn = (yaw, pitch) => { stop(); at.yaw += yaw; at.pitch = clamp(at.pitch + pitch, -0.3, UP); go(); };
  // Along the picture's axes, in pixels.
  const pixel = () => 2 * Math.tan(FIELD * Math.PI / 360) * at.far / Math.max(1, stage.clientHeight);
  const pan = (dx, dy) => {
    stop();
    const s = pixel(), sin = Math.sin(at.yaw), cos = Math.cos(at.yaw), lift = Math.max(0.35, Math.sin(at.pitch));
    at.x -= (cos * dx + sin * dy / lift) * s; at.z -= (-sin * dx + cos * dy / lift) * s;
    go();
  };
  const zoomBy = (factor, x, y) => {
    stop();
    const before = at.far;
    at.far = clamp(at.far / factor, 0.5, 8 * size + 100);
    if (x !== undefined) {
      const s = (1 - at.far / before) * pixel() * before / at.far, dx = (x - stage.clientWidth / 2) * s, dy = (y - stage.clientHeight / 2) * s;
      const sin = Math.sin(at.yaw), cos = Math.cos(at.yaw), lift = Math.max(0.35, Math.sin(at.pitch));
      at.x += cos * dx + sin * dy / lift; at.z += -sin * dx + cos * dy / lift;
    }
    go();
  };
  // Forwards, to the right and up, in metres.
  const step = (forward, right, up) => {
    stop();
    const sin = Math.sin(at.yaw), cos = Math.cos(at.yaw);
    at.x += -sin * forward + cos * right; at.z += -cos * forward - sin * right; at.y += up;
    go();
  };
  const to = (goal, now) => {
    const from = { ...at }, began = performance.now(), mine = ++flight, last = began + (calm || now ? 0 : 350);
    goal = { ...at, ...goal };
    goal.yaw = from.yaw + Math.atan2(Math.sin(goal.yaw - from.yaw), Math.cos(goal.yaw - from.yaw));
    const frame = () => {
      if (flight !== mine) return;
      const t = clamp((performance.now() - began) / Math.max(1, last - began), 0, 1), s = last === began ? 1 : t * t * (3 - 2 * t);
      for (const k in goal) at[k] = from[k] + (goal[k] - from[k]) * s;
      go();
      if (s < 1) requestAnimationFrame(frame);
    };
    frame();
  };
  // The distance from which a box [least, greatest] fills the picture.
  const fit = (box, now) => {
    const mid = [0, 1, 2].map(k => (box[0][k] + box[1][k]) / 2), keep = { ...at };
    size = Math.max(4, Math.hypot(...[0, 1, 2].map(k => box[1][k] - box[0][k])));
    [at.x, at.y, at.z] = mid;
    let low = 1, high = 4 * size;
    const v = new THREE.Vector3();
    for (let k = 0; k < 24; k++) {
      at.far = (low + high) / 2; place();
      let all = true;
      for (let c = 0; c < 8; c++) {
        v.set(box[c & 1][0], box[c >> 1 & 1][1], box[c >> 2 & 1][2]).project(eye);
        all = all && Math.abs(v.x) < 0.92 && v.y < 0.86 && v.y > -0.92 && v.z < 1;
      }
      if (all) high = at.far; else low = at.far;
    }
    const goal = { x: mid[0], y: mid[1], z: mid[2], far: high };
    Object.assign(at, keep);
    to(goal, now);
  };
  const ray = (x, y) => {
    const v = new THREE.Vector3(2 * x / stage.clientWidth - 1, 1 - 2 * y / stage.clientHeight, 0.5).unproject(eye).sub(eye.position).normalize();
    return [eye.position.toArray(), v.toArray()];
  };

  // --- pointers: one turns, the right button or two of them move, and two zoom
  const fingers = new Map();
  let drag = null;
  const spot = e => { const r = stage.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
  stage.addEventListener('contextmenu', e => e.preventDefault());
  stage.addEventListener('pointerdown', e => {
    stage.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, spot(e));
    drag = { pans: e.button > 0 || e.shiftKey || fingers.size > 1, moved: fingers.size > 1 };
  });
  stage.addEventListener('pointermove', e => {
    const now = spot(e), before = fingers.get(e.pointerId);
    if (!before || !drag) { hovered(...now); return; }
    const dx = now[0] - before[0], dy = now[1] - before[1];
    if (!drag.moved && Math.hypot(dx, dy) < 4) return;
    drag.moved = true;
    if (fingers.size === 2) {
      const [other] = [...fingers].find(([id]) => id !== e.pointerId).slice(1), apart = p => Math.hypot(p[0] - other[0], p[1] - other[1]);
      zoomBy(apart(now) / Math.max(1, apart(before)));
      pan(dx / 2, dy / 2);
    } else if (drag.pans) pan(dx, dy);
    else turn(-dx * 0.006, dy * 0.006);
    fingers.set(e.pointerId, now);
  });
  const up = (e, counts) => {
    const known = fingers.delete(e.pointerId);
    if (counts && known && drag && !drag.moved && e.button === 0) clicked(...spot(e));
    if (!fingers.size) drag = null;
  };
  stage.addEventListener('pointerup', e => up(e, true));
  stage.addEventListener('pointercancel', e => up(e, false));
  // Over pins, too.
  stage.parentNode.addEventListener('wheel', e => { e.preventDefault(); zoomBy(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), ...spot(e)); }, { passive: false });
  stage.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const metres = at.far / 12, shift = e.shiftKey;
    const act = {
      ArrowLeft: () => shift ? pan(60, 0) : turn(-0.12, 0), ArrowRight: () => shift ? pan(-60, 0) : turn(0.12, 0),
      ArrowUp: () => shift ? pan(0, 60) : turn(0, 0.08), ArrowDown: () => shift ? pan(0, -60) : turn(0, -0.08),
      w: () => step(metres, 0, 0), s: () => step(-metres, 0, 0), a: () => step(0, -metres, 0), d: () => step(0, metres, 0),
      e: () => step(0, 0, metres), q: () => step(0, 0, -metres), n: () => to({ yaw: 0 }, fixed),
    }[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!act) return;
    e.preventDefault(); e.stopPropagation();
    act();
  });
  return { eye, at, go, turn, pan, step, zoomBy, fit, to, ray, pixel, still: () => { fixed = true; } };
};
})();
