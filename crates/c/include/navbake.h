/* navbake: queries on a baked navmesh, for C and C++.
 *
 * Made from the sources of the crate navbake-c by cbindgen; do not edit.
 *
 * Coordinates are y-up metres, three doubles a point. Open a blob, take the mesh of an agent, make
 * a search for each thread that asks for paths, and ask. Blobs and meshes are read only: any number
 * of threads may ask one mesh at a time. All functions check their pointers for NULL and say what
 * is wrong by a NavbakeStatus below 0; then nothing has been written to any output but a message.
 */

#ifndef NAVBAKE_H
#define NAVBAKE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 The part of the remaining motion that is usually left after a contact with a wall.
 */
#define NAVBAKE_KEPT 0.9

/*
 A planner: A* over polygons, near the optimum, not always at it.
 */
#define NAVBAKE_PLANNER_CORRIDOR 0

/*
 A planner: the shortest path in the ground plane. Refuses a mesh with costs (NAVBAKE_COSTS) and
 a start on blocked ground (NAVBAKE_START_BLOCKED).
 */
#define NAVBAKE_PLANNER_OPTIMAL 1

/*
 A planner: A* over the middles of portals, away from walls.
 */
#define NAVBAKE_PLANNER_MIDPOINTS 2

/*
 A planner: the cheapest path over ground with costs, within a proved gap; see navbake_set_cost.
 */
#define NAVBAKE_PLANNER_WEIGHTED 3

/*
 A planner: over rooms from door to door, at most a tenth longer than the shortest. Refuses a
 mesh without rooms (NAVBAKE_NO_ROOMS), and all requests that NAVBAKE_PLANNER_OPTIMAL refuses.
 */
#define NAVBAKE_PLANNER_HIERARCHICAL 4

/*
 A planner: the one that the file was baked for. NAVBAKE_PLANNER_OPTIMAL where the mesh has
 labels, nothing has a cost and the options of CORRIDOR are the usual ones, else
 NAVBAKE_PLANNER_CORRIDOR.
 */
#define NAVBAKE_PLANNER_AUTO 5

/*
 A planner: over square cells along x and z. This and the next three need navbake_use_cells or
 navbake_use_network before (NAVBAKE_NO_CELLS).
 */
#define NAVBAKE_PLANNER_GRID4 6

/*
 A planner: over square cells, diagonally too.
 */
#define NAVBAKE_PLANNER_GRID8 7

/*
 A planner: over hexagons.
 */
#define NAVBAKE_PLANNER_HEX 8

/*
 A planner: over a route network, which start and goal join by sight.
 */
#define NAVBAKE_PLANNER_NETWORK 9

/*
 No unit: cells that any unit stands on are blocked.
 */
#define NAVBAKE_NO_UNIT UINT32_MAX

/*
 An order of the open list: the least sum of path behind and estimate ahead.
 */
#define NAVBAKE_ORDER_A_STAR 0

/*
 An order of the open list: the least estimate ahead.
 */
#define NAVBAKE_ORDER_GREEDY 1

/*
 An order of the open list: the least path behind.
 */
#define NAVBAKE_ORDER_DIJKSTRA 2

/*
 An estimate of the remaining distance: the straight line.
 */
#define NAVBAKE_HEURISTIC_EUCLIDEAN 0

/*
 An estimate of the remaining distance: zero.
 */
#define NAVBAKE_HEURISTIC_ZERO 1

/*
 An estimate of the remaining distance: |dx| + |dz|.
 */
#define NAVBAKE_HEURISTIC_MANHATTAN 2

/*
 An estimate of the remaining distance: steps along axes and diagonals.
 */
#define NAVBAKE_HEURISTIC_OCTILE 3

/*
 An estimate of the remaining distance: the greater of |dx| and |dz|.
 */
#define NAVBAKE_HEURISTIC_LONGEST_AXIS 4

/*
 An estimate of the remaining distance: by landmarks. Refused where the mesh has none, or none
 over cells or network were made for the planner (NAVBAKE_NO_LANDMARKS): navbake_use_landmarks.
 */
#define NAVBAKE_HEURISTIC_TABLE 5

/*
 The usual estimate of the planner: OCTILE of GRID8, MANHATTAN of GRID4 and of HEX, where it
 counts steps, else EUCLIDEAN.
 */
#define NAVBAKE_HEURISTIC_USUAL 6

/*
 The assumed cost of a metre ahead: that of the cheapest ground.
 */
#define NAVBAKE_AHEAD_LEAST 0

/*
 The assumed cost of a metre ahead: `ahead_cost` of the request.
 */
#define NAVBAKE_AHEAD_TYPICAL 1

/*
 The assumed cost of a metre ahead: the mean under the straight line to the goal.
 */
#define NAVBAKE_AHEAD_SAMPLED 2

/*
 The assumed cost of a metre ahead: that of the ground at the node.
 */
#define NAVBAKE_AHEAD_OWN 3

/*
 A piece of a path that is no link.
 */
#define NAVBAKE_NO_LINK UINT32_MAX

/*
 The room of a unit on a grid map: its cell alone.
 */
#define NAVBAKE_UNIT_CELL 0

/*
 The room of a unit on a grid map: a disc around the middle of its cell, its radius in metres.
 */
#define NAVBAKE_UNIT_DISC 1

/*
 The room of a unit on a grid map: a block of this many cells along both axes, 1 to 64.
 */
#define NAVBAKE_UNIT_BLOCK 2

/*
 Directions of a path: as many as the config has the vehicle drawn in.
 */
#define NAVBAKE_OWN_DIRECTIONS UINT32_MAX

/*
 The result of a call. 0 is success, values above 0 are answers to valid requests, and values
 below 0 are faults of the call.
 */
enum NavbakeStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   Done; of a path: it leads to the goal.
   */
  NAVBAKE_OK = 0,
  /*
   No path leads to the goal; this one leads to the place nearest to it.
   */
  NAVBAKE_PARTIAL = 1,
  /*
   No path leads to the goal.
   */
  NAVBAKE_UNREACHABLE = 2,
  /*
   There is no ground at the point, or at the start or the goal of the path.
   */
  NAVBAKE_OFF_MESH = 3,
  /*
   The search has too few nodes to decide; the path leads to the place nearest to the goal that
   was found.
   */
  NAVBAKE_OUT_OF_NODES = 4,
  /*
   A search that was begun is not over.
   */
  NAVBAKE_SEARCHING = 5,
  /*
   No path over the chunks that are loaded leads to the goal, but there may be one in others. A
   partial one leads to where the ground goes on. Of a chunk: it is not loaded.
   */
  NAVBAKE_NOT_LOADED = 6,
  /*
   A pointer that has to point at something is NULL or misaligned.
   */
  NAVBAKE_NULL_POINTER = -1,
  /*
   An argument is out of range: an index, a length, a planner, a polygon that does not hold its
   point, a search of another mesh.
   */
  NAVBAKE_BAD_ARGUMENT = -2,
  /*
   The bytes are no blob that this version can read.
   */
  NAVBAKE_BAD_BLOB = -3,
  /*
   A fault in navbake itself. The objects involved can still be freed.
   */
  NAVBAKE_INTERNAL_ERROR = -4,
  /*
   The planner or its heuristic needs landmarks, and the mesh has none.
   */
  NAVBAKE_NO_LANDMARKS = -5,
  /*
   The planner needs rooms with distances between their doors, and the mesh has none.
   */
  NAVBAKE_NO_ROOMS = -6,
  /*
   The planner does not serve a mesh with costs: NAVBAKE_PLANNER_WEIGHTED and
   NAVBAKE_PLANNER_CORRIDOR do.
   */
  NAVBAKE_COSTS = -7,
  /*
   The start is on blocked ground, where the planner finds no path out:
   NAVBAKE_PLANNER_CORRIDOR does.
   */
  NAVBAKE_START_BLOCKED = -8,
  /*
   The planner needs cells or a network: the blob has none, or none of this kind, or the mesh
   changed since navbake_use_cells or navbake_use_network.
   */
  NAVBAKE_NO_CELLS = -9,
  /*
   The bytes are a blob and not a chunk of a world. Of a save: it needs a chunk that is not
   given.
   */
  NAVBAKE_NO_CHUNK = -10,
  /*
   The chunk or the save is of another bake or for another agent than the mesh, or the chunk is
   for a mesh that is not that of an index.
   */
  NAVBAKE_OTHER_WORLD = -11,
  /*
   The chunk is there already: remove it first.
   */
  NAVBAKE_CHUNK_LOADED = -12,
  /*
   The bytes are no save of a mesh that this version can read, or were changed since.
   */
  NAVBAKE_BAD_SAVE = -13,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NavbakeStatus NavbakeStatus;
#else
typedef int32_t NavbakeStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 A baked file's bytes that were checked. Opaque; it points at the bytes and holds none of them.
 */
typedef struct NavbakeBlob NavbakeBlob;

