/* Calls every function of navbake.h, but for those of chunks, on a blob with rooms, a switch, areas
 * and links, and on one of a grid map with networks: all BLOB GRID.
 * Prints what went wrong; 0 when nothing did. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "navbake.h"

#include "kit.h"

static void blobs(const NavbakeBlob *blob) {
    NavbakeAgent agent;
    NavbakeSwitch door;
    NavbakeArea area;
    NavbakeMarker marker;
    size_t k;
    CHECK(strlen(navbake_version()) >= 5);
    for (k = 0; k < navbake_agent_count(blob); k++) CHECK(navbake_agent(blob, k, &agent) == NAVBAKE_OK && agent.radius >= 0);
    for (k = 0; k < navbake_switch_count(blob); k++) CHECK(navbake_switch(blob, k, &door) == NAVBAKE_OK);
    for (k = 0; k < navbake_area_count(blob); k++) CHECK(navbake_area(blob, k, &area) == NAVBAKE_OK && area.name_length > 0);
    for (k = 0; k < navbake_marker_count(blob); k++) CHECK(navbake_marker(blob, k, &marker) == NAVBAKE_OK && isfinite(marker.position[0]));
    CHECK(navbake_agent(blob, 99, &agent) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_switch(blob, 99, &door) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_area(blob, 99, &area) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_marker(blob, 99, &marker) == NAVBAKE_BAD_ARGUMENT);
}

static void contents(const NavbakeMesh *mesh) {
    NavbakeCounts counts;
    NavbakePolygon polygon;
    NavbakeLink link;
    NavbakeRoom room;
    NavbakeRoomDoor door;
    NavbakeLocation place;
    double corners[64][3];
    uint32_t beyond[64];
    uint32_t k;
    CHECK(navbake_counts(mesh, &counts) == NAVBAKE_OK && counts.polygons > 0 && counts.rooms > 1 && counts.links > 0);
    for (k = 0; k < counts.polygons; k++) {
        CHECK(navbake_polygon(mesh, k, corners, beyond, 64, &polygon) == NAVBAKE_OK);
        CHECK(polygon.corners >= 3 && polygon.room < counts.rooms && polygon.island < counts.islands);
        CHECK(beyond[0] == UINT32_MAX || beyond[0] < counts.polygons);
        CHECK(navbake_on_polygon(mesh, k, corners[0], &place) == NAVBAKE_OK && place.polygon == k);
    }
    CHECK(navbake_polygon(mesh, counts.polygons, NULL, NULL, 0, &polygon) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_polygon(mesh, 0, corners, (uint32_t *)corners, 64, &polygon) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_on_polygon(mesh, counts.polygons, corners[0], &place) == NAVBAKE_BAD_ARGUMENT);
    for (k = 0; k < counts.links; k++) CHECK(navbake_link(mesh, k, &link) == NAVBAKE_OK && link.beyond < counts.polygons && link.cost >= 0);
    CHECK(navbake_link(mesh, counts.links, &link) == NAVBAKE_BAD_ARGUMENT);
    for (k = 0; k < counts.rooms; k++) CHECK(navbake_room(mesh, k, &room) == NAVBAKE_OK && room.area > 0);
    CHECK(navbake_room(mesh, counts.rooms, &room) == NAVBAKE_BAD_ARGUMENT);
    for (k = 0; k < counts.room_doors; k++) CHECK(navbake_room_door(mesh, k, &door) == NAVBAKE_OK && door.rooms[0] < door.rooms[1]);
    CHECK(navbake_room_door(mesh, counts.room_doors, &door) == NAVBAKE_BAD_ARGUMENT);
}

/* A row is the same alone; a place is at no distance of itself; there and back is as far. */
static void distances(const NavbakeMesh *mesh, NavbakeSearch *search, NavbakeRandom *random) {
    NavbakeLocation at[20];
    double all[20][20], row[20], gap = 1.0;
    int i, j;
    for (i = 0; i < 20; i++) CHECK(navbake_random_place(mesh, random, &at[i]) == NAVBAKE_OK);
    CHECK(navbake_distances(mesh, search, at, 20, at, 20, &all[0][0], &gap) == NAVBAKE_OK && gap >= 0.0 && gap < 1.0);
    for (i = 0; i < 20; i++) {
        CHECK(navbake_distances(mesh, search, &at[i], 1, at, 20, row, &gap) == NAVBAKE_OK);
        CHECK(memcmp(row, all[i], sizeof row) == 0 && all[i][i] == 0.0);
        for (j = 0; j < 20; j++) {
            const int reached = navbake_reachable(mesh, &at[i], &at[j]) == NAVBAKE_OK;
            CHECK(all[i][j] >= 0.0 && (reached || isinf(all[i][j])));
        }
    }
    CHECK(navbake_distances(mesh, search, NULL, 0, at, 20, NULL, &gap) == NAVBAKE_OK);
    CHECK(navbake_distances(mesh, search, at, 20, NULL, 0, NULL, &gap) == NAVBAKE_OK);
    CHECK(navbake_distances(mesh, search, at, 20, at, 20, NULL, &gap) == NAVBAKE_NULL_POINTER);
    CHECK(navbake_distances(mesh, search, at, 1, at, 1, &gap, &gap) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_distances(mesh, search, at, SIZE_MAX, NULL, 0, &row[0], &gap) != NAVBAKE_OK);
    at[3].polygon = UINT32_MAX;
    CHECK(navbake_distances(mesh, search, at, 20, at, 20, &all[0][0], &gap) == NAVBAKE_BAD_ARGUMENT);
}

