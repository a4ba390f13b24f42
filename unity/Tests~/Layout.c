/* Sizes of the structs of navbake.h and places of their last fields, for Tests.cs. */
#include <stdio.h>
#include "navbake.h"

#define SHOW(type, last) \
    printf("%s %zu %zu\n", #type, sizeof(Navbake##type), offsetof(Navbake##type, last))

int main(void) {
    SHOW(Location, polygon);
    SHOW(Ray, crossed);
    SHOW(Motion, contacts);
    SHOW(Wall, edge);
    SHOW(PathRequest, unit);
    SHOW(Leg, polygon_count);
    SHOW(Path, leg_count);
    SHOW(Commit, left);
    SHOW(Counts, room_doors);
    SHOW(Polygon, room);
    SHOW(Agent, slope);
    SHOW(Switch, closed);
    SHOW(Marker, position);
    SHOW(Obstacle, heights);
    SHOW(Link, switch_number);
    SHOW(Room, choke);
    SHOW(RoomDoor, bridge);
    SHOW(ChunkFile, hash);
    SHOW(Passage, into);
    SHOW(Route, passages);
    return 0;
}