/*
 A chunk of a world that was opened: copied, checked and decoded for an agent. Opaque. It may
 outlive everything that it was made from.
 */
typedef struct NavbakeChunk NavbakeChunk;

/*
 The navmesh of an agent, with its closed switches and the costs of its ground: nothing is closed
 at first, and all ground costs 1. Opaque; it points at the bytes of its blob, and may outlive
 the NavbakeBlob but not the bytes.
 */
typedef struct NavbakeMesh NavbakeMesh;

/*
 Requests of many units in line, over polygons, cells or a network. Opaque. For one thread at a
 time.
 */
typedef struct NavbakeQueue NavbakeQueue;

/*
 A sequence of random places on one mesh. Opaque. For one thread at a time.
 */
typedef struct NavbakeRandom NavbakeRandom;

/*
 The memory of searches on one mesh, which grows as requests need it. Opaque. For one thread at a
 time.
 */
typedef struct NavbakeSearch NavbakeSearch;

/*
 A vehicle on its ground, with the memory of its searches. Opaque; for one thread at a time. It
 points at the bytes of its blob, and may outlive the NavbakeBlob but not the bytes.
 */
typedef struct NavbakeVehicle NavbakeVehicle;

/*
 A kind of unit that the blob was baked for.
 */
typedef struct NavbakeAgent {
  /*
   Its name in UTF-8, in the blob's own bytes; no zero ends it.
   */
  const char *name;
  /*
   Bytes in the name.
   */
  size_t name_length;
  /*
   Radius of the upright cylinder, m.
   */
  double radius;
  /*
   Height of the cylinder, m.
   */
  double height;
  /*
   The highest step it takes, m.
   */
  double climb;
  /*
   The steepest ground it walks on, degrees from level.
   */
  double slope;
} NavbakeAgent;

/*
 A switch of a blob: it closes doors, polygons and links.
 */
typedef struct NavbakeSwitch {
  /*
   Its name in UTF-8, in the blob's own bytes; no zero ends it.
   */
  const char *name;
  /*
   Bytes in the name.
   */
  size_t name_length;
  /*
   1 when it is closed as the level begins, else 0.
   */
  uint32_t closed;
} NavbakeSwitch;

/*
 A place on the surface of a mesh. It belongs to the mesh that gave it.
 */
typedef struct NavbakeLocation {
  /*
   In y-up metres, at the height of the surface.
   */
  double position[3];
  /*
   The polygon that holds it.
   */
  uint32_t polygon;
} NavbakeLocation;

/*
 Where a ray ends.
 */
typedef struct NavbakeRay {
  /*
   y-up metres, at the height of the surface.
   */
  double point[3];
  /*
   x and z of a unit vector from the wall into the ground; zeros where no wall was met.
   */
  double normal[2];
  /*
   The fraction of the distance to the target that it covered, 0 to 1.
   */
  double fraction;
  /*
   The polygon in which it ends.
   */
  uint32_t polygon;
  /*
   The number of the polygon edge that was met, UINT32_MAX for none.
   */
  uint32_t edge;
  /*
   How many portals it crossed.
   */
  uint32_t crossed;
} NavbakeRay;

/*
 The result of a motion.
 */
typedef struct NavbakeMotion {
  /*
   Where the point is now.
   */
  struct NavbakeLocation end;
  /*
   How far it went, in the ground plane, m.
   */
  double walked;
  /*
   How many polygons were entered; more than the capacity when that was too small.
   */
  size_t entered;
  /*
   How many walls were met, likewise.
   */
  size_t hit;
  /*
   How often friction was taken off.
   */
  uint32_t contacts;
} NavbakeMotion;

/*
 A request for a path. Let navbake_path_request fill it in, then change individual fields.
 */
typedef struct NavbakePathRequest {
  /*
   From here, y-up metres.
   */
  double from[3];
  /*
   To here, y-up metres.
   */
  double to[3];
  /*
   How far from both the ground may be, m along each axis.
   */
  double extents[3];
  /*
   One of NAVBAKE_PLANNER_*.
   */
  uint32_t planner;
  /*
   Not 0: where the goal cannot be reached, go as near as possible.
   */
  uint32_t partial;
  /*
   Not 0: the path needs no polygons, which saves time where the mesh has labels.
   */
  uint32_t points_only;
  /*
   WEIGHTED: not 0 to search with landmarks, which the mesh must have.
   */
  uint32_t landmarks;
  /*
   WEIGHTED: the accepted gap to the cheapest path, as a share: 0.02 for 2 %.
   */
  double gap;
  /*
   This and the fields up to `max_open` are for CORRIDOR, MIDPOINTS, the planners over cells
   and NETWORK. The order of the open list, one of NAVBAKE_ORDER_*.
   */
  uint32_t order;
  /*
   The estimate of the remaining distance, one of NAVBAKE_HEURISTIC_*.
   */
  uint32_t heuristic;
  /*
   The factor of that estimate, 1 usually.
   */
  double weight;
  /*
   The assumed cost of a metre ahead, one of NAVBAKE_AHEAD_*.
   */
  uint32_t ahead;
  /*
   Not 0 to search from the goal.
   */
  uint32_t reverse;
  /*
   The cost of NAVBAKE_AHEAD_TYPICAL.
   */
  double ahead_cost;
  /*
   The longest open list; 0 for no limit but the nodes of the search.
   */
  uint32_t max_open;
  /*
   GRID4 and GRID8: not 0 for diagonal steps past one blocked cell.
   */
  uint32_t corner_cutting;
  /*
   GRID8: the cost of a diagonal step in straight ones, usually the square root of 2.
   */
  double diagonal_cost;
  /*
   Planners over cells: added for a step that does not go straight on, in straight steps of
   cost 1.
   */
  double turn_penalty;
  /*
   Planners over cells and NETWORK: the unit that asks; the cells that it stands on itself are
   free for it. See navbake_stand. NAVBAKE_NO_UNIT for none.
   */
  uint32_t unit;
} NavbakePathRequest;

/*
 A part of a path: over ground, or over a link. They alternate, ground first.
 */
typedef struct NavbakeLeg {
  /*
   The link that is taken; NAVBAKE_NO_LINK on ground.
   */
  uint32_t link;
  /*
   The number of its first point in the path.
   */
  uint32_t first_point;
  /*
   How many points; a link has two, the last of the leg before and the first of the leg after.
   */
  uint32_t point_count;
  /*
   The number of its first polygon or cell in the path.
   */
  uint32_t first_polygon;
  /*
   How many polygons or cells.
   */
  uint32_t polygon_count;
} NavbakeLeg;

/*
 A path. Points, polygons and legs are in the search, until it is used again or freed.
 */
typedef struct NavbakePath {
  /*
   Start, corners, end: y-up metres at the height of the surface. Of planners over cells the
   middles of all cells. NULL where there are none.
   */
  const double (*points)[3];
  /*
   How many points.
   */
  size_t point_count;
  /*
   The polygons that the path leads through, in order; of planners over cells the cells. NULL
   where there are none, and over networks.
   */
  const uint32_t *polygons;
  /*
   How many polygons.
   */
  size_t polygon_count;
  /*
   Length in the ground plane, m.
   */
  double length_xz;
  /*
   Length along the surface, m; over cells and networks in straight lines between the points.
   */
  double length_3d;
  /*
   The cost that the planner minimises.
   */
  double cost;
  /*
   No path from start to goal costs less than this.
   */
  double bound;
  /*
   Polygons, cells or points taken off the open list.
   */
  uint32_t expanded;
  /*
   1 when no shorter path exists, over cells and networks none over them; else 0.
   */
  uint32_t certified_optimal;
  /*
   How much more it may cost than the cheapest path, as a share; infinite where nothing is
   known.
   */
  double gap;
  /*
   The planner that found it: this differs from the requested planner after
   NAVBAKE_PLANNER_AUTO, after NAVBAKE_PLANNER_WEIGHTED where all ground costs 1, and after
   NAVBAKE_PLANNER_HIERARCHICAL where doors do not decide.
   */
  uint32_t planner;
  /*
   The number of the goal that the path leads to, of those of navbake_path_to_any.
   */
  uint32_t goal;
  /*
   Its parts over ground and over links. NULL where there are none.
   */
  const struct NavbakeLeg *legs;
  /*
   How many parts.
   */
  size_t leg_count;
} NavbakePath;

/*
 A route network of a blob.
 */
typedef struct NavbakeNetwork {
  /*
   Its name in UTF-8, in the blob's own bytes; no zero ends it.
   */
  const char *name;
  /*
   Bytes in the name.
   */
  size_t name_length;
  /*
   How many points.
   */
  uint32_t points;
  /*
   How many edges, each in one direction.
   */
  uint32_t edges;
} NavbakeNetwork;

/*
 Receives the answer of a unit: the context given to navbake_queue_tick, the unit, the status of
 its path, and the path, which is NULL with a status below 0. The path is valid until the call
 ends. The call must not use the queue or the mesh.
 */