static void places(const NavbakeMesh *mesh, NavbakeSearch *search, NavbakeRandom *random) {
    const double extents[3] = {1.0, 2.0, 1.0};
    NavbakeLocation a, b, near;
    NavbakeRay ray;
    NavbakeMotion motion;
    NavbakeWall wall;
    NavbakeReached reached[256];
    double square[4][2];
    size_t count, most;
    int k;
    distances(mesh, search, random);
    for (k = 0; k < 200; k++) {
        CHECK(navbake_random_place(mesh, random, &a) == NAVBAKE_OK);
        CHECK(navbake_random_within(mesh, search, random, &a, 5.0, &b) == NAVBAKE_OK);
        CHECK(hypot(b.position[0] - a.position[0], b.position[2] - a.position[2]) <= 5.001);
        CHECK(navbake_locate(mesh, a.position, 1.0, &near) == NAVBAKE_OK);
        CHECK(navbake_nearest(mesh, a.position, extents, &near) == NAVBAKE_OK);
        CHECK(navbake_reachable(mesh, &a, &b) == NAVBAKE_OK);
        CHECK(navbake_raycast(mesh, &a, b.position, &ray) == NAVBAKE_OK && ray.fraction <= 1.0);
        CHECK(navbake_move(mesh, &a, b.position, NAVBAKE_KEPT, NULL, 0, NULL, 0, &motion) == NAVBAKE_OK);
        CHECK(navbake_wall_distance(mesh, search, &a, 100.0, &wall) == NAVBAKE_OK && wall.edge != UINT32_MAX);
        CHECK(navbake_around(mesh, search, &a, 3.0, 0, NULL, 0, reached, 256, &count) == NAVBAKE_OK && count > 0 && reached[0].polygon == a.polygon);
        CHECK(navbake_around(mesh, search, &a, 3.0, 1, NULL, 0, NULL, 0, &most) == NAVBAKE_OK && most > 0 && most <= count);
        square[0][0] = square[3][0] = a.position[0] - 2;
        square[1][0] = square[2][0] = a.position[0] + 2;
        square[0][1] = square[1][1] = a.position[2] - 2;
        square[2][1] = square[3][1] = a.position[2] + 2;
        CHECK(navbake_around(mesh, search, &a, 0.0, 0, (const double(*)[2])square, 4, reached, 1, &count) == NAVBAKE_OK && count > 0);
        CHECK(navbake_around(mesh, search, &a, 1.0, 1, (const double(*)[2])square, 4, NULL, 0, &count) == NAVBAKE_BAD_ARGUMENT);
    }
}

