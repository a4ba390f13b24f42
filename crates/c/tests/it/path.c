/* Asks a baked navmesh for places, a ray and a path: path BLOB x y z x y z. Prints what it finds; 0 when all went as it should. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "navbake.h"

static void fail(const char *what, int status) {
    fprintf(stderr, "%s: status %d\n", what, status);
    exit(1);
}

static unsigned char *read_file(const char *name, size_t *length) {
    FILE *file = fopen(name, "rb");
    long size;
    unsigned char *bytes;
    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET)) fail(name, -1);
    *length = (size_t)size;
    bytes = malloc(*length + 1);
    if (!bytes || fread(bytes, 1, *length, file) != *length) fail(name, -1);
    fclose(file);
    return bytes;
}

/* Faults of the call have to be told, and nothing else may happen. */
static void refusals(const unsigned char *bytes, size_t length, const NavbakeMesh *mesh, NavbakeSearch *search) {
    NavbakeBlob *blob = NULL;
    NavbakeMesh *other = NULL;
    unsigned char *copy = malloc(length);
    NavbakeLocation nowhere = {{0.0, 0.0, 0.0}, UINT32_MAX};
    NavbakeLocation place;
    NavbakePathRequest request;
    NavbakePath path;
    char message[24];
    const double point[3] = {0.0, 0.0, 0.0};
    if (navbake_open(NULL, length, NULL, 0, &blob) != NAVBAKE_NULL_POINTER) fail("open NULL", 0);
    if (navbake_open(bytes, length, NULL, 0, NULL) != NAVBAKE_NULL_POINTER) fail("open into NULL", 0);
    if (navbake_open(bytes, length / 2, message, sizeof message, &blob) != NAVBAKE_BAD_BLOB || blob) fail("open half", 0);
    printf("half a blob: %s\n", message);
    if (navbake_agent_count(NULL) != 0) fail("agents of NULL", 0);
    if (navbake_locate(mesh, NULL, 1.0, &place) != NAVBAKE_NULL_POINTER) fail("locate NULL", 0);
    if (navbake_locate(NULL, point, 1.0, &place) != NAVBAKE_NULL_POINTER) fail("locate on NULL", 0);
    if (navbake_reachable(mesh, &nowhere, &nowhere) != NAVBAKE_BAD_ARGUMENT) fail("reachable nowhere", 0);
    if (navbake_path(mesh, search, NULL, &path) != NAVBAKE_NULL_POINTER) fail("path without a request", 0);
    if (navbake_path_request(point, point, &request) != NAVBAKE_OK) fail("request", 0);
    request.planner = 77;
    if (navbake_path(mesh, search, &request, &path) != NAVBAKE_BAD_ARGUMENT) fail("planner 77", 0);
    request.planner = NAVBAKE_PLANNER_CORRIDOR;
    if (!copy) fail("no memory", 0);
    memcpy(copy, bytes, length);
    if (navbake_open(copy, length, NULL, 0, &blob) != NAVBAKE_OK) fail("open a copy", 0);
    if (navbake_mesh(blob, 0, &other) != NAVBAKE_OK) fail("mesh of a copy", 0);
    if (navbake_path(other, search, &request, &path) != NAVBAKE_BAD_ARGUMENT) fail("search of another mesh", 0);
    navbake_mesh_free(other);
    navbake_close(blob);
    free(copy);
    if (navbake_move(mesh, &nowhere, point, 0.9, NULL, 0, NULL, 0, NULL) != NAVBAKE_NULL_POINTER) fail("move into NULL", 0);
    navbake_close(NULL);
    navbake_mesh_free(NULL);
    navbake_search_free(NULL);
}