typedef void (*NavbakeAnswer)(void *context, uint64_t unit, NavbakeStatus status, const struct NavbakePath *path);

/*
 The work of a tick.
 */
typedef struct NavbakeTick {
  /*
   The part of the budget that was used.
   */
  uint32_t spent;
  /*
   How many requests were answered.
   */
  uint32_t answered;
  /*
   How many requests still wait for an answer.
   */
  uint32_t waiting;
} NavbakeTick;

/*
 The wall nearest to a place.
 */
typedef struct NavbakeWall {
  /*
   Its distance in the ground plane, m; without a wall the distance up to which there is none.
   */
  double distance;
  /*
   Its point nearest to the place, y-up metres; zeros without a wall.
   */
  double point[3];
  /*
   x and z of a unit vector from the wall into the ground; zeros without a wall.
   */
  double normal[2];
  /*
   The polygon that the wall belongs to; UINT32_MAX without a wall.
   */
  uint32_t polygon;
  /*
   The number of its polygon edge; UINT32_MAX without a wall.
   */
  uint32_t edge;
} NavbakeWall;

/*
 A polygon that was reached.
 */
typedef struct NavbakeReached {
  /*
   The polygon.
   */
  uint32_t polygon;
  /*
   The polygon from which it was entered; UINT32_MAX for the first.
   */
  uint32_t from;
  /*
   Path length to where it was entered, m.
   */
  double distance;
} NavbakeReached;

/*
 A solid that takes ground away: an upright cylinder, or a prism over a convex outline.
 */
typedef struct NavbakeObstacle {
  /*
   Its outline as pairs of x and z, m: one point for the middle of a cylinder, 2 to 12 for a
   prism over their convex hull.
   */
  const double (*corners)[2];
  /*
   How many.
   */
  size_t corner_count;
  /*
   Radius of a cylinder, m; 0 for a prism.
   */
  double radius;
  /*
   Its lowest and its highest point, y-up metres.
   */
  double heights[2];
} NavbakeObstacle;

/*
 What a commit did.
 */
typedef struct NavbakeCommit {
  /*
   Obstacles that were added, moved or removed.
   */
  size_t changed;
  /*
   Baked polygons that were cut anew or came back, and those of chunks that came or went.
   */
  size_t polygons;
  /*
   Changes that wait for the next commit.
   */
  size_t left;
} NavbakeCommit;

/*
 A row of the table of an index: a chunk and its file.
 */
typedef struct NavbakeChunkFile {
  /*
   The name of its file, in the folder of the chunks, with a zero at its end.
   */
  char name[64];
  /*
   Its column and its row.
   */
  int32_t key[2];
  /*
   Least x, y, z of its ground, y-up metres.
   */
  double least[3];
  /*
   Greatest x, y, z of its ground.
   */
  double greatest[3];
  /*
   Length of its file, bytes.
   */
  uint64_t bytes;
  /*
   Polygons of all agents.
   */
  uint32_t polygons;
  /*
   BLAKE3 of its file.
   */
  uint8_t hash[32];
} NavbakeChunkFile;

/*
 A place where a route passes from one chunk to the next.
 */
typedef struct NavbakePassage {
  /*
   y-up metres.
   */
  double position[3];
  /*
   Column and row of the chunk that the route enters there.
   */
  int32_t into[2];
} NavbakePassage;

/*
 A route over chunks of a world, loaded or not.
 */
typedef struct NavbakeRoute {
  /*
   Its length in the ground plane, m. It is not proved to be the shortest.
   */
  double length;
  /*
   How many passages it has; more than the capacity when that was too small.
   */
  size_t passages;
} NavbakeRoute;

/*
 A kind of ground.
 */
typedef struct NavbakeArea {
  /*
   Its name in UTF-8, in the blob's own bytes; no zero ends it.
   */
  const char *name;
  /*
   Bytes in the name.
   */
  size_t name_length;
  /*
   Its tags, one bit each.
   */
  uint32_t tags;
  /*
   The switch that closes it; UINT32_MAX for none.
   */
  uint32_t switch_number;
} NavbakeArea;

/*
 A named place of the level.
 */
typedef struct NavbakeMarker {
  /*
   Its name in UTF-8, in the blob's own bytes; no zero ends it.
   */
  const char *name;
  /*
   Bytes in the name.
   */
  size_t name_length;
  /*
   y-up metres.
   */
  double position[3];
} NavbakeMarker;

/*
 How many of each a mesh has.
 */
typedef struct NavbakeCounts {
  /*
   Polygons; some are gone while obstacles stand on them.
   */
  uint32_t polygons;
  /*
   Links of polygons.
   */
  uint32_t links;
  /*
   Islands: pieces of ground that are connected without links.
   */
  uint32_t islands;
  /*
   Rooms, 0 where none were found; of a world in chunks all, whichever are loaded.
   */
  uint32_t rooms;
  /*
   Doors between them.
   */
  uint32_t room_doors;
} NavbakeCounts;

/*
 A polygon of the mesh.
 */
typedef struct NavbakePolygon {
  /*
   How many corners; 0 while obstacles have replaced it by pieces.
   */
  size_t corners;
  /*
   The number of its first edge; its other edges follow.
   */
  uint32_t first_edge;
  /*
   The number of its area.
   */
  uint32_t area;
  /*
   Its island.
   */
  uint32_t island;
  /*
   Its room; UINT32_MAX where the mesh has none.
   */
  uint32_t room;
} NavbakePolygon;

/*
 A link between two places of the ground, in one direction: a jump, a ladder, a teleporter.
 */
typedef struct NavbakeLink {
  /*
   Its name in UTF-8, in the mesh's memory; no zero ends it.
   */
  const char *name;
  /*
   Bytes in the name.
   */
  size_t name_length;
  /*
   Where it begins, y-up metres.
   */
  double from[3];
  /*
   Where it ends.
   */
  double to[3];
  /*
   What it costs, m.
   */
  double cost;
  /*
   Its width, m.
   */
  double width;
  /*
   The polygon where it begins.
   */
  uint32_t polygon;
  /*
   The polygon where it ends.
   */
  uint32_t beyond;
  /*
   The agents that may take it, one bit each.
   */
  uint32_t agents;
  /*
   The switch that closes it; UINT32_MAX for none.
   */
  uint32_t switch_number;
} NavbakeLink;

/*
 A room of the level.
 */
typedef struct NavbakeRoom {
  /*
   Its name in UTF-8, in the mesh's memory; no zero ends it, and it may be empty.
   */
  const char *name;
  /*
   Bytes in the name.
   */
  size_t name_length;
  /*
   A place near its middle, y-up metres.
   */
  double middle[3];
  /*
   The area of its ground seen from above, square metres.
   */
  double area;
  /*
   1 when it has one door only, else 0.
   */
  uint32_t dead_end;
  /*
   1 when some of its neighbours are connected over it alone, else 0.
   */
  uint32_t choke;
} NavbakeRoom;

/*
 A door between two rooms.
 */
typedef struct NavbakeRoomDoor {
  /*
   Its name in UTF-8, in the mesh's memory; no zero ends it, and it may be empty.
   */
  const char *name;
  /*
   Bytes in the name.
   */
  size_t name_length;
  /*
   x and z of both ends, m.
   */
  double ends[2][2];
  /*
   The width from wall to wall, m.
   */
  double width;
  /*
   Its rooms, the lesser number first.
   */
  uint32_t rooms[2];
  /*
   1 when its rooms are connected over it alone, else 0.
   */
  uint32_t bridge;
} NavbakeRoomDoor;

/*
 A vehicle that the blob was baked for.
 */
typedef struct NavbakeVehicleKind {
  /*
   Its name in UTF-8, in the blob's own bytes; no zero ends it.
   */
  const char *name;
  /*
   Bytes in the name.
   */
  size_t name_length;
  /*
   The least radius of its curves, m.
   */
  double turn_radius;
  /*
   Side of the tiles of its ground, m.
   */
  double tile;
  /*
   How many headings it has at the middle of a tile.
   */
  uint32_t headings;
  /*
   1 when it can be driven backwards, else 0.
   */
  uint32_t reverse;
  /*
   1 when the config has it keep to roads, else 0.
   */
  uint32_t roads;
  /*
   How many directions the config has it drawn in, 8 or 16; 0 for any.
   */
  uint32_t directions;
} NavbakeVehicleKind;

/*
 A request for a path of a vehicle. Let navbake_vehicle_request fill it in, then change
 individual fields.
 */
