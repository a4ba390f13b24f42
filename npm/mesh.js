// The navmesh of an agent: the functions of navbake.h with objects around them.
import {
  HEURISTICS, LEG, LINK, LOCATION, MOTION, NETWORK, NONE, OBSTACLE, ORDERS, PASSAGE, PATH, PLANNERS,
  POLYGON, RAY, REACHED, REQUEST, ROOM, ROUTE, STATUSES, UNITS, WALL,
} from './layout.js';
import { NavbakeError, check, memory, refused, wasm } from './start.js';

// Places of arguments and results in the room of the memory.
const [A, B, C, OUT] = [0, 64, 128, 320];
const OFF_MESH = STATUSES.indexOf('off-mesh');

/** The navmesh of an agent, with what is closed, costs and obstacles of its own. */
export class Mesh {
  constructor(level, agent) {
    this.level = level;
    const [own, room] = [wasm(), memory.room];
    check(own.navbake_mesh(level.blob, agent, room), 'mesh');
    this.pointer = memory.u32(room);
    check(own.navbake_search_new(this.pointer, 0, room), 'mesh');
    this.search = memory.u32(room);
    level.meshes.add(this);
  }

  /** Frees it; with the level it is freed too. */
  free() {
    if (!this.pointer) return;
    wasm().navbake_search_free(this.search);
    wasm().navbake_mesh_free(this.pointer);
    this.pointer = this.search = 0;
    this.level.meshes.delete(this);
  }

  /** The nearest place on the ground, at most `extents` metres away along each axis; or null. */
  nearest(point, extents = [2, 2, 2]) {
    const room = memory.room;
    const [p, e] = [memory.setPoint(room + A, point), memory.setPoint(room + B, extents)];
    return this.#place(wasm().navbake_nearest(this.pointer, p, e, room + OUT), room + OUT, 'nearest');
  }

  /** The place above or below a point, at most `vertical` metres away; null without. */
  locate(point, vertical = 2) {
    const room = memory.room;
    const status = wasm().navbake_locate(this.pointer, memory.setPoint(room + A, point), vertical, room + OUT);
    return this.#place(status, room + OUT, 'locate');
  }