int main(int count, char **arguments) {
    unsigned char *bytes;
    size_t length, k;
    double from[3], to[3];
    const double extents[3] = {1.0, 2.0, 1.0};
    char message[200] = "";
    NavbakeBlob *blob = NULL;
    NavbakeMesh *mesh = NULL;
    NavbakeSearch *search = NULL;
    NavbakeAgent agent;
    NavbakeLocation start, goal;
    NavbakeRay ray;
    NavbakeMotion motion;
    uint32_t entered[4];
    NavbakePathRequest request;
    NavbakePath path;
    NavbakeStatus status;

    if (count != 8) {
        fprintf(stderr, "usage: path BLOB x y z x y z\n");
        return 2;
    }
    for (k = 0; k < 3; k++) {
        from[k] = atof(arguments[2 + k]);
        to[k] = atof(arguments[5 + k]);
    }
    bytes = read_file(arguments[1], &length);
    status = navbake_open(bytes, length, message, sizeof message, &blob);
    if (status != NAVBAKE_OK) {
        fprintf(stderr, "%s: %s\n", arguments[1], message);
        return 1;
    }
    for (k = 0; k < navbake_agent_count(blob); k++) {
        if ((status = navbake_agent(blob, k, &agent)) != NAVBAKE_OK) fail("agent", status);
        printf("agent %.*s: radius %.3f\n", (int)agent.name_length, agent.name, agent.radius);
    }
    if ((status = navbake_mesh(blob, 0, &mesh)) != NAVBAKE_OK) fail("mesh", status);
    if (navbake_mesh(blob, 1000, &mesh) != NAVBAKE_BAD_ARGUMENT) fail("agent 1000", 0);
    navbake_close(blob);
    if ((status = navbake_search_new(mesh, 0, &search)) != NAVBAKE_OK) fail("search", status);

    if ((status = navbake_locate(mesh, from, 2.0, &start)) != NAVBAKE_OK) fail("locate", status);
    if ((status = navbake_nearest(mesh, to, extents, &goal)) != NAVBAKE_OK) fail("nearest", status);
    printf("start %u %.6f %.6f %.6f\n", start.polygon, start.position[0], start.position[1], start.position[2]);
    printf("goal %u %.6f %.6f %.6f\n", goal.polygon, goal.position[0], goal.position[1], goal.position[2]);
    printf("reachable %d\n", navbake_reachable(mesh, &start, &goal));
    if ((status = navbake_raycast(mesh, &start, to, &ray)) != NAVBAKE_OK) fail("raycast", status);
    printf("ray %.6f %.6f %.6f, %s\n", ray.point[0], ray.point[1], ray.point[2], ray.edge == UINT32_MAX ? "free" : "wall");

    /* A motion that is refused writes nothing, and results must not overlap. */
    entered[0] = entered[1] = 77;
    motion.contacts = 77;
    if (navbake_move(mesh, &start, to, 0.9, entered, 4, NULL, 4, &motion) != NAVBAKE_NULL_POINTER) fail("move without room", 0);
    if (navbake_move(mesh, &start, to, 0.9, entered, 4, NULL, 4, NULL) != NAVBAKE_NULL_POINTER) fail("move into NULL", 0);
    if (navbake_move(mesh, &start, to, 0.9, entered, 2, entered + 1, 2, &motion) != NAVBAKE_BAD_ARGUMENT) fail("overlap", 0);
    if (navbake_move(mesh, &start, to, 0.9, entered, 1, (uint32_t *)&motion, 2, &motion) != NAVBAKE_BAD_ARGUMENT) fail("overlap of the motion", 0);
    if (entered[0] != 77 || entered[1] != 77 || motion.contacts != 77) fail("a refused move wrote", 0);
    if (navbake_move(mesh, &start, to, 0.9, entered, 2, entered + 2, 2, &motion) != NAVBAKE_OK) fail("side by side", 0);
    status = navbake_move(mesh, &start, to, NAVBAKE_KEPT, entered, 4, NULL, 0, &motion);
    if (status != NAVBAKE_OK) fail("move", status);
    printf("move %u %.6f %.6f %.6f", motion.end.polygon, motion.end.position[0], motion.end.position[1], motion.end.position[2]);
    printf(", %.6f, %u contacts, %u walls\n", motion.walked, motion.contacts, (unsigned)motion.hit);
    for (k = 0; k < motion.entered && k < 4; k++) {
        printf("  %u\n", entered[k]);
    }

    if ((status = navbake_path_request(from, to, &request)) != NAVBAKE_OK) fail("request", status);
    request.planner = NAVBAKE_PLANNER_OPTIMAL;
    status = navbake_path(mesh, search, &request, &path);
    if (status != NAVBAKE_OK) fail("path", status);
    printf("path %.6f, %u\n", path.length_xz, path.certified_optimal);
    for (k = 0; k < path.point_count; k++) {
        printf("  %.6f %.6f %.6f\n", path.points[k][0], path.points[k][1], path.points[k][2]);
    }
    for (k = 0; k < path.polygon_count; k++) {
        printf("  %u\n", path.polygons[k]);
    }

    refusals(bytes, length, mesh, search);
    navbake_search_free(search);
    navbake_mesh_free(mesh);
    free(bytes);
    return 0;
}