typedef struct NavbakeVehicleRequest {
  /*
   From here, y-up metres.
   */
  double from[3];
  /*
   To here, y-up metres.
   */
  double to[3];
  /*
   Heading at the start: radians, 0 along x, counter-clockwise seen from above.
   */
  double from_heading;
  /*
   Heading at the goal; not a number for any.
   */
  double to_heading;
  /*
   The factor of the estimate: paths cost up to that many times the least.
   */
  double weight;
  /*
   The speed at the start, m/s: 0 for vehicles without speeds.
   */
  double speed;
  /*
   Not 0: make the found path shorter where the ground has room for it.
   */
  uint32_t smooth;
  /*
   0 for arcs; 8 or 16 for lines along that number of directions; NAVBAKE_OWN_DIRECTIONS.
   */
  uint32_t directions;
  /*
   Not 0: stop at the goal. A vehicle with speeds may else reach it at any speed.
   */
  uint32_t stop;
} NavbakeVehicleRequest;

/*
 A part of a path: an arc, a straight line, or a link.
 */
typedef struct NavbakePiece {
  /*
   Where it begins, y-up metres at the height of the ground.
   */
  double from[3];
  /*
   The heading there, radians.
   */
  double heading;
  /*
   Length, m; 0 for a link.
   */
  double length;
  /*
   1 for a turn to the left when driven forwards, -1 to the right, 0 for straight on.
   */
  int32_t turn;
  /*
   Not 0: driven backwards.
   */
  uint32_t back;
  /*
   The link of the mesh that is taken, NAVBAKE_NO_LINK for none. The next piece begins where it
   ends, at the same heading.
   */
  uint32_t link;
  /*
   The radius of an arc, m; without speeds it is always that of the vehicle.
   */
  double radius;
  /*
   The speed at its beginning, m/s; 0 without speeds.
   */
  double first_speed;
  /*
   The speed at its end, m/s; the acceleration between is constant.
   */
  double last_speed;
} NavbakePiece;

/*
 A path of a vehicle. The pieces are in the vehicle, until it is used again or freed.
 */
typedef struct NavbakeVehiclePath {
  /*
   Arcs and lines, in order.
   */
  const struct NavbakePiece *pieces;
  /*
   How many pieces.
   */
  size_t piece_count;
  /*
   Length of arcs and lines without links, m.
   */
  double length;
  /*
   The cost that is minimised: length by the weights of the ground, reverse penalty, gear
   changes and links, m; of a vehicle with speeds time, and what those add, s.
   */
  double cost;
  /*
   No path over the vehicle's lattice costs less.
   */
  double bound;
  /*
   Heading at the end, radians.
   */
  double end_heading;
  /*
   States taken off the open list.
   */
  uint64_t expanded;
} NavbakeVehiclePath;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of this library, as text with a zero at its end.
 */
const char *navbake_version(void);

/*
 Opens a baked file's bytes and checks all of them, so that no later query can go wrong. The
 bytes are not copied: they must stay as they are for as long as anything made from them is used.

 `message`, which may be NULL, has room for `message_capacity` bytes; a description of the fault
 is written there, truncated to that length, with a zero at the end. `blob` gets the blob; free
 it with navbake_close.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a length beyond all memory),
 NAVBAKE_BAD_BLOB or NAVBAKE_INTERNAL_ERROR.

 # Safety

 Pointers are NULL or point at memory of the lengths given above. Nothing writes to the bytes
 while anything made from them is used.
 */
NavbakeStatus navbake_open(const uint8_t *data,
                           size_t length,
                           char *message,
                           size_t message_capacity,
                           struct NavbakeBlob **blob);

/*
 Frees a blob; NULL is allowed. The bytes stay with the caller, and meshes made from the blob go
 on working.

 # Safety

 The blob comes from navbake_open and is not used again.
 */
void navbake_close(struct NavbakeBlob *blob);

/*
 How many agents the blob was baked for; 0 for NULL.

 # Safety

 The blob is NULL or comes from navbake_open.
 */
size_t navbake_agent_count(const struct NavbakeBlob *blob);

/*
 Describes the agent with this number, counted from 0.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the agent does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The blob is NULL or comes from navbake_open; `agent` is NULL or has room for one.
 */
NavbakeStatus navbake_agent(const struct NavbakeBlob *blob, size_t index, struct NavbakeAgent *agent);

/*
 Gives the navmesh of the agent with this number, counted from 0; free it with navbake_mesh_free.
 That of the index of a world has no ground until chunks are inserted.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the agent does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The blob is NULL or comes from navbake_open; `mesh` is NULL or has room for a pointer.
 */
NavbakeStatus navbake_mesh(const struct NavbakeBlob *blob, size_t agent, struct NavbakeMesh **mesh);

/*
 Frees a mesh; NULL is allowed.

 # Safety

 The mesh comes from navbake_mesh and is not used again.
 */
void navbake_mesh_free(struct NavbakeMesh *mesh);

/*
 How many switches the blob has; 0 for NULL.

 # Safety

 The blob is NULL or comes from navbake_open.
 */
size_t navbake_switch_count(const struct NavbakeBlob *blob);

/*
 Describes the switch with this number, counted from 0.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the switch does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The blob is NULL or comes from navbake_open; `found` is NULL or has room for one.
 */
NavbakeStatus navbake_switch(const struct NavbakeBlob *blob, size_t index, struct NavbakeSwitch *found);

/*
 Closes everything on a mesh that these switches close, and opens everything else except areas
 that costs forbid: bit k % 64 of word k / 64 is switch k of the blob, 1 for closed. Switches
 beyond the last word are open. A mesh is open at first, whatever the switches are as the level
 begins. All later queries on the mesh keep out of closed ground. Allocates at the first call
 only; takes a pass over the mesh's doors and closed polygons, and over a few bits per edge.
 Units with other keys have meshes of their own: searches made for one may be used with the
 other.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a count beyond all memory) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `switches` is NULL,
 with a count of 0, or points at `word_count` words.
 */
NavbakeStatus navbake_set_closed(struct NavbakeMesh *mesh, const uint64_t *switches, size_t word_count);

/*
 Sets the cost of a metre on the areas of a name, in metres of plain ground; all ground costs 1
 at first. INFINITY forbids the areas: they are walls for every query, and can be left but not
 entered. Units with other costs have meshes of their own: searches made for one may be used with
 the other.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no area has this name, or a cost
 that is negative, not a number or more than 2^20) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `area` is NULL or
 text in UTF-8 with a zero at its end.
 */
NavbakeStatus navbake_set_cost(struct NavbakeMesh *mesh, const char *area, double cost);

/*
 Sets the cost of height, in metres of plain ground per metre up or down; 0 at first.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a cost that is negative, not a
 number or more than 2^20) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
 */
NavbakeStatus navbake_set_slopes(struct NavbakeMesh *mesh, double uphill, double downhill);

/*
 Sets the costs of all areas and of height from a row of weights that the file has: that of the
 name and the mesh's agent, or of the name alone.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no row has this name) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `name` is NULL or text
 in UTF-8 with a zero at its end.
 */
NavbakeStatus navbake_set_weights(struct NavbakeMesh *mesh, const char *name);

/*
 Allows the links of these agents on a mesh: bit k for agent k of the blob. At first, those of
 the mesh's own agent.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
 */
NavbakeStatus navbake_set_agents(struct NavbakeMesh *mesh, uint32_t agents);

/*
 Finds the place on the surface above or below a point that is nearest to it in height, at most
 `vertical` metres away.

 Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (no ground there), NAVBAKE_NULL_POINTER or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `point` is NULL or three doubles; `location` is
 NULL or has room for one.
 */
NavbakeStatus navbake_locate(const struct NavbakeMesh *mesh,
                             const double *point,
                             double vertical,
                             struct NavbakeLocation *location);

/*
 Finds the place on the surface that is nearest to a point, at most `extents` metres away along
 each axis.

 Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (no ground there), NAVBAKE_NULL_POINTER or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `point` and `extents` are NULL or three doubles
 each; `location` is NULL or has room for one.
 */
NavbakeStatus navbake_nearest(const struct NavbakeMesh *mesh,
                              const double *point,
                              const double *extents,
                              struct NavbakeLocation *location);

/*
 Reports whether a path from one place to the other can exist, without a search; one-way links
 are taken into account. NAVBAKE_UNREACHABLE is certain. NAVBAKE_OK is not certain with something
 closed by navbake_set_closed, or on a mesh with more connections than its tables hold; call
 navbake_path then. NAVBAKE_NOT_LOADED: there is one once more chunks are loaded, unless
 obstacles, closed ground or the direction of a link prevent it.

 Gives NAVBAKE_OK (there is), NAVBAKE_UNREACHABLE, NAVBAKE_NOT_LOADED, NAVBAKE_NULL_POINTER,
 NAVBAKE_BAD_ARGUMENT (not a place on this mesh) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `from` and `to` are NULL or point at a location
 each.
 */
NavbakeStatus navbake_reachable(const struct NavbakeMesh *mesh,
                                const struct NavbakeLocation *from,
                                const struct NavbakeLocation *to);

/*
 Looks from a place straight towards a point, whose height does not matter, along the surface up
 to the first wall.

 Gives NAVBAKE_OK (whether or not there is a wall: see `edge`), NAVBAKE_NULL_POINTER,
 NAVBAKE_BAD_ARGUMENT (not a place on this mesh) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `from` is NULL or points at a location, `towards`
 is NULL or three doubles; `ray` is NULL or has room for one.
 */