static void paths(NavbakeMesh *mesh, NavbakeSearch *search, NavbakeRandom *random) {
    NavbakeLocation a, b;
    NavbakePathRequest request;
    NavbakePath path, again;
    double goals[2][3];
    uint64_t closed = 1;
    NavbakeStatus status;
    uint32_t planner;
    size_t k, links = 0, reached = 0;
    int turn;
    for (turn = 0; turn < 200; turn++) {
        double length = -1.0;
        CHECK(navbake_random_place(mesh, random, &a) == NAVBAKE_OK && navbake_random_place(mesh, random, &b) == NAVBAKE_OK);
        CHECK(navbake_path_request(a.position, b.position, &request) == NAVBAKE_OK);
        for (planner = NAVBAKE_PLANNER_CORRIDOR; planner <= NAVBAKE_PLANNER_AUTO; planner++) {
            request.planner = planner;
            status = navbake_path(mesh, search, &request, &path);
            CHECK(status == NAVBAKE_OK || status == NAVBAKE_UNREACHABLE);
            if (status != NAVBAKE_OK) continue;
            reached++;
            if (planner == NAVBAKE_PLANNER_OPTIMAL) length = path.cost;
            if (length >= 0) CHECK(path.cost >= length - 1e-6);
            CHECK(path.point_count >= 2 && path.polygon_count >= 1 && path.leg_count >= 1);
            for (k = 0; k < path.leg_count; k++) {
                CHECK(path.legs[k].first_point + path.legs[k].point_count <= path.point_count);
                links += path.legs[k].link != NAVBAKE_NO_LINK;
            }
        }
        request.planner = NAVBAKE_PLANNER_OPTIMAL;
        status = navbake_path_start(mesh, search, &request);
        while (status == NAVBAKE_SEARCHING) status = navbake_path_step(mesh, search, 3);
        CHECK(status == NAVBAKE_OK || status == NAVBAKE_UNREACHABLE);
        CHECK(navbake_path_result(mesh, search, &path) == status);
        if (length >= 0) CHECK(path.cost == length);
        memcpy(goals[0], b.position, sizeof b.position);
        memcpy(goals[1], a.position, sizeof a.position);
        CHECK(navbake_path_to_any(mesh, search, &request, (const double(*)[3])goals, 2, &again) == NAVBAKE_OK && again.goal == 1);
        CHECK(navbake_path_to_any(mesh, search, &request, NULL, 0, &again) == NAVBAKE_BAD_ARGUMENT);
        CHECK(navbake_path_step(mesh, search, 1) == NAVBAKE_BAD_ARGUMENT);
    }
    CHECK(reached > 100 && links > 0);
    CHECK(navbake_set_closed(mesh, &closed, 1) == NAVBAKE_OK);
    request.planner = NAVBAKE_PLANNER_AUTO;
    CHECK(navbake_path(mesh, search, &request, &path) >= NAVBAKE_OK);
    CHECK(navbake_set_closed(mesh, NULL, 0) == NAVBAKE_OK);
    CHECK(navbake_set_agents(mesh, 0) == NAVBAKE_OK && navbake_set_agents(mesh, 1) == NAVBAKE_OK);
    CHECK(navbake_set_cost(mesh, "no such area", 2.0) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_set_weights(mesh, "no such row") == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_set_slopes(mesh, 2.0, 0.5) == NAVBAKE_OK);
    request.planner = NAVBAKE_PLANNER_OPTIMAL;
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_COSTS);
    CHECK(navbake_set_slopes(mesh, 0.0, 0.0) == NAVBAKE_OK);
}

