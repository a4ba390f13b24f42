/* Closes the switches of a baked navmesh one by one and asks for a path: doors BLOB x y z x y z. Prints what it finds; 0 when all went as it should. */
#include <stdio.h>
#include <stdlib.h>

#include "navbake.h"

static void check(const char *what, NavbakeStatus status) {
    if (status == NAVBAKE_OK) return;
    fprintf(stderr, "%s: status %d\n", what, (int)status);
    exit(1);
}

static void ask(const char *name, const NavbakeMesh *mesh, NavbakeSearch *search, const double *from, const double *to) {
    NavbakePathRequest request;
    NavbakePath path;
    NavbakeLocation start;
    NavbakeRay ray;
    NavbakeStatus status;
    check("request", navbake_path_request(from, to, &request));
    request.planner = NAVBAKE_PLANNER_OPTIMAL;
    status = navbake_path(mesh, search, &request, &path);
    check("locate", navbake_locate(mesh, from, 1.0, &start));
    check("raycast", navbake_raycast(mesh, &start, to, &ray));
    printf("%s: status %d, %d points, %.6f long, ray to %.6f\n", name, (int)status, (int)path.point_count, path.length_xz, ray.point[0]);
}

int main(int count, char **arguments) {
    static unsigned char bytes[1 << 16];
    double from[3], to[3];
    NavbakeBlob *blob = NULL;
    NavbakeMesh *mesh = NULL;
    NavbakeSearch *search = NULL;
    NavbakeSwitch found;
    uint64_t closed, first = 0;
    size_t length, switches, k;
    FILE *file;

    if (count != 8 || !(file = fopen(arguments[1], "rb"))) {
        fprintf(stderr, "usage: doors BLOB x y z x y z\n");
        return 2;
    }
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (k = 0; k < 3; k++) {
        from[k] = atof(arguments[2 + k]);
        to[k] = atof(arguments[5 + k]);
    }
    check("open", navbake_open(bytes, length, NULL, 0, &blob));
    check("mesh", navbake_mesh(blob, 0, &mesh));
    check("search", navbake_search_new(mesh, 0, &search));
    switches = navbake_switch_count(blob);
    for (k = 0; k < switches; k++) {
        check("switch", navbake_switch(blob, k, &found));
        printf("switch %.*s: %u\n", (int)found.name_length, found.name, found.closed);
        first |= (uint64_t)found.closed << k;
    }
    if (navbake_switch(blob, switches, &found) != NAVBAKE_BAD_ARGUMENT) return 3;
    if (navbake_switch_count(NULL) != 0) return 3;
    ask("at first", mesh, search, from, to);
    check("close", navbake_set_closed(mesh, &first, 1));
    ask("as the level begins", mesh, search, from, to);
    for (closed = 0; closed >> switches == 0; closed++) {
        check("close", navbake_set_closed(mesh, &closed, 1));
        ask("some", mesh, search, from, to);
    }
    if (navbake_set_closed(mesh, NULL, 1) != NAVBAKE_NULL_POINTER) return 3;
    if (navbake_set_closed(NULL, &first, 1) != NAVBAKE_NULL_POINTER) return 3;
    if (navbake_set_closed(mesh, &first, SIZE_MAX) != NAVBAKE_BAD_ARGUMENT) return 3;
    check("open all", navbake_set_closed(mesh, NULL, 0));
    ask("all open", mesh, search, from, to);
    navbake_search_free(search);
    navbake_mesh_free(mesh);
    navbake_close(blob);
    return 0;
}