NavbakeStatus navbake_raycast(const struct NavbakeMesh *mesh,
                              const struct NavbakeLocation *from,
                              const double *towards,
                              struct NavbakeRay *ray);

/*
 Moves a place straight towards a point, whose height does not matter, and along the walls in
 between. It never leaves the ground. `kept`, 0 to 1, is the part of the remaining motion that is
 left after a contact with a wall: usually NAVBAKE_KEPT.

 `entered` gets the polygons that are entered and `hit` the numbers of the polygon edges that are
 met, in order, as many as fit; both may be NULL with a capacity of 0. Unused room is cleared; a
 call that is refused writes nothing.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, a
 capacity beyond all memory, results that overlap) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `from` is NULL or points at a location, `to` is
 NULL or three doubles; `entered` and `hit` are NULL or have room for as many numbers as their
 capacities say; `motion` is NULL or has room for one.
 */
NavbakeStatus navbake_move(const struct NavbakeMesh *mesh,
                           const struct NavbakeLocation *from,
                           const double *to,
                           double kept,
                           uint32_t *entered,
                           size_t entered_capacity,
                           uint32_t *hit,
                           size_t hit_capacity,
                           struct NavbakeMotion *motion);

/*
 Fills in a request between two points with the usual values: ground up to 2 m above or below
 them, the planner that uses the baked tables (NAVBAKE_PLANNER_AUTO) with the usual options,
 nothing partial, a gap of 2 %.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 `from` and `to` are NULL or three doubles each; `request` is NULL or has room for one.
 */
NavbakeStatus navbake_path_request(const double *from, const double *to, struct NavbakePathRequest *request);

/*
 Makes the memory for searches on a mesh that look at no more than `nodes` polygons or cells
 each; 0 for as many as they need. Free it with navbake_search_free.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `search` is NULL or has room for a pointer.
 */
NavbakeStatus navbake_search_new(const struct NavbakeMesh *mesh, size_t nodes, struct NavbakeSearch **search);

/*
 Frees a search; NULL is allowed.

 # Safety

 The search comes from navbake_search_new and is not used again.
 */
void navbake_search_free(struct NavbakeSearch *search);

/*
 Finds a path. Allocates where the memory of the search has to grow: once, for requests of one
 kind. With a status of 0 or more `path` is filled in; where no path was found it has no points.

 Gives NAVBAKE_OK (it leads to the goal), NAVBAKE_PARTIAL, NAVBAKE_UNREACHABLE,
 NAVBAKE_NOT_LOADED, NAVBAKE_OFF_MESH, NAVBAKE_OUT_OF_NODES, NAVBAKE_NULL_POINTER,
 NAVBAKE_BAD_ARGUMENT (the planner or option does not exist, or a search made for another mesh),
 NAVBAKE_INTERNAL_ERROR, or, where the planner does not serve the request, NAVBAKE_NO_LANDMARKS,
 NAVBAKE_NO_ROOMS, NAVBAKE_NO_CELLS, NAVBAKE_COSTS or NAVBAKE_START_BLOCKED.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
 and nothing else uses it now; `request` is NULL or points at one; `path` is NULL or has room for
 one.
 */
NavbakeStatus navbake_path(const struct NavbakeMesh *mesh,
                           struct NavbakeSearch *search,
                           const struct NavbakePathRequest *request,
                           struct NavbakePath *path);

/*
 Finds a path to the nearest of several goals, three doubles each; `to` of the request is
 ignored. `goal` of the path is the number of the goal. Everything else is as in navbake_path.

 Gives the status of navbake_path; NAVBAKE_BAD_ARGUMENT also for no goals and for
 NAVBAKE_PLANNER_HIERARCHICAL. Over a network, NAVBAKE_OFF_MESH where any goal is off the mesh.

 # Safety

 As for navbake_path; `goals` is NULL, with a count of 0, or points at as many points.
 */
NavbakeStatus navbake_path_to_any(const struct NavbakeMesh *mesh,
                                  struct NavbakeSearch *search,
                                  const struct NavbakePathRequest *request,
                                  const double (*goals)[3],
                                  size_t goal_count,
                                  struct NavbakePath *path);

/*
 Begins a search that navbake_path_step goes on with, and ends one that was begun before. Any
 other call with the search ends it too.

 Gives NAVBAKE_SEARCHING, the status of a search that is over at once, NAVBAKE_NULL_POINTER or
 one of the refusals of navbake_path. Over a network with an end off the mesh nothing is begun,
 and the status is NAVBAKE_OFF_MESH.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
 and nothing else uses it now; `request` is NULL or points at one.
 */
NavbakeStatus navbake_path_start(const struct NavbakeMesh *mesh,
                                 struct NavbakeSearch *search,
                                 const struct NavbakePathRequest *request);

/*
 Goes on with a search, up to `budget` entries of the open list.

 Gives NAVBAKE_SEARCHING (there is more to do), the status of the path, NAVBAKE_NULL_POINTER,
 NAVBAKE_BAD_ARGUMENT (no search was begun, or the mesh is another one or has changed since) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
 and nothing else uses it now.
 */
NavbakeStatus navbake_path_step(const struct NavbakeMesh *mesh, struct NavbakeSearch *search, uint32_t budget);

/*
 The path of a search that was begun. Of one that is not over it has points over polygons alone:
 they lead to the place nearest to the goal that was found up to now, and navbake_path_step may
 go on.

 Gives NAVBAKE_SEARCHING or the status of the path, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT
 (no search was begun, or the mesh is another one or has changed since) or
 NAVBAKE_INTERNAL_ERROR. With a status of 0 or more `path` is filled in.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
 and nothing else uses it now; `path` is NULL or has room for one.
 */
NavbakeStatus navbake_path_result(const struct NavbakeMesh *mesh,
                                  struct NavbakeSearch *search,
                                  struct NavbakePath *path);

/*
 Finds the costs of the shortest paths from each of some places to each of others, at a half to a
 seventh of the work of single paths where the mesh has labels.

 `distances` gets `from_count` rows of `to_count` numbers: the path's length seen from above, m,
 with the extra cost of links and ground; infinity where there is no path. `gap` gets the share
 that no cost is more above that of the cheapest path: 0 where all are exact, as everywhere on a
 mesh without costs.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not places on this mesh, a search
 of another mesh, results that overlap, more numbers than memory has) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
 and nothing else uses it now; `from` and `to` are NULL, with a count of 0, or point at as many
 locations; `distances` is NULL or has room for `from_count` times `to_count` numbers; `gap` is
 NULL or has room for one.
 */
NavbakeStatus navbake_distances(const struct NavbakeMesh *mesh,
                                struct NavbakeSearch *search,
                                const struct NavbakeLocation *from,
                                size_t from_count,
                                const struct NavbakeLocation *to,
                                size_t to_count,
                                double *distances,
                                double *gap);

/*
 Prepares the cells of the blob's grid map for the unit of a mesh: its costs, its links, what is
 closed for it now, and the room that it takes, one of NAVBAKE_UNIT_*. Obstacles take the cells
 that they reach into; they count as units with numbers from 2^31 on. Nobody else stands on them
 at first. Call it again when the mesh has changed. Takes a pass over all cells, and memory of a
 few bytes a cell.

 Gives NAVBAKE_OK, NAVBAKE_NO_CELLS (the blob was not baked from a grid map),
 NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the kind of room does not exist, a radius that is
 negative or not a number, or a number of cells that is not 1 to 64) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
 */
NavbakeStatus navbake_use_cells(struct NavbakeMesh *mesh, uint32_t room, double size);

/*
 Makes landmarks over the cells or the network that were prepared, for a planner over them: with
 NAVBAKE_HEURISTIC_TABLE its searches expand fewer cells or points around walls, costs and links.
 They replace those made before, and are gone when cells or network are prepared again. Two
 searches over all cells or points for each of the `count` landmarks, at most 64; eight bytes a
 cell and landmark, 16 a point.

 Gives NAVBAKE_OK, NAVBAKE_NO_CELLS (no cells or network were prepared, the cells are of another
 shape, or no ground is open), NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a planner over
 polygons, or a count that is not 1 to 64) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
 */
NavbakeStatus navbake_use_landmarks(struct NavbakeMesh *mesh, uint32_t planner, uint32_t count);

/*
 How many route networks the mesh has; 0 for NULL.

 # Safety

 The mesh is NULL or comes from navbake_mesh.
 */
size_t navbake_network_count(const struct NavbakeMesh *mesh);

/*
 Describes the route network with this number, counted from 0.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the network does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `network` is NULL or has room for one.
 */
NavbakeStatus navbake_network(const struct NavbakeMesh *mesh, size_t index, struct NavbakeNetwork *network);