/* A barrel on a place takes it; the place comes back with the barrel gone. */
static void obstacles(NavbakeMesh *mesh, NavbakeSearch *search, NavbakeRandom *random) {
    NavbakeLocation place, other;
    NavbakeObstacle barrel;
    NavbakeCommit done;
    NavbakePathRequest request;
    NavbakePath path;
    double centre[1][2], box[4][2];
    uint64_t id;
    int k;
    for (k = 0; k < 20; k++) {
        CHECK(navbake_random_place(mesh, random, &place) == NAVBAKE_OK);
        centre[0][0] = place.position[0];
        centre[0][1] = place.position[2];
        barrel.corners = (const double(*)[2])centre;
        barrel.corner_count = 1;
        barrel.radius = 0.4;
        barrel.heights[0] = place.position[1];
        barrel.heights[1] = place.position[1] + 1.0;
        CHECK(navbake_obstacle_add(mesh, &barrel, &id) == NAVBAKE_OK);
        CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK && done.changed == 1 && done.polygons > 0 && done.left == 0);
        CHECK(navbake_locate(mesh, place.position, 0.5, &other) == NAVBAKE_OFF_MESH);
        CHECK(navbake_random_place(mesh, random, &other) == NAVBAKE_OK);
        CHECK(navbake_path_request(place.position, other.position, &request) == NAVBAKE_OK);
        request.extents[0] = request.extents[2] = 3.0;
        CHECK(navbake_path(mesh, search, &request, &path) >= NAVBAKE_OK);
        box[0][0] = box[3][0] = place.position[0] - 0.5;
        box[1][0] = box[2][0] = place.position[0] + 0.5;
        box[0][1] = box[1][1] = place.position[2] - 0.5;
        box[2][1] = box[3][1] = place.position[2] + 0.5;
        barrel.corners = (const double(*)[2])box;
        barrel.corner_count = 4;
        CHECK(navbake_obstacle_move(mesh, id, &barrel) == NAVBAKE_BAD_ARGUMENT); /* a prism with a radius */
        barrel.radius = 0.0;
        CHECK(navbake_obstacle_move(mesh, id, &barrel) == NAVBAKE_OK);
        CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK);
        CHECK(navbake_locate(mesh, place.position, 0.5, &other) == NAVBAKE_OFF_MESH);
        /* Not an obstacle to itself: its place is ground for the queries of the unit that stands there. */
        CHECK(navbake_set_aside(mesh, &id, 1) == NAVBAKE_OK);
        CHECK(navbake_locate(mesh, place.position, 0.5, &other) == NAVBAKE_OK && other.polygon == place.polygon);
        CHECK(navbake_path(mesh, search, &request, &path) >= NAVBAKE_OK);
        CHECK(navbake_set_aside(mesh, NULL, 0) == NAVBAKE_OK);
        CHECK(navbake_locate(mesh, place.position, 0.5, &other) == NAVBAKE_OFF_MESH);
        CHECK(navbake_set_aside(mesh, &id, 1) == NAVBAKE_OK);
        CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK && done.changed == 0);
        CHECK(navbake_locate(mesh, place.position, 0.5, &other) == NAVBAKE_OFF_MESH);
        CHECK(navbake_obstacle_remove(mesh, id) == NAVBAKE_OK);
        CHECK(navbake_obstacle_remove(mesh, id) == NAVBAKE_BAD_ARGUMENT);
        CHECK(navbake_set_aside(mesh, &id, 1) == NAVBAKE_BAD_ARGUMENT);
        CHECK(navbake_locate(mesh, place.position, 0.5, &other) == NAVBAKE_OFF_MESH); /* until the commit */
        CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK);
        CHECK(navbake_locate(mesh, place.position, 0.5, &other) == NAVBAKE_OK && other.polygon == place.polygon);
    }
}

/* Ground in a volume has the area of a name; it is as it was with the volume gone. */
static void volumes(NavbakeBlob *blob, NavbakeMesh *mesh, NavbakeRandom *random) {
    NavbakeLocation place, other;
    NavbakeObstacle disc;
    NavbakeCommit done;
    NavbakeArea area;
    double centre[1][2];
    char name[64];
    uint64_t id;
    CHECK(navbake_area(blob, 1, &area) == NAVBAKE_OK && area.name_length < sizeof name);
    memcpy(name, area.name, area.name_length);
    name[area.name_length] = 0;
    CHECK(navbake_random_place(mesh, random, &place) == NAVBAKE_OK);
    centre[0][0] = place.position[0];
    centre[0][1] = place.position[2];
    disc.corners = (const double(*)[2])centre;
    disc.corner_count = 1;
    disc.radius = 0.4;
    disc.heights[0] = place.position[1] - 1.0;
    disc.heights[1] = place.position[1] + 1.0;
    CHECK(navbake_volume_add(mesh, &disc, "no such area", &id) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_volume_add(mesh, &disc, NULL, &id) == NAVBAKE_NULL_POINTER);
    CHECK(navbake_volume_add(mesh, &disc, name, &id) == NAVBAKE_OK);
    CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK && done.changed == 1 && done.polygons > 0);
    CHECK(navbake_locate(mesh, place.position, 0.5, &other) == NAVBAKE_OK && other.polygon != place.polygon);
    disc.radius = 0.6;
    CHECK(navbake_obstacle_move(mesh, id, &disc) == NAVBAKE_OK);
    CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK && done.changed == 1);
    CHECK(navbake_obstacle_remove(mesh, id) == NAVBAKE_OK);
    CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK);
    CHECK(navbake_locate(mesh, place.position, 0.5, &other) == NAVBAKE_OK && other.polygon == place.polygon);
}

