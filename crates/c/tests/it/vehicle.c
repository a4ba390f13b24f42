/* Paths of the first vehicle of a blob: vehicle BLOB x y z x y z, both at heading 0. Prints what it finds; 0 when all went as it should. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "navbake.h"

static void check(const char *what, NavbakeStatus status) {
    if (status == NAVBAKE_OK) return;
    fprintf(stderr, "%s: status %d\n", what, (int)status);
    exit(1);
}

static void ask(const char *name, NavbakeVehicle *truck, const NavbakeMesh *mesh, const NavbakeVehicleRequest *request) {
    NavbakeVehiclePath path;
    NavbakeStatus status = navbake_vehicle_path(truck, mesh, request, &path);
    size_t k;
    if (status < 0) {
        printf("%s: status %d\n", name, (int)status);
        return;
    }
    printf("%s: status %d, %.6f long, cost %.6f, bound %.6f\n", name, (int)status, path.length, path.cost, path.bound);
    for (k = 0; k < path.piece_count; k++) {
        const NavbakePiece *piece = &path.pieces[k];
        printf("  %.6f %.6f %.6f @%.6f %d %u %.6f", piece->from[0], piece->from[1], piece->from[2], piece->heading, (int)piece->turn, piece->back, piece->length);
        if (piece->link != NAVBAKE_NO_LINK) printf(" link %u", piece->link);
        printf("\n");
    }
}

int main(int count, char **arguments) {
    static unsigned char bytes[1 << 20];
    const char *road[] = {"road", "gate"};
    const char *unknown[] = {"rode"};
    double from[3], to[3], parked[3] = {11.5, 0.0, 8.5};
    NavbakeBlob *blob = NULL;
    NavbakeMesh *mesh = NULL;
    NavbakeVehicle *truck = NULL;
    NavbakeVehicleKind kind;
    NavbakeVehicleRequest request;
    const double box[4][2] = {{10.5, 8.5}, {13.5, 8.5}, {13.5, 9.5}, {10.5, 9.5}};
    NavbakeObstacle crate;
    NavbakeCommit done;
    uint64_t gate = 1, id;
    size_t length, k;
    FILE *file;

    if (count != 8 || !(file = fopen(arguments[1], "rb"))) {
        fprintf(stderr, "usage: vehicle BLOB x y z x y z\n");
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
    if (navbake_vehicle_count(blob) != 1 || navbake_vehicle_count(NULL) != 0) return 3;
    check("kind", navbake_vehicle_kind(blob, 0, &kind));
    printf("%.*s: radius %.3f, tiles of %.3f, %u headings, reverse %u, roads %u, directions %u\n", (int)kind.name_length, kind.name, kind.turn_radius, kind.tile, kind.headings, kind.reverse, kind.roads, kind.directions);
    if (navbake_vehicle_kind(blob, 1, &kind) != NAVBAKE_BAD_ARGUMENT) return 3;
    if (navbake_vehicle_new(blob, 1, mesh, 0, &truck) != NAVBAKE_BAD_ARGUMENT) return 3;
    check("cost", navbake_set_cost(mesh, "mud", 8.0));
    check("vehicle", navbake_vehicle_new(blob, 0, mesh, 0, &truck));
    navbake_close(blob);
    check("request", navbake_vehicle_request(from, 0.0, to, &request));
    request.to_heading = 0.0;
    ask("roads and directions of the config", truck, mesh, &request);
    request.directions = 0;
    ask("roads of the config", truck, mesh, &request);
    check("no roads", navbake_vehicle_set_roads(truck, mesh, NULL, 0, 1.0, 0, 0));
    ask("plain", truck, mesh, &request);
    request.directions = 8;
    ask("lines", truck, mesh, &request);
    request.directions = 7;
    ask("seven directions", truck, mesh, &request);
    request.directions = 0;
    request.speed = 1.0;
    ask("a speed without speeds", truck, mesh, &request);
    request.speed = 0.0;
    check("block", navbake_vehicle_block(truck, parked, 1));
    ask("a parked unit in the gate", truck, mesh, &request);
    check("free", navbake_vehicle_block(truck, parked, 0));
    check("roads", navbake_vehicle_set_roads(truck, mesh, road, 2, 4.0, 1, 0));
    ask("roads", truck, mesh, &request);
    check("cones", navbake_vehicle_set_roads(truck, mesh, road, 2, 1.0, 0, 1));
    ask("cones", truck, mesh, &request);
    if (navbake_vehicle_set_roads(truck, mesh, unknown, 1, 4.0, 0, 0) != NAVBAKE_BAD_ARGUMENT) return 3;
    if (navbake_vehicle_set_roads(truck, mesh, road, 2, 0.5, 0, 0) != NAVBAKE_BAD_ARGUMENT) return 3;
    check("no roads", navbake_vehicle_set_roads(truck, mesh, NULL, 0, 1.0, 0, 0));
    check("close", navbake_set_closed(mesh, &gate, 1));
    check("update", navbake_vehicle_update(truck, mesh));
    ask("a closed gate", truck, mesh, &request);
    crate.corners = box;
    crate.corner_count = 4;
    crate.radius = 0.0;
    crate.heights[0] = 0.0;
    crate.heights[1] = 1.0;
    check("open again", navbake_set_closed(mesh, NULL, 0));
    check("obstacle", navbake_obstacle_add(mesh, &crate, &id));
    check("commit", navbake_commit(mesh, 0, &done));
    check("update", navbake_vehicle_update(truck, mesh));
    check("block", navbake_vehicle_block(truck, parked, 1));
    ask("a crate in the gate", truck, mesh, &request);
    check("remove", navbake_obstacle_remove(mesh, id));
    check("commit", navbake_commit(mesh, 0, &done));
    check("update", navbake_vehicle_update(truck, mesh));
    ask("a parked unit where the crate was", truck, mesh, &request);
    check("free", navbake_vehicle_block(truck, parked, 0));
    ask("no crate", truck, mesh, &request);
    check("close", navbake_set_closed(mesh, &gate, 1));
    check("update", navbake_vehicle_update(truck, mesh));
    request.from[0] = 11.5;
    request.from[2] = 8.5;
    ask("from the gate", truck, mesh, &request);
    request.from[0] = -80.0;
    ask("from nowhere", truck, mesh, &request);
    if (navbake_vehicle_path(NULL, mesh, &request, NULL) != NAVBAKE_NULL_POINTER) return 3;
    navbake_vehicle_free(truck);
    navbake_vehicle_free(NULL);
    navbake_mesh_free(mesh);
    return 0;
}