/*
 Prepares a route network of the mesh for its unit: its costs, its links, and what is closed for
 it now. Nobody stands on its points at first. A mesh has one network at a time. Call it again
 when the mesh has changed. Follows each edge over the mesh.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no network has this name) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `name` is NULL or text
 in UTF-8 with a zero at its end.
 */
NavbakeStatus navbake_use_network(struct NavbakeMesh *mesh, const char *name);

/*
 A unit begins to stand at a place, or with 0 leaves it: of the cells and of the network that
 were prepared, its cell and its nearest point are blocked for all other units.

 Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (no cell is there, and no network was prepared),
 NAVBAKE_NO_CELLS (neither was prepared), NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `point` is NULL or
 three doubles.
 */
NavbakeStatus navbake_stand(struct NavbakeMesh *mesh, const double *point, uint32_t unit, uint32_t stands);

/*
 Makes a queue for at most `units` units and `lanes` searches at once, for requests of the
 planner of `request`, or of planners that search the same: polygons, cells or the network. The
 request says nothing else here, but that its turn penalty above 0 makes room for such searches.
 Free it with navbake_queue_free.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the planner does not exist, or no
 units), NAVBAKE_NO_CELLS (the planner needs cells or a network that were not prepared) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `request` is NULL or points at one; `queue` is NULL
 or has room for a pointer.
 */
NavbakeStatus navbake_queue_new(const struct NavbakeMesh *mesh,
                                const struct NavbakePathRequest *request,
                                size_t units,
                                size_t lanes,
                                struct NavbakeQueue **queue);

/*
 Frees a queue; NULL is allowed.

 # Safety

 The queue comes from navbake_queue_new and is not used again.
 */
void navbake_queue_free(struct NavbakeQueue *queue);

/*
 Requests a path for a unit. A unit has one request: the same one again changes nothing, another
 one takes its place.

 Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (over a network: an end is not on the mesh),
 NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the queue is full, the planner searches something
 else, an option does not exist, or the queue was made for another mesh) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the queue is NULL or comes from navbake_queue_new
 and nothing else uses it now; `request` is NULL or points at one.
 */
NavbakeStatus navbake_queue_ask(const struct NavbakeMesh *mesh,
                                struct NavbakeQueue *queue,
                                uint64_t unit,
                                const struct NavbakePathRequest *request);

/*
 Requests a path for a unit that follows another one, which has a request: it gets the leader's
 path from a start of its own to an end near the leader's, `spacing` metres from those of other
 followers. `to` of the request is ignored.

 Gives the status of navbake_queue_ask; NAVBAKE_BAD_ARGUMENT also where the leader does not wait
 for an answer.

 # Safety

 As for navbake_queue_ask.
 */
NavbakeStatus navbake_queue_follow(const struct NavbakeMesh *mesh,
                                   struct NavbakeQueue *queue,
                                   uint64_t unit,
                                   uint64_t leader,
                                   const struct NavbakePathRequest *request,
                                   double spacing);

/*
 Removes the request of a unit. The first unit that follows it takes its place.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The queue is NULL or comes from navbake_queue_new, and nothing else uses it now.
 */
NavbakeStatus navbake_queue_lose(struct NavbakeQueue *queue, uint64_t unit);

/*
 Works on the requests within a budget, in entries of open lists, and hands over the answers.
 Where the mesh has changed since the last tick, searches that were begun begin anew; cells and
 networks must be prepared again before.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the queue was made for another
 mesh), NAVBAKE_NO_CELLS or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the queue is NULL or comes from navbake_queue_new
 and nothing else uses it now; `answer` is NULL or a function that may be called with `context`
 and throws nothing; `tick` is NULL or has room for one.
 */
NavbakeStatus navbake_queue_tick(const struct NavbakeMesh *mesh,
                                 struct NavbakeQueue *queue,
                                 uint32_t budget,
                                 NavbakeAnswer answer,
                                 void *context,
                                 struct NavbakeTick *tick);

/*
 The direction in which a waiting unit may set out: along what was found for it up to now, else
 straight towards its goal; x and z of a unit vector.

 Gives NAVBAKE_OK, NAVBAKE_UNREACHABLE (the unit does not wait, or is at its goal),
 NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the queue was made for another mesh),
 NAVBAKE_NO_CELLS or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the queue is NULL or comes from navbake_queue_new
 and nothing else uses it now; `direction` is NULL or has room for two doubles.
 */
NavbakeStatus navbake_queue_direction(const struct NavbakeMesh *mesh,
                                      struct NavbakeQueue *queue,
                                      uint64_t unit,
                                      double (*direction)[2]);

/*
 Finds the wall or closed edge nearest to a place, up to `most` metres away. Walls of other
 storeys do not count.

 Gives NAVBAKE_OK (whether or not there is a wall: see `edge`), NAVBAKE_NULL_POINTER,
 NAVBAKE_BAD_ARGUMENT (not a place on this mesh, or a search of another mesh) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
 and nothing else uses it now; `from` is NULL or points at a location; `wall` is NULL or has room
 for one.
 */
NavbakeStatus navbake_wall_distance(const struct NavbakeMesh *mesh,
                                    struct NavbakeSearch *search,
                                    const struct NavbakeLocation *from,
                                    double most,
                                    struct NavbakeWall *wall);

/*
 Finds the polygons that are reached from a place over portals that a shape touches; that of the
 place comes first. The shape is a circle of `radius` metres around the place, or, with corners,
 the convex polygon of 3 to 16 of them, pairs of x and z in metres. With `walk` not 0 the polygons
 are those within a path of `radius` metres.

 `reached` gets the polygons in order of distance, as many as fit, and `count` how many there are;
 `reached` may be NULL with a capacity of 0. Unused room is cleared.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, corners
 of no convex polygon, corners and `walk`, a search of another mesh, results that overlap) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
 and nothing else uses it now; `from` is NULL or points at a location; `corners` is NULL, with a
 count of 0, or points at as many pairs; `reached` is NULL or has room for as many as its capacity
 says; `count` is NULL or has room for one.
 */
NavbakeStatus navbake_around(const struct NavbakeMesh *mesh,
                             struct NavbakeSearch *search,
                             const struct NavbakeLocation *from,
                             double radius,
                             uint32_t walk,
                             const double (*corners)[2],
                             size_t corner_count,
                             struct NavbakeReached *reached,
                             size_t capacity,
                             size_t *count);

/*
 Makes a sequence of random places on a mesh: one seed gives one sequence on every machine. Free
 it with navbake_random_free.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `random` is NULL or has room for a pointer.
 */
NavbakeStatus navbake_random_new(const struct NavbakeMesh *mesh, uint64_t seed, struct NavbakeRandom **random);

/*
 Frees a sequence; NULL is allowed.

 # Safety

 The sequence comes from navbake_random_new and is not used again.
 */
void navbake_random_free(struct NavbakeRandom *random);

/*
 The next random place, uniform by area over all open ground. The first call after a change of
 the mesh takes a pass over its polygons.

 Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (no open ground), NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT
 (a sequence of another mesh) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; the sequence is NULL or comes from
 navbake_random_new, and nothing else uses it now; `location` is NULL or has room for one.
 */
NavbakeStatus navbake_random_place(const struct NavbakeMesh *mesh,
                                   struct NavbakeRandom *random,
                                   struct NavbakeLocation *location);

/*
 The next random place within a path of `most` metres from a place, uniform by area.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, a
 sequence or a search of another mesh) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from
 navbake_search_new, the sequence is NULL or comes from navbake_random_new, and nothing else uses
 these two now; `from` is NULL or points at a location, `location` is NULL or has room for one.
 */
NavbakeStatus navbake_random_within(const struct NavbakeMesh *mesh,
                                    struct NavbakeSearch *search,
                                    struct NavbakeRandom *random,
                                    const struct NavbakeLocation *from,
                                    double most,
                                    struct NavbakeLocation *location);

/*
 The place on a polygon nearest above or below a point, as far as the point is over it.

 Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (the point is beside the polygon), NAVBAKE_NULL_POINTER,
 NAVBAKE_BAD_ARGUMENT (no such polygon) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `point` is NULL or three doubles; `location` is NULL
 or has room for one.
 */
NavbakeStatus navbake_on_polygon(const struct NavbakeMesh *mesh,
                                 uint32_t polygon,
                                 const double *point,
                                 struct NavbakeLocation *location);

/*
 Puts an obstacle on a mesh at the next navbake_commit; `id` gets its number. The first call
 copies the navmesh. Locations on polygons that a commit changes are refused afterwards: locate
 them again.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no outline, more than 12 corners, a
 prism with a radius, heights in the wrong order, a number that is not finite, or a place far off
 the level) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `obstacle` is NULL or
 points at one, whose corners are NULL or as many as it says; `id` is NULL or has room for one.
 */
NavbakeStatus navbake_obstacle_add(struct NavbakeMesh *mesh, const struct NavbakeObstacle *obstacle, uint64_t *id);