/* The fixture has no vehicle: every call says so. tests/it/vehicle.c drives one. */
static void vehicles(const NavbakeBlob *blob, const NavbakeMesh *mesh) {
    const double point[3] = {0.0, 0.0, 0.0};
    NavbakeVehicleKind kind;
    NavbakeVehicle *vehicle = NULL;
    NavbakeVehicleRequest request;
    NavbakeVehiclePath path;
    CHECK(navbake_vehicle_count(blob) == 0);
    CHECK(navbake_vehicle_kind(blob, 0, &kind) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_vehicle_new(blob, 0, mesh, 0, &vehicle) == NAVBAKE_BAD_ARGUMENT && !vehicle);
    CHECK(navbake_vehicle_update(vehicle, mesh) == NAVBAKE_NULL_POINTER);
    CHECK(navbake_vehicle_block(vehicle, point, 1) == NAVBAKE_NULL_POINTER);
    CHECK(navbake_vehicle_set_roads(vehicle, mesh, NULL, 0, 1.0, 0, 0) == NAVBAKE_NULL_POINTER);
    CHECK(navbake_vehicle_request(point, 0.0, point, &request) == NAVBAKE_OK);
    CHECK(navbake_vehicle_path(vehicle, mesh, &request, &path) == NAVBAKE_NULL_POINTER);
    navbake_vehicle_free(vehicle);
}

/* What a queue has handed over. */
typedef struct Answers {
    double cost[40];
    int count, refused;
} Answers;

static void answer(void *context, uint64_t unit, NavbakeStatus status, const NavbakePath *path) {
    Answers *answers = context;
    answers->count++;
    answers->refused += status < 0 || !path;
    if (path && unit < 40) answers->cost[unit] = status == NAVBAKE_OK ? path->cost : -1.0;
}

/* Units in line get the costs of searches alone; those that follow get answers too. */
static void queues(NavbakeMesh *mesh, NavbakeSearch *search, NavbakeRandom *random, uint32_t planner) {
    NavbakePathRequest requests[40];
    NavbakePath path;
    NavbakeLocation a, b;
    NavbakeQueue *queue = NULL;
    NavbakeTick tick;
    Answers answers;
    double direction[2];
    uint64_t unit;
    int turn;
    memset(&answers, 0, sizeof answers);
    for (unit = 0; unit < 40; unit++) {
        CHECK(navbake_random_place(mesh, random, &a) == NAVBAKE_OK && navbake_random_place(mesh, random, &b) == NAVBAKE_OK);
        CHECK(navbake_path_request(a.position, b.position, &requests[unit]) == NAVBAKE_OK);
        requests[unit].planner = planner;
    }
    CHECK(navbake_queue_new(mesh, &requests[0], 0, 2, &queue) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_queue_new(mesh, &requests[0], 30, 2, &queue) == NAVBAKE_OK);
    for (unit = 0; unit < 20; unit++) CHECK(navbake_queue_ask(mesh, queue, unit, &requests[unit]) == NAVBAKE_OK);
    for (unit = 20; unit < 30; unit++) CHECK(navbake_queue_follow(mesh, queue, unit, unit - 20, &requests[unit], 0.5) == NAVBAKE_OK);
    CHECK(navbake_queue_ask(mesh, queue, 30, &requests[30]) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_queue_follow(mesh, queue, 29, 99, &requests[29], 0.5) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_queue_lose(queue, 29) == NAVBAKE_OK);
    CHECK(navbake_queue_direction(mesh, queue, 29, &direction) == NAVBAKE_UNREACHABLE);
    for (turn = 0; turn < 1000; turn++) {
        CHECK(navbake_queue_tick(mesh, queue, 40, answer, &answers, &tick) == NAVBAKE_OK);
        if (!tick.waiting) break;
        if (navbake_queue_direction(mesh, queue, 19, &direction) == NAVBAKE_OK) CHECK(fabs(hypot(direction[0], direction[1]) - 1.0) < 1e-9);
    }
    CHECK(answers.count == 29 && answers.refused == 0);
    for (unit = 0; unit < 20; unit++) {
        NavbakeStatus status = navbake_path(mesh, search, &requests[unit], &path);
        CHECK(answers.cost[unit] == (status == NAVBAKE_OK ? path.cost : -1.0));
    }
    navbake_queue_free(queue);
}