  #place(status, at, what) {
    if (check(status, what) !== 0) return null;
    return { position: memory.point(at), polygon: memory.u32(at + LOCATION.polygon) };
  }

  #put(at, place) {
    memory.setPoint(at, place.position);
    memory.setU32(at + LOCATION.polygon, place.polygon);
    return at;
  }

  /** Can a path lead from one place to the other? Without a search; see navbake_reachable. */
  reachable(from, to) {
    const [a, b] = [this.#put(memory.room + A, from), this.#put(memory.room + B, to)];
    return check(wasm().navbake_reachable(this.pointer, a, b), 'reachable') === 0;
  }

  /** Looks from a place straight towards a point, up to the first wall. */
  raycast(from, towards) {
    const out = memory.room + OUT;
    const [a, b] = [this.#put(memory.room + A, from), memory.setPoint(memory.room + B, towards)];
    check(wasm().navbake_raycast(this.pointer, a, b, out), 'raycast');
    const edge = memory.u32(out + RAY.edge);
    return {
      point: memory.point(out),
      hit: edge !== NONE,
      normal: [memory.f64(out + RAY.normal), memory.f64(out + RAY.normal + 8)],
      fraction: memory.f64(out + RAY.fraction),
      polygon: memory.u32(out + RAY.polygon),
    };
  }

  /** Moves a place towards a point and along the walls in between. */
  moveAlong(from, to, kept = 0.9) {
    const out = memory.room + OUT;
    const [a, b] = [this.#put(memory.room + A, from), memory.setPoint(memory.room + B, to)];
    const status = wasm().navbake_move(this.pointer, a, b, kept, 0, 0, 0, 0, out);
    const place = this.#place(status, out, 'moveAlong');
    return { place, walked: memory.f64(out + MOTION.walked), contacts: memory.u32(out + MOTION.contacts) };
  }

  /** The wall nearest to a place, up to `most` metres away. */
  wallDistance(from, most) {
    const [own, out] = [wasm(), memory.room + OUT];
    const a = this.#put(memory.room + A, from);
    check(own.navbake_wall_distance(this.pointer, this.search, a, most, out), 'wallDistance');
    const hit = memory.u32(out + WALL.edge) !== NONE;
    const normal = [memory.f64(out + WALL.normal), memory.f64(out + WALL.normal + 8)];
    return { distance: memory.f64(out), point: hit ? memory.point(out + WALL.point) : null, normal };
  }

  /** The polygons within a circle around a place, or within a path of that length. */
  around(from, radius, { walk = false } = {}) {
    const [own, room] = [wasm(), memory.room];
    const a = this.#put(room + A, from);
    const ask = (to, capacity) => {
      const status = own.navbake_around(this.pointer, this.search, a, radius, walk ? 1 : 0, 0, 0, to, capacity, room + OUT);
      check(status, 'around');
      return memory.u32(room + OUT);
    };
    const count = ask(0, 0);
    return memory.with(count * REACHED.size, (to) => {
      ask(to, count);
      return Array.from({ length: count }, (_, k) => {
        const at = to + k * REACHED.size;
        return { polygon: memory.u32(at), distance: memory.f64(at + REACHED.distance) };
      });
    });
  }

  /** A sequence of random places: one seed, one sequence on every machine. */
  random(seed = 1) {
    check(wasm().navbake_random_new(this.pointer, BigInt(seed), memory.room), 'random');
    return new RandomPlaces(this, memory.u32(memory.room));
  }

  /** A path between two points, or to the nearest of several goals. */
  findPath(from, to, options = {}) {
    const [own, request, out] = [wasm(), this.#request(from, to, options), memory.room + OUT];
    if (!Array.isArray(to[0])) {
      return this.#path(own.navbake_path(this.pointer, this.search, request, out), out);
    }
    return memory.with(to.length * 24, (goals) => {
      to.forEach((goal, k) => memory.setPoint(goals + 24 * k, goal));
      return this.#path(own.navbake_path_to_any(this.pointer, this.search, request, goals, to.length, out), out);
    });
  }

  /** Begins a search; any other call on this mesh ends it. */
  startPath(from, to, options = {}) {
    const request = this.#request(from, to, options);
    check(wasm().navbake_path_start(this.pointer, this.search, request), 'startPath');
    return {
      step: (budget) => STATUSES[check(wasm().navbake_path_step(this.pointer, this.search, budget), 'step')],
      path: () => this.#path(wasm().navbake_path_result(this.pointer, this.search, memory.room + OUT), memory.room + OUT),
    };
  }

  #request(from, to, options) {
    const room = memory.room;
    const request = room + C;
    const goal = Array.isArray(to[0]) ? to[0] : to;
    const status = wasm().navbake_path_request(
      memory.setPoint(room + A, from), memory.setPoint(room + B, goal), request);
    check(status, 'findPath');
    const numbers = ['gap', 'weight', 'diagonalCost', 'turnPenalty'];
    const known = [
      'planner', 'partial', 'extents', 'landmarks', 'order', 'heuristic', 'reverse', 'cornerCutting', 'unit', ...numbers,
    ];
    for (const [name, value] of Object.entries(options)) {
      if (!known.includes(name)) throw new Error(`navbake: no option ${name}; there are ${known.join(', ')}`);
      const names = { planner: PLANNERS, order: ORDERS, heuristic: HEURISTICS }[name];
      if (names) {
        const number = names.indexOf(value);
        if (number < 0) throw new Error(`navbake: no ${name} ${value}; there are ${names.join(', ')}`);
        memory.setU32(request + REQUEST[name], number);
      } else if (name === 'extents') memory.setPoint(request + REQUEST.extents, value);
      else if (numbers.includes(name)) memory.setF64(request + REQUEST[name], value);
      else memory.setU32(request + REQUEST[name], name === 'unit' ? value : value ? 1 : 0);
    }
    return request;
  }

  #path(status, at) {
    check(status, 'findPath');
    const count = memory.u32(at + PATH.pointCount);
    const points = memory.f64s(memory.u32(at + PATH.points), 3 * count);
    const legs = Array.from({ length: memory.u32(at + PATH.legCount) }, (_, k) => {
      const leg = memory.u32(at + PATH.legs) + k * LEG.size;
      const link = memory.u32(leg);
      const first = memory.u32(leg + LEG.firstPoint);
      return { link: link === NONE ? null : link, first, count: memory.u32(leg + LEG.pointCount) };
    });
    return {
      status: STATUSES[status],
      points,
      polygons: memory.u32s(memory.u32(at + PATH.polygons), memory.u32(at + PATH.polygonCount)),
      legs,
      length: memory.f64(at + PATH.lengthXz),
      length3d: memory.f64(at + PATH.length3d),
      cost: memory.f64(at + PATH.cost),
      bound: memory.f64(at + PATH.bound),
      gap: memory.f64(at + PATH.gap),
      expanded: memory.u32(at + PATH.expanded),
      optimal: memory.u32(at + PATH.certified) === 1,
      planner: PLANNERS[memory.u32(at + PATH.planner)],
      goal: memory.u32(at + PATH.goal),
    };
  }

  /** Closes exactly the switches of these names, and opens all others. */
  setClosed(names) {
    const words = new BigUint64Array(Math.ceil(this.level.switches.length / 64) || 1);
    for (const name of names) {
      const k = this.level.switches.findIndex((one) => one.name === name);
      if (k < 0) {
        const known = this.level.switches.map((one) => one.name).join(', ') || 'none';
        throw new Error(`navbake: no switch ${name}; the file has ${known}`);
      }
      words[k >> 6] |= 1n << BigInt(k & 63);
    }
    memory.with(words.byteLength, (at) => {
      new BigUint64Array(wasm().memory.buffer, at, words.length).set(words);
      check(wasm().navbake_set_closed(this.pointer, at, words.length), 'setClosed');
    });
  }

  #named(call, name, ...rest) {
    const text = new TextEncoder().encode(`${name}\0`);
    return memory.with(text.length, (at) => {
      new Uint8Array(wasm().memory.buffer).set(text, at);
      return call(this.pointer, at, ...rest);
    });
  }

  /** The cost of a metre on the areas of a name; Infinity forbids them. */
  setCost(area, cost) {
    check(this.#named(wasm().navbake_set_cost, area, cost), `setCost ${area}`);
  }

  /** All costs from a row of weights that the file has. */
  setWeights(name) {
    check(this.#named(wasm().navbake_set_weights, name), `setWeights ${name}`);
  }

  /** The cost of a metre up and of a metre down. */
  setSlopes(uphill, downhill) {
    check(wasm().navbake_set_slopes(this.pointer, uphill, downhill), 'setSlopes');
  }

  /** Prepares the cells of a grid map for grid4, grid8 and hex, as the mesh is now. */
  useCells(room = 'cell', size = 0) {
    const number = UNITS.indexOf(room);
    if (number < 0) throw new Error(`navbake: no room ${room}; there are ${UNITS.join(', ')}`);
    check(wasm().navbake_use_cells(this.pointer, number, size), 'useCells');
  }

  /** Makes landmarks over the prepared cells, for heuristic: 'table' of a planner over cells. */
  useLandmarks(planner, count = 8) {
    check(wasm().navbake_use_landmarks(this.pointer, PLANNERS.indexOf(planner) >>> 0, count), `useLandmarks ${planner}`);
  }

  /** The route networks of the file. */
  get networks() {
    return Array.from({ length: wasm().navbake_network_count(this.pointer) }, (_, k) => {
      check(wasm().navbake_network(this.pointer, k, memory.room), 'networks');
      const at = memory.room;
      return { name: memory.name(at), points: memory.u32(at + NETWORK.points), edges: memory.u32(at + NETWORK.edges) };
    });
  }

  /** Prepares a route network for the planner network, as the mesh is now. */
  useNetwork(name) {
    check(this.#named(wasm().navbake_use_network, name), `useNetwork ${name}`);
  }

  /** A unit begins to stand at a place, or leaves it: others cannot use cells and points there. */
  stand(point, unit, stands = true) {
    check(wasm().navbake_stand(this.pointer, memory.setPoint(memory.room, point), unit, stands ? 1 : 0), 'stand');
  }

  /** Puts an obstacle on the ground at the next commit, or a volume that gives ground an area. */
  addObstacle(solid) {
    return this.#solid(solid, (at) => {
      const added = solid.area === undefined
        ? wasm().navbake_obstacle_add(this.pointer, at, memory.room)
        : this.#named((own, area) => wasm().navbake_volume_add(own, at, area, memory.room), solid.area);
      check(added, 'addObstacle');
      return memory.data.getBigUint64(memory.room, true);
    });
  }

  /** Puts another shape in the place of an obstacle at the next commit. */
  moveObstacle(id, solid) {
    this.#solid(solid, (at) => check(wasm().navbake_obstacle_move(this.pointer, id, at), 'moveObstacle'));
  }

  /** Takes an obstacle away at the next commit. */
  removeObstacle(id) {
    check(wasm().navbake_obstacle_remove(this.pointer, id), 'removeObstacle');
  }

  /**
   * Calls a function while these obstacles are set aside, and returns its result: for the path of
   * a unit that is an obstacle to others but not to itself.
   */
  without(ids, ask) {
    memory.with(8 * ids.length, (at) => {
      ids.forEach((id, k) => memory.data.setBigUint64(at + 8 * k, id, true));
      check(wasm().navbake_set_aside(this.pointer, at, ids.length), 'without');
    });
    try {
      return ask();
    } finally {
      check(wasm().navbake_set_aside(this.pointer, 0, 0), 'without');
    }
  }

  #solid({ centre, radius, corners, heights }, call) {
    if ((centre === undefined) === (corners === undefined)) {
      throw new Error('navbake: an obstacle has centre and radius, or corners');
    }
    const outline = corners ?? [centre];
    return memory.with(OBSTACLE.size + 16 * outline.length, (at) => {
      outline.forEach(([x, z], k) => {
        memory.setF64(at + OBSTACLE.size + 16 * k, x);
        memory.setF64(at + OBSTACLE.size + 16 * k + 8, z);
      });
      memory.setU32(at, at + OBSTACLE.size);
      memory.setU32(at + OBSTACLE.count, outline.length);
      memory.setF64(at + OBSTACLE.radius, corners ? 0 : radius);
      memory.setF64(at + OBSTACLE.heights, heights[0]);
      memory.setF64(at + OBSTACLE.heights + 8, heights[1]);
      return call(at);
    });
  }

  /** Puts a copy of a chunk on the mesh of an index at the next commit. */
  insert(chunk) {
    check(wasm().navbake_chunk_insert(this.pointer, chunk.pointer), `insert ${chunk.name}`);
  }

  /** Takes a chunk, by column and row, off at the next commit. */
  remove([column, row]) {
    const status = wasm().navbake_chunk_remove(this.pointer, column, row);
    if (status !== 0) throw refused(`remove ${column}, ${row}`, status);
  }

  /** Is a chunk on the mesh? */
  isLoaded([column, row]) {
    return check(wasm().navbake_chunk_loaded(this.pointer, column, row), 'isLoaded') === 0;
  }

  /** The chunks that are not loaded and in which the ground of a point goes on. */
  notLoaded(point, vertical = 2) {
    const [own, out] = [wasm(), memory.room + OUT];
    const ask = (capacity) => memory.with(8 * capacity, (keys) => {
      const at = this.#ground(point, vertical, 'notLoaded');
      check(own.navbake_not_loaded(this.pointer, at, keys, capacity, out), 'notLoaded');
      const count = memory.u32(out);
      return count > capacity ? ask(count) : memory.keys(keys, count);
    });
    return ask(8);
  }

  /** A route to a goal over chunks that are loaded or not; null where there is none. */
  findRoute(from, to, vertical = 2) {
    const [{ pointer, search }, out] = [this, memory.room + OUT];
    const ask = (capacity) => memory.with(PASSAGE.size * capacity, (passages) => {
      const start = this.#ground(from, vertical, 'findRoute');
      const rest = [memory.setPoint(memory.room + B, to), vertical, passages, capacity, out];
      const status = wasm().navbake_route(pointer, search, start, ...rest);
      if (check(status, 'findRoute') !== 0) return null;
      const count = memory.u32(out + ROUTE.passages);
      if (count > capacity) return ask(count);
      const read = (at) => ({ position: memory.point(at), into: memory.key(at + PASSAGE.into) });
      const all = Array.from({ length: count }, (_, k) => read(passages + PASSAGE.size * k));
      return { length: memory.f64(out), passages: all };
    });
    return ask(8);
  }

  // The memory of the place above or below a point, where there has to be one.
  #ground(point, vertical, what) {
    const place = this.locate(point, vertical);
    if (place) return this.#put(memory.room + A, place);
    const where = `no ground within ${vertical} m above or below ${point.join(', ')}`;
    throw new NavbakeError(`${what}: ${where}: give a place on ground that is loaded`, OFF_MESH);
  }

  /** Obstacles, chunks and changes that wait for a commit, as bytes for `restore` of the level. */
  save() {
    const [own, out] = [wasm(), memory.room + OUT];
    check(own.navbake_save(this.pointer, 0, 0, out), 'save');
    const length = memory.u32(out);
    return memory.with(length, (at) => {
      check(own.navbake_save(this.pointer, at, length, out), 'save');
      return memory.bytes(at, length);
    });
  }

  /** Carries out changes of obstacles and chunks until `most` polygons were cut; 0 for all. */
  commit(most = 0) {
    check(wasm().navbake_commit(this.pointer, most, memory.room), 'commit');
    const [changed, polygons, left] = memory.u32s(memory.room, 3);
    return { changed, polygons, left };
  }

  /** How many polygons, links, islands, rooms and doors between rooms it has now. */
  get counts() {
    check(wasm().navbake_counts(this.pointer, memory.room), 'counts');
    const [polygons, links, islands, rooms, roomDoors] = memory.u32s(memory.room, 5);
    return { polygons, links, islands, rooms, roomDoors };
  }

  /** A polygon: its corners, and what is beyond each edge (null for a wall). */
  polygon(number) {
    const [own, out] = [wasm(), memory.room + OUT];
    const ask = (corners, beyond, capacity) => {
      check(own.navbake_polygon(this.pointer, number, corners, beyond, capacity, out), 'polygon');
      return memory.u32(out);
    };
    const count = ask(0, 0, 0);
    return memory.with(Math.max(28 * count, 1), (at) => {
      if (count) ask(at, at + 24 * count, count);
      const room = memory.u32(out + POLYGON.room);
      return {
        corners: Array.from({ length: count }, (_, k) => memory.point(at + 24 * k)),
        beyond: Array.from(memory.u32s(at + 24 * count, count), (n) => (n === NONE ? null : n)),
        area: this.level.areas[memory.u32(out + POLYGON.area)],
        island: memory.u32(out + POLYGON.island),
        room: room === NONE ? null : room,
      };
    });
  }

  /** A link, by its number. */
  link(number) {
    const at = memory.room;
    check(wasm().navbake_link(this.pointer, number, at), 'link');
    return {
      name: memory.name(at),
      from: memory.point(at + LINK.from),
      to: memory.point(at + LINK.to),
      cost: memory.f64(at + LINK.cost),
      agents: memory.u32(at + LINK.agents),
    };
  }

  /** A room, by its number. */
  room(number) {
    const at = memory.room;
    check(wasm().navbake_room(this.pointer, number, at), 'room');
    return {
      name: memory.name(at),
      middle: memory.point(at + ROOM.middle),
      area: memory.f64(at + ROOM.area),
      deadEnd: memory.u32(at + ROOM.deadEnd) === 1,
      choke: memory.u32(at + ROOM.choke) === 1,
    };
  }
}

/** A sequence of random places on a mesh. */
export class RandomPlaces {
  constructor(mesh, pointer) {
    this.mesh = mesh;
    this.pointer = pointer;
  }

  /** The next place, uniform by area over all open ground; null without ground. */
  place() {
    const at = memory.room;
    const status = wasm().navbake_random_place(this.mesh.pointer, this.pointer, at);
    if (check(status, 'place') !== 0) return null;
    return { position: memory.point(at), polygon: memory.u32(at + LOCATION.polygon) };
  }

  /** The next place within a path of `most` metres from a place. */
  within(from, most) {
    const [a, out] = [memory.room + A, memory.room + OUT];
    memory.setPoint(a, from.position);
    memory.setU32(a + LOCATION.polygon, from.polygon);
    const { pointer, search } = this.mesh;
    check(wasm().navbake_random_within(pointer, search, this.pointer, a, most, out), 'within');
    return { position: memory.point(out), polygon: memory.u32(out + LOCATION.polygon) };
  }

  free() {
    wasm().navbake_random_free(this.pointer);
    this.pointer = 0;
  }
}