/*
 Puts another shape in the place of an obstacle or a volume at the next navbake_commit: moved,
 turned or changed.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no such obstacle, or see
 navbake_obstacle_add) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `obstacle` is NULL or
 points at one, whose corners are NULL or as many as it says.
 */
NavbakeStatus navbake_obstacle_move(struct NavbakeMesh *mesh, uint64_t id, const struct NavbakeObstacle *obstacle);

/*
 Puts a volume on a mesh at the next navbake_commit: ground within the shape, between its
 heights, has the area of this name while it is there, for which navbake_set_cost sets the cost.
 `id` gets its number, for navbake_obstacle_move, which keeps the area, and
 navbake_obstacle_remove.

 Gives what navbake_obstacle_add gives; NAVBAKE_BAD_ARGUMENT also where no area has this name.

 # Safety

 That of navbake_obstacle_add; `area` is NULL or text in UTF-8 with a zero at its end.
 */
NavbakeStatus navbake_volume_add(struct NavbakeMesh *mesh,
                                 const struct NavbakeObstacle *shape,
                                 const char *area,
                                 uint64_t *id);

/*
 Takes an obstacle or a volume away at the next navbake_commit.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no such obstacle) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
 */
NavbakeStatus navbake_obstacle_remove(struct NavbakeMesh *mesh, uint64_t id);

/*
 Removes obstacles and volumes from the mesh until the next call of this function, of
 navbake_commit or of navbake_save: for the path of a unit that is an obstacle to others but not
 to itself. A count of 0 puts all back. The ground is then exactly as before. Locations found
 before are valid again; those found in between are refused on ground that changed.
 navbake_use_cells and navbake_vehicle_update see the mesh without these obstacles.

 Takes the time of a change of these obstacles, and the same again to put them back.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no such obstacle; all are then on
 the mesh) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `ids` is NULL, with a
 count of 0, or points at that many.
 */
NavbakeStatus navbake_set_aside(struct NavbakeMesh *mesh, const uint64_t *ids, size_t count);

/*
 Carries out the changes of obstacles and chunks, in the order in which they were asked for,
 until `most` polygons were cut anew; 0 for all changes. A chunk counts as its polygons. All
 later queries on the mesh know the changes. Closed switches and costs stay.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `done` is NULL or has
 room for one.
 */
NavbakeStatus navbake_commit(struct NavbakeMesh *mesh, size_t most, struct NavbakeCommit *done);

/*
 How many chunks the index of a world lists; 0 for other files and for NULL.

 # Safety

 The index is NULL or comes from navbake_open.
 */
size_t navbake_chunk_count(const struct NavbakeBlob *index);

/*
 Describes the chunk with this number, counted from 0, by row and column.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the chunk does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The index is NULL or comes from navbake_open; `file` is NULL or has room for one.
 */
NavbakeStatus navbake_chunk_file(const struct NavbakeBlob *index, size_t number, struct NavbakeChunkFile *file);

/*
 Opens the bytes of a chunk's file for the agent with this number of its index: copies, checks
 and decodes them, which takes most of the time of loading. Bytes that were changed are refused,
 by their checksum. It may be called on any thread, while others use or change meshes. The bytes
 may be freed afterwards. `message` is as in navbake_open; `chunk` gets the chunk; free it with
 navbake_chunk_free.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the agent does not exist, or a
 length beyond all memory), NAVBAKE_BAD_BLOB, NAVBAKE_NO_CHUNK, NAVBAKE_OTHER_WORLD (it has no
 ground for this agent) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The index is NULL or comes from navbake_open; other pointers are NULL or point at memory of the
 lengths given; `chunk` is NULL or has room for a pointer.
 */
NavbakeStatus navbake_chunk_open(const struct NavbakeBlob *index,
                                 size_t agent,
                                 const uint8_t *data,
                                 size_t length,
                                 char *message,
                                 size_t message_capacity,
                                 struct NavbakeChunk **chunk);

/*
 Frees a chunk; NULL is allowed. Meshes that it was inserted into keep its ground.

 # Safety

 The chunk comes from navbake_chunk_open and is not used again.
 */
void navbake_chunk_free(struct NavbakeChunk *chunk);

/*
 Puts a copy of a chunk on the mesh of an index at the next navbake_commit. The chunk stays with
 the caller, to be freed, or to be inserted again after it was removed.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_OTHER_WORLD, NAVBAKE_CHUNK_LOADED,
 NAVBAKE_BAD_ARGUMENT (there would be more than 2^29 edges) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; the chunk is NULL or
 comes from navbake_chunk_open.
 */
NavbakeStatus navbake_chunk_insert(struct NavbakeMesh *mesh, const struct NavbakeChunk *chunk);

/*
 Takes a chunk off a mesh at the next navbake_commit. Obstacles stay, and take ground again once
 the chunk is back.

 Gives NAVBAKE_OK, NAVBAKE_NOT_LOADED (it is not there), NAVBAKE_NULL_POINTER or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
 */
NavbakeStatus navbake_chunk_remove(struct NavbakeMesh *mesh, int32_t column, int32_t row);

/*
 Is a chunk on a mesh since the last navbake_commit?

 Gives NAVBAKE_OK (it is), NAVBAKE_NOT_LOADED, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh.
 */
NavbakeStatus navbake_chunk_loaded(const struct NavbakeMesh *mesh, int32_t column, int32_t row);

/*
 Finds the chunks that are not loaded and in which the ground of a place goes on: all ground that
 can be reached from there over chunks that are loaded. Obstacles and closed ground do not count.

 `chunks` gets column and row of each, by row and column, as many as fit, and `count` how many
 there are; `chunks` may be NULL with a capacity of 0. Unused room is cleared.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, results
 that overlap) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `from` is NULL or points at a location; `chunks` is
 NULL or has room for as many pairs as its capacity says; `count` is NULL or has room for one.
 */
NavbakeStatus navbake_not_loaded(const struct NavbakeMesh *mesh,
                                 const struct NavbakeLocation *from,
                                 int32_t (*chunks)[2],
                                 size_t capacity,
                                 size_t *count);

/*
 Finds a route to a goal over chunks that are loaded or not: load the chunks that it enters, and
 ask again as they come. Where the goal's chunk is loaded, there must be ground at most
 `vertical` metres above or below the goal; else the route ends at the point itself. Obstacles
 and closed ground count on the ground that is loaded.

 `passages` gets the places where it passes into other chunks, in order, as many as fit; it may
 be NULL with a capacity of 0. Unused room is cleared.

 Gives NAVBAKE_OK, NAVBAKE_UNREACHABLE (there is no path, whatever is loaded; the ground that is
 loaded is shut; it needs a link whose two ends are not loaded; or the mesh is not of an index),
 NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, a search of another mesh,
 results that overlap) or NAVBAKE_INTERNAL_ERROR.
 With a status of 0 or more `route` is filled in.

 # Safety

 The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
 and nothing else uses it now; `from` is NULL or points at a location, `to` is NULL or three
 doubles; `passages` is NULL or has room for as many as its capacity says; `route` is NULL or has
 room for one.
 */
NavbakeStatus navbake_route(const struct NavbakeMesh *mesh,
                            struct NavbakeSearch *search,
                            const struct NavbakeLocation *from,
                            const double *to,
                            double vertical,
                            struct NavbakePassage *passages,
                            size_t capacity,
                            struct NavbakeRoute *route);

/*
 Writes what is on a mesh as bytes, for navbake_restore: obstacles, volumes, chunks, and changes
 that wait for a commit. The navmesh, the files of chunks, closed switches and costs are not part
 of them. The same changes give the same bytes on every machine.

 `saved` gets as many bytes as fit, and `length` how many there are: all are needed to restore.
 `saved` may be NULL with a capacity of 0, to ask for the length, which takes as long. Unused
 room is cleared. What navbake_set_aside removed is put back first.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (results that overlap, a capacity
 beyond all memory) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `saved` is NULL or
 has room for as many bytes as its capacity says; `length` is NULL or has room for one.
 */
NavbakeStatus navbake_save(struct NavbakeMesh *mesh, uint8_t *saved, size_t capacity, size_t *length);

/*
 Finds the chunks that navbake_restore needs for the bytes of navbake_save: so that they can be
 opened before, on other threads. None for a mesh that is not of an index.

 `chunks` gets column and row of each, by row and column, as many as fit, and `count` how many
 there are; `chunks` may be NULL with a capacity of 0. Unused room is cleared. `message` is as in
 navbake_open.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_SAVE, NAVBAKE_BAD_ARGUMENT (results that
 overlap, a length beyond all memory) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 `saved` and `message` are NULL or point at memory of the lengths given; `chunks` is NULL or has
 room for as many pairs as its capacity says; `count` is NULL or has room for one.
 */
NavbakeStatus navbake_saved_chunks(const uint8_t *saved,
                                   size_t length,
                                   char *message,
                                   size_t message_capacity,
                                   int32_t (*chunks)[2],
                                   size_t capacity,
                                   size_t *count);