/* Cells or a network for the planner of a request. */
static NavbakeStatus prepare(NavbakeMesh *mesh, const NavbakePathRequest *request) {
    if (request->planner == NAVBAKE_PLANNER_NETWORK) return navbake_use_network(mesh, "middles");
    return navbake_use_cells(mesh, NAVBAKE_UNIT_CELL, 0.0);
}

/* A crate on each cell or point of a path but its ends: around it where there is a way, and as before with it gone. */
static void crate_on_cells(NavbakeMesh *mesh, NavbakeSearch *search, NavbakePathRequest *request) {
    double box[4][2], before[64][3], cost;
    NavbakeObstacle crate;
    NavbakeCommit done;
    NavbakePath path;
    NavbakeStatus status;
    uint64_t id;
    /* In the cell and not at its middle, or on the point. */
    const double aside = request->planner == NAVBAKE_PLANNER_NETWORK ? -0.5 : 2.0;
    size_t k, n, count, around = 0;
    CHECK(navbake_path(mesh, search, request, &path) == NAVBAKE_OK && path.point_count < 64);
    cost = path.cost;
    count = path.point_count;
    for (n = 0; n < count; n++)
        for (k = 0; k < 3; k++) before[n][k] = path.points[n][k];
    crate.corners = (const double(*)[2])box;
    crate.corner_count = 4;
    crate.radius = 0.0;
    for (n = 1; n + 1 < count; n++) {
        for (k = 0; k < 4; k++) {
            box[k][0] = before[n][0] + aside + (k == 1 || k == 2 ? 1.0 : 0.0);
            box[k][1] = before[n][2] + (k < 2 ? -1.0 : 1.0);
        }
        crate.heights[0] = before[n][1];
        crate.heights[1] = before[n][1] + 1.0;
        CHECK(navbake_obstacle_add(mesh, &crate, &id) == NAVBAKE_OK && navbake_commit(mesh, 0, &done) == NAVBAKE_OK);
        CHECK(navbake_path(mesh, search, request, &path) == NAVBAKE_NO_CELLS); /* the mesh has changed */
        CHECK(prepare(mesh, request) == NAVBAKE_OK);
        status = navbake_path(mesh, search, request, &path);
        CHECK(status == NAVBAKE_UNREACHABLE || (status == NAVBAKE_OK && path.cost >= cost && path.certified_optimal == 1));
        if (status == NAVBAKE_OK) {
            around++;
            for (k = 0; k < path.point_count; k++) CHECK(path.points[k][0] != before[n][0] || path.points[k][2] != before[n][2]);
        }
        CHECK(navbake_obstacle_remove(mesh, id) == NAVBAKE_OK && navbake_commit(mesh, 0, &done) == NAVBAKE_OK);
    }
    CHECK(around > 0);
    CHECK(prepare(mesh, request) == NAVBAKE_OK);
    CHECK(navbake_path(mesh, search, request, &path) == NAVBAKE_OK && path.cost == cost);
}