/*
 Makes a mesh what it was when navbake_save gave these bytes, to the bit: answers, numbers of
 polygons and of obstacles. What is on the mesh before is gone. Closed switches and costs stay.

 `chunks` are those that navbake_saved_chunks names, opened for the agent of the mesh, in any
 order; others among them do no harm. They stay with the caller. `message` is as in navbake_open.
 After a fault the mesh is as before.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_SAVE, NAVBAKE_OTHER_WORLD (saved with
 another file or for another agent; a chunk that is not of this world, or not the one of that
 time), NAVBAKE_NO_CHUNK (one that is needed is not given), NAVBAKE_BAD_ARGUMENT (a length beyond
 all memory) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `saved` and `message`
 are NULL or point at memory of the lengths given; `chunks` is NULL, with a count of 0, or points
 at that many pointers, each NULL or from navbake_chunk_open.
 */
NavbakeStatus navbake_restore(struct NavbakeMesh *mesh,
                              const uint8_t *saved,
                              size_t length,
                              const struct NavbakeChunk *const *chunks,
                              size_t chunk_count,
                              char *message,
                              size_t message_capacity);

/*
 How many areas the blob has; 0 for NULL.

 # Safety

 The blob is NULL or comes from navbake_open.
 */
size_t navbake_area_count(const struct NavbakeBlob *blob);

/*
 Describes the area with this number, counted from 0.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the area does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The blob is NULL or comes from navbake_open; `area` is NULL or has room for one.
 */
NavbakeStatus navbake_area(const struct NavbakeBlob *blob, size_t index, struct NavbakeArea *area);

/*
 How many markers the blob has; 0 for NULL.

 # Safety

 The blob is NULL or comes from navbake_open.
 */
size_t navbake_marker_count(const struct NavbakeBlob *blob);

/*
 Describes the marker with this number, counted from 0.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the marker does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The blob is NULL or comes from navbake_open; `marker` is NULL or has room for one.
 */
NavbakeStatus navbake_marker(const struct NavbakeBlob *blob, size_t index, struct NavbakeMarker *marker);

/*
 Counts what a mesh has now.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `counts` is NULL or has room for one.
 */
NavbakeStatus navbake_counts(const struct NavbakeMesh *mesh, struct NavbakeCounts *counts);

/*
 Describes the polygon with this number. `corners` gets its corners, y-up metres, and `beyond` the
 polygon behind the edge from each corner to the next, UINT32_MAX for a wall, as many as fit: both
 have room for `capacity` of them, and may be NULL with a capacity of 0. Corners are
 counter-clockwise seen from above with x to the right and z down. Unused room is cleared.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no such polygon, results that
 overlap) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `corners` and `beyond` are NULL or have room for as
 many as the capacity says; `polygon` is NULL or has room for one.
 */
NavbakeStatus navbake_polygon(const struct NavbakeMesh *mesh,
                              uint32_t number,
                              double (*corners)[3],
                              uint32_t *beyond,
                              size_t capacity,
                              struct NavbakePolygon *polygon);

/*
 Describes the link with this number, counted from 0.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the link does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `link` is NULL or has room for one.
 */
NavbakeStatus navbake_link(const struct NavbakeMesh *mesh, uint32_t index, struct NavbakeLink *link);

/*
 Describes the room with this number, counted from 0.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the room does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `room` is NULL or has room for one.
 */
NavbakeStatus navbake_room(const struct NavbakeMesh *mesh, uint32_t index, struct NavbakeRoom *room);

/*
 Describes the door between rooms with this number, counted from 0.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the door does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The mesh is NULL or comes from navbake_mesh; `door` is NULL or has room for one.
 */
NavbakeStatus navbake_room_door(const struct NavbakeMesh *mesh, uint32_t index, struct NavbakeRoomDoor *door);

/*
 How many vehicles the blob was baked for; 0 for NULL.

 # Safety

 The blob is NULL or comes from navbake_open.
 */
size_t navbake_vehicle_count(const struct NavbakeBlob *blob);

/*
 Describes the vehicle with this number, counted from 0.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the vehicle does not exist) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The blob is NULL or comes from navbake_open; `kind` is NULL or has room for one.
 */
NavbakeStatus navbake_vehicle_kind(const struct NavbakeBlob *blob, size_t index, struct NavbakeVehicleKind *kind);

/*
 Makes the vehicle with this number, counted from 0, on its ground, with memory for searches of
 `nodes` states; 0 for as many as the ground has, up to 4000000. The mesh is that of the agent on
 whose ground it drives. Links, costs, closed ground and obstacles are those that the mesh has
 now; call navbake_vehicle_update after changes. It keeps to the roads that the config gives it,
 until navbake_vehicle_set_roads gives it others. Free it with navbake_vehicle_free.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the vehicle does not exist, or a
 mesh of other ground) or NAVBAKE_INTERNAL_ERROR.

 # Safety

 The blob is NULL or comes from navbake_open, the mesh is NULL or comes from navbake_mesh;
 `vehicle` is NULL or has room for a pointer.
 */
NavbakeStatus navbake_vehicle_new(const struct NavbakeBlob *blob,
                                  size_t index,
                                  const struct NavbakeMesh *mesh,
                                  size_t nodes,
                                  struct NavbakeVehicle **vehicle);

/*
 Frees a vehicle; NULL is allowed.

 # Safety

 The vehicle comes from navbake_vehicle_new and is not used again.
 */
void navbake_vehicle_free(struct NavbakeVehicle *vehicle);

/*
 Takes the links, costs, closed ground and obstacles that the mesh has now. A pass over the
 tiles.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a mesh of other ground) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The vehicle is NULL or comes from navbake_vehicle_new, and nothing else uses it now; the mesh is
 NULL or comes from navbake_mesh.
 */
NavbakeStatus navbake_vehicle_update(struct NavbakeVehicle *vehicle, const struct NavbakeMesh *mesh);

/*
 Blocks the tile under a point, as for a unit that is parked there, or with 0 frees it again.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_OFF_MESH (no tile is there) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The vehicle is NULL or comes from navbake_vehicle_new, and nothing else uses it now; `point` is
 NULL or three doubles.
 */
NavbakeStatus navbake_vehicle_block(struct NavbakeVehicle *vehicle, const double *point, uint32_t blocked);

/*
 Makes the areas of these names road. A move that touches other ground costs `off_road_cost`
 times as much, 1 or more; INFINITY forbids it. Moves that begin on a road reach `rings` tiles, 0
 for all. With `cones` not 0, tiles beside the road are blocked, away from its bends. With no
 areas there are no roads. They replace those of the config.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no area has that name, a cost
 below 1, a mesh of other ground, or cones for a vehicle without a move that is a turn) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The vehicle is NULL or comes from navbake_vehicle_new, and nothing else uses it now; the mesh is
 NULL or comes from navbake_mesh; `areas` is NULL, with a count of 0, or points at `area_count`
 pointers, each NULL or text in UTF-8 with a zero at its end.
 */
NavbakeStatus navbake_vehicle_set_roads(struct NavbakeVehicle *vehicle,
                                        const struct NavbakeMesh *mesh,
                                        const char *const *areas,
                                        size_t area_count,
                                        double off_road_cost,
                                        uint32_t rings,
                                        uint32_t cones);

/*
 Fills in a request between two points with the usual values: any heading at the goal, the
 cheapest path, smoothed, from rest to rest, in the vehicle's own directions.

 Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.

 # Safety

 `from` and `to` are NULL or three doubles each; `request` is NULL or has room for one.
 */
NavbakeStatus navbake_vehicle_request(const double *from,
                                      double from_heading,
                                      const double *to,
                                      struct NavbakeVehicleRequest *request);

/*
 Finds a path. With a status of 0 or more `path` is filled in; where no path was found it has no
 pieces. With directions, the pieces are lines, and length and cost those of the arcs.

 Gives NAVBAKE_OK, NAVBAKE_UNREACHABLE (also where the vehicle does not fit at the goal, and
 where there is no room for lines in the directions), NAVBAKE_OFF_MESH, NAVBAKE_OUT_OF_NODES,
 NAVBAKE_START_BLOCKED, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a heading at the start that
 is not finite, a speed that the vehicle does not have, directions other than those in the
 request's description, 8 or 16 of them for a vehicle with speeds, or a mesh of other ground) or
 NAVBAKE_INTERNAL_ERROR.

 # Safety

 The vehicle is NULL or comes from navbake_vehicle_new, and nothing else uses it now; the mesh is
 NULL or comes from navbake_mesh; `request` is NULL or points at one; `path` is NULL or has room
 for one.
 */
NavbakeStatus navbake_vehicle_path(struct NavbakeVehicle *vehicle,
                                   const struct NavbakeMesh *mesh,
                                   const struct NavbakeVehicleRequest *request,
                                   struct NavbakeVehiclePath *path);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NAVBAKE_H */