/* The cells of a grid map and its networks. */
static void grids(NavbakeMesh *mesh, NavbakeSearch *search, NavbakeRandom *random) {
    const double from[3] = {15.0, 0.0, 15.0}, to[3] = {85.0, 0.0, 85.0}, between[3] = {15.0, 0.0, 25.0};
    double goals[2][3] = {{85.0, 0.0, 85.0}, {15.0, 0.0, 75.0}};
    const uint32_t planners[3] = {NAVBAKE_PLANNER_GRID4, NAVBAKE_PLANNER_GRID8, NAVBAKE_PLANNER_NETWORK};
    NavbakeNetwork network;
    NavbakePathRequest request;
    NavbakePath path, again;
    NavbakeStatus status;
    double cost[3];
    char name[64];
    size_t k, n;
    CHECK(navbake_path_request(from, to, &request) == NAVBAKE_OK);
    request.planner = NAVBAKE_PLANNER_GRID8;
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_NO_CELLS);
    CHECK(navbake_stand(mesh, from, 7, 1) == NAVBAKE_NO_CELLS);
    CHECK(navbake_use_cells(mesh, 9, 0.0) == NAVBAKE_BAD_ARGUMENT && navbake_use_cells(mesh, NAVBAKE_UNIT_BLOCK, 1.5) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_use_network(mesh, "no such network") == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_network_count(mesh) == 4 && navbake_network(mesh, 4, &network) == NAVBAKE_BAD_ARGUMENT);
    for (k = 0; k < navbake_network_count(mesh); k++) {
        CHECK(navbake_network(mesh, k, &network) == NAVBAKE_OK && network.points > 2 && network.edges > 2);
        for (n = 0; n < network.name_length; n++) name[n] = network.name[n];
        name[n] = 0;
        CHECK(navbake_use_network(mesh, name) == NAVBAKE_OK);
        request.planner = NAVBAKE_PLANNER_NETWORK;
        CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_OK && path.point_count > 2 && path.polygon_count == 0);
        CHECK(path.certified_optimal == 1 && path.planner == NAVBAKE_PLANNER_NETWORK && path.length_xz > 98.9);
    }
    CHECK(navbake_use_network(mesh, "middles") == NAVBAKE_OK);
    CHECK(navbake_use_cells(mesh, NAVBAKE_UNIT_DISC, 4.0) == NAVBAKE_OK && navbake_use_cells(mesh, NAVBAKE_UNIT_CELL, 0.0) == NAVBAKE_OK);
    for (k = 0; k < 3; k++) {
        request.planner = planners[k];
        CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_OK && path.certified_optimal == 1 && path.planner == planners[k]);
        CHECK(path.point_count > 2 && path.leg_count == 1 && path.legs[0].point_count == path.point_count);
        if (planners[k] != NAVBAKE_PLANNER_NETWORK) CHECK(path.polygon_count == path.point_count);
        cost[k] = path.cost;
        status = navbake_path_start(mesh, search, &request);
        while (status == NAVBAKE_SEARCHING) status = navbake_path_step(mesh, search, 1);
        CHECK(status == NAVBAKE_OK && navbake_path_result(mesh, search, &again) == NAVBAKE_OK && again.cost == cost[k]);
        request.reverse = 1;
        CHECK(navbake_path(mesh, search, &request, &again) == NAVBAKE_OK && fabs(again.cost - cost[k]) < 1e-6);
        request.reverse = 0;
        CHECK(navbake_path_to_any(mesh, search, &request, (const double(*)[3])goals, 2, &again) == NAVBAKE_OK && again.cost <= cost[k]);
        CHECK(navbake_path_start(mesh, search, &request) == NAVBAKE_SEARCHING || planners[k] == NAVBAKE_PLANNER_NETWORK);
        CHECK(navbake_stand(mesh, between, 7, 1) == NAVBAKE_OK);
        CHECK(navbake_path_step(mesh, search, 1) == NAVBAKE_BAD_ARGUMENT); /* the cells have changed */
        CHECK(navbake_path(mesh, search, &request, &again) == NAVBAKE_OK && again.cost >= cost[k] - 1e-9);
        request.unit = 7;
        CHECK(navbake_path(mesh, search, &request, &again) == NAVBAKE_OK && again.cost == cost[k]);
        request.unit = NAVBAKE_NO_UNIT;
        CHECK(navbake_stand(mesh, between, 7, 0) == NAVBAKE_OK);
        queues(mesh, search, random, planners[k]);
    }
    CHECK(cost[0] == 160.0 && cost[1] == 160.0 && cost[2] < cost[0]);
    request.planner = NAVBAKE_PLANNER_GRID4;
    CHECK(navbake_use_landmarks(mesh, NAVBAKE_PLANNER_OPTIMAL, 8) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_use_landmarks(mesh, NAVBAKE_PLANNER_GRID4, 0) == NAVBAKE_BAD_ARGUMENT);
    request.heuristic = NAVBAKE_HEURISTIC_TABLE;
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_NO_LANDMARKS);
    CHECK(navbake_use_landmarks(mesh, NAVBAKE_PLANNER_HEX, 8) == NAVBAKE_NO_CELLS);
    CHECK(navbake_use_landmarks(mesh, NAVBAKE_PLANNER_GRID4, 8) == NAVBAKE_OK);
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_OK && path.cost == 160.0 && path.certified_optimal == 1);
    request.planner = NAVBAKE_PLANNER_NETWORK;
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_NO_LANDMARKS);
    CHECK(navbake_use_landmarks(mesh, NAVBAKE_PLANNER_NETWORK, 65) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_use_landmarks(mesh, NAVBAKE_PLANNER_NETWORK, 8) == NAVBAKE_OK);
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_OK && path.cost == cost[2] && path.certified_optimal == 1);
    request.planner = NAVBAKE_PLANNER_GRID4;
    request.heuristic = NAVBAKE_HEURISTIC_USUAL;
    request.turn_penalty = 0.5;
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_OK && path.cost == 190.0);
    request.turn_penalty = 0.0;
    crate_on_cells(mesh, search, &request);
    request.planner = NAVBAKE_PLANNER_NETWORK;
    CHECK(navbake_use_network(mesh, "middles") == NAVBAKE_OK);
    crate_on_cells(mesh, search, &request);
    CHECK(navbake_use_cells(mesh, NAVBAKE_UNIT_CELL, 0.0) == NAVBAKE_OK);
    request.planner = NAVBAKE_PLANNER_HEX;
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_NO_CELLS);
    request.planner = 10;
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_set_slopes(mesh, 1.0, 1.0) == NAVBAKE_OK); /* the mesh has changed */
    request.planner = NAVBAKE_PLANNER_GRID4;
    CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_NO_CELLS);
}

int main(int count, char **words) {
    NavbakeBlob *blob = NULL;
    NavbakeMesh *mesh = NULL;
    NavbakeSearch *search = NULL;
    NavbakeRandom *random = NULL;
    size_t length;
    unsigned char *bytes;
    if (count != 3) return 2;
    bytes = read_file(words[1], &length);
    if (navbake_open(bytes, length, NULL, 0, &blob) || navbake_mesh(blob, 0, &mesh)) return 2;
    if (navbake_search_new(mesh, 0, &search) || navbake_random_new(mesh, 7, &random)) return 2;
    blobs(blob);
    contents(mesh);
    places(mesh, search, random);
    paths(mesh, search, random);
    obstacles(mesh, search, random);
    volumes(blob, mesh, random);
    vehicles(blob, mesh);
    queues(mesh, search, random, NAVBAKE_PLANNER_OPTIMAL);
    CHECK(navbake_use_cells(mesh, NAVBAKE_UNIT_CELL, 0.0) == NAVBAKE_NO_CELLS && navbake_network_count(mesh) == 0);
    navbake_random_free(random);
    navbake_search_free(search);
    navbake_mesh_free(mesh);
    navbake_close(blob);
    free(bytes);
    bytes = read_file(words[2], &length);
    if (navbake_open(bytes, length, NULL, 0, &blob) || navbake_mesh(blob, 0, &mesh)) return 2;
    if (navbake_search_new(mesh, 0, &search) || navbake_random_new(mesh, 7, &random)) return 2;
    grids(mesh, search, random);
    navbake_random_free(random);
    navbake_search_free(search);
    navbake_mesh_free(mesh);
    navbake_close(blob);
    free(bytes);
    printf("%d faults\n", faults);
    return faults != 0;
}
